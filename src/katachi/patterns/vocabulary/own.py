"""Words for what a move makes with its own stones: connections, extensions, jumps."""

from __future__ import annotations

from typing import Final

from katachi.go.board import DIAGONALS, NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, lean
from katachi.go.points import EMPTY
from katachi.patterns.context import Context
from katachi.patterns.vocabulary.geometry import (
    across,
    count_beside,
    different,
    has_corner,
    is_link,
    line_from,
)
from katachi.patterns.vocabulary.term import Term, group_of

(
    SOLID_CONNECTION,
    HANGING_CONNECTION,
    BAMBOO_JOINT,
    TURN,
    EMPTY_TRIANGLE,
    DUMPLING,
    DESCENT,
    CRAWL,
    STRETCH,
    SIDE_BY_SIDE,
    MONKEY_JUMP,
    SLIDE,
    DIAGONAL,
    ONE_SPACE_JUMP,
    KNIGHTS_MOVE,
    TWO_SPACE_JUMP,
    LARGE_KNIGHTS_MOVE,
    DIAGONAL_JUMP,
) = range(1, 19)

_TERMS: Final = (
    Term(
        "solid-connection",
        "solid connection",
        "connects solidly",
        "it is on a cutting point of its own stones",
    ),
    Term(
        "hanging-connection",
        "hanging connection",
        "makes a hanging connection",
        "it touches a cutting point of its own stones, which touches two of them, no more: "
        "whoever cuts there has one liberty at most",
    ),
    Term(
        "bamboo-joint",
        "bamboo joint",
        "makes a bamboo joint",
        "it touches an own stone, and this pair stands beside a like pair of another own string, "
        "with two empty points between them",
    ),
    Term(
        "turn",
        "turn",
        "turns around the opponent's stone",
        "it touches an own stone that touches another, and these three fill a square of four "
        "points with an opponent's stone, which the move touches",
    ),
    Term(
        "empty-triangle",
        "empty triangle",
        "makes an empty triangle",
        "it and two own stones fill three points of a square of four, and the fourth is empty",
    ),
    Term(
        "dumpling",
        "dumpling",
        "makes a lump of four stones",
        "it is the last of four own stones in a square",
    ),
    Term(
        "descent",
        "descent",
        "descends towards the edge",
        "it is on the first or second line, touches the own stone above it and no other, and the "
        "point below it, if there is one, is empty",
    ),
    Term(
        "crawl",
        "crawl",
        "crawls under the opponent's stones",
        "it is on one of the three lowest lines, touches the own stone beside it on that line and "
        "no other, and an opponent's stone is above that one",
    ),
    Term(
        "stretch",
        "stretch",
        "stretches from a stone in contact",
        "it touches one own stone, which touches an opponent's stone",
    ),
    Term(
        "side-by-side",
        "solid extension",
        "stands beside its own stone",
        "it touches one own stone, which touches no opponent's stone",
    ),
    Term(
        "monkey-jump",
        "monkey jump",
        "makes a monkey jump",
        "it is on the first line, an own stone is on the second line three points along, the four "
        "points between them, two on each line, are empty, and an opponent's stone is on the "
        "second or third line above the move or one point to either side",
    ),
    Term(
        "slide",
        "slide",
        "slides along the second line",
        "it is on the second line, an own stone is on the third line two or three points along, "
        "and the points between them on both lines are empty",
    ),
    Term(
        "diagonal",
        "diagonal move",
        "makes a diagonal move",
        "it is diagonal to an own stone, and both points that touch the two are empty",
    ),
    Term(
        "one-space-jump",
        "one-space jump",
        "makes a one-space jump",
        "an own stone is two points away in a straight line, and the point between is empty",
    ),
    Term(
        "knights-move",
        "knight's move",
        "makes a knight's move",
        "an own stone is a chess knight's move away, and both points of its waist are empty",
    ),
    Term(
        "two-space-jump",
        "two-space jump",
        "makes a two-space jump",
        "an own stone is three points away in a straight line, and both points between are empty",
    ),
    Term(
        "large-knights-move",
        "large knight's move",
        "makes a large knight's move",
        "an own stone is three points away one way and one point the other, and the four points "
        "between are empty",
    ),
    Term(
        "diagonal-jump",
        "diagonal jump",
        "makes a diagonal jump",
        "an own stone is two points away both ways, and the point in the middle is empty",
    ),
)


@lean
def _hangs(b: Board, p: int, mover: int) -> bool:
    """Whether p touches a cutting point of the mover's that touches two of its stones."""
    if not has_corner(b, p, mover):
        return False  # one of the two is there
    for d in NEIGHBOURS:
        q = p + d
        if b.color[at(q)] == EMPTY and count_beside(b, q, mover) == 2 and is_link(b, q, mover):
            return True
    return False


@lean
def _makes_bamboo(b: Board, p: int, mover: int) -> bool:
    for d in NEIGHBOURS:
        if b.color[at(p + d)] != mover:
            continue
        for v in (-across(d), across(d)):
            if (
                b.color[at(p + v)] == EMPTY
                and b.color[at(p + d + v)] == EMPTY
                and b.color[at(p + 2 * v)] == mover
                and b.color[at(p + d + 2 * v)] == mover
                and different(b, p + d, p + 2 * v)
            ):
                return True
    return False


