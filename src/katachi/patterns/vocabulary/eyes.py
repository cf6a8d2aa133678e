"""Words for eyes, and for the end of a ko.

An *eye* is an empty point whose neighbours are all stones of one side. It is *false* if the
opponent has two of its corners, or one of them at the edge.
"""

from __future__ import annotations

from typing import Final

from katachi.go.board import DIAGONALS, NEIGHBOURS, Board, is_own_eye
from katachi.go.kernel import at, inlined, int64, lean
from katachi.go.points import EMPTY, STRIDE, WALL
from katachi.patterns.context import Context
from katachi.patterns.vocabulary.geometry import across
from katachi.patterns.vocabulary.term import Term, group_of

CONNECT_KO, FILL_EYE, MAKE_EYE, DESTROY_EYE = 1, 2, 3, 4

_TERMS: Final = (
    Term(
        "connect-ko",
        "connection of the ko",
        "connects the ko",
        "all its neighbours are own stones, and one of these is a string of a single stone in "
        "atari",
    ),
    Term(
        "fill-eye",
        "filling one's own eye",
        "fills an eye of its own",
        "it is in an eye of its own that is not false",
    ),
    Term(
        "make-eye",
        "making an eye",
        "makes an eye",
        "it touches an empty point whose other neighbours are own stones and which is no false "
        "eye then; or it is the last empty corner of an own eye that one more stone of the "
        "opponent's would make false",
    ),
    Term(
        "destroy-eye",
        "destroying an eye",
        "takes an eye away",
        "it makes an eye of the opponent's false; or it is where the opponent would make an eye",
    ),
)


@inlined
def _sides_but(b: Board, q: int, p: int, colour: int) -> bool:
    """Whether all neighbours of q but p are stones of this colour, or walls; one is a stone."""
    stones = 0
    for d in NEIGHBOURS:
        if q + d == p:
            continue
        k = b.color[at(q + d)]
        if k == colour:
            stones += 1
        elif k != WALL:
            return False
    return stones > 0


@inlined
def _corners(b: Board, q: int, against: int) -> tuple[int, int]:
    """How many corners of q the side `against` has, with one more at the edge, where one is enough
    to make an eye false; and how many are empty.
    """
    lost, free, edge = 0, 0, 0
    for d in DIAGONALS:
        k = b.color[at(q + d)]
        if k == against:
            lost += 1
        elif k == EMPTY:
            free += 1
        elif k == WALL:
            edge = 1
    return lost + edge, free


@lean
def _completed(b: Board, p: int) -> int:
    """Of which sides a stone on p makes an eye beside it: BLACK, WHITE, both added, or 0."""
    sides = 0
    for d in NEIGHBOURS:
        q = p + d
        v = across(d)
        # Most points fail here: both are beside q, and stones of one side, or one is a wall.
        colour = int64(b.color[at(q + v)] & b.color[at(q - v)])
        if b.color[at(q)] != EMPTY or colour == EMPTY or colour == WALL:
            continue
        lost, _ = _corners(b, q, 3 - colour)
        if lost < 2 and _sides_but(b, q, p, colour):
            sides |= colour
    return sides


@lean
def _decided(b: Board, p: int, mover: int) -> int:
    """MAKE_EYE, DESTROY_EYE, or 0 for a move on a corner of an eye that one more stone of the other
    side would make false.
    """
    level = 0
    for d in (-1, 1):
        colour = int64(b.color[at(p + d)])
        if colour == EMPTY or colour == WALL:
            continue
        for v in (-STRIDE, STRIDE):
            q = p + d + v
            if (
                b.color[at(p + v)] != colour
                or b.color[at(q)] != EMPTY
                or not _sides_but(b, q, q, colour)
            ):
                continue
            lost, free = _corners(b, q, 3 - colour)
            if lost == 1 and colour == mover and free == 1:
                return MAKE_EYE
            if lost == 1 and colour != mover:
                level = DESTROY_EYE
    return level


@inlined
def _surrounded(b: Board, p: int, mover: int) -> int:
    """CONNECT_KO, FILL_EYE, or 0 for a move whose neighbours are all own stones."""
    for d in NEIGHBOURS:
        if b.color[at(p + d)] == mover:
            head = int64(b.head[at(p + d)])
            if b.stones[at(head)] == 1 and b.liberties[at(head)] == 1:
                return CONNECT_KO
    return FILL_EYE if is_own_eye(b, p, mover) else 0


@lean
def _eyes(context: Context, p: int) -> int:
    b, mover = context.board, context.mover
    if _sides_but(b, p, p, mover):
        level = _surrounded(b, p, mover)
        if level:
            return level
    completed = _completed(b, p)
    if completed & mover:
        return MAKE_EYE
    decided = _decided(b, p, mover)
    if decided:
        return decided
    return DESTROY_EYE if completed else 0


EYES = group_of("word-eye", "Eyes and kos", _TERMS, _eyes)
