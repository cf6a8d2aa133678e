"""Relative coordinates: how a point lies to each of the four last moves (Araki 2007, III-B).

Patterns are the same in all 8 symmetries, and so are these: of the two distances, along rows and
along columns, the smaller comes first. (0, 0) is the point of a stone that has been taken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from katachi.go.kernel import int64, kernel
from katachi.go.points import MAX_SIZE, PASS, STRIDE
from katachi.patterns.family import Family, Level, Situation

MOVES: Final = 4
_WHOSE: Final = (
    "the last move",
    "the move before the last",
    "the third last move",
    "the fourth last move",
)


@kernel
def relative_of(p: int, other: int) -> int:
    """The level of a point to that of a move before, from 1; 0 if either is a pass, or none."""
    if p == PASS or other <= PASS:
        return 0
    one = abs(p // STRIDE - other // STRIDE)
    two = abs(p % STRIDE - other % STRIDE)
    low, high = min(one, two), max(one, two)
    return high * (high + 1) // 2 + low + 1


@kernel
def _levels(other: int, candidates: Any, n: int, out: Any) -> None:
    for i in range(n):
        out[i] = relative_of(int64(candidates[i]), other)


def _writer(back: int) -> Callable[[Situation, Any], None]:
    """The function that writes how candidates lie to the move so many moves before the last."""

    def write(situation: Situation, out: Any) -> None:
        _levels(situation.previous[back], situation.candidates, situation.count, out)

    return write


def _family(back: int) -> Family:
    whose = _WHOSE[back]
    levels = []
    for high in range(MAX_SIZE):
        for low in range(high + 1):
            where = f"is {low} and {high} lines away from {whose}"
            levels.append(Level(f"{low}, {high}", where if high else f"is where {whose} was"))
    return Family(f"relative{back + 1}", f"Relative to {whose}", tuple(levels), _writer(back))


FAMILIES: Final = tuple(_family(back) for back in range(MOVES))
