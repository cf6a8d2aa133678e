"""The engine's opinion, where one asks for it: only a search may say that a move is better."""

from __future__ import annotations

from typing import Any

from katachi.go.points import vertex
from katachi.learning.model import Model
from katachi.search.engine import SearchPlayer, search_player
from katachi.search.player import Budget, Game


class Searcher:
    """A search with a model. Raises KatachiError if it has no playout gammas."""

    def __init__(self, model: Model, *, memory_mb: int = 128, seed: int = 1) -> None:
        self.player: SearchPlayer = search_player(model, memory_mb=memory_mb, seed=seed)

    def moves(self, game: Game, budget: Budget) -> dict[int, tuple[int, float]]:
        """Move → (visits, win rate for the side to move), the most visited first."""
        found = self.player.search(game, budget)
        return {move: (visits, rate) for move, visits, rate, _ in found.moves}

    def compare(self, game: Game, move: int, budget: Budget) -> dict[str, Any]:
        """Of the best move by a search, and of the one given: `best`, `best_win_rate` and
        `win_rate`. The one given is searched apart, from the position after it, where that is
        another: the tree hardly looks at moves it thinks little of.
        """
        self.player.clear()
        found = self.moves(game, budget)
        if not found:
            return {}
        best = next(iter(found))
        rate = found[best][1]
        own = rate
        if move != best:
            after = game.position.copy()
            after.play(move)
            self.player.clear()
            own = 1.0 - self.player.search(Game(after, game.komi, game.rules), budget).win_rate
        return {
            "best": vertex(best, game.position.size), "best_win_rate": rate, "win_rate": own,
        }  # fmt: skip
