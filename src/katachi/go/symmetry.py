"""The 8 symmetries of the board as tables of points.

Symmetry s = 0 … 7: bit 0 mirrors left and right, bit 1 mirrors top and bottom, bit 2 then
exchanges rows and columns. 0 is the identity.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.go.points import AREA, point

SYMMETRIES: Final = 8


def transform(row: int, col: int, size: int, symmetry: int) -> tuple[int, int]:
    """Where (row, col) goes under a symmetry of the board of this size."""
    if symmetry & 1:
        col = size - 1 - col
    if symmetry & 2:
        row = size - 1 - row
    return (col, row) if symmetry & 4 else (row, col)


@cache
def point_tables(size: int) -> npt.NDArray[np.int16]:
    """[symmetry, point] → point, shape (8, AREA), read-only. Walls and PASS stay where they are."""
    tables = np.tile(np.arange(AREA, dtype=np.int16), (SYMMETRIES, 1))
    for symmetry in range(SYMMETRIES):
        for row in range(size):
            for col in range(size):
                image = transform(row, col, size, symmetry)
                tables[symmetry, point(row, col)] = point(*image)
    tables.flags.writeable = False
    return tables
