from __future__ import annotations

import json
import math
import os
import re
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.learning import train as module
from katachi.learning.base import Settings
from katachi.learning.bradley_terry import fit as fit_module
from katachi.learning.bradley_terry import learner as learner_module
from katachi.learning.bradley_terry.described import Described
from katachi.learning.bradley_terry.fit import fit, standard_errors
from katachi.learning.bradley_terry.learner import (
    MANY_POSITIONS,
    BradleyTerryOptions,
    positions_wanted,
)
from katachi.learning.bradley_terry.pairs import frequent_pairs
from katachi.learning.bradley_terry.prior import Prior
from katachi.learning.train import check_corpus, open_work, train
from katachi.models.model import Model, load_model
from katachi.patterns import competitions as competitions_module
from katachi.patterns.catalogue import COULOM, EXTENDED, PLAYOUT
from katachi.patterns.competitions import chosen_moves, describe_corpus, load_competitions
from katachi.patterns.features import Features
from katachi.patterns.shapes.harvest import harvest
from katachi.records.corpus import Corpus, corpus_of
from katachi.records.sgf import parse_games
from katachi.teams.teams import Competition
from tests.learning.bradley_terry_oracle import gradient, log_posterior
from tests.trained import ALL_RADII, LARGEST, games, teams, trained, with_options

pytestmark = pytest.mark.slow


def gammas(model: Model) -> dict[str, list[float]]:
    return {name: r.gamma.tolist() for name, r in model.predictor.ratings.items()}


def assert_close(one: Model, two: Model, tolerance: float) -> None:
    assert list(one.predictor.ratings) == list(two.predictor.ratings)
    for name, found in one.predictor.ratings.items():
        wanted = two.predictor.ratings[name]
        np.testing.assert_allclose(
            np.log(found.gamma), np.log(wanted.gamma), atol=tolerance, err_msg=name
        )
        assert found.wins.tolist() == wanted.wins.tolist()
        assert found.appearances.tolist() == wanted.appearances.tolist()


def same_about(one: Model, two: Model) -> bool:
    timed = {"seconds": 0}
    return {**one.about, **timed} == {**two.about, **timed}


