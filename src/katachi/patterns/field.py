"""The field: of a competition with hundreds of teams only some that stand for all.

Kept are the winner and some losers, drawn with chances that go with the square root of their
strength by a pilot model: the likeliest are always there. Each counts for as many as it stands for,
one by its chance. The strength of all participants, E_j, is then right on average, and nearly so
each time. So the same work can look at several times as many positions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, int64, lean


@dataclass(frozen=True, eq=False)
class Field:
    """How many candidates of a competition are kept, and the pilot: family → [level] factor."""

    most: int
    factors: Mapping[str, npt.NDArray[np.float64]]


class Chooser:
    """Chooses the candidates of competitions whose levels come in the order of these families."""

    def __init__(self, field: Field, names: Sequence[str]) -> None:
        self._most = field.most
        factors = [np.asarray(field.factors[name], np.float64) for name in names]
        self._factors = np.concatenate(factors)
        self._first = np.cumsum([0, *map(len, factors[:-1])])

    def choose(
        self, levels: npt.NDArray[np.uint32], winner: int, rng: np.random.Generator
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """(which candidates are kept, in order; the weight of each). The winner's weight is 1.

        `levels`: [family, candidate]. Where there are no more than the field has room for, all are
        kept.
        """
        count = levels.shape[1]
        if count <= self._most:
            return np.arange(count), np.ones(count, np.float32)
        chances = np.ones(count)
        _multiply(levels, self._factors, self._first, chances)
        _limit(chances, winner, self._most)
        kept = np.empty(count, np.int64)
        kept = kept[: _draw(chances, winner, rng.random(), kept)]
        return kept, (1.0 / chances[kept]).astype(np.float32)


@lean
def _multiply(levels: Any, factors: Any, first: Any, out: Any) -> None:
    """Multiply `out`, which is of ones, by the factors of each candidate's levels; then take the
    square root.
    """
    for f in range(levels.shape[0]):
        start = int64(first[at(f)])
        for i in range(len(out)):
            out[at(i)] *= factors[at(start + int64(levels[at(f), at(i)]))]
    for i in range(len(out)):
        out[at(i)] = np.sqrt(out[at(i)])


@lean
def _limit(chances: Any, winner: int, most: int) -> None:
    """Turn sizes into chances that go with them, none above 1, with the sum `most`; the winner's
    is 1.
    """
    sure, total = 1, 0.0
    for i in range(len(chances)):
        if i != winner:
            total += chances[at(i)]
    # Who would have more than 1 is sure, which leaves more to the others: again, until none has.
    while True:
        share = (most - sure) / total
        now, total = 1, 0.0
        for i in range(len(chances)):
            if i != winner:
                if chances[at(i)] * share > 1.0:
                    now += 1
                else:
                    total += chances[at(i)]
        if now == sure:
            break
        sure = now
    for i in range(len(chances)):
        chances[at(i)] = 1.0 if i == winner else min(1.0, chances[at(i)] * share)


@lean
def _draw(chances: Any, winner: int, start: float, out: Any) -> int:
    """Systematic sampling: one is drawn wherever the sum of the chances, and of `start`, passes a
    whole number; the winner always. Writes which they are, and returns how many.
    """
    n, total, passed = 0, 0.0, 0.0
    for i in range(len(chances)):
        total += chances[at(i)]
        now = np.floor(total + start)
        if now > passed or i == winner:
            out[at(n)] = i
            n += 1
        passed = now
    return n
