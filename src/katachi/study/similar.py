"""What the page asks of a library: where the position that is shown occurred."""

from __future__ import annotations

from typing import Any

import numpy as np

from katachi.errors import KatachiError
from katachi.go.points import BLACK, PASS, all_points
from katachi.library.file import Library
from katachi.library.similar import Similar, similar
from katachi.records.actions import move_action
from katachi.records.game import Game
from katachi.study.wire import game_of

NEXT = 5  # moves of each part that are told
GAMES = 8


def asked(library: Library, game: Game, data: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request: a game, with `played` true if its last move is the one that was
    played in the position asked about; `whole` are the actions of the game that does not count.

    Raises KatachiError if the request is none, and what `similar` raises.
    """
    whole = data.get("whole")
    itself = game if whole is None else game_of({"size": game.size, "actions": whole})
    number = len(game.moves) + (0 if data.get("played") is True else 1)
    if number == 0:
        raise KatachiError("the request has no move that was played: load the page again")
    return _short(similar(game, number, library, itself=itself, games=GAMES))


def _short(found: Similar) -> dict[str, Any]:
    """As JSON, with the first moves of each part only."""
    data = found.data()
    for name in ("board", "last", "move"):
        if data[name] is not None:
            data[name]["next"] = [n for n in data[name]["next"] if n["vertex"]][:NEXT]
    return data


def warm(library: Library) -> None:
    """Ask once, so that kernels are compiled and tables made."""
    size = library.about.size
    moves = [move_action(BLACK, p) for p in (all_points(size)[0], PASS)]
    similar(Game(size, np.array(moves, np.uint16)), 1, library)
