"""The strings that a move touches: how weak, how large, and whether they are those of the last
moves.
"""

from __future__ import annotations

from typing import Any, Final

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64
from katachi.go.points import PASS, STRIDE
from katachi.patterns.context import Context
from katachi.patterns.facts import LIBERTY_CLASSES, SIZE_CLASSES, liberty_class, size_class
from katachi.patterns.family import Family, Level

NO_CONTACT, DIAGONAL, TOUCHES = 0, 1, 2
DIAGONALS: Final = (-STRIDE - 1, -STRIDE + 1, STRIDE - 1, STRIDE + 1)
_MANY: Final = 1000  # more liberties than a string can have


@inlined
def _fewest_liberties(b: Board, p: int, colour: int) -> int:
    """The class of the fewest liberties of a string of this colour that p touches; 0 for none."""
    fewest = _MANY
    for d in NEIGHBOURS:
        if b.color[at(p + d)] == colour:
            fewest = min(fewest, int64(b.liberties[b.head[at(p + d)]]))
    return 0 if fewest == _MANY else liberty_class(fewest)


@inlined
def _largest(b: Board, p: int, colour: int) -> int:
    """The class of the size of the largest string of this colour that p touches; 0 for none."""
    most = 0
    for d in NEIGHBOURS:
        if b.color[at(p + d)] == colour:
            most = max(most, int64(b.stones[b.head[at(p + d)]]))
    return 0 if most == 0 else size_class(most)


@inlined
def _own_weakest(context: Context, p: int) -> int:
    return _fewest_liberties(context.board, p, context.mover)


@inlined
def _opponent_weakest(context: Context, p: int) -> int:
    return _fewest_liberties(context.board, p, 3 - context.mover)


@inlined
def _own_largest(context: Context, p: int) -> int:
    return _largest(context.board, p, context.mover)


@inlined
def _opponent_largest(context: Context, p: int) -> int:
    return _largest(context.board, p, 3 - context.mover)


def _weakest(name: str, title: str, whose: str, level: Any) -> Family:
    levels = tuple(
        Level(sign, f"touches a string of {whose} with {words}, and none with fewer")
        for sign, words in LIBERTY_CLASSES
    )
    return Family(name, title, levels, level)


def _of_size(name: str, title: str, whose: str, level: Any) -> Family:
    levels = tuple(
        Level(sign, f"touches a string of {words} of {whose}, and none that is larger")
        for sign, words in SIZE_CLASSES
    )
    return Family(name, title, levels, level)


OWN_WEAKEST = _weakest(
    "own-weakest", "Fewest liberties of an own string touched", "its own side", _own_weakest
)
OPPONENT_WEAKEST = _weakest(
    "opponent-weakest",
    "Fewest liberties of an opponent's string touched",
    "the opponent's",
    _opponent_weakest,
)
OWN_LARGEST = _of_size(
    "own-largest", "Size of the largest own string touched", "its own side", _own_largest
)
OPPONENT_LARGEST = _of_size(
    "opponent-largest",
    "Size of the largest opponent's string touched",
    "the opponent's",
    _opponent_largest,
)


@inlined
def _near(b: Board, p: int, stone: int, colour: int) -> int:
    """Whether p touches the string of this colour with this stone in it, or is diagonal to it."""
    if stone <= PASS or b.color[at(stone)] != colour:
        return NO_CONTACT  # a pass, none, or it has been taken
    head = b.head[at(stone)]
    for d in NEIGHBOURS:
        if b.color[at(p + d)] == colour and b.head[at(p + d)] == head:
            return TOUCHES
    for d in DIAGONALS:
        if b.color[at(p + d)] == colour and b.head[at(p + d)] == head:
            return DIAGONAL
    return NO_CONTACT


@inlined
def _contact(context: Context, p: int) -> int:
    """Of the strings of the opponent's last move and of the own move before it."""
    b, mover = context.board, context.mover
    theirs = _near(b, p, int64(b.previous[0]), 3 - mover)
    own = _near(b, p, int64(b.previous[1]), mover)
    return 3 * theirs + own


# [none, diagonal, touching] names of levels, and how their sentences begin
_SIGNS: Final = ("", "diagonal", "touching")
_WORDS: Final = ("", "is diagonal to", "touches")
_LAST: Final = "the string of the opponent's last move"
_OWN: Final = "the string of the player's own last move"


def _contact_level(level: int) -> Level:
    theirs, own = divmod(level, 3)
    said = [
        (near, whose, string)
        for near, whose, string in ((theirs, "last", _LAST), (own, "own", _OWN))
        if near
    ]
    return Level(
        ", ".join(f"{_SIGNS[near]} {whose}" for near, whose, _ in said),
        " and ".join(f"{_WORDS[near]} {string}" for near, _, string in said),
    )


CONTACT = Family(
    "contact",
    "Contact with the strings of the last moves",
    tuple(map(_contact_level, range(1, 9))),
    _contact,
)
