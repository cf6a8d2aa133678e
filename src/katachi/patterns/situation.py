"""`Situation`: a position whose candidates are to be described, and what is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board, legal_points
from katachi.go.points import PASS
from katachi.patterns.context import Context, new_context
from katachi.patterns.families.position import owner_shares
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.keys import Keys


@dataclass(eq=False)
class Situation:
    """A position whose candidates are to be described; one per thread, filled anew each time."""

    context: Context = field(default_factory=new_context)
    # Read once from the record: numpy is slow at it outside kernels.
    size: int = 0
    mover: int = 0
    candidates: npt.NDArray[np.int16] = field(default_factory=lambda: np.zeros(362, np.int16))
    count: int = 0  # of candidates: legal points in order, then PASS
    dictionaries: Mapping[str, Shapes] = field(default_factory=dict)
    keys: dict[str, Keys] = field(default_factory=dict)  # templates' name → keys on this board
    # Dictionary → the shapes of all its templates around each candidate; see families.shape
    found: dict[str, npt.NDArray[np.int32]] = field(default_factory=dict)
    # How likely each point ends as the mover's, where a search knows it: for the owner family
    owned: npt.NDArray[np.float64] | None = None

    def look(self, board: Board) -> None:
        """Take this board's candidates for its side to move. Keys are brought by the caller."""
        self.size = int(board.side)
        self.mover = int(board.to_move)
        self.context = self.context._replace(board=board, mover=self.mover)
        legal = int(legal_points(board, self.mover, self.candidates))
        self.candidates[legal] = PASS
        self.count = legal + 1
        self.found.clear()

    def with_owned(self) -> Context:
        """The context with `owned`: what a search has told, or else random games."""
        if self.owned is None:
            owner_shares(self.context)
            return self.context
        return self.context._replace(owned=np.ascontiguousarray(self.owned))
