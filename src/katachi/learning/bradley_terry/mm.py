"""Minorization-maximization (Coulom 2007, 2.5), one family after the other in batch (2.5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.learning.bradley_terry.columns import Competing, layout
from katachi.learning.bradley_terry.passes import (
    Threads,
    add_shares,
    all_products,
    blocks,
    inverse_totals,
)
from katachi.learning.bradley_terry.prior import Prior
from katachi.models.predictor import multiply

Vector = npt.NDArray[np.float64]


def update(gamma: Vector, wins: npt.NDArray[np.int64], expected: Vector, prior: Prior) -> Vector:
    """γ_i ← W_i / Σ_j C_ij / E_j, the virtual games of the prior among them (2.5.3).

    `expected` is γ_i Σ_j C_ij / E_j over the real games; in a virtual one C is 1 and E is 1 + γ.
    """
    updated: Vector = (wins + prior.wins) / (expected / gamma + prior.games / (1.0 + gamma))
    return updated


class Sweeps:
    """Sweep after sweep over the families; the product of each team is kept between passes.

    A pass multiplies the products by new / old gamma of the family before, and adds up the shares
    of its own family: nothing else has changed. `gamma` is the vector after the last sweep.
    """

    def __init__(
        self,
        data: Competing,
        gamma: Vector,
        wins: npt.NDArray[np.int64],
        prior: Prior,
        families: Sequence[int],
        threads: Threads,
    ) -> None:
        self.gamma = gamma.copy()
        self.log_likelihood = 0.0  # before the last sweep
        self._data = data
        self._wins = wins
        self._prior = prior
        self._families = list(families)
        self._threads = threads
        self._first = layout(data.levels)
        self._products = all_products(data, gamma, range(len(data.levels)), threads)
        self._pending: list[tuple[int, Vector]] = []  # families whose ratios are not applied yet

    def sweep(self) -> None:
        """Update each family once, in order."""
        for number, f in enumerate(self._families):
            expected = self._pass(f, with_evidence=number == 0)
            a, b = self._first[f], self._first[f + 1]
            old = self.gamma[a:b]
            new = update(old, self._wins[a:b], expected, self._prior)
            self._pending = [(f, new / old)]
            self.gamma[a:b] = new

    def rescale(self, factor: Vector) -> None:
        """Multiply every gamma by its factor, where that changes no competition's outcome.

        The products are kept as they are: each competition's are all off by one common factor.
        """
        self.gamma *= factor

    def _pass(self, family: int, with_evidence: bool) -> Vector:
        """The expected wins of a family's levels; brings the products up to date on the way."""
        pending = [(f, np.concatenate([[1.0], ratio])) for f, ratio in self._pending]
        wanted = [*(f for f, _ in pending), family]

        def of_shard(number: int) -> tuple[float, Vector]:
            shard = self._data.shard(number, wanted)
            products = self._products[number]
            sums = np.zeros(self._data.levels[family] + 1)
            total = 0.0
            for a, b in blocks(shard.starts):
                starts: Any = np.asarray(shard.starts[a : b + 1])
                part = products[starts[0] - shard.starts[0] : starts[-1] - shard.starts[0]]
                for column, (_, ratio) in zip(shard.columns, pending, strict=False):
                    multiply(part, column[starts[0] : starts[-1]], ratio)
                inverse = np.empty(b - a)
                inverse_totals(starts, part, inverse)
                if with_evidence:
                    won = part[starts[:-1] - starts[0] + shard.winner[a:b]]
                    total += float(np.log(won * inverse).sum())
                add_shares(starts, shard.columns[-1][starts[0] : starts[-1]], part, inverse, sums)
            return total, sums[1:]

        self._pending = []
        evidence, expected = 0.0, np.zeros(self._data.levels[family])
        for part, sums in self._threads.map(of_shard, len(self._data)):
            evidence += part
            expected += sums
        if with_evidence:
            self.log_likelihood = evidence
        return expected
