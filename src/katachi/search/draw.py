"""Drawing a move with chances proportional to its gammas (Coulom 2007, section 4.1)."""

from __future__ import annotations

from typing import Any

from katachi.go.board import Board
from katachi.go.kernel import at, inlined, int64
from katachi.go.points import AREA, PASS, STRIDE
from katachi.go.rng import fraction
from katachi.search.boosts import boosts, unboost
from katachi.search.gammas import BOOST_BITS, PlayoutGammas
from katachi.search.sampler import BITS, BOOSTED, ROWS, WEIGHT, refresh


@inlined
def draw(b: Board, s: Any, gammas: PlayoutGammas, c: int, rng: Any) -> int:
    """A move of colour c, drawn with chances proportional to its gammas; PASS if it has none.

    Every legal move has a chance that neither fills an own eye nor is a self-atari of which nothing
    can come (unless gammas.self_atari has ANY).
    """
    refresh(b, s, gammas, c)
    boost = gammas.boost
    n = boosts(b, s, c)
    mine = WEIGHT + c * AREA
    rows = ROWS + c * 32
    plain = int64(s[at(rows)])  # of all points without a boost
    total = 0  # of all points with one
    for i in range(n):
        p = int64(s[at(BOOSTED + i)])
        weight = int64(s[at(mine + p)])
        plain -= weight
        total += weight * boost[at(s[at(BITS + p)])]
    plain <<= BOOST_BITS
    move = int64(PASS)
    if plain + total > 0:
        r = int64(fraction(rng) * (plain + total))
        if r < total:
            for i in range(n):
                p = int64(s[at(BOOSTED + i)])
                r -= int64(s[at(mine + p)]) * boost[at(s[at(BITS + p)])]
                if r < 0:
                    move = p
                    break
        else:
            while True:
                # From all points, until it is one without a boost: their chances are then right.
                r = int64(fraction(rng) * s[at(rows)])
                row = 1
                while r >= s[at(rows + row)]:
                    r -= s[at(rows + row)]
                    row += 1
                p = row * STRIDE + 1
                while r >= s[at(mine + p)]:
                    r -= s[at(mine + p)]
                    p += 1
                if s[at(BITS + p)] == 0:
                    move = p
                    break
    unboost(s, n)
    return move


@inlined
def weigh_all(b: Board, s: Any, gammas: PlayoutGammas, c: int, out: Any) -> int:
    """Write the weight of every point for colour c, boosts and ko included, into out (int64[AREA]);
    returns their sum.
    """
    refresh(b, s, gammas, c)
    boost = gammas.boost
    n = boosts(b, s, c)
    total = 0
    for row in range(1, int64(b.side) + 1):
        for col in range(1, int64(b.side) + 1):
            p = row * STRIDE + col
            weight = int64(s[at(WEIGHT + c * AREA + p)]) * boost[at(s[at(BITS + p)])]
            out[at(p)] = weight
            total += weight
    unboost(s, n)
    return total
