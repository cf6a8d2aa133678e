"""Answers: a move together with the last move, L: what stands around L, or around the move, and how
far the move is from L; of some kinds also how far from the move before it, M.

An answer has one picture. All of it is turned together, so the same answer on another side of the
board, or with colours exchanged, is the same answer. Its key is made of the keys that are followed
for shapes anyhow (katachi.patterns.shapes.keys): those of circles around L, and around the move.
Stones around L are seen as the player to move sees them; whose stone L itself is, is not asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board
from katachi.go.kernel import at, inlined, int64, kernel, uint64
from katachi.go.points import MAX_SIZE, PASS, STRIDE
from katachi.go.symmetry import SYMMETRIES
from katachi.patterns.shapes.lookup import Lookup, find
from katachi.patterns.shapes.templates import (
    ALL_TEMPLATES,
    COULOM_CIRCLES,
    LIBERTIES,
    LIBERTY_CIRCLES,
    PLAIN,
    Tables,
    Templates,
    tables,
    turned,
)

REACH: Final = MAX_SIZE - 1  # no two points are farther apart, up or sideways


class Kind(NamedTuple):
    """What a kind of answers sees."""

    name: str
    title: str
    last: int = 0  # the radius of the circle around the last move; 0: none
    own: int = 0  # that of the circle around the move itself
    view: int = PLAIN  # of both
    moves: int = 1  # how many of the previous moves it tells the distance to, 0 to 2
    within: str = ""  # a kind that sees less of the same: where it is not known, this one is not


@dataclass(frozen=True)
class Answers:
    """Kinds of answers, each of which counts apart: what `Templates` are to shapes."""

    name: str
    kinds: tuple[Kind, ...]

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the kinds."""
        return tuple(kind.name for kind in self.kinds)

    @property
    def of_position(self) -> bool:
        """Whether they tell nothing of the move, so they are the same for all moves."""
        return not any(kind.own or kind.moves for kind in self.kinds)

    @property
    def followed(self) -> tuple[Templates, ...]:
        """The templates whose keys must be followed."""
        return COULOM_CIRCLES, LIBERTY_CIRCLES


ANSWERS: Final = Answers(
    "answers",
    (
        Kind("3", "Answer, radius 3", last=3),
        Kind("4", "Answer, radius 4", last=4, within="3"),
        Kind("6", "Answer, radius 6", last=6, within="4"),
        Kind("8", "Answer, radius 8", last=8, within="6"),
        Kind("liberties-3", "Answer with liberties, radius 3", last=3, view=LIBERTIES, within="3"),
        Kind(
            "liberties-4",
            "Answer with liberties, radius 4",
            last=4,
            view=LIBERTIES,
            within="liberties-3",
        ),
        Kind("both", "Answer with the shapes of both moves", last=3, own=3, within="3"),
        Kind("own-liberties", "Answer with its own liberties", own=4, view=LIBERTIES),
        Kind("moves", "Place beside the last two moves", moves=2),
        Kind(
            "moves-shape",
            "Place beside the last two moves, with its shape",
            own=3,
            moves=2,
            within="moves",
        ),
    ),
)
# What stands around the last move, wherever the next one goes: it tells of the position
LAST_MOVE: Final = Answers(
    "last",
    (
        Kind("3", "Shape of the last move, radius 3", last=3, moves=0),
        Kind("4", "Shape of the last move, radius 4", last=4, moves=0, within="3"),
        Kind("6", "Shape of the last move, radius 6", last=6, moves=0, within="4"),
        Kind(
            "liberties-3",
            "Shape of the last move with liberties, radius 3",
            last=3,
            view=LIBERTIES,
            moves=0,
            within="3",
        ),
    ),
)
AnyTemplates: TypeAlias = Templates | Answers
HARVESTED: Final[dict[str, AnyTemplates]] = {
    **ALL_TEMPLATES,
    **{answers.name: answers for answers in (ANSWERS, LAST_MOVE)},
}

# What a key has of the move itself: the rows of `Room.parts`
_NOTHING, _PLACE, _SHAPE, _LIBERTIES, _MOVES, _MOVES_SHAPE = range(6)
_PARTS: Final = 6
# (radius around the move, previous moves) → the row
_PART_OF: Final = {
    (0, 0): _NOTHING,
    (0, 1): _PLACE,
    (3, 1): _SHAPE,
    (4, 1): _LIBERTIES,
    (0, 2): _MOVES,
    (3, 2): _MOVES_SHAPE,
}

# The columns of AnswerTables.kinds
RINGS, VIEW, PART, NEEDS, WITHIN, OWN_RINGS, MOVES = range(7)


class AnswerTables(NamedTuple):
    """What the kernels need to know of kinds of answers."""

    displaced: npt.NDArray[np.uint64]  # [move before, dy + REACH, dx + REACH, symmetry]
    salt: npt.NDArray[np.uint64]  # [kind]
    kinds: npt.NDArray[np.int64]  # [kind, column]


class Seen(NamedTuple):
    """The followed keys of which answers are made: see katachi.patterns.shapes.keys."""

    plain: npt.NDArray[np.uint64]
    liberties: npt.NDArray[np.uint64]


class Bases(NamedTuple):
    """All that is needed to follow a game and see its answers, on one board size."""

    plain: Tables
    liberties: Tables
    answers: AnswerTables


class Room(NamedTuple):
    """Room to work in: one for each thread."""

    bases: npt.NDArray[np.uint64]  # [kind, symmetry] the part of the last move
    parts: npt.NDArray[np.uint64]  # [part, symmetry] that of the move
    found: npt.NDArray[np.int64]  # [kind] the number of the answer in the dictionary, or -1


