"""Ranking and frequency models: trained, resumed, continued, saved, asked."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.evaluation.measure import measure
from katachi.evaluation.ratings import ratings_of
from katachi.go.position import Position
from katachi.learning.base import Settings, continued_settings
from katachi.learning.ranking import learn as module
from katachi.learning.ranking.filtering import Beliefs
from katachi.learning.ranking.learn import grown
from katachi.learning.ranking.learner import (
    ALONE_BETA,
    BETA,
    CONTEXT_BETA,
    RankingOptions,
    usual_beta,
)
from katachi.learning.ranking.positions import first_members
from katachi.learning.train import train
from katachi.models.model import Model, load_model
from katachi.patterns.catalogue import ARAKI, CONTEXT, COULOM, PLAYOUT, STERN
from katachi.patterns.describe import describe_position
from katachi.patterns.features import Features
from katachi.patterns.shapes.harvest import harvest
from katachi.search.engine import SearchPlayer
from katachi.search.pattern_player import PatternPlayer
from katachi.search.player import Budget, GameState
from katachi.search.settings import SearchSettings
from tests.shared import made_once
from tests.trained import games, positions, trained, with_options

LARGEST = Settings("ranking")
NESTED = replace(LARGEST, all_radii=True)
COUNTED = Settings("frequency")
TEAMS = Settings("ranking", RankingOptions(beta=1.0), catalogue=COULOM, min_candidates=200)
CONTEXTUAL = Settings("ranking", catalogue=CONTEXT)
KINDS = {
    "largest": LARGEST,
    "nested": NESTED,
    "frequency": COUNTED,
    "teams": TEAMS,
    "context": CONTEXTUAL,
}


@pytest.fixture(params=KINDS)
def model(request: pytest.FixtureRequest) -> Model:
    return trained(KINDS[request.param], 0, 20)


def beta_of(model: Model) -> float:
    return float(getattr(model.predictor, "beta", 0.0))


def scores(model: Model, team: dict[str, int]) -> tuple[float, float]:
    """(mean, variance) of a team's score without noise."""
    parts = [(model.predictor.ratings[name], level - 1) for name, level in team.items()]
    return (
        sum(math.log(r.gamma[i]) for r, i in parts),
        sum(float(r.error[i]) ** 2 for r, i in parts),
    )


def test_chances_are_those_of_the_highest_score(model: Model) -> None:
    """Against draws of every team's score; equal teams draw once, and share."""
    rng = np.random.default_rng(1)
    for position in positions(games(20, 21), 13):
        found = model.probabilities(position)
        assert list(found) == position.legal_moves()
        assert math.fsum(found.values()) == pytest.approx(1, abs=1e-9)
        teams = describe_position(position, model.features)
        alike: dict[tuple[tuple[str, int], ...], list[int]] = {}
        for move, team in teams.items():
            alike.setdefault(tuple(sorted(team.items())), []).append(move)
        told = [scores(model, dict(team)) for team in alike]
        mean = np.array([m for m, _ in told])
        if model.predictor.learner == "frequency":
            odds = np.exp(mean) * [len(moves) for moves in alike.values()]
            shares, few = odds / odds.sum(), 1e-9
        else:
            spread = np.sqrt([v + beta_of(model) ** 2 for _, v in told])
            drawn = rng.normal(mean, spread, (20_000, len(mean))).argmax(axis=1)
            shares, few = np.bincount(drawn, minlength=len(mean)) / 20_000, 0.02
        for moves, share in zip(alike.values(), shares, strict=True):
            for move in moves:
                assert found[move] == pytest.approx(share / len(moves), abs=few)


def test_scores_are_sums_over_the_team(model: Model) -> None:
    for position in positions(games(20, 21), 17):
        teams = describe_position(position, model.features)
        for move, (mean, deviation) in model.scores(position).items():
            wanted = scores(model, teams[move])
            assert mean == pytest.approx(wanted[0], abs=1e-9)
            assert deviation == pytest.approx(math.sqrt(wanted[1]), abs=1e-9)


