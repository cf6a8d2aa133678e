from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.evaluation import measure as module
from katachi.evaluation.measure import measure, measured_of
from katachi.evaluation.measured import Measured
from katachi.folders import cache_folder
from katachi.learning.base import Settings
from katachi.models.model import Model
from katachi.models.predictor import Ratings
from katachi.patterns.catalogue import PLAYOUT
from katachi.patterns.competitions import describe_games
from katachi.records.corpus import Corpus, corpus_of
from katachi.records.sgf import parse_games
from tests.papers.synthetic import Play
from tests.papers.synthetic import measured_of as plain_measured
from tests.trained import ALL_RADII, LARGEST, PAIRED, SPARSE, games, trained, with_ratings

PLAYOUTS = Settings(catalogue=PLAYOUT)


def plays(model: Model, corpus: Corpus) -> list[Play]:
    """Every move of the games, by `Model.probabilities`."""
    found = []
    for number, game in enumerate(corpus):
        for move, (_, p) in enumerate(game.moves):
            given = model.probabilities(game.position(move))
            found.append(Play(number, move, tuple(given.values()), list(given).index(p)))
    return found


def assert_same(one: Measured, two: Measured) -> None:
    for column in fields(Measured):
        found, wanted = getattr(one, column.name), getattr(two, column.name)
        assert found.dtype == wanted.dtype, column.name
        np.testing.assert_array_equal(found, wanted, err_msg=column.name)


def assert_near(one: Measured, two: Measured) -> None:
    """But for the order in which numbers are added."""
    for column in fields(Measured):
        found, wanted = getattr(one, column.name), getattr(two, column.name)
        assert found.shape == wanted.shape, column.name
        assert found.dtype == wanted.dtype, column.name
        np.testing.assert_allclose(found, wanted, rtol=1e-10, err_msg=column.name)


@pytest.mark.parametrize("settings", [LARGEST, PAIRED, PLAYOUTS], ids=["largest", "pairs", "light"])
def test_against_the_probabilities_of_each_position(settings: Settings) -> None:
    model, corpus = trained(settings), games(20, 23)
    (found,) = measure([model], corpus, cache=False)
    assert_near(found, plain_measured(plays(model, corpus)))
    assert len(found) == int(corpus.moves.sum())
    assert found.calibration[:, :, 1].sum() == len(found)
    assert found.better.max() > 10
    assert found.equal.max() > 1


def test_of_columns() -> None:
    """Games keep their numbers, whatever they are."""
    model, corpus = trained(), games(20, 25)
    columns = describe_games(corpus, range(1, 5, 2), model.features)
    found = measured_of(model, columns)
    assert sorted(set(found.game.tolist())) == [1, 3]
    assert len(found.calibration) == 2
    (whole,) = measure([model], corpus, cache=False)
    rows = np.isin(whole.game, [1, 3])
    for name in ("game", "move", "log_evidence", "better", "equal", "candidates"):
        assert getattr(found, name).tolist() == getattr(whole, name)[rows].tolist()
    assert found.calibration.tolist() == whole.calibration[[1, 3]].tolist()


def test_a_certain_move_is_in_the_last_bin() -> None:
    """A pass that outweighs everything has a probability of 1, as near as numbers go."""
    model = trained(PLAYOUTS)
    gamma = np.array([1e30, 1e30], np.float32)
    heavy = with_ratings(model, {"pass": replace(model.predictor.ratings["pass"], gamma=gamma)})
    corpus = corpus_of(parse_games(b"(;SZ[9];B[];W[];B[ee])")[0])
    (found,) = measure([heavy], corpus, cache=False)
    assert found.log_evidence[:2].tolist() == [0.0, 0.0]
    assert found.better.tolist() == [0, 0, 1]
    assert found.calibration[0, -1].tolist() == [3, 2]
    assert found.calibration[0].sum(axis=0).tolist() == [3 * 82, 3]
    assert found.candidates.tolist() == [82, 82, 82]


