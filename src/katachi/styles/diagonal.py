"""The fit of more features than a dense Hessian has room for: its diagonal stands for it.

δ is still the maximum of the posterior. Errors, and the marginal likelihood that gives τ, are as if
features did not act on each other: a feature's error does not allow for that of the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize, minimize_scalar

from katachi.progress import Progress
from katachi.styles.decisions import Decisions
from katachi.styles.fitted import LEAST_TAU, MOST_TAU, ROUNDS, START, Fitted, Vector
from katachi.styles.passes import add_evidence, add_variances

LEAST_TOLERANCE = 1e-6  # L-BFGS finds a mode no better


def fit_diagonal(
    decisions: Decisions, tau: Vector | None, tolerance: float, progress: Progress
) -> Fitted:
    """As `katachi.styles.fit.fit`, with the diagonal of the Hessian, as `covariance` has it."""
    families = np.repeat(np.arange(len(decisions.sizes)), decisions.sizes)
    taus = np.full(len(decisions.sizes), START) if tau is None else np.asarray(tau, np.float64)
    delta = np.zeros(len(families))
    base = _look(decisions, delta)[0]
    converged, number = False, 0
    for number in range(1, ROUNDS + 1):
        progress("fitting", number, 0)
        mode = _mode(decisions, delta, taus[families])
        likelihood, gradient, chances = _look(decisions, mode)
        information = _information(decisions, chances, len(mode))
        pull = gradient + information * mode
        found = taus if tau is not None else _best_tau(information, pull, families, taus)
        moved = max(np.abs(mode - delta).max(), np.abs(np.log(found / taus)).max())
        delta, taus = mode, found
        if tau is not None or moved < max(tolerance, LEAST_TOLERANCE):
            converged = True
            break
    bend = information + 1 / taus[families] ** 2
    marginal = (
        likelihood
        - 0.5 * float(((delta / taus[families]) ** 2).sum())
        - float(np.log(taus[families]).sum())
        - 0.5 * float(np.log(bend).sum())
    )
    return Fitted(
        delta,
        1 / np.sqrt(bend),
        1 / bend,
        taus,
        likelihood,
        base,
        marginal,
        chances,
        number,
        converged,
    )


def _look(decisions: Decisions, delta: Vector) -> tuple[float, Vector, list[Vector]]:
    """(log-likelihood, its gradient, the chances of each piece)."""
    gradient, total, chances = np.zeros(len(delta)), 0.0, []
    for piece in decisions.pieces:
        p = np.empty(len(piece.offset))
        total += add_evidence(
            piece.starts, piece.winner, piece.offset, piece.seats, delta, p, gradient
        )
        chances.append(p)
    return total, gradient, chances


def _information(decisions: Decisions, chances: list[Vector], n: int) -> Vector:
    """The diagonal of minus the second derivatives."""
    mean, met, out = np.zeros(n), np.zeros(n, np.int64), np.zeros(n)
    for piece, p in zip(decisions.pieces, chances, strict=True):
        add_variances(piece.starts, piece.seats, p, mean, met, out)
    return out


def _mode(decisions: Decisions, delta: Vector, spread: Vector) -> Vector:
    """The δ of the highest posterior."""

    def cost(scaled: Vector) -> tuple[float, Vector]:
        likelihood, gradient, _ = _look(decisions, scaled * spread)
        return 0.5 * float(scaled @ scaled) - likelihood, scaled - spread * gradient

    # The likelihood is a sum over decisions: what is small beside it is lost in rounding.
    options = {"ftol": 0.0, "gtol": 1e-7, "maxiter": 2000, "maxcor": 30}
    found = minimize(cost, delta / spread, method="L-BFGS-B", jac=True, options=options)
    return np.asarray(found.x * spread)


def _best_tau(information: Vector, pull: Vector, families: Any, taus: Vector) -> Vector:
    """The τ of each family with the highest marginal likelihood, the likelihood being a parabola in
    each feature.
    """
    found = taus.copy()
    for family in range(len(taus)):
        own = families == family
        if not own.any():
            continue

        def cost(log: float, h: Vector = information[own], b: Vector = pull[own]) -> float:
            t = np.exp(-2 * log)
            return float(-0.5 * (b**2 / (h + t) - np.log(h + t) - 2 * log).sum())

        ends = (np.log(LEAST_TAU), np.log(MOST_TAU))
        best = minimize_scalar(cost, bounds=ends, method="bounded", options={"xatol": 1e-9})
        found[family] = np.exp(best.x)
    return found
