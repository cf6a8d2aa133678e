"""`BradleyTerry`: ratings of the members of any competing teams, in scikit-learn's manner.

model = BradleyTerry().fit([Competition([["ann", "bob"], ["carl"]], winner=0), …])
model.rating("ann"), model.predict([["ann"], ["bob", "carl"]])
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.learning.bradley_terry.columns import Competing, layout
from katachi.learning.bradley_terry.errors import FULL_LIMIT, full_errors
from katachi.learning.bradley_terry.fit import fit, standard_errors
from katachi.learning.bradley_terry.prior import Prior
from katachi.models.elo import ELO, elo
from katachi.progress import Progress, silent
from katachi.teams.teams import Competition, Grouping, columns_of

Vector = npt.NDArray[np.float64]


class BradleyTerry:
    """The generalized Bradley-Terry model (Coulom 2007, 2.2): its maximum a posteriori.

    `wins` and `losses` are the virtual games of the prior, against a gamma of 1 (3.3). `method` is
    "fast" or "mm"; both end at the one maximum, when an iteration gains less than `tolerance` times
    the log-posterior. `families` says which members exclude each other, as in `teams.columns_of`;
    without it that is found out. `jobs` is the number of threads, and changes no result.

    Learned, and set by `fit`:

    members_              in the order of first appearance; the arrays below are in that order
    gamma_, elo_          strength, and 400 log10 of it
    standard_error_       of elo_, from the curvature of the log-posterior
    standard_error_kind_  "full"; beyond FULL_LIMIT gammas "rest held", each with all others held
    wins_, appearances_   how often a member was in the winning team, and in any team
    log_likelihood_, log_posterior_, converged_, iterations_
    trace_                the log-posterior at the start and after each iteration
    """

    members_: list[Any]
    gamma_: Vector
    elo_: Vector
    standard_error_: Vector
    standard_error_kind_: str
    wins_: npt.NDArray[np.int64]
    appearances_: npt.NDArray[np.int64]
    log_likelihood_: float
    log_posterior_: float
    converged_: bool
    iterations_: int
    trace_: list[float]

    def __init__(
        self,
        *,
        wins: float = 1.0,
        losses: float = 1.0,
        method: str = "fast",
        tolerance: float = 1e-12,
        max_iterations: int = 1000,
        families: Grouping | None = None,
        jobs: int = 1,
    ) -> None:
        self.wins = wins
        self.losses = losses
        self.method = method
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.families = families
        self.jobs = jobs
        self._number: dict[Any, int] | None = None

    def fit(self, competitions: Iterable[Competition], *, progress: Progress = silent) -> Self:
        """Learn from competitions, which are read once.

        Raises KatachiError as `teams.columns_of` and `fit.fit` do.
        """
        teams = columns_of(competitions, self.families)
        return self.fit_columns(teams.columns, teams.members, order=teams.order, progress=progress)

    def fit_columns(
        self,
        columns: Competing,
        members: Sequence[Any],
        *,
        order: npt.NDArray[np.int64] | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from columns; `members` names their gammas, `order` sorts what is learned.

        Raises KatachiError as `fit.fit` does, and unless each gamma has a name of its own.
        """
        gammas = int(layout(columns.levels)[-1])
        if len(members) != gammas or len(set(members)) != gammas:
            raise KatachiError(f"{gammas} gammas need {gammas} different members to name them")
        if self.max_iterations < 1:
            raise KatachiError(f"{self.max_iterations} iterations are too few: give 1 or more")
        if self.jobs < 1:
            raise KatachiError(f"{self.jobs} threads are too few: give 1 or more")
        prior = Prior(self.wins, self.losses)
        found = fit(
            columns,
            prior=prior,
            method=self.method,
            tolerance=self.tolerance,
            max_iterations=self.max_iterations,
            jobs=self.jobs,
            progress=progress,
        )
        full = gammas <= FULL_LIMIT
        errors = (
            full_errors(columns, found.gamma, prior)
            if full
            else standard_errors(columns, found.gamma, prior=prior, jobs=self.jobs)
        )
        sort = np.arange(gammas) if order is None else order
        self.members_ = [members[i] for i in sort.tolist()]
        self.gamma_ = found.gamma[sort]
        self.elo_ = elo(self.gamma_)
        self.standard_error_ = ELO * errors[sort]
        self.standard_error_kind_ = "full" if full else "rest held"
        self.wins_ = found.counts.wins[sort]
        self.appearances_ = found.counts.appearances[sort]
        self.log_likelihood_ = found.log_likelihood
        self.log_posterior_ = found.log_posterior
        self.converged_ = found.converged
        self.iterations_ = found.iterations
        self.trace_ = found.trace
        self._number = {member: i for i, member in enumerate(self.members_)}
        return self

    def rating(self, member: Hashable) -> float:
        """The Elo rating of a member. Raises KatachiError if nobody of that name was learned."""
        number = self._find(member)
        return float(self.elo_[number])

    def gamma_of(self, team: Sequence[Hashable]) -> float:
        """The product of the members' gammas, 1 for none.

        Raises KatachiError for an unknown member, or one that is named twice.
        """
        return float(np.exp(self._strength(team)))

    def predict(self, teams: Sequence[Sequence[Hashable]]) -> Vector:
        """The chance of each of these teams to win, were they to compete.

        Raises KatachiError as `gamma_of` does, or if there are no teams.
        """
        if len(teams) == 0:
            raise KatachiError("there are no teams: nobody can win")
        strength = np.array([self._strength(team) for team in teams])
        share = np.exp(strength - strength.max())
        return np.asarray(share / share.sum())

    def _strength(self, team: Sequence[Hashable]) -> float:
        """log γ of a team."""
        if isinstance(team, str):
            raise KatachiError(f"{team!r} is not a list of members")
        if len(set(team)) != len(team):
            raise KatachiError(f"the team {list(team)} names a member twice")
        numbers = [self._find(member) for member in team]
        return sum(np.log(self.gamma_[numbers]).tolist()) if numbers else 0.0

    def _find(self, member: Hashable) -> int:
        if self._number is None:
            raise KatachiError("nothing is learned yet: call fit first")
        if member not in self._number:
            raise KatachiError(f"{member!r} was in no team that was learned from")
        return self._number[member]
