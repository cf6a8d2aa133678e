"""Handicap: on the usual points, where the engine likes, where the controller likes."""

from __future__ import annotations

import numpy as np

from katachi.go.points import (
    AREA,
    BLACK,
    PASS,
    WHITE,
    all_points,
    from_vertex,
    handicap_points,
    row_col,
    vertex,
)
from katachi.go.position import Position
from katachi.gtp.commands import arguments, command
from katachi.gtp.framing import Command, GtpError
from katachi.gtp.session import Session

_INVALID = "invalid number of stones"


@command("fixed_handicap", "N")
def fixed_handicap(session: Session, number: str) -> str:
    """2 to 9 stones on the usual points, as far as the board has them."""
    stones = _number_of_stones(session, number)
    try:
        points = handicap_points(session.position.size, stones)
    except ValueError:
        raise GtpError(_INVALID) from None
    return _put(session, points)


@command("place_free_handicap", "N")
def place_free_handicap(session: Session, number: str) -> str:
    """On the usual points, and spread over the board beyond those."""
    stones = _number_of_stones(session, number)
    size = session.position.size
    if not 2 <= stones < size * size:
        raise GtpError(_INVALID)
    return _put(session, free_handicap(size, stones))


@command("set_free_handicap", "VERTEX VERTEX …")
def set_free_handicap(session: Session, asked: Command) -> str:
    """At least two, all different."""
    _check_empty(session)
    size = session.position.size
    try:
        points = [from_vertex(text, size) for text in asked.args]
    except ValueError:
        raise GtpError("bad vertex list") from None
    distinct = len(set(points)) == len(points)
    if PASS in points or not distinct or not 2 <= len(points) < size * size:
        raise GtpError("bad vertex list")
    return _put(session, points)


def free_handicap(size: int, stones: int) -> list[int]:
    """Points for so many stones (fewer than the board has points, not checked).

    The fixed handicap as far as it goes; then always the point farthest from all stones so far,
    the edge counted as if stones stood on a line beyond it.
    """
    points: list[int] = []
    for count in range(min(stones, 9), 1, -1):
        try:
            points = handicap_points(size, count)
            break
        except ValueError:
            continue
    # For each free point the room around it: to the edge, and to the nearest stone.
    room = {p: min(min(line, size - 1 - line) + 1 for line in row_col(p)) for p in all_points(size)}
    for p in points:
        _crowd(room, p)
    while len(points) < stones:
        best = max(room, key=lambda p: (room[p], -_off_centre(p, size)))
        points.append(best)
        _crowd(room, best)
    return points


def _crowd(room: dict[int, int], stone: int) -> None:
    """Put a stone down: its point is free no more, and others have less room."""
    room.pop(stone, None)
    row, col = row_col(stone)
    for p in room:
        r, c = row_col(p)
        room[p] = min(room[p], abs(r - row) + abs(c - col))


def _off_centre(p: int, size: int) -> int:
    row, col = row_col(p)
    return abs(2 * row - size + 1) + abs(2 * col - size + 1)


def _number_of_stones(session: Session, number: str) -> int:
    stones = arguments.whole(number)
    _check_empty(session)
    return stones


def _check_empty(session: Session) -> None:
    position = session.position
    if position.board.empties < position.size**2:
        raise GtpError("board not empty")


def _put(session: Session, points: list[int]) -> str:
    size = session.position.size
    colors = np.zeros(AREA, np.uint8)
    colors[points] = BLACK
    session.restart(Position.from_stones(size, colors, WHITE), len(points))
    return " ".join(vertex(p, size) for p in points)
