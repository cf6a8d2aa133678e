"""Contact: how many different strings the move touches, own ones and the opponent's."""

from __future__ import annotations

from typing import Any

from katachi.go.board import Board
from katachi.go.kernel import int64, kernel
from katachi.go.points import NONE, PASS, other
from katachi.patterns.family import Family, Level, Situation
from katachi.patterns.tactics import touched_strings


@kernel
def levels(b: Board, colour: int, candidates: Any, n: int, out: Any) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        count = 0
        for head in touched_strings(b, p, colour):
            if head != NONE:
                count += 1
        out[i] = count


def _write_own(situation: Situation, out: Any) -> None:
    levels(*situation.basics, out)


def _write_opponent(situation: Situation, out: Any) -> None:
    board, mover, candidates, count = situation.basics
    levels(board, other(mover), candidates, count, out)


OWN_FAMILY = Family(
    "own-strings",
    "Own strings touched",
    (
        Level("1", "touches one string of its own side"),
        Level("2", "connects two strings"),
        Level("3", "connects three strings"),
        Level("4", "connects four strings"),
    ),
    _write_own,
)

OPPONENT_FAMILY = Family(
    "opponent-strings",
    "Opponent's strings touched",
    (
        Level("1", "touches one string of the opponent's"),
        Level("2", "touches two strings of the opponent's"),
        Level("3", "touches three strings of the opponent's"),
        Level("4", "touches four strings of the opponent's"),
    ),
    _write_opponent,
)
