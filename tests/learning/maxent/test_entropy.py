"""Models of maximum entropy, from games to a file and to moves."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors

from katachi.errors import KatachiError
from katachi.evaluation.measure import measure
from katachi.evaluation.report import expected_rank
from katachi.go.position import Position
from katachi.go.symmetry import point_tables
from katachi.learning.base import Settings
from katachi.learning.maxent.learner import MaxentOptions, halves, learn_halves
from katachi.learning.maxent.predictor import Reranked
from katachi.learning.maxent.rerank import Rerank
from katachi.learning.train import train
from katachi.models.model import Model, load_model, restored
from katachi.models.predictor import Parts
from katachi.patterns.catalogue import ARAKI, CATALOGUES, COULOM
from katachi.patterns.features import Features
from katachi.patterns.shapes.harvest import harvest
from katachi.patterns.shapes.templates import STERN_TEMPLATES
from tests.trained import games, positions, strength, teams, trained, with_options

MAXENT = Settings("maxent", MaxentOptions(rerank=6))


def rerank_of(model: Model) -> Rerank | None:
    assert isinstance(model.predictor, Reranked)
    return model.predictor.rerank


def frequency(model: Model, team: dict[str, int]) -> float:
    for name in ("pass", "no-shape", "shape"):
        if name in team:
            r, at = model.predictor.ratings[name], team[name] - 1
            return (int(r.wins[at]) + 1) / (int(r.appearances[at]) + 2)
    raise AssertionError(team)


def plainly(model: Model, position: Position) -> tuple[dict[int, float], dict[int, float]]:
    """(order, probability) of every move, by the definition."""
    found = teams(model, position)
    often = {p: frequency(model, team) for p, team in found.items()}
    odds = {p: strength(model, team) for p, team in found.items()}
    rerank = rerank_of(model)
    assert rerank is not None
    most, below = rerank
    least = sorted(often.values(), reverse=True)[:most][-1]
    first = {p for p in often if often[p] >= least}
    ahead = sum(odds[p] for p in first)
    behind = sum(often[p] / (1 - often[p]) for p in often if p not in first)
    share = 1 - below if behind else 1.0
    chances = {
        p: share * odds[p] / ahead if p in first else below * often[p] / (1 - often[p]) / behind
        for p in often
    }
    return {p: 1 + odds[p] / ahead if p in first else often[p] for p in often}, chances


def test_probabilities() -> None:
    model = trained(MAXENT)
    for position in positions(games(10, 12), 9):
        _order, wanted = plainly(model, position)
        chances = model.probabilities(position)
        assert chances.keys() == wanted.keys()
        for p, chance in chances.items():
            assert chance == pytest.approx(wanted[p], rel=1e-5)
        assert math.fsum(chances.values()) == pytest.approx(1)


def test_measured() -> None:
    """Ranks count those ranked anew before all others, and ties by their mean."""
    model = trained(MAXENT)
    corpus = games(10, 12)
    (found,) = measure([model], corpus, cache=False)
    row = 0
    for game in corpus:
        for number, (_, move) in enumerate(game.moves):
            order, chances = plainly(model, game.position(number))
            own = order[move]
            close = sum(abs(x - own) < 1e-9 for x in order.values())
            above = sum(x > own + 1e-9 for x in order.values())
            assert expected_rank(found)[row] == above + (close + 1) / 2
            assert found.log_evidence[row] == pytest.approx(math.log(chances[move]), rel=1e-4)
            row += 1
    assert row == len(found)


def test_symmetric_positions_have_symmetric_probabilities() -> None:
    model = trained(MAXENT)
    game = games(10, 11)[0]
    for number in (0, 1, 5, 30):
        plain = model.probabilities(game.position(number))
        for symmetry in range(1, 8):
            table = point_tables(game.size)[symmetry]
            turned = Position(game.size)
            for colour, move in game.moves[:number]:
                turned.play(int(table[move]), colour)
            found = model.probabilities(turned)
            for p, chance in plain.items():
                assert found[int(table[p])] == pytest.approx(chance, rel=1e-9)


def test_saved_without_zeros(tmp_path: Path) -> None:
    model = trained(MAXENT)
    path = tmp_path / "a.katachi"
    model.save(path)
    again = load_model(path)
    assert again.digest == model.digest
    assert rerank_of(again) == rerank_of(model)
    for name, ratings in model.predictor.ratings.items():
        for column in ("gamma", "wins", "appearances"):
            assert np.array_equal(
                getattr(again.predictor.ratings[name], column), getattr(ratings, column)
            )
    with safetensors.safe_open(path, "numpy") as file:
        kept = file.get_tensor("gamma/shape")
    zeros = int((model.predictor.ratings["shape"].gamma == 1).sum())
    assert zeros > 0
    assert len(kept) == len(model.predictor.ratings["shape"].gamma) - zeros
    assert not (kept == 1).any()


def test_the_halves() -> None:
    corpus = games(0, 11)
    first, second = halves(corpus, 3)
    assert (len(first), len(second)) == (5, 6)
    assert sorted([*first.digest, *second.digest]) == sorted(corpus.digest)
    assert list(halves(corpus, 3)[0].digest) == list(first.digest)
    assert list(halves(corpus, 4)[0].digest) != list(first.digest)


def test_what_the_model_is_made_of(tmp_path: Path) -> None:
    """Patterns and their counts are of half A; the other counts of the samples of half B."""
    model = trained(MAXENT)
    first, second = halves(games(), MAXENT.seed)
    shapes = harvest(first, templates=STERN_TEMPLATES, rule="played", min_count=2)
    assert np.array_equal(model.features.dictionaries["shape"].keys, shapes.keys)
    played = sum(
        int(model.predictor.ratings[name].wins.sum()) for name in ("pass", "no-shape", "shape")
    )
    assert played == int(first.moves.sum())
    with_point = int(second.moves.sum()) - int(second.passes.sum())
    assert int(model.predictor.ratings["coordinates"].wins.sum()) == with_point
    assert model.about["competitions"] == int(second.moves.sum())
    features = Features(ARAKI, {"shape": shapes})
    again = learn_halves(first, second, features, MAXENT.options, tmp_path)
    assert again.digest == model.digest


class Stopped(Exception):
    pass


@pytest.mark.slow
@pytest.mark.parametrize("where", ["counting", "ranking by frequency", "fitting"])
def test_going_on(where: str, tmp_path: Path) -> None:
    """An interrupted run goes on, to the same model to the last digit."""
    settings = with_options(MAXENT, tolerance=1e-9)
    whole = trained(settings)

    def stop(stage: str, done: int, _total: int) -> None:
        if stage == where and (where != "fitting" or done == 5):
            raise Stopped

    with pytest.raises(Stopped):
        train(games(), settings, tmp_path / "work", progress=stop)
    stages: list[str] = []
    found = train(
        games(),
        settings,
        tmp_path / "work",
        jobs=2,
        progress=lambda stage, *_: stages.append(stage),
    )
    assert not any(stage.startswith("harvesting") for stage in stages)
    assert ("ranking by frequency" in stages) == (where == "counting")
    assert found.digest == whole.digest
    assert {**found.about, "seconds": 0} == {**whole.about, "seconds": 0}


def test_all_legal_moves_and_less_features() -> None:
    left = replace(MAXENT, without=("coordinates", "relative3"))
    alone = trained(with_options(left, rerank=0))
    assert rerank_of(alone) is None
    names = [f.name for f in alone.features.families]
    assert names == ["pass", "no-shape", "relative1", "relative2", "relative4", "shape"]
    position = games(10, 11)[0].position(20)
    found = teams(alone, position)
    odds = {p: strength(alone, team) for p, team in found.items()}
    total = sum(odds.values())
    for p, chance in alone.probabilities(position).items():
        assert chance == pytest.approx(odds[p] / total, rel=1e-5)


@pytest.mark.slow
def test_bradley_terry_on_the_same_samples(tmp_path: Path) -> None:
    first, second = halves(games(), 1)
    shapes = harvest(first, templates=STERN_TEMPLATES, rule="played", min_count=2)
    options = MaxentOptions(rerank=6, fitted="bradley-terry")
    features = Features(ARAKI, {"shape": shapes})
    model = learn_halves(first, second, features, options, tmp_path)
    assert rerank_of(model) is not None
    _order, wanted = plainly(model, games(10, 11)[0].position(12))
    for p, chance in model.probabilities(games(10, 11)[0].position(12)).items():
        assert chance == pytest.approx(wanted[p], rel=1e-5)
    path = tmp_path / "a.katachi"
    model.save(path)
    assert load_model(path).digest == model.digest


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"catalogue": COULOM}, "by the features araki, not coulom"),
        ({"all_radii": True}, "takes the largest shape"),
        ({"width": -1.0}, "a width of -1.0 is not between"),
        ({"rerank": 1}, "1 moves cannot be ranked anew"),
        ({"without": ("shape",)}, "cannot leave out 'shape'"),
        ({"without": ("nothing",)}, "cannot leave out 'nothing'"),
        ({"tolerance": -1.0}, "cannot be reached"),
    ],
)
def test_settings_that_make_no_sense(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    own = change.keys() & vars(MAXENT.options).keys()
    settings = with_options(MAXENT, **change) if own else replace(MAXENT, **change)
    with pytest.raises(KatachiError, match=words):
        train(games(), settings, tmp_path / "work")
    assert not list(tmp_path.iterdir())


def test_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "a.katachi"
    model = trained(MAXENT)
    model.save(path)
    header, tensors = model.parts()
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(KatachiError, match="cut short"):
        load_model(path)
    for change in (
        {"kept/shape": tensors["kept/shape"][:-1]},
        {"kept/shape": tensors["kept/shape"][::-1].copy()},
        {"kept/shape": tensors["kept/shape"] + np.uint32(10**6)},
    ):
        with pytest.raises(ValueError, match=r"fit|not there"):
            restored(Parts(header, tensors | change), CATALOGUES)
    for rerank in ([0, 0.5], [20, 1.5], [20, 0.0]):
        with pytest.raises(ValueError, match="anew"):
            restored(Parts(header | {"rerank": rerank}, tensors), CATALOGUES)
