"""The model of good and bad moves, and one pass over the samples (Araki 2007, II-E and III-B).

P(good | features) = 1 / (1 + e^-s), s the sum of the weights of the features. Weights of (feature,
good) and (feature, bad) act by their difference alone, which is what a weight is here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, kernel
from katachi.learning.bradley_terry.columns import Competing, Shard, layout
from katachi.learning.bradley_terry.passes import blocks
from katachi.learning.bradley_terry.places import Threads

Vector = npt.NDArray[np.float64]

PARTS: Final = 4  # sums are made apart and added in order, whatever the number of threads


class Labelled(Competing, Protocol):
    """Competitions whose winners are the good moves, with features of whole positions, too."""

    @property
    def position_levels(self) -> Sequence[int]:
        """The number of levels of each family that all moves of a position share."""

    def of_positions(self, number: int) -> npt.NDArray[np.int32]:
        """[position, family] the levels of a shard's positions, counted from 1, 0 for none."""


@kernel
def _add_weights(scores: Any, column: Any, weights: Any) -> None:
    for i in range(len(column)):
        scores[at(i)] += weights[at(column[at(i)])]


@kernel
def _add_position_weights(scores: Any, starts: Any, levels: Any, first: Any, weights: Any) -> None:
    base = starts[0]
    for j in range(len(starts) - 1):
        own = 0.0
        for f in range(levels.shape[1]):
            if levels[j, f] > 0:
                own += weights[first[f] + levels[j, f] - 1]
        for i in range(starts[j] - base, starts[j + 1] - base):
            scores[at(i)] += own


@kernel
def _residuals(scores: Any, starts: Any, winner: Any) -> float:
    """Scores become P(good) - [is good]; returns the sum of -log P(what the move is)."""
    base = starts[0]
    total = 0.0
    for j in range(len(starts) - 1):
        for i in range(starts[j] - base, starts[j + 1] - base):
            s = scores[at(i)]
            small = np.exp(-abs(s))
            chance = 1.0 / (1.0 + small) if s >= 0 else small / (1.0 + small)
            loss = np.log1p(small)
            if i == starts[j] - base + winner[j]:
                total += loss + max(-s, 0.0)
                scores[at(i)] = chance - 1.0
            else:
                total += loss + max(s, 0.0)
                scores[at(i)] = chance
    return total


@kernel
def _spread(scores: Any) -> None:
    """Scores become P (1 - P)."""
    for i in range(len(scores)):
        small = np.exp(-abs(scores[at(i)]))
        scores[at(i)] = small / ((1.0 + small) * (1.0 + small))


@kernel
def _add_values(column: Any, values: Any, sums: Any) -> None:
    for i in range(len(column)):
        sums[at(column[at(i)])] += values[at(i)]


@kernel
def _add_position_values(starts: Any, levels: Any, first: Any, values: Any, sums: Any) -> None:
    base = starts[0]
    for j in range(len(starts) - 1):
        own = 0.0
        for i in range(starts[j] - base, starts[j + 1] - base):
            own += values[at(i)]
        for f in range(levels.shape[1]):
            if levels[j, f] > 0:
                sums[first[f] + levels[j, f] - 1] += own


def family_levels(data: Labelled) -> list[int]:
    """The number of levels of each family: of moves, then of positions."""
    return [*data.levels, *data.position_levels]


def sizes(data: Labelled) -> tuple[int, int]:
    """(samples, positions: each has one good move)."""
    shards = [data.shard(n, ()) for n in range(len(data))]
    return sum(int(s.starts[-1]) for s in shards), sum(len(s.winner) for s in shards)


def loss(data: Labelled, weights: Vector, threads: Threads) -> tuple[float, Vector]:
    """(-log-likelihood, its gradient): of a feature N (E_model - E_empirical), N the samples."""
    scored = _Scored(data, weights)

    def of_part(part: int) -> tuple[float, Vector]:
        sums = scored.sums()
        total = 0.0
        for starts, winner, positions, columns, scores in scored.blocks(part):
            total += _residuals(scores, starts, winner)
            scored.add(sums, starts, positions, columns, scores)
        return total, scored.joined(sums)

    total, gradient = 0.0, np.zeros(len(weights))
    for value, vector in threads.map(of_part, min(PARTS, len(data))):
        total += value
        gradient += vector
    return total, gradient


