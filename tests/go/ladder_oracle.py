"""A second ladder reader to hold the first against: slow, recursive, written from the definition.

It shares nothing with Katachi but the docstring of `katachi.go.ladder`: the board is sgfmill's,
the recursion Python's. Points are (row, col), colours sgfmill's "b" and "w". It does not give up:
a line that comes back to a position it has been in is no capture, and so every line ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import repeat
from typing import Any, TypeAlias

from sgfmill.boards import Board
from sgfmill.common import opponent_of

Point: TypeAlias = tuple[int, int]
Ko: TypeAlias = Point | None  # the point that the side to move may not play on

PATIENCE = 20_000


class TooLong(Exception):
    """The reading took more moves than the caller had patience for."""


def oracle_takes(
    board: Board, stone: Point, first: str, ko: Ko = None, patience: int = PATIENCE
) -> bool:
    """Whether the string of `stone` is taken in a ladder when colour `first` moves now.

    `ko` is the point forbidden to `first`. The board is unchanged. Raises TooLong after `patience`
    moves: an answer that is given is an answer to the whole definition.
    """
    moves = repeat(None, patience)
    if first != board.get(*stone):
        return _hunter_takes(board, stone, ko, frozenset(), moves)
    if len(liberties(board, stone)) > 1 and not _hunter_takes(
        board, stone, None, frozenset(), moves
    ):
        return False  # it does nothing, and is not taken
    return _prey_is_taken(board, stone, ko, frozenset(), moves)


def _hunter_takes(
    board: Board, stone: Point, ko: Ko, seen: frozenset[Any], patience: Iterator[None]
) -> bool:
    """The hunter is to move: one of its moves must take."""
    ways = liberties(board, stone)
    here = (tuple(map(tuple, board.board)), ko)
    if len(ways) >= 3 or here in seen:
        return False
    if len(ways) == 1:
        return ways != {ko}
    hunter = opponent_of(board.get(*stone))
    return any(
        _prey_is_taken(after, stone, new_ko, seen | {here}, patience)
        for after, new_ko in _moves(board, ways, hunter, ko, patience)
    )


def _prey_is_taken(
    board: Board, stone: Point, ko: Ko, seen: frozenset[Any], patience: Iterator[None]
) -> bool:
    """The prey is to move: none of its moves may save it."""
    ways = liberties(board, stone)
    if len(ways) >= 3:
        return False
    for near in _neighbours_of_all(board, string(board, stone)):
        if board.get(*near) == opponent_of(board.get(*stone)):
            last = liberties(board, near)
            if len(last) == 1:
                ways = ways | last
    return all(
        _hunter_takes(after, stone, new_ko, seen, patience)
        for after, new_ko in _moves(board, ways, board.get(*stone), ko, patience)
    )


def _moves(
    board: Board, ways: set[Point], colour: str, ko: Ko, patience: Iterator[None]
) -> Iterator[tuple[Board, Ko]]:
    """Each legal move among `ways`: the board after it and the point that is then ko."""
    for way in sorted(ways - {ko}):
        after = quick_copy(board)
        new_ko = after.play(*way, colour)
        if after.get(*way) is None:
            continue  # sgfmill plays suicide; here it is illegal
        if next(patience, True):
            raise TooLong
        yield after, new_ko


def quick_copy(board: Board) -> Board:
    """As sgfmill's own copy, which also lists all the points of the board again."""
    twin = Board.__new__(Board)
    twin.__dict__.update(board.__dict__)
    twin.board = [row[:] for row in board.board]
    return twin


def string(board: Board, stone: Point) -> set[Point]:
    """The stones connected to this one."""
    rows, colour = board.board, board.get(*stone)
    found = {stone}
    waiting = [stone]
    while waiting:
        for near in neighbours(board.side, waiting.pop()):
            if near not in found and rows[near[0]][near[1]] == colour:
                found.add(near)
                waiting.append(near)
    return found


def liberties(board: Board, stone: Point) -> set[Point]:
    """The empty points next to the string of this stone."""
    rows = board.board
    around = _neighbours_of_all(board, string(board, stone))
    return {near for near in around if rows[near[0]][near[1]] is None}


@cache
def neighbours(size: int, here: Point) -> tuple[Point, ...]:
    """The points beside this one on a board of this size."""
    row, col = here
    around = [(row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)]
    return tuple((r, c) for r, c in around if 0 <= r < size and 0 <= c < size)


def _neighbours_of_all(board: Board, stones: set[Point]) -> set[Point]:
    return {near for here in stones for near in neighbours(board.side, here)}
