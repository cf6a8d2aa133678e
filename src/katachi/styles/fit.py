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

from typing import Any, Final, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from katachi.errors import KatachiError
from katachi.learning.bradley_terry.errors import add_covariances
from katachi.progress import Progress, silent
from katachi.styles.decisions import Decisions
from katachi.styles.diagonal import fit_diagonal
from katachi.styles.fitted import ROUNDS, START, TOLERANCE, Fitted, Vector
from katachi.styles.passes import add_evidence, add_skew
from katachi.styles.surface import surface_of

MOST_FEATURES: Final = 3000  # the Hessian is dense; of more its diagonal stands for it


class _Here(NamedTuple):
    """What the decisions say at some δ."""

    log_likelihood: float
    gradient: Vector
    information: Vector  # H
    chances: list[Vector]  # of each piece


def fit(
    decisions: Decisions,
    *,
    tau: Vector | None = None,
    tolerance: float = TOLERANCE,
    progress: Progress = silent,
) -> Fitted:
    """The differences of these decisions. With `tau` these are held; else they are found, too. It
    ends when a round changes no δ and no log τ by `tolerance`. Of more than MOST_FEATURES features
    the Hessian's diagonal stands for it, in the errors and in the marginal likelihood.

    Raises KatachiError for no decision or no feature.
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
        return fit_diagonal(decisions, tau, tolerance, progress)
    families = np.repeat(np.arange(len(decisions.sizes)), decisions.sizes)
    held = tau is not None
    taus = np.full(len(decisions.sizes), START) if tau is None else np.asarray(tau, np.float64)
    delta = np.zeros(n)
    here = base = _look(decisions, delta)
    converged, number = False, 0
    for number in range(1, ROUNDS + 1):
        progress("fitting", number, 0)
        skew = np.zeros(n) if held else _skew(decisions, here, families, taus)
        pull = here.gradient + here.information @ delta
        surface = surface_of(here.information, pull, skew, families, len(taus) == 1)
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
