"""Pairs of families as families of their own.

"Estimating the strength of some frequent feature pairs separately might improve predictions"
(Coulom 2007, conclusion). A pair's level stands for one level of each of two families at once; only
combinations that are frequent have one, the others stay without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.go.kernel import at, kernel
from katachi.patterns.competitions import Competitions

SIGN: Final = "*"  # between the names of two families
MOST_COMBINATIONS: Final = 1 << 24


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

    def column(self, one: npt.NDArray[Any], two: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The levels of the pair, from the columns of its two families."""
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


@kernel
def _count(one: Any, two: Any, width: int, counts: Any) -> None:
    for i in range(len(one)):
        a, b = one[at(i)], two[at(i)]
        if a and b:
            counts[at(a * width + b)] += 1


def pair_names(text: str) -> tuple[str, str]:
    """The two names of "one*two". Raises KatachiError if it is written in another way."""
    names = text.split(SIGN)
    if len(names) != 2 or names[0] == names[1]:
        raise KatachiError(f"{text!r} is no pair of families: write it as capture{SIGN}distance")
    return names[0], names[1]


def parse_pair(text: str, sizes: Mapping[str, int]) -> tuple[str, str]:
    """The two families of "one*two". Raises KatachiError if there are no such families, or if they
    have too many combinations.
    """
    names = pair_names(text)
    for name in names:
        if name not in sizes:
            raise KatachiError(f"there is no family {name!r} in {text!r}: {', '.join(sizes)}")
    if (sizes[names[0]] + 1) * (sizes[names[1]] + 1) > MOST_COMBINATIONS:
        raise KatachiError(f"{text} has too many combinations: pair smaller families")
    return names


def frequent_pairs(
    competitions: Competitions, wanted: Sequence[tuple[str, str]], min_count: int
) -> tuple[Pair, ...]:
    """The pairs with those combinations that at least `min_count` candidates show."""
    sizes = {f["name"]: f["levels"] for f in competitions.manifest["families"]}
    counts = [np.zeros((sizes[a] + 1) * (sizes[b] + 1), np.int64) for a, b in wanted]
    names = sorted({name for pair in wanted for name in pair})
    for number in range(len(competitions.shards)):
        shard = competitions.shards.some(number, names)
        for (a, b), of_pair in zip(wanted, counts, strict=True):
            _count(shard[a], shard[b], sizes[b] + 1, of_pair)
    return tuple(
        Pair(a, b, sizes[b] + 1, np.flatnonzero(of_pair >= min_count).astype(np.uint32))
        for (a, b), of_pair in zip(wanted, counts, strict=True)
    )
