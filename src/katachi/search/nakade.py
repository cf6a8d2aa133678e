"""Nakade: the vital point of a small eye space, on which playouts play nearly always."""

from __future__ import annotations

from typing import Any, Final

from katachi.go.board import DIAGONALS, NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64, lean
from katachi.go.points import EMPTY, PASS
from katachi.search.sampler import REGION

MOST: Final = 6  # points of an eye space that one stone can kill


@inlined
def vital_point(b: Board, s: Any, c: int) -> int:
    """The point on which colour c kills an eye space next to the previous move, or PASS.

    The eye space is a region of empty points that only stones of the other colour surround, in one
    of the shapes that live or die by who plays first: three, pyramid four, bulky and crossed five,
    rabbity six. Not asked: whether the stones around it need it to live.
    """
    previous = int64(b.previous[0])
    if previous > PASS and b.color[at(previous)] == 3 - c:
        for d in NEIGHBOURS:
            q = previous + d
            if b.color[at(q)] == EMPTY:
                # Most points are seen at once to be in no such region.
                own = 0
                free = 0
                for e in NEIGHBOURS:
                    own += int64(b.color[at(q + e)] == c)
                    free += int64(b.color[at(q + e)] == EMPTY)
                if own == 0 and free > 0:
                    for e in DIAGONALS:
                        free += int64(b.color[at(q + e)] == EMPTY)
                    if free < MOST:
                        vital = _vital_of(b, s, q, c)
                        if vital != PASS:
                            return vital
    return int64(PASS)


@lean
def _vital_of(b: Board, s: Any, first: int, c: int) -> int:
    """The vital point for colour c of the region with the empty point `first`, or PASS."""
    s[REGION] = first
    n = 1
    i = 0
    pairs = 0  # of points that touch, each counted twice
    most = 0  # points that touch one point,
    vital = PASS  # this one
    while i < n:
        p = int64(s[at(REGION + i)])
        touching = 0
        for d in NEIGHBOURS:
            q = p + d
            k = b.color[at(q)]
            if k == c:
                return int64(PASS)
            if k == EMPTY:
                touching += 1
                known = False
                for j in range(n):
                    known |= s[at(REGION + j)] == q
                if not known:
                    if n == MOST:
                        return int64(PASS)
                    s[at(REGION + n)] = q
                    n += 1
        pairs += touching
        if touching > most:
            most, vital = touching, p
        i += 1
    if (
        n == 3
        or (n == 4 and most == 3)
        or (n == 5 and (most == 4 or pairs == 2 * 5))
        or (n == 6 and most == 4 and pairs == 2 * 6)
    ):
        return int64(vital)
    return int64(PASS)
