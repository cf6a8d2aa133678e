"""Tactical facts that several families ask for."""

from __future__ import annotations

from typing import Any, Final

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64, lean, uint64
from katachi.go.liberties import ONE, WORDS, bit_count
from katachi.go.points import EMPTY, FIRST, NONE, PASS, STRIDE

LARGE: Final = 3


@inlined
def newly_in_atari(b: Board, head: int, mover: int) -> bool:
    """Whether the own string at `head` is in atari and the previous move took its last but one
    liberty.

    Nothing else can have put it there: the opponent's captures take no liberty from a string.
    """
    if b.liberties[head] != 1:
        return False
    previous = int64(b.previous[0])
    if previous <= PASS or b.color[at(previous)] != 3 - mover:
        return False
    for d in NEIGHBOURS:
        q = previous + d
        if b.color[at(q)] == mover and b.head[at(q)] == head:
            return True
    return False


@lean
def touches_atari(b: Board, theirs: int, mover: int, only_new: bool) -> bool:
    """Whether the opponent's string at `theirs` touches an own string (newly) in atari."""
    s = int64(theirs)
    while True:
        for d in NEIGHBOURS:
            if b.color[at(s + d)] == mover:
                head = int64(b.head[at(s + d)])
                if b.liberties[head] == 1 and (not only_new or newly_in_atari(b, head, mover)):
                    return True
        s = int64(b.link[s])
        if s == theirs:
            return False


@inlined
def is_large(b: Board, head: int) -> bool:
    """Whether the string at `head` has three stones or more: light families tell only this."""
    return int64(b.stones[at(head)]) >= LARGE


@inlined
def captures(b: Board, p: int, mover: int) -> bool:
    """Whether the move takes a string."""
    for d in NEIGHBOURS:
        q = p + d
        if b.color[at(q)] == 3 - mover and b.liberties[b.head[at(q)]] == 1:
            return True
    return False


@inlined
def liberties_after(b: Board, p: int, mover: int) -> int:
    """Liberties of the string that a move on p makes, where the move takes nothing."""
    total = 0
    for w in range(WORDS):
        low = FIRST + 64 * w
        word = uint64(0)
        for d in NEIGHBOURS:
            q = p + d
            k = b.color[at(q)]
            if k == mover:
                word |= b.liberty_set[at(int64(b.head[at(q)]) * WORDS + w)]
            elif k == EMPTY and 0 <= q - low < 64:
                word |= ONE << uint64(q - low)
        if 0 <= p - low < 64:
            word &= ~(ONE << uint64(p - low))
        total += bit_count(word)
    return total


@inlined
def contains_capturer(b: Board, head: int, mover: int) -> bool:
    """Whether the opponent's string at `head` has the previous move in it, which took stones."""
    previous = int64(b.previous[0])
    return (
        b.taken > 0
        and previous > PASS
        and b.color[at(previous)] == 3 - mover
        and b.head[at(previous)] == head
    )


@inlined
def _head(b: Board, q: int, colour: int) -> int:
    """The head of the string at q, or NONE if q does not have this colour."""
    return int64(b.head[at(q)]) if b.color[at(q)] == colour else NONE


@inlined
def touched_strings(b: Board, p: int, colour: int) -> tuple[int, int, int, int]:
    """The heads of the different strings of this colour that touch p; NONE fills up to four."""
    north = _head(b, p - STRIDE, colour)
    west = _head(b, p - 1, colour)
    east = _head(b, p + 1, colour)
    south = _head(b, p + STRIDE, colour)
    if south == east or south == west or south == north:
        south = NONE
    if east == west or east == north:
        east = NONE
    if west == north:
        west = NONE
    return north, west, east, south


# The classes of `liberty_class` and `size_class`: names, and words
LIBERTY_CLASSES: Final = (
    ("1", "one liberty"),
    ("2", "two liberties"),
    ("3", "three liberties"),
    ("4", "four liberties"),
    ("5", "five liberties"),
    ("≥ 6", "six liberties or more"),
)
SIZE_CLASSES: Final = (
    ("1", "one stone"),
    ("2", "two stones"),
    ("3-4", "three or four stones"),
    ("5-8", "five to eight stones"),
    ("≥ 9", "nine stones or more"),
)


@inlined
def liberty_class(liberties: int) -> int:
    """The class of a string's number of liberties, from 1."""
    return min(liberties, 6)


@inlined
def size_class(stones: int) -> int:
    """The class of a number of stones, 1 or more, from 1."""
    if stones <= 2:
        return stones
    if stones <= 4:
        return 3
    return 4 if stones <= 8 else 5


@lean
def strings_with(b: Board, colour: int, liberties: int, out: Any) -> int:
    """Write the heads of the strings of this colour with so many liberties; returns how many."""
    n = 0
    for row in range(1, b.side + 1):
        for col in range(1, b.side + 1):
            p = row * STRIDE + col
            if b.color[p] == colour and b.head[p] == p and b.liberties[p] == liberties:
                out[n] = p
                n += 1
    return n


@inlined
def is_liberty(b: Board, head: int, q: int) -> bool:
    """Whether the point q is a liberty of the string at `head`."""
    bit = q - FIRST
    word = b.liberty_set[at(head * WORDS + (bit >> 6))]
    found: bool = (word >> uint64(bit & 63)) & ONE != uint64(0)
    return found
