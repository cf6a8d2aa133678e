"""`Judge`: who owns the board when a game ends, by simulations for this purpose alone.

A pass and a count must not rest on the tree of the game. There two passes end a simulation with all
stones as they stand, what it holds depends on what was thought before, and a side that is winning
anyway lets stones die. So the judge begins anew at each position, from the stones alone, with
random numbers that depend on them alone: whoever asks, whenever and how often, gets the same.
"""

from __future__ import annotations

import time
from threading import Event
from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.go.points import AREA, BLACK, WHITE
from katachi.go.position import Position
from katachi.go.rng import new_rng
from katachi.search.gammas import GammasBySize, gammas_for
from katachi.search.player import GameState
from katachi.search.settings import SearchSettings
from katachi.search.space import BLACKS, END, FULL, NEXT, SIMULATIONS, WINNERS, Task, options_for
from katachi.search.tree import ROOT, clear_node, new_tree
from katachi.search.widening import thresholds
from katachi.search.worker import Worker

FLAT: Final = 200  # simulations one move deep, with either side to begin: they tell the score,
DEEP: Final = 500  # and simulations in a tree, in which every point beyond that score counts
NODES: Final = 60_000  # of the tree: 3 MB
PIECE: Final = 50  # simulations between two looks at the clock

_SETTINGS: Final = SearchSettings(model_after=-1)
_NEVER: Final = 10**9  # simulations before a leaf gets children


class Judge:
    """Tells owners by playouts with these gammas. One thread at a time may ask."""

    def __init__(self, gammas: GammasBySize) -> None:
        self._gammas = gammas
        self._widths = thresholds(_SETTINGS.widening)
        self._known: tuple[bytes, npt.NDArray[np.float64]] | None = None
        self._worker: Worker | None = None
        self._size = 0

    def owners(
        self, position: Position, longest: float | None = None, stop: Event | None = None
    ) -> npt.NDArray[np.float64] | None:
        """How likely each point ends as Black's, by point, shape (AREA,), whoever is to move: the
        mean of both. None if it would have taken more than `longest` seconds, or `stop` came.
        """
        key = bytes([position.size]) + position.colors.tobytes()
        if self._known is None or self._known[0] != key:
            until = None if longest is None else time.monotonic() + longest
            found = self._asked(position, until, stop)
            if found is None:
                return None
            self._known = key, found
        return self._known[1].copy()

    def _asked(
        self, position: Position, until: float | None, stop: Event | None
    ) -> npt.NDArray[np.float64] | None:
        starts = [
            Position.from_stones(position.size, position.colors, colour)
            for colour in (BLACK, WHITE)
        ]
        score = 0.0
        for start in starts:
            counts = self._simulated(start, FLAT, _NEVER, 0.5, until, stop)
            if counts is None:
                return None
            score += self._score() / 2
        owned = np.zeros(AREA)
        for start in starts:
            komi = round(score) + 0.5
            counts = self._simulated(start, DEEP, _SETTINGS.expand_after, komi, until, stop)
            if counts is None:
                return None
            owned += counts[BLACKS:WINNERS] / (2 * counts[SIMULATIONS])
        return owned

    def _simulated(
        self,
        start: Position,
        count: int,
        expand_after: int,
        komi: float,
        until: float | None,
        stop: Event | None,
    ) -> npt.NDArray[np.int64] | None:
        """The counts (see `space`) of a new search from there; None if there was no time for it."""
        worker = self._ready(start.size)
        options = options_for(_SETTINGS, GameState(start, komi), weighs=False, asks=False)
        task = Task(
            start.board,
            start.history,
            gammas_for(self._gammas, start.size),
            options._replace(expand_after=expand_after),
            self._widths,
            np.zeros(1, np.int64),
        )
        worker.begin()
        worker.space.rng[:] = new_rng(int(start.board.hash) ^ start.to_move)
        worker.space.control[[NEXT, END, FULL]] = 1, NODES, 0
        clear_node(self._tree, ROOT)
        while worker.done < count:
            if (until is not None and time.monotonic() >= until) or (stop and stop.is_set()):
                return None
            worker.simulate(self._tree, task, min(worker.done + PIECE, count))
        return worker.space.counts

    def _score(self) -> float:
        """Black's mean score of the search that has just run."""
        return float(self._tree.scores[ROOT]) / int(self._tree.visits[ROOT])

    def _ready(self, size: int) -> Worker:
        if self._worker is None:
            self._worker = Worker(1)
            self._tree = new_tree(NODES)
        if self._size != size:
            self._worker.think_with(None, size)
            self._size = size
        return self._worker
