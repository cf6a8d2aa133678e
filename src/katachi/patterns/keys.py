"""Keys of shapes: 64-bit Zobrist keys of every template around every point, kept up to date.

    keys[mover - 1, point, ring, symmetry]      uint64

are the XORs over one ring of the random numbers of its points' states, as the player to move sees
them (own, opponent, off-board; empty adds nothing), in each of the 8 symmetries. The key of a
template is the smallest over the symmetries of the XOR of its rings, with the template's own salt:
the 8 pictures that are symmetric, and the same with colours and mover exchanged, have one key
(Stern 2005, section 2).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board
from katachi.go.kernel import at, int64, kernel, uint64
from katachi.go.points import BLACK, EMPTY, STRIDE, WALL, WHITE
from katachi.go.symmetry import SYMMETRIES
from katachi.patterns.templates import Templates, tables

Keys = npt.NDArray[np.uint64]


@kernel
def toggle(
    keys: Any, q: int, c: int, zobrist: Any, ring: Any, start: Any, seen_from: Any, seen_as: Any
) -> None:
    """A stone of colour c comes to q, or goes: the same operation."""
    for i in range(start[at(q)], start[at(q + 1)]):
        p = seen_from[at(i)]
        k = seen_as[at(i)]
        r = ring[at(k)]
        own = 0 if c == BLACK else 1  # as Black sees it
        for s in range(SYMMETRIES):
            keys[0, at(p), at(r), at(s)] ^= zobrist[at(k), at(own), at(s)]
        for s in range(SYMMETRIES):
            keys[1, at(p), at(r), at(s)] ^= zobrist[at(k), at(1 - own), at(s)]


@kernel
def follow(
    keys: Any, colors: Any, b: Board, zobrist: Any, ring: Any, start: Any, seen_from: Any,
    seen_as: Any,
) -> int:  # fmt: skip
    """Bring keys and `colors` (uint8[AREA], the stones the keys stand for) up to board b.

    Returns the number of points that changed.
    """
    changed = 0
    for row in range(1, b.side + 1):
        for col in range(1, b.side + 1):
            q = row * STRIDE + col
            old, new = int64(colors[q]), int64(b.color[q])
            if old != new:
                if old != EMPTY:
                    toggle(keys, q, old, zobrist, ring, start, seen_from, seen_as)
                if new != EMPTY:
                    toggle(keys, q, new, zobrist, ring, start, seen_from, seen_as)
                colors[q] = new
                changed += 1
    return changed


@kernel
def template_keys(keys: Any, mover: int, p: int, salt: Any, out: Any) -> None:
    """Write the key of each template around p, as `mover` sees it, into out (uint64[rings])."""
    # Eight running sums in registers: an array here would be allocated at every call.
    a = b = c = d = e = f = g = h = uint64(0)
    for r in range(keys.shape[2]):
        ring = keys[at(mover - 1), at(p), at(r)]
        a ^= ring[0]
        b ^= ring[1]
        c ^= ring[2]
        d ^= ring[3]
        e ^= ring[4]
        f ^= ring[5]
        g ^= ring[6]
        h ^= ring[7]
        least = min(min(min(a, b), min(c, d)), min(min(e, f), min(g, h)))
        # The salt after the minimum: equal pictures of different templates shall differ.
        out[at(r)] = least ^ salt[at(r)]


def keys_from_scratch(templates: Templates, size: int, colors: npt.NDArray[np.uint8]) -> Keys:
    """The keys of a position, computed stone by stone from the empty board."""
    t = tables(templates, size)
    keys = t.empty_keys.copy()
    for q in np.flatnonzero((colors == BLACK) | (colors == WHITE)):
        toggle(keys, int(q), int(colors[q]), t.zobrist, t.ring, t.seen_start, t.seen_from,
               t.seen_as)  # fmt: skip
    return keys


@kernel
def picture(
    colors: Any, side: int, p: int, mover: int, count: int, offset: Any, image: Any, symmetry: int,
    out: Any,
) -> None:  # fmt: skip
    """Write the states of the first `count` offsets around p, turned by a symmetry, into out.

    out is uint8: EMPTY, 1 own, 2 the opponent's, WALL off the board.
    """
    row, col = p // STRIDE - 1, p % STRIDE - 1
    for k in range(count):
        r, c = row + offset[k, 0], col + offset[k, 1]
        state = WALL
        if 0 <= r < side and 0 <= c < side:
            state = int64(colors[(r + 1) * STRIDE + c + 1])
            if state != EMPTY and mover == WHITE:
                state = 3 - state
        out[image[symmetry, k]] = state


@kernel
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