@lean
def _square(b: Board, p: int, mover: int) -> int:
    """TURN, EMPTY_TRIANGLE or DUMPLING, the first that fits one of the four squares with p."""
    first = 0
    for d in NEIGHBOURS:
        if b.color[at(p + d)] != mover:
            continue
        for v in (-across(d), across(d)):
            beside, corner = b.color[at(p + v)], b.color[at(p + d + v)]
            level = 0
            if corner == mover:
                if beside == 3 - mover:
                    return TURN
                if beside == EMPTY:
                    level = EMPTY_TRIANGLE
                elif beside == mover:
                    level = DUMPLING
            elif corner == EMPTY and beside == mover:
                level = EMPTY_TRIANGLE
            if level and (first == 0 or level < first):
                first = level
    return first


@lean
def _extension(b: Board, p: int, mover: int) -> int:
    """The word for a move that touches one own stone."""
    level = 0
    for d in NEIGHBOURS:
        a = p + d
        if b.color[at(a)] != mover:
            continue
        level = STRETCH if count_beside(b, a, 3 - mover) > 0 else SIDE_BY_SIDE
        above = line_from(b, p, -d)
        if above == 1 or (above == 2 and b.color[at(p - d)] == EMPTY):
            return DESCENT
        for down in (-across(d), across(d)):
            if line_from(b, p, down) <= 3 and b.color[at(a - down)] == 3 - mover:
                level = CRAWL
    return level


@inlined
def _touching(b: Board, p: int, mover: int, beside: int) -> int:
    """The word for a move that touches so many own stones, one or more."""
    if is_link(b, p, mover):
        return SOLID_CONNECTION
    if _hangs(b, p, mover):
        return HANGING_CONNECTION
    if _makes_bamboo(b, p, mover):
        return BAMBOO_JOINT
    square = _square(b, p, mover)
    if square:
        return square
    return _extension(b, p, mover) if beside == 1 else 0


@lean
def _is_monkey(b: Board, p: int, down: int, u: int, mover: int) -> bool:
    """Whether p, on the first line, is a monkey jump from a stone in the direction u."""
    if b.color[at(p + u)] != EMPTY or b.color[at(p + 2 * u)] != EMPTY:
        return False
    for q in (p + u - down, p + 2 * u - down):
        if b.color[at(q)] != EMPTY:
            return False
    if b.color[at(p + 3 * u - down)] != mover:
        return False
    for v in (-u, 0, u):
        second = p + v - down
        if b.color[at(second)] == 3 - mover or b.color[at(second - down)] == 3 - mover:
            return True
    return False


@lean
def _slides_from(b: Board, p: int, down: int, u: int, mover: int) -> bool:
    """Whether p, on the second line, is a slide from a stone in the direction u."""
    for j in (1, 2, 3):
        low, high = p + j * u, p + j * u - down
        if b.color[at(high)] == mover and j > 1:
            return True
        if b.color[at(low)] != EMPTY or b.color[at(high)] != EMPTY:
            return False
    return False


@lean
def _jump(b: Board, p: int, mover: int) -> int:
    """The word for the nearest own stone that p does not touch."""
    best = 100
    for d in NEIGHBOURS:
        if b.color[at(p + d)] != EMPTY:
            continue
        u = across(d)
        two = b.color[at(p + 2 * d)]
        if two == mover:
            best = min(best, ONE_SPACE_JUMP)
        elif two == EMPTY and b.color[at(p + 3 * d)] == mover:
            best = min(best, TWO_SPACE_JUMP)
        for v in (-u, u):
            q = p + d + v
            corner = b.color[at(q)]
            if corner == mover and b.color[at(p + v)] == EMPTY:
                return DIAGONAL
            if corner != EMPTY:
                continue
            knight = b.color[at(q + d)]
            if knight == mover:
                best = min(best, KNIGHTS_MOVE)
            elif knight == EMPTY and two == EMPTY and b.color[at(q + 2 * d)] == mover:
                best = min(best, LARGE_KNIGHTS_MOVE)
    if best == 100:
        for d in DIAGONALS:
            if b.color[at(p + d)] == EMPTY and b.color[at(p + 2 * d)] == mover:
                return DIAGONAL_JUMP
        return 0
    return best


@lean
def _own(context: Context, p: int) -> int:
    b, mover = context.board, context.mover
    beside = count_beside(b, p, mover)
    if beside:
        return _touching(b, p, mover, beside)
    if _hangs(b, p, mover):
        return HANGING_CONNECTION
    slides = False
    for down in NEIGHBOURS:
        line = line_from(b, p, down)
        if line > 2:
            continue
        for u in (-across(down), across(down)):
            if line == 1 and _is_monkey(b, p, down, u, mover):
                return MONKEY_JUMP
            slides |= line == 2 and _slides_from(b, p, down, u, mover)
    return SLIDE if slides else _jump(b, p, mover)


OWN = group_of("word-own", "With own stones", _TERMS, _own)
