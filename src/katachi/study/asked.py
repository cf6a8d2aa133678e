"""Requests for searches and for likely lines, checked."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from katachi.errors import KatachiError
from katachi.go.points import vertex
from katachi.models.model import Model
from katachi.records.actions import turn_action
from katachi.records.course import MOVES
from katachi.records.game import Game
from katachi.study.expected import LONGEST, expected
from katachi.study.pool import DEPTHS, Job, Pool
from katachi.study.searched import terms_of
from katachi.study.streams import Lines
from katachi.study.wire import point_of, text_in

MOST_POSITIONS: Final = 5001


def searched(pool: Pool, model: Model, game: Game, data: dict[str, Any]) -> Lines:
    """The answer to a request for the search of positions of a game.

    `positions` is a list of [how many actions of the game come before, "B" or "W" to move, the move
    that was played there or null]; `simulations` is one of DEPTHS, `visitor` any text.

    Raises KatachiError if the request is none, or the board is of a size that nobody knows.
    """
    model.features.check_size(game.size, "the game")
    simulations = data.get("simulations")
    if isinstance(simulations, bool) or simulations not in DEPTHS:
        raise KatachiError(f"search by {', '.join(map(str, DEPTHS))} simulations: choose one")
    listed = data.get("positions")
    if not isinstance(listed, list) or not 0 < len(listed) <= MOST_POSITIONS:
        raise KatachiError("the request names no positions: load the page again")
    jobs = [_job(game, place, one) for place, one in enumerate(listed)]
    return pool.search(text_in(data, "visitor")[:64], simulations, jobs)


def _job(game: Game, place: int, one: Any) -> Job:
    match one:
        case [int(count), "B" | "W" as turn, str() | None as played] if 0 <= count <= len(
            game.actions
        ) and not isinstance(count, bool):
            actions = np.append(game.actions[:count], turn_action(MOVES[turn])).astype(np.uint16)
            position = Game(size=game.size, actions=actions).position()
            move = None if played is None else point_of(played, game.size)
            return Job(place, terms_of(position, game.komi), move)
    raise KatachiError("the request names a position that is none: load the page again")


def line(model: Model, game: Game, data: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request for what is likely to follow: `moves` are those that come first.

    Raises KatachiError if the request is none, or a move cannot be played.
    """
    begin = data.get("moves")
    if not isinstance(begin, list) or not 0 < len(begin) <= LONGEST:
        raise KatachiError(f"the request must name 1 to {LONGEST} moves: load the page again")
    moves = [point_of(name if isinstance(name, str) else "", game.size) for name in begin]
    found = expected(model, game.position(), moves)
    return {"line": [vertex(p, game.size) for p in found]}
