"""Pattern playouts: games in which every move is drawn by its gammas (Coulom 2007, section 4.1)."""

from __future__ import annotations

from typing import Any

from katachi.go.board import Board, copy, play
from katachi.go.kernel import at, inlined, int64, kernel
from katachi.go.playout import MOVES_PER_POINT
from katachi.go.points import AREA, PASS, STRIDE
from katachi.go.rng import fraction
from katachi.go.score import area_score, settled_score
from katachi.search.boosts import boosts, unboost
from katachi.search.gammas import BOOST_BITS, PlayoutGammas
from katachi.search.nakade import vital_point
from katachi.search.sampler import (
    BITS,
    BOOSTED,
    ROWS,
    WEIGHT,
    after_move,
    before_move,
    refresh,
    start,
)


@inlined
def draw(b: Board, s: Any, gammas: PlayoutGammas, c: int, rng: Any) -> int:
    """A move of colour c, drawn with chances proportional to its gammas; PASS if it has none.

    Every legal move has a chance that neither fills an own eye nor is a self-atari of which nothing
    can come (unless gammas.self_atari has ANY).
    """
    if gammas.nakade > 0.0:
        vital = vital_point(b, s, c)
        if vital != PASS and fraction(rng) < gammas.nakade:
            return int64(vital)
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
        # Of sums beyond 2^53 the product may be rounded up to the sum itself.
        r = min(int64(fraction(rng) * (plain + total)), plain + total - 1)
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
    """Write the weight of every point for colour c, boosts, ko and nakade included, into out
    (int64[AREA]); returns their sum.
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
    if gammas.nakade > 0.0:
        vital = vital_point(b, s, c)
        if vital != PASS:
            more = max(int64(total * (gammas.nakade / (1.0 - gammas.nakade))), 1)
            out[at(vital)] += more
            total += more
    return total


@inlined
def pattern_playout(
    b: Board, s: Any, gammas: PlayoutGammas, rng: Any, moves: Any, count: int
) -> int:
    """Play until both pass; the moves go to moves[count:], their new number comes back.

    The sampler must have been started on the board. Stops after MOVES_PER_POINT moves per point.
    """
    left = MOVES_PER_POINT * int64(b.side) * int64(b.side)
    while b.passes < 2 and left > 0:
        c = int64(b.to_move)
        p = draw(b, s, gammas, c, rng)
        if p == PASS:
            play(b, p, c)
        else:
            empties = before_move(b, s, p)
            taken = play(b, p, c)
            after_move(b, s, p, c, taken, empties)
        moves[count] = p
        count += 1
        left -= 1
    return count


@kernel
def pattern_playouts(
    b: Board,
    work: Board,
    s: Any,
    gammas: PlayoutGammas,
    rng: Any,
    moves: Any,
    count: int,
    komi: float,
) -> tuple[int, int, int]:
    """Run `count` playouts from board b on the board `work`, with scratch space for the moves.

    Returns (wins of Black after komi, sum of scores without komi, moves played). b is unchanged.
    """
    wins = 0
    total = 0
    played = 0
    for _ in range(count):
        copy(work, b)
        start(work, s)
        played += pattern_playout(work, s, gammas, rng, moves, 0)
        score = settled_score(work) if work.passes >= 2 else area_score(work)
        total += score
        if score > komi:
            wins += 1
    return wins, total, played
