"""Described games as the columns that the fit reads: memory-mapped, shard by shard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from katachi.learning.bradley_terry.columns import Shard
from katachi.models.pairs import Pair
from katachi.patterns.competitions import WEIGHT, Competitions


@dataclass(frozen=True, eq=False)
class Described:
    """These families of the competitions, then these pairs; katachi's `Columns`."""

    competitions: Competitions
    names: Sequence[str]
    pairs: Sequence[Pair] = ()

    @cached_property
    def levels(self) -> Sequence[int]:
        """The number of levels of each family and pair."""
        sizes = {f["name"]: f["levels"] for f in self.competitions.manifest["families"]}
        return [*(sizes[name] for name in self.names), *(pair.size for pair in self.pairs)]

    def __len__(self) -> int:
        return len(self.competitions.shards)

    def shard(self, number: int, families: Sequence[int]) -> Shard:
        """A shard with the columns of these families only."""
        count = len(self.names)
        pairs = [self.pairs[f - count] for f in families if f >= count]
        wanted = {self.names[f] for f in families if f < count}
        wanted |= {name for pair in pairs for name in (pair.one, pair.two)}
        sampled = self.competitions.manifest["field"] is not None
        names = ["starts", "winner", *wanted, *([WEIGHT] if sampled else [])]
        found = self.competitions.shards.some(number, names)
        columns = [
            found[self.names[f]] if f < count else self.pairs[f - count].column(found)
            for f in families
        ]
        # Plain arrays: numpy's memmap is slow to slice.
        return Shard(
            np.asarray(found["starts"]),
            np.asarray(found["winner"]),
            [np.asarray(column) for column in columns],
            np.asarray(found[WEIGHT]) if sampled else None,
        )
