"""Words for taking stones, and for stones that are given to be taken."""

from __future__ import annotations

from typing import Final

from katachi.go.board import DIAGONALS, NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64, lean
from katachi.go.points import EMPTY, NONE
from katachi.patterns.context import Context
from katachi.patterns.facts import liberties_after, touched_strings
from katachi.patterns.vocabulary.geometry import count_beside
from katachi.patterns.vocabulary.term import Term, group_of

KO_CAPTURE, PONNUKI, CAPTURE, SNAPBACK, THROW_IN = range(1, 6)

_TERMS: Final = (
    Term(
        "ko-capture",
        "ko capture",
        "takes the ko",
        "it takes one stone, stands alone, and has the point of that stone as its only liberty",
    ),
    Term(
        "ponnuki",
        "ponnuki",
        "takes a stone and makes a ponnuki",
        "it takes one stone, whose point then has own stones on its four sides, and none at its "
        "four corners",
    ),
    Term("capture", "capture", "takes stones", "it takes a string"),
    Term(
        "snapback",
        "snapback",
        "prepares a snapback",
        "it is a throw-in, and whoever takes it takes nothing else, joins other stones by it, and "
        "has one liberty left: the point of the move",
    ),
    Term(
        "throw-in",
        "throw-in",
        "throws a stone in",
        "it takes nothing, touches no own stone, and has one liberty",
    ),
)


@inlined
def _taken(b: Board, p: int, mover: int) -> tuple[int, int]:
    """How many stones the move takes, and one of their strings' heads."""
    stones, last = 0, int64(NONE)
    for head in touched_strings(b, p, 3 - mover):
        if head != NONE and b.liberties[at(head)] == 1:
            stones += int64(b.stones[at(head)])
            last = head
    return stones, last


@lean
def _taking_one(b: Board, p: int, s: int, mover: int) -> int:
    """The word for taking the stone s."""
    if count_beside(b, p, mover) == 0 and count_beside(b, p, EMPTY) == 0:
        return KO_CAPTURE
    if count_beside(b, s, mover) != 3 or count_beside(b, s, EMPTY) != 1:
        return CAPTURE
    for d in DIAGONALS:
        if b.color[at(s + d)] == mover:
            return CAPTURE
    return PONNUKI


@lean
def _given(b: Board, p: int, mover: int) -> int:
    """SNAPBACK, THROW_IN, or 0 for a move that takes nothing."""
    if count_beside(b, p, EMPTY) != 1 or count_beside(b, p, mover) > 0:
        return 0
    theirs = 3 - mover
    for d in NEIGHBOURS:
        q = p + d
        if b.color[at(q)] != EMPTY:
            continue
        # Taken, the stone leaves its point empty again: liberties are counted as if it were.
        if count_beside(b, q, theirs) == 0 or liberties_after(b, q, theirs) != 1:
            return THROW_IN
        for e in NEIGHBOURS:
            if b.color[at(q + e)] == mover and b.liberties[b.head[at(q + e)]] == 1:
                return THROW_IN
    return SNAPBACK


@lean
def _capture(context: Context, p: int) -> int:
    b, mover = context.board, context.mover
    if count_beside(b, p, 3 - mover) == 0:
        return 0
    stones, last = _taken(b, p, mover)
    if stones == 0:
        return _given(b, p, mover)
    return _taking_one(b, p, last, mover) if stones == 1 else CAPTURE


CAPTURES = group_of("word-capture", "Taking stones", _TERMS, _capture)
