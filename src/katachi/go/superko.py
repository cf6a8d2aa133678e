"""Positional superko: no move may make the stones stand as they stood before in the game."""

from __future__ import annotations

from typing import Any

from katachi.go.board import NEIGHBOURS, ZOBRIST, Board, is_legal, play
from katachi.go.kernel import int64, kernel
from katachi.go.points import AREA, NONE, PASS, STRIDE


@kernel
def hash_after(b: Board, p: int, c: int) -> Any:
    """The hash of the stones after the legal move p of colour c, without playing it."""
    if p == PASS:
        return b.hash
    result = b.hash ^ ZOBRIST[c * AREA + p]
    first, second, third = NONE, NONE, NONE  # heads of strings counted already
    for d in NEIGHBOURS:
        if b.color[p + d] == 3 - c:
            h = int64(b.head[p + d])
            if b.liberties[h] == 1 and h != first and h != second and h != third:
                third, second, first = second, first, h
                s = h
                while True:
                    result ^= ZOBRIST[(3 - c) * AREA + s]
                    s = int64(b.link[s])
                    if s == h:
                        break
    return result


@kernel
def repeats(b: Board, p: int, c: int, history: Any) -> bool:
    """Whether the legal move p makes a position of `history`, hashes (uint64) of earlier boards.

    A pass never does.
    """
    if p == PASS:
        return False
    after = hash_after(b, p, c)
    for i in range(len(history) - 1, -1, -1):
        if history[i] == after:
            return True
    return False


@kernel
def play_all(b: Board, colours: Any, points: Any, history: Any) -> int:
    """Play these moves, up to the first that is illegal; how many were played.

    The hash after each is written into `history` (uint64), from its beginning on.
    """
    for i in range(len(points)):
        p, c = int64(points[i]), int64(colours[i])
        if not is_legal(b, p, c):
            return i
        play(b, p, c)
        history[i] = b.hash
    return len(points)


@kernel
def legal_without_repeat(b: Board, c: int, history: Any, out: Any) -> int:
    """Write the legal points for colour c that repeat no position of `history`; how many."""
    n = 0
    for row in range(1, b.side + 1):
        for col in range(1, b.side + 1):
            p = row * STRIDE + col
            if is_legal(b, p, c) and not repeats(b, p, c, history):
                out[n] = p
                n += 1
    return n
