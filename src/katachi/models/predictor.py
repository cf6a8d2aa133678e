"""`Predictor`: what was learnt, and how it predicts. All learners give one, and `Model` holds it.

Here nothing is known of any learner. A model file names the learner that made it; RESTORERS says
who reads its part of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.models.pairs import Pair

Array: TypeAlias = npt.NDArray[Any]
Vector: TypeAlias = npt.NDArray[np.float64]
# family → [candidate] its level, 0 for none
Levels: TypeAlias = Mapping[str, Array]


@dataclass(frozen=True, eq=False)
class Ratings:
    """What was learnt of one family, level by level."""

    # float32[levels]; of a ranking e^μ, so that scores add up as logarithms do; of maximum entropy
    # e^λ, what a feature multiplies the odds of a good move by
    gamma: Array
    error: Array  # float32[levels]: standard error of log γ, the rest held; of a ranking σ
    wins: Array  # uint32[levels]; of a re-ranking's patterns how often each was played,
    appearances: Array  # uint32[levels]; and could be, in the games of its frequencies


class Parts(NamedTuple):
    """What of a model goes into its file: the header, as JSON, and arrays by name."""

    header: dict[str, Any]
    tensors: dict[str, Array]


class Predictor(Protocol):
    """What was learnt of the families, and the chances of all legal moves by it.

    Moves are described by `columns`; those of other families do not matter. The candidates
    starts[i] … starts[i + 1] are those of one position.
    """

    @property
    def learner(self) -> str:
        """The name of the learner that made it."""

    @property
    def ratings(self) -> Mapping[str, Ratings]:
        """Of every family, then of every pair."""

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Pairs of families that have ratings of their own."""

    @property
    def scale(self) -> float:
        """What 1 of log γ is worth, by what it is worth in the model of Bradley and Terry."""

    @property
    def is_score(self) -> bool:
        """Whether log γ is the mean of a score, which people are told with its deviation."""

    @property
    def is_product(self) -> bool:
        """Whether chances go as the product of the gammas of the families, and nothing else."""

    def strengths(self, columns: Levels) -> Vector:
        """[candidate] how strong it is: the product of its gammas, or what stands for that."""

    def order(self, columns: Levels, starts: npt.NDArray[np.int64]) -> Vector:
        """[candidate] a number: the higher, the better its rank in its position. Equal numbers are
        ties.
        """

    def chances(self, columns: Levels, starts: npt.NDArray[np.int64]) -> Vector:
        """[candidate] the probability that it is played."""

    def parts(self) -> Parts:
        """Its part of the file. The names of arrays that begin with "shapes/" or "playout/", and
        the words of the header that `Model` writes, are not free.
        """


# restore(parts of the file, family → number of levels) → the predictor. Raises ValueError,
# LookupError, TypeError … if they do not fit each other.
Restore: TypeAlias = Callable[[Parts, Mapping[str, int]], Predictor]

# Learner → who reads its part of a file; a text names a function that is imported when it is needed
RESTORERS: dict[str, Restore | str] = {
    "bradley-terry": "katachi.models.product:restored_product",
    "frequency": "katachi.models.product:restored_product",
    "ranking": "katachi.learning.ranking.predictor:restored_score",
    "maxent": "katachi.learning.maxent.predictor:restored_reranking",
}


def restorer(learner: Any) -> Restore | None:
    """Who reads the part of a learner; None if there is no such learner here."""
    found = RESTORERS.get(learner)
    if isinstance(found, str):
        named: Restore = resolve_name(found)
        return named
    return found
