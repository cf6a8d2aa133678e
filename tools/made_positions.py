"""Positions at the end of a game, made by hand: see `tools.finished_positions`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from katachi.go.points import BLACK, PASS, WHITE
from katachi.go.position import Position

# What each shows stands above it.
CLOSED: Final = (
    # Single dead stones in all four areas
    """
    . . . X O . . . .
    . O . X O . X . .
    . . . X O . . . .
    . O O X O . . . .
    . . . X O . . . .
    X X X X O O O O O
    . . . X X O . X .
    . O . . X O . . .
    . . . . X O . . .
    """,
    # A seki: two strings without eyes share two liberties
    """
    . O X . O X .
    . O X . O X .
    . O X X O X .
    . O O O X X .
    . . O X X . .
    . . O X . . .
    . . O X . . .
    """,
    # A seki: two strings with an eye each share one liberty
    """
    O X . X . O . O X
    O X X X O O O O X
    O O O O X X X X X
    . . . O X . . . .
    . . . O X . . . .
    . . . O X . . . .
    . . . O X . . . .
    . . . O X . . . .
    . . . O X . . . .
    """,
    # A seki of three strings, of which two have eyes
    """
    O X . X . O . X . X O
    O X X X X O X X X X O
    O O O O O X O O O O O
    . . O O X X X O O . .
    . . O X . . . X O . .
    . . O X . . . X O . .
    . . O X . . . X O . .
    . . O X . . . X O . .
    . . O X . . . X O . .
    . . O X . . . X O . .
    . . O X . . . X O . .
    """,
    # A dead group with an eye, and single dead stones
    """
    . O X . X O . . .
    O O X . X O . . .
    X X X . X O . . .
    . . . . X O . . .
    . . X . X O O O O
    . X . . X X X X X
    . O X . . X . . .
    . . X . . . . X X
    . . . X . . X . .
    """,
)
OPEN: Final = (
    # A border with open points
    """
    . . X O . . .
    . . X O . . .
    . . X . O . .
    . . . X O . .
    . . X O . O .
    . X X . O . .
    . . . X O . .
    """,
    # A ko for half a point
    """
    . . X X O . .
    . X . X O . .
    . . X X O O .
    . . X O . O .
    . . X X O . .
    . . . X O . .
    . . . X O . .
    """,
    # The border at the bottom is open: a hane on either side
    """
    . . . . X O . . .
    . O . . X O . X .
    . . . . X O . . .
    . . . . X O . . .
    . . X X X O . . .
    . . X O O O . . .
    . X X O . . O . .
    . . X O . . . . .
    . . . . . . . . .
    """,
)


def made_positions() -> Iterator[tuple[str, Position, list[tuple[int, int]]]]:
    """(kind, start, moves from there): each with either side to move, after the other's pass, and
    the same with the colours exchanged.
    """
    for kind, texts in (("made", CLOSED), ("open", OPEN)):
        for text in texts:
            for diagram in (text, text.translate(str.maketrans("XO", "OX"))):
                for passer in (BLACK, WHITE):
                    yield kind, Position.from_diagram(diagram, passer), [(passer, PASS)]
