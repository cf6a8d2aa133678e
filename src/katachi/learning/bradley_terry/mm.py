"""Minorization-maximization (Coulom 2007, 2.5), one family after the other in batch (2.5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import uuid4
from weakref import finalize

import numpy as np
import numpy.typing as npt

from katachi.learning.bradley_terry.columns import Competing, factors, layout
from katachi.learning.bradley_terry.passes import add_shares, blocks, inverse_totals, products_of
from katachi.learning.bradley_terry.places import Places, Summed
from katachi.learning.bradley_terry.prior import Prior
from katachi.models.predictor import multiply
from katachi.processes import is_worker

Vector = npt.NDArray[np.float64]


def update(gamma: Vector, wins: npt.NDArray[np.int64], expected: Vector, prior: Prior) -> Vector:
    """γ_i ← W_i / Σ_j C_ij / E_j, the virtual games of the prior among them (2.5.3).

    `expected` is γ_i Σ_j C_ij / E_j over the real games; in a virtual one C is 1 and E is 1 + γ.
    """
    updated: Vector = (wins + prior.wins) / (expected / gamma + prior.games / (1.0 + gamma))
    return updated


class Step(NamedTuple):
    """What has changed: the levels of a family by these factors."""

    family: int
    ratio: Vector  # [level + 1], of level 0: 1


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
        places: Places,
    ) -> None:
        self.gamma = gamma.copy()
        self.log_likelihood = 0.0  # before the last sweep
        self._data = data
        self._wins = wins
        self._prior = prior
        self._families = list(families)
        self._places = places
        self._first = layout(data.levels)
        self._start = gamma.copy()
        self._steps: list[Step] = []  # since the start
        self._token = uuid4().hex
        finalize(self, _kept.pop, self._token, None)

    def sweep(self) -> None:
        """Update each family once, in order."""
        for number, f in enumerate(self._families):
            evidence, expected = self._pass(f, with_evidence=number == 0)
            if number == 0:
                self.log_likelihood = evidence
            a, b = self._first[f], self._first[f + 1]
            old = self.gamma[a:b]
            new = update(old, self._wins[a:b], expected, self._prior)
            self._steps.append(Step(f, np.concatenate([[1.0], new / old])))
            self.gamma[a:b] = new

    def rescale(self, factor: Vector) -> None:
        """Multiply every gamma by its factor, where that changes no competition's outcome.

        The products are kept as they are: each competition's are all off by one common factor.
        """
        self.gamma *= factor

    def _pass(self, family: int, with_evidence: bool) -> Summed:
        """(log-likelihood if it is wanted, the expected wins of a family's levels); brings the
        products up to date on the way.
        """
        whole = _Pass(
            self._data, self._token, self._start, 0, tuple(self._steps), family, with_evidence
        )
        # Who has the products of the pass before needs no more than the last step
        last = len(self._steps) - 1
        brief = (
            whole if last < 0 else replace(whole, start=None, first=last, steps=self._steps[-1:])
        )
        length = self._data.levels[family]
        try:
            return self._places.total(brief, len(self._data), length)
        except Behind:  # a worker that came new
            return self._places.total(whole, len(self._data), length)


class Behind(Exception):
    """A process does not have the products of the pass before."""


# Of this process: token of the sweeps → shard → (number of steps in it, products)
_kept: dict[str, dict[int, tuple[int, Vector]]] = {}


@dataclass(frozen=True, eq=False)
class _Pass:
    """A pass of `Sweeps` over a shard: its products are those of the `start`, changed by all steps
    so far. Known here are the steps from number `first` on.
    """

    data: Competing
    token: str
    start: Vector | None  # None: the products must be here already
    first: int
    steps: Sequence[Step]
    family: int
    with_evidence: bool

    def __call__(self, number: int) -> Summed:
        done, products = self._products(number)
        pending = self.steps[done - self.first :]
        shard = self.data.shard(number, [*(step.family for step in pending), self.family])
        sums = np.zeros(self.data.levels[self.family] + 1)
        total = 0.0
        for a, b in blocks(shard.starts):
            starts: Any = np.asarray(shard.starts[a : b + 1])
            part = products[starts[0] - shard.starts[0] : starts[-1] - shard.starts[0]]
            for column, step in zip(shard.columns, pending, strict=False):
                multiply(part, column[starts[0] : starts[-1]], step.ratio)
            inverse = np.empty(b - a)
            inverse_totals(starts, part, inverse)
            if self.with_evidence:
                won = part[starts[:-1] - starts[0] + shard.winner[a:b]]
                total += float(np.log(won * inverse).sum())
            add_shares(starts, shard.columns[-1][starts[0] : starts[-1]], part, inverse, sums)
        _kept[self.token][number] = self.first + len(self.steps), products
        return total, sums[1:]

    def _products(self, number: int) -> tuple[int, Vector]:
        """(how many steps are in them, the products of a shard's teams). Nobody else has them
        until the pass is over: a pass that is interrupted leaves none that are half changed.
        """
        if is_worker():
            for token in _kept.keys() - {self.token}:
                del _kept[token]  # of a fit that is over
        found = _kept.setdefault(self.token, {}).pop(number, None)
        if found is not None and self.first <= found[0] <= self.first + len(self.steps):
            return found
        if self.start is None:
            raise Behind
        first, families = layout(self.data.levels), range(len(self.data.levels))
        tables = [factors(self.start, first, f) for f in families]
        return 0, products_of(self.data.shard(number, families), tables)