def fewer(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of so many games."""
    monkeypatch.setattr(competitions_module, "GAMES_PER_SHARD", count)


# The maximum.


def test_the_same_as_by_hand(tmp_path: Path) -> None:
    corpus = games(0, 5)
    prior = Prior(0.5, 2.0)
    options = BradleyTerryOptions(prior=prior, pairs=("border*distance",), pair_count=60)
    settings = Settings(min_candidates=150, all_radii=True, options=options)
    found = train(corpus, settings, tmp_path / "work", names=("mine.zip",))
    shapes = harvest(corpus, min_count=150)
    features = Features(COULOM, {"shape": shapes}, all_radii=True)
    described = describe_corpus(corpus, features, tmp_path / "competitions")
    pairs = frequent_pairs(described, [("border", "distance")], 60)
    data = Described(described, [f.name for f in features.families], pairs)
    by_hand = fit(data, prior=prior)
    names = [*data.names, "border*distance"]
    assert list(found.predictor.ratings) == names
    flat = {
        column: np.concatenate([getattr(r, column) for r in found.predictor.ratings.values()])
        for column in ("gamma", "error", "wins", "appearances")
    }
    assert flat["gamma"].tolist() == by_hand.gamma.astype(np.float32).tolist()
    errors = standard_errors(data, by_hand.gamma, prior=prior)
    assert flat["error"].tolist() == errors.astype(np.float32).tolist()
    assert flat["wins"].tolist() == by_hand.counts.wins.tolist()
    assert flat["appearances"].tolist() == by_hand.counts.appearances.tolist()
    assert found.predictor.pairs[0].combinations.tolist() == pairs[0].combinations.tolist()
    assert found.features.dictionaries["shape"].keys.tolist() == shapes.keys.tolist()
    about = found.about
    assert (about["games"], about["moves"]) == (5, int(corpus.moves.sum()))
    assert about["competitions"] == described.count == about["moves"]
    assert about["candidates"] == described.candidates
    assert about["gammas"] == len(by_hand.gamma)
    assert about["log_posterior"] == by_hand.log_posterior
    assert about["log_likelihood"] == by_hand.log_likelihood
    assert (about["iterations"], about["converged"]) == (by_hand.iterations, True)
    assert (about["names"], about["sizes"]) == (["mine.zip"], [9])
    assert (about["prior"], about["positions_per_game"]) == ([0.5, 2.0], None)
    assert list(about["seconds"]) == ["harvest", "describe", "fit"]
    json.dumps(about)


def test_the_owner_comes_last(tmp_path: Path) -> None:
    """All else is as without it, and the owner's gammas are at the maximum of the posterior of the
    positions described for them.
    """
    corpus = games(0, 5)
    options = BradleyTerryOptions(tolerance=1e-12)
    last = replace(options, owner_positions=6)
    plain = Settings(min_candidates=150, options=options)
    without = train(corpus, plain, tmp_path / "other")
    found = train(corpus, replace(plain, owner=True, options=last), tmp_path / "work")
    known = gammas(without)
    told = gammas(found)
    assert told.keys() - known.keys() == {"owner"}
    assert {name: told[name] for name in known} == known
    assert found.about["owner_competitions"] == 30
    assert found.about["competitions"] == without.about["competitions"] > 100
    wins, expected = np.zeros(8), np.zeros(8)
    for team in load_competitions(tmp_path / "work" / "owner").shards:
        strengths = np.ones(len(team["point"]))
        for name, values in told.items():
            strengths *= np.array([1.0, *values])[team[name]]
        for first, last, winner in zip(
            team["starts"], team["starts"][1:], team["winner"], strict=False
        ):
            chance = strengths[first:last] / strengths[first:last].sum()
            level = team["owner"][first:last]
            np.add.at(expected, level[level > 0] - 1, chance[level > 0])
            if level[winner]:
                wins[level[winner] - 1] += 1
    gamma = np.array(told["owner"])
    np.testing.assert_allclose(wins + 1 - expected - 2 * gamma / (1 + gamma), 0.0, atol=1e-3)


def test_some_moves_of_each_game(tmp_path: Path) -> None:
    corpus = games(0, 5)
    options = BradleyTerryOptions(moves=(10, 14), owner_positions=3)
    settings = Settings(min_candidates=150, owner=True, options=options)
    found = train(corpus, settings, tmp_path / "work")
    assert found.about["competitions"] == 5 * 4
    for folder, most in (("competitions", 4), ("owner", 3)):
        described = load_competitions(tmp_path / "work" / folder)
        moves = [move for shard in described.shards for move in shard["move"].tolist()]
        assert len(moves) == 5 * most
        assert set(moves) <= set(range(10, 14))
    whole = load_competitions(tmp_path / "work" / "competitions")
    assert [m for shard in whole.shards for m in shard["move"].tolist()] == [10, 11, 12, 13] * 5


def test_the_owner_cannot_come_last(tmp_path: Path) -> None:
    for settings, words in (
        (Settings(options=BradleyTerryOptions(owner_positions=6)), "give --owner, too"),
        (
            Settings(
                owner=True, options=BradleyTerryOptions(owner_positions=6, pairs=("owner*border",))
            ),
            "owner*border cannot be fitted when the owner comes last",
        ),
    ):
        with pytest.raises(KatachiError, match=re.escape(words)):
            open_work(games(0, 5), settings, tmp_path / "work")
    assert not (tmp_path / "work").exists()


def test_it_is_the_maximum_of_a_plain_posterior(tmp_path: Path) -> None:
    """Competitions from `describe_position` on the games' positions, sums in plain Python."""
    corpus = games(0, 3)
    prior = Prior(0.7, 1.3)
    options = BradleyTerryOptions(
        prior=prior, tolerance=1e-14, pairs=("border*distance",), pair_count=50
    )
    settings = Settings(min_candidates=100, options=options)
    model = train(corpus, settings, tmp_path / "work")
    assert model.about["converged"]
    played: list[Competition] = []
    for game in corpus:
        for number, (_, move) in enumerate(game.moves):
            found = teams(model, game.position(number))
            sides = [list(team.items()) for team in found.values()]
            played.append(Competition(sides, list(found).index(move)))
    members = [
        (name, n) for name, r in model.predictor.ratings.items() for n in range(1, len(r.gamma) + 1)
    ]
    gamma = {(n, level): float(model.predictor.ratings[n].gamma[level - 1]) for n, level in members}
    slope = gradient(played, gamma, prior)
    nowhere = gradient(played, dict.fromkeys(gamma, 1.0), prior)
    assert max(map(abs, nowhere.values())) > 20
    assert max(map(abs, slope.values())) < 2e-4
    # The gradient itself, and the value, without a derivative
    value = log_posterior(played, gamma, prior)
    assert value == pytest.approx(model.about["log_posterior"], abs=1e-6)
    rng = np.random.default_rng(1)
    for size in (0.02, 0.3):
        away = {m: g * math.exp(size * rng.normal()) for m, g in gamma.items()}
        assert log_posterior(played, away, prior) < value
    direction = {m: rng.normal() for m in gamma}
    up, down = (
        log_posterior(played, {m: g * math.exp(s * direction[m]) for m, g in gamma.items()}, prior)
        for s in (1e-3, -1e-3)
    )
    assert abs(up - down) / 2e-3 < 0.02
    wins = Counter(member for c in played for member in c.teams[c.winner])
    shown = Counter(member for c in played for team in c.teams for member in team)
    for name, level in members:
        assert model.predictor.ratings[name].wins[level - 1] == wins[name, level]
        assert model.predictor.ratings[name].appearances[level - 1] == shown[name, level]


def test_mm_reaches_the_same_maximum(tmp_path: Path) -> None:
    corpus = games(0, 4)
    options = BradleyTerryOptions(tolerance=1e-13, max_iterations=3000)
    settings = Settings(catalogue=PLAYOUT, options=options)
    fast = train(corpus, settings, tmp_path / "fast")
    plain = train(corpus, with_options(settings, fit="mm"), tmp_path / "mm")
    assert fast.about["converged"]
    assert plain.about["converged"]
    assert_close(fast, plain, 2e-3)
    assert fast.about["log_posterior"] == pytest.approx(plain.about["log_posterior"], abs=1e-6)


def test_too_few_iterations_are_told(tmp_path: Path) -> None:
    settings = Settings(catalogue=PLAYOUT, options=BradleyTerryOptions(max_iterations=3))
    model = train(games(0, 3), settings, tmp_path / "work")
    assert (model.about["converged"], model.about["iterations"]) == (False, 3)


def test_a_prior_next_to_nothing_gives_a_model_that_can_be_loaded(tmp_path: Path) -> None:
    """Where a level never wins its gamma goes to 0, beyond what the file can hold."""
    options = BradleyTerryOptions(prior=Prior(1e-200, 1e-200), fit="mm", max_iterations=60)
    settings = Settings(catalogue=PLAYOUT, options=options)
    model = train(games(0, 3), settings, tmp_path / "work")
    model.save(tmp_path / "a.katachi")
    assert gammas(load_model(tmp_path / "a.katachi")) == gammas(model)
    assert min(float(r.gamma.min()) for r in model.predictor.ratings.values()) < 1e-30


# Settings.


def test_shapes(tmp_path: Path) -> None:
    largest, all_radii = trained(LARGEST), trained(ALL_RADII)
    assert "shape" in largest.predictor.ratings
    assert "shape-3" in all_radii.predictor.ratings
    assert "shape" not in all_radii.predictor.ratings
    sizes = [len(r.gamma) for n, r in all_radii.predictor.ratings.items() if n.startswith("shape-")]
    assert sum(sizes) == len(largest.predictor.ratings["shape"].gamma)
    few = train(games(), replace(LARGEST, min_candidates=1000), tmp_path / "work")
    assert (
        0
        < len(few.predictor.ratings["shape"].gamma)
        < len(largest.predictor.ratings["shape"].gamma)
    )
    assert few.features.dictionaries["shape"].counts.min() >= 1000


def test_the_extended_catalogue_has_its_own_way(tmp_path: Path) -> None:
    corpus = games(0, 3)
    settings = Settings(
        catalogue=EXTENDED, min_candidates=200, min_count=4, without=("shape-marked",)
    )
    model = train(corpus, settings, tmp_path / "work")
    assert model.features.all_radii
    found = model.features.dictionaries
    assert list(found) == ["shape", "shape-played", "shape-liberties", "answer"]
    assert [found[n].min_count for n in found] == [200, 4, 4, 4]
    assert "shape-played-3" in model.predictor.ratings
    assert not any(name.startswith("shape-marked") for name in model.predictor.ratings)
    largest = train(corpus, replace(settings, all_radii=False), tmp_path / "largest")
    assert "shape-played" in largest.predictor.ratings
    answers = [name for name in model.predictor.ratings if name.startswith("answer")]
    assert "answer-liberties-3" in answers
    assert answers == [name for name in largest.predictor.ratings if name.startswith("answer")]
    settings = replace(settings, without=("shape-marked", "answer"))
    assert "answer" not in train(corpus, settings, tmp_path / "less").features.dictionaries


def test_without(tmp_path: Path) -> None:
    settings = replace(ALL_RADII, without=("shape-3", "capture", "border"))
    model = train(games(0, 4), settings, tmp_path / "one")
    whole = train(games(0, 4), ALL_RADII, tmp_path / "two")
    left = [n for n in whole.predictor.ratings if n not in settings.without]
    assert list(model.predictor.ratings) == left
    assert model.about["log_likelihood"] < whole.about["log_likelihood"]
    bare = train(games(0, 4), replace(LARGEST, without=("shape",)), tmp_path / "three")
    assert not bare.features.dictionaries
    assert not list((tmp_path / "three").glob("*.shapes"))
    bare.probabilities(games(0, 4)[0].position(0))


def test_owner(tmp_path: Path) -> None:
    corpus = games(0, 2)
    model = train(corpus, Settings(owner=True), tmp_path / "work")
    owner = model.predictor.ratings["owner"]
    assert len(owner.gamma) == 8
    # Of every candidate but the pass
    legal = model.about["candidates"] - model.about["competitions"]
    assert owner.appearances.sum() == legal
    assert "owner" not in trained().predictor.ratings


def test_positions_per_game(tmp_path: Path) -> None:
    corpus = games(0, 5)
    options = BradleyTerryOptions(positions_per_game=7)
    settings = Settings(catalogue=PLAYOUT, options=options, seed=3)
    model = train(corpus, settings, tmp_path / "one")
    assert model.about["competitions"] == 7 * 5
    assert model.about["positions_per_game"] == 7
    wins = Counter[int]()
    for number, game in enumerate(corpus):
        chosen = chosen_moves(corpus, number, 7, 3)
        assert chosen is not None
        for move in chosen:
            team = teams(model, game.position(move))[game.moves[move][1]]
            wins[team.get("shape3", 0)] += 1
    levels = model.predictor.ratings["shape3"].wins
    assert {n + 1: int(w) for n, w in enumerate(levels) if w} == {
        n: w for n, w in wins.items() if n
    }
    other = train(corpus, replace(settings, seed=4), tmp_path / "two")
    assert gammas(other) != gammas(model)
    every = train(corpus, with_options(settings, positions_per_game=0), tmp_path / "three")
    assert every.about["competitions"] == int(corpus.moves.sum())


def test_large_corpora_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = games()
    moves = int(corpus.moves.sum())
    assert positions_wanted(corpus, None) is None
    assert MANY_POSITIONS > 100_000
    for many, wanted in ((moves, None), (moves - 1, (moves - 1) // 10), (55, 5), (3, 1)):
        monkeypatch.setattr(learner_module, "MANY_POSITIONS", many)
        assert positions_wanted(corpus, None) == wanted
        assert positions_wanted(corpus, 0) is None
        assert positions_wanted(corpus, 4) == 4


def test_any_number_of_processes_gives_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "test-cache" in os.environ["KATACHI_CACHE_DIR"]  # where kernels are compiled already
    whole = trained(ALL_RADII)
    fewer(3, monkeypatch)
    one = train(games(), ALL_RADII, tmp_path / "one", jobs=1)
    two = train(games(), ALL_RADII, tmp_path / "two", jobs=2)
    assert gammas(one) == gammas(two)
    assert same_about(one, two)
    assert one.digest == two.digest
    assert_close(one, whole, 1e-4)  # shards: the order of sums


def test_progress_tells_every_stage(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    train(games(0, 3), LARGEST, tmp_path / "work", progress=lambda *x: seen.append(x))
    assert list(dict.fromkeys(stage for stage, _, _ in seen)) == [
        "harvesting shape: sifting",
        "harvesting shape: counting",
        "harvesting shape: drawing",
        "describing",
        "fitting",
    ]
    assert ("describing", 1, 1) in seen
    assert ("harvesting shape: counting", 3, 3) in seen


# Going on.


def never(*_: Any, **__: Any) -> Any:
    raise AssertionError("this was done already")


def watched(monkeypatch: pytest.MonkeyPatch, home: Any, name: str) -> list[dict[str, Any]]:
    """The keywords and the result of every call."""
    calls: list[dict[str, Any]] = []
    plain: Callable[..., Any] = getattr(home, name)

    def call(*args: Any, **keywords: Any) -> Any:
        result = plain(*args, **keywords)
        calls.append({**keywords, "args": args, "result": result})
        return result

    monkeypatch.setattr(home, name, call)
    return calls


def test_going_on_after_describing_was_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = trained(LARGEST)
    fewer(3, monkeypatch)
    plain = competitions_module.describe_games
    with monkeypatch.context() as broken:
        made: list[Any] = []

        def describe(*args: Any) -> Any:
            if len(made) == 2:
                raise KeyboardInterrupt
            made.append(args[1])
            return plain(*args)

        broken.setattr(competitions_module, "describe_games", describe)
        with pytest.raises(KeyboardInterrupt):
            train(games(), LARGEST, tmp_path / "work")
    assert not (tmp_path / "work" / "fit.journal").exists()
    monkeypatch.setattr(module, "harvest", never)
    described = watched(monkeypatch, competitions_module, "describe_games")
    again = train(games(), LARGEST, tmp_path / "work")
    assert [call["args"][1] for call in described] == [range(6, 9), range(9, 10)]
    assert_close(again, whole, 1e-4)  # other shards: the order of sums
    assert again.about["competitions"] == whole.about["competitions"]


@pytest.mark.parametrize("after", [2, 15])
def test_going_on_after_the_fit_was_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """In the sweeps of MM, or in L-BFGS."""

    def stop(stage: str, done: int, _total: int) -> None:
        if stage == "fitting" and done == after:
            raise KeyboardInterrupt

    settings = with_options(LARGEST, tolerance=1e-13)
    whole = trained(settings)
    assert whole.about["iterations"] > 20
    with pytest.raises(KeyboardInterrupt):
        train(games(), settings, tmp_path / "work", progress=stop)
    monkeypatch.setattr(module, "harvest", never)
    monkeypatch.setattr(competitions_module, "describe_games", never)
    passes = watched(monkeypatch, fit_module, "evidence")
    again = train(games(), settings, tmp_path / "work")
    assert 0 < len(passes) < whole.about["iterations"] + 20 - max(0, after - 6)
    assert same_about(again, whole)
    assert gammas(again) == gammas(whole)


class Finished(NamedTuple):
    """A training, its model and its folder, which no test changes."""

    settings: Settings
    model: Model
    work: Path


@pytest.fixture(scope="module", params=["fast", "mm"])
def finished(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    options = BradleyTerryOptions(fit=request.param, tolerance=1e-9)
    settings = Settings(catalogue=PLAYOUT, options=options)
    work = tmp_path_factory.mktemp("finished") / "work"
    return Finished(settings, train(games(0, 3), settings, work), work)


@pytest.mark.parametrize("spoilt", ["empty", "junk", "cut", "changed", "longer"])
def test_a_damaged_journal_is_dropped(tmp_path: Path, spoilt: str, finished: Finished) -> None:
    settings, whole, work = finished
    shutil.copytree(work, tmp_path / "work")
    path = tmp_path / "work" / "fit.journal"
    good = path.read_bytes()
    middle = len(good) // 2
    bad = {
        "empty": b"",
        "junk": b"junk" * 50,
        "cut": good[:middle],
        "changed": good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :],
        "longer": good + good,
    }
    path.write_bytes(bad[spoilt])
    again = train(games(0, 3), settings, tmp_path / "work")
    assert gammas(again) == gammas(whole)
    assert same_about(again, whole)
    if spoilt != "longer":
        assert path.read_bytes() == good


def test_a_finished_folder_gives_the_model_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = train(games(), LARGEST, tmp_path / "work")
    monkeypatch.setattr(module, "harvest", never)
    monkeypatch.setattr(competitions_module, "describe_games", never)
    again = train(games(), LARGEST, tmp_path / "work")
    assert same_about(again, first)
    assert gammas(again) == gammas(first)


# Mistakes.


@pytest.mark.parametrize(
    "other",
    [
        {"settings": replace(LARGEST, min_candidates=201)},
        {"settings": replace(LARGEST, seed=2)},
        {"settings": with_options(LARGEST, prior=Prior(2.0, 2.0))},
        {"settings": replace(LARGEST, without=("border",))},
        {"settings": replace(LARGEST, catalogue=PLAYOUT)},
        {"corpus": (0, 3)},
        {"corpus": (1, 5)},
    ],
)
def test_another_plan_does_not_go_on(tmp_path: Path, other: dict[str, Any]) -> None:
    work = tmp_path / "work"
    open_work(games(0, 4), LARGEST, work)
    open_work(games(0, 4), LARGEST, work)
    before = (work / "plan.json").read_bytes()
    corpus = games(*other["corpus"]) if "corpus" in other else games(0, 4)
    with pytest.raises(KatachiError, match="holds the work of another training: remove it"):
        train(corpus, other.get("settings", LARGEST), work)
    assert [p.name for p in work.iterdir()] == ["plan.json"]
    assert (work / "plan.json").read_bytes() == before


def test_folders_that_cannot_be_worked_in(tmp_path: Path) -> None:
    corpus = games(0, 4)
    file = tmp_path / "file"
    file.write_text("mine")
    with pytest.raises(KatachiError, match="file is a file: it must be a folder to work in"):
        train(corpus, LARGEST, file)
    with pytest.raises(KatachiError, match="cannot be made: Not a directory"):
        train(corpus, LARGEST, file / "work")
    with pytest.raises(KatachiError, match="holds the work of another training"):
        train(corpus, LARGEST, tmp_path)  # something of one's own is there
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
    (tmp_path / "empty").mkdir()
    open_work(corpus, LARGEST, tmp_path / "empty")
    (tmp_path / "empty" / "plan.json").write_text("{")
    with pytest.raises(KatachiError, match="holds the work of another training"):
        open_work(corpus, LARGEST, tmp_path / "empty")


def of(*texts: str) -> Corpus:
    return corpus_of([parse_games(text.encode())[0][0] for text in texts])


@pytest.mark.parametrize(
    ("corpus", "words"),
    [
        (of(), "no games are too few to learn from"),
        (of("(;SZ[9];B[ee];W[cc])"), "one game is too few to learn from"),
        (
            of("(;SZ[9];B[ee])", "(;SZ[19];B[dd])", "(;SZ[9];B[ff])"),
            r"boards of several sizes \(2 on 9x9, 1 on 19x19\): choose by --size, or take all of "
            "them by --any-size$",
        ),
    ],
)
def test_games_to_learn_nothing_from(tmp_path: Path, corpus: Corpus, words: str) -> None:
    with pytest.raises(KatachiError, match=words):
        check_corpus(corpus, any_size=False)
    with pytest.raises(KatachiError, match=words):
        train(corpus, LARGEST, tmp_path / "work")
    assert not (tmp_path / "work").exists()


def test_no_move_is_in_the_span(tmp_path: Path) -> None:
    late = replace(LARGEST, options=replace(LARGEST.options, moves=(900, 950)))
    with pytest.raises(KatachiError, match="no game has a move to learn from among those"):
        train(games(0, 2), late, tmp_path / "work")


def test_boards_of_several_sizes_together(tmp_path: Path) -> None:
    corpus = of("(;SZ[9];B[ee];W[cc])", "(;SZ[19];B[dd];W[pp];B[qq])")
    check_corpus(corpus, any_size=True)
    settings = Settings(catalogue=PLAYOUT, any_size=True)
    model = train(corpus, settings, tmp_path / "work")
    assert model.about["sizes"] == [9, 19]
    assert (model.about["games"], model.about["competitions"]) == (2, 5)
    assert model.about["settings"]["any_size"] is True
    with pytest.raises(KatachiError, match="one game is too few"):
        check_corpus(of("(;SZ[9];B[ee])"), any_size=True)


def test_two_short_games_are_enough(tmp_path: Path) -> None:
    """Hardly any shape, and a family of none."""
    corpus = of("(;SZ[9];B[ee];W[cc])", "(;SZ[9];B[gg];W[])")
    model = train(
        corpus, Settings(options=BradleyTerryOptions(pairs=("capture*atari",))), tmp_path / "work"
    )
    assert (model.about["games"], model.about["competitions"]) == (2, 4)
    assert len(model.predictor.ratings["shape"].gamma) == 0
    assert len(model.predictor.ratings["capture*atari"].gamma) == 0
    model.save(tmp_path / "a.katachi")
    again = load_model(tmp_path / "a.katachi")
    position = corpus[0].position(1)
    assert again.probabilities(position) == model.probabilities(position)


MISTAKES = [
    ({"prior": Prior(0.0, 0.0)}, "a prior of 0 wins and 0 losses does not hold"),
    ({"prior": Prior(-1.0, 1.0)}, "a prior of -1 wins"),
    ({"prior": Prior(math.nan, 1.0)}, "a prior of nan wins"),
    ({"tolerance": -1e-9}, "a tolerance of -1e-09 cannot be reached"),
    ({"tolerance": math.nan}, "a tolerance of nan cannot be reached"),
    ({"fit": "slow"}, "'slow' is no way to fit: it is fast or mm"),
    ({"pairs": ("border",)}, "'border' is no pair of families"),
    ({"pairs": ("border*borders",)}, "have no 'borders' for 'border\\*borders': pass, "),
    (
        {"pairs": ("border*distance", "distance*border")},
        "the pair border\\*distance is named twice",
    ),
    ({"pairs": ("border*distance",) * 2}, "the pair border\\*distance is named twice"),
    ({"pairs": ("border*shape-11",)}, "have no 'shape-11' for"),
    ({"without": ("bordr",)}, "the features coulom have no 'bordr' to leave out: pass, capture"),
    ({"without": ("shape-played",)}, "have no 'shape-played' to leave out"),
    (
        {"without": (*(f.name for f in COULOM.families if not f.slow), "shape")},
        "no family is left to learn",
    ),
]


@pytest.mark.parametrize(("wrong", "words"), MISTAKES)
def test_settings_that_make_no_sense(tmp_path: Path, wrong: dict[str, Any], words: str) -> None:
    """Told before any work: what is left behind would be in the way of the next run."""
    change = replace if "without" in wrong else with_options
    spoilt = change(LARGEST, **wrong)
    with pytest.raises(KatachiError, match=words):
        train(games(0, 4), spoilt, tmp_path / "work")
    assert not (tmp_path / "work").exists()


def test_pairs_of_families_that_are_not_there(tmp_path: Path) -> None:
    """Known only when the shapes are: with the largest shape there are no radii."""
    settings = with_options(LARGEST, pairs=("border*shape-3",))
    with pytest.raises(KatachiError, match="no family 'shape-3' in 'border\\*shape-3': pass, "):
        train(games(0, 4), settings, tmp_path / "work")
