"""The sampled field: the sum over all candidates is right on average."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from katachi.errors import KatachiError
from katachi.learning.base import Settings
from katachi.learning.bradley_terry.described import Described
from katachi.learning.bradley_terry.learner import BradleyTerryOptions
from katachi.learning.train import train
from katachi.patterns.catalogue import PLAYOUT
from katachi.patterns.competitions import describe_corpus
from katachi.patterns.features import Features
from katachi.patterns.field import Chooser, Field
from katachi.records.bundled import bundled_games
from tests.trained import with_options

RNG = np.random.default_rng(4)
COLUMNS = np.array([RNG.integers(0, 6, 200), RNG.integers(0, 40, 200)], np.uint32)
FIELD = Field(
    30,
    {
        "one": np.concatenate([[1.0], RNG.lognormal(0, 1, 5)]),
        "two": np.concatenate([[1.0], RNG.lognormal(0, 1, 39)]),
    },
)
CHOOSER = Chooser(FIELD, ["one", "two"])
STRENGTH = FIELD.factors["one"][COLUMNS[0]] * FIELD.factors["two"][COLUMNS[1]]


def _chosen_plainly(
    levels: npt.NDArray[np.uint32], winner: int, most: int, start: float
) -> tuple[list[int], list[float]]:
    """The slow twin, on whole arrays."""
    size = np.sqrt(FIELD.factors["one"][levels[0]] * FIELD.factors["two"][levels[1]])
    sure = np.arange(len(size)) == winner
    while True:
        chances = np.where(sure, 1.0, size * (most - sure.sum()) / size[~sure].sum())
        if chances.max() <= 1:
            break
        sure |= chances > 1
    passed = np.floor(np.cumsum(chances) + start)
    kept = np.flatnonzero((np.diff(passed, prepend=0.0) > 0) | (np.arange(len(size)) == winner))
    return kept.tolist(), (1 / chances[kept]).tolist()


@given(st.integers(0, 2**32 - 1), st.integers(35, 200), st.integers(4, 34))
def test_it_is_what_the_slow_twin_chooses(seed: int, count: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    levels = np.array([rng.integers(0, 6, count), rng.integers(0, 40, count)], np.uint32)
    winner = int(rng.integers(count))
    chooser = Chooser(Field(most, FIELD.factors), ["one", "two"])
    kept, weights = chooser.choose(levels, winner, np.random.default_rng(seed))
    start = np.random.default_rng(seed).random()
    wanted, heavy = _chosen_plainly(levels, winner, most, start)
    assert kept.tolist() == wanted
    assert weights.tolist() == pytest.approx(heavy, rel=1e-6)


def test_the_winner_and_the_likeliest_are_always_there() -> None:
    weakest = int(STRENGTH.argmin())
    for winner in (weakest, int(STRENGTH.argmax()), 17):
        kept, weights = CHOOSER.choose(COLUMNS, winner, np.random.default_rng(1))
        assert 29 <= len(kept) <= 31
        assert np.all(np.diff(kept) > 0)
        assert weights[kept == winner] == 1
        assert np.all(weights >= 1)
        assert STRENGTH.argmax() in kept
        assert STRENGTH[kept].mean() > 1.5 * STRENGTH.mean()


def test_the_sum_of_strengths_is_right_on_average_and_better_than_by_chance() -> None:
    rng = np.random.default_rng(2)
    sums, counts = [], []
    for _ in range(2000):
        kept, weights = CHOOSER.choose(COLUMNS, 17, rng)
        sums.append(float((STRENGTH[kept] * weights).sum()))
        counts.append(float(weights.sum()))
    spread = np.std(sums) / np.sqrt(len(sums))
    assert abs(np.mean(sums) - STRENGTH.sum()) < 4 * spread
    assert np.mean(counts) == pytest.approx(200, rel=0.05)  # they stand for all
    plain = [200 / 30 * STRENGTH[rng.choice(200, 30, replace=False)].sum() for _ in range(2000)]
    assert np.std(sums) < 0.5 * np.std(plain)


def test_a_small_position_is_kept_whole() -> None:
    few = np.ascontiguousarray(COLUMNS[:, :30])
    kept, weights = CHOOSER.choose(few, 3, np.random.default_rng(1))
    assert kept.tolist() == list(range(30))
    assert set(weights.tolist()) == {1.0}


@pytest.mark.slow
def test_a_wide_field_fits_what_all_candidates_fit(tmp_path: Path) -> None:
    games = bundled_games().take(np.arange(8))
    settings = Settings(catalogue=PLAYOUT, options=BradleyTerryOptions(tolerance=1e-9))
    plain = train(games, settings, tmp_path / "plain")
    wide = train(games, with_options(settings, field=100), tmp_path / "wide")
    for name, ratings in plain.predictor.ratings.items():
        assert np.allclose(ratings.gamma, wide.predictor.ratings[name].gamma, rtol=2e-3), name
    half = train(games, with_options(settings, field=24), tmp_path / "half")
    assert half.about["candidates"] < 0.6 * plain.about["candidates"]
    assert half.about["log_likelihood"] == pytest.approx(plain.about["log_likelihood"], rel=0.03)
    one, two = (np.log(m.predictor.ratings["capture"].gamma) for m in (plain, half))
    assert np.abs(one - two).max() < 0.5
    assert np.array_equal(
        plain.predictor.ratings["capture"].wins, half.predictor.ratings["capture"].wins
    )


def test_any_number_of_processes_samples_the_same(tmp_path: Path) -> None:
    games = bundled_games().take(np.arange(40))
    features = Features(PLAYOUT)
    rng = np.random.default_rng(1)
    factors = {
        f.name: np.concatenate([[1.0], rng.lognormal(size=f.size)]) for f in features.families
    }
    found = [
        describe_corpus(
            games,
            features,
            tmp_path / str(jobs),
            positions_per_game=600,
            field=Field(10, factors),
            jobs=jobs,
        )
        for jobs in (1, 2)
    ]
    for one, two in zip(found[0].shards, found[1].shards, strict=True):
        assert set(one) == set(two)
        for name in one:
            assert np.array_equal(one[name], two[name])
    shard = Described(found[0], found[0].families).shard(0, [0])
    assert shard.weights is not None
    winners = shard.starts[:-1] + shard.winner
    assert set(shard.weights[winners].tolist()) == {1.0}
    with pytest.raises(KatachiError, match="other games or settings"):
        describe_corpus(
            games, features, tmp_path / "1", positions_per_game=600, field=Field(12, factors)
        )


def test_a_tiny_field_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KatachiError, match="too small"):
        train(
            bundled_games().take(np.arange(3)),
            Settings(options=BradleyTerryOptions(field=3)),
            tmp_path / "w",
        )
