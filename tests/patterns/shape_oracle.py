"""Shapes a second time, slow and plain: a picture is written out, the smallest of its 8 forms
stands for all of them, and a harvest is a `Counter` of pictures.

A *view* adds a number to some stones: "marked" 1 to the stone of the previous move, "liberties"
1, 2 or 3 to each by its liberties, "plain" nothing. The state of a stone is its colour's, plus 4
times that number.

No kernel is asked: sgfmill reads the records and plays them on its own board. A place is (row, col)
from the upper left, a colour sgfmill's "b" or "w". A template is named by its radius; its places go
by distance, so the picture of a smaller template is the beginning of that of a larger one.

The second part puts Katachi's words into these, and makes records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache, lru_cache
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from sgfmill import boards, sgf

from katachi.go.board import Board, new_board, play, set_stones
from katachi.go.points import (
    AREA,
    BLACK,
    NONE,
    PASS,
    WALL,
    WHITE,
    all_points,
    letters,
    point,
    row_col,
)
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.templates import Templates, offsets
from katachi.records.corpus import Corpus, corpus_of
from katachi.records.sgf import parse_games
from tests.go.helpers import SGF_COLOUR, any_move

EMPTY, OWN, OPPONENT, OFF = range(4)  # the states of a picture

BOARD = 999  # the radius of the template that is the whole board
RADII = {
    "circles": (3, 4, 5, 6, 7, 8, 9, 10),
    "stern": (3, 4, 5, 6, 8, 10, 14, BOARD),
    "marked": (3, 4, 5, 6, 7, 8),
    "liberties": (3, 4, 5, 6),
}
VIEWS = {"circles": "plain", "stern": "plain", "marked": "marked", "liberties": "liberties"}
REACH = 18  # no two points of a board are farther apart, up or sideways

Place: TypeAlias = tuple[int, int]
Stones: TypeAlias = Mapping[Place, str]
Added: TypeAlias = Mapping[Place, int]
Picture: TypeAlias = bytes  # the states, one to a byte
Shape: TypeAlias = tuple[int, Picture]  # (radius, the smallest form)

EXCHANGED = {"b": "w", "w": "b"}


def distance(dy: int, dx: int) -> int:
    near, far = sorted((abs(dy), abs(dx)))
    return near + 2 * far


def forms(dy: int, dx: int) -> list[Place]:
    """Where the 8 symmetries of the square take an offset."""
    return [
        (y, x)
        for up, along in ((dy, dx), (dx, dy))
        for y, x in ((up, along), (up, -along), (-up, along), (-up, -along))
    ]


@cache
def places(radius: int) -> list[Place]:
    """The offsets of a template but its centre, the nearest first."""
    square = range(-REACH, REACH + 1)
    found = [(distance(dy, dx), dy, dx) for dy in square for dx in square]
    return [(dy, dx) for d, dy, dx in sorted(found) if 0 < d <= radius]


@cache
def _orders(radius: int) -> list[Any]:
    """For each symmetry what reads a picture in the order in which its image has the states."""
    index = {offset: k for k, offset in enumerate(places(radius))}
    images = [forms(dy, dx) for dy, dx in places(radius)]
    return [itemgetter(*(index[image[s]] for image in images)) for s in range(8)]


def added(view: str, stones: Stones, size: int, previous: Place | None) -> dict[Place, int]:
    """What a view adds to stones, where it is not 0; `previous` is the place of the last move."""
    if view == "marked":
        return {previous: 1} if previous in stones and previous is not None else {}
    found: dict[Place, int] = {}
    for place in stones if view == "liberties" else ():
        if place not in found:
            string, liberties = string_of(stones, size, place)
            found |= dict.fromkeys(string, min(len(liberties), 3))
    return {place: number for place, number in found.items() if number}


def string_of(stones: Stones, size: int, place: Place) -> tuple[set[Place], set[Place]]:
    """The stones and the liberties of the string at a place, by flood fill."""
    string, liberties, todo = {place}, set(), [place]
    while todo:
        y, x = todo.pop()
        for near in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
            if not (0 <= near[0] < size and 0 <= near[1] < size):
                continue
            if near not in stones:
                liberties.add(near)
            elif stones[near] == stones[place] and near not in string:
                string.add(near)
                todo.append(near)
    return string, liberties


def picture(
    stones: Stones, size: int, place: Place, mover: str, radius: int, more: Added
) -> Picture:
    """The states of a template's places around a place, as the mover sees them."""
    row, col = place
    found = []
    for dy, dx in places(radius):
        here = row + dy, col + dx
        stone = stones.get(here)
        if stone is not None:
            found.append((OWN if stone == mover else OPPONENT) + 4 * more.get(here, 0))
        else:
            found.append(EMPTY if 0 <= here[0] < size and 0 <= here[1] < size else OFF)
    return bytes(found)


