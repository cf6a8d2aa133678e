"""Small problems of good and bad moves, and the model in plain Python."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.learning.bradley_terry.columns import InMemory, Shard


@dataclass(frozen=True, eq=False)
class Small(InMemory):
    """Shards in memory, with levels of positions."""

    position_levels: Any = ()
    positions: Any = ()

    def of_positions(self, number: int) -> npt.NDArray[np.int32]:
        found: npt.NDArray[np.int32] = self.positions[number]
        return found


def problem(seed: int, shards: int = 3, constant: bool = True) -> Small:
    """Random samples of three families, in which not all have a level, and of positions."""
    rng = np.random.default_rng(seed)
    levels, of_positions = [5, 3, 8], [4, 1] if constant else [4]
    weights = [rng.normal(size=n + 1) for n in levels]
    parts, positions = [], []
    for _ in range(shards):
        sizes = rng.integers(2, 7, rng.integers(4, 9))
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        columns = [rng.integers(0, n + 1, starts[-1]).astype(np.uint8) for n in levels]
        scores = sum(w[c] for w, c in zip(weights, columns, strict=True)) + rng.gumbel(
            size=starts[-1]
        )
        winner = [int(np.argmax(scores[a:b])) for a, b in itertools.pairwise(starts)]
        parts.append(Shard(starts, np.array(winner, np.uint16), columns))
        first = rng.integers(0, 5, (len(sizes), 1))
        ones = np.ones((len(sizes), 1), np.int64)
        positions.append(np.hstack([first, ones] if constant else [first]).astype(np.int32))
    return Small(levels, parts, of_positions, positions)


def design(data: Small) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """(one row of 0 and 1 to a sample, whether it is good)."""
    sizes = [*data.levels, *data.position_levels]
    first = np.concatenate([[0], np.cumsum(sizes)])
    rows, good = [], []
    for shard, positions in zip(data.shards, data.positions, strict=True):
        for j, winner in enumerate(shard.winner.tolist()):
            for i in range(shard.starts[j], shard.starts[j + 1]):
                row = np.zeros(first[-1])
                levels = [*(int(c[i]) for c in shard.columns), *positions[j].tolist()]
                for f, level in enumerate(levels):
                    if level:
                        row[first[f] + level - 1] = 1
                rows.append(row)
                good.append(int(i == shard.starts[j] + winner))
    return np.array(rows), np.array(good)


def plain_loss(data: Small, weights: npt.NDArray[np.float64]) -> float:
    """-log-likelihood, sample by sample."""
    total = 0.0
    for row, good in zip(*design(data), strict=True):
        chance = 1 / (1 + math.exp(-float(row @ weights)))
        total -= math.log(chance if good else 1 - chance)
    return total
