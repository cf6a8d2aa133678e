"""Opponents for the page: a player to each of its last visitors, thinking in slices.

Nobody waits for a player: who finds it at work is told so at once. A request that waited would hold
a thread of the server, and the threads of enough of them are all there are.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock
from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.go.points import COLOUR_NAMES, PASS, all_points, vertex
from katachi.go.position import Position
from katachi.models.model import Model
from katachi.search.found import Searched
from katachi.search.gammas import gammas_by_size
from katachi.search.judge import Judge
from katachi.search.pattern_player import PatternPlayer
from katachi.search.player import RESIGN, Budget, Choice, GameState
from katachi.search.settings import parse_settings
from katachi.study.searched import Searcher
from katachi.study.streams import Lines

PATTERN: Final = "pattern"
STRENGTHS: Final = (PATTERN, "50", "200", "800", "3000", "10000")
PLAYERS: Final = 3  # kept while they do nothing; who was away for longest loses the tree
SEARCHES: Final = 10  # at a time
MEMORY_MB: Final = 64  # of each: 10,000 simulations on 19x19 take half of it
OWNER_MB: Final = 16  # of the one that tells owners
SLICES: Final = 20  # in which the thinking is shown
SHOWN: Final = 5  # moves


class Busy(KatachiError):
    """The engine is at work for this visitor (`own`), or for as many as it can be."""

    def __init__(self, text: str, own: bool) -> None:
        super().__init__(text)
        self.own = own


@dataclass
class _Seat:
    """A visitor's player, made when it is first asked for."""

    searcher: Searcher | None = None
    busy: bool = False


