"""The families that a person can read, which are what is rated of a style.

They are read off the columns of the catalogues WORDS and COULOM, whatever families the base has. A
pass has none of them.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.go.points import PASS
from katachi.patterns.catalogue import COULOM, WORDS
from katachi.patterns.families import distance, position, tactics
from katachi.patterns.family import Family, Level
from katachi.patterns.features import Features
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.vocabulary.groups import TERMS, WORD_FAMILIES

# What columns a base is described with, besides its own
ALSO: Final = (Features(WORDS), Features(COULOM))


class Feature(NamedTuple):
    """A feature of a style: `sentence` is the rest of "This move …"; `picture` is of a shape."""

    family: str
    name: str
    sentence: str
    picture: str = ""


@dataclass(frozen=True)
class Readable:
    """A family of a style: its levels are those of the column `source`, each as `table` says: from
    that column's level, 0 for none, to the level here. `shapes`: a dictionary that the column is
    of, beside those of the base.
    """

    name: str
    title: str
    source: str
    levels: tuple[Level, ...]
    table: tuple[int, ...]
    shapes: Shapes | None = None

    @property
    def features(self) -> list[Feature]:
        """One for each level."""
        return [Feature(self.name, level.name, level.sentence) for level in self.levels]


def _as_it_is(family: Family) -> Readable:
    return Readable(
        family.name, family.title, family.name, family.levels, tuple(range(family.size + 1))
    )


_BEYOND: Final = Level("≥ 5", "is on the fifth line or higher")
LINE: Final = Readable(
    "line", "Line", "border", (*position.BORDER.levels, _BEYOND), (5, 1, 2, 3, 4)
)
# The fourth line and higher beside the third and lower
HIGH: Final = Readable(
    "high", "Height", "border", (Level("high", "is on the fourth line or higher"),), (1, 0, 0, 0, 1)
)

READABLE: Final[tuple[Readable, ...]] = (
    LINE,
    *map(
        _as_it_is,
        (
            distance.DISTANCE,
            distance.DISTANCE2,
            tactics.CAPTURE,
            tactics.EXTENSION,
            tactics.SELF_ATARI,
            tactics.ATARI,
            *WORD_FAMILIES,
        ),
    ),
)
_KNOWN: Final = {family.name: family for family in (*READABLE, HIGH)}


def feature_named(name: str) -> Readable:
    """The family of this name; of the name of a word, the family that has this word alone.

    Raises KatachiError if there is none.
    """
    if name in _KNOWN:
        return _KNOWN[name]
    if name in TERMS:
        for family in WORD_FAMILIES:
            for number, level in enumerate(family.levels, 1):
                if level.name == name:
                    table = tuple(int(n == number) for n in range(family.size + 1))
                    return Readable(name, TERMS[name].word, family.name, (level,), table)
    near = difflib.get_close_matches(name, [*_KNOWN, *TERMS], 1, 0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"it is one of {', '.join(_KNOWN)}, or a word"
    raise KatachiError(f"there is no feature {name!r} to read a style by: {hint}")


def check_base(features: Features, families: Sequence[Readable]) -> None:
    """Raises KatachiError if a base has a family of the name of one that is read, but with other
    levels.
    """
    here = {family.name: family for one in ALSO for family in one.families}
    other = [
        family.name
        for family in features.families
        if family.name in here
        and family.levels != here[family.name].levels
        and any(one.source == family.name for one in families)
    ]
    if other:
        raise KatachiError(
            f"a model of the features {features.catalogue.name} has other levels of "
            f"{' and '.join(other)} than a person reads: give a model of other features"
        )


def features_of(families: Sequence[Readable]) -> list[Feature]:
    """The features of these families, in the order of their numbers."""
    return [feature for family in families for feature in family.features]


def seats_of(
    columns: Mapping[str, npt.NDArray[Any]], families: Sequence[Readable]
) -> npt.NDArray[np.int16]:
    """[candidate, family] the number of its feature, -1 for none."""
    passes = columns["point"] == PASS
    seats = np.empty((len(passes), len(families)), np.int16)
    first = 0
    for f, family in enumerate(families):
        table = np.array(family.table, np.int16)
        numbers = np.where(table > 0, table + np.int16(first - 1), np.int16(-1))
        seats[:, f] = numbers[columns[family.source]]
        first += len(family.levels)
    seats[passes] = -1
    return seats
