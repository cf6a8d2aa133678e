"""No shape: the point stands in no shape that was harvested (for models of shapes alone)."""

from __future__ import annotations

from typing import Any

from katachi.go.points import PASS
from katachi.patterns.families.shape import shapes_found
from katachi.patterns.family import Family, Level, Situation


def _write(situation: Situation, out: Any) -> None:
    for dictionary in situation.dictionaries:
        found = shapes_found(situation, dictionary).max(axis=0) > 0
        out[:] = (out > 0) | found
    points = situation.candidates[: situation.count]
    out[:] = (out == 0) & (points != PASS)


FAMILY = Family(
    "no-shape", "No shape", (Level("no known shape", "makes no shape that is known"),), _write
)
