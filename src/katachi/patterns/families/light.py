"""Light families for playouts (Coulom 2007, section 4.1): no ladders, and few things to ask.

3x3 shape, capture, extension, contiguity; and fights.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64
from katachi.go.points import EMPTY, NONE, PASS, STRIDE, WALL, WHITE
from katachi.go.symmetry import SYMMETRIES
from katachi.patterns.context import Context
from katachi.patterns.facts import (
    contains_capturer,
    is_large,
    newly_in_atari,
    touched_strings,
    touches_atari,
)
from katachi.patterns.family import Family, Level
from katachi.patterns.shapes.templates import turned

SAVES, RECAPTURES, TAKES_LAST, OTHER_LARGE, OTHER = 1, 2, 3, 4, 5

# The eight neighbours in reading order; neighbour k has the bits 2k and 2k + 1 of the code.
AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
_STEPS = tuple(dy * STRIDE + dx for dy, dx in AROUND)
_BORDERS = [  # which neighbours are off the board: inside, four sides, four corners
    frozenset(k for k, (dy, dx) in enumerate(AROUND) if (dy and dy == top) or (dx and dx == left))
    for top, left in product((0, -1, 1), repeat=2)
]


@cache
def classes3x3() -> tuple[npt.NDArray[np.uint16], list[int]]:
    """(code → class counted from 1, class - 1 → its smallest code).

    A code has two bits to a neighbour: EMPTY, 1 own, 2 the opponent's, WALL. Codes that no board
    can show have class 0.
    """
    index = {place: k for k, place in enumerate(AROUND)}
    images = [[index[turned(dy, dx, s)] for dy, dx in AROUND] for s in range(SYMMETRIES)]
    table = np.zeros(1 << 16, np.uint16)
    smallest: dict[int, int] = {}
    for off in _BORDERS:
        choices = [(WALL,) if k in off else (0, 1, 2) for k in range(8)]
        for states in product(*choices):
            codes = [
                sum(state << 2 * image[k] for k, state in enumerate(states)) for image in images
            ]
            least = min(codes)
            table[codes[0]] = smallest.setdefault(least, len(smallest) + 1)
    return table, list(smallest)


_CLASSES: Final = classes3x3()[0]


@inlined
def _shape3(context: Context, p: int) -> int:
    b = context.board
    code = 0
    shift = 0
    for step in _STEPS:
        state = int64(b.color[at(p + step)])
        if context.mover == WHITE and state != EMPTY and state != WALL:
            state = 3 - state
        code |= state << shift
        shift += 2
    return int64(_CLASSES[at(code)])


def _picture(code: int) -> str:
    signs = [".XO#"[code >> 2 * k & 3] for k in range(8)]
    return f"{''.join(signs[:3])}/{signs[3]}*{signs[4]}/{''.join(signs[5:])}"


SHAPE3 = Family(
    "shape3",
    "3x3 shape",
    tuple(Level(_picture(code), "makes this shape") for code in classes3x3()[1]),
    _shape3,
)


@inlined
def _taking(b: Board, theirs: int, mover: int) -> int:
    """The level of taking the string at `theirs`."""
    if touches_atari(b, theirs, mover, False):
        return SAVES
    if contains_capturer(b, theirs, mover):
        return RECAPTURES
    previous = int64(b.previous[0])
    if previous > PASS and b.color[at(previous)] == 3 - mover and b.head[at(previous)] == theirs:
        return TAKES_LAST
    return OTHER_LARGE if is_large(b, theirs) else OTHER


@inlined
def _capture(context: Context, p: int) -> int:
    """The first level that fits one of the strings that the move takes."""
    b, mover = context.board, context.mover
    first = 0
    for theirs in touched_strings(b, p, 3 - mover):
        if theirs != NONE and b.liberties[at(theirs)] == 1:
            level = _taking(b, theirs, mover)
            first = level if first == 0 else min(first, level)
    return first


CAPTURE = Family(
    "capture",
    "Capture",
    (
        Level("saves a string in atari", "takes stones and so saves a string in atari"),
        Level("re-capture previous move", "takes back the stone that has just taken something"),
        Level("takes previous move", "takes the stone just played"),
        Level("other capture of three stones or more", "takes three stones or more"),
        Level("other capture", "takes one or two stones"),
    ),
    _capture,
)


@inlined
def _extension(context: Context, p: int) -> int:
    b, mover = context.board, context.mover
    level = 0
    for d in NEIGHBOURS:
        q = p + d
        head = int64(b.head[at(q)])
        if b.color[at(q)] == mover and newly_in_atari(b, head, mover):
            level = max(level, 2 if is_large(b, head) else 1)
    return level


EXTENSION = Family(
    "extension",
    "Extension",
    (
        Level("new atari of one or two stones", "runs with the stones just put in atari"),
        Level("new atari of three stones or more", "runs with the many stones just put in atari"),
    ),
    _extension,
)


@inlined
def _contiguity(context: Context, p: int) -> int:
    other = int64(context.board.previous[0])
    if other <= PASS:
        return 0
    near = abs(p // STRIDE - other // STRIDE) <= 1 and abs(p % STRIDE - other % STRIDE) <= 1
    return 1 if near else 0


CONTIGUITY = Family(
    "contiguity",
    "Contiguity to the previous move",
    (Level("contiguous", "is next to the opponent's last move"),),
    _contiguity,
)


@inlined
def _fight(context: Context, p: int) -> int:
    """Beyond the paper: what decides races and life in playouts."""
    b, mover = context.board, context.mover
    previous = int64(b.previous[0])
    if previous <= PASS or b.color[at(previous)] != 3 - mover:
        return 0
    defends = attacks = 0
    for d in NEIGHBOURS:
        k = b.color[at(p + d)]
        if k == EMPTY or k == WALL or b.liberties[b.head[at(p + d)]] != 2:
            continue
        head = int64(b.head[at(p + d)])
        level = 2 if is_large(b, head) else 1
        if k == mover:
            for e in NEIGHBOURS:
                if b.color[at(previous + e)] == mover and b.head[at(previous + e)] == head:
                    defends = max(defends, level)
        elif head == b.head[at(previous)]:
            attacks = level
    if defends:
        return defends
    return 2 + attacks if attacks else 0


FIGHT = Family(
    "fight",
    "Two liberties",
    (
        Level(
            "of one or two stones next to the previous move",
            "is a liberty of stones that the opponent's last move left two",
        ),
        Level(
            "of three stones or more next to the previous move",
            "is a liberty of many stones that the opponent's last move left two",
        ),
        Level(
            "of the previous move's string of one or two stones",
            "is one of two liberties of the opponent's last move",
        ),
        Level(
            "of the previous move's string of three stones or more",
            "is one of two liberties of the opponent's last move and its many stones",
        ),
    ),
    _fight,
)
