"""Shape: the largest harvested template around the point (Coulom 2007, 3.2; Stern 2005, 2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from katachi.go.kernel import int64, kernel
from katachi.go.points import PASS
from katachi.patterns.family import SHAPES, Family, Situation
from katachi.patterns.keys import template_keys
from katachi.patterns.lookup import find
from katachi.patterns.templates import tables


@kernel
def _levels(
    keys: Any, mover: int, candidates: Any, n: int, salt: Any, table: Any, index_of: Any, out: Any
) -> None:
    shapes = np.zeros(len(salt), np.uint64)
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        template_keys(keys, mover, p, salt, shapes)
        for r in range(len(salt) - 1, -1, -1):
            shape = find(table, index_of, shapes[r])
            if shape >= 0:
                out[i] = shape + 1
                break


def _write(situation: Situation, out: Any) -> None:
    assert situation.shapes is not None
    assert situation.keys is not None
    salt = tables(situation.shapes.templates, situation.size).salt
    _levels(situation.keys, situation.mover, situation.candidates, situation.count, salt,
            *situation.shapes.lookup, out)  # fmt: skip


FAMILY = Family("shape", "Shape", (), _write, needs=SHAPES)
