"""Words for what a move does to the opponent's stones beside it, or near it."""

from __future__ import annotations

from typing import Final

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64, lean
from katachi.go.points import EMPTY, STRIDE
from katachi.patterns.context import Context
from katachi.patterns.vocabulary.geometry import (
    across,
    count_around,
    count_beside,
    different,
    has_corner,
    is_alone,
    is_link,
    line_from,
    lowest_line,
)
from katachi.patterns.vocabulary.term import Term, group_of

(
    CROSSCUT,
    CUT,
    PUSH_THROUGH,
    WEDGE,
    HANE_HEAD_OF_THREE,
    HANE_HEAD_OF_TWO,
    HANE_FIRST_LINE,
    HANE,
    CLAMP,
    PUSH,
    BLOCK,
    BUMP,
    CONTACT,
    PEEP,
    SHOULDER_HIT,
    CAP,
) = range(1, 17)
FEW: Final = 2  # stones of a string that a crosscut or a clamp is about
SHOULDER_LINES: Final = (2, 4)  # lowest and highest line of a stone that is hit on the shoulder
CAPPED_LINE: Final = 3  # a stone must be at least so high to be capped
CAPPED_FROM_SIDES: Final = 6  # and so far from the other sides: it is in no corner

_TERMS: Final = (
    Term(
        "crosscut",
        "crosscut",
        "makes a crosscut",
        "it touches no own stone, but two opponent's stones of different strings that both touch "
        "an own stone diagonal to it, and none of these three strings has more than two stones",
    ),
    Term(
        "cut",
        "cut",
        "cuts",
        "it touches two opponent's stones of different strings that both touch an own stone "
        "diagonal to it; or it is between two opponent's strings one way, and between own stones "
        "the other way",
    ),
    Term(
        "push-through",
        "push through",
        "pushes through between the opponent's stones",
        "it is between stones of two opponent's strings, touches an own stone at right angles to "
        "these, and the point on the far side is empty",
    ),
    Term(
        "wedge",
        "wedge",
        "wedges in between the opponent's stones",
        "it is between stones of two opponent's strings, touches no own stone, and another "
        "neighbour is empty",
    ),
    Term(
        "hane-head-of-three",
        "hane at the head of three",
        "plays hane at the head of three stones",
        "it is a hane in front of a straight line of exactly three opponent's stones, with own "
        "stones beside all three of them",
    ),
    Term(
        "hane-head-of-two",
        "hane at the head of two",
        "plays hane at the head of two stones",
        "it is a hane in front of a straight line of exactly two opponent's stones, with own "
        "stones beside both of them",
    ),
    Term(
        "hane-first-line",
        "hane on the first line",
        "plays hane on the first line",
        "it is a hane, on the first line",
    ),
    Term(
        "hane",
        "hane",
        "plays hane",
        "it touches no own stone, but an opponent's stone that touches an own stone diagonal to "
        "the move, and the other point that touches both is empty",
    ),
    Term(
        "clamp",
        "clamp",
        "clamps the opponent's stone",
        "it touches no own stone, but an opponent's stone that has an own stone on its other "
        "side, and whose string has one or two stones",
    ),
    Term(
        "push",
        "push",
        "pushes along the opponent's stones",
        "it touches an own stone, both have an opponent's stone on the same side, and the point "
        "in front is empty",
    ),
    Term(
        "block",
        "block",
        "blocks the opponent's way",
        "it touches an own stone, and, at right angles to it, an opponent's stone that is the "
        "last move or has another one behind it",
    ),
    Term(
        "bump",
        "bump",
        "bumps into the opponent's stone",
        "it is between an own stone and an opponent's stone, in a straight line",
    ),
    Term(
        "contact",
        "contact move",
        "attaches to the opponent's stone",
        "it touches an opponent's stone, and no own stone",
    ),
    Term(
        "peep",
        "peep",
        "peeps at a cutting point",
        "it touches no opponent's stone, but a cutting point of the opponent's",
    ),
    Term(
        "shoulder-hit",
        "shoulder hit",
        "hits the opponent's stone on the shoulder",
        "it is diagonal to an opponent's stone on the second, third or fourth line, and one line "
        "higher up than it, counted from the nearest side of either; both points that touch the "
        "two are empty; and no own stone is around it",
    ),
    Term(
        "cap",
        "cap",
        "caps the opponent's stone",
        "it is two lines straight above an opponent's stone, which is on the third line or higher "
        "up, and on the sixth or higher up from the next sides; the point between is empty; and "
        "no stone is around the move",
    ),
)


@inlined
def _is_small(b: Board, p: int) -> bool:
    return int64(b.stones[b.head[at(p)]]) <= FEW


@lean
def _cut(b: Board, p: int, mover: int, beside: int) -> int:
    """CROSSCUT, CUT, or 0 for a move that touches so many own stones."""
    theirs = 3 - mover
    level = 0
    for d in (-1, 1):
        if b.color[at(p + d)] != theirs:
            continue
        for v in (-STRIDE, STRIDE):
            corner = p + d + v
            if (
                b.color[at(p + v)] != theirs
                or b.color[at(corner)] != mover
                or not different(b, p + d, p + v)
            ):
                continue
            level = CUT
            if beside == 0 and _is_small(b, p + d) and _is_small(b, p + v) and _is_small(b, corner):
                return CROSSCUT
    return level


@inlined
def makes_crosscut(b: Board, p: int, mover: int) -> bool:
    """Whether the stone on p, a string by itself, is a crosscut of the mover's."""
    return _cut(b, p, mover, 0) == CROSSCUT


