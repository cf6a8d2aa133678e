"""`HighestScore`: the move is played whose score, uncertain and noisy, is the highest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from katachi.learning.ranking.chances import move_chances
from katachi.learning.ranking.positions import member_matrix
from katachi.models.predictor import Judged, Levels, Parts, Predictor, Starts, restored_ratings


@dataclass(frozen=True, eq=False)
class HighestScore(Predictor):
    """Its gammas are e^μ, its errors σ. `beta`: the deviation of a move's score around its
    team's.
    """

    learner: str = "ranking"
    beta: float = 1.0

    @property
    def scale(self) -> float:
        """A score x beats another with the chance Φ(Δ / √2 β), and Φ(z) is nearly
        1 / (1 + e^-1.702 z).
        """
        return 1.702 / (math.sqrt(2.0) * self.beta)

    @property
    def is_score(self) -> bool:
        """Yes."""
        return True

    @property
    def is_product(self) -> bool:
        """No."""
        return False

    def judged(self, columns: Levels, starts: Starts) -> Judged:
        """By the integral of `katachi.learning.ranking.chances`; moves are ranked by μ."""
        strengths = self.strengths(columns)
        spreads = self.variances(columns) + self.beta**2
        members = member_matrix(columns, self.families)
        chances = move_chances(starts, members, np.log(strengths), spreads)
        return Judged(strengths, strengths, chances)

    def parts(self) -> Parts:
        """With beta in the header."""
        header, tensors = super().parts()
        return Parts(header | {"beta": self.beta}, tensors)


def restored_score(parts: Parts, sizes: Mapping[str, int]) -> HighestScore:
    """The predictor in a file: a `katachi.models.predictor.Restore`."""
    beta = float(parts.header["beta"])
    if not (0 < beta < 1e6):
        raise ValueError("its beta is no positive number")
    return HighestScore(restored_ratings(parts.tensors, sizes), beta=beta)
