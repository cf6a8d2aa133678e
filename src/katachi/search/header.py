"""Playout gammas as a C header, for engines of others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from katachi import __version__
from katachi.go.points import BLACK
from katachi.models.model import Model
from katachi.patterns.families.light import classes3x3
from katachi.search.gammas import CODES, Factors, balanced_for, playout_gammas

PER_LINE: Final = 12
_BEGIN: Final = """\
/* Playout gammas of Katachi {version}, {kind}.

   The chance of a move is proportional to the product of the gammas of its features (Coulom 2007,
   section 4.1). A move has at most one level of each family; level 0 is none, and its gamma is 1.

   A 3x3 shape is the code of the eight neighbours in reading order: north-west first, south-east
   last. Neighbour k has the bits 2k and 2k + 1: 0 empty, 1 a stone of the mover, 2 a stone of the
   opponent, 3 off the board. Gamma 0: an eye of the mover, which playouts do not fill, or a code
   that no board shows. */
#ifndef KATACHI_PLAYOUT_H
#define KATACHI_PLAYOUT_H
"""


def light_factors(model: Model, kind: str) -> Factors:
    """Gammas by family and level of the model's playouts, `fitted` or `balanced`. Raises
    KatachiError if it has none.
    """
    light = model.playout or model
    playout_gammas(light)  # says what is missing
    factors = light.predictor.factors
    return factors if kind == "fitted" else balanced_for(None, factors)


def c_header(model: Model, kind: str) -> str:
    """The header of these gammas. Raises KatachiError if the model has none."""
    factors = light_factors(model, kind)
    light = model.playout or model
    drawn = playout_gammas(light).shape[BLACK * CODES : (BLACK + 1) * CODES] > 0
    shape = np.where(drawn, factors["shape3"][classes3x3()[0]], 0.0)
    parts = [_BEGIN.format(version=__version__, kind=kind)]
    for family in light.features.families:
        if family.name != "shape3":
            name = family.name.replace("-", "_")
            words = [f"{n}: {level.name}" for n, level in enumerate(family.levels, 1)]
            parts += [
                f"/* {family.title}. {'; '.join(words)} */",
                _array(name, factors[family.name]),
            ]
    parts += [
        "/* 3x3 shape, by the code of the neighbours */",
        _array("shape3", shape),
        "#endif",
        "",
    ]
    return "\n".join(parts)


def _array(name: str, values: Iterable[float]) -> str:
    numbers = [_number(value) for value in values]
    lines = [", ".join(numbers[i : i + PER_LINE]) for i in range(0, len(numbers), PER_LINE)]
    body = ",\n    ".join(lines)
    return f"static const float katachi_{name}[{len(numbers)}] = {{\n    {body}}};\n"


def _number(value: float) -> str:
    """As C reads a float: `1` alone would be an int, which is as well, but `1f` would be none."""
    return f"{value:.6g}"
