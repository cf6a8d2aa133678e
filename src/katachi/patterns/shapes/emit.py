"""What a game shows: the kernels that walk through it and emit the keys that appear.

By the paper's rule every empty point of every position counts, under every template, as the player
to move sees it. A shape that stays unchanged for twenty moves is emitted once, with the number of
positions in which each colour was to move: 20 times fewer keys than counting position by position.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from katachi.go.board import Board, clear, play
from katachi.go.kernel import at, int64, kernel
from katachi.go.points import AREA, BLACK, EMPTY, PASS, STRIDE, WHITE
from katachi.patterns.shapes.keys import (
    code_of,
    follow,
    least_symmetry,
    picture,
    start_keys,
    template_keys,
    toggle,
)
from katachi.patterns.shapes.lookup import find
from katachi.patterns.shapes.templates import PLAIN
from katachi.records.actions import COLOUR_SHIFT, POINT_BITS, SETUP, replay


@kernel
def emit_played(
    b: Board,
    side: int,
    actions: Any,
    keys: Any,
    empty_keys: Any,
    zobrist: Any,
    ring: Any,
    start: Any,
    seen_from: Any,
    seen_as: Any,
    salt: Any,
    view: int,
    out_keys: Any,
    out_weights: Any,
    out_rings: Any,
) -> int:
    """Write the keys of all templates around each played move; returns how many.

    More may be returned than the arrays hold: then only that many were written.
    """
    clear(b, side)
    start_keys(keys, empty_keys)
    codes = b.color.copy()
    rings = len(salt)
    shapes = np.zeros(rings, np.uint64)
    n = 0
    for i in range(len(actions)):
        a = int64(actions[i])
        p = a & POINT_BITS
        c = (a >> COLOUR_SHIFT) & 3
        if a & SETUP == 0 and p != PASS:
            template_keys(keys, c, p, salt, shapes)
            for r in range(rings):
                if n < len(out_keys):
                    out_keys[n] = shapes[r]
                    out_weights[n] = 1
                    out_rings[n] = r
                n += 1
        taken = 0
        if a & SETUP:
            replay(b, actions[i : i + 1])
        else:
            taken = play(b, p, c)
        if a & SETUP or taken or view != PLAIN:
            follow(keys, codes, b, view, zobrist, ring, start, seen_from, seen_as)
        elif p != PASS:
            toggle(keys, p, c, zobrist, ring, start, seen_from, seen_as)
            codes[p] = c
    return n


@kernel
def emit_candidates(
    b: Board,
    side: int,
    actions: Any,
    keys: Any,
    empty_keys: Any,
    zobrist: Any,
    ring: Any,
    start: Any,
    seen_from: Any,
    seen_as: Any,
    salt: Any,
    view: int,
    out_keys: Any,
    out_weights: Any,
    out_rings: Any,
) -> int:
    """Write the keys around every empty point of every position before a move; returns how many.

    More may be returned than the arrays hold: then only that many were written.
    """
    clear(b, side)
    start_keys(keys, empty_keys)
    codes = b.color.copy()
    rings = len(salt)
    shapes = np.zeros(rings, np.uint64)
    since = np.zeros((AREA, rings), np.int32)  # the first position not yet emitted
    lowest = np.full(AREA, rings, np.uint8)  # the smallest ring that changes at a point now
    marked = np.zeros(AREA, np.int16)
    black = np.zeros(len(actions) + 1, np.int32)  # positions before t with Black to move
    t = 0
    n = 0
    for i in range(len(actions)):
        a = int64(actions[i])
        p = a & POINT_BITS
        c = (a >> COLOUR_SHIFT) & 3
        end = t  # positions [since, end) have had the shapes that are now to change
        if a & SETUP:
            replay(b, actions[i : i + 1])
        else:
            black[t + 1] = black[t] + (1 if c == BLACK else 0)
            t += 1
            end = t
            play(b, p, c)
        marks = 0
        for row in range(1, side + 1):
            for col in range(1, side + 1):
                q = row * STRIDE + col
                if codes[q] == code_of(b, q, view):
                    continue
                if lowest[q] == rings:
                    marked[marks] = q
                    marks += 1
                lowest[q] = 0
                for j in range(start[q], start[q + 1]):
                    s = seen_from[at(j)]
                    r = ring[at(seen_as[at(j)])]
                    if lowest[s] == rings:
                        marked[marks] = s
                        marks += 1
                    if r < lowest[s]:
                        lowest[s] = r
        for m in range(marks):
            q = int64(marked[m])
            if codes[q] == EMPTY:
                n = _emit_point(
                    keys,
                    q,
                    int64(lowest[q]),
                    end,
                    since,
                    black,
                    salt,
                    shapes,
                    out_keys,
                    out_weights,
                    out_rings,
                    n,
                )
            for r in range(lowest[q], rings):
                since[q, r] = end
            lowest[q] = rings
        follow(keys, codes, b, view, zobrist, ring, start, seen_from, seen_as)
    for row in range(1, side + 1):
        for col in range(1, side + 1):
            q = row * STRIDE + col
            if codes[q] == EMPTY:
                n = _emit_point(
                    keys, q, 0, t, since, black, salt, shapes, out_keys, out_weights, out_rings, n
                )
    return n


@kernel
def _emit_point(
    keys: Any,
    q: int,
    lowest: int,
    end: int,
    since: Any,
    black: Any,
    salt: Any,
    shapes: Any,
    out_keys: Any,
    out_weights: Any,
    out_rings: Any,
    n: int,
) -> int:
    """Emit the templates from `lowest` on at q, for the positions [since, end) of each mover."""
    for mover in (BLACK, WHITE):
        template_keys(keys, mover, q, salt, shapes)
        for r in range(lowest, len(salt)):
            first = since[q, r]
            weight = int64(black[end] - black[first])
            if mover == WHITE:
                weight = end - first - weight
            if weight > 0:
                if n < len(out_keys):
                    out_keys[n] = shapes[r]
                    out_weights[n] = weight
                    out_rings[n] = r
                n += 1
    return n


@kernel
def find_pictures(
    b: Board,
    side: int,
    actions: Any,
    keys: Any,
    empty_keys: Any,
    zobrist: Any,
    ring: Any,
    start: Any,
    seen_from: Any,
    seen_as: Any,
    salt: Any,
    view: int,
    offset: Any,
    image: Any,
    points: Any,
    played_only: bool,
    table: Any,
    index_of: Any,
    starts: Any,
    found: Any,
    pictures: Any,
) -> int:
    """Write the picture of each wanted key that the game shows; returns how many were new.

    `table` and `index_of` are those of `lookup_table`; shape i goes to pictures[starts[i]:], packed
    2 bits to a point (4 where
    the view adds something), turned so that its key is smallest: the same for every appearance.
    """
    clear(b, side)
    start_keys(keys, empty_keys)
    codes = b.color.copy()
    rings = len(salt)
    shapes = np.zeros(rings, np.uint64)
    states = np.zeros(len(offset), np.uint8)
    width = 1 if view == PLAIN else 2  # log₂ of the bits to a point
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
                    template_keys(keys, c, q, salt, shapes)
                    for r in range(rings):
                        shape = find(table, index_of, shapes[r])
                        if shape < 0 or found[shape]:
                            continue
                        found[shape] = 1
                        new += 1
                        turn = least_symmetry(keys, c, q, r)
                        count = int64(points[r])
                        picture(codes, side, q, c, count, offset, image, turn, states)
                        for k in range(count):
                            place = k << width
                            pictures[starts[shape] + (place >> 3)] |= states[k] << (place & 7)
            play(b, p, c)
        else:
            replay(b, actions[i : i + 1])
        follow(keys, codes, b, view, zobrist, ring, start, seen_from, seen_as)
    return new
