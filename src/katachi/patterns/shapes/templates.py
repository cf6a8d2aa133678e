"""Templates: nested sets of points around a move, by the distance d (Stern 2005, section 2).

Coulom's are the circles d ≤ 3 … 10 (2007, section 3.2). Stern's T1 … T8 end with the whole board;
the sizes are in the paper's figure only, so we take d ≤ 3, 4, 5, 6, 8, 10, 14 and the board.

A *ring* is what a template has beyond the one before it: the key of a template is the XOR of the
keys of its rings, so a stone changes one ring of each point that sees it.

A *view* is what a template sees of a stone: its colour (PLAIN); also whether it is the previous
move (MARKED); or also its liberties, 1, 2, or 3 and more (LIBERTIES). The *code* of a point is
EMPTY, its colour, or WALL, plus 4 times what the view adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.points import AREA, MAX_SIZE, all_points, point, row_col
from katachi.go.symmetry import SYMMETRIES

WHOLE_BOARD: Final = 999  # larger than any distance on a board

OWN, OPPONENT, OFF_BOARD = 0, 1, 2  # states with a key; an empty point has none
STATES: Final = 3  # what a view adds to a stone comes in steps of 3 states

PLAIN, MARKED, LIBERTIES = 0, 1, 2  # views
EXTRAS: Final = (0, 1, 3)  # [view] how many things it can add to a stone


def distance(dx: int, dy: int) -> int:
    """d(δx, δy) = |δx| + |δy| + max(|δx|, |δy|) (Coulom 2007, Table 1)."""
    return abs(dx) + abs(dy) + max(abs(dx), abs(dy))


@dataclass(frozen=True)
class Templates:
    """A nested sequence of templates: `radii` are their largest distances, in growing order."""

    name: str
    radii: tuple[int, ...]
    view: int = PLAIN

    def __len__(self) -> int:
        return len(self.radii)

    @property
    def labels(self) -> tuple[str, ...]:
        """The radii in words."""
        return tuple("board" if r == WHOLE_BOARD else str(r) for r in self.radii)

    @property
    def followed(self) -> tuple[Templates, ...]:
        """The templates whose keys must be followed."""
        return (self,)


COULOM_CIRCLES: Final = Templates("circles", (3, 4, 5, 6, 7, 8, 9, 10))
STERN_TEMPLATES: Final = Templates("stern", (3, 4, 5, 6, 8, 10, 14, WHOLE_BOARD))
# Circles that see more of a stone than its colour (issue 4: the extended catalogue)
MARKED_CIRCLES: Final = Templates("marked", (3, 4, 5, 6, 7, 8), MARKED)
LIBERTY_CIRCLES: Final = Templates("liberties", (3, 4, 5, 6), LIBERTIES)
ALL_TEMPLATES: Final = {
    t.name: t for t in (COULOM_CIRCLES, STERN_TEMPLATES, MARKED_CIRCLES, LIBERTY_CIRCLES)
}


@cache
def offsets(templates: Templates) -> list[tuple[int, int, int]]:
    """(dy, dx, ring) of all points of the largest template but its centre, ring by ring.

    Within a ring they go by rows: the order in which pictures store them.
    """
    reach = MAX_SIZE - 1
    found = []
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            d = distance(dx, dy)
            ring = next((i for i, radius in enumerate(templates.radii) if d <= radius), None)
            if d > 0 and ring is not None:
                found.append((ring, dy, dx))
    return [(dy, dx, ring) for ring, dy, dx in sorted(found)]


def turned(dy: int, dx: int, symmetry: int) -> tuple[int, int]:
    """Where an offset goes under a symmetry (see katachi.go.symmetry)."""
    if symmetry & 1:
        dx = -dx
    if symmetry & 2:
        dy = -dy
    return (dx, dy) if symmetry & 4 else (dy, dx)


class Tables(NamedTuple):
    """What the key kernels need of templates on one board size; k counts the offsets."""

    zobrist: npt.NDArray[np.uint64]  # [k, state, symmetry], see katachi.patterns.shapes.keys.toggle
    ring: npt.NDArray[np.uint8]  # [k]
    seen_start: npt.NDArray[np.int32]  # [AREA + 1]: who sees the point q …
    seen_from: npt.NDArray[np.uint16]  # … the points p = seen_from[seen_start[q] … )
    seen_as: npt.NDArray[np.uint16]  # … at offset k = seen_as[…]
    empty_keys: npt.NDArray[np.uint64]  # [2, AREA, rings, symmetry]: of the empty board
    salt: npt.NDArray[np.uint64]  # [ring]: mixed into the keys of a template
    offset: npt.NDArray[np.int8]  # [k, 2]: (dy, dx)
    image: npt.NDArray[np.uint16]  # [symmetry, k]: the offset to which k goes
    points: npt.NDArray[np.int64]  # [ring + 1]: offsets of the template, without the centre
    sees: int  # the view; Numba keeps that name for itself


@cache
def tables(templates: Templates, size: int) -> Tables:
    """The tables of these templates on a board of this size. Slow to make, made once."""
    places = offsets(templates)
    count, rings = len(places), len(templates)
    index = {(dy, dx): k for k, (dy, dx, _) in enumerate(places)}
    # The numbers depend on the offset alone, so templates that share it share it.
    numbers = np.random.default_rng(2005).integers(
        1, 2**64, (2 * MAX_SIZE, 2 * MAX_SIZE, STATES), dtype=np.uint64
    )
    extras = EXTRAS[templates.view]
    more = np.random.default_rng(2007).integers(
        1, 2**64, (2 * MAX_SIZE, 2 * MAX_SIZE, STATES * max(EXTRAS)), dtype=np.uint64
    )
    numbers = np.concatenate([numbers, more], axis=2)[:, :, : STATES * (1 + extras)]
    zobrist = np.zeros((count, STATES * (1 + extras), SYMMETRIES), np.uint64)
    image = np.zeros((SYMMETRIES, count), np.uint16)
    for k, (dy, dx, _) in enumerate(places):
        for symmetry in range(SYMMETRIES):
            to = turned(dy, dx, symmetry)
            zobrist[k, :, symmetry] = numbers[to[0] + MAX_SIZE, to[1] + MAX_SIZE]
            image[symmetry, k] = index[to]
    ring = np.array([r for _, _, r in places], np.uint8)

    empty = np.zeros((2, AREA, rings, SYMMETRIES), np.uint64)
    seen: list[list[tuple[int, int]]] = [[] for _ in range(AREA)]
    for p in all_points(size):
        row, col = row_col(p)
        for k, (dy, dx, r) in enumerate(places):
            if 0 <= row + dy < size and 0 <= col + dx < size:
                seen[point(row + dy, col + dx)].append((p, k))
            else:
                empty[:, p, r] ^= zobrist[k, OFF_BOARD]
    start = np.zeros(AREA + 1, np.int32)
    np.cumsum([len(pairs) for pairs in seen], out=start[1:])
    flat: Any = [pair for pairs in seen for pair in pairs]
    pairs = np.array(flat, np.uint16).reshape(-1, 2)
    salt = np.array(
        [
            np.random.default_rng([1990, radius]).integers(1, 2**64, dtype=np.uint64)
            for radius in templates.radii
        ]
    )
    return Tables(
        zobrist=zobrist,
        ring=ring,
        seen_start=start,
        seen_from=np.ascontiguousarray(pairs[:, 0]),
        seen_as=np.ascontiguousarray(pairs[:, 1]),
        empty_keys=empty,
        salt=salt,
        offset=np.array([(dy, dx) for dy, dx, _ in places], np.int8),
        image=image,
        points=np.cumsum(np.bincount(ring, minlength=rings)),
        sees=templates.view,
    )
