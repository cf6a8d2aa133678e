"""Positions as text.

      A B C D E
    5 . . . . . 5
    4 . . X . . 4
    3 . X . O . 3
    2 . . + . . 2
    1 . . . . . 1
      A B C D E

Read: black is one of `X x # @ B`, white `O o 0 W`, empty `. + , -`; the coordinates and the spaces
may be left out. Written: X, O, and `.`, with `+` for an empty star point.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from katachi.go.points import (
    AREA,
    BLACK,
    COLUMNS,
    EMPTY,
    MAX_SIZE,
    MIN_SIZE,
    WHITE,
    point,
    star_points,
)

_SIGNS = {**dict.fromkeys("Xx#@B", BLACK), **dict.fromkeys("Oo0W", WHITE)}
_SIGNS |= dict.fromkeys(".+,-", EMPTY)
_LINE_NUMBERS = re.compile(r"^[1-9]\d?\s+|\s+[1-9]\d?$")


def parse_diagram(text: str) -> tuple[int, npt.NDArray[np.uint8]]:
    """(size, colours by point, shape (AREA,)). Raises ValueError with the line that is wrong."""
    rows: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        signs = _LINE_NUMBERS.sub("", line.strip()).replace(" ", "")
        if signs and not _is_column_line(line):
            rows.append((number, signs))
    size = len(rows)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"a diagram has {MIN_SIZE} to {MAX_SIZE} rows, this one {size}")
    colors = np.zeros(AREA, np.uint8)
    for row, (number, signs) in enumerate(rows):
        if len(signs) != size:
            raise ValueError(f"line {number} has {len(signs)} points, the diagram {size} rows")
        for col, sign in enumerate(signs):
            if sign not in _SIGNS:
                raise ValueError(f"line {number}: {sign!r} is neither stone nor empty point")
            colors[point(row, col)] = _SIGNS[sign]
    return size, colors


def _is_column_line(line: str) -> bool:
    """Whether this is the line of letters: `A B C …` from A, in order."""
    joined = "".join(line.split())
    return len(joined) >= MIN_SIZE and COLUMNS.startswith(joined)


def draw_diagram(size: int, colors: npt.NDArray[np.uint8]) -> str:
    """The diagram with coordinates, no newline at the end."""
    stars = set(star_points(size))
    letters = "   " + " ".join(COLUMNS[:size])
    lines = [letters]
    for row in range(size):
        signs = []
        for col in range(size):
            p = point(row, col)
            signs.append("+" if colors[p] == EMPTY and p in stars else ".XO"[colors[p]])
        lines.append(f"{size - row:2} {' '.join(signs)} {size - row}")
    return "\n".join([*lines, letters])