class Opponents:
    """Players for several visitors at once; made when they are first asked for."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._lock = Lock()  # held for moments only
        self._seats: OrderedDict[str, _Seat] = OrderedDict()
        self._free: list[Searcher] = []  # players of nobody
        self._owner = _Seat()
        self._judging = Lock()
        self._judge: Judge | None = None
        self._stop = Event()

    def stop(self) -> None:
        """End all thinking, now and for good: what is under way ends without a move."""
        self._stop.set()

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stop.is_set()

    def think(self, visitor: str, strength: str, game: GameState) -> Lines:
        """What the engine thinks, again and again, and at last `move`, which is a vertex, "pass"
        or "resign". It must be closed: until then the visitor's player is at work.

        Raises KatachiError for a strength that there is not, a board it cannot play on and a game
        that is over; Busy if the visitor's player is at work, or too many others are.
        """
        if strength not in STRENGTHS:
            raise KatachiError(f"{strength!r:.20} is no strength: {', '.join(STRENGTHS)}")
        if game.position.board.passes >= 2:
            raise KatachiError("the game is over, since both have passed: go back to play on")
        if strength == PATTERN:
            choice = PatternPlayer(self._model).choose(game, Budget())
            yield {"move": vertex(choice.move, game.position.size), "comment": choice.comment}
            return
        with self._seat(visitor) as searcher:
            yield from self._search(searcher, int(strength), game)

    def _search(self, searcher: Searcher, simulations: int, game: GameState) -> Lines:
        player = searcher.player
        size = game.position.size
        each = max(simulations // SLICES, 50)
        done = 0
        while True:
            found = player.search(
                game, Budget(simulations=min(each, simulations - done)), self._stop
            )
            if self.stopped:
                return
            # Less than asked for where one move is far ahead: then it goes on
            done += found.simulations
            thought = {
                "simulations": done,
                "of": simulations,
                "win_rate": found.win_rate,
                "moves": [
                    {"vertex": vertex(move, size), "visits": visits, "win_rate": rate}
                    for move, visits, rate, _ in found.moves[:SHOWN]
                ],
            }
            if done >= simulations or not found.simulations:
                break
            yield thought
        choice = player.decide(game, found, 0.0)
        passes = choice.move == PASS and bool(found.moves) and found.moves[0][0] != PASS
        yield thought | {
            "move": "resign" if choice.move == RESIGN else vertex(choice.move, size),
            # The rate is that of the best move on the board, which a pass is not
            "win_rate": None if passes else choice.win_rate,
            "line": [] if passes else [vertex(p, size) for p in choice.line],
            "comment": _comment(game, found, choice, passes),
        }

    def owners(self, game: GameState) -> dict[str, float]:
        """Vertex → how likely it ends as Black's. Raises Busy if it is at work for somebody."""
        with self._lock:
            if self._owner.busy:
                raise Busy("the owners of another position are on their way: ask again", own=False)
            self._owner.busy = True
        try:
            if self._owner.searcher is None:
                self._owner.searcher = Searcher(self._model, memory_mb=OWNER_MB)
            found = self._owner.searcher.owners(game, self._stop)
        finally:
            self._owner.busy = False
        size = game.position.size
        return {vertex(p, size): round(float(found[p]), 3) for p in all_points(size) if p != PASS}

    def judged(self, position: Position) -> npt.NDArray[np.float64]:
        """[point] how likely it ends as Black's, by the judge of games that are over. Raises Busy
        if it is at work for somebody, or the server ends.
        """
        if not self._judging.acquire(blocking=False):
            raise Busy("the end of another game is being counted: ask again", own=False)
        try:
            if self._judge is None:
                self._judge = Judge(gammas_by_size(self._model, parse_settings({})))
            found = self._judge.owners(position, stop=self._stop)
        finally:
            self._judging.release()
        if found is None:
            raise Busy("the server has ended: start katachi study again", own=False)
        return found

    @contextmanager
    def _seat(self, visitor: str) -> Iterator[Searcher]:
        """The visitor's player, for this one request alone."""
        with self._lock:
            seat = self._seats.get(visitor, _Seat())
            if seat.busy:
                raise Busy("the engine still thinks about your last request: ask again", own=True)
            if sum(other.busy for other in self._seats.values()) >= SEARCHES:
                raise Busy(
                    "the engine plays with too many others: ask again in a minute", own=False
                )
            seat.busy = True
            self._seats[visitor] = seat
            self._seats.move_to_end(visitor)
            if not self._free:
                self._spare()
            if seat.searcher is None and self._free:
                seat.searcher = self._free.pop()
                seat.searcher.player.clear()
            self._spare()
        try:
            if seat.searcher is None:
                seat.searcher = Searcher(self._model, memory_mb=MEMORY_MB)
            yield seat.searcher
        finally:
            with self._lock:
                seat.busy = False
                self._spare()

    def _spare(self) -> None:
        """Take the players of those who were away for longest, while there are too many. They are
        used again: to ask the system for as much memory each time makes the process grow.
        """
        idle = [name for name, seat in self._seats.items() if not seat.busy]
        for name in idle[: max(len(self._seats) - PLAYERS, 0)]:
            searcher = self._seats.pop(name).searcher
            if searcher is not None and len(self._seats) + len(self._free) <= PLAYERS:
                self._free.append(searcher)


def _comment(game: GameState, found: Searched, choice: Choice, passes: bool) -> str:
    """What the engine says of its move. A win rate is told with the simulations it is the mean of:
    those that began with the move, which are fewer than all.
    """
    who = COLOUR_NAMES[game.position.to_move].capitalize()
    if passes:
        return f"{who} passes: the fate of every stone is settled, and {who} wins as it stands"
    best, visits, rate = _best(found, choice)
    of = f"{visits:,} of {found.visits:,} simulations"
    if choice.move == RESIGN:
        return f"{who} resigns: {vertex(best, game.position.size)} wins {rate:.1%} of {of}"
    line = " ".join(vertex(p, game.position.size) for p in choice.line)
    expected = f"; expected {line}" if line else ""
    return f"{who} {vertex(best, game.position.size)} wins {rate:.1%} of {of}{expected}"


def _best(found: Searched, choice: Choice) -> tuple[int, int, float]:
    """(move, visits, win rate) of the move chosen, or of the one given up by resigning."""
    for move, visits, rate, _ in found.moves:
        if move == choice.move or (choice.move == RESIGN and rate == choice.win_rate):
            return move, visits, rate
    return PASS, 0, found.win_rate
