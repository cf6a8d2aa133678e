"""When to pass: the end of a game is told by who owns what, as `katachi.search.judge` finds it."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.go.points import BLACK, EMPTY, PASS, all_points
from katachi.search.final import dead_strings, final_score, open_points, seki_strings, without
from katachi.search.player import GameState

SETTLED: Final = 0.9  # share of simulations that settles who owns a point


def wants_to_pass(game: GameState, black: npt.NDArray[np.float64], best: int) -> bool:
    """Whether passing is better than the move `best`, which the simulations prefer.

    `black`: how likely each point ends as Black's. The opponent's pass is answered by a pass if
    that wins, dead stones removed, and every string's fate is sure; by tromp-taylor no string's
    fate is in doubt. Without it, under japanese rules, there is no reason to play on settled
    ground: it only costs points.
    """
    if best == PASS:
        return True
    if not may_want_to_pass(game, black, best) or not wins_as_it_stands(game, black):
        return False
    return game.rules == "tromp-taylor" or _strings_settled(game, black)


def may_want_to_pass(game: GameState, black: npt.NDArray[np.float64], best: int) -> bool:
    """Whether the end may have come: it needs no judge where it has not."""
    if game.cleanup:
        return False
    if game.position.board.passes > 0:
        return True
    share = float(black[best])
    return game.rules == "japanese" and (share > SETTLED or share < 1 - SETTLED)


def wins_as_it_stands(game: GameState, black: npt.NDArray[np.float64]) -> bool:
    """Whether the side to move wins if the game ends here, dead stones removed where the rules do,
    even if every point that reaches both colours went to the opponent: whoever counts need not
    agree about those.

    In the tree two passes end a game with all stones alive, which may look like a win.
    """
    score = final_score(game.position, black, game.komi, game.rules, closed=True)
    lead = score if game.position.to_move == BLACK else -score
    if game.rules == "tromp-taylor":
        return lead > 0
    return lead - len(open_points(game.position, black)) > 0


def loses_as_it_stands(game: GameState, black: npt.NDArray[np.float64]) -> bool:
    """Whether the side to move loses by the count if the game ends here."""
    score = final_score(game.position, black, game.komi, game.rules)
    return score < 0 if game.position.to_move == BLACK else score > 0


def has_dead(game: GameState, black: npt.NDArray[np.float64], colour: int) -> bool:
    """Whether a string of this colour is dead."""
    position = game.position
    return any(position.stone(s[0]) == colour for s in dead_strings(position, black))


def _strings_settled(game: GameState, black: npt.NDArray[np.float64]) -> bool:
    """Whether every stone on the board is surely alive, surely dead, or in a seki."""
    position = game.position
    stones = [p for p in all_points(position.size) if position.board.color[p] != EMPTY]
    unsure = {p for p in stones if 1 - SETTLED <= black[p] <= SETTLED}
    if not unsure:
        return True
    living = without(position, dead_strings(position, black))
    return unsure <= {p for string in seki_strings(living) for p in string}
