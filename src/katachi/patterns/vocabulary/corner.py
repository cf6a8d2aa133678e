"""Words for the first moves in a corner: on its points, enclosures, approaches, the invasion.

A *corner* is the square of the seven lowest lines from two sides that meet; on boards below 14x14
it is as large as four of them find room. The lines of a point in it are counted from these sides. A
*corner stone* is one that is on the third to fifth line from both. Approaches and enclosures are on
the third or fourth line from one side, and not lower from the other.
"""

from __future__ import annotations

from typing import Any, Final

from katachi.go.board import Board
from katachi.go.kernel import at, inlined, int64, lean
from katachi.go.points import EMPTY, STRIDE
from katachi.patterns.context import Context
from katachi.patterns.vocabulary.geometry import SMALLEST, is_alone
from katachi.patterns.vocabulary.term import Term, group_of

LARGEST: Final = 7  # lines of a corner
FIVES: Final = 13  # the smallest board on which the fifth line belongs to a corner
STAR, THREE_FOUR, THREE_THREE, FIVE_FOUR, FIVE_THREE, CENTRE, INVASION = range(1, 8)
DOUBLE_APPROACH, APPROACH, ENCLOSURE = 8, 8, 12  # of the last two, plus KNIGHT …
KNIGHT, ONE_SPACE, LARGE_KNIGHT, TWO_SPACE = 1, 2, 3, 4

_KINDS: Final = (
    ("knight", "knight's", "a knight's move"),
    ("one-space", "one-space", "a one-space jump"),
    ("large-knight", "large knight's", "a large knight's move"),
    ("two-space", "two-space", "a two-space jump"),
)
_EMPTY: Final = "and no stone is in this corner"


def _approach(kind: str, word: str, distance: str) -> Term:
    return Term(
        f"approach-{kind}",
        f"{word} approach",
        f"makes the {word} approach to the opponent's corner stone",
        f"the only stone in its corner is a corner stone of the opponent's, {distance} away",
    )


def _enclosure(kind: str, word: str, distance: str) -> Term:
    return Term(
        f"enclosure-{kind}",
        f"{word} enclosure",
        f"makes the {word} enclosure of the corner",
        f"the only stone in its corner is an own corner stone, {distance} away",
    )


_TERMS: Final = (
    Term(
        "star-point",
        "star point",
        "takes the star point of an empty corner",
        f"it is on the fourth line from both sides, {_EMPTY}",
    ),
    Term(
        "three-four",
        "3-4 point",
        "takes a 3-4 point of an empty corner",
        f"it is on the third line from one side and on the fourth from the other, {_EMPTY}",
    ),
    Term(
        "three-three",
        "3-3 point",
        "takes the 3-3 point of an empty corner",
        f"it is on the third line from both sides, {_EMPTY}",
    ),
    Term(
        "five-four",
        "5-4 point",
        "takes a 5-4 point of an empty corner",
        f"it is on the fourth line from one side and on the fifth from the other, {_EMPTY}; the "
        "board is 13x13 or larger",
    ),
    Term(
        "five-three",
        "5-3 point",
        "takes a 5-3 point of an empty corner",
        f"it is on the third line from one side and on the fifth from the other, {_EMPTY}; the "
        "board is 13x13 or larger",
    ),
    Term(
        "centre",
        "centre point",
        "takes the centre of the board",
        "it is in the middle of the board, and no stone is around it",
    ),
    Term(
        "three-three-invasion",
        "3-3 invasion",
        "invades the corner at the 3-3 point",
        "it is on the third line from both sides, under an opponent's stone on the star point, "
        "and the nine points of the three lowest lines and the two points that touch both stones "
        "are empty",
    ),
    Term(
        "double-approach",
        "double approach",
        "approaches the corner from the other side, too",
        "the only stones in its corner are a corner stone of the opponent's and an own stone, "
        "which would be an approach, and the move would be one along the other side",
    ),
    *(_approach(*kind) for kind in _KINDS),
    *(_enclosure(*kind) for kind in _KINDS),
)