def picture_forms(one: Picture, radius: int) -> list[Picture]:
    """The picture in each of the 8 symmetries."""
    return [bytes(order(one)) for order in _orders(radius)]


@lru_cache(maxsize=1 << 17)
def canonical(one: Picture, radius: int) -> Picture:
    """The same for the 8 forms of a picture."""
    return min(picture_forms(one, radius))


def shapes_at(
    stones: Stones, size: int, place: Place, mover: str, radii: Sequence[int], more: Added
) -> list[Shape]:
    """The shape of each template around a place."""
    largest = picture(stones, size, place, mover, radii[-1], more)
    return [(radius, canonical(largest[: len(places(radius))], radius)) for radius in radii]


class Turn(NamedTuple):
    """A move of a record and the stones before it. The place of a pass is None.

    `previous` is the move before it, `before` the one before that; None for a pass, or where stones
    were put or taken since.
    """

    size: int
    stones: dict[Place, str]
    colour: str
    place: Place | None
    previous: Place | None
    before: Place | None = None


def turns(record: bytes) -> Iterator[Turn]:
    """The moves of a record's main line. The setup of a node is applied together."""
    game = sgf.Sgf_game.from_bytes(record)
    size = game.get_size()
    board = boards.Board(size)
    previous: Place | None = None
    before: Place | None = None
    for node in game.get_main_sequence():
        if node.has_setup_stones():
            assert board.apply_setup(*node.get_setup_stones())
            previous = before = None
        colour, spot = node.get_move()
        if colour is None:
            continue
        # sgfmill counts its rows from below.
        stones = {(size - 1 - r, c): stone for stone, (r, c) in board.list_occupied_points()}
        place = None if spot is None else (size - 1 - spot[0], spot[1])
        yield Turn(size, stones, colour, place, previous, before)
        before, previous = previous, place
        if spot is not None:
            board.play(*spot, colour)


def candidates(turn: Turn) -> list[Place]:
    """The empty points."""
    points = range(turn.size)
    return [(r, c) for r in points for c in points if (r, c) not in turn.stones]


def count_shapes(records: Iterable[bytes], name: str, rule: str) -> Counter[Shape]:
    """How often each shape appears around every empty point, or around the moves played.

    `name` is that of the templates.
    """
    found: Counter[Shape] = Counter()
    for record in records:
        for turn in turns(record):
            played = [] if turn.place is None else [turn.place]
            more = added(VIEWS[name], turn.stones, turn.size, turn.previous)
            for place in candidates(turn) if rule == "candidates" else played:
                found.update(
                    shapes_at(turn.stones, turn.size, place, turn.colour, RADII[name], more)
                )
    return found


# -- Katachi's words -----------------------------------------------------------------------------


def stones_of(colors: npt.NDArray[np.uint8], size: int) -> dict[Place, str]:
    """The stones of a board's colours by point."""
    named = {row_col(p): SGF_COLOUR.get(int(colors[p])) for p in all_points(size)}
    return {place: colour for place, colour in named.items() if colour is not None}