def test_games_without_moves() -> None:
    game = games(20, 21)[0]
    empty, short = (replace(game, actions=game.actions[:n]) for n in (0, 1))
    corpus = corpus_of([empty, short, empty])
    (found,) = measure([trained()], corpus, cache=False)
    assert found.game.tolist() == [1]
    assert len(found.calibration) == 1
    (nothing,) = measure([trained()], corpus_of([empty]), cache=False)
    assert len(nothing) == 0


# Several models.


def with_gammas(model: Model, seed: int) -> Model:
    """The same features, rated anew."""
    rng = np.random.default_rng(seed)
    ratings = {
        n: Ratings(
            np.exp(rng.normal(size=len(r.gamma))).astype(np.float32), r.error, r.wins, r.appearances
        )
        for n, r in model.predictor.ratings.items()
    }
    return with_ratings(model, ratings)


def several() -> list[Model]:
    """Of one description (the first, second, fourth and last), and of others."""
    return [
        trained(LARGEST),
        trained(ALL_RADII),
        trained(SPARSE),
        trained(PAIRED),
        trained(PLAYOUTS),
        with_gammas(trained(ALL_RADII), 4),
    ]


@pytest.mark.slow
def test_several_models_are_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = games(20, 25)
    alone = [measure([model], corpus, cache=False)[0] for model in several()]
    described: list[Any] = []

    def counted(*args: Any) -> Any:
        described.append(args)
        return describe_games(*args)

    monkeypatch.setattr(module, "describe_games", counted)
    together = measure(several(), corpus, cache=False)
    assert len(described) == 3  # by dictionaries and catalogue
    for one, two in zip(together, alone, strict=True):
        assert_same(one, two)
    assert len({tuple(m.log_evidence.tolist()) for m in alone}) == len(alone)
    turned = measure(several()[::-1], corpus, cache=False)
    for one, two in zip(turned, alone[::-1], strict=True):
        assert_same(one, two)


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GAMES_PER_TASK", 2)
    models = several()[:3]
    seen: list[tuple[str, int, int]] = []
    one = measure(models, games(20, 25), cache=False)
    two = measure(models, games(20, 25), jobs=2, cache=False, progress=lambda *x: seen.append(x))
    for a, b in zip(one, two, strict=True):
        assert_same(a, b)
    monkeypatch.undo()
    whole = measure(models, games(20, 25), cache=False)
    for a, b in zip(one, whole, strict=True):
        assert_same(a, b)
    done = [n for _, n, _ in seen]
    assert done == sorted(done)
    assert {total for _, _, total in seen} == {10}
    assert (done[0], done[-1]) == (0, 10)


# The cache.


