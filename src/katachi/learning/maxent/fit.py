"""The weights of maximum entropy under inequality constraints, by the dual problem.

Among the models with W/N ≥ |E_empirical[f_i] - E_model[f_i]| for every feature (Araki 2007, eqs. 11
and 12), that of the largest entropy has the form of `good`, with the weights λ of the least

    -log-likelihood + W Σ |λ_i|

(Kazama and Tsujii 2003, section 3: their two multipliers of a feature, of which one is 0, are the
two signs of one weight). Features whose constraint holds with a weight of 0 have that.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.learning.bradley_terry.places import Threads
from katachi.learning.journal import Ring
from katachi.learning.maxent.good import Labelled, appearances, family_levels, loss, sizes
from katachi.learning.maxent.owlqn import KEPT, minimize
from katachi.progress import Progress, silent

Vector = npt.NDArray[np.float64]

WIDTH: Final = 0.9  # Araki 2007, IV-A
TOLERANCE: Final = 1e-4  # beyond this nothing is predicted better: docs/results
MOST_WIDTH: Final = 1e6


class Entropy(NamedTuple):
    """The weights, of moves' families and then of positions', and how they were reached."""

    weights: Vector
    value: float  # the penalised loss
    iterations: int
    converged: bool


def check_width(width: float) -> None:
    """Raises KatachiError unless the width is a number that constraints can have."""
    if not 0 <= width <= MOST_WIDTH:
        raise KatachiError(f"a width of {width} is not between 0 and {MOST_WIDTH:g}")


def fit_entropy(
    data: Labelled,
    *,
    width: float = WIDTH,
    tolerance: float = TOLERANCE,
    max_iterations: int = 1000,
    start: Vector | None = None,
    jobs: int = 1,
    progress: Progress = silent,
    kept: Path | None = None,
) -> Entropy:
    """The weights of the samples' model, from 0 or from `start` on. `kept`: the beginning of the
    names of files with what is found on the way, from which a fit of the same samples goes on.

    Raises KatachiError for a width that is none.
    """
    check_width(width)
    with Threads(jobs) as threads:
        counts = appearances(data, threads)
        samples, good = sizes(data)
        rate = good / max(samples, 1)
        # Each weight in units of about its own standard deviation: OWL-QN then sees a round bowl.
        scale = 1.0 / np.sqrt(counts * rate * (1.0 - rate) + 1.0)

        def function(x: Vector) -> tuple[float, Vector]:
            value, gradient = loss(data, x * scale, threads)
            return value, gradient * scale

        begin = np.zeros(sum(family_levels(data))) if start is None else start / scale
        found = minimize(
            function,
            begin,
            width * scale,
            tolerance=tolerance,
            max_iterations=max_iterations,
            progress=progress,
            kept=Ring(kept, KEPT),
        )
    return Entropy(found.x * scale, found.values[-1], len(found.values) - 1, found.converged)
