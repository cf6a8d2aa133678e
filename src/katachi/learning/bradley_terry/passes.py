"""Passes over all teams: the kernels, and what is done with each shard.

Every pass goes through a shard in blocks small enough to stay in the processor's cache, family by
family within a block. What a pass does with a shard is a tuple that can be called with the shard's
number, and that can be sent to the workers of a cluster (`places` says where it is called). Sums
are made shard by shard and added in a fixed order, so the number of threads or workers changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, kernel
from katachi.learning.bradley_terry.columns import Competing, Shard, factors, layout
from katachi.learning.bradley_terry.places import Places, Summed
from katachi.models.predictor import multiply

Vector = npt.NDArray[np.float64]

BLOCK = 1 << 14  # teams in a block, about
# (starts, winner, columns, γ of each team, 1 / E_j) of a block
Block: TypeAlias = tuple[Any, Any, list[Any], Any, Any]


@kernel
def inverse_totals(starts: Any, products: Any, out: Any) -> None:
    """Write 1 / E_j, the inverse strength of all participants of each competition, into out."""
    base = starts[0]
    for j in range(len(starts) - 1):
        total = 0.0
        for i in range(starts[j] - base, starts[j + 1] - base):
            total += products[at(i)]
        out[at(j)] = 1.0 / total


@kernel
def add_shares(starts: Any, column: Any, products: Any, inverse: Any, sums: Any) -> None:
    """Add to each level γ_i Σ_j C_ij / E_j: the wins that the model expects of it."""
    base = starts[0]
    for j in range(len(starts) - 1):
        share = inverse[at(j)]
        for i in range(starts[j] - base, starts[j + 1] - base):
            level = column[at(i)]
            if level:
                sums[at(level)] += products[at(i)] * share


@kernel
def add_spreads(
    starts: Any, column: Any, products: Any, inverse: Any, chance: Any, sums: Any
) -> None:
    """Add p (1 - p) to each level, p its chance to be in the winning team of a competition.

    `chance` is work space: zeros, and zeros again afterwards.
    """
    base = starts[0]
    for j in range(len(starts) - 1):
        first, last = starts[j] - base, starts[j + 1] - base
        for i in range(first, last):
            chance[at(column[at(i)])] += products[at(i)] * inverse[at(j)]
        for i in range(first, last):
            level = column[at(i)]
            p = chance[at(level)]
            chance[at(level)] = 0.0
            sums[at(level)] += max(p * (1.0 - p), 0.0)


@kernel
def count_levels(starts: Any, winner: Any, column: Any, wins: Any, appearances: Any) -> None:
    """Count the winners and all teams with each level."""
    base = starts[0]
    for i in range(len(column)):
        appearances[at(column[at(i)])] += 1
    for j in range(len(starts) - 1):
        wins[at(column[at(starts[j] - base + winner[at(j)])])] += 1


class Counts(NamedTuple):
    """Of each gamma: how often it was in a winning team (W_i), and in any team."""

    wins: npt.NDArray[np.int64]
    appearances: npt.NDArray[np.int64]


def blocks(starts: npt.NDArray[np.int64], most: int = BLOCK) -> Iterator[tuple[int, int]]:
    """(first, last) competitions of each block: of `most` teams, but at least one competition."""
    first, end = 0, len(starts) - 1
    while first < end:
        last = int(np.searchsorted(starts, starts[first] + most, "right")) - 1
        last = min(max(last, first + 1), end)
        yield first, last
        first = last


@dataclass(frozen=True, eq=False)
class _Counting:
    """(0, wins of every gamma, then its appearances) of a shard."""

    data: Competing

    def __call__(self, number: int) -> Summed:
        levels = self.data.levels
        shard = self.data.shard(number, range(len(levels)))
        both: tuple[list[Any], list[Any]] = [], []
        for column, count in zip(shard.columns, levels, strict=True):
            of_family = [np.zeros(count + 1, np.int64) for _ in both]
            count_levels(shard.starts, shard.winner, column, *of_family)
            for all_of_them, some in zip(both, of_family, strict=True):
                all_of_them.append(some[1:])
        # Whole numbers, far below 2^53: their sums are exact
        return 0.0, np.concatenate([*both[0], *both[1]], dtype=np.float64)


def count(data: Competing, places: Places) -> Counts:
    """Wins and appearances of every gamma."""
    gammas = sum(data.levels)
    both = places.total(_Counting(data), len(data), 2 * gammas)[1].astype(np.int64)
    return Counts(both[:gammas], both[gammas:])


def evidence(data: Competing, gamma: Vector, places: Places) -> Summed:
    """(log-likelihood, expected wins of every gamma) in one pass over the data.

    The gradient of the log-likelihood in log γ is wins minus expected wins.
    """
    return places.total(_Weighing(data, gamma, _add_evidence), len(data), len(gamma))


def _add_evidence(block: Block, sums: list[Vector], _work: list[Vector]) -> float:
    starts, winner, columns, products, inverse = block
    for column, of_family in zip(columns, sums, strict=True):
        add_shares(starts, column, products, inverse, of_family)
    won = products[starts[:-1] - starts[0] + winner]
    return float(np.log(won * inverse).sum())


def curvature(data: Competing, gamma: Vector, places: Places) -> Vector:
    """-∂² log-likelihood / ∂(log γ_i)²: the sum of p (1 - p), p the chance to be in the winner."""
    return places.total(_Weighing(data, gamma, _add_curvature), len(data), len(gamma))[1]


def _add_curvature(block: Block, sums: list[Vector], work: list[Vector]) -> float:
    starts, _, columns, products, inverse = block
    for f, column in enumerate(columns):
        add_spreads(starts, column, products, inverse, work[f], sums[f])
    return 0.0


@dataclass(frozen=True, eq=False)
class _Weighing:
    """(sum of what `add` returns for each block, [gamma] what it adds to the families' sums) of a
    shard. These are [level]; beside them it gets work space of the same lengths.
    """

    data: Competing
    gamma: Vector
    add: Callable[[Block, list[Vector], list[Vector]], float]

    def __call__(self, number: int) -> Summed:
        first = layout(self.data.levels)
        families = range(len(self.data.levels))
        tables = [factors(self.gamma, first, f) for f in families]
        sums, work = ([np.zeros(len(table)) for table in tables] for _ in range(2))
        shard = self.data.shard(number, families)
        total = 0.0
        for block in weighed(shard, tables):
            total += self.add(block, sums, work)
        return total, np.concatenate([of_family[1:] for of_family in sums])


def weighed(shard: Shard, tables: list[Vector]) -> Iterator[Block]:
    """Each block of a shard."""
    for a, b in blocks(shard.starts):
        starts, columns = _block(shard, a, b)
        products = _weights(shard, int(starts[0]), int(starts[-1]))
        for column, table in zip(columns, tables, strict=True):
            multiply(products, column, table)
        inverse = np.empty(b - a)
        inverse_totals(starts, products, inverse)
        yield starts, shard.winner[a:b], columns, products, inverse


def _block(shard: Shard, a: int, b: int) -> tuple[Any, list[Any]]:
    """The starts and the columns of the competitions a … b."""
    starts = np.asarray(shard.starts[a : b + 1])
    return starts, [column[starts[0] : starts[-1]] for column in shard.columns]


def _weights(shard: Shard, a: int, b: int) -> Vector:
    """What the products of the teams a … b begin with: 1, or how many teams each stands for."""
    return np.ones(b - a) if shard.weights is None else shard.weights[a:b].astype(np.float64)


def products_of(shard: Shard, tables: Sequence[Vector]) -> Vector:
    """[team] the strength of every team, as the product of its levels' factors in these tables."""
    products = _weights(shard, int(shard.starts[0]), int(shard.starts[-1]))
    for a, b in blocks(shard.starts):
        starts, columns = _block(shard, a, b)
        part = products[starts[0] - shard.starts[0] : starts[-1] - shard.starts[0]]
        for column, table in zip(columns, tables, strict=True):
            multiply(part, column, table)
    return products
