"""`Product`: the strength of a move is the product of the gammas of its team (Coulom 2007, 2.2).

Its part of the file:

gamma/FAMILY        float32[levels]
error/FAMILY        float32[levels]
wins/FAMILY, appearances/FAMILY     uint32[levels]
pair/FAMILY         uint32[levels]: the combinations of a pair
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, kernel
from katachi.models.pairs import Pair, check_pair
from katachi.models.predictor import Array, Levels, Parts, Ratings, Vector

COLUMNS: Final = {"gamma": "float32", "error": "float32", "wins": "uint32", "appearances": "uint32"}


@kernel
def multiply(products: Any, column: Any, factor: Any) -> None:
    """Multiply the product of each team by the factor of its level."""
    for i in range(len(column)):
        products[at(i)] *= factor[at(column[at(i)])]


def level_factors(ratings: Mapping[str, Ratings]) -> dict[str, Vector]:
    """Family → [level] what a level multiplies its team by, 1 for none."""
    return {
        name: np.concatenate([[1.0], found.gamma.astype(np.float64)])
        for name, found in ratings.items()
    }


@dataclass(frozen=True, eq=False)
class Product:
    """A `Predictor`: chances go as the products of gammas. Others are made from it."""

    ratings: Mapping[str, Ratings]
    pairs: tuple[Pair, ...] = ()
    learner: str = "bradley-terry"

    @property
    def scale(self) -> float:
        """See `Predictor`."""
        return 1.0

    @property
    def is_score(self) -> bool:
        """See `Predictor`."""
        return False

    @property
    def is_product(self) -> bool:
        """See `Predictor`."""
        return not self.pairs

    @cached_property
    def factors(self) -> dict[str, Vector]:
        """Family or pair → [level] what a level multiplies its team by, 1 for none."""
        return level_factors(self.ratings)

    @cached_property
    def families(self) -> list[str]:
        """The names of the families, without pairs."""
        pairs = {pair.name for pair in self.pairs}
        return [name for name in self.ratings if name not in pairs]

    def strengths(self, columns: Levels) -> Vector:
        """See `Predictor`."""
        products = np.ones(len(columns[self.families[0]]))
        for name in self.families:
            multiply(products, columns[name], self.factors[name])
        for pair in self.pairs:
            multiply(products, pair.column(columns), self.factors[pair.name])
        return products

    def order(self, columns: Levels, starts: npt.NDArray[np.int64]) -> Vector:  # noqa: ARG002
        """See `Predictor`."""
        return self.strengths(columns)

    def chances(self, columns: Levels, starts: npt.NDArray[np.int64]) -> Vector:
        """See `Predictor`."""
        strengths = self.strengths(columns)
        whole = np.add.reduceat(strengths, starts[:-1])
        shares: Vector = strengths / np.repeat(whole, np.diff(starts))
        return shares

    def parts(self) -> Parts:
        """See `Predictor`."""
        tensors = {
            f"{column}/{name}": getattr(found, column).astype(dtype)
            for name, found in self.ratings.items()
            for column, dtype in COLUMNS.items()
        }
        tensors |= {f"pair/{pair.name}": pair.combinations for pair in self.pairs}
        return Parts({"pairs": [[p.one, p.two, p.width] for p in self.pairs]}, tensors)


def restored_product(parts: Parts, sizes: Mapping[str, int]) -> Product:
    """The product in a file: a `katachi.models.predictor.Restore`."""
    pairs = []
    for one, two, width in parts.header["pairs"]:
        pairs.append(Pair(one, two, int(width), parts.tensors[f"pair/{one}*{two}"]))
        check_pair(pairs[-1], sizes)
    sizes = {**sizes, **{pair.name: pair.size for pair in pairs}}
    return Product(restored_ratings(parts.tensors, sizes), tuple(pairs), parts.header["method"])


def restored_ratings(tensors: Mapping[str, Array], sizes: Mapping[str, int]) -> dict[str, Ratings]:
    """The ratings of families with so many levels. Raises ValueError or KeyError if they do not
    fit.
    """
    ratings = {}
    for name, size in sizes.items():
        columns = {column: tensors[f"{column}/{name}"] for column in COLUMNS}
        for column, dtype in COLUMNS.items():
            found = columns[column]
            if found.shape != (size,) or str(found.dtype) != dtype:
                raise ValueError(f"{column} of {name} does not fit")
        if not np.all(np.isfinite(columns["gamma"]) & (columns["gamma"] > 0)):
            raise ValueError(f"a gamma of {name} is no positive number")
        if not np.all(np.isfinite(columns["error"]) & (columns["error"] >= 0)):
            raise ValueError(f"an error of {name} is no number to go by")
        ratings[name] = Ratings(**columns)
    return ratings


def variances(ratings: Mapping[str, Ratings], columns: Levels) -> Vector:
    """[candidate] the sum of its members' variances of log γ; what has no column is left out."""
    known = [name for name in ratings if name in columns]
    found = np.zeros(len(columns[known[0]]))
    for name in known:
        error = ratings[name].error.astype(np.float64)
        found += np.concatenate([[0.0], error**2])[columns[name]]
    return found
