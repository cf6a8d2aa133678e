"""The full model's opinion of a position in the tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board
from katachi.go.kernel import int64, kernel
from katachi.go.points import AREA, PASS
from katachi.learning.bradley_terry.passes import multiply
from katachi.learning.model import RANKING, Model
from katachi.patterns.describe import describe
from katachi.patterns.features import Watch
from katachi.patterns.keys import template_keys
from katachi.patterns.lookup import find
from katachi.patterns.templates import tables


@kernel
def _multiply_shapes(
    keys: Any, mover: int, candidates: Any, n: int, salt: Any, table: Any, index_of: Any,
    gamma: Any, products: Any,
) -> None:  # fmt: skip
    """Multiply each candidate's product by the gammas of all its shapes of one dictionary."""
    shapes = np.zeros(len(salt), np.uint64)
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        template_keys(keys, mover, p, salt, shapes)
        product = products[i]
        for r in range(len(salt)):
            shape = find(table, index_of, shapes[r])
            if shape >= 0:
                product *= gamma[shape]
        products[i] = product


class Prior:
    """The probabilities of all moves, position after position; one for each thread.

    Positions that follow each other cost less the fewer stones differ. The result is that of
    `Model.chances`. Shapes, which are most of a model's families, are multiplied dictionary by
    dictionary, without a column of levels for each radius, where nothing else asks for these.
    """

    def __init__(self, model: Model, size: int) -> None:
        self._model = model
        self._watch = Watch(model.features)
        self._watch.start(size)
        self.wants_owned = model.features.owner
        features = model.features
        self._shapes: list[tuple[str, npt.NDArray[np.float64], tuple[Any, ...]]] = []
        self._families = features.families
        if features.all_radii and not model.pairs and model.method != RANKING:
            self._families = tuple(f for f in features.families if not f.dictionary)
            for name, shapes in features.dictionaries.items():
                gamma = np.ones(len(shapes))  # of families that are left out
                for family in features.families:
                    if family.dictionary == name:
                        part = slice(family.first, family.first + family.shapes)
                        gamma[part] = model.ratings[family.name].gamma
                salt = tables(shapes.templates, size).salt
                self._shapes.append((shapes.templates.name, gamma, (salt, *shapes.lookup)))

    def __call__(
        self, board: Board, owned: npt.NDArray[np.float64] | None
    ) -> npt.NDArray[np.float64]:
        """The probability of each point, and of PASS, shape (AREA,).

        `owned`: how likely each point ends as the mover's, for models with the owner feature,
        which else runs random games.
        """
        situation = self._watch.look(board)
        situation.owned = owned
        columns = describe(situation, self._families)
        if not self._shapes:
            names = [family.name for family in self._families]
            chances = self._model.chances(
                dict(zip(names, columns, strict=True)), np.array([0, situation.count])
            )
        else:
            strengths = np.ones(situation.count)
            for family, column in zip(self._families, columns, strict=True):
                multiply(strengths, column, self._model.factors[family.name])
            for templates, gamma, (salt, table, index_of) in self._shapes:
                _multiply_shapes(
                    situation.keys[templates], situation.mover, situation.candidates,
                    situation.count, salt, table, index_of, gamma, strengths,
                )  # fmt: skip
            chances = strengths / strengths.sum()
        found = np.zeros(AREA)
        found[situation.candidates[: situation.count]] = chances
        return found
