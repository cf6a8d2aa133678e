"""Exact offsets to the last moves, up to the symmetries of the board: how many lines away, one way
and the other, the smaller number first. Far away only the larger number counts, in classes.
"""

from __future__ import annotations

from typing import Any, Final

from katachi.go.kernel import inlined, int64
from katachi.go.points import PASS, STRIDE
from katachi.patterns.context import Context
from katachi.patterns.family import Family, Level

REACH: Final = 8  # up to so many lines away an offset is exact
FAR: Final = 12  # 9 to 12 lines away are one level, more are another
_EXACT: Final = (REACH + 1) * (REACH + 2) // 2


@inlined
def offset_of(p: int, other: int) -> int:
    """The level of a point's offset to that of another move, from 1; 0 if either is a pass, or
    none. The first level is the point itself, from which a stone has been taken.
    """
    if p <= PASS or other <= PASS:
        return 0
    one = abs(p // STRIDE - other // STRIDE)
    two = abs(p % STRIDE - other % STRIDE)
    low, high = min(one, two), max(one, two)
    if high <= REACH:
        return high * (high + 1) // 2 + low + 1
    return _EXACT + 1 if high <= FAR else _EXACT + 2


def offset_levels(subject: str, whose: str) -> tuple[Level, ...]:
    """The levels in words: `subject` is how their sentences begin, `whose` the other move."""
    levels = [Level("0, 0", f"{subject} on the point of {whose}, whose stone was taken")]
    levels += [
        Level(f"{low}, {high}", f"{subject} {low} and {high} lines away from {whose}")
        for high in range(1, REACH + 1)
        for low in range(high + 1)
    ]
    between = f"{REACH + 1} to {FAR}"
    return (
        *levels,
        Level(f"{REACH + 1}-{FAR}", f"{subject} {between} lines away from {whose}"),
        Level(f"≥ {FAR + 1}", f"{subject} {FAR + 1} or more lines away from {whose}"),
    )


@inlined
def _offset(context: Context, p: int) -> int:
    return offset_of(p, int64(context.board.previous[0]))


@inlined
def _offset2(context: Context, p: int) -> int:
    return offset_of(p, int64(context.board.previous[1]))


def _family(name: str, whose: str, level: Any) -> Family:
    return Family(name, f"Offset to {whose}", offset_levels("is", whose), level)


OFFSET = _family("offset", "the last move", _offset)
OFFSET2 = _family("offset2", "the move before the last", _offset2)
