"""What a family of features is, and the situation in which its levels are told.

A *family* is a set of levels that exclude each other; a candidate has at most one of them. Its
function writes the level of every candidate, counted from 1, into an array of zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board, legal_points, new_board
from katachi.go.ladder import LadderWork, ladder_work
from katachi.go.points import MAX_SIZE, PASS
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.keys import Keys


class Level(NamedTuple):
    """One feature: its name, and the rest of a sentence for students after "This move …"."""

    name: str
    sentence: str


@dataclass(eq=False)
class Situation:
    """A position whose candidates are to be described; one per thread, filled anew each time."""

    board: Board = None
    # Read once from the record: numpy is slow at it outside kernels.
    size: int = 0
    mover: int = 0
    previous: tuple[int, ...] = ()
    candidates: npt.NDArray[np.int16] = field(default_factory=lambda: np.zeros(362, np.int16))
    count: int = 0  # of candidates: legal points in order, then PASS
    dictionaries: Mapping[str, Shapes] = field(default_factory=dict)
    keys: dict[str, Keys] = field(default_factory=dict)  # templates' name → keys on this board
    # Dictionary → the shapes of all its templates around each candidate; see families.shape
    found: dict[str, npt.NDArray[np.int32]] = field(default_factory=dict)
    ladder: LadderWork = field(default_factory=ladder_work)
    # How likely each point ends as the mover's, where a search knows it: for the owner family
    owned: npt.NDArray[np.float64] | None = None
    spare: Board = field(default_factory=lambda: new_board(MAX_SIZE))  # to try moves on

    def look(self, board: Board) -> None:
        """Take this board's candidates for its side to move. Keys are brought by the caller."""
        self.board = board
        self.size = int(board.side)
        self.mover = int(board.to_move)
        self.previous = tuple(board.previous.tolist())
        legal = int(legal_points(board, self.mover, self.candidates))
        self.candidates[legal] = PASS
        self.count = legal + 1
        self.found.clear()

    @property
    def basics(self) -> tuple[Board, int, npt.NDArray[np.int16], int]:
        """(board, mover, candidates, count): what most kernels begin with."""
        return self.board, self.mover, self.candidates, self.count


@dataclass(frozen=True, eq=False)
class Family:
    """A family: its name, its levels, and the function that writes the candidates' levels.

    `write(situation, out)` gets out as zeros, one for each candidate. A family of shapes has no
    `levels` of its own: they are `shapes` shapes of a `dictionary`, from number `first` on.
    """

    name: str
    title: str
    levels: tuple[Level, ...]
    write: Callable[[Situation, npt.NDArray[Any]], None]
    slow: bool = False  # random games: left out unless asked for
    dictionary: str = ""
    first: int = 0
    shapes: int = 0

    @property
    def size(self) -> int:
        """The number of levels."""
        return self.shapes if self.dictionary else len(self.levels)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The smallest unsigned type that holds every level and 0."""
        return np.dtype(np.min_scalar_type(self.size))
