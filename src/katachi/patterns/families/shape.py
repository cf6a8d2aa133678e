"""Shape: which harvested shapes stand around the point (Coulom 2007, 3.2; Stern 2005, 2).

A dictionary gives one family, the largest shape that it knows; or one family to each of its
templates, so that a move has a shape of every radius.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, int64, kernel
from katachi.go.points import PASS
from katachi.patterns.family import Family, Level
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.keys import nested_shapes
from katachi.patterns.shapes.lookup import Lookup
from katachi.patterns.shapes.templates import Templates, tables
from katachi.patterns.situation import Situation

_TITLES: Final = {
    "shape": "Shape",
    "shape-played": "Played shape",
    "shape-marked": "Shape with the previous move",
    "shape-liberties": "Shape with liberties",
}


@kernel
def _find_all(
    keys: Any, mover: int, candidates: Any, n: int, salt: Any, lookup: Lookup, first: Any, out: Any
) -> None:
    """Write the shape of each template, counted from 1 within it, into out[template, candidate],
    which is of zeros.
    """
    shapes = np.zeros(len(salt), np.int64)
    for i in range(n):
        p = int64(candidates[at(i)])
        if p == PASS:
            continue
        for r in range(nested_shapes(keys, mover, p, salt, lookup, shapes)):
            out[at(r), at(i)] = shapes[at(r)] + 1 - first[at(r)]


@kernel
def _largest(found: Any, first: Any, out: Any) -> None:
    for i in range(found.shape[1]):
        for r in range(found.shape[0] - 1, -1, -1):
            if found[r, i] > 0:
                out[i] = first[r] + found[r, i]
                break


def shapes_found(situation: Situation, dictionary: str) -> npt.NDArray[np.int32]:
    """[template, candidate] the number of the shape among its template's, from 1; 0 for none."""
    found = situation.found.get(dictionary)
    if found is None:
        shapes = situation.dictionaries[dictionary]
        assert isinstance(shapes.templates, Templates), "answers are found in another way"
        salt = tables(shapes.templates, situation.size).salt
        found = np.zeros((len(salt), situation.count), np.int32)
        _find_all(
            situation.keys[shapes.templates.name],
            situation.mover,
            situation.candidates,
            situation.count,
            salt,
            shapes.lookup,
            shapes.firsts,
            found,
        )
        situation.found[dictionary] = found
    return found


def _write_largest(dictionary: str, situation: Situation, out: Any) -> None:
    _largest(shapes_found(situation, dictionary), situation.dictionaries[dictionary].firsts, out)


def shape_families(dictionary: str, shapes: Shapes, all_radii: bool) -> tuple[Family, ...]:
    """The families of a dictionary: one for the largest shape, or one to each template.

    Level n is the nth shape of the dictionary, or of the template in the dictionary. Templates
    without a shape give no family.
    """
    title = _TITLES.get(dictionary, f"Shape of {dictionary}")

    if not all_radii:
        write = partial(_write_largest, dictionary)
        shown = len(shapes)
        return (Family(dictionary, title, (), write=write, dictionary=dictionary, shapes=shown),)
    found = partial(shapes_found, dictionary=dictionary)  # one for all: they are written together
    families = []
    first = 0
    for template, (size, count) in enumerate(shapes.per_template().items()):
        if count:
            families.append(
                Family(
                    f"{dictionary}-{size}",
                    f"{title}, radius {size}",
                    (),
                    found=found,
                    row=template,
                    dictionary=dictionary,
                    first=first,
                    shapes=count,
                )
            )
        first += count
    return tuple(families)


def _write_none(situation: Situation, out: Any) -> None:
    for dictionary, shapes in situation.dictionaries.items():
        if isinstance(shapes.templates, Templates):
            out |= shapes_found(situation, dictionary).any(axis=0)
    points = situation.candidates[: situation.count]
    out[:] = (out == 0) & (points != PASS)


# The point stands in no shape that was harvested: for models of shapes alone
NO_SHAPE = Family(
    "no-shape",
    "No shape",
    (Level("no known shape", "makes no shape that is known"),),
    write=_write_none,
)
