"""The course of a game: what its nodes do to the board becomes actions."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from katachi.go.points import (
    BLACK,
    EMPTY,
    PASS,
    WHITE,
    all_points,
    from_letters,
    handicap_points,
    letters,
    point,
    row_col,
)
from katachi.records import headers
from katachi.records.actions import (
    Actions,
    colours_of,
    is_move,
    move_action,
    points_of,
    setup_action,
    turn_action,
)
from katachi.records.grammar import Properties
from katachi.records.values import first_text
from katachi.records.walk import replayed

MAX_ACTIONS: Final = 65_535  # of one game: moves, and stones put or taken; a column is 16 bits wide
MAX_NAMED: Final = 10_000  # points in the setup of one node, each as often as it is named
SHOWN: Final = 20  # characters of a bad value
MOVES: Final = {"B": BLACK, "W": WHITE}
STONES: Final = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}
MOVE_NAMES: Final = {colour: name for name, colour in MOVES.items()}
STONE_NAMES: Final = {colour: name for name, colour in STONES.items()}

OUTSIDE: Final = "point outside the board"
TOO_MANY_ACTIONS: Final = f"more than {MAX_ACTIONS:,} moves and setup stones"


class Collected(NamedTuple):
    """The actions of nodes as far as they can be read; "" or why no farther, with the particulars;
    and the node of the first move given twice, or 0.
    """

    codes: list[int]
    fault: str
    detail: str
    doubled: int


class _Outside(ValueError):
    """A point that is not on the board."""


class _TooMany(ValueError):
    """More actions than a game may have."""


def collect(nodes: list[Properties], size: int) -> Collected:
    """What the nodes of a line do to the board, MAX_ACTIONS at most.

    In a node setup comes before moves, whatever their order in the file. Of a move given twice in
    one node the first counts.
    """
    moves = _move_codes(size)
    codes: list[int] = []
    doubled = 0
    for number, node in enumerate(nodes):
        try:
            if len(node) > 1 or not node.keys() <= moves.keys():
                codes += _setup_codes(node, size, MAX_ACTIONS - len(codes))
            for name, values in node.items():
                if name not in moves:
                    continue
                code = moves[name].get(values[0].strip())
                if code is None:
                    shown = values[0][: 4 * SHOWN].decode("utf-8", "replace")[:SHOWN]
                    raise _Outside(f"{name}[{shown}]")
                if len(codes) >= MAX_ACTIONS:
                    raise _TooMany
                codes.append(code)
                if len(values) > 1 and not doubled:
                    doubled = number
        except _Outside as error:
            return Collected(codes, OUTSIDE, str(error), doubled)
        except _TooMany:
            return Collected(codes, TOO_MANY_ACTIONS, "", doubled)
    return Collected(codes, "", "", doubled)


@cache
def _move_codes(size: int) -> dict[str, dict[bytes, int]]:
    """Property → letters → action: a table, since 47 million moves are looked up."""
    points = [PASS, *all_points(size)]
    tables = {
        name: {letters(p).encode(): move_action(colour, p) for p in points}
        for name, colour in MOVES.items()
    }
    for name, colour in MOVES.items():
        tables[name][b"tt"] = move_action(colour, PASS)
    return tables


def _setup_codes(node: Properties, size: int, most: int) -> list[int]:
    """The setup of a node, each stone once. Raises _Outside, and _TooMany for more than `most`."""
    codes: dict[int, None] = {}
    named = 0  # points: a few letters may name all of the board, again and again
    for name, colour in STONES.items():
        for value in node.get(name, ()):
            points = _area(value, size)
            named += len(points)
            if named > MAX_NAMED:
                raise _TooMany
            codes.update((setup_action(colour, p), None) for p in points)
    turn = first_text(node, "PL")[:1].upper()
    if turn in MOVES:
        codes[turn_action(MOVES[turn])] = None
    if len(codes) > most:
        raise _TooMany
    return list(codes)


def _area(value: bytes, size: int) -> list[int]:
    """The points of "dd" or of the rectangle "aa:cc". Raises _Outside; "" is no point."""
    text = value.strip()[: 4 * SHOWN].decode("utf-8", "replace")[:SHOWN]
    if not text:
        return []
    first, _, last = text.partition(":")
    try:
        corners = [from_letters(corner, size) for corner in (first, last or first)]
    except ValueError as error:
        raise _Outside(str(error)) from None
    if PASS in corners:
        raise _Outside(f"{text!r} is no point of a {size}x{size} board")
    (top, left), (bottom, right) = (row_col(p) for p in corners)
    return [
        point(row, col)
        for row in range(min(top, bottom), max(top, bottom) + 1)
        for col in range(min(left, right), max(left, right) + 1)
    ]


def with_handicap(text: str, actions: Actions, size: int) -> tuple[Actions, int, str]:
    """(actions, handicap, note): stones that HA promises and the record forgot are put down.

    They go on the usual points if White moves first and the game is then legal no less far.
    Without HA, two black stones or more put before White's first move are one.
    """
    number = headers.handicap(text, size)
    moved = np.flatnonzero(is_move(actions))
    start = int(moved[0]) if len(moved) else len(actions)
    white_first = len(moved) > 0 and int(colours_of(actions[start])) == WHITE
    before = actions[:start]
    stones = before[points_of(before) != PASS]
    if len(stones):
        only_black = bool(np.all(colours_of(stones) == BLACK))
        put = len(np.unique(stones))
        given = put if put >= 2 and only_black and white_first else 0
        return actions, number or given, ""
    if not number or not white_first:
        return actions, number, ""
    try:
        points = handicap_points(size, number)
    except ValueError:
        return actions, number, ""
    forgotten = np.array([setup_action(BLACK, p) for p in points], np.uint16)
    whole = np.concatenate([forgotten, actions])
    worse = replayed(whole, size)[0] - len(forgotten) < replayed(actions, size)[0]
    if worse or len(whole) > MAX_ACTIONS:
        return actions, number, ""
    return whole, number, "handicap stones put on the usual points"