def test_a_file_has_all_of_it(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "a.katachi"
    model.save(path)
    again = load_model(path)
    assert again.digest == model.digest
    assert (again.predictor.learner, beta_of(again)) == (model.predictor.learner, beta_of(model))
    for name, ratings in model.predictor.ratings.items():
        for column in ("gamma", "error", "wins", "appearances"):
            assert np.array_equal(
                getattr(ratings, column), getattr(again.predictor.ratings[name], column)
            )


def test_it_has_learnt(model: Model) -> None:
    """Moves of other games are found far more often than by chance."""
    (measured,) = measure([model], games(30, 34), cache=False)
    uniform = float(np.mean(np.log(measured.candidates)))
    assert float(measured.log_evidence.mean()) > -uniform + 0.25


@pytest.mark.slow
def test_wins_and_appearances_against_descriptions(model: Model) -> None:
    wins: dict[tuple[str, int], int] = {}
    seen: dict[tuple[str, int], int] = {}
    for game in games(0, 20):
        for number, (_, move) in enumerate(game.moves):
            teams = describe_position(game.position(number), model.features)
            for candidate, team in teams.items():
                for member in team.items():
                    seen[member] = seen.get(member, 0) + 1
                    wins[member] = wins.get(member, 0) + (candidate == move)
    for name, ratings in model.predictor.ratings.items():
        levels = range(1, len(ratings.wins) + 1)
        assert ratings.wins.tolist() == [wins.get((name, n), 0) for n in levels]
        assert ratings.appearances.tolist() == [seen.get((name, n), 0) for n in levels]


def test_frequencies() -> None:
    model = trained(COUNTED, 0, 20)
    for ratings in model.predictor.ratings.values():
        won, lost = ratings.wins + 1.0, ratings.appearances - ratings.wins + 1.0
        assert ratings.gamma == pytest.approx(won / lost, rel=1e-6)
        assert ratings.error == pytest.approx(np.sqrt(1 / won + 1 / lost), rel=1e-6)


class Stopped(Exception):
    pass


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings", [LARGEST, NESTED, TEAMS, CONTEXTUAL], ids=["largest", "nested", "teams", "context"]
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted_it_comes_to_the_same(
    settings: Settings, jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the last digit, wherever it was interrupted."""
    monkeypatch.setattr("katachi.learning.ranking.positions.GAMES", 3)
    monkeypatch.setattr("katachi.learning.ranking.positions.FEW_GAMES", 3)
    monkeypatch.setattr(module, "SECONDS", -1.0)  # the state is kept after every piece
    whole = made_once(
        f"whole {settings!r}", lambda: train(games(0, 14), settings, tmp_path / "whole")
    )
    for stop in (1, 4) if jobs == 1 else (4,):
        done = 0

        def show(stage: str, _done: int, _total: int, stop: int = stop) -> None:
            nonlocal done
            done += stage == "learning"
            if done == stop:
                raise Stopped

        with pytest.raises(Stopped):
            train(games(0, 14), settings, tmp_path / "work", jobs=jobs, progress=show)
    begun: list[int] = []

    def note(stage: str, games_done: int, _total: int) -> None:
        if stage == "learning":
            begun.append(games_done)

    again = train(games(0, 14), settings, tmp_path / "work", jobs=jobs, progress=note)
    assert min(begun) > 9  # it went on
    assert again.digest == whole.digest
    assert again.about["log_evidence_while_learning"] == whole.about["log_evidence_while_learning"]


@pytest.mark.parametrize(
    "damage", [lambda b: b[:100], lambda _: b"", lambda b: b[:-50] + b"x" * 50]
)
def test_a_damaged_state_is_begun_again(
    damage: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SECONDS", -1.0)
    whole = train(games(0, 6), LARGEST, tmp_path / "work")
    state = tmp_path / "work" / "beliefs-0.npz"
    state.write_bytes(damage(state.read_bytes()))
    assert train(games(0, 6), LARGEST, tmp_path / "work").digest == whole.digest


# -- going on with new games -------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [LARGEST, NESTED, COUNTED, CONTEXTUAL],
    ids=["largest", "nested", "count", "context"],
)
def test_going_on_with_new_games(settings: Settings, tmp_path: Path) -> None:
    first = trained(settings, 0, 10)
    wanted = continued_settings(first, replace(settings, all_radii=None))
    assert wanted.all_radii == first.features.all_radii
    second = train(games(10, 20), wanted, tmp_path / "work", start=first)
    old, new = (m.features.dictionaries["shape"] for m in (first, second))
    assert set(old.keys.tolist()) < set(new.keys.tolist())
    assert list(first.features.dictionaries) == list(second.features.dictionaries)
    assert second.about["before"] == [first.about["corpus"]]
    total = sum(int(r.wins.sum()) for r in second.predictor.ratings.values())
    if not second.features.all_radii:
        assert total == int(games(0, 20).moves.sum())
    # It knows both halves better than the model of the first half alone.
    one, two = measure([first, second], games(10, 20), cache=False)
    assert two.log_evidence.mean() > one.log_evidence.mean() + 0.1
    (before,) = measure([second], games(0, 10), cache=False)
    assert before.log_evidence.mean() > -3.5


def test_teams_go_on_with_their_own_shapes(tmp_path: Path) -> None:
    first = trained(TEAMS, 0, 10)
    second = train(games(10, 20), continued_settings(first, TEAMS), tmp_path / "work", start=first)
    old, new = (m.features.dictionaries["shape"].keys for m in (first, second))
    assert np.array_equal(old, new)
    assert second.digest != first.digest


def test_the_usual_beta() -> None:
    """By what a team is: the wider, the larger."""
    betas = {
        (catalogue.name, all_radii): usual_beta(Features(catalogue, {}, all_radii))
        for catalogue in (STERN, COULOM, ARAKI, CONTEXT)
        for all_radii in (False, True)
    }
    assert betas.pop(("stern", False)) == ALONE_BETA
    assert betas.pop(("context", True)) == betas.pop(("context", False)) == CONTEXT_BETA
    assert set(betas.values()) == {BETA}
    assert beta_of(trained(NESTED, 0, 20)) == BETA


def test_dictionaries_share_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def note(*args: Any, most: int, **keywords: Any) -> Any:
        asked.append(most)
        return harvest(*args, most=most, **keywords)

    monkeypatch.setattr("katachi.learning.train.harvest", note)
    for n, settings in enumerate((LARGEST, CONTEXTUAL)):
        train(games(0, 4), settings, tmp_path / str(n))
    alone, *both = asked
    assert both == [alone // 2, alone // 2]


def test_what_is_believed_stays_with_its_shape(tmp_path: Path) -> None:
    first = trained(LARGEST, 0, 10)
    second = train(games(10, 20), LARGEST, tmp_path / "work", start=first)
    beliefs: Beliefs = grown(first, second.features)
    keys = second.features.dictionaries["shape"].keys
    at = {int(key): n for n, key in enumerate(first.features.dictionaries["shape"].keys)}
    begin = first_members(second.features)["shape"]
    ratings = first.predictor.ratings["shape"]
    for n, key in enumerate(keys.tolist()):
        if key in at:
            assert beliefs.mean[begin + n] == pytest.approx(math.log(ratings.gamma[at[key]]))
            assert beliefs.wins[begin + n] == ratings.wins[at[key]]
        else:
            assert (beliefs.mean[begin + n], beliefs.variance[begin + n]) == (0.0, 1.0)


def test_models_that_do_not_go_on(tmp_path: Path) -> None:
    elo = trained()
    with pytest.raises(KatachiError, match="bradley-terry does not go on by ranking"):
        train(games(10, 20), LARGEST, tmp_path / "a", start=elo)
    with pytest.raises(KatachiError, match="frequency does not go on by ranking"):
        train(games(10, 20), LARGEST, tmp_path / "b", start=trained(COUNTED, 0, 10))
    with pytest.raises(KatachiError, match="exactly these games already"):
        train(games(0, 10), LARGEST, tmp_path / "c", start=trained(LARGEST, 0, 10))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (with_options(LARGEST, beta=0.0), "beta of 0.0 is not between"),
        (with_options(LARGEST, beta=math.nan), "beta of nan is not between"),
        (replace(COUNTED, catalogue=PLAYOUT), "frequency is for --features stern"),
    ],
)
def test_settings_that_make_no_sense(settings: Settings, words: str, tmp_path: Path) -> None:
    with pytest.raises(KatachiError, match=words):
        train(games(0, 10), settings, tmp_path / "work")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"method": "guessing"}, "by the method 'guessing', which this program does not have"),
        ({"beta": 0.0}, "its beta is no positive number"),
        ({"beta": math.nan}, "its beta is no positive number"),
        ({"method": None}, "learnt by the method None, which this program does not have"),
    ],
)
def test_headers_that_do_not_fit(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    import safetensors

    from katachi.models.model import KIND
    from katachi.tensors import packed

    path = tmp_path / "a.katachi"
    trained(LARGEST, 0, 10).save(path)
    with safetensors.safe_open(path, "numpy") as file:
        header = dict(file.metadata())
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    about = json.dumps(json.loads(header["model"]) | change)
    path.write_bytes(packed(KIND, about, tensors))
    with pytest.raises(KatachiError, match=words):
        load_model(path)


# -- playing -----------------------------------------------------------------------------------


def test_it_plays_and_orders_the_moves_of_a_tree(model: Model) -> None:
    position = Position(9)
    position.play("E5")
    choice = PatternPlayer(model).choose(GameState(position.copy(), 7.5), Budget())
    chances = model.probabilities(position)
    assert chances[choice.move] == max(chances.values())
    assert ("score " in choice.comment) == (model.predictor.learner == "ranking")
    light = trained(Settings(catalogue=PLAYOUT))
    player = SearchPlayer(replace(model, playout=light), SearchSettings(), memory_mb=64)
    found = player.search(GameState(position.copy(), 7.5), Budget(simulations=200))
    for move, _, _, prior in found.moves:
        assert prior == pytest.approx(chances[move], rel=1e-5)


def test_ratings_tell_elo_by_what_wins() -> None:
    """Two patterns alone on a board: the one wins as often as their Elo says, within a point."""
    model = trained(LARGEST, 0, 20)
    assert beta_of(model) == ALONE_BETA
    rows = list(ratings_of(model, "shape"))[:40]
    for one, two in pairwise(rows):
        wins = 1 / (1 + 10 ** ((two.elo - one.elo) / 400))
        gap = math.log(one.gamma) - math.log(two.gamma)
        exact = 0.5 * math.erfc(-gap / (2 * beta_of(model)))
        assert wins == pytest.approx(exact, abs=0.011)
        assert one.error > 0
