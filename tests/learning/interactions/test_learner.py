"""The learners `factors` and `hidden`, from games to a model."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.evaluation.measure import measure
from katachi.evaluation.ratings import extremes, ratings_of
from katachi.learning.base import Settings, check_settings, learner_named
from katachi.learning.bradley_terry.learner import BradleyTerryOptions
from katachi.learning.bradley_terry.prior import Prior
from katachi.learning.interactions import epochs as epochs_module
from katachi.learning.interactions.learner import FactorsOptions
from katachi.learning.interactions.predictor import Interacting
from katachi.learning.train import train
from katachi.models.model import Model, load_model
from katachi.patterns.catalogue import COULOM, EXTENDED
from katachi.patterns.competitions import load_competitions
from tests.trained import FACTORS, HIDDEN, games, positions, trained, with_options

BOTH = pytest.mark.parametrize("settings", [FACTORS, HIDDEN], ids=["factors", "hidden"])


class Stopped(Exception):
    pass


def same(one: Model, two: Model) -> bool:
    """Whether they are the same to the last digit; an assertion says what is not."""
    timed = {"seconds": 0}
    assert {**one.about, **timed} == {**two.about, **timed}
    tensors, others = one.predictor.parts()[1], two.predictor.parts()[1]
    assert list(tensors) == list(others)
    for name, tensor in tensors.items():
        np.testing.assert_array_equal(tensor, others[name], name)
    return one.digest == two.digest


@pytest.mark.slow
@BOTH
def test_from_games_to_a_model(settings: Settings, tmp_path: Path) -> None:
    model = trained(settings)
    predictor = model.predictor
    assert isinstance(predictor, Interacting)
    assert predictor.learner == settings.learner
    assert model.features.catalogue is EXTENDED
    whole = [f.name for f in model.features.position_families]
    assert list(predictor.position) == whole
    assert len(whole) > 5
    assert list(predictor.ratings) == [f.name for f in model.features.families]
    about = model.about
    json.dumps(about)
    assert list(about["seconds"]) == ["harvest", "pilot", "describe", "fit", "learn"]
    assert about["competitions"] == np.minimum(games().moves, 40).sum()
    assert about["candidates"] <= about["competitions"] * 13
    assert about["prior"] == [4.0, 4.0]
    passes = about["log_evidence_while_learning"]
    assert len(passes) == settings.options.epochs
    assert passes == sorted(passes)
    assert passes[-1] > about["linear_log_evidence"]
    model.save(tmp_path / "a.katachi")
    again = load_model(tmp_path / "a.katachi")
    assert again.digest == model.digest
    assert again.features.position
    for position in positions(games(10, 11), 30):
        chances = model.probabilities(position)
        assert again.probabilities(position) == chances
        assert sum(chances.values()) == pytest.approx(1.0)
        scores = model.scores(position)
        likely = max(chances, key=lambda p: chances[p])
        assert scores[likely][0] == max(mean for mean, _ in scores.values())
    [line] = learner_named(settings.learner).summary(model)
    assert "embeddings" in line
    # Ratings as of any other model
    assert len(list(ratings_of(model, "border"))) == 4
    assert extremes(model, "border", 2)[0][0].wins > 0


@pytest.mark.slow
@BOTH
def test_it_begins_with_the_linear_model(settings: Settings, tmp_path: Path) -> None:
    """Without any step the gammas are those of Bradley and Terry."""
    still = with_options(settings, rate=0.0, w_rate=0.0, layer_rate=0.0, epochs=1)
    found = train(games(), still, tmp_path / "work")
    options = BradleyTerryOptions(field=12, positions_per_game=40, prior=Prior(4, 4))
    plain = replace(settings, learner="bradley-terry", options=options, catalogue=EXTENDED)
    linear = trained(plain)  # the same for both
    for name, wanted in linear.predictor.ratings.items():
        ratings = found.predictor.ratings[name]
        np.testing.assert_allclose(ratings.gamma, wanted.gamma, rtol=1e-6)
        assert ratings.error.tolist() == wanted.error.tolist()
        assert ratings.wins.tolist() == wanted.wins.tolist()
        assert ratings.appearances.tolist() == wanted.appearances.tolist()
    assert isinstance(found.predictor, Interacting)
    table = found.predictor.features.table
    seen = np.concatenate([r.appearances for r in linear.predictor.ratings.values()]) > 0
    assert (table[~seen] == 0).all()
    assert table[seen].std() == pytest.approx(0.05, rel=0.1)
    moved = trained(settings).predictor.ratings["border"].gamma
    assert moved.tolist() != found.predictor.ratings["border"].gamma.tolist()


@pytest.mark.slow
@BOTH
def test_an_interrupted_run_ends_the_same(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = games(0, 4)
    undisturbed = train(some, settings, tmp_path / "undisturbed")
    monkeypatch.setattr(epochs_module, "SECONDS", -1.0)
    with monkeypatch.context() as fine:
        fine.setattr(epochs_module, "BATCHES", 3)
        wanted = train(some, settings, tmp_path / "fine")
    assert wanted.digest == undisturbed.digest
    monkeypatch.setattr(epochs_module, "BATCHES", 3)
    stops = [("describing", 1), ("fitting", 4), ("learning", 100), ("learning", 250)]
    for stop in stops:

        def tell(stage: str, done: int, _total: int, stop: tuple[str, int] = stop) -> None:
            if stage == stop[0] and done >= stop[1]:
                raise Stopped

        with pytest.raises(Stopped):
            train(some, settings, tmp_path / "work", progress=tell)
    assert (tmp_path / "work" / "learnt-0.npz").exists()
    assert same(train(some, settings, tmp_path / "work"), wanted)


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same(tmp_path: Path) -> None:
    assert same(train(games(), HIDDEN, tmp_path / "work", jobs=2), trained(HIDDEN))


@pytest.mark.slow
def test_the_seed_decides(tmp_path: Path) -> None:
    one, same_again, other = (
        train(games(0, 3), replace(FACTORS, seed=seed), tmp_path / str(n)).digest
        for n, seed in enumerate((1, 1, 2))
    )
    assert one == same_again != other


@pytest.mark.slow
@pytest.mark.parametrize("stored", ["float16", "float32"])
def test_other_ways_to_store(stored: str, tmp_path: Path) -> None:
    found = train(games(0, 3), with_options(FACTORS, stored=stored), tmp_path / "work")
    assert isinstance(found.predictor, Interacting)
    assert str(found.predictor.features.values.dtype) == stored
    usual = trained(FACTORS, 0, 3)
    position = games()[3].position(20)
    one, two = found.probabilities(position), usual.probabilities(position)
    np.testing.assert_allclose(list(one.values()), list(two.values()), atol=0.02)


@pytest.mark.slow
@BOTH
def test_a_catalogue_without_families_of_the_position(settings: Settings, tmp_path: Path) -> None:
    plain = replace(settings, catalogue=COULOM, without=())
    model = train(games(0, 4), plain, tmp_path / "work")
    assert isinstance(model.predictor, Interacting)
    assert model.predictor.position == {}
    model.save(tmp_path / "a.katachi")
    again = load_model(tmp_path / "a.katachi")
    position = games()[3].position(20)
    assert again.probabilities(position) == model.probabilities(position)


@pytest.mark.slow
@BOTH
def test_all_candidates_and_families_left_out(settings: Settings, tmp_path: Path) -> None:
    options = {"field": None, "positions_per_game": 9}
    bare = replace(with_options(settings, **options), without=(*settings.without, "shape", "stage"))
    model = train(games(0, 4), bare, tmp_path / "work")
    assert isinstance(model.predictor, Interacting)
    assert "stage" not in model.predictor.position
    assert list(model.about["seconds"]) == ["harvest", "describe", "fit", "learn"]
    competitions = load_competitions(tmp_path / "work" / "competitions")
    assert competitions.manifest["field"] is None


@pytest.mark.slow
@BOTH
def test_measured_beside_a_plain_model(settings: Settings) -> None:
    """Positions of several games at once, and one by one."""
    model, plain = trained(settings), trained()
    corpus = games(10, 12)
    alone, _ = measure([model, plain], corpus, cache=False)
    both = measure([model, trained(FACTORS)], corpus, cache=False)[0]
    assert alone.log_evidence.tolist() == both.log_evidence.tolist()
    number = 0
    for game in corpus:
        for move, (_, point) in enumerate(game.moves):
            if move % 25 == 0 and game.position(move).to_move == game.moves[move][0]:
                chance = model.probabilities(game.position(move))[point]
                assert np.log(chance) == pytest.approx(alone.log_evidence[number], abs=1e-9)
            number += 1
    assert number == len(alone.log_evidence)


@BOTH
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"field": 3}, "too small"),
        ({"epochs": 0}, "too few"),
        ({"rate": -0.1}, "rate -0.1"),
        ({"rate": float("nan")}, "rate nan"),
        ({"embedding_prior": -1.0}, "embedding prior"),
        ({"w_prior": -1.0}, "w prior"),
        ({"batch": 0}, "batch of 0"),
        ({"stored": "int4"}, "int4"),
        ({"prior": Prior(-1.0, 1.0)}, "prior"),
    ],
    ids=str,
)
def test_settings_that_make_no_sense(settings: Settings, wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(KatachiError, match=words):
        check_settings(with_options(settings, **wrong))


def test_widths_that_make_no_sense() -> None:
    for settings in (with_options(FACTORS, rank=0), with_options(HIDDEN, units=2000)):
        with pytest.raises(KatachiError, match="between 1 and 1024"):
            check_settings(settings)
    with pytest.raises(KatachiError, match="not the options"):
        Settings("hidden", FactorsOptions())


def test_notices() -> None:
    notice = learner_named("hidden").notice
    assert notice(games(), HIDDEN).startswith("learning from 40 positions of each game")
    assert notice(games(), with_options(HIDDEN, positions_per_game=None)) == ""
