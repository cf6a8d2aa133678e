"""From positions to teams: the level of every family for every candidate."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.go.position import Position
from katachi.patterns.family import Family, Situation
from katachi.patterns.features import Features, Watch
from katachi.patterns.together import TOGETHER, write_together

_ROW = {family: row for row, family in enumerate(TOGETHER)}


def describe(situation: Situation, families: tuple[Family, ...]) -> list[npt.NDArray[Any]]:
    """One column per family, of its dtype: the levels of the candidates, 0 for none."""
    n = situation.count
    # One call, and one kernel to compile, for all that need nothing but the board.
    rows = [_ROW[family] for family in families if family in _ROW]
    if rows:
        wanted = np.zeros(len(TOGETHER), np.bool_)
        wanted[rows] = True
        together = np.zeros((len(TOGETHER), n), np.uint8)
        write_together(
            situation.board,
            situation.candidates,
            n,
            wanted,
            situation.spare,
            situation.ladder,
            together,
        )
    columns: list[npt.NDArray[Any]] = []
    for family in families:
        if family in _ROW:
            columns.append(together[_ROW[family]])
        else:
            column = np.zeros(n, family.dtype)
            family.write(situation, column)
            columns.append(column)
    return columns


def describe_position(position: Position, features: Features) -> dict[int, dict[str, int]]:
    """Every legal point, and PASS → family → level, for the side to move.

    A family without a level for a move is absent. Raises KatachiError if the shapes were not
    harvested on boards of this size.
    """
    features.check_size(position.size, "the position")
    watch = Watch(features)
    watch.start(position.size)
    situation = watch.look(position.board)
    columns = describe(situation, features.families)
    return {
        int(point): {
            family.name: int(column[i])
            for family, column in zip(features.families, columns, strict=True)
            if column[i]
        }
        for i, point in enumerate(situation.candidates[: situation.count])
    }
