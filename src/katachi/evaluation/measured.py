"""`Measured`: what a model predicted for each move of some games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError

CALIBRATION_EDGES: Final = (0, 0.0001, 0.001, 0.003, 0.01, 0.03, *(n / 10 for n in range(1, 10)), 1)
BINS: Final = len(CALIBRATION_EDGES) - 1
_MOVE_COLUMNS: Final = ("game", "move", "log_evidence", "better", "equal", "candidates")


@dataclass(frozen=True, eq=False)
class Measured:
    """One row per move, and one row of calibration per game in the order of appearance in `game`.

    A candidate whose predicted probability is p is counted in bin i where
    CALIBRATION_EDGES[i] <= p < CALIBRATION_EDGES[i + 1]; 1 itself is in the last bin. Nothing is
    checked: `game` must not decrease, `equal` be at least 1, `log_evidence` finite.
    """

    game: npt.NDArray[np.int32]  # [m]: which game each move is of
    move: npt.NDArray[np.int32]  # [m]: moves played before it in its game
    log_evidence: npt.NDArray[np.float64]  # [m]: log of the probability given to the move played
    better: npt.NDArray[np.int32]  # [m]: candidates with a higher probability
    equal: npt.NDArray[np.int32]  # [m]: candidates with the same one, the played one included
    candidates: npt.NDArray[np.int32]  # [m]: how many legal moves there were
    calibration: npt.NDArray[np.int64]  # [g, BINS, 2]: candidates in the bin, those played
    calibration_sum: npt.NDArray[np.float64]  # [g, BINS]: sum of their predicted probabilities

    def __len__(self) -> int:
        return len(self.game)

    @cached_property
    def row(self) -> npt.NDArray[np.int64]:
        """[m] the row in `calibration` of each move's game: games numbered from 0, without gaps."""
        first = np.ones(len(self.game), np.int64)
        first[1:] = self.game[1:] != self.game[:-1]
        return np.cumsum(first) - 1


def join(parts: Sequence[Measured]) -> Measured:
    """The moves of consecutive parts as one; a game may go on from one part into the next.

    Raises KatachiError if there are no parts, ValueError if their games are out of order.
    """
    if not parts:
        raise KatachiError("there are no games to measure: choose other games")
    columns = {name: np.concatenate([getattr(p, name) for p in parts]) for name in _MOVE_COLUMNS}
    if np.any(np.diff(columns["game"]) < 0):
        raise ValueError("the games of the parts are out of order")
    games = np.concatenate([np.unique(part.game) for part in parts])
    unique, rows = np.unique(games, return_inverse=True)
    calibration = np.zeros((len(unique), BINS, 2), np.int64)
    np.add.at(calibration, rows, np.concatenate([part.calibration for part in parts]))
    calibration_sum = np.zeros((len(unique), BINS), np.float64)
    np.add.at(calibration_sum, rows, np.concatenate([part.calibration_sum for part in parts]))
    return Measured(**columns, calibration=calibration, calibration_sum=calibration_sum)
