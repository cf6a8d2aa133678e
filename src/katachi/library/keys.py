"""The keys of a game: at every move, of the circles around its point and of the whole board.

A key is that of the stones before the move, as the player who moves sees them. It is the smallest
over the 8 symmetries, so that what is equal when turned, mirrored, or with the colours exchanged
has one key. Which symmetries give the smallest one is kept as the bits of `turns`: more than one
where the shape is symmetric itself.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.board import ZOBRIST, Board, new_board, play
from katachi.go.kernel import at, inlined, int64, kernel, lean, uint64
from katachi.go.points import AREA, EMPTY, MAX_SIZE, PASS, STRIDE, WALL
from katachi.go.symmetry import SYMMETRIES, point_tables
from katachi.patterns.shapes.keys import start_game, toggle
from katachi.patterns.shapes.templates import Tables, Templates, offsets, tables
from katachi.records.actions import COLOUR_SHIFT, POINT_BITS, SETUP, Actions, replay

# Coulom's circles, every other one from d ≤ 4 on, and the largest of Stern's that is no board
CIRCLES: Final = Templates("library", (4, 6, 8, 10, 14))
RADII: Final = CIRCLES.radii
LEVELS: Final = len(RADII)
BOARD: Final = LEVELS  # the column of the whole board, beside those of the circles
CENTRE: Final = len(offsets(CIRCLES))  # the number of the offset (0, 0), after all others


class Found(NamedTuple):
    """What a game shows: a row to each move, a column to each circle and one to the whole board.
    A pass has a key of the whole board only.
    """

    keys: npt.NDArray[np.uint64]
    turns: npt.NDArray[np.uint8]  # bit s: symmetry s gives the key
    stones: npt.NDArray[np.uint16]  # in the circle, or on the board
    points: npt.NDArray[np.int16]  # of the moves
    colours: npt.NDArray[np.uint8]


class Work(NamedTuple):
    """A board, and the keys that are followed on it."""

    board: Board
    circles: npt.NDArray[np.uint64]  # see katachi.patterns.shapes.keys
    whole: npt.NDArray[np.uint64]  # [mover - 1, symmetry]
    tables: Tables
    images: npt.NDArray[np.int16]  # [symmetry, point]


def room_for(moves: int) -> Found:
    """Room for a game of so many moves."""
    return Found(
        np.zeros((moves, LEVELS + 1), np.uint64),
        np.zeros((moves, LEVELS + 1), np.uint8),
        np.zeros((moves, LEVELS + 1), np.uint16),
        np.zeros(moves, np.int16),
        np.zeros(moves, np.uint8),
    )


def work_for(size: int) -> Work:
    """A board of this size; one to each thread."""
    t = tables(CIRCLES, size)
    whole = np.zeros((2, SYMMETRIES), np.uint64)
    images = point_tables(size).copy()  # as Numba wants it: one that may be written
    return Work(new_board(size), t.empty_keys.copy(), whole, t, images)


def keys_of(actions: Actions, size: int, work: Work | None = None) -> Found:
    """The keys of all moves of a game, which must be legal: that is not checked."""
    found = room_for(len(actions))
    w = work_for(size) if work is None else work
    shared = actions.view()
    shared.flags.writeable = False  # as those of a corpus: one type to Numba
    count = int(game_keys(w.board, shared, w.circles, w.whole, w.tables, w.images, found))
    return Found._make(column[:count] for column in found)


@cache
def keys_digest() -> bytes:
    """A digest of the numbers behind the keys: libraries made with others are of no use."""
    digest = blake2b(digest_size=8)
    t = tables(CIRCLES, MAX_SIZE)
    for numbers in (t.zobrist, t.salt, ZOBRIST):
        digest.update(np.ascontiguousarray(numbers, "<u8").tobytes())
    return digest.digest()


@cache
def offset_numbers() -> npt.NDArray[np.int16]:
    """[dy + MAX_SIZE, dx + MAX_SIZE] → the number of the offset, CENTRE for (0, 0), -1 outside."""
    numbers = np.full((2 * MAX_SIZE, 2 * MAX_SIZE), -1, np.int16)
    for k, (dy, dx, _) in enumerate(offsets(CIRCLES)):
        numbers[dy + MAX_SIZE, dx + MAX_SIZE] = k
    numbers[MAX_SIZE, MAX_SIZE] = CENTRE
    return numbers


@cache
def rings() -> npt.NDArray[np.uint8]:
    """[offset] → the smallest circle that has it, CENTRE among them."""
    return np.array([*(ring for _, _, ring in offsets(CIRCLES)), 0], np.uint8)


@cache
def turned_offsets() -> npt.NDArray[np.int16]:
    """[symmetry, offset] → the offset to which it goes, CENTRE among them."""
    image = tables(CIRCLES, MAX_SIZE).image
    centre = np.full((SYMMETRIES, 1), CENTRE)
    return np.concatenate([image, centre], axis=1).astype(np.int16)


# -- kernels ---------------------------------------------------------------------------------------


@inlined
def _stone(circles: Any, whole: Any, q: int, c: int, t: Tables, images: Any) -> None:
    """A stone of colour c comes to q, or goes: the same operation."""
    toggle(circles, q, c, t)
    for s in range(SYMMETRIES):
        p = int64(images[at(s), at(q)])
        whole[0, at(s)] ^= ZOBRIST[at(c * AREA + p)]
        whole[1, at(s)] ^= ZOBRIST[at((3 - c) * AREA + p)]  # as White sees it


@lean
def _catch_up(b: Board, codes: Any, circles: Any, whole: Any, t: Tables, images: Any) -> None:
    """Bring keys and `codes` (the points they stand for) up to the board."""
    for row in range(1, b.side + 1):
        for col in range(1, b.side + 1):
            q = row * STRIDE + col
            old, new = int64(codes[at(q)]), int64(b.color[at(q)])
            if old != new:
                if old != EMPTY:
                    _stone(circles, whole, q, old, t, images)
                if new != EMPTY:
                    _stone(circles, whole, q, new, t, images)
                codes[at(q)] = new


@lean
def _around(b: Board, p: int, t: Tables, out: Any) -> None:
    """Write the number of stones in each circle around p into out (uint16)."""
    row, col = p // STRIDE - 1, p % STRIDE - 1
    circles = len(t.salt)
    for r in range(circles):
        out[at(r)] = 0
    for k in range(len(t.offset)):
        y, x = row + t.offset[at(k), 0], col + t.offset[at(k), 1]
        if 0 <= y < b.side and 0 <= x < b.side:
            c = b.color[at((y + 1) * STRIDE + x + 1)]
            if c != EMPTY and c != WALL:
                out[at(t.ring[at(k)])] += 1
    for r in range(1, circles):
        out[at(r)] += out[at(r - 1)]


@kernel
def game_keys(
    b: Board, actions: Any, circles: Any, whole: Any, t: Tables, images: Any, out: Found
) -> int:
    """Follow a game from the empty board and write its keys into `out`; returns how many moves.

    The size is that of board b.
    """
    start_game(b, int64(b.side), circles, t)
    for c in range(2):
        for s in range(SYMMETRIES):
            whole[c, s] = uint64(0)
    codes = b.color.copy()
    sums = np.zeros(SYMMETRIES, np.uint64)
    levels = len(t.salt)
    n = 0
    for i in range(len(actions)):
        a = int64(actions[i])
        p = a & POINT_BITS
        c = (a >> COLOUR_SHIFT) & 3
        if a & SETUP:
            # Setup applies together, since a part of it may leave a string without liberty.
            if i == 0 or int64(actions[i - 1]) & SETUP == 0:
                end = i
                while end < len(actions) and int64(actions[end]) & SETUP:
                    end += 1
                replay(b, actions[i:end])
                _catch_up(b, codes, circles, whole, t, images)
            continue
        out.points[n] = p
        out.colours[n] = c
        for s in range(SYMMETRIES):
            sums[s] = whole[c - 1, s]
        _least(sums, levels, uint64(0), n, out)
        out.stones[n, levels] = b.side * b.side - b.empties
        if p != PASS:
            for s in range(SYMMETRIES):
                sums[s] = uint64(0)
            for r in range(levels):
                for s in range(SYMMETRIES):
                    sums[s] ^= circles[c - 1, p, r, s]
                _least(sums, r, t.salt[r], n, out)
            _around(b, p, t, out.stones[n])
        n += 1
        if play(b, p, c):
            _catch_up(b, codes, circles, whole, t, images)
        elif p != PASS:
            _stone(circles, whole, p, c, t, images)
            codes[p] = c
    return n


@lean
def _least(sums: Any, level: int, salt: Any, n: int, out: Found) -> None:
    """Write the smallest of the sums over the symmetries, and which have it."""
    least = sums[0]
    for s in range(1, SYMMETRIES):
        least = min(least, sums[at(s)])
    bits = 0
    for s in range(SYMMETRIES):
        if sums[at(s)] == least:
            bits |= 1 << s
    out.keys[at(n), at(level)] = least ^ salt
    out.turns[at(n), at(level)] = bits
