"""Pictures of answers: how they are packed, and drawn as text.

A packed picture has, in this order and turned so that its key is smallest: two bytes, rows and
columns + REACH, for the way from the last move to the move, two for that from the move before it,
the states of the circle around the last move, and those of the circle around the move; what the
kind does not see is left out.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board
from katachi.go.kernel import inlined, int64, lean
from katachi.go.points import EMPTY, STRIDE, WALL
from katachi.go.symmetry import SYMMETRIES
from katachi.patterns.shapes.answers import (
    MOVES,
    OWN_RINGS,
    PART,
    REACH,
    RINGS,
    VIEW,
    Answers,
    AnswerTables,
    Bases,
    Kind,
    Room,
    base_of,
    rings_within,
)
from katachi.patterns.shapes.keys import picture
from katachi.patterns.shapes.templates import PLAIN, offsets

SIGNS: Final = {EMPTY: ".", 1: "X", 2: "O", WALL: "#"}
LIBERTY_SIGNS: Final = {EMPTY: " .", WALL: " #"} | {
    colour + 4 * liberties: f"{sign}{liberties}"
    for colour, sign in ((1, "X"), (2, "O"))
    for liberties in (1, 2, 3)
}


class Codes(NamedTuple):
    """The codes that the followed keys stand for, and room."""

    plain: npt.NDArray[np.uint8]  # [AREA]
    liberties: npt.NDArray[np.uint8]
    states: npt.NDArray[np.uint8]  # room for one circle


def _points(view: int, radius: int) -> int:
    """How many points a circle has but its centre."""
    rings = rings_within(base_of(view), radius)
    return sum(ring < rings for _, _, ring in offsets(base_of(view)))


def _bytes(view: int, radius: int) -> int:
    """How many bytes its packed states take."""
    return (_points(view, radius) * (2 if view == PLAIN else 4) + 7) // 8


@cache
def answer_sizes(answers: Answers) -> npt.NDArray[np.int64]:
    """[kind] bytes of a packed picture."""
    return np.array(
        [
            2 * kind.moves + _bytes(kind.view, kind.last) + _bytes(kind.view, kind.own)
            for kind in answers.kinds
        ],
        np.int64,
    )


@inlined
def _least_turn(kind: int, t: AnswerTables, room: Room) -> int:
    """The symmetry in which the answer has its smallest key."""
    base, part = room.bases[kind], room.parts[t.kinds[kind, PART]]
    best = 0
    for s in range(1, SYMMETRIES):
        if base[s] ^ part[s] < base[best] ^ part[best]:
            best = s
    return best


@inlined
def _pack_way(source: int, to: int, turn: int, out: Any, place: int) -> int:
    """Write the way from one point to another, turned; returns where the next bit goes."""
    dy, dx = to // STRIDE - source // STRIDE, to % STRIDE - source % STRIDE
    if turn & 1:  # as katachi.patterns.shapes.templates.turned
        dx = -dx
    if turn & 2:
        dy = -dy
    if turn & 4:
        dy, dx = dx, dy
    out[place >> 3] = dy + REACH
    out[(place >> 3) + 1] = dx + REACH
    return place + 16


@lean
def pack_answer(
    kind: int, b: Board, p: int, mover: int, codes: Codes, t: Bases, room: Room, out: Any
) -> None:
    """Write the packed picture of the answer p into out (uint8, zeros), once it was seen."""
    row = t.answers.kinds[kind]
    turn = _least_turn(kind, t.answers, room)
    place = 0  # in bits
    for i in range(row[MOVES]):
        place = _pack_way(int64(b.previous[i]), p, turn, out, place)
    for which in range(2):
        rings = row[RINGS] if which == 0 else row[OWN_RINGS]
        centre = int64(b.previous[0]) if which == 0 else p
        if rings == 0:
            continue
        if row[VIEW] == PLAIN:
            width = 2
            count = picture(
                codes.plain, b.side, centre, mover, rings - 1, t.plain, turn, codes.states
            )
        else:
            width = 4
            count = picture(
                codes.liberties, b.side, centre, mover, rings - 1, t.liberties, turn, codes.states
            )
        for k in range(count):
            out[place >> 3] |= codes.states[k] << (place & 7)
            place += width
        place = (place + 7) >> 3 << 3


def draw_answer(kind: Kind, packed: npt.NDArray[np.uint8]) -> str:
    """An answer as text: `*` the move, `@` the last move, Y the one before it, X own stones, O the
    opponent's, # off the board; X1 … O3 are stones with their liberties, 3 for 3 and more.
    """
    numbers = packed.tolist()
    ways = [(numbers[2 * i] - REACH, numbers[2 * i + 1] - REACH) for i in range(kind.moves)]
    # Places are told from the move; where it is not part of the picture, from the last move.
    marks = dict(zip([(-dy, -dx) for dy, dx in ways], "@Y", strict=False)) or {(0, 0): "@"}
    last = next(iter(marks))
    if len(ways) == 2 and ways[0] == ways[1]:
        marks = {last: "@"}
    if ways:
        marks[0, 0] = "*"
    signs, width = (SIGNS, 1) if kind.view == PLAIN else (LIBERTY_SIGNS, 2)
    spots: dict[tuple[int, int], str] = {}
    start = 2 * kind.moves
    for centre, radius in ((last, kind.last), ((0, 0), kind.own)):
        states = packed[start : start + _bytes(kind.view, radius)]
        start += len(states)
        for k, (dy, dx, _) in enumerate(offsets(base_of(kind.view))[: _points(kind.view, radius)]):
            state = int(states[k * width >> 2]) >> (2 * k * width & 7) & ((1 << 2 * width) - 1)
            spots[centre[0] + dy, centre[1] + dx] = signs.get(state, "?".rjust(width))
    for place, mark in marks.items():
        liberties = spots.get(place, "")[1:].strip(".# ")  # of a stone that the kind sees
        spots[place] = f"{mark}{liberties}".rjust(width)
    rows, columns = ([place[axis] for place in spots] for axis in (0, 1))
    return "\n".join(
        " ".join(
            spots.get((row, column), " " * width)
            for column in range(min(columns), max(columns) + 1)
        ).rstrip()
        for row in range(min(rows), max(rows) + 1)
    )
