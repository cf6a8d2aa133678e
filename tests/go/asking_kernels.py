"""Kernels that ask a kernel often: from Python each question takes as long as many answers."""

from __future__ import annotations

from typing import Any

from katachi.go.board import Board, is_legal
from katachi.go.kernel import kernel
from katachi.go.points import STRIDE


@kernel
def each_legal(b: Board, colour: int, out: Any) -> int:
    """Write the points where `is_legal` says so, row by row, and return their number."""
    count = 0
    for row in range(1, b.side + 1):
        for col in range(1, b.side + 1):
            if is_legal(b, row * STRIDE + col, colour):
                out[count] = row * STRIDE + col
                count += 1
    return count
