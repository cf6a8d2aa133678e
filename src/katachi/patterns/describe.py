"""From positions to teams: the level of every family for every candidate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.go.position import Position
from katachi.patterns.catalogue import Catalogue
from katachi.patterns.family import Family, Situation
from katachi.patterns.keys import keys_from_scratch
from katachi.patterns.shapes import Shapes


def describe(
    situation: Situation, families: tuple[Family, ...], dtypes: Sequence[npt.DTypeLike]
) -> list[npt.NDArray[Any]]:
    """One column per family, of its dtype: the levels of the candidates, 0 for none."""
    columns = []
    for family, dtype in zip(families, dtypes, strict=True):
        column = np.zeros(situation.count, dtype)
        family.write(situation, column)
        columns.append(column)
    return columns


def describe_position(
    position: Position,
    catalogue: Catalogue,
    *,
    shapes: Shapes | None = None,
    owner: bool = False,
) -> dict[int, dict[str, int]]:
    """Every legal point, and PASS → family → level, for the side to move.

    A family without a level for a move is absent; so is *shape* without a dictionary, and *owner*
    unless asked for.
    """
    situation = Situation()
    situation.look(position.board)
    if shapes is not None:
        situation.shapes = shapes
        situation.keys = keys_from_scratch(shapes.templates, position.size, position.colors)
    families = catalogue.chosen(shapes is not None, owner)
    columns = describe(situation, families, [family.dtype(shapes) for family in families])
    return {
        int(point): {
            family.name: int(column[i])
            for family, column in zip(families, columns, strict=True)
            if column[i]
        }
        for i, point in enumerate(situation.candidates[: situation.count])
    }
