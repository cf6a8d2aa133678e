"""Atari: the move leaves an opponent's string one liberty."""

from __future__ import annotations

from typing import Any

from katachi.go.board import NEIGHBOURS, Board, copy, play
from katachi.go.kernel import at, int64, kernel
from katachi.go.ladder import taken_in_ladder
from katachi.go.points import NONE, PASS
from katachi.patterns.family import Family, Level, Situation

LADDER, KO, OTHER = 1, 2, 3


@kernel
def levels(
    b: Board, mover: int, candidates: Any, n: int, spare: Board, work: Any, out: Any
) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        tried = False
        for d in NEIGHBOURS:
            q = p + d
            if b.color[at(q)] != 3 - mover or b.liberties[b.head[at(q)]] != 2:
                continue
            if out[i] == 0:
                out[i] = OTHER if b.ko == NONE else KO
            if out[i] != LADDER:
                if not tried:
                    copy(spare, b)
                    play(spare, p, mover)
                    tried = True
                if taken_in_ladder(spare, q, 3 - mover, work):
                    out[i] = LADDER


def _write(situation: Situation, out: Any) -> None:
    levels(*situation.basics, situation.spare, situation.ladder, out)


FAMILY = Family(
    "atari",
    "Atari",
    (
        Level("ladder atari", "puts stones in atari that a ladder then catches"),
        Level("atari when there is a ko", "puts stones in atari while a ko is being fought"),
        Level("other atari", "puts stones in atari"),
    ),
    _write,
)
