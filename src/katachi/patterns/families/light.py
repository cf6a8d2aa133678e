"""Light families for playouts (Coulom 2007, section 4.1): 3x3 shape, contiguity, and fights."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, int64, kernel
from katachi.go.points import EMPTY, PASS, STRIDE, WALL, WHITE
from katachi.go.symmetry import SYMMETRIES
from katachi.patterns.family import Family, Level, Situation
from katachi.patterns.shapes.templates import turned
from katachi.patterns.tactics import is_large

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


@kernel
def _shapes(b: Board, mover: int, candidates: Any, n: int, table: Any, out: Any) -> None:
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        code = 0
        shift = 0
        for step in _STEPS:
            state = int64(b.color[at(p + step)])
            if mover == WHITE and state != EMPTY and state != WALL:
                state = 3 - state
            code |= state << shift
            shift += 2
        out[i] = table[code]


def _write_shape(situation: Situation, out: Any) -> None:
    _shapes(*situation.basics, classes3x3()[0], out)


@kernel
def _contiguous(other: int, candidates: Any, n: int, out: Any) -> None:
    if other <= PASS:
        return
    for i in range(n):
        p = int64(candidates[i])
        near = abs(p // STRIDE - other // STRIDE) <= 1 and abs(p % STRIDE - other % STRIDE) <= 1
        if p != PASS and near:
            out[i] = 1


def _write_contiguity(situation: Situation, out: Any) -> None:
    other = situation.previous[0]
    _contiguous(other, situation.candidates, situation.count, out)


@kernel
def _fights(b: Board, mover: int, candidates: Any, n: int, out: Any) -> None:
    previous = int64(b.previous[0])
    if previous <= PASS or b.color[at(previous)] != 3 - mover:
        return
    attacker = b.head[at(previous)]
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
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
            elif head == attacker:
                attacks = level
        out[i] = defends if defends else 2 + attacks if attacks else 0


def _write_fight(situation: Situation, out: Any) -> None:
    _fights(*situation.basics, out)


def _picture(code: int) -> str:
    signs = [".XO#"[code >> 2 * k & 3] for k in range(8)]
    return f"{''.join(signs[:3])}/{signs[3]}*{signs[4]}/{''.join(signs[5:])}"


SHAPE3 = Family(
    "shape3",
    "3x3 shape",
    tuple(Level(_picture(code), "makes this shape") for code in classes3x3()[1]),
    _write_shape,
)

CONTIGUITY = Family(
    "contiguity",
    "Contiguity to the previous move",
    (Level("contiguous", "is next to the opponent's last move"),),
    _write_contiguity,
)

# Beyond the paper: what decides races and life in playouts
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
    _write_fight,
)
