"""Ratings as rows: what a model has learnt of every level, as in Coulom 2007, Table 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from katachi.errors import KatachiError
from katachi.models.elo import ELO, elo
from katachi.models.model import Model
from katachi.models.pairs import Pair
from katachi.patterns.family import Family


class Rating(NamedTuple):
    """One level of one family. `error` is in Elo, with all other ratings held.

    Of a ranking gamma is e^μ, and `error` is σ.
    """

    family: str
    number: int  # of the level, from 1
    level: str
    gamma: float
    elo: float
    error: float
    wins: int
    appearances: int
    sentence: str
    drawing: str  # of a shape, else ""


def family_names(model: Model) -> list[str]:
    """The families of the model and its pairs, in order."""
    return list(model.predictor.ratings)


def is_shape(model: Model, name: str) -> bool:
    """Whether a family's levels are shapes of a dictionary."""
    return any(family.name == name and family.dictionary for family in model.features.families)


def ratings_of(model: Model, name: str, levels: list[int] | None = None) -> Iterator[Rating]:
    """The ratings of a family or pair, in the order of its levels, or of these levels only.

    Raises KatachiError if there is no such family.
    """
    if name not in model.predictor.ratings:
        known = ", ".join(family_names(model))
        raise KatachiError(f"the model has no family {name!r}: it has {known}")
    found = model.predictor.ratings[name]
    pairs = {pair.name: pair for pair in model.predictor.pairs}
    families = {family.name: family for family in model.features.families}
    for number in range(1, len(found.gamma) + 1) if levels is None else levels:
        at = number - 1
        if name in pairs:
            level, sentence, drawing = _of_pair(pairs[name], families, number)
        else:
            level, sentence, drawing = _of_family(model, families[name], number)
        gamma = float(found.gamma[at])
        scale = model.predictor.scale
        yield Rating(
            name,
            number,
            level,
            gamma,
            scale * float(elo(gamma)),
            scale * ELO * float(found.error[at]),
            int(found.wins[at]),
            int(found.appearances[at]),
            sentence,
            drawing,
        )


def extremes(model: Model, name: str, top: int) -> tuple[list[Rating], list[Rating]]:
    """The strongest and the weakest levels of a family, at most `top` of each, none twice."""
    if name not in model.predictor.ratings:
        list(ratings_of(model, name))  # says what is wrong
    order = np.argsort(-model.predictor.ratings[name].gamma, kind="stable") + 1
    strong = order[:top]
    weak = order[max(top, len(order) - top) :][::-1]
    return (
        list(ratings_of(model, name, strong.tolist())),
        list(ratings_of(model, name, weak.tolist())),
    )


def _of_family(model: Model, family: Family, number: int) -> tuple[str, str, str]:
    if not family.dictionary:
        level = family.levels[number - 1]
        return level.name, level.sentence, ""
    shape = family.first + number - 1
    shapes = model.features.dictionaries[family.dictionary]
    radius = shapes.templates.radii[shapes.rings[shape]]
    return f"{shape + 1} (radius {radius})", "makes this shape", shapes.draw(shape)


def _of_pair(pair: Pair, families: dict[str, Family], number: int) -> tuple[str, str, str]:
    words = []
    sentences = []
    for name, level in zip((pair.one, pair.two), pair.levels(number), strict=True):
        family = families[name]
        words.append(str(level) if family.dictionary else family.levels[level - 1].name)
        sentences.append(
            "makes a known shape" if family.dictionary else family.levels[level - 1].sentence
        )
    return " × ".join(words), " and ".join(sentences), ""


def as_data(rating: Rating) -> dict[str, Any]:
    """A rating as JSON."""
    return rating._asdict()
