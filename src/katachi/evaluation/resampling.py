"""Intervals by resampling whole games: the moves of one game are not independent of each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

CONFIDENCE: Final = 0.95
_BLOCK: Final = 1 << 22  # counts in memory at a time


def resampled_counts(games: int, resamples: int, seed: int) -> Iterator[npt.NDArray[np.int64]]:
    """How often each game is drawn in each resample, in blocks [some resamples, games].

    Each resample draws as many games as there are, with replacement. The blocks, one below the
    other, depend on the three arguments alone.
    """
    rng = np.random.default_rng(seed)
    rows = max(1, _BLOCK // games)
    for start in range(0, resamples, rows):
        yield rng.multinomial(games, np.full(games, 1 / games), min(rows, resamples - start))


def ratio_intervals(
    sums: npt.NDArray[np.float64], weights: npt.NDArray[np.float64], *, resamples: int, seed: int
) -> list[list[float] | None]:
    """The 95 % percentile interval [low, high] of each ratio Σ sums[:, c] / Σ weights[:, c].

    Both are [games, c], summed within each game. None where fewer than two games have any weight.
    Resamples without weight in a column are left out of it.
    """
    games, columns = sums.shape
    if games < 2 or resamples < 1:
        return [None] * columns
    blocks = []
    for counts in resampled_counts(games, resamples, seed):
        drawn = counts.astype(np.float64)
        total, weight = drawn @ sums, drawn @ weights
        blocks.append(np.divide(total, weight, out=np.full_like(total, np.nan), where=weight > 0))
    ratios = np.concatenate(blocks)
    several = np.count_nonzero(weights, axis=0) > 1
    return [_interval(ratios[:, c]) if several[c] else None for c in range(columns)]


def _interval(values: npt.NDArray[np.float64]) -> list[float] | None:
    values = values[~np.isnan(values)]
    if not len(values):
        return None
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(values, (tail, 1 - tail))
    return [float(low), float(high)]
