"""Keys of shapes: 64-bit Zobrist keys of every template around every point, kept up to date.

    keys[mover - 1, point, ring, symmetry]      uint64

are the XORs over one ring of the random numbers of its points' states, as the player to move sees
them (own, opponent, off-board, and what the view adds; empty adds nothing), in each of the 8
symmetries. The key of a
template is the smallest over the symmetries of the XOR of its rings, with the template's own salt:
the 8 pictures that are symmetric, and the same with colours and mover exchanged, have one key
(Stern 2005, section 2).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board, clear, new_board
from katachi.go.kernel import at, inlined, int64, lean, uint64
from katachi.go.points import BLACK, EMPTY, STRIDE, WALL, WHITE
from katachi.go.symmetry import SYMMETRIES
from katachi.patterns.shapes.lookup import Lookup, find
from katachi.patterns.shapes.templates import MARKED, PLAIN, STATES, Tables

Keys = npt.NDArray[np.uint64]


@inlined
def code_of(b: Board, q: int, view: int) -> int:
    """What the view sees of point q: EMPTY, the colour, WALL, plus 4 times what it adds."""
    c = int64(b.color[at(q)])
    if view == PLAIN or c == EMPTY or c == WALL:
        return c
    if view == MARKED:
        return c + 4 if q == b.previous[0] else c
    return c + 4 * min(int64(b.liberties[b.head[at(q)]]), 3)


@inlined
def toggle(keys: Any, q: int, code: int, t: Tables) -> None:
    """A stone of this code comes to q, or goes: the same operation."""
    own = (0 if code & 3 == BLACK else 1) + STATES * (code >> 2)  # as Black sees it
    others = (1 if code & 3 == BLACK else 0) + STATES * (code >> 2)
    for i in range(t.seen_start[at(q)], t.seen_start[at(q + 1)]):
        p = t.seen_from[at(i)]
        k = t.seen_as[at(i)]
        r = t.ring[at(k)]
        for s in range(SYMMETRIES):
            keys[0, at(p), at(r), at(s)] ^= t.zobrist[at(k), at(own), at(s)]
        for s in range(SYMMETRIES):
            keys[1, at(p), at(r), at(s)] ^= t.zobrist[at(k), at(others), at(s)]


@lean
def start_game(b: Board, side: int, keys: Any, t: Tables) -> None:
    """Make the board empty, and write its keys. (`keys[:] = empty` has Numba compile the sentence
    of its error message, two seconds of texts and numbers.)
    """
    clear(b, side)
    colours, points, rings, symmetries = keys.shape
    for c in range(colours):
        for p in range(points):
            for r in range(rings):
                for s in range(symmetries):
                    keys[at(c), at(p), at(r), at(s)] = t.empty_keys[at(c), at(p), at(r), at(s)]


@lean
def follow(keys: Any, codes: Any, b: Board, t: Tables) -> int:
    """Bring keys and `codes` (uint8[AREA], the points the keys stand for) up to board b.

    Returns the number of points that changed.
    """
    changed = 0
    for row in range(1, b.side + 1):
        for col in range(1, b.side + 1):
            q = row * STRIDE + col
            old, new = int64(codes[q]), code_of(b, q, t.sees)
            if old != new:
                for code in (old, new):  # what goes, and what comes
                    if code != EMPTY:
                        toggle(keys, q, code, t)
                codes[q] = new
                changed += 1
    return changed


# The key of no ring at all, in each symmetry. A tuple stays in registers, where an array would be
# allocated at every call.
NO_RINGS: Final = (np.uint64(0),) * SYMMETRIES


@inlined
def with_ring(sums: Any, ring: Any) -> Any:
    """The sums of one ring more, of which `ring` (uint64[symmetry]) has the keys."""
    return (
        sums[0] ^ ring[0],
        sums[1] ^ ring[1],
        sums[2] ^ ring[2],
        sums[3] ^ ring[3],
        sums[4] ^ ring[4],
        sums[5] ^ ring[5],
        sums[6] ^ ring[6],
        sums[7] ^ ring[7],
    )


@inlined
def least_of(sums: Any) -> Any:
    """The smallest over the symmetries."""
    a, b, c, d, e, f, g, h = sums
    return min(min(min(a, b), min(c, d)), min(min(e, f), min(g, h)))


@lean
def template_keys(keys: Any, mover: int, p: int, salt: Any, out: Any) -> None:
    """Write the key of each template around p, as `mover` sees it, into out (uint64[rings])."""
    sums = NO_RINGS
    for r in range(keys.shape[2]):
        sums = with_ring(sums, keys[at(mover - 1), at(p), at(r)])
        # The salt after the minimum: equal pictures of different templates shall differ.
        out[at(r)] = least_of(sums) ^ salt[at(r)]


@lean
def nested_shapes(keys: Any, mover: int, p: int, salt: Any, lookup: Lookup, out: Any) -> int:
    """Write the numbers of the known shapes around p, as `mover` sees it, into out (int64[rings]),
    from the smallest template up to the first that is not known; returns how many.

    A shape that was seen often enough to be known was seen no more often than the smaller ones in
    it: beyond the first that is not known there is none, and no key is made.
    """
    sums = NO_RINGS
    for r in range(keys.shape[2]):
        sums = with_ring(sums, keys[at(mover - 1), at(p), at(r)])
        shape = find(lookup, least_of(sums) ^ salt[at(r)])
        if shape < 0:
            return r
        out[at(r)] = shape
    return int64(keys.shape[2])


def empty_codes(size: int) -> npt.NDArray[np.uint8]:
    """The codes of an empty board."""
    codes: npt.NDArray[np.uint8] = new_board(size).color.copy()
    return codes


@lean
def picture(
    codes: Any, side: int, p: int, mover: int, template: int, t: Tables, symmetry: int, out: Any
) -> int:
    """Write the states of the template's offsets around p, turned by a symmetry, into out; returns
    how many.

    out is uint8: EMPTY, 1 own, 2 the opponent's, WALL off the board, plus what the view adds.
    """
    row, col = p // STRIDE - 1, p % STRIDE - 1
    count = int64(t.points[template])
    for k in range(count):
        r, c = row + t.offset[k, 0], col + t.offset[k, 1]
        state = WALL
        if 0 <= r < side and 0 <= c < side:
            state = int64(codes[(r + 1) * STRIDE + c + 1])
            if state != EMPTY and mover == WHITE:
                state ^= 3
        out[t.image[symmetry, k]] = state
    return count


@lean
def least_symmetry(keys: Any, mover: int, p: int, r: int) -> int:
    """The symmetry in which the template of ring r around p has its smallest key."""
    best = 0
    least = uint64(0)
    for s in range(SYMMETRIES):
        total = uint64(0)
        for i in range(r + 1):
            total ^= keys[mover - 1, p, i, s]
        if s == 0 or total < least:
            least = total
            best = s
    return best
