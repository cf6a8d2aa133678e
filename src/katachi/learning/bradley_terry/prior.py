"""The prior: for each gamma some virtual wins and losses against a gamma of 1 (Coulom 2007, 3.3).

One game of each gives a distribution that is symmetric on the Elo scale, with mean 0 and standard
deviation 302.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError

Vector = npt.NDArray[np.float64]


class Prior(NamedTuple):
    """How many virtual games each gamma has won and lost."""

    wins: float = 1.0
    losses: float = 1.0

    @property
    def games(self) -> float:
        """All virtual games."""
        return self.wins + self.losses


ONE_AND_ONE: Final = Prior()  # the paper's


def check_prior(prior: Prior) -> None:
    """Raises KatachiError unless both numbers are above 0: else a maximum need not exist."""
    if not (prior.wins > 0 and prior.losses > 0 and np.isfinite(prior.games)):
        raise KatachiError(
            f"a prior of {prior.wins:g} wins and {prior.losses:g} losses does not hold the ratings:"
            " give numbers above 0"
        )


def log_prior(theta: Vector, prior: Prior) -> float:
    """log P(γ) = Σ wins · log(γ / (1 + γ)) + losses · log(1 / (1 + γ)), with θ = log γ."""
    return float(prior.wins * theta.sum() - prior.games * np.logaddexp(0.0, theta).sum())


def prior_gradient(theta: Vector, prior: Prior) -> Vector:
    """d log P(γ) / dθ."""
    return prior.wins - prior.games * chance(theta)


def prior_curvature(theta: Vector, prior: Prior) -> Vector:
    """-d² log P(γ) / dθ²."""
    p = chance(theta)
    return prior.games * p * (1.0 - p)


def chance(theta: Vector) -> Vector:
    """γ / (1 + γ), the chance to beat the virtual opponent."""
    return np.exp(-np.logaddexp(0.0, -theta))
