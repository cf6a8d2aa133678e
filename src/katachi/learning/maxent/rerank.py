"""Re-ranking: the most frequent moves in the order of a better model (Araki 2007, III-C).

The first moves are those whose patterns have the highest frequencies, and all that are as frequent
as the last of them: so no order of points decides, and symmetric positions are ranked alike. They
come in the order of the model, the others after them in that of their frequencies.

The paper has an order, no probabilities. Here the first moves share 1 - `below` in proportion to
the model's odds of being good, the others share `below` in proportion to the odds of their
frequencies. `below` is how often, in the games the model was trained on, the move played was none
of the first: other games than those of the frequencies.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import kernel
from katachi.learning.maxent.samples import MOST_CANDIDATES, least_of_first

Vector = npt.NDArray[np.float64]


class Rerank(NamedTuple):
    """How many moves are ranked anew, and how likely the move played is none of them."""

    most: int
    below: float


def relative_frequency(used: npt.NDArray[Any], seen: npt.NDArray[Any]) -> Vector:
    """How often a pattern is played where it can be, by Laplace's law (Araki 2007, eq. 13)."""
    return np.asarray((used + 1.0) / (seen + 2.0))


def reranked(
    strengths: Vector, frequencies: Vector, starts: npt.NDArray[np.int64], how: Rerank
) -> tuple[Vector, Vector]:
    """(order, probability) of each candidate: the higher the order, the better the rank.

    starts[i] … starts[i + 1] are the candidates of one position.
    """
    order, chances = np.zeros(len(strengths)), np.zeros(len(strengths))
    _rerank(strengths, frequencies, starts, how.most, how.below, order, chances)
    return order, chances


@kernel
def _rerank(
    strengths: Any, frequencies: Any, starts: Any, most: int, below: float, order: Any, chances: Any
) -> None:
    work = np.zeros(MOST_CANDIDATES)
    for j in range(len(starts) - 1):
        first, last = starts[j], starts[j + 1]
        least = least_of_first(frequencies[first:last], most, work)
        ahead, behind = 0.0, 0.0
        for i in range(first, last):
            if frequencies[i] >= least:
                ahead += strengths[i]
            else:
                behind += frequencies[i] / (1.0 - frequencies[i])
        share = 1.0 - below if behind > 0 else 1.0
        for i in range(first, last):
            if frequencies[i] >= least:
                chances[i] = share * strengths[i] / ahead
                order[i] = 1.0 + strengths[i] / ahead  # frequencies are below 1
            else:
                chances[i] = below * frequencies[i] / (1.0 - frequencies[i]) / behind
                order[i] = frequencies[i]