def spreads(data: Labelled, weights: Vector, threads: Threads) -> Vector:
    """The sum of P (1 - P), P = P(good), over the samples with each feature: the curvature of the
    loss in its weight.
    """
    scored = _Scored(data, weights)

    def of_part(part: int) -> Vector:
        sums = scored.sums()
        for starts, _, positions, columns, scores in scored.blocks(part):
            _spread(scores)
            scored.add(sums, starts, positions, columns, scores)
        return scored.joined(sums)

    return np.asarray(sum(threads.map(of_part, min(PARTS, len(data))), np.zeros(len(weights))))


class _Scored:
    """The samples block by block with the sums of their weights, and sums by feature."""

    def __init__(self, data: Labelled, weights: Vector) -> None:
        first = layout(family_levels(data))
        self._data = data
        self._families = range(len(data.levels))
        self._tables = [
            np.concatenate([[0.0], weights[first[f] : first[f + 1]]]) for f in self._families
        ]
        begin = int(first[len(self._families)])  # of the families of positions
        self._first = first[len(self._families) : -1] - begin
        self._rest = weights[begin:]

    def blocks(self, part: int) -> Iterator[tuple[Any, Any, Any, list[Any], Vector]]:
        """(starts, winner, levels of positions, columns, scores) of each block of a part."""
        for number in range(part, len(self._data), PARTS):
            shard: Shard = self._data.shard(number, self._families)
            positions = self._data.of_positions(number)
            for a, b in blocks(shard.starts):
                starts = np.asarray(shard.starts[a : b + 1])
                columns = [column[starts[0] : starts[-1]] for column in shard.columns]
                scores = np.zeros(int(starts[-1] - starts[0]))
                for column, table in zip(columns, self._tables, strict=True):
                    _add_weights(scores, column, table)
                _add_position_weights(scores, starts, positions[a:b], self._first, self._rest)
                yield starts, shard.winner[a:b], positions[a:b], columns, scores

    def sums(self) -> list[Vector]:
        """Zeros: for each family of moves, none included, and for those of positions."""
        return [*(np.zeros(len(table)) for table in self._tables), np.zeros(len(self._rest))]

    def add(
        self, sums: list[Vector], starts: Any, positions: Any, columns: list[Any], values: Vector
    ) -> None:
        """Add the values of a block's samples to the sums of their features."""
        for column, of_family in zip(columns, sums, strict=False):
            _add_values(column, values, of_family)
        _add_position_values(starts, positions, self._first, values, sums[-1])

    def joined(self, sums: list[Vector]) -> Vector:
        """The sums as one vector, like the weights."""
        return np.concatenate([*(of_family[1:] for of_family in sums[:-1]), sums[-1]])


def appearances(data: Labelled, threads: Threads) -> npt.NDArray[np.int64]:
    """How many samples have each feature."""
    first = layout(family_levels(data))
    families = range(len(data.levels))

    def of_part(part: int) -> npt.NDArray[np.int64]:
        counts = np.zeros(int(first[-1]), np.int64)
        for number in range(part, len(data), PARTS):
            shard = data.shard(number, families)
            positions = data.of_positions(number)
            moves = np.diff(shard.starts)
            for f, column in enumerate(shard.columns):
                found = np.bincount(column, minlength=data.levels[f] + 1)[1:]
                counts[first[f] : first[f + 1]] += found
            for f, column in enumerate(positions.T, len(families)):
                found = np.bincount(column, moves, minlength=int(first[f + 1] - first[f]) + 1)[1:]
                counts[first[f] : first[f + 1]] += found.astype(np.int64)
        return counts

    parts = threads.map(of_part, min(PARTS, len(data)))
    return np.asarray(sum(parts, np.zeros(int(first[-1]), np.int64)))
