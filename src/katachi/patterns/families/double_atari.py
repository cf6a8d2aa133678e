"""Double atari: the move leaves two strings of the opponent's, or more, one liberty each."""

from __future__ import annotations

from typing import Any

from katachi.go.board import Board
from katachi.go.kernel import at, int64, kernel
from katachi.go.points import NONE, PASS
from katachi.patterns.family import Family, Level, Situation
from katachi.patterns.tactics import touched_strings


@kernel
def levels(b: Board, mover: int, candidates: Any, n: int, out: Any) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        count = 0
        for head in touched_strings(b, p, 3 - mover):
            if head != NONE and b.liberties[at(head)] == 2:
                count += 1
        if count >= 2:
            out[i] = 1


def _write(situation: Situation, out: Any) -> None:
    levels(*situation.basics, out)


FAMILY = Family(
    "double-atari",
    "Double atari",
    (Level("double atari", "puts two strings in atari at once"),),
    _write,
)
