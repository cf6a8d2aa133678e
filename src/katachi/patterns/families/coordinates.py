"""Coordinates: where on the board the point is, one level for all points that the symmetries of the
board make one (Araki 2007, III-B).

Of a point's lines from the two nearest sides, the smaller comes first: (3, 4) is every 3-4 point,
on a board of any size.
"""

from __future__ import annotations

from typing import Any, Final

from katachi.go.kernel import int64, kernel
from katachi.go.points import MAX_SIZE, PASS, STRIDE
from katachi.patterns.family import Family, Level, Situation

LINES: Final = (MAX_SIZE + 1) // 2


@kernel
def coordinates_of(p: int, size: int) -> int:
    """The level of a point, from 1; 0 for a pass."""
    if p == PASS:
        return 0
    row, col = p // STRIDE, p % STRIDE
    one, two = min(row, size + 1 - row), min(col, size + 1 - col)
    low, high = min(one, two), max(one, two)
    return high * (high - 1) // 2 + low


@kernel
def _levels(size: int, candidates: Any, n: int, out: Any) -> None:
    for i in range(n):
        out[i] = coordinates_of(int64(candidates[i]), size)


def _write(situation: Situation, out: Any) -> None:
    _levels(situation.size, situation.candidates, situation.count, out)


FAMILY = Family(
    "coordinates",
    "Coordinates",
    tuple(
        Level(f"{low}-{high}", f"is on a {low}-{high} point")
        for high in range(1, LINES + 1)
        for low in range(1, high + 1)
    ),
    _write,
)
