"""What a light search says of a position and its moves, with the errors of that: of few simulations
a win rate and a mean score are estimates, and a difference within their errors is none.

All numbers are Black's, whoever is to move. An error is a standard error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Event
from typing import Any, Final

from katachi.go.points import BLACK, COLOUR_NAMES, PASS, vertex
from katachi.go.position import Position
from katachi.models.model import Model
from katachi.search.engine import SearchPlayer
from katachi.search.found import Searched, lead_error, rate_error
from katachi.search.player import Budget, GameState, to_analyse

TOLD: Final = 5  # candidates
LINE: Final = 10  # moves of an expected line


@dataclass(frozen=True)
class Measure:
    """What simulations from one position on say for Black, and the likely line."""

    visits: int
    win_rate: float
    rate_error: float
    lead: float  # mean score, komi counted
    lead_error: float
    line: tuple[int, ...]  # the most visited moves from there on

    def data(self, size: int) -> dict[str, Any]:
        """As JSON."""
        return {
            "visits": self.visits,
            "win_rate": round(self.win_rate, 4),
            "rate_error": round(self.rate_error, 4),
            "lead": round(self.lead, 2),
            "lead_error": round(self.lead_error, 2),
            "line": [vertex(p, size) for p in self.line],
        }


@dataclass(frozen=True)
class Measured:
    """A position: as a whole, its candidates from the same simulations, and the engine's own move
    by a search apart, from the position after it, where that is another than the one played.
    """

    whole: Measure
    moves: tuple[tuple[int, Measure], ...]  # the best first; the lines begin with the move
    best: int  # the engine's own move
    apart: Measure | None

    def data(self, model: Model, position: Position) -> dict[str, Any]:
        """As JSON, with how usual each move is."""
        size = position.size
        usual = model.probabilities(position)

        def told(move: int, one: Measure) -> dict[str, Any]:
            return {"vertex": vertex(move, size), "probability": usual.get(move, 0.0)} | one.data(
                size
            )

        return {
            "to_move": COLOUR_NAMES[position.to_move],
            **self.whole.data(size),
            "moves": [told(move, one) for move, one in self.moves],
            "best": vertex(self.best, size),
            "apart": None if self.apart is None else told(self.best, self.apart),
        }


def measure(
    player: SearchPlayer, game: GameState, played: int | None, simulations: int, stop: Event
) -> Measured | None:
    """Search a position by so many simulations, and, as often, the position after the engine's own
    move where it is not `played`: so that it can be compared with a search of the position after
    the move that was played. The two are independent, and none of them was chosen for its score.

    None if `stop` came. A game that is over is searched as if it went on.
    """
    game = to_analyse(game)
    found = _searched(player, game, simulations, stop)
    if found is None:
        return None
    colour = game.position.to_move
    best = player.decide(replace(game, may_resign=False), found, 0.0).move
    expected = [tuple(p for p, _ in player.line(move)) for move, *_ in found.moves[:TOLD]]
    moves = []
    each = zip(found.moves, found.leads, expected, strict=False)
    for (move, visits, rate, _), (lead, deviation), line in each:
        moves.append((move, _measure(colour, visits, rate, lead, deviation, line)))
    line = expected[0] if expected else ()
    whole = _whole(colour, found, line)
    if played is None or best == played:
        return Measured(whole, tuple(moves), best, None)
    after = game.position.copy()
    after.play(best)
    then = to_analyse(replace(game, position=after))
    other = _searched(player, then, simulations, stop)
    if other is None:
        return None
    answer = tuple(p for p, _ in player.line(other.moves[0][0])) if other.moves else ()
    apart = _whole(then.position.to_move, other, (best, *answer))
    return Measured(whole, tuple(moves), best, apart)


def _searched(
    player: SearchPlayer, game: GameState, simulations: int, stop: Event
) -> Searched | None:
    """All these simulations from a new tree: a search ends early where no other move can become
    the best, which is no reason here.
    """
    player.clear()
    done = 0
    while True:
        found = player.search(game, Budget(simulations=simulations - done), stop)
        done += found.simulations
        if stop.is_set():
            return None
        if done >= simulations or not found.simulations:
            return found


def _whole(colour: int, found: Searched, line: Sequence[int]) -> Measure:
    visits = max(found.visits, 1)
    return _measure(colour, visits, found.win_rate, found.lead, found.deviation, line)


def _measure(
    colour: int, visits: int, rate: float, lead: float, deviation: float, line: Sequence[int]
) -> Measure:
    """For Black, of numbers for this colour."""
    black = colour == BLACK
    return Measure(
        visits,
        rate if black else 1.0 - rate,
        rate_error(rate, visits),
        lead if black else -lead,
        lead_error(deviation, visits),
        _until_pass(line),
    )


def _until_pass(line: Sequence[int]) -> tuple[int, ...]:
    """What can be shown on a board."""
    moves = list(line[:LINE])
    return tuple(moves[: moves.index(PASS)] if PASS in moves else moves)
