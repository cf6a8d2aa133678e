"""What came out of a search, read off its tree and its counts, and whether it is enough."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.go.points import AREA, BLACK, PASS, all_points
from katachi.search.player import Budget, GameState
from katachi.search.space import BLACK_WINS, BLACKS, SIMULATIONS, WINNERS
from katachi.search.tree import FORBIDDEN, ROOT, SearchTree, children_of

LONGER: Final = 1.5  # times the time aimed at, if the two best moves are close
WON: Final = 0.97  # win rate of a game that needs little thought any more,
LITTLE: Final = 0.25  # this share of the time aimed at


@dataclass(frozen=True)
class Searched:
    """What the simulations of one search say, for the side to move."""

    # (move, visits, win rate, prior), the best (`weights`) first, then the most visited
    moves: list[tuple[int, int, float, float]]
    simulations: int  # new ones; visits include those kept from before
    win_rate: float
    black: npt.NDArray[np.float64]  # [point] share of simulations in which it ended as Black's
    criticality: npt.NDArray[np.float64]  # [point] how much more often the winner's than by chance
    visits: int = 0  # of the root
    lead: float = 0.0  # its mean score, komi counted,
    deviation: float = 0.0  # and how far single simulations are from it
    leads: tuple[tuple[float, float], ...] = ()  # (lead, deviation) of each of `moves`


def rate_error(rate: float, visits: int) -> float:
    """The standard error of a win rate that so many simulations say, at least one: as if they were
    independent of each other. Where all were won, or lost, it is not 0.
    """
    return math.sqrt(max(rate * (1.0 - rate), 0.25 / (visits + 1)) / visits)


def lead_error(deviation: float, visits: int) -> float:
    """The standard error of a mean score, from the deviation of its simulations, at least one: as
    if they were independent. One simulation says nothing of it: the error is then infinite.
    """
    return deviation / math.sqrt(visits - 1) if visits > 1 else math.inf


def weights(tree: SearchTree, won: float) -> npt.NDArray[np.float64]:
    """How much speaks for each of the root's children: its visits, and lean·`won` more, the prior
    simulations that the search began with (see `simulate`). There must be children.

    After thousands of simulations the visits alone decide. After some hundreds they say little:
    a move that the model finds absurd has often had the most, since random games went well with it.
    Passing has no more than its visits: whether the game is over is not the model's to say.
    """
    children = children_of(tree, ROOT)
    visits = tree.visits[children]
    return np.where(tree.move[children] == PASS, visits, visits + won * tree.lean[children])


def leaders(tree: SearchTree, won: float) -> tuple[float, float, bool, float]:
    """What speaks for the two best moves (`weights`), whether the first has the better win rate,
    too, and that rate. Threads may search meanwhile.
    """
    children = children_of(tree, ROOT)
    if not tree.children[ROOT]:
        return 0.0, 0.0, True, 0.5
    worth = weights(tree, won)
    if len(worth) < 2:
        return float(worth[0]), -1.0, True, 0.5
    best, next_ = np.argsort(-worth, kind="stable")[:2]
    visits = tree.visits[children]
    rates = tree.wins[children] / np.maximum(visits, 1)
    agreed = rates[best] >= rates[next_] or visits[next_] * 2 < visits[best]
    return float(worth[best]), float(worth[next_]), bool(agreed), float(rates[best])


def is_enough(tree: SearchTree, prior_won: float, budget: Budget, done: int, spent: float) -> bool:
    """Whether a search with this budget should end after `done` simulations in `spent` seconds:
    the budget is used up, or what is left of it cannot change the best move.
    """
    if budget.limit is not None and spent >= budget.limit:
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


def searched(
    tree: SearchTree, counts: npt.NDArray[np.int64], game: GameState, won: float
) -> Searched:
    """What the tree and the counts (see `simulate`) of a search of this game say, `won` being its
    prior simulations. No thread may search meanwhile.
    """
    simulations = int(counts[SIMULATIONS])
    each = max(simulations, 1)
    # Without any simulation nobody knows.
    share = counts[BLACKS:WINNERS] / each if simulations else np.full(AREA, 0.5)
    black_wins = int(counts[BLACK_WINS]) / each
    # By chance alone, were owner and winner independent (Pellegrino et al. 2009, Coulom 2009)
    chance = share * black_wins + (1.0 - share) * (1.0 - black_wins)
    critical = np.zeros(AREA)
    if simulations:
        points = all_points(game.position.size)
        critical[points] = (counts[WINNERS:] / each - chance)[points]
    moves = []
    leads = []
    for node in _best_first(tree, won) if tree.children[ROOT] else []:
        visits = int(tree.visits[node])
        if visits <= 0 or tree.state[node] & FORBIDDEN:
            continue
        moves.append((int(tree.move[node]), visits, _rate(tree, node), float(tree.prior[node])))
        leads.append(_lead(tree, node, game))
    root = max(int(tree.visits[ROOT]), max((visits for _, visits, _, _ in moves), default=0))
    rate = _rate(tree, ROOT)
    lead, deviation = _lead(tree, ROOT, game)
    return Searched(
        moves, simulations, 1.0 - rate, share, critical, root, lead, deviation, tuple(leads)
    )


def _best_first(tree: SearchTree, won: float) -> list[int]:
    """The root's children, the best first, then the most visited. Where passing is the best, it is
    followed by the best of the others, since it may not be wanted.
    """
    children = children_of(tree, ROOT)
    visits = tree.visits[children]
    worth = weights(tree, won)
    worth[visits <= 0] = -1.0
    best = [int(i) for i in np.argsort(-worth, kind="stable")[:2]]
    if tree.move[children.start + best[0]] != PASS:
        del best[1:]
    others = [int(i) for i in np.argsort(-visits, kind="stable") if i not in best]
    return [children.start + i for i in best + others]


# Several threads add to one node without a lock, and now and then one of two additions is lost.
# So a sum may be a little too large for its visits, and is cut to what is possible.


def _rate(tree: SearchTree, node: int) -> float:
    """The share of its simulations that the player who moved to the node won."""
    return min(max(float(tree.wins[node]) / max(int(tree.visits[node]), 1), 0.0), 1.0)


def _lead(tree: SearchTree, node: int, game: GameState) -> tuple[float, float]:
    """(mean, standard deviation) of the score of its simulations for the side to move at the root,
    komi counted.
    """
    most = float(game.position.size**2)
    n = max(int(tree.visits[node]), 1)
    mean = min(max(float(tree.scores[node]) / n, -most), most)
    variance = float(tree.squares[node]) / n - mean * mean
    lead = mean - game.komi
    spread = math.sqrt(min(max(variance, 0.0), most * most))
    return lead if game.position.to_move == BLACK else -lead, spread
