"""`Fitted`: differences, how sure they are, and what is told of each beside its family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]

START: Final = 0.3  # of τ, in units of log γ: 52 Elo
LEAST_TAU, MOST_TAU = 1e-3, 1e2  # 0.2 Elo: no difference worth the name
ROUNDS: Final = 60
TOLERANCE: Final = 1e-8  # of δ and log τ, in a round


class Beside(NamedTuple):
    """What features are told beside: `families` ([feature]) is the family of each; `means`
    ([family, feature]) how a family's mean is weighed, which its differences are told beside, all 0
    where they are told as they are.
    """

    families: npt.NDArray[Any]
    means: Vector


@dataclass(frozen=True, eq=False)
class Fitted:
    """Differences and what is known of them, in units of log γ."""

    delta: Vector  # [feature]
    error: Vector  # [feature] standard error, all others being uncertain, too
    covariance: Vector  # [feature, feature] the inverse of the Hessian; [feature] of its diagonal
    tau: Vector  # [family]
    log_likelihood: float
    base_log_likelihood: float  # where there are no differences
    log_marginal: float  # Laplace's, without the terms that no τ changes
    chances: list[Vector]  # [piece][candidate] with the differences
    rounds: int
    converged: bool

    def told(self, beside: Beside) -> tuple[Vector, Vector]:
        """(difference, standard error) of each feature, beside what it is told beside."""
        families, means = beside
        delta = self.delta - (means @ self.delta)[families]
        if self.covariance.ndim == 1:
            own, shared = self.covariance, self.covariance * means
        else:
            own, shared = np.diag(self.covariance), means @ self.covariance
        every = np.arange(len(families))
        of_mean = np.einsum("fi,fi->f", shared, means)
        variance = own - 2 * shared[families, every] + of_mean[families]
        return delta, np.sqrt(np.maximum(variance, 0.0))

    def unshrunken(self, beside: Beside) -> tuple[Vector, Vector]:
        """(difference, standard error) of each feature, beside what it is told beside, with the
        prior of just that taken away, all that is independent of it keeping theirs: by what the
        decisions alone say of it.

        A prior that is right for a family as a whole draws the one feature of it that stands out
        towards 0, so that too few of its intervals would cover the truth. Errors are infinite where
        the decisions say nothing.
        """
        delta, error = self.told(beside)
        families, means = beside
        own = means[families, np.arange(len(families))]
        prior = self.tau[families] ** 2 * (1 - 2 * own + (means**2).sum(axis=1)[families])
        some = (error > 0) & (prior > 0)  # a family's only level beside itself is 0, and sure
        precision = 1 / np.where(some, error, 1.0) ** 2
        left = precision - 1 / np.where(some, prior, 1.0)
        some &= left > 1e-9 * precision
        left = np.where(some, left, 1.0)
        delta = np.where(some, delta * precision / left, 0.0)
        return delta, np.where(some, 1 / np.sqrt(left), np.inf)

    @property
    def errors_by(self) -> str:
        """What errors are from, in words."""
        return "full Hessian" if self.covariance.ndim == 2 else "diagonal of the Hessian"
