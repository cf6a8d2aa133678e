"""When a search has done enough."""

from __future__ import annotations

from typing import Final

from katachi.search.found import leaders
from katachi.search.player import Budget
from katachi.search.tree import SearchTree

LONGER: Final = 1.5  # times the time aimed at, if the two best moves are close
WON: Final = 0.97  # win rate of a game that needs little thought any more,
LITTLE: Final = 0.25  # this share of the time aimed at


def is_enough(tree: SearchTree, prior_won: float, budget: Budget, done: int, spent: float) -> bool:
    """Whether a search with this budget should end after `done` simulations in `spent` seconds:
    the budget is used up, or what is left of it cannot change the best move.
    """
    longest = budget.longest if budget.longest is not None else budget.seconds
    if longest is not None and spent >= longest:
        return True
    left = float("inf") if budget.simulations is None else float(budget.simulations - done)
    if left <= 0:
        return True
    first, second, agreed, rate = leaders(tree, prior_won)
    if budget.seconds is not None:
        until = budget.seconds * (LITTLE if rate > WON else 1.0)
        if spent >= until and not agreed and budget.longest is not None:
            until = min(budget.longest, LONGER * budget.seconds)
        if spent >= until:
            return True
        left = min(left, done / max(spent, 1e-9) * (until - spent))
    # Even if all the rest went to the second move, it would not overtake the first.
    return first - second > left
