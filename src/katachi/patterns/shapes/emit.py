"""What a game shows: the kernels that walk through it and emit the keys that appear.

By the paper's rule every empty point of every position counts, under every template, as the player
to move sees it. A shape that stays unchanged for twenty moves is emitted once, with the number of
positions in which each colour was to move: 20 times fewer keys than counting position by position.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board, play
from katachi.go.kernel import at, inlined, int64, kernel, lean
from katachi.go.points import AREA, BLACK, EMPTY, PASS, STRIDE, WHITE
from katachi.patterns.shapes.keys import (
    code_of,
    follow,
    least_symmetry,
    picture,
    start_game,
    template_keys,
    toggle,
)
from katachi.patterns.shapes.lookup import Lookup, find
from katachi.patterns.shapes.sieve import Emitted
from katachi.patterns.shapes.templates import PLAIN, Tables
from katachi.records.actions import COLOUR_SHIFT, POINT_BITS, SETUP, replay


class Wanted(NamedTuple):
    """The shapes of which a picture is wanted, and room for the pictures."""

    lookup: Lookup
    starts: npt.NDArray[np.int64]  # [shape + 1] where its picture begins
    found: npt.NDArray[np.uint8]  # [shape] 1 once its picture is there
    pictures: npt.NDArray[np.uint8]  # zeros at first


class _Since(NamedTuple):
    """Which positions of a game have not been emitted yet."""

    first: npt.NDArray[np.int32]  # [point, ring] the first of them
    black: npt.NDArray[np.int32]  # [t] positions before number t with Black to move
    shapes: npt.NDArray[np.uint64]  # [ring] room for the keys around one point


@inlined
def put(out: Emitted, n: int, key: Any, weight: int, ring: int) -> int:
    """Emit a key as number n, if there is room; returns the next number."""
    if n < len(out.keys):
        out.keys[n] = key
        out.weights[n] = weight
        out.rings[n] = ring
    return n + 1


@kernel
def emit_played(b: Board, side: int, actions: Any, keys: Any, t: Tables, out: Emitted) -> int:
    """Write the keys of all templates around each played move; returns how many.

    More may be returned than `out` holds: then only that many were written.
    """
    start_game(b, side, keys, t)
    codes = b.color.copy()
    rings = len(t.salt)
    shapes = np.zeros(rings, np.uint64)
    n = 0
    for i in range(len(actions)):
        a = int64(actions[i])
        p = a & POINT_BITS
        c = (a >> COLOUR_SHIFT) & 3
        if a & SETUP == 0 and p != PASS:
            template_keys(keys, c, p, t.salt, shapes)
            for r in range(rings):
                n = put(out, n, shapes[r], 1, r)
        taken = 0
        if a & SETUP:
            replay(b, actions[i : i + 1])
        else:
            taken = play(b, p, c)
        if a & SETUP or taken or t.sees != PLAIN:
            follow(keys, codes, b, t)
        elif p != PASS:
            toggle(keys, p, c, t)
            codes[p] = c
    return n


@kernel
def emit_candidates(b: Board, side: int, actions: Any, keys: Any, t: Tables, out: Emitted) -> int:
    """Write the keys around every empty point of every position before a move; returns how many.

    More may be returned than `out` holds: then only that many were written.
    """
    start_game(b, side, keys, t)
    codes = b.color.copy()
    rings = len(t.salt)
    since = _Since(
        np.zeros((AREA, rings), np.int32),
        np.zeros(len(actions) + 1, np.int32),
        np.zeros(rings, np.uint64),
    )
    lowest = np.full(AREA, rings, np.uint8)  # the smallest ring that changes at a point now
    marked = np.zeros(AREA, np.int16)
    now = 0
    n = 0
    for i in range(len(actions)):
        a = int64(actions[i])
        p = a & POINT_BITS
        c = (a >> COLOUR_SHIFT) & 3
        # Positions before number `now` have had the shapes that are now to change.
        if a & SETUP:
            replay(b, actions[i : i + 1])
        else:
            since.black[now + 1] = since.black[now] + (1 if c == BLACK else 0)
            now += 1
            play(b, p, c)
        marks = 0
        for row in range(1, side + 1):
            for col in range(1, side + 1):
                q = row * STRIDE + col
                if codes[q] == code_of(b, q, t.sees):
                    continue
                if lowest[q] == rings:
                    marked[marks] = q
                    marks += 1
                lowest[q] = 0
                for j in range(t.seen_start[q], t.seen_start[q + 1]):
                    s = t.seen_from[at(j)]
                    r = t.ring[at(t.seen_as[at(j)])]
                    if lowest[s] == rings:
                        marked[marks] = s
                        marks += 1
                    if r < lowest[s]:
                        lowest[s] = r
        for m in range(marks):
            q = int64(marked[m])
            if codes[q] == EMPTY:
                n = _emit_point(keys, q, int64(lowest[q]), now, since, t, out, n)
            for r in range(lowest[q], rings):
                since.first[q, r] = now
            lowest[q] = rings
        follow(keys, codes, b, t)
    for row in range(1, side + 1):
        for col in range(1, side + 1):
            q = row * STRIDE + col
            if codes[q] == EMPTY:
                n = _emit_point(keys, q, 0, now, since, t, out, n)
    return n


@lean
def _emit_point(
    keys: Any, q: int, lowest: int, end: int, since: _Since, t: Tables, out: Emitted, n: int
) -> int:
    """Emit the templates from `lowest` on at q, for each mover's positions before number `end`."""
    for mover in (BLACK, WHITE):
        template_keys(keys, mover, q, t.salt, since.shapes)
        for r in range(lowest, len(t.salt)):
            first = since.first[q, r]
            weight = int64(since.black[end] - since.black[first])
            if mover == WHITE:
                weight = end - first - weight
            if weight > 0:
                n = put(out, n, since.shapes[r], weight, r)
    return n


@kernel
def find_pictures(
    b: Board, side: int, actions: Any, keys: Any, t: Tables, played_only: bool, wanted: Wanted
) -> int:
    """Write the picture of each wanted shape that the game shows; returns how many were new.

    A picture is packed, 2 bits to a point (4 where the view adds something), and turned so that its
    key is smallest: the same for every appearance.
    """
    start_game(b, side, keys, t)
    codes = b.color.copy()
    rings = len(t.salt)
    shapes = np.zeros(rings, np.uint64)
    states = np.zeros(len(t.offset), np.uint8)
    width = 1 if t.sees == PLAIN else 2  # log₂ of the bits to a point
    new = 0
    for i in range(len(actions)):
        a = int64(actions[i])
        p = a & POINT_BITS
        c = (a >> COLOUR_SHIFT) & 3
        if a & SETUP == 0:
            for row in range(1, side + 1):
                for col in range(1, side + 1):
                    q = row * STRIDE + col
                    if codes[q] != EMPTY or (played_only and q != p):
                        continue
                    template_keys(keys, c, q, t.salt, shapes)
                    for r in range(rings):
                        shape = find(wanted.lookup, shapes[r])
                        if shape < 0 or wanted.found[shape]:
                            continue
                        wanted.found[shape] = 1
                        new += 1
                        turn = least_symmetry(keys, c, q, r)
                        start = wanted.starts[shape]
                        for k in range(picture(codes, side, q, c, r, t, turn, states)):
                            place = k << width
                            wanted.pictures[start + (place >> 3)] |= states[k] << (place & 7)
            play(b, p, c)
        else:
            replay(b, actions[i : i + 1])
        follow(keys, codes, b, t)
    return new
