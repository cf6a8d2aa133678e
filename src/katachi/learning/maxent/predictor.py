"""`Reranked`: the most frequent moves in the order of a better model. In its part of the
file weights of 0, which are most of them, are left out with their errors:

kept/FAMILY         uint32[n]: the levels, from 0, whose gamma and error are there
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from katachi.learning.maxent.rerank import Rerank, relative_frequency, reranked
from katachi.models.predictor import (
    Array,
    Judged,
    Levels,
    Parts,
    Predictor,
    Starts,
    Vector,
    multiply,
    restored_ratings,
)

PATTERNS: Final = ("pass", "no-shape", "shape")  # families of which every move has exactly one
_WITHOUT: Final = {"gamma": 1.0, "error": 0.0}  # column → what it is where the weight is 0


@dataclass(frozen=True, eq=False)
class Reranked(Predictor):
    """Its gammas multiply the odds that a move is good. The first moves by the
    frequency of their patterns are ranked by that; all moves if `rerank` is None.
    """

    learner: str = "maxent"
    rerank: Rerank | None = None

    @property
    def is_product(self) -> bool:
        """If all moves are ranked alike."""
        return self.rerank is None

    def judged(self, columns: Levels, starts: Starts) -> Judged:
        """By `reranked`."""
        if self.rerank is None:
            return super().judged(columns, starts)
        # The relative frequency of each candidate's pattern (Araki 2007, eq. 13)
        frequencies = np.ones(len(columns[PATTERNS[0]]))
        for name in PATTERNS:
            multiply(frequencies, columns[name], self._frequencies[name])
        strengths = self.strengths(columns)
        return Judged(strengths, *reranked(strengths, frequencies, starts, self.rerank))

    @cached_property
    def _frequencies(self) -> dict[str, Vector]:
        """Family → [level] its frequency, 1 for none: every move has exactly one of them."""
        return {
            name: np.concatenate([[1.0], relative_frequency(r.wins, r.appearances)])
            for name, r in self.ratings.items()
            if name in PATTERNS
        }

    def parts(self) -> Parts:
        """Without weights of 0."""
        header, tensors = super().parts()
        for name, ratings in self.ratings.items():
            kept = np.flatnonzero(ratings.gamma != 1.0).astype(np.uint32)
            tensors[f"kept/{name}"] = kept
            for column in _WITHOUT:
                tensors[f"{column}/{name}"] = tensors[f"{column}/{name}"][kept]
        if self.rerank is not None:
            header["rerank"] = list(self.rerank)
        return Parts(header, tensors)


def restored_reranking(parts: Parts, sizes: Mapping[str, int]) -> Reranked:
    """The predictor in a file: a `katachi.models.predictor.Restore`."""
    tensors = dict(parts.tensors)
    for name, size in sizes.items():
        if f"kept/{name}" in tensors:  # older files of weights by Bradley and Terry have all
            _put_back(tensors, name, size)
    ratings = restored_ratings(tensors, sizes)
    return Reranked(ratings, rerank=_rerank_of(parts.header.get("rerank"), sizes))


def _put_back(tensors: dict[str, Array], family: str, size: int) -> None:
    """Fill the columns of which only some levels were kept. Raises ValueError or KeyError if they
    do not fit.
    """
    places = tensors[f"kept/{family}"].astype(np.int64)
    if places.ndim != 1 or np.any(np.diff(places) <= 0) or (len(places) and places[-1] >= size):
        raise ValueError("weights of levels that are not there")
    for column, usual in _WITHOUT.items():
        name = f"{column}/{family}"
        if tensors[name].shape != places.shape:
            raise ValueError(f"{column} does not fit")
        whole = np.full(size, usual, tensors[name].dtype)
        whole[places] = tensors[name]
        tensors[name] = whole


def _rerank_of(found: Any, sizes: Mapping[str, int]) -> Rerank | None:
    """Raises ValueError or TypeError unless these families can be ranked anew like this."""
    if found is None:
        return None
    rerank = Rerank(int(found[0]), float(found[1]))
    if rerank.most < 1 or not 0 < rerank.below < 1 or not sizes.keys() >= set(PATTERNS):
        raise ValueError("it cannot rank moves anew")
    return rerank
