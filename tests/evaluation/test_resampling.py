from __future__ import annotations

import math

import numpy as np
import pytest

from katachi.evaluation import resampling
from katachi.evaluation.resampling import ratio_intervals, resampled_counts


def quantile(values: list[float], q: float) -> float:
    """By linear interpolation between the values in order."""
    ordered = sorted(values)
    place = q * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def plain_interval(
    sums: list[float], weights: list[float], *, resamples: int, seed: int
) -> list[float]:
    """The interval of one ratio, by drawing the games one by one."""
    ratios = []
    for counts in np.concatenate(list(resampled_counts(len(sums), resamples, seed))):
        drawn = [game for game, times in enumerate(counts) for _ in range(times)]
        weight = math.fsum(weights[game] for game in drawn)
        if weight > 0:
            ratios.append(math.fsum(sums[game] for game in drawn) / weight)
    return [quantile(ratios, 0.025), quantile(ratios, 0.975)]


def test_each_resample_draws_as_many_games_as_there_are() -> None:
    counts = np.concatenate(list(resampled_counts(7, 4000, 1)))
    assert counts.shape == (4000, 7)
    assert (counts.sum(axis=1) == 7).all()
    assert counts.min() == 0
    # each game's count is binomial(7, 1/7)
    np.testing.assert_allclose(counts.mean(axis=0), 1, atol=5 * math.sqrt(6 / 7 / 4000))
    np.testing.assert_allclose(counts.var(axis=0), 6 / 7, rtol=0.15)


def test_blocks_do_not_change_the_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = np.concatenate(list(resampled_counts(9, 50, 3)))
    other = np.concatenate(list(resampled_counts(9, 50, 4)))
    monkeypatch.setattr(resampling, "_BLOCK", 9 * 7)
    blocks = list(resampled_counts(9, 50, 3))
    assert [len(block) for block in blocks] == [7] * 7 + [1]
    np.testing.assert_array_equal(np.concatenate(blocks), whole)
    assert not np.array_equal(whole, other)
    monkeypatch.setattr(resampling, "_BLOCK", 1)
    np.testing.assert_array_equal(np.concatenate(list(resampled_counts(9, 50, 3))), whole)


def test_intervals_are_those_of_a_plain_loop() -> None:
    rng = np.random.default_rng(2)
    weights = rng.integers(0, 5, (12, 4)).astype(np.float64)
    weights[2:, 3] = 0  # few games have any: some resamples have none
    weights[:2, 3] = 1
    sums = weights * rng.normal(size=(12, 4))
    found = ratio_intervals(sums, weights, resamples=300, seed=5)
    for c in range(4):
        expected = plain_interval(
            sums[:, c].tolist(), weights[:, c].tolist(), resamples=300, seed=5
        )
        assert found[c] == pytest.approx(expected, rel=1e-10)


def test_one_game_has_no_interval() -> None:
    assert ratio_intervals(np.ones((1, 3)), np.ones((1, 3)), resamples=10, seed=1) == [None] * 3
    weights = np.array([[1.0, 1.0], [0.0, 1.0], [0.0, 0.0]])
    lonely, two = ratio_intervals(weights, weights, resamples=50, seed=1)
    assert lonely is None
    assert two == [1.0, 1.0]
    assert ratio_intervals(weights, weights, resamples=0, seed=1) == [None, None]


def test_intervals_cover_the_truth_where_games_differ() -> None:
    # Games have their own mean, so that moves are far from independent: an interval by resampling
    # moves would be about a third as wide, and cover the truth about half of the time.
    rng = np.random.default_rng(7)
    games, moves, repeats = 60, 40, 500
    covered, widths, move_widths = 0, [], []
    for seed in range(repeats):
        values = rng.normal(size=(games, 1)) * 0.5 + rng.normal(size=(games, moves)) - 2.69
        sums, weights = values.sum(axis=1, keepdims=True), np.full((games, 1), float(moves))
        interval = ratio_intervals(sums, weights, resamples=200, seed=seed)[0]
        assert interval is not None
        covered += interval[0] <= -2.69 <= interval[1]
        widths.append(interval[1] - interval[0])
        move_widths.append(2 * 1.96 * values.std() / math.sqrt(games * moves))
    # 95 % less what percentiles of 200 resamples of 60 games lose; 0.01 is one standard error
    assert 0.91 <= covered / repeats <= 0.98
    assert np.mean(widths) == pytest.approx(2 * 1.96 * math.sqrt((0.25 + 1 / 40) / 60), rel=0.06)
    assert np.mean(widths) > 2 * np.mean(move_widths)
