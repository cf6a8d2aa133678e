"""A shape that a person draws, as a feature: `. X O # *` in rows, a circle around the move."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.go.board import new_board
from katachi.go.points import BLACK, EMPTY, MAX_SIZE, WALL, WHITE, all_points, point, row_col
from katachi.patterns.family import Level
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.keys import empty_codes, follow, template_keys
from katachi.patterns.shapes.templates import COULOM_CIRCLES, offsets, tables
from katachi.styles.readable import Readable

LEAST_SIZE: Final = 5  # of a board on which a shape is looked for
_SOURCE: Final = "picture"
_STATES: Final = {".": EMPTY, "X": BLACK, "O": WHITE, "#": WALL}  # as the mover sees it: X is his
_HINT: Final = (
    "draw a circle of points around the move (*), with X for own stones, O for the opponent's, . "
    "for empty and # beyond the edge, rows apart by /, as .../XO*/... or as katachi style names it"
)


def drawn_shape(picture: str) -> Readable:
    """The family whose only feature is this shape. Rows are apart by / or ends of lines; spaces,
    and ? at the ends of rows, do not matter.

    Raises KatachiError if it is no circle of radius 3 to 10, or has edges where no board has them.
    """
    states, ring = _states(picture)
    shapes = _dictionary(states, ring)
    radius = shapes.templates.labels[ring]
    name = shapes.draw(ring).replace(" ", "").replace("\n", "/")
    level = Level(name, "makes this shape")
    return Readable("shape", "Shape", f"{_SOURCE}-{radius}", (level,), (0, 1), shapes)


def _states(picture: str) -> tuple[npt.NDArray[np.uint8], int]:
    """(the state of each offset of COULOM_CIRCLES that the picture has, the last ring of it)."""
    rows = ["".join(row.split()).strip("?") for row in picture.replace("/", "\n").split("\n")]
    rows = [row for row in rows if row]
    places = offsets(COULOM_CIRCLES)
    for last in range(len(COULOM_CIRCLES)):
        circle = [(dy, dx) for dy, dx, ring in places if ring <= last]
        spots = sorted([*circle, (0, 0)])
        heights = sorted({dy for dy, _ in spots})
        widths = [sum(dy == height for dy, _ in spots) for height in heights]
        if [len(row) for row in rows] == widths:
            signs = dict(zip(spots, "".join(rows), strict=True))
            if signs.pop((0, 0)) == "*" and set(signs.values()) <= set(_STATES):
                return np.array([_STATES[signs[spot]] for spot in circle], np.uint8), last
    raise KatachiError(f"{picture!r} is no shape: {_HINT}")


def _dictionary(states: npt.NDArray[np.uint8], last: int) -> Shapes:
    """The shape and the smaller ones in it: those who look for shapes go up from the smallest."""
    size, move = _place(states)
    t = tables(COULOM_CIRCLES, size)
    board = new_board(size)
    row, col = row_col(move)
    for (dy, dx, _), state in zip(offsets(COULOM_CIRCLES), states.tolist(), strict=False):
        if state in (BLACK, WHITE):
            board.color[point(row + dy, col + dx)] = state
    keys = t.empty_keys.copy()
    follow(keys, empty_codes(size), board, t)
    found = np.zeros(len(COULOM_CIRCLES), np.uint64)
    template_keys(keys, BLACK, move, t.salt, found)
    packed = []
    for count in t.points[: last + 1].tolist():
        bits = states[:count, None] >> np.arange(2, dtype=np.uint8) & 1
        packed.append(np.packbits(bits.ravel(), bitorder="little"))
    return Shapes(
        COULOM_CIRCLES,
        "played",
        1,
        tuple(range(1, MAX_SIZE + 1)),
        found[: last + 1],
        np.ones(last + 1, np.int64),
        np.arange(last + 1, dtype=np.uint8),
        np.concatenate(packed),
    )


def _place(states: npt.NDArray[np.uint8]) -> tuple[int, int]:
    """(size of a board, a point of it whose neighbourhood is off the board where these states say
    so, and nowhere else).
    """
    wanted = (states == WALL).tolist()
    places = offsets(COULOM_CIRCLES)[: len(states)]
    for size in range(MAX_SIZE, LEAST_SIZE - 1, -1):
        for p in all_points(size):
            row, col = row_col(p)
            inside = [0 <= row + dy < size and 0 <= col + dx < size for dy, dx, _ in places]
            if all(on != off for on, off in zip(inside, wanted, strict=True)):
                return size, p
    raise KatachiError("the shape has an edge (#) where no board has one: a row or a column is off")
