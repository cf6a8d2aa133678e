"""The driver: from competitions to the gammas of the maximum a posteriori.

Two ways to the one maximum (the log-posterior is concave in log γ):

- "mm": plain minorization-maximization, exactly as in the paper (2.5).
- "fast", the default: a few sweeps of MM, each followed by a move of scale between families
  (`scale`), then L-BFGS on log γ, each scaled by 1 / sqrt(wins + virtual games / 4).

Both stop when a sweep, or an iteration of L-BFGS, gains less than `tolerance` times the
log-posterior (or 1, if that is larger in size). The log-posterior never decreases.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.learning.bradley_terry.columns import Competing, layout
from katachi.learning.bradley_terry.mm import Sweeps
from katachi.learning.bradley_terry.passes import Counts, count, curvature, evidence
from katachi.learning.bradley_terry.places import Places, places
from katachi.learning.bradley_terry.prior import (
    ONE_AND_ONE,
    Prior,
    check_prior,
    log_prior,
    prior_curvature,
    prior_gradient,
)
from katachi.learning.bradley_terry.scale import best_scale, free_directions
from katachi.learning.journal import Journal
from katachi.progress import Progress, silent

Vector = npt.NDArray[np.float64]

FITS: Final = ("fast", "mm")
TOLERANCE: Final = 1e-6
FIRST_SWEEPS: Final = 6  # of MM, before L-BFGS
ROUND: Final = 10  # sweeps of MM that are kept together; the products are taken anew for each
_MEMORY: Final = 20  # gradients that L-BFGS remembers


@dataclass(frozen=True, eq=False)
class Fit:
    """The maximum a posteriori, and how it was reached."""

    gamma: Vector
    counts: Counts
    log_likelihood: float
    log_posterior: float
    converged: bool
    iterations: int  # sweeps of MM and iterations of L-BFGS
    trace: list[float] = field(repr=False)  # log-posterior at the start and after each iteration


def fit(
    data: Competing,
    *,
    prior: Prior = ONE_AND_ONE,
    method: str = "fast",
    tolerance: float = TOLERANCE,
    max_iterations: int = 1000,
    start: Vector | None = None,
    held: Sequence[int] = (),
    jobs: int = 1,
    progress: Progress = silent,
    kept: Path | None = None,
) -> Fit:
    """Fit the gammas of all families but the `held` ones, which stay as in `start` (else 1).

    `kept`: a file for what is found on the way, from which a fit of the same data that was ended
    amid its work goes on, to the same gammas to the last digit.
    Raises KatachiError for an unknown method, a prior that does not hold the ratings, or a
    tolerance below 0. Not checked: that levels and winners are within their bounds.
    """
    check_fit(prior, method, tolerance)
    first = layout(data.levels)
    gamma = np.ones(first[-1]) if start is None else np.array(start, np.float64)
    families = [f for f in range(len(data.levels)) if f not in held and data.levels[f] > 0]
    with places(jobs) as at, closing(Journal(kept)) as journal:
        run = _Run(data, prior, tolerance, families, at, progress, count(data, at), journal)
        if not families:
            converged = True
        elif method == "mm":
            gamma, converged = run.sweeps(gamma, max_iterations, scaled=False)
        else:
            gamma, converged = run.sweeps(gamma, min(FIRST_SWEEPS, max_iterations), scaled=True)
            left = max_iterations - run.iterations
            if not converged or run.iterations == FIRST_SWEEPS:
                gamma, converged = run.ascend(gamma, left)
        log_likelihood, _ = evidence(data, gamma, at)
    log_posterior = run.log_posterior(gamma, log_likelihood)
    return Fit(
        gamma,
        run.counts,
        log_likelihood,
        log_posterior,
        converged,
        run.iterations,
        run.trace or [log_posterior],
    )


def check_fit(prior: Prior, method: str, tolerance: float) -> None:
    """Raises KatachiError for what `fit` cannot work with."""
    if method not in FITS:
        raise KatachiError(f"{method!r} is no way to fit: it is {' or '.join(FITS)}")
    check_tolerance(tolerance)
    check_prior(prior)


def check_tolerance(tolerance: float) -> None:
    """Raises KatachiError for one that no fit comes to."""
    if not tolerance >= 0:
        raise KatachiError(f"a tolerance of {tolerance} cannot be reached: give 0 or more")


def standard_errors(
    data: Competing, gamma: Vector, *, prior: Prior = ONE_AND_ONE, jobs: int = 1
) -> Vector:
    """Standard errors of log γ from the curvature of the log-posterior, each with the rest held.

    That says how well a level is known against its neighbours in a family; how the families share
    a common scale is left out. `errors.full_errors` has that too, for small problems.
    """
    with places(jobs) as at:
        bend = curvature(data, gamma, at) + prior_curvature(np.log(gamma), prior)
    return np.asarray(1.0 / np.sqrt(bend))


@dataclass(eq=False)
class _Run:
    """One fit under way."""

    data: Competing
    prior: Prior
    tolerance: float
    families: list[int]
    places: Places
    tell: Progress
    counts: Counts
    journal: Journal
    iterations: int = 0
    trace: list[float] = field(default_factory=list)

    @property
    def moving(self) -> npt.NDArray[np.bool_]:
        """Which gammas are fitted."""
        first = layout(self.data.levels)
        moving = np.zeros(first[-1], np.bool_)
        for f in self.families:
            moving[first[f] : first[f + 1]] = True
        return moving

    def done(self, log_posterior: float) -> None:
        """Note an iteration."""
        self.iterations += 1
        self.trace.append(log_posterior)
        self.tell("fitting", self.iterations, 0)

    def settled(self) -> bool:
        """Whether the last iteration gained less than the tolerance."""
        if len(self.trace) < 2:
            return False
        before, after = self.trace[-2:]
        return after - before <= self.tolerance * max(abs(before), abs(after), 1.0)

    def log_posterior(self, gamma: Vector, log_likelihood: float) -> float:
        """With the prior of the gammas that are fitted."""
        return log_likelihood + log_prior(np.log(gamma[self.moving]), self.prior)

    def sweeps(self, gamma: Vector, most: int, scaled: bool) -> tuple[Vector, bool]:
        """MM until it settles, at most so many sweeps."""
        directions = np.zeros((len(self.families), 0))
        if scaled:
            directions = free_directions(self.data, self.families, self.places)
        for first in range(0, most, ROUND):
            count = min(ROUND, most - first)
            gamma, settled = self.round(gamma, count, directions)
            if settled:
                return gamma, True
        log_likelihood, _ = evidence(self.data, gamma, self.places)
        self.done(self.log_posterior(gamma, log_likelihood))
        return gamma, self.settled()

    def round(self, gamma: Vector, most: int, directions: Vector) -> tuple[Vector, bool]:
        """Some sweeps, or what the journal knows of them: (the gammas, whether they settled)."""
        known = self.journal.recall(gamma)
        if known is not None:
            count = len(known) - len(gamma)
            settled = [self.measured(value) for value in known[:count].tolist()]
            return known[count:], settled[-1]
        state = Sweeps(self.data, gamma, self.counts.wins, self.prior, self.families, self.places)
        values = []
        after, settled_here = gamma, False
        for _ in range(most):
            before = state.gamma.copy()
            state.sweep()
            # The first pass of a sweep measures the likelihood of the gammas before it.
            values.append(self.log_posterior(before, state.log_likelihood))
            after, settled_here = before, self.measured(values[-1])
            if settled_here:
                break
            if directions.shape[1]:
                theta = np.log(state.gamma)
                shift = best_scale(theta, directions, self.families, self.data.levels, self.prior)
                state.rescale(np.exp(shift))
            after = state.gamma
        self.journal.note(gamma, np.concatenate([values, after]))
        return after, settled_here

    def measured(self, log_posterior: float) -> bool:
        """Note what the gammas before a sweep were worth; whether they settled."""
        if not self.trace:
            self.trace.append(log_posterior)
            return False
        self.done(log_posterior)
        return self.settled()

    def ascend(self, gamma: Vector, most: int) -> tuple[Vector, bool]:
        """L-BFGS from here on."""
        from scipy.optimize import minimize

        moving = self.moving
        wins = self.counts.wins[moving]
        # About the curvature: of a gamma near 1 the prior has games / 4.
        scale = 1.0 / np.sqrt(wins + self.prior.games / 4.0)
        whole = gamma.copy()

        def against(x: Vector) -> tuple[float, Vector]:
            theta = x * scale
            whole[moving] = np.exp(theta)
            found = self.journal.recall(whole)
            if found is None:
                log_likelihood, expected = evidence(self.data, whole, self.places)
                found = np.concatenate([[log_likelihood], expected])
                self.journal.note(whole, found)
            value = float(found[0]) + log_prior(theta, self.prior)
            slope = wins - found[1:][moving] + prior_gradient(theta, self.prior)
            return -value, -slope * scale

        def note(intermediate_result: Any) -> None:
            self.done(-float(intermediate_result.fun))

        if most < 1:
            return gamma, False
        found = minimize(
            against,
            np.log(gamma[moving]) / scale,
            jac=True,
            method="L-BFGS-B",
            callback=note,
            options={
                "maxcor": _MEMORY,
                "ftol": self.tolerance,
                "gtol": 0.0,
                "maxiter": most,
                "maxfun": 20 * most,
            },
        )
        after = whole.copy()
        after[moving] = np.exp(found.x * scale)
        # Status 1: out of iterations. 2: no step gains any more, which is as far as numbers go.
        return after, found.status != 1
