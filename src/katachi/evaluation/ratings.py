"""Ratings as rows: what a model has learnt of every level, as in Coulom 2007, Table 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Final, NamedTuple

import numpy as np

from katachi.errors import KatachiError
from katachi.models.elo import ELO, elo
from katachi.models.model import Model
from katachi.models.pairs import Pair
from katachi.patterns.family import Family
from katachi.patterns.shapes.answers import Answers
from katachi.patterns.shapes.dictionary import Shapes

_DRAWN: Final = 4096  # shapes that are drawn at once: much faster than one by one


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


def is_shape(model: Model, name: str) -> bool:
    """Whether a family's levels are shapes of a dictionary."""
    return any(family.name == name and family.dictionary for family in model.features.families)


class Rater:
    """Gives the rating of any level of a model, one at a time."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._scale = model.predictor.scale
        whole = model.features.position_families
        self.families = {family.name: family for family in (*model.features.families, *whole)}
        self.position = frozenset(family.name for family in whole)  # those of the position
        self._pairs = {pair.name: pair for pair in model.predictor.pairs}

    def rating(self, name: str, number: int, drawing: str = "") -> Rating:
        """The rating of a level, from 1, of a family or pair, with this drawing."""
        found, at = self._model.predictor.ratings[name], number - 1
        gamma = float(found.gamma[at])
        if name in self._pairs:
            level, sentence = self._of_pair(self._pairs[name], number)
        else:
            level, sentence = _of_family(self._model, self.families[name], number)
        return Rating(
            name,
            number,
            level,
            gamma,
            self._scale * float(elo(gamma)),
            self._scale * ELO * float(found.error[at]),
            int(found.wins[at]),
            int(found.appearances[at]),
            sentence,
            drawing,
        )

    def shape(self, name: str, number: int) -> tuple[Shapes, int] | None:
        """(dictionary, number in it from 0) of a level that is a shape, else None."""
        family = self.families.get(name)
        if family is None or not family.dictionary:
            return None
        return self._model.features.dictionaries[family.dictionary], family.first + number - 1

    def drawings(self, name: str, numbers: Sequence[int]) -> list[str]:
        """The drawing of each of these levels: "" unless they are shapes."""
        where = self.shape(name, 1)
        if where is None:
            return [""] * len(numbers)
        shapes, first = where
        return shapes.drawings([first + number - 1 for number in numbers])

    def _of_pair(self, pair: Pair, number: int) -> tuple[str, str]:
        words, sentences = [], []
        for name, level in zip((pair.one, pair.two), pair.levels(number), strict=True):
            known = (
                None if self.families[name].dictionary else self.families[name].levels[level - 1]
            )
            words.append(known.name if known else str(level))
            sentences.append(known.sentence if known else self._words(name))
        return " × ".join(words), " and ".join(sentences)

    def _words(self, name: str) -> str:
        answers = is_answer(self._model, self.families[name])
        return "answers the last move in a known way" if answers else "makes a known shape"


def is_answer(model: Model, family: Family) -> bool:
    """Whether a family's levels are answers to the last move."""
    shapes = model.features.dictionaries.get(family.dictionary)
    return shapes is not None and isinstance(shapes.templates, Answers)


def _of_family(model: Model, family: Family, number: int) -> tuple[str, str]:
    if not family.dictionary:
        level = family.levels[number - 1]
        return level.name, level.sentence
    shapes = model.features.dictionaries[family.dictionary]
    shape = family.first + number - 1
    templates, ring = shapes.templates, shapes.rings[shape]
    if isinstance(templates, Answers):
        return f"{shape + 1} ({templates.labels[ring]})", "answers the last move like this"
    return f"{shape + 1} (radius {templates.radii[ring]})", "makes this shape"


def ratings_of(model: Model, name: str, levels: Sequence[int] | None = None) -> Iterator[Rating]:
    """The ratings of a family or pair, in the order of its levels, or of these levels only.

    Raises KatachiError if there is no such family.
    """
    _check_family(model, name)
    rater = Rater(model)
    size = len(model.predictor.ratings[name].gamma)
    wanted = range(1, size + 1) if levels is None else levels
    for first in range(0, len(wanted), _DRAWN):
        some = wanted[first : first + _DRAWN]
        yield from map(rater.rating, repeat(name), some, rater.drawings(name, some))


def _check_family(model: Model, name: str) -> None:
    if name not in model.predictor.ratings:
        known = ", ".join(model.predictor.ratings)
        raise KatachiError(f"the model has no family {name!r}: it has {known}")


def extremes(model: Model, name: str, top: int) -> tuple[list[Rating], list[Rating]]:
    """The strongest and the weakest levels of a family, at most `top` of each, none twice."""
    _check_family(model, name)
    order = np.argsort(-model.predictor.ratings[name].gamma, kind="stable") + 1
    strong = order[:top]
    weak = order[max(top, len(order) - top) :][::-1]
    return (
        list(ratings_of(model, name, strong.tolist())),
        list(ratings_of(model, name, weak.tolist())),
    )
