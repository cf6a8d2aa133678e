"""The marginal likelihood near some δ, where the likelihood is a parabola: the best τ there."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from katachi.styles.fitted import LEAST_TAU, MOST_TAU, Vector


def surface_of(
    information: Vector, pull: Vector, skew: Vector, families: Any, one: bool
) -> Surface | OneFamily:
    """The surface of these decisions: a `Surface`, or of `one` family an `OneFamily`, which takes a
    small part of the time where there are many features.
    """
    if one:
        roots, axes = np.linalg.eigh(information)
        return OneFamily(np.maximum(roots, 0.0), axes, axes.T @ pull, axes.T @ skew)
    return Surface(information, pull, skew, families)


def _lowest(cost: Any, taus: Vector, before: Vector) -> Vector:
    low, high = np.log(LEAST_TAU), np.log(MOST_TAU)
    found = minimize(
        cost,
        np.clip(np.log(taus), low, high),
        (before,),
        method="L-BFGS-B",
        jac=True,
        bounds=[(low, high)] * len(taus),
        options={"ftol": 0.0, "gtol": 1e-10, "maxiter": 200},
    )
    return np.asarray(np.exp(found.x))


class Surface(NamedTuple):
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
        return _lowest(self._cost, taus, delta)

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


class OneFamily(NamedTuple):
    """The same with one τ, along the axes of H (`roots` are its eigenvalues): there every feature
    stands alone.
    """

    roots: Vector
    axes: Vector
    pull: Vector
    skew: Vector

    def delta(self, taus: Vector) -> Vector:
        """Where the posterior has its maximum."""
        return np.asarray(self.axes @ (self.pull / (self.roots + 1 / taus[0] ** 2)))

    def best_tau(self, taus: Vector, delta: Vector) -> Vector:
        """The τ of the highest marginal likelihood, from this on."""
        return _lowest(self._cost, taus, self.axes.T @ delta)

    def _cost(self, logs: Vector, before: Vector) -> tuple[float, Vector]:
        """(what is to be as low as can be, its gradient in log τ)."""
        tension = float(np.exp(-2 * logs[0]))
        bend = self.roots + tension
        delta = self.pull / bend
        value = (
            0.5 * self.pull @ delta
            - len(bend) * logs[0]
            - 0.5 * np.log(bend).sum()
            - 0.5 * self.skew @ (delta - before)
        )
        slope = tension * (delta @ delta + ((1 - self.skew * delta) / bend).sum()) - len(bend)
        return -float(value), np.array([-slope])
