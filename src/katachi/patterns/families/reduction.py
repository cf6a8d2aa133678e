"""Reduction: the move takes a liberty of an opponent's string that has three, or four."""

from __future__ import annotations

from typing import Any

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, int64, kernel
from katachi.go.points import PASS
from katachi.patterns.family import Family, Level, Situation

FROM_THREE, FROM_FOUR = 1, 2


@kernel
def levels(b: Board, mover: int, candidates: Any, n: int, out: Any) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        for d in NEIGHBOURS:
            q = p + d
            if b.color[at(q)] != 3 - mover:
                continue
            liberties = b.liberties[b.head[at(q)]]
            if liberties == 3:
                out[i] = FROM_THREE
            elif liberties == 4 and out[i] == 0:
                out[i] = FROM_FOUR


def _write(situation: Situation, out: Any) -> None:
    levels(*situation.basics, out)


FAMILY = Family(
    "reduction",
    "Taking a liberty",
    (
        Level("three to two", "leaves a string of the opponent's two liberties"),
        Level("four to three", "leaves a string of the opponent's three liberties"),
    ),
    _write,
)
