"""Positions in memory, some shards at a time, and the order in which a pass visits them.

A feature is a *row* of one long table: level n of family f is row first[f] + n - 1 (`layout`). The
features of a position, which all its candidates share, are rows of a table of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, kernel
from katachi.learning.bradley_terry.columns import Competing, layout

# Candidates in memory at a time, about: a shard is never divided. Of 60 families, half of them
# there, they take 800 MB.
MOST_CANDIDATES: Final = 6_000_000


class Group(NamedTuple):
    """Some positions: the candidates of number j are starts[j] … starts[j + 1]."""

    starts: npt.NDArray[np.int64]  # [c + 1]
    winner: npt.NDArray[np.int64]  # [c] which of its candidates was played
    weights: npt.NDArray[np.float32]  # [n] how many candidates it stands for
    begins: npt.NDArray[np.int64]  # [n + 1] the features of candidate i are begins[i] … of
    rows: npt.NDArray[np.int32]  # … these rows
    shared_begins: npt.NDArray[np.int64]  # [c + 1] and those of position j shared_begins[j] … of
    shared: npt.NDArray[np.int32]  # … these rows of the other table


@dataclass(frozen=True, eq=False)
class Data:
    """Competitions with the features of their positions: `shared(number)` has the columns of a
    shard, one level for each of its competitions.
    """

    candidates: Competing
    shared_levels: Sequence[int] = ()
    shared: Callable[[int], Sequence[npt.NDArray[Any]]] = lambda _: ()

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """[shard, 2]: its competitions, its candidates."""
        numbers = range(len(self.candidates))
        starts = [self.candidates.shard(number, ()).starts for number in numbers]
        return np.array([(len(s) - 1, int(s[-1])) for s in starts], np.int64).reshape(-1, 2)

    @property
    def count(self) -> int:
        """How many competitions there are."""
        return int(self.sizes[:, 0].sum())


@kernel
def _count(column: Any, counts: Any) -> None:
    """Count the candidates' features."""
    for i in range(len(column)):
        counts[at(i)] += column[at(i)] != 0


@kernel
def _fill(column: Any, first: int, ends: Any, rows: Any) -> None:
    """Write each candidate's feature of one family to where its features end so far."""
    for i in range(len(column)):
        level = column[at(i)]
        if level != 0:
            end = ends[at(i)]
            rows[at(end)] = first + level - 1
            ends[at(i)] = end + 1


def _packed(
    columns: Sequence[npt.NDArray[Any]], levels: Sequence[int], count: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """(begins, rows) of so many candidates or positions, from one column to a family."""
    first = layout(levels)
    counts = np.zeros(count, np.int64)
    for column in columns:
        _count(column, counts)
    begins = np.zeros(count + 1, np.int64)
    np.cumsum(counts, out=begins[1:])
    rows = np.empty(int(begins[-1]), np.int32)
    ends = begins[:-1].copy()
    for f, column in enumerate(columns):
        _fill(column, int(first[f]), ends, rows)
    return begins, rows


def load_group(data: Data, shards: Sequence[int]) -> Group:
    """The positions of these shards, in this order."""
    families = range(len(data.candidates.levels))
    parts = []
    for number in shards:
        shard = data.candidates.shard(number, families)
        count = len(shard.starts) - 1
        total = int(shard.starts[-1])
        begins, rows = _packed(shard.columns, data.candidates.levels, total)
        shared_begins, shared = _packed(
            [np.asarray(column) for column in data.shared(number)], data.shared_levels, count
        )
        weights = np.ones(total, np.float32) if shard.weights is None else shard.weights
        parts.append(
            Group(
                shard.starts,
                shard.winner.astype(np.int64),
                np.asarray(weights),
                begins,
                rows,
                shared_begins,
                shared,
            )
        )
    if len(parts) == 1:
        return parts[0]
    ones = list(zip(*parts, strict=True))
    return Group(
        _chained(ones[0]),
        np.concatenate(ones[1]),
        np.concatenate(ones[2]),
        _chained(ones[3]),
        np.concatenate(ones[4]),
        _chained(ones[5]),
        np.concatenate(ones[6]),
    )


def _chained(parts: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    """Starts of one part after the other."""
    ends = np.cumsum([0, *(int(part[-1]) for part in parts)])
    pieces = [part[:-1] + end for part, end in zip(parts, ends[:-1], strict=True)]
    return np.concatenate([*pieces, ends[-1:]])


def groups_of(data: Data, rng: np.random.Generator) -> Iterator[list[int]]:
    """The shards in an order drawn at random, in groups that fit in memory; each group sorted, so
    that the same shards are always the same group.
    """
    group: list[int] = []
    candidates = 0
    for number in rng.permutation(len(data.sizes)).tolist():
        more = int(data.sizes[number, 1])
        if group and candidates + more > MOST_CANDIDATES:
            yield sorted(group)
            group, candidates = [], 0
        group.append(number)
        candidates += more
    if group:
        yield sorted(group)


def shared_times(data: Data) -> npt.NDArray[np.int64]:
    """[row] in how many positions each of their features is."""
    first = layout(data.shared_levels)
    times = np.zeros(first[-1], np.int64)
    for number in range(len(data.candidates)):
        for f, column in enumerate(data.shared(number)):
            found = np.bincount(column, minlength=int(data.shared_levels[f]) + 1)
            times[first[f] : first[f + 1]] += found[1:]
    return times
