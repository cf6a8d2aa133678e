"""`HighestScore`: the move is played whose score, uncertain and noisy, is the highest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from katachi.learning.ranking.chances import move_chances
from katachi.learning.ranking.positions import member_matrix
from katachi.models.predictor import Levels, Parts, Vector
from katachi.models.product import Product, restored_ratings, variances


@dataclass(frozen=True, eq=False)
class HighestScore(Product):
    """A `Predictor`: its gammas are e^μ, its errors σ. `beta`: the deviation of a move's score
    around its team's.
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
        """See `Predictor`."""
        return True

    @property
    def is_product(self) -> bool:
        """See `Predictor`."""
        return False

    def chances(self, columns: Levels, starts: npt.NDArray[np.int64]) -> Vector:
        """See `Predictor`."""
        sizes = {name: len(found.gamma) for name, found in self.ratings.items()}
        means = np.log(self.strengths(columns))
        spreads = variances(self.ratings, columns) + self.beta**2
        return move_chances(starts, member_matrix(columns, sizes), means, spreads)

    def parts(self) -> Parts:
        """See `Predictor`."""
        header, tensors = super().parts()
        return Parts(header | {"beta": self.beta}, tensors)


def restored_score(parts: Parts, sizes: Mapping[str, int]) -> HighestScore:
    """The predictor in a file: a `katachi.models.predictor.Restore`."""
    beta = float(parts.header["beta"])
    if not (0 < beta < 1e6):
        raise ValueError("its beta is no positive number")
    return HighestScore(restored_ratings(parts.tensors, sizes), beta=beta)
