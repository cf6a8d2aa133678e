"""Eye: the move fills an own eye, real or false."""

from __future__ import annotations

from typing import Any

from katachi.go.board import NEIGHBOURS, Board, is_own_eye
from katachi.go.kernel import at, int64, kernel
from katachi.go.points import PASS
from katachi.patterns.family import Family, Level, Situation

REAL, FALSE = 1, 2


@kernel
def levels(b: Board, mover: int, candidates: Any, n: int, out: Any) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        near = mover
        for d in NEIGHBOURS:
            near &= b.color[at(p + d)]  # a wall has the bits of both colours, an empty point none
        if near == mover:
            out[i] = REAL if is_own_eye(b, p, mover) else FALSE


def _write(situation: Situation, out: Any) -> None:
    levels(*situation.basics, out)


FAMILY = Family(
    "eye",
    "Filling an eye",
    (
        Level("real eye", "fills an eye of its own"),
        Level("false eye", "fills a false eye of its own"),
    ),
    _write,
)
