"""Which combinations of two families are frequent enough to be rated as a pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from katachi.errors import KatachiError
from katachi.go.kernel import at, kernel
from katachi.models.pairs import SIGN, Pair
from katachi.patterns.competitions import Competitions

MOST_COMBINATIONS: Final = 1 << 24


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
