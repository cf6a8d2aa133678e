"""The fit: how the moves of a group differ from what a base model expects.

Each feature i of a candidate multiplies what the base expects of it by exp(δ_i), so that

    P(move) ∝ base(move) · Π exp(δ_i),    δ_i ~ N(0, τ_f²),

with one τ to each family f. δ is the maximum of the posterior, and its errors are from the inverse
of the full Hessian there. τ is the maximum of the marginal likelihood by Laplace's approximation,

    log p(moves | δ) - ½ Σ δ_i² / τ_f² - Σ log τ_f - ½ log det(H + T),

where H is the information and T = diag(1 / τ_f²), as a function of τ alone: δ follows τ. How H
changes with δ is part of its gradient (`passes.add_skew`).

Each round goes through all decisions twice, at the δ that the last one has found: to find the
gradient and H, and how H changes. In between, the likelihood is a parabola, so that the best τ and
the δ that belongs to it are found without the decisions. At the end of the rounds nothing changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from katachi.errors import KatachiError
from katachi.learning.bradley_terry.errors import add_covariances
from katachi.progress import Progress, silent
from katachi.styles.decisions import Decisions
from katachi.styles.passes import add_evidence, add_skew

Vector = npt.NDArray[np.float64]

MOST_FEATURES: Final = 3000  # the Hessian is dense
START: Final = 0.3  # of τ, in units of log γ: 52 Elo
LEAST_TAU, MOST_TAU = 1e-3, 1e2  # 0.2 Elo: no difference worth the name
ROUNDS: Final = 60
TOLERANCE: Final = 1e-8  # of δ and log τ, in a round


class _Here(NamedTuple):
    """What the decisions say at some δ."""

    log_likelihood: float
    gradient: Vector
    information: Vector  # H
    chances: list[Vector]  # of each piece


@dataclass(frozen=True, eq=False)
class Fitted:
    """Differences and what is known of them, in units of log γ."""

    delta: Vector  # [feature]
    error: Vector  # [feature] standard error, all others being uncertain, too
    covariance: Vector  # [feature, feature] the inverse of the Hessian
    tau: Vector  # [family]
    log_likelihood: float
    base_log_likelihood: float  # where there are no differences
    log_marginal: float  # Laplace's, without the terms that no τ changes
    chances: list[Vector]  # [piece][candidate] with the differences
    rounds: int
    converged: bool

    def told(self, contrasts: Vector) -> tuple[Vector, Vector]:
        """(sum, standard error) of each row of `contrasts` ([sum, feature]): a sum of differences,
        each so many times.
        """
        variance = np.einsum("ij,jk,ik->i", contrasts, self.covariance, contrasts)
        return contrasts @ self.delta, np.sqrt(np.maximum(variance, 0.0))

    def unshrunken(self, families: npt.NDArray[Any], contrasts: Vector) -> tuple[Vector, Vector]:
        """(sum, standard error) of each row of `contrasts` with the prior of that sum taken away,
        all that is independent of it keeping theirs: by what the decisions alone say of it.
        `families` ([feature]) is the family of each.

        A prior that is right for a family as a whole draws the one feature of it that stands out
        towards 0, so that too few of its intervals would cover the truth. Errors are infinite where
        the decisions say nothing.
        """
        delta, error = self.told(contrasts)
        prior = contrasts**2 @ self.tau[families] ** 2
        some = (error > 0) & (prior > 0)  # a family's only level beside itself is 0, and sure
        precision = 1 / np.where(some, error, 1.0) ** 2
        left = precision - 1 / np.where(some, prior, 1.0)
        some &= left > 1e-9 * precision
        left = np.where(some, left, 1.0)
        delta = np.where(some, delta * precision / left, 0.0)
        return delta, np.where(some, 1 / np.sqrt(left), np.inf)


def fit(
    decisions: Decisions,
    *,
    tau: Vector | None = None,
    tolerance: float = TOLERANCE,
    progress: Progress = silent,
) -> Fitted:
    """The differences of these decisions. With `tau` these are held; else they are found, too. It
    ends when a round changes no δ and no log τ by `tolerance`.

    Raises KatachiError for no decision, no feature or more than MOST_FEATURES.
    """
    # Thousands of small matrices: the threads of BLAS would wait for each other most of the time,
    # and the last digits would depend on how many there are, so that no two rounds end alike.
    with threadpool_limits(1, user_api="blas"):
        return _fit(decisions, tau, tolerance, progress)


def _fit(decisions: Decisions, tau: Vector | None, tolerance: float, progress: Progress) -> Fitted:
    first = decisions.first
    n = int(first[-1])
    if decisions.count == 0 or n == 0:
        raise KatachiError("there is nothing to tell a difference from: no moves, or no features")
    if n > MOST_FEATURES:
        raise KatachiError(f"{n:,} features are too many: the limit is {MOST_FEATURES:,}")
    families = np.repeat(np.arange(len(decisions.sizes)), decisions.sizes)
    held = tau is not None
    taus = np.full(len(decisions.sizes), START) if tau is None else np.asarray(tau, np.float64)
    delta = np.zeros(n)
    here = base = _look(decisions, delta)
    converged, number = False, 0
    for number in range(1, ROUNDS + 1):
        progress("fitting", number, 0)
        skew = np.zeros(n) if held else _skew(decisions, here, families, taus)
        surface = _Surface(
            here.information, here.gradient + here.information @ delta, skew, families
        )
        found = taus if held else surface.best_tau(taus, delta)
        target = surface.delta(found)
        step, there = 1.0, _look(decisions, target)
        before = _log_posterior(here, delta, found[families])
        while _log_posterior(there, target, found[families]) < before - 1e-9 * abs(before):
            step /= 2
            target = delta + step * (surface.delta(found) - delta)
            there = _look(decisions, target)
        moved = max(np.abs(target - delta).max(), np.abs(np.log(found / taus)).max())
        delta, taus, here = target, found, there
        if step == 1.0 and moved < tolerance:
            converged = True
            break
    hessian = here.information + np.diag(1 / taus[families] ** 2)
    covariance = np.asarray(np.linalg.inv(hessian), np.float64)
    marginal = (
        _log_posterior(here, delta, taus[families])
        - np.log(taus[families]).sum()
        - 0.5 * np.linalg.slogdet(hessian)[1]
    )
    return Fitted(
        delta,
        np.asarray(np.sqrt(np.diag(covariance))),
        covariance,
        taus,
        here.log_likelihood,
        base.log_likelihood,
        float(marginal),
        here.chances,
        number,
        converged,
    )


def _log_posterior(here: _Here, delta: Vector, spread: Vector) -> float:
    return here.log_likelihood - 0.5 * float(((delta / spread) ** 2).sum())


def _look(decisions: Decisions, delta: Vector) -> _Here:
    """One pass through all decisions."""
    n = len(delta)
    gradient, half = np.zeros(n), np.zeros((n, n))
    mean, met = np.zeros(n), np.zeros(n, np.int64)
    total, chances = 0.0, []
    for piece in decisions.pieces:
        p = np.empty(len(piece.offset))
        total += add_evidence(
            piece.starts, piece.winner, piece.offset, piece.seats, delta, p, gradient
        )
        ones = np.ones(len(piece))
        add_covariances(piece.starts, piece.seats, p, ones, half, mean, met)
        chances.append(p)
    information = half + half.T
    information[np.diag_indices(n)] = np.diag(half)
    return _Here(total, gradient, information, chances)


def _skew(decisions: Decisions, here: _Here, families: Any, taus: Vector) -> Vector:
    n = len(families)
    sigma = np.linalg.inv(here.information + np.diag(1 / taus[families] ** 2))
    mean, met, out = np.zeros(n), np.zeros(n, np.int64), np.zeros(n)
    for piece, chances in zip(decisions.pieces, here.chances, strict=True):
        add_skew(piece.starts, piece.seats, chances, sigma, mean, met, out)
    return out


class _Surface(NamedTuple):
    """The likelihood as a parabola, pull·δ - ½ δᵀHδ, and log det(H + T) as a plane of slope `skew`
    in δ.
    """

    information: Vector
    pull: Vector
    skew: Vector
    families: Any  # [feature] its family

    def delta(self, taus: Vector) -> Vector:
        """Where the posterior has its maximum."""
        bend = self.information + np.diag(1 / taus[self.families] ** 2)
        return np.asarray(np.linalg.solve(bend, self.pull))

    def best_tau(self, taus: Vector, delta: Vector) -> Vector:
        """The τ of the highest marginal likelihood, from these on."""
        low, high = np.log(LEAST_TAU), np.log(MOST_TAU)
        found = minimize(
            self._cost,
            np.clip(np.log(taus), low, high),
            (delta,),
            method="L-BFGS-B",
            jac=True,
            bounds=[(low, high)] * len(taus),
            options={"ftol": 0.0, "gtol": 1e-10, "maxiter": 200},
        )
        return np.asarray(np.exp(found.x))

    def _cost(self, logs: Vector, before: Vector) -> tuple[float, Vector]:
        """(what is to be as low as can be, its gradient in log τ)."""
        tension = np.exp(-2 * logs)[self.families]
        bend = self.information + np.diag(tension)
        sigma = np.linalg.inv(bend)
        delta = sigma @ self.pull
        value = (
            0.5 * self.pull @ delta
            - logs[self.families].sum()
            - 0.5 * np.linalg.slogdet(bend)[1]
            - 0.5 * self.skew @ (delta - before)
        )
        slope = tension * (delta**2 + np.diag(sigma) - (sigma @ self.skew) * delta) - 1
        return -float(value), -np.bincount(self.families, slope, len(logs)).astype(np.float64)
