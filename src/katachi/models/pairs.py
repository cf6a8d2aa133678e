"""Pairs of families as families of their own.

"Estimating the strength of some frequent feature pairs separately might improve predictions"
(Coulom 2007, conclusion). A pair's level stands for one level of each of two families at once; only
combinations that are frequent have one, the others stay without.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, kernel

SIGN: Final = "*"  # between the names of two families


@dataclass(frozen=True, eq=False)
class Pair:
    """Two families and their frequent combinations; level n is combination n - 1."""

    one: str
    two: str
    width: int  # levels of `two`, and none
    combinations: npt.NDArray[np.uint32]  # [n] level of `one` times width + level of `two`, sorted

    @property
    def name(self) -> str:
        """The name of the family."""
        return f"{self.one}{SIGN}{self.two}"

    @property
    def size(self) -> int:
        """The number of levels."""
        return len(self.combinations)

    def levels(self, level: int) -> tuple[int, int]:
        """The levels of the two families that a level of the pair stands for."""
        one, two = divmod(int(self.combinations[level - 1]), self.width)
        return one, two

    def column(self, columns: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[Any]:
        """The levels of the pair, from the columns of its two families."""
        one, two = columns[self.one], columns[self.two]
        table = np.zeros(
            int(self.combinations[-1]) + 2 if self.size else 1, np.min_scalar_type(self.size)
        )
        table[self.combinations] = np.arange(1, self.size + 1)
        out = np.zeros(len(one), table.dtype)
        _combine(one, two, self.width, table, out)
        return out


@kernel
def _combine(one: Any, two: Any, width: int, table: Any, out: Any) -> None:
    for i in range(len(one)):
        a, b = one[at(i)], two[at(i)]
        if a and b:
            both = a * width + b
            if both < len(table):
                out[at(i)] = table[at(both)]


def check_pair(pair: Pair, sizes: Mapping[str, int]) -> None:
    """Raises ValueError or KeyError unless the pair is one of these families' levels (family →
    number of levels).
    """
    found = pair.combinations.astype(np.int64)
    if pair.width != sizes[pair.two] + 1 or str(pair.combinations.dtype) != "uint32":
        raise ValueError(f"the pair {pair.name} does not fit")
    one, two = np.divmod(found, pair.width)
    inside = (one > 0) & (one <= sizes[pair.one]) & (two > 0)
    if found.ndim != 1 or not np.all(inside) or np.any(np.diff(found) <= 0):
        raise ValueError(f"the pair {pair.name} does not fit")
