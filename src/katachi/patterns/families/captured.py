"""Captured: how many stones the move takes."""

from __future__ import annotations

from typing import Any

from katachi.go.board import Board
from katachi.go.kernel import at, inlined, int64, kernel
from katachi.go.points import NONE, PASS
from katachi.patterns.family import Family, Level, Situation
from katachi.patterns.tactics import touched_strings


@inlined
def _level(taken: int) -> int:
    if taken <= 3:
        return taken
    if taken <= 6:
        return 4
    return 5 if taken <= 10 else 6


@kernel
def levels(b: Board, mover: int, candidates: Any, n: int, out: Any) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        taken = 0
        for head in touched_strings(b, p, 3 - mover):
            if head != NONE and b.liberties[at(head)] == 1:
                taken += int64(b.stones[at(head)])
        out[i] = _level(taken)


def _write(situation: Situation, out: Any) -> None:
    levels(*situation.basics, out)


FAMILY = Family(
    "captured",
    "Stones captured",
    (
        Level("1", "takes one stone"),
        Level("2", "takes two stones"),
        Level("3", "takes three stones"),
        Level("4-6", "takes four to six stones"),
        Level("7-10", "takes seven to ten stones"),
        Level("≥ 11", "takes eleven stones or more"),
    ),
    _write,
)
