"""A whole game, move by move: how usual each was, which were the least, how the players differ."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from katachi.go.points import BLACK, COLOUR_NAMES, NONE, WHITE, vertex
from katachi.models.model import Model
from katachi.progress import Progress, silent
from katachi.records.game import Game
from katachi.search.player import Budget
from katachi.study.opinion import Opinion
from katachi.study.searched import Searcher, terms_of

ALTERNATIVES: Final = 3
UNUSUAL: Final = 10  # moves that are listed
STAGES: Final = (("opening", 1), ("middle game", 61), ("endgame", 151))  # first move, of 361 points


class Alternative(NamedTuple):
    """A usual move in place of the one that was played."""

    move: int
    vertex: str
    probability: float
    name: str  # what players call it


@dataclass(frozen=True)
class Reviewed:
    """One move of a game; `alternatives` are the most usual others."""

    number: int  # of the move, from 1
    colour: int
    move: int
    vertex: str
    probability: float
    rank: int
    legal: int  # how many moves there were
    name: str  # what players call it
    why: str  # half a sentence after the move: what it does
    alternatives: tuple[Alternative, ...]
    reason: str  # why it is less usual than the most usual; "" if it is that, or as usual
    # Of a search, for the side that moves: of this move, of the best, and which that is
    win_rate: float | None = None
    best_win_rate: float | None = None
    best: str = ""

    @property
    def log_evidence(self) -> float:
        """The logarithm of its probability; of the smallest number there is, if that is 0."""
        return math.log(max(self.probability, sys.float_info.min))

    def data(self) -> dict[str, Any]:
        """As JSON."""
        found: dict[str, Any] = {
            "number": self.number,
            "colour": COLOUR_NAMES[self.colour],
            "vertex": self.vertex,
            "probability": self.probability,
            "rank": self.rank,
            "legal": self.legal,
            "log_evidence": self.log_evidence,
            "name": self.name,
            "why": self.why,
            "reason": self.reason,
            "alternatives": [
                {"vertex": one.vertex, "probability": one.probability, "name": one.name}
                for one in self.alternatives
            ],
        }
        if self.best:
            found["search"] = {
                "win_rate": self.win_rate,
                "best": self.best,
                "best_win_rate": self.best_win_rate,
            }
        return found


def review_moves(
    model: Model, game: Game, *, searcher: Searcher | None = None, simulations: int = 0
) -> Iterator[Reviewed]:
    """Every move of the game, in order; with a `searcher` what so many simulations say, too.

    Raises KatachiError on a board size that the model does not know.
    """
    for number, (position, colour, move) in enumerate(game.walk(), 1):
        if move == NONE:
            return
        opinion = Opinion(model, position)
        played = opinion.explain(move)
        others = [p for p in opinion.ranked[: ALTERNATIVES + 1] if p != move][:ALTERNATIVES]
        alternatives = tuple(
            Alternative(p, vertex(p, game.size), opinion.probability(p), opinion.name(p))
            for p in others
        )
        rates: dict[str, Any] = {}
        if searcher is not None:
            rates = searcher.compare(
                terms_of(position, game.komi), move, Budget(simulations=simulations)
            )
        yield Reviewed(
            number,
            colour,
            move,
            played.vertex,
            played.probability,
            played.rank,
            len(opinion.points),
            played.name,
            played.why,
            alternatives,
            opinion.why_less_usual(played),
            **rates,
        )


def review(
    model: Model,
    game: Game,
    *,
    searcher: Searcher | None = None,
    simulations: int = 0,
    progress: Progress = silent,
) -> list[Reviewed]:
    """All moves of the game: see `review_moves`."""
    found = []
    for one in review_moves(model, game, searcher=searcher, simulations=simulations):
        found.append(one)
        progress("reviewing", len(found), len(game.moves))
    return found


def unusual(moves: list[Reviewed], most: int = UNUSUAL) -> list[Reviewed]:
    """The least usual moves, the least of all first; those that were first choice are not."""
    return sorted((m for m in moves if m.rank > 1), key=lambda m: m.probability)[:most]


def stage_of(number: int, size: int) -> str:
    """The stage of the game in which a move is played, in proportion to the board."""
    found = STAGES[0][0]
    for name, first in STAGES:
        if (number - 1) * 361 >= (first - 1) * size * size:
            found = name
    return found


def players(moves: list[Reviewed], size: int) -> dict[str, dict[str, Any]]:
    """Colour → how many moves, share of first choices and among the five first, mean log-evidence;
    and the same by stage. Who did not move is left out.
    """
    found: dict[str, dict[str, Any]] = {}
    for colour in (BLACK, WHITE):
        own = [m for m in moves if m.colour == colour]
        if not own:
            continue
        stages = {}
        for name, _ in STAGES:
            part = [m for m in own if stage_of(m.number, size) == name]
            if part:
                stages[name] = _summary(part)
        found[COLOUR_NAMES[colour]] = _summary(own) | {"stages": stages}
    return found


def _summary(moves: list[Reviewed]) -> dict[str, Any]:
    return {
        "moves": len(moves),
        "first_choices": sum(m.rank == 1 for m in moves) / len(moves),
        "first_five": sum(m.rank <= 5 for m in moves) / len(moves),
        "mean_log_evidence": math.fsum(m.log_evidence for m in moves) / len(moves),
    }
