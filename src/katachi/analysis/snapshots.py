"""What a search under way says of its moves, as numbers: for analysis streams and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.go.points import BLACK, all_points
from katachi.search.engine import SearchPlayer
from katachi.search.found import rate_error
from katachi.search.player import Budget, GameState

FOREVER: Final = 1e9  # seconds
MOST_MOVES: Final = 40  # moves that are told
_DEVIATIONS: Final = 1.96  # below the win rate: the lower confidence bound


@dataclass(frozen=True)
class Line:
    """One move of the root, for the side to move."""

    move: int
    visits: int
    win_rate: float
    prior: float
    lower: float  # confidence bound of the win rate
    lead: float  # mean score of its simulations, komi counted,
    deviation: float  # and how far single ones are from it
    moves: tuple[int, ...]  # expected, beginning with this one,
    visits_of: tuple[int, ...]  # and the visits of each


@dataclass(frozen=True)
class Analysis:
    """What was found so far, for the side to move."""

    lines: tuple[Line, ...]  # the best first
    visits: int
    win_rate: float
    lead: float  # mean area of the side to move less the other's, komi counted,
    deviation: float  # and how far single simulations are from it
    owners: npt.NDArray[np.float64]  # [points of the board, row by row] 1 its own, -1 the other's


def snapshot(player: SearchPlayer, game: GameState) -> Analysis:
    """What the simulations say so far; to be asked while another thread searches, too."""
    found, expected = player.snapshot(game, MOST_MOVES)
    lines = []
    each = zip(found.moves, found.leads, expected, strict=False)
    for (move, visits, rate, prior), (lead, deviation), expects in each:
        lower = max(rate - _DEVIATIONS * rate_error(rate, visits), 0.0)
        moves, counts = (tuple(column) for column in zip(*expects, strict=True))
        lines.append(Line(move, visits, rate, prior, lower, lead, deviation, moves, counts))
    position = game.position
    sign = 1.0 if position.to_move == BLACK else -1.0
    owners = sign * (2.0 * found.black[all_points(position.size)] - 1.0)
    return Analysis(tuple(lines), found.visits, found.win_rate, found.lead, found.deviation, owners)


@contextmanager
def thinking(
    player: SearchPlayer, game: GameState, stop: Event, budget: Budget | None = None
) -> Iterator[Callable[[float], bool]]:
    """Search in another thread while the context lasts, until `stop` or the end of the budget.

    Gives a function that waits so many seconds, or until the search has ended, and says whether it
    still goes on.
    """
    player.search(game, Budget(simulations=1))  # its root is there before anybody looks
    failed: list[BaseException] = []
    done = Event()

    def work() -> None:
        try:
            player.search(game, budget or Budget(longest=FOREVER), stop)
        except BaseException as error:
            failed.append(error)
        finally:
            done.set()

    thread = Thread(target=work, daemon=True, name="analysis")
    thread.start()
    try:
        yield lambda seconds: not done.wait(seconds)
    finally:
        stop.set()
        thread.join()
    if failed:
        raise failed[0]