@lean
def _between(b: Board, p: int, mover: int, beside: int) -> int:
    """CUT, PUSH_THROUGH, WEDGE, or 0 for a move between two strings of the opponent's."""
    theirs = 3 - mover
    level = 0
    for d in (1, STRIDE):
        if (
            b.color[at(p - d)] != theirs
            or b.color[at(p + d)] != theirs
            or not different(b, p - d, p + d)
        ):
            continue
        one, two = b.color[at(p - across(d))], b.color[at(p + across(d))]
        if one == mover and two == mover:
            return CUT
        if one == EMPTY or two == EMPTY:
            if one == mover or two == mover:
                level = PUSH_THROUGH
            elif beside == 0:
                level = WEDGE
    return level


@inlined
def _head(b: Board, x: int, d: int, v: int, mover: int) -> int:
    """How many opponent's stones stand in line from x on in the direction d, if own stones stand
    beside all of them in the direction v; else, and beyond four, 0.
    """
    count = 0
    while b.color[at(x)] == 3 - mover:
        if b.color[at(x + v)] != mover or count == 4:
            return 0
        x += d
        count += 1
    return count


@lean
def _hane(b: Board, p: int, mover: int) -> int:
    """The word for a hane by a move that touches no own stone, or 0."""
    level = 0
    for d in NEIGHBOURS:
        if b.color[at(p + d)] != 3 - mover:
            continue
        for v in (-across(d), across(d)):
            if b.color[at(p + d + v)] != mover or b.color[at(p + v)] != EMPTY:
                continue
            stones = _head(b, p + d, d, v, mover)
            if stones == 3:
                return HANE_HEAD_OF_THREE
            if stones == 2:
                level = HANE_HEAD_OF_TWO
            elif level == 0:
                level = HANE
    if level == HANE and lowest_line(b, p) == 1:
        return HANE_FIRST_LINE
    return level


@inlined
def _clamps(b: Board, p: int, mover: int) -> bool:
    for d in NEIGHBOURS:
        if (
            b.color[at(p + d)] == 3 - mover
            and b.color[at(p + 2 * d)] == mover
            and _is_small(b, p + d)
        ):
            return True
    return False


@lean
def _beside_own(b: Board, p: int, mover: int) -> int:
    """PUSH, BLOCK, BUMP, or 0 for a move that touches stones of both sides."""
    theirs = 3 - mover
    level = 0
    for d in NEIGHBOURS:
        if b.color[at(p + d)] != mover:
            continue
        for v in (-across(d), across(d)):
            if b.color[at(p + v)] != theirs:
                continue
            if b.color[at(p + d + v)] == theirs and b.color[at(p - d)] == EMPTY:
                return PUSH
            if p + v == b.previous[0] or b.color[at(p + 2 * v)] == theirs:
                level = BLOCK
        if level == 0 and b.color[at(p - d)] == theirs:
            level = BUMP
    return level


@lean
def _touching(b: Board, p: int, mover: int) -> int:
    """The word for a move that touches an opponent's stone."""
    beside = count_beside(b, p, mover)
    cut = _cut(b, p, mover, beside)
    if cut:
        return cut
    between = _between(b, p, mover, beside)
    if between:
        return between
    if beside:
        return _beside_own(b, p, mover)
    hane = _hane(b, p, mover)
    if hane:
        return hane
    return CLAMP if _clamps(b, p, mover) else CONTACT


@inlined
def _peeps(b: Board, p: int, mover: int) -> bool:
    if not has_corner(b, p, 3 - mover):
        return False  # one of the stones that the point cuts is there
    for d in NEIGHBOURS:
        q = p + d
        if (
            b.color[at(q)] == EMPTY
            and count_beside(b, q, 3 - mover) >= 2
            and is_link(b, q, 3 - mover)
        ):
            return True
    return False


@lean
def _from_above(b: Board, p: int, mover: int) -> int:
    """SHOULDER_HIT, CAP, or 0 for a move that touches no stone."""
    theirs = 3 - mover
    lowest, highest = SHOULDER_LINES
    level = 0
    for down in NEIGHBOURS:
        if b.color[at(p + down)] != EMPTY:
            continue
        line = line_from(b, p, down)
        if lowest < line <= highest + 1:
            for u in (-across(down), across(down)):
                x = p + down + u
                if (
                    b.color[at(x)] == theirs
                    and b.color[at(p + u)] == EMPTY
                    and lowest_line(b, x) == line - 1
                    and lowest_line(b, p) == line
                    and count_around(b, p, mover) == 0
                ):
                    return SHOULDER_HIT
        x = p + 2 * down
        if (
            line >= CAPPED_LINE + 2
            and b.color[at(x)] == theirs
            and line_from(b, x, down) == lowest_line(b, x)
            and line_from(b, x, across(down)) >= CAPPED_FROM_SIDES
            and line_from(b, x, -across(down)) >= CAPPED_FROM_SIDES
            and is_alone(b, p)
        ):
            level = CAP
    return level


@lean
def _contact(context: Context, p: int) -> int:
    b, mover = context.board, context.mover
    if count_beside(b, p, 3 - mover):
        return _touching(b, p, mover)
    if _peeps(b, p, mover):
        return PEEP
    return _from_above(b, p, mover)


CONTACT_WORDS = group_of("word-contact", "Against the opponent's stones", _TERMS, _contact)
