"""One walk through a game: everybody who looks at the positions of a record goes this way.

Setup stones apply together, up to the next move, since a part of them may leave a string without
liberty. The colour of a move is to move in the position before it, whoever's turn it should be:
so says the record.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import local
from typing import Any, NamedTuple

import numpy as np

from katachi.go.board import Board, clear, give_turn, new_board, play
from katachi.go.points import COLOUR_NAMES, NONE, PASS, vertex
from katachi.go.position import Position
from katachi.records.actions import SETUP, Actions, colours_of, is_move, points_of, replay

_own = local()  # of a thread


class Stop(NamedTuple):
    """A position of a game and the move played in it; after the last move `point` is NONE."""

    position: Position
    colour: int
    point: int


def walk(actions: Actions, size: int, first: int = 0) -> Iterator[Stop]:
    """The positions of a game in which its moves are played, from number `first` (from 0) on, and
    at last the one after all of them.

    It is one `Position` that is played on when the next one is asked for: it holds until then.
    Setup makes another one: `Position.undo` reaches back to that. Raises IllegalMove or ValueError
    at an action that breaks the rules.
    """
    moves = np.flatnonzero(is_move(actions)).tolist()
    colours, points = colours_of(actions).tolist(), points_of(actions).tolist()
    position = Position(size)
    done = number = 0
    while number <= len(moves):
        i = moves[number] if number < len(moves) else len(actions)
        colour, p = (colours[i], points[i]) if i < len(actions) else (None, NONE)
        position = _set_up(position, actions[done:i], colour)
        if number < first:
            # All moves up to the next setup, or as many as are wanted
            count = 1
            while number + count < first and moves[number + count] == i + count:
                count += 1
            position.play_all(colours[i : i + count], points[i : i + count])
            number, done = number + count, i + count
            continue
        yield Stop(position, position.to_move, p)
        if colour is not None:
            position.play(p, colour)
        number, done = number + 1, i + 1


def _set_up(position: Position, setup: Actions, colour: int | None) -> Position:
    """The position after setup, in which this colour moves; None: the one that has the turn."""
    if np.any(points_of(setup) != PASS):
        board = position.board.copy()
        replay(board, setup)
        turn = int(board.to_move) if colour is None else colour
        return Position.from_stones(position.size, board.color, turn)
    if colour is None and len(setup):
        colour = int(colours_of(setup[-1]))
    if colour is not None:
        position.to_play(colour)
    return position


def walk_board(board: Board, actions: Actions, size: int) -> Iterator[tuple[int, int]]:
    """(colour, point) of each move of a game, with `board` as its player finds it. The moves must
    be legal: that is not checked.
    """
    clear(board, size)
    done = 0
    for i in np.flatnonzero(is_move(actions)).tolist():
        if done < i:
            replay(board, actions[done:i])
        colour, p = int(colours_of(actions[i])), int(points_of(actions[i]))
        give_turn(board, colour)
        yield colour, p
        play(board, p, colour)
        done = i + 1


def replayed(actions: Actions, size: int) -> tuple[int, int]:
    """(how many actions apply from the empty board on, FINE or the fault)."""
    board = _board(size)
    clear(board, size)
    done, fault = replay(board, actions)
    return int(done), int(fault)


def _board(size: int) -> Any:
    """A board for `replayed` alone, one to each thread."""
    boards: dict[int, Any] = _own.__dict__.setdefault("boards", {})
    if size not in boards:
        boards[size] = new_board(size)
    return boards[size]


def place_of(actions: Actions, index: int, size: int) -> tuple[str, str]:
    """("move 57", "white D4") of an action."""
    action = actions[index]
    number = int(np.count_nonzero(is_move(actions[:index])))
    if int(action) & SETUP:
        return f"after move {number}", "setup"
    name = COLOUR_NAMES[int(colours_of(action))]
    return f"move {number + 1}", f"{name} {vertex(int(points_of(action)), size)}"
