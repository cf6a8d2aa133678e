"""The engine's opinion, where one asks for it: only a search may say that a move is better."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Event
from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.go.points import vertex
from katachi.go.position import Position
from katachi.models.model import Model
from katachi.search.engine import OWNER_BUDGET, SearchPlayer, search_player
from katachi.search.player import Budget, GameState, resumed
from katachi.study.wire import usable_komi

USUAL_KOMI = 7.5


def terms_of(position: Position, komi: float | None) -> GameState:
    """The position with the komi of its record; with the usual one where that has none to use."""
    known = komi is not None and usable_komi(komi)
    return GameState(position, komi=komi if komi is not None and known else USUAL_KOMI)


@dataclass(frozen=True)
class Judgement:
    """What a search says of the moves it looked at, for the side to move."""

    rates: dict[int, tuple[int, float]]  # move → (visits, win rate), the best first
    best: int  # the engine's own move: a point or PASS, whether it is in `rates` or not
    best_rate: float  # win rate
    simulations: int  # of all moves together, those kept from before included


class Searcher:
    """A search with a model. Raises KatachiError if it has no playout gammas."""

    def __init__(self, model: Model, *, memory_mb: int = 128, seed: int = 1) -> None:
        self.player: SearchPlayer = search_player(model, memory_mb=memory_mb, seed=seed)

    def moves(self, game: GameState, budget: Budget) -> Judgement:
        """What a search of the game says. The game must not be over."""
        found = self.player.search(game, budget)
        choice = self.player.decide(replace(game, may_resign=False), found, 0.0)
        rates = {move: (visits, rate) for move, visits, rate, _ in found.moves}
        rate = found.win_rate if choice.win_rate is None else choice.win_rate
        return Judgement(rates, choice.move, rate, found.visits)

    def compare(self, game: GameState, move: int, budget: Budget) -> dict[str, Any]:
        """Of the best move by a search, and of the one given: `best`, `best_win_rate` and
        `win_rate`. The one given is searched apart, from the position after it, where that is
        another: the tree hardly looks at moves it thinks little of.
        """
        self.player.clear()
        found = self.moves(game, budget)
        if not found.rates:
            return {}
        own = found.best_rate
        if move != found.best:
            after = game.position.copy()
            after.play(move)
            self.player.clear()
            own = 1.0 - self.player.search(replace(game, position=after), budget).win_rate
        return {
            "best": vertex(found.best, game.position.size),
            "best_win_rate": found.best_rate,
            "win_rate": own,
        }

    def owners(self, game: GameState, stop: Event) -> npt.NDArray[np.float64]:
        """[point] how likely it ends as Black's, by a new search that `stop` ends."""
        self.player.clear()
        return self.player.search(resumed(game), OWNER_BUDGET, stop).black
