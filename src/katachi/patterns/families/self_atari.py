"""Self-atari: the move takes nothing and leaves its own string one liberty."""

from __future__ import annotations

from typing import Any

from katachi.go.board import Board
from katachi.go.kernel import int64, kernel
from katachi.go.points import PASS
from katachi.patterns.family import Family, Level, Situation
from katachi.patterns.tactics import captures, liberties_after


@kernel
def levels(b: Board, mover: int, candidates: Any, n: int, out: Any) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    for i in range(n):
        p = int64(candidates[i])
        if p != PASS and not captures(b, p, mover) and liberties_after(b, p, mover) == 1:
            out[i] = 1


def _write(situation: Situation, out: Any) -> None:
    levels(*situation.basics, out)


FAMILY = Family(
    "self-atari", "Self-atari", (Level("self-atari", "puts its own stones in atari"),), _write
)