@pytest.fixture
def own_cache(corpus_cache: Path) -> Path:
    """A cache of the test's own, where nothing is measured yet."""
    for settings in (LARGEST, ALL_RADII):
        trained(settings)
    return corpus_cache / "measured"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of games of every task that is described."""
    found: list[int] = []

    def counted(corpus: Corpus, *rest: Any) -> Any:
        found.append(len(corpus))
        return describe_games(corpus, *rest)

    monkeypatch.setattr(module, "describe_games", counted)
    monkeypatch.setattr(module, "GAMES_PER_TASK", 2)
    return found


def test_what_is_measured_is_kept(own_cache: Path, calls: list[int]) -> None:
    models = [trained(LARGEST), trained(ALL_RADII)]
    first = measure(models, games(20, 25))
    assert calls == [2, 2, 1]
    assert len(list(own_cache.rglob("*.npz"))) == 3
    seen: list[tuple[str, int, int]] = []
    again = measure(models, games(20, 25), progress=lambda *x: seen.append(x))
    assert calls == [2, 2, 1]
    assert seen == [("measuring", 5, 5)]
    for one, two in zip(first, again, strict=True):
        assert_same(one, two)
    loaded = [replace(m, about={}) for m in models]  # what they tell is not what they predict
    for one, two in zip(first, measure(loaded, games(20, 25)), strict=True):
        assert_same(one, two)
    assert calls == [2, 2, 1]


def test_more_games_are_measured_where_they_are_new(own_cache: Path, calls: list[int]) -> None:
    measure([trained()], games(20, 24))
    (found,) = measure([trained()], games(20, 25))
    assert calls == [2, 2, 1]
    (plain,) = measure([trained()], games(20, 25), cache=False)
    assert_same(found, plain)
    (other,) = measure([trained()], games(22, 25))  # the same games have other numbers here
    assert calls == [2, 2, 1, 2, 2, 1]
    assert sorted(set(other.game.tolist())) == [0, 1, 2]
    assert own_cache.exists()


def test_other_games_and_other_models_are_measured(own_cache: Path, calls: list[int]) -> None:
    model = trained()
    measure([model], games(20, 22))
    (found,) = measure([model], games(21, 23))
    assert calls == [2, 2]
    assert_same(found, measure([model], games(21, 23), cache=False)[0])
    other = with_gammas(model, 1)
    (found,) = measure([other], games(20, 22))
    assert calls == [2, 2, 2, 2]
    assert_same(found, measure([other], games(20, 22), cache=False)[0])
    measure([trained(ALL_RADII)], games(20, 22))
    assert len(calls) == 6
    assert len(list(own_cache.iterdir())) == 3


def test_a_run_that_was_interrupted_goes_on(own_cache: Path, calls: list[int]) -> None:
    def stop(_stage: str, done: int, _total: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure([trained()], games(20, 25), progress=stop)
    assert calls == [2, 2]
    (found,) = measure([trained()], games(20, 25))
    assert calls == [2, 2, 1]
    assert_same(found, measure([trained()], games(20, 25), cache=False)[0])
    assert len(list(own_cache.rglob("*.npz"))) == 3


def test_damaged_files_are_measured_again(own_cache: Path, calls: list[int]) -> None:
    (whole,) = measure([trained()], games(20, 22))
    (path,) = own_cache.rglob("*.npz")
    good = path.read_bytes()
    spoilt = [good[:n] for n in (0, 1, 4, 30, 200, len(good) // 2, len(good) - 1)]
    spoilt += [b"\x93NUMPY", b"junk", bytes(len(good))]
    middle = len(good) // 2
    spoilt += [good[:middle] + bytes([good[middle] ^ 255]) + good[middle + 1 :]]
    calls.clear()
    for number, data in enumerate(spoilt, 1):
        path.write_bytes(data)
        (found,) = measure([trained()], games(20, 22))
        assert_same(found, whole)
        assert len(calls) == number
        assert path.read_bytes() == good


def test_kept_results_of_another_kind_are_measured_again(own_cache: Path, calls: list[int]) -> None:
    (whole,) = measure([trained()], games(20, 22))
    (path,) = own_cache.rglob("*.npz")
    np.savez(path, game=np.zeros(3))
    assert_same(measure([trained()], games(20, 22))[0], whole)
    assert calls == [2, 2]


def test_nothing_is_kept_where_that_is_not_wanted(own_cache: Path, calls: list[int]) -> None:
    for _ in range(2):
        measure([trained()], games(20, 22), cache=False)
    assert calls == [2, 2]
    assert not own_cache.exists()


def test_a_cache_that_cannot_be_written(
    own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (plain,) = measure([trained()], games(20, 22), cache=False)

    def full(*_: Any) -> None:
        raise KatachiError("cannot be written: No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(module, "keep_columns", full)
        assert_same(measure([trained()], games(20, 22))[0], plain)
    assert not list(own_cache.rglob("*.npz"))
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("KATACHI_CACHE_DIR", str(tmp_path / "file" / "x"))
    assert cache_folder() == tmp_path / "file" / "x"
    assert_same(measure([trained()], games(20, 22))[0], plain)


# Mistakes.


def test_nothing_to_measure() -> None:
    with pytest.raises(KatachiError, match="no models to measure"):
        measure([], games(20, 22))
    with pytest.raises(KatachiError, match="no games"):
        measure([trained()], corpus_of([]))


def test_games_of_a_size_that_a_model_does_not_know() -> None:
    with pytest.raises(KatachiError, match="on 19x19, but the shapes were harvested on 9x9"):
        measure([trained(PLAYOUTS), trained()], games(66, 68))
    (found,) = measure([trained(PLAYOUTS)], games(66, 68), cache=False)
    assert found.candidates.max() > 300
