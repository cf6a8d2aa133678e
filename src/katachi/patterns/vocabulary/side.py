"""Words for moves on a side: extensions, pincers, the splitting move, invasions.

They are told of moves on the third or fourth line, with no stone around them, outside the corners
or on the last line of one. The *neighbours* of such a move are the nearest stones along the side,
to the left and to the right, on the second to fifth line, up to REACH columns away. A neighbour is
a side's own if all the stones of that column are.
"""

from __future__ import annotations

from typing import Final

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64, lean
from katachi.go.points import EMPTY, WALL
from katachi.patterns.context import Context
from katachi.patterns.vocabulary.corner import corner_lines, distance_kind, is_corner_stone
from katachi.patterns.vocabulary.geometry import SMALLEST, across, is_alone, line_from
from katachi.patterns.vocabulary.term import Term, group_of

PINCER = 0  # plus 1 … 6: one, two, three spaces low, then high
SPLIT, INVASION, CHECKING_EXTENSION, EXTENSION = 7, 8, 9, 8  # of the last, plus the columns: 2 …
REACH: Final = 9
ROOM: Final = 5  # columns on either side of a splitting move, so that it can extend both ways
CLOSE: Final = 4  # columns from which a move checks, or pincers
LONG: Final = 6  # columns of an extension, or more

_SPACES: Final = ("one", "two", "three")
_LEVELS: Final = (("low", "third"), ("high", "fourth"))


def _pincer(spaces: str, columns: str, level: str, line: str) -> Term:
    return Term(
        f"pincer-{spaces}-space-{level}",
        f"{spaces}-space {level} pincer",
        f"makes the {spaces}-space {level} pincer",
        f"it is on the {line} line, and one neighbour is a single stone of the opponent's, "
        f"{columns} columns away on the third or fourth line, whose neighbour on the other side is "
        "an own corner stone, to which it would be an approach",
    )


def _extension(name: str, word: str, columns: str) -> Term:
    return Term(
        f"extension-{name}",
        f"{word} extension",
        f"makes a {word} extension along the side",
        f"the nearest neighbour of those that are own stones is {columns} columns away",
    )


_TERMS: Final = (
    *(
        _pincer(spaces, columns, level, line)
        for level, line in _LEVELS
        for spaces, columns in zip(_SPACES, ("two", "three", "four"), strict=True)
    ),
    Term(
        "splitting-move",
        "splitting move",
        "splits the opponent's side",
        "both neighbours are the opponent's, five columns away or more",
    ),
    Term(
        "side-invasion",
        "invasion of the side",
        "invades between the opponent's stones on the side",
        "both neighbours are the opponent's, and one is less than five columns away",
    ),
    Term(
        "checking-extension",
        "extension that checks",
        "extends along the side, and checks the opponent's stones",
        "one neighbour is an own stone, two columns away or more, and the other is the opponent's, "
        "four columns away or less",
    ),
    _extension("one-space", "one-space", "two"),
    _extension("two-space", "two-space", "three"),
    _extension("three-space", "three-space", "four"),
    _extension("four-space", "four-space", "five"),
    _extension("long", "long", "six or more"),
)


@lean
def _neighbour(b: Board, p: int, down: int, u: int) -> int:
    """4 * columns + (1: black stones, 2: white stones, 3: both) of the nearest stones from p in the
    direction u along the side, or 0.
    """
    second = p + (line_from(b, p, down) - 2) * down
    for columns in range(1, REACH + 1):
        second += u
        if b.color[at(second)] == WALL:
            return 0
        colours = 0
        for line in range(4):
            colours |= int64(b.color[at(second - line * down)])
        if colours:
            return 4 * columns + colours
    return 0


@lean
def _single(b: Board, p: int, down: int, u: int, columns: int) -> int:
    """The only stone of the second to fifth line so many columns away, if there is only one; else
    0.
    """
    second = p + columns * u + (line_from(b, p, down) - 2) * down
    found = 0
    for line in range(4):
        q = second - line * down
        if b.color[at(q)] != EMPTY:
            if found:
                return 0
            found = q
    return found


@lean
def _pincers(b: Board, p: int, down: int, u: int, columns: int) -> int:
    """The pincer that p makes against the opponent's stone so many columns away, or 0."""
    theirs = _single(b, p, down, u, columns)
    if columns > CLOSE or theirs == 0 or b.stones[b.head[at(theirs)]] != 1:
        return 0
    line = line_from(b, theirs, down)
    if line < 3 or line > 4:
        return 0
    beyond = _neighbour(b, theirs, down, u)
    if beyond & 3 != 3 - int64(b.color[at(theirs)]):
        return 0
    own = _single(b, theirs, down, u, beyond >> 2)
    if own == 0 or not is_corner_stone(b, own) or distance_kind(own, theirs) == 0:
        return 0
    high = 3 if line_from(b, p, down) == 4 else 0
    return PINCER + high + columns - 1


@inlined
def _extends(columns: int, checks: bool) -> int:
    """The word for an extension of so many columns: one is none."""
    if columns == 1:
        return 0
    return CHECKING_EXTENSION if checks else EXTENSION + min(columns, LONG)


@lean
def _between(b: Board, p: int, down: int, mover: int) -> int:
    """The word for a move that is on the third or fourth line of the side below it."""
    u = across(down)
    left, right = _neighbour(b, p, down, -u), _neighbour(b, p, down, u)
    one, two = left & 3, right & 3
    to_left, to_right = left >> 2, right >> 2
    theirs = 3 - mover
    pincer = 0
    if one == theirs:
        pincer = _pincers(b, p, down, -u, to_left)
    if two == theirs:
        other = _pincers(b, p, down, u, to_right)
        pincer = other if pincer == 0 or 0 < other < pincer else pincer
    if pincer:
        return pincer
    if one == theirs and two == theirs:
        return SPLIT if min(to_left, to_right) >= ROOM else INVASION
    if one == mover and two == mover:
        return _extends(min(to_left, to_right), False)
    if one == mover:
        return _extends(to_left, two == theirs and to_right <= CLOSE)
    if two == mover:
        return _extends(to_right, one == theirs and to_left <= CLOSE)
    return 0


@lean
def _side(context: Context, p: int) -> int:
    b = context.board
    if int64(b.side) < SMALLEST or not is_alone(b, p):
        return 0
    corner = corner_lines(b)
    first = 0
    for down in NEIGHBOURS:
        line = line_from(b, p, down)
        u = across(down)
        if 3 <= line <= 4 and line_from(b, p, u) >= corner and line_from(b, p, -u) >= corner:
            level = _between(b, p, down, context.mover)
            if level and (first == 0 or level < first):
                first = level
    return first


SIDE = group_of("word-side", "On the side", _TERMS, _side)
