"""Opponents for the page: a player to each of its last visitors, thinking in slices."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock
from typing import Any, Final

from katachi.errors import KatachiError
from katachi.go.points import PASS, all_points, vertex
from katachi.learning.model import Model
from katachi.search.pattern_player import PatternPlayer
from katachi.search.player import RESIGN, Budget, Game
from katachi.study.searched import Searcher

PATTERN: Final = "pattern"
STRENGTHS: Final = (PATTERN, "200", "2000", "10000")
PLAYERS: Final = 3  # at most; whoever has waited longest for a move loses the tree
MEMORY_MB: Final = 96  # of each
SLICES: Final = 20  # in which the thinking is shown
SHOWN: Final = 5  # moves


class Engines:
    """Players for several visitors at once; made when they are first asked for."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._lock = Lock()
        self._players: OrderedDict[str, tuple[Searcher, Lock]] = OrderedDict()
        self._owner: tuple[Searcher, Lock] | None = None

    def think(self, visitor: str, strength: str, game: Game) -> Iterator[dict[str, Any]]:
        """What the engine thinks, again and again, and at last `move`, which is a vertex, "pass"
        or "resign".

        Raises KatachiError for a strength that there is not, or a board it cannot play on.
        """
        if strength not in STRENGTHS:
            raise KatachiError(f"{strength!r:.20} is no strength: {', '.join(STRENGTHS)}")
        size = game.position.size
        if strength == PATTERN:
            choice = PatternPlayer(self._model).choose(game, Budget())
            yield {"move": vertex(choice.move, size), "comment": choice.comment}
            return
        searcher, lock = self._of(visitor)
        with lock:
            player = searcher.player
            simulations = int(strength)
            each = max(simulations // SLICES, 50)
            done = 0
            while done + each < simulations:
                found = player.search(game, Budget(simulations=each))
                done += each
                yield {
                    "simulations": done,
                    "of": simulations,
                    "win_rate": found.win_rate,
                    "moves": [
                        {"vertex": vertex(move, size), "visits": visits, "win_rate": rate}
                        for move, visits, rate, _ in found.moves[:SHOWN]
                    ],
                }
            choice = player.choose(game, Budget(simulations=simulations - done))
        move = "resign" if choice.move == RESIGN else vertex(choice.move, size)
        yield {
            "move": move,
            "win_rate": choice.win_rate,
            "line": [vertex(p, size) for p in choice.line],
            "comment": choice.comment,
        }

    def owners(self, game: Game) -> dict[str, float]:
        """Vertex → how likely it ends as Black's."""
        with self._lock:
            if self._owner is None:
                self._owner = Searcher(self._model, memory_mb=MEMORY_MB), Lock()
        searcher, lock = self._owner
        with lock:
            searcher.player.clear()
            found = searcher.player.owners(game)
        size = game.position.size
        return {vertex(p, size): round(float(found[p]), 3) for p in all_points(size) if p != PASS}

    def _of(self, visitor: str) -> tuple[Searcher, Lock]:
        with self._lock:
            if visitor not in self._players:
                self._players[visitor] = Searcher(self._model, memory_mb=MEMORY_MB), Lock()
                while len(self._players) > PLAYERS:
                    self._players.popitem(last=False)
            self._players.move_to_end(visitor)
            return self._players[visitor]
