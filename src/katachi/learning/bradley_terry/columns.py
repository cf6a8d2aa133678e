"""Competitions as columns: the form in which the fit reads them.

A *family* is a set of gammas that exclude each other: no team has two of them (Coulom 2007, 2.5.4).
So a family is one column with a level for every team, 0 for none; levels count from 1. Column f
holds the gammas first[f] + 1 … first[f + 1] of one long vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt


class Shard(NamedTuple):
    """Some competitions: the teams of number j are starts[j] … starts[j + 1]."""

    starts: npt.NDArray[np.int64]  # [c + 1]
    winner: npt.NDArray[Any]  # [c]: which of its teams won
    columns: Sequence[npt.NDArray[Any]]  # one to a family, [n]: the level of each team
    weights: npt.NDArray[np.float32] | None = None  # [n] how many teams it stands for; winners: 1


class Competing(Protocol):
    """What the fit needs: the levels of each family, and shards that can be asked for again.

    A shard may be read from disk each time: nothing holds on to it longer than a pass needs it.
    """

    @property
    def levels(self) -> Sequence[int]:
        """The number of levels of each family."""

    def __len__(self) -> int:
        """The number of shards."""

    def shard(self, number: int, families: Sequence[int]) -> Shard:
        """A shard with the columns of these families only."""


@dataclass(frozen=True, eq=False)
class InMemory:
    """Shards that are there already."""

    levels: Sequence[int]
    shards: Sequence[Shard]

    def __len__(self) -> int:
        return len(self.shards)

    def shard(self, number: int, families: Sequence[int]) -> Shard:
        """A shard with the columns of these families only."""
        whole = self.shards[number]
        return whole._replace(columns=[whole.columns[f] for f in families])


def layout(levels: Sequence[int]) -> npt.NDArray[np.int64]:
    """[f + 1] where the gammas of each family begin in the long vector."""
    first = np.zeros(len(levels) + 1, np.int64)
    np.cumsum(levels, out=first[1:])
    return first


def factors(gamma: npt.NDArray[np.float64], first: Any, family: int) -> npt.NDArray[np.float64]:
    """[level] what a level multiplies its team by; level 0 multiplies it by 1."""
    return np.concatenate([[1.0], gamma[first[family] : first[family + 1]]])