def codes_of(stones: Stones, more: Added) -> npt.NDArray[np.uint8]:
    """Codes by point; what is no stone is empty, walls too."""
    codes = np.zeros(AREA, np.uint8)
    for place, colour in stones.items():
        codes[point(*place)] = (BLACK if colour == "b" else WHITE) + 4 * more.get(place, 0)
    return codes


def board_codes(templates: Templates, b: Board, previous: int) -> npt.NDArray[np.uint8]:
    """What the templates see of a board's stones, walls included; `previous` is the last move."""
    size = int(b.side)
    stones = stones_of(b.color, size)
    place = None if previous in (PASS, NONE) else row_col(previous)
    codes = codes_of(stones, added(VIEWS[templates.name], stones, size, place))
    codes[np.setdiff1d(np.arange(AREA), all_points(size))] = WALL
    return codes


def from_katachis_order(states: Iterable[int], templates: Templates, ring: int) -> Picture:
    """The picture of states that are in the order of Katachi's offsets."""
    given = list(states)
    assert len(given) == len(places(templates.radii[ring]))
    return bytes(_from_katachis_order(templates, ring)(given))


@cache
def _from_katachis_order(templates: Templates, ring: int) -> Any:
    index = {(dy, dx): k for k, (dy, dx, _) in enumerate(offsets(templates))}
    return itemgetter(*(index[offset] for offset in places(templates.radii[ring])))


def counted(shapes: Shapes) -> Counter[Shape]:
    """A dictionary as the oracle would have counted it. No picture may stand in it twice."""
    found: Counter[Shape] = Counter()
    assert isinstance(shapes.templates, Templates)
    columns = zip(shapes.rings.tolist(), shapes.counts.tolist(), strict=True)
    for shape, (ring, count) in enumerate(columns):
        radius = shapes.templates.radii[ring]
        one = from_katachis_order(shapes.states(shape), shapes.templates, ring)
        name = radius, canonical(one, radius)
        assert name not in found
        found[name] = count
    return found


def same_shapes(one: Shapes, two: Shapes) -> bool:
    """Field by field, columns byte by byte."""
    for field in fields(Shapes):
        a, b = getattr(one, field.name), getattr(two, field.name)
        if isinstance(a, np.ndarray):
            a, b = ((column.dtype, column.shape, column.tobytes()) for column in (a, b))
        if a != b:
            return False
    return True


def corpus_from(records: Iterable[bytes]) -> Corpus:
    """The corpus of these records, of which nothing may be cut or mended."""
    games = []
    for record in records:
        found, notices = parse_games(record)
        assert {notice.kind for notice in notices} <= {"odd"}
        games += found
    return corpus_of(games)


# -- records -------------------------------------------------------------------------------------


def record_of(size: int, nodes: str) -> bytes:
    return f"(;FF[4]GM[1]SZ[{size}]{nodes})".encode()


def random_record(size: int, seed: int, length: int) -> bytes:
    """A game with captures, passes, moves out of turn, and stones put and taken on the way."""
    rng = Random(seed)
    b = new_board(size)
    nodes = ""
    for number in range(length):
        nodes += ";" if number else ""
        if rng.random() < 0.05:
            nodes += _setup(b, rng)
            nodes += ";" if rng.random() < 0.5 else ""
        colour, p = any_move(b, rng)
        play(b, p, colour)
        nodes += f"{SGF_COLOUR[colour].upper()}[{letters(p)}]"
    return record_of(size, f";{nodes}")


def _setup(b: Board, rng: Random) -> str:
    """Take and put some stones; "" where that leaves a string without liberty."""
    before = b.color.copy()
    colors = b.color.copy()
    changed = rng.sample(all_points(int(b.side)), 4)
    colors[changed] = rng.choices(range(3), k=4)
    if not set_stones(b, colors):
        assert set_stones(b, before)
        return ""
    values = {"AE": "", "AB": "", "AW": ""}
    for p in changed:
        values[("AE", "AB", "AW")[colors[p]]] += f"[{letters(p)}]"
    return "".join(name + points for name, points in values.items() if points)
