"""What the words ask of the points around a move.

A step from a point of the board may lead to a wall, never beyond it: walls are one wide. So whoever
looks two points away looks first at the one between.
"""

from __future__ import annotations

from typing import Final

from katachi.go.board import DIAGONALS, NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64, lean
from katachi.go.points import EMPTY, STRIDE, WALL

AROUND: Final = (-STRIDE - 1, -STRIDE, -STRIDE + 1, -1, 1, STRIDE - 1, STRIDE, STRIDE + 1)
SMALLEST: Final = 9  # the smallest board that has sides and corners to speak of


@inlined
def count_beside(b: Board, p: int, colour: int) -> int:
    """How many of the four neighbours of p are stones of this colour."""
    count = 0
    for d in NEIGHBOURS:
        if b.color[at(p + d)] == colour:
            count += 1
    return count


@inlined
def count_around(b: Board, p: int, colour: int) -> int:
    """How many of the eight points around p are stones of this colour."""
    count = 0
    for d in AROUND:
        if b.color[at(p + d)] == colour:
            count += 1
    return count


@inlined
def is_alone(b: Board, p: int) -> bool:
    """Whether none of the eight points around p is a stone."""
    for d in AROUND:
        k = b.color[at(p + d)]
        if k != EMPTY and k != WALL:
            return False
    return True


@inlined
def has_corner(b: Board, p: int, colour: int) -> bool:
    """Whether a stone of this colour is diagonal to p."""
    for d in DIAGONALS:
        if b.color[at(p + d)] == colour:
            return True
    return False


@inlined
def across(d: int) -> int:
    """A direction at right angles to d; the other one is its negative."""
    return STRIDE if d == 1 or d == -1 else 1


@inlined
def different(b: Board, one: int, two: int) -> bool:
    """Whether two stones belong to different strings."""
    return int64(b.head[at(one)]) != int64(b.head[at(two)])


@lean
def is_link(b: Board, p: int, colour: int) -> bool:
    """Whether the empty point p is a *cutting point* of this colour: it touches two stones of it,
    of different strings, that are on opposite sides of p, or at right angles with an enemy stone
    on the other point that touches both.
    """
    for d in NEIGHBOURS:
        if b.color[at(p + d)] != colour:
            continue
        if d > 0 and b.color[at(p - d)] == colour and different(b, p + d, p - d):
            return True
        v = across(d)
        for w in (-v, v):
            if (
                b.color[at(p + w)] == colour
                and b.color[at(p + d + w)] == 3 - colour
                and different(b, p + d, p + w)
            ):
                return True
    return False


@inlined
def line_from(b: Board, p: int, down: int) -> int:
    """The line of p, counted from the side that lies in the direction `down`."""
    row, col, size = p // STRIDE, p % STRIDE, int64(b.side)
    if down == -STRIDE:
        return row
    if down == STRIDE:
        return size + 1 - row
    return col if down == -1 else size + 1 - col


@inlined
def lowest_line(b: Board, p: int) -> int:
    """The line of p, counted from the nearest side."""
    row, col, size = p // STRIDE, p % STRIDE, int64(b.side)
    return min(row, size + 1 - row, col, size + 1 - col)


@inlined
def lines_apart(p: int, q: int) -> int:
    """How many lines two points are apart, one way or the other, whichever is more."""
    return max(abs(p // STRIDE - q // STRIDE), abs(p % STRIDE - q % STRIDE))
