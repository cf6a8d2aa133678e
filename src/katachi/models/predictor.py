"""`Predictor`: what was learnt, and how it predicts. All learners give one, and `Model` holds it.

Here nothing is known of any learner. A model file names the learner that made it; RESTORERS says
who reads its part of the file, which is, unless the learner has more to tell:

gamma/FAMILY        float32[levels]
error/FAMILY        float32[levels]
wins/FAMILY, appearances/FAMILY     uint32[levels]
pair/FAMILY         uint32[levels]: the combinations of a pair
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pkgutil import resolve_name
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, kernel
from katachi.models.pairs import Pair, check_pair

Array: TypeAlias = npt.NDArray[Any]
Vector: TypeAlias = npt.NDArray[np.float64]
Starts: TypeAlias = npt.NDArray[np.int64]
# family → [candidate] its level, 0 for none; of a family of the position: [position]
Levels: TypeAlias = Mapping[str, Array]

_COLUMNS: Final = {
    "gamma": "float32",
    "error": "float32",
    "wins": "uint32",
    "appearances": "uint32",
}


@dataclass(frozen=True, eq=False)
class Ratings:
    """What was learnt of one family, level by level."""

    # float32[levels]; of a ranking e^μ, so that scores add up as logarithms do; of maximum entropy
    # e^λ, what a feature multiplies the odds of a good move by
    gamma: Array
    error: Array  # float32[levels]: standard error of log γ, the rest held; of a ranking σ
    wins: Array  # uint32[levels]; of a re-ranking's patterns how often each was played,
    appearances: Array  # uint32[levels]; and could be, in the games of its frequencies


class Judged(NamedTuple):
    """What a predictor says of the candidates of some positions."""

    strengths: Vector  # [candidate] see `Predictor.strengths`
    order: Vector  # [candidate] the higher, the better its rank in its position; equal: a tie
    chances: Vector  # [candidate] the probability that it is played


class Member(NamedTuple):
    """A feature: a level, from 1, of a family."""

    family: str
    level: int


class Contribution(NamedTuple):
    """A part of a candidate's log-strength: what these members bring, alone or together.

    Of a part that is not `exact` all but the sum with the others is an approximation. One without
    members is what the others leave.
    """

    members: tuple[Member, ...]
    value: float
    exact: bool = True


class Parts(NamedTuple):
    """What of a model goes into its file: the header, as JSON, and arrays by name."""

    header: dict[str, Any]
    tensors: dict[str, Array]


@dataclass(frozen=True, eq=False)
class Predictor:
    """The ratings of every family, then of every pair, and the chances of all legal moves by them:
    here they go as the product of the gammas of a move's levels (Coulom 2007, 2.2). A learner that
    predicts in another way has a class of its own made from this one.

    Moves are described by `columns`; those of other families do not matter. The candidates
    starts[i] … starts[i + 1] are those of one position. Families of the position may be among the
    columns, with one level for each position: here they cancel, so they do not matter.
    """

    ratings: Mapping[str, Ratings]
    pairs: tuple[Pair, ...] = ()
    learner: str = "bradley-terry"  # the name of the one that made it

    @property
    def scale(self) -> float:
        """What 1 of log γ is worth, by what it is worth in the model of Bradley and Terry."""
        return 1.0

    @property
    def is_score(self) -> bool:
        """Whether log γ is the mean of a score, which people are told with its deviation."""
        return False

    @property
    def is_product(self) -> bool:
        """Whether chances go as the product of the gammas of the families, and nothing else."""
        return not self.pairs

    @cached_property
    def factors(self) -> dict[str, Vector]:
        """Family or pair → [level] what a level multiplies its team by, 1 for none."""
        return {
            name: np.concatenate([[1.0], found.gamma.astype(np.float64)])
            for name, found in self.ratings.items()
        }

    @cached_property
    def families(self) -> dict[str, int]:
        """Family → its number of levels; without pairs."""
        pairs = {pair.name for pair in self.pairs}
        return {name: len(r.gamma) for name, r in self.ratings.items() if name not in pairs}

    def strengths(self, columns: Levels) -> Vector:
        """[candidate] how strong it is: the product of its gammas, or what stands for that."""
        products = np.ones(len(columns[next(iter(self.families))]))
        for name in self.families:
            multiply(products, columns[name], self.factors[name])
        for pair in self.pairs:
            multiply(products, pair.column(columns), self.factors[pair.name])
        return products

    def variances(self, columns: Levels) -> Vector:
        """[candidate] of log γ: the sum over its levels, as if independent; pairs are left out."""
        found = np.zeros(len(columns[next(iter(self.families))]))
        for name in self.families:
            error = self.ratings[name].error.astype(np.float64)
            found += np.concatenate([[0.0], error**2])[columns[name]]
        return found

    def judged(self, columns: Levels, starts: Starts) -> Judged:
        """All that it says of some positions. Learners that predict in another way change this."""
        strengths = self.strengths(columns)
        whole = np.add.reduceat(strengths, starts[:-1])
        return Judged(strengths, strengths, strengths / np.repeat(whole, np.diff(starts)))

    def chances(self, columns: Levels, starts: Starts) -> Vector:
        """[candidate] the probability that it is played."""
        return self.judged(columns, starts).chances

    def contributions(self, columns: Levels, candidate: int) -> list[Contribution]:
        """What a candidate's log-strength is made of. The parts add up to it, or to it and a number
        that all candidates of the position share. `columns` are of one position.
        """
        one = {name: columns[name][candidate : candidate + 1] for name in self.families}
        one |= {pair.name: pair.column(one) for pair in self.pairs}
        members = [Member(name, int(level[0])) for name, level in one.items() if level[0]]
        return [Contribution((m,), float(np.log(self.factors[m.family][m.level]))) for m in members]

    def parts(self) -> Parts:
        """Its part of the file. The names of arrays that begin with "shapes/" or "playout/", and
        the words of the header that `Model` writes, are not free.
        """
        tensors = {
            f"{column}/{name}": getattr(found, column).astype(dtype)
            for name, found in self.ratings.items()
            for column, dtype in _COLUMNS.items()
        }
        tensors |= {f"pair/{pair.name}": pair.combinations for pair in self.pairs}
        return Parts({"pairs": [[p.one, p.two, p.width] for p in self.pairs]}, tensors)


@kernel
def multiply(products: Any, column: Any, factor: Any) -> None:
    """Multiply the product of each team by the factor of its level."""
    for i in range(len(column)):
        products[at(i)] *= factor[at(column[at(i)])]


# restore(parts of the file, candidates' family → number of levels) → the predictor. The families of
# the position are in the header, "position_families", as the features have them. Raises ValueError,
# LookupError, TypeError … if the parts do not fit each other.
Restore: TypeAlias = Callable[[Parts, Mapping[str, int]], Predictor]


def restored_predictor(parts: Parts, sizes: Mapping[str, int]) -> Predictor:
    """The plain predictor in a file: a `Restore`."""
    pairs = []
    for one, two, width in parts.header["pairs"]:
        pairs.append(Pair(one, two, int(width), parts.tensors[f"pair/{one}*{two}"]))
        check_pair(pairs[-1], sizes)
    sizes = {**sizes, **{pair.name: pair.size for pair in pairs}}
    return Predictor(restored_ratings(parts.tensors, sizes), tuple(pairs), parts.header["method"])


def restored_ratings(tensors: Mapping[str, Array], sizes: Mapping[str, int]) -> dict[str, Ratings]:
    """The ratings of families with so many levels. Raises ValueError or KeyError if they do not
    fit.
    """
    ratings = {}
    for name, size in sizes.items():
        columns = {column: tensors[f"{column}/{name}"] for column in _COLUMNS}
        for column, dtype in _COLUMNS.items():
            found = columns[column]
            if found.shape != (size,) or str(found.dtype) != dtype:
                raise ValueError(f"{column} of {name} does not fit")
        if not np.all(np.isfinite(columns["gamma"]) & (columns["gamma"] > 0)):
            raise ValueError(f"a gamma of {name} is no positive number")
        if not np.all(np.isfinite(columns["error"]) & (columns["error"] >= 0)):
            raise ValueError(f"an error of {name} is no number to go by")
        ratings[name] = Ratings(**columns)
    return ratings


# Learner → who reads its part of a file; a text names a function that is imported when it is needed
RESTORERS: dict[str, Restore | str] = {
    "bradley-terry": restored_predictor,
    "frequency": restored_predictor,
    "ranking": "katachi.learning.ranking.predictor:restored_score",
    "maxent": "katachi.learning.maxent.predictor:restored_reranking",
    "factors": "katachi.learning.interactions.predictor:restored_factors",
    "hidden": "katachi.learning.interactions.predictor:restored_hidden",
}


def restorer(learner: Any) -> Restore | None:
    """Who reads the part of a learner; None if there is no such learner here."""
    found = RESTORERS.get(learner)
    restore: Restore | None = resolve_name(found) if isinstance(found, str) else found
    return restore