def new_room(kinds: int) -> Room:
    """Room for so many kinds."""
    return Room(
        np.zeros((kinds, SYMMETRIES), np.uint64),
        np.zeros((_PARTS, SYMMETRIES), np.uint64),
        np.zeros(kinds, np.int64),
    )


new_room_within = kernel(new_room)  # for kernels: none gives arrays to Python (katachi.go.kernel)


def rings_within(templates: Templates, radius: int) -> int:
    """How many rings of these templates a circle of this radius has."""
    return sum(r <= radius for r in templates.radii)


def base_of(view: int) -> Templates:
    """The templates whose keys a view takes."""
    return COULOM_CIRCLES if view == PLAIN else LIBERTY_CIRCLES


@cache
def answer_tables(answers: Answers) -> AnswerTables:
    """The tables of these kinds, for all sizes of boards."""
    numbers = np.random.default_rng(2026).integers(
        1, 2**64, (2, 2 * REACH + 1, 2 * REACH + 1), dtype=np.uint64
    )
    displaced = np.zeros((*numbers.shape, SYMMETRIES), np.uint64)
    for dy in range(-REACH, REACH + 1):
        for dx in range(-REACH, REACH + 1):
            for s in range(SYMMETRIES):
                to = turned(dy, dx, s)
                displaced[:, dy + REACH, dx + REACH, s] = numbers[:, to[0] + REACH, to[1] + REACH]
    salt = [
        np.random.default_rng([2026, *kind.name.encode()]).integers(1, 2**64, dtype=np.uint64)
        for kind in answers.kinds
    ]
    rows = [
        (
            rings_within(base_of(kind.view), kind.last),
            kind.view,
            _PART_OF[kind.own, kind.moves],
            max(1, kind.moves),
            answers.labels.index(kind.within) if kind.within else -1,
            rings_within(base_of(kind.view), kind.own),
            kind.moves,
        )
        for kind in answers.kinds
    ]
    return AnswerTables(displaced, np.array(salt), np.array(rows, np.int64))


@cache
def answer_bases(answers: Answers, size: int) -> Bases:
    """The tables of these kinds on a board of this size."""
    return Bases(
        tables(COULOM_CIRCLES, size), tables(LIBERTY_CIRCLES, size), answer_tables(answers)
    )


@inlined
def moves_known(b: Board) -> int:
    """How many of the last two moves there are, up to a pass: 0, 1 or 2."""
    if b.previous[0] <= PASS:
        return 0
    return 2 if b.previous[1] > PASS else 1


@inlined
def see_last(b: Board, mover: int, seen: Seen, t: AnswerTables, room: Room) -> None:
    """Write what the keys have of the last move, which there must be: once for a position."""
    last = int64(b.previous[0])
    for k in range(len(t.salt)):
        rings = t.kinds[at(k), RINGS]
        plain = t.kinds[at(k), VIEW] == PLAIN
        for s in range(SYMMETRIES):
            total = uint64(0)
            for r in range(rings):
                if plain:
                    total ^= seen.plain[at(mover - 1), at(last), at(r), at(s)]
                else:
                    total ^= seen.liberties[at(mover - 1), at(last), at(r), at(s)]
            # Mixed, so that the same stones around the move do not cancel them
            room.bases[at(k), at(s)] = total << uint64(23) | total >> uint64(41)


@inlined
def see_move(b: Board, mover: int, p: int, seen: Seen, t: AnswerTables, room: Room) -> None:
    """Write what the keys have of the move p; the last move there must be."""
    last, before = int64(b.previous[0]), int64(b.previous[1])
    row, col = p // STRIDE + REACH, p % STRIDE + REACH
    place = t.displaced[0, at(row - last // STRIDE), at(col - last % STRIDE)]
    shape = seen.plain[at(mover - 1), at(p), 0]
    near = seen.liberties[at(mover - 1), at(p), 0]
    far = seen.liberties[at(mover - 1), at(p), 1]
    parts = room.parts
    for s in range(SYMMETRIES):
        parts[_PLACE, at(s)] = place[at(s)]
        parts[_SHAPE, at(s)] = place[at(s)] ^ shape[at(s)]
        parts[_LIBERTIES, at(s)] = place[at(s)] ^ near[at(s)] ^ far[at(s)]
    if before > PASS:
        two = t.displaced[1, at(row - before // STRIDE), at(col - before % STRIDE)]
        for s in range(SYMMETRIES):
            parts[_MOVES, at(s)] = place[at(s)] ^ two[at(s)]
            parts[_MOVES_SHAPE, at(s)] = place[at(s)] ^ two[at(s)] ^ shape[at(s)]


@inlined
def answer_key(kind: int, t: AnswerTables, room: Room) -> Any:
    """The key of a kind, once the last move and the move were seen."""
    base = room.bases[at(kind)]
    part = room.parts[at(t.kinds[at(kind), PART])]
    least = base[0] ^ part[0]
    for s in range(1, SYMMETRIES):
        least = min(least, base[at(s)] ^ part[at(s)])
    return least ^ t.salt[at(kind)]


@inlined
def find_kinds(moves: int, t: AnswerTables, room: Room, lookup: Lookup) -> None:
    """Write which answer of each kind it is, once the last move and the move were seen."""
    for k in range(len(t.salt)):
        within = t.kinds[at(k), WITHIN]
        found = int64(-1)
        # An answer that was played often enough was played no more often than what is within it.
        if t.kinds[at(k), NEEDS] <= moves and (within < 0 or room.found[at(within)] >= 0):
            found = find(lookup, answer_key(k, t, room))
        room.found[at(k)] = found