@inlined
def corner_lines(b: Board) -> int:
    """How many lines a corner has on this board."""
    return min(LARGEST, int64(b.side) // 2)


@inlined
def lines_in(b: Board, p: int) -> tuple[int, int]:
    """The lines of p from the side above or below it, and from the side left or right of it."""
    row, col, size = p // STRIDE, p % STRIDE, int64(b.side)
    return min(row, size + 1 - row), min(col, size + 1 - col)


@inlined
def corner_number(b: Board, p: int) -> int:
    """Which corner p is in, 0 … 3, if it is in one at all."""
    half = int64(b.side) // 2
    return 2 * int64(p // STRIDE > half) + int64(p % STRIDE > half)


@lean
def count_corners(b: Board, mover: int, notes: Any) -> None:
    """notes[4 * corner …]: how many own and opponent's stones are there, and the last of each."""
    size, lines = int64(b.side), corner_lines(b)
    for corner in range(4):
        first_row = size - lines + 1 if corner >= 2 else 1
        first_col = size - lines + 1 if corner % 2 else 1
        own, theirs = 0, 0
        for row in range(first_row, first_row + lines):
            for col in range(first_col, first_col + lines):
                p = row * STRIDE + col
                if b.color[p] == mover:
                    own += 1
                    notes[4 * corner + 2] = p
                elif b.color[p] == 3 - mover:
                    theirs += 1
                    notes[4 * corner + 3] = p
        notes[4 * corner] = own
        notes[4 * corner + 1] = theirs


@lean
def _note_corners(context: Context) -> None:
    count_corners(context.board, context.mover, context.notes)


@inlined
def distance_kind(p: int, q: int) -> int:
    """KNIGHT … TWO_SPACE if that is how two points lie to each other, else 0."""
    one, two = abs(p // STRIDE - q // STRIDE), abs(p % STRIDE - q % STRIDE)
    low, high = min(one, two), max(one, two)
    if low > 1 or high < 2 or high > 3:
        return 0
    return 2 * (high - 2) + (1 if low == 1 else 2)


@inlined
def is_corner_stone(b: Board, p: int) -> bool:
    """Whether p is on the third to fifth line from both sides."""
    one, two = lines_in(b, p)
    return min(one, two) >= 3 and max(one, two) <= 5


@inlined
def approach_kind(b: Board, p: int, stone: int) -> int:
    """KNIGHT … TWO_SPACE if p would be an approach to the corner stone, or enclose it, else 0."""
    one, two = lines_in(b, p)
    if min(one, two) < 3 or min(one, two) > 4 or not is_corner_stone(b, stone):
        return 0
    return distance_kind(p, stone)


@inlined
def _runs_down(p: int, stone: int) -> bool:
    """Whether p is away from the stone more up or down than left or right."""
    return abs(p // STRIDE - stone // STRIDE) > abs(p % STRIDE - stone % STRIDE)


@inlined
def _on_empty(one: int, two: int, size: int) -> int:
    """The word for a move on these lines of an empty corner."""
    low, high = min(one, two), max(one, two)
    if low == 4 and high == 4:
        return STAR
    if low == 3 and high == 4:
        return THREE_FOUR
    if low == 3 and high == 3:
        return THREE_THREE
    if size >= FIVES and high == 5:
        return FIVE_FOUR if low == 4 else FIVE_THREE if low == 3 else 0
    return 0


@lean
def _invades(b: Board, p: int, mover: int) -> bool:
    """Whether p, on the 3-3 point, is under a star point of the opponent's, with room."""
    down = -STRIDE if p // STRIDE == 3 else STRIDE
    side = -1 if p % STRIDE == 3 else 1
    if b.color[at(p - down - side)] != 3 - mover:
        return False
    if b.color[at(p - down)] != EMPTY or b.color[at(p - side)] != EMPTY:
        return False
    for i in range(3):
        for j in range(3):
            if b.color[at(p + i * down + j * side)] != EMPTY:
                return False
    return True


@inlined
def _is_centre(b: Board, p: int) -> bool:
    size = int64(b.side)
    middle = (size + 1) // 2
    return size % 2 == 1 and p == middle * STRIDE + middle and is_alone(b, p)


@lean
def _corner(context: Context, p: int) -> int:
    b, notes = context.board, context.notes
    size = int64(b.side)
    if size < SMALLEST:
        return 0
    one, two = lines_in(b, p)
    if max(one, two) > corner_lines(b):
        return CENTRE if _is_centre(b, p) else 0
    if min(one, two) < 3:
        return 0
    corner = 4 * corner_number(b, p)
    own, theirs = int64(notes[at(corner)]), int64(notes[at(corner + 1)])
    mine, other = int64(notes[at(corner + 2)]), int64(notes[at(corner + 3)])
    if own + theirs == 0:
        return _on_empty(one, two, size)
    if one == 3 and two == 3 and _invades(b, p, context.mover):
        return INVASION
    if own == 0 and theirs == 1:
        kind = approach_kind(b, p, other)
        return APPROACH + kind if kind else 0
    if own == 1 and theirs == 0:
        kind = approach_kind(b, p, mine)
        return ENCLOSURE + kind if kind else 0
    if own == 1 and theirs == 1:
        both = approach_kind(b, p, other) > 0 and approach_kind(b, mine, other) > 0
        if both and _runs_down(p, other) != _runs_down(mine, other):
            return DOUBLE_APPROACH
    return 0


CORNER = group_of("word-corner", "In the corner", _TERMS, _corner, _note_corners)
