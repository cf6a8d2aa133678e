"""Slow, obvious twins for the reader: sgfmill's own board and its own view of a game."""

from __future__ import annotations

from sgfmill import boards

from katachi.go.points import BLACK, PASS, row_col
from katachi.records.game import Game


def first_fault(game: Game) -> str:
    """ "" if sgfmill's board can play every move of a game without setup, else what is wrong."""
    board = boards.Board(game.size)
    ko: tuple[int, int] | None = None
    last = 0
    for number, (colour, p) in enumerate(game.moves, 1):
        if p == PASS:
            ko, last = None, colour
            continue
        row, col = row_col(p)
        place = (game.size - 1 - row, col)  # sgfmill counts rows from below
        if place == ko and colour != last:
            return f"move {number}: ko"
        try:
            ko = board.play(*place, "b" if colour == BLACK else "w")
        except (ValueError, IndexError):
            return f"move {number}: occupied or outside"
        if board.get(*place) is None:
            return f"move {number}: suicide"
        last = colour
    return ""
