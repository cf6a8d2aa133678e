"""The full model's opinion of a position in the tree."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board
from katachi.go.points import AREA
from katachi.learning.model import Model
from katachi.patterns.describe import describe
from katachi.patterns.features import Watch


class Prior:
    """The probabilities of all moves, position after position; one for each thread.

    Positions that follow each other cost less the fewer stones differ.
    """

    def __init__(self, model: Model, size: int) -> None:
        self._model = model
        self._families = model.features.families
        self._watch = Watch(model.features)
        self._watch.start(size)
        self.wants_owned = model.features.owner

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
        names = [family.name for family in self._families]
        strengths = self._model.strengths(dict(zip(names, columns, strict=True)))
        found = np.zeros(AREA)
        found[situation.candidates[: situation.count]] = strengths / strengths.sum()
        return found
