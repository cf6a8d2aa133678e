"""Distance to the border, on the first four lines."""

from __future__ import annotations

from typing import Any

from katachi.go.kernel import int64, kernel
from katachi.go.points import PASS, STRIDE
from katachi.patterns.family import Family, Level, Situation

LINES = 4
_NAMES = ("first", "second", "third", "fourth")


@kernel
def levels(size: int, candidates: Any, n: int, out: Any) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        row, col = p // STRIDE, p % STRIDE
        line = min(min(row, size + 1 - row), min(col, size + 1 - col))
        if line <= LINES:
            out[i] = line


def _write(situation: Situation, out: Any) -> None:
    levels(situation.size, situation.candidates, situation.count, out)


FAMILY = Family(
    "border",
    "Distance to border",
    tuple(Level(str(i), f"is on the {name} line") for i, name in enumerate(_NAMES, 1)),
    _write,
)
