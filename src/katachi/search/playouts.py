"""Pattern playouts: games in which every move is drawn by its gammas (Coulom 2007, section 4.1)."""

from __future__ import annotations

from typing import Any

from katachi.go.board import Board, copy, play
from katachi.go.kernel import inlined, int64, kernel
from katachi.go.playout import MOVES_PER_POINT
from katachi.go.points import PASS
from katachi.go.score import area_score, settled_score
from katachi.search.draw import draw
from katachi.search.gammas import PlayoutGammas
from katachi.search.sampler import after_move, before_move, start


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
