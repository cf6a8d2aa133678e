"""Uniform random playouts: every legal move that fills no own eye is equally likely."""

from __future__ import annotations

from typing import Any

from katachi.go.board import Board, copy, is_legal, is_own_eye, play
from katachi.go.kernel import inlined, int64, kernel
from katachi.go.points import PASS
from katachi.go.rng import below
from katachi.go.score import area_score, settled_score

MOVES_PER_POINT = 3  # a playout ends after this many moves per point, whatever still happens


@inlined
def random_move(b: Board, c: int, rng: Any) -> int:
    """A uniformly drawn legal move of colour c that fills no own eye, or PASS if there is none.

    Reorders the list of empty points, nothing else.
    """
    n = int64(b.empties)
    while n > 0:
        i = below(rng, n)
        p = int64(b.empty[i])
        if is_legal(b, p, c) and not is_own_eye(b, p, c):
            return p
        # Not playable: out of the draw, to the end of the part still drawn from.
        n -= 1
        last = b.empty[n]
        b.empty[n] = p
        b.empty[i] = last
        b.place[p] = n
        b.place[last] = i
    return int64(PASS)


@kernel
def playout(b: Board, rng: Any) -> int:
    """Play random moves until both pass; returns black's area minus white's at the end.

    The board is left at the final position. Only simple ko is forbidden, so the length is bounded.
    A game that is over already is scored as it stands.
    """
    if b.passes >= 2:
        return area_score(b)
    left = MOVES_PER_POINT * b.side * b.side
    while b.passes < 2 and left > 0:
        c = int64(b.to_move)
        play(b, random_move(b, c, rng), c)
        left -= 1
    return settled_score(b) if b.passes >= 2 else area_score(b)


@kernel
def playouts(b: Board, work: Board, rng: Any, count: int, komi: float) -> tuple[int, int, int]:
    """Run `count` playouts from board b on the board `work`.

    Returns (wins of Black after komi, sum of scores without komi, moves played). b is unchanged.
    """
    wins = 0
    total = 0
    moves = 0
    for _ in range(count):
        copy(work, b)
        score = playout(work, rng)
        total += score
        moves += work.moves - b.moves
        if score > komi:
            wins += 1
    return wins, total, moves
