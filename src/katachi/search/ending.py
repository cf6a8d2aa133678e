"""When to pass: the end of a game is told by who owns what at the end of the simulations."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.go.points import BLACK, EMPTY, PASS, all_points
from katachi.search.final import final_score
from katachi.search.player import GameState

SETTLED: Final = 0.9  # share of simulations that settles who owns a point


def wants_to_pass(game: GameState, black: npt.NDArray[np.float64], best: int) -> bool:
    """Whether passing is better than the move `best`, which the simulations prefer.

    `black`: how likely each point ends as Black's. The opponent's pass is answered by a pass if
    that wins, dead stones removed, and every string's fate is sure. Without it, under japanese
    rules, there is no reason to play on settled ground: it only costs points.
    """
    if best == PASS:
        return True
    if game.cleanup or not _strings_settled(game, black):
        return False
    winning = wins_as_it_stands(game, black)
    if game.position.board.passes > 0:
        return winning
    if game.rules == "japanese":
        share = float(black[best])
        return winning and (share > SETTLED or share < 1 - SETTLED)
    return False


def wins_as_it_stands(game: GameState, black: npt.NDArray[np.float64]) -> bool:
    """Whether the side to move wins if the game ends here, dead stones removed where the rules do.

    In the tree two passes end a game with all stones alive, which may look like a win.
    """
    score = final_score(game.position, black, game.komi, game.rules)
    return score > 0 if game.position.to_move == BLACK else score < 0


def _strings_settled(game: GameState, black: npt.NDArray[np.float64]) -> bool:
    """Whether every stone on the board is surely alive, or surely dead."""
    stones = [p for p in all_points(game.position.size) if game.position.board.color[p] != EMPTY]
    share = black[stones]
    return bool(np.all((share > SETTLED) | (share < 1 - SETTLED)))
