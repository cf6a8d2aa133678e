"""What travels between the page and the server: positions as lists of actions, trees as JSON.

An action is "B Q16", "W pass", "AB D4", "AW D4", "AE D4" or "PL W", as in SGF, with vertices.
Everything that leaves the server as JSON goes through `to_json`.
"""

from __future__ import annotations

import json
import math
from typing import Any, Final

import numpy as np

from katachi.errors import KatachiError
from katachi.go.points import MAX_SIZE, MIN_SIZE, PASS, from_vertex, vertex
from katachi.records.actions import (
    COLOUR_SHIFT,
    FAULTS,
    FINE,
    POINT_BITS,
    SETUP,
    move_action,
    setup_action,
    turn_action,
)
from katachi.records.course import MOVE_NAMES, MOVES, STONE_NAMES, STONES
from katachi.records.game import Game
from katachi.records.record import Record
from katachi.records.walk import place_of, replayed

MOST_ACTIONS: Final = 5000
LARGEST_KOMI: Final = 361.0


def to_json(data: Any) -> bytes:
    """JSON of dicts with text as keys, lists, tuples, texts and numbers, in plain ASCII.

    Numbers of numpy become plain ones, and one that is not finite becomes null: JSON has no word
    for it, and a browser refuses the whole answer.
    """
    try:
        text = json.dumps(data, allow_nan=False, default=np.generic.item)
    except ValueError:  # rare, and looking at every number takes longer than all the rest
        text = json.dumps(_finite(data), allow_nan=False)
    return text.encode("ascii")


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    if isinstance(data, np.generic):
        data = data.item()
    return None if isinstance(data, float) and not math.isfinite(data) else data


def from_json(body: bytes) -> Any:
    """What a request holds. Raises KatachiError if it is no JSON."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise KatachiError("the request is no JSON: load the page again") from None


def text_in(data: dict[str, Any], name: str) -> str:
    """A text of a request, "" where there is none. Raises KatachiError if it is something else."""
    found = data.get(name)
    if found is not None and not isinstance(found, str):
        raise KatachiError(f"{name} must be a text: load the page again")
    return found or ""


def usable_komi(komi: Any) -> bool:
    """Whether it is a number that a game can have as its komi; infinity and NaN are none."""
    number = isinstance(komi, int | float) and not isinstance(komi, bool)
    return number and -LARGEST_KOMI <= komi <= LARGEST_KOMI


def game_of(data: Any) -> Game:
    """The game that the page tells of: `size`, `actions`, and `komi` or null.

    Raises KatachiError with what is wrong, so that the page can show it.
    """
    if not isinstance(data, dict):
        raise KatachiError("the request is no position: load the page again")
    size, names, komi = data.get("size"), data.get("actions"), data.get("komi")
    if not isinstance(size, int) or isinstance(size, bool) or not MIN_SIZE <= size <= MAX_SIZE:
        raise KatachiError(f"a board of size {_shown(size)} cannot be used: sizes 2 to 19 can")
    if not isinstance(names, list) or len(names) > MOST_ACTIONS:
        raise KatachiError(f"a game of more than {MOST_ACTIONS:,} moves and stones is too long")
    if komi is not None and not usable_komi(komi):
        raise KatachiError(f"a komi of {_shown(komi)} cannot be used")
    actions = np.array([action_of(name, size) for name in names], np.uint16)
    done, fault = replayed(actions, size)
    if fault != FINE:
        place, detail = place_of(actions, done, size)
        raise KatachiError(f"{place}, {detail}: {FAULTS[fault]}")
    return Game(size=size, actions=actions, komi=None if komi is None else float(komi))


def _shown(value: Any) -> str:
    """A value of a request for a sentence: short, and not what lists hold, which may be deep."""
    return f"{value!r:.20}" if isinstance(value, str | int | float | None) else "no number"


def action_of(text: Any, size: int) -> int:
    """The action that a text names. Raises KatachiError if it names none."""
    if not isinstance(text, str):
        raise KatachiError("'' is no vertex: an action must be a text")
    kind, _, place = text.partition(" ")
    if kind == "PL" and place in MOVES:
        return turn_action(MOVES[place])
    p = point_of(place, size)
    if kind in MOVES:
        return move_action(MOVES[kind], p)
    if kind in STONES and p != PASS:
        return setup_action(STONES[kind], p)
    raise KatachiError(f"{text!r:.40} is nothing that can be done on a board")


def point_of(name: str, size: int) -> int:
    """The point of a vertex, or PASS. Raises KatachiError if it names none."""
    try:
        return from_vertex(name if len(name) <= 20 else f"{name[:20]}…", size)
    except ValueError as error:
        raise KatachiError(str(error)) from None


def action_name(action: int, size: int) -> str:
    """The text of an action."""
    colour, p = (action >> COLOUR_SHIFT) & 3, action & POINT_BITS
    if not action & SETUP:
        return f"{MOVE_NAMES[colour]} {vertex(p, size)}"
    if p == PASS:
        return f"PL {MOVE_NAMES[colour]}"
    return f"{STONE_NAMES[colour]} {vertex(p, size)}"


def record_data(tree: Record) -> dict[str, Any]:
    """A tree as JSON: the nodes in the order of the file, each with its parent, actions, comment
    and raw properties.
    """
    game = tree.game
    notices = [str(notice) for notice in tree.notices]
    komi = game.komi
    if komi is not None and not usable_komi(komi):
        notices.append(f"the game has a komi of {_shown(komi)}, which cannot be used: 7.5 is taken")
        komi = None
    return {
        "size": game.size,
        "komi": komi,
        "handicap": game.handicap,
        "black": game.black,
        "white": game.white,
        "black_rank": game.black_rank,
        "white_rank": game.white_rank,
        "date": game.date,
        "result": game.result,
        "source": game.source,
        "notices": notices,
        "nodes": [
            {
                "parent": node.parent,
                "actions": [action_name(action, game.size) for action in node.actions],
                "comment": node.comment,
                "fault": node.fault,
                "properties": {
                    name: [value.decode("utf-8", "replace") for value in values]
                    for name, values in node.properties.items()
                },
            }
            for node in tree.nodes
        ],
    }
