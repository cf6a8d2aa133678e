"""The catalogues: which families describe a move, in the order of their columns.

A new family is one module in `families` and one line here.
"""

from __future__ import annotations

from dataclasses import dataclass

from katachi.patterns.families import (
    atari,
    border,
    capture,
    distances,
    extension,
    light,
    owner,
    passes,
    self_atari,
    shape,
)
from katachi.patterns.family import OWNER, SHAPES, Family


@dataclass(frozen=True)
class Catalogue:
    """A named sequence of families; names are different within a catalogue."""

    name: str
    families: tuple[Family, ...]

    def chosen(self, shapes: bool, owners: bool) -> tuple[Family, ...]:
        """The families without those that need what is not wanted."""
        left_out = {"": False, SHAPES: not shapes, OWNER: not owners}
        return tuple(family for family in self.families if not left_out[family.needs])


# Coulom 2007, Table 1
COULOM = Catalogue(
    "coulom",
    (
        passes.FAMILY,
        capture.FAMILY,
        extension.FAMILY,
        self_atari.FAMILY,
        atari.FAMILY,
        border.FAMILY,
        distances.FAMILY,
        distances.SECOND_FAMILY,
        owner.FAMILY,
        shape.FAMILY,
    ),
)


# Coulom 2007, section 4.1
PLAYOUT = Catalogue(
    "playout",
    (
        passes.FAMILY,
        light.SHAPE3,
        capture.LIGHT_FAMILY,
        extension.LIGHT_FAMILY,
        self_atari.FAMILY,
        light.CONTIGUITY,
    ),
)
CATALOGUES = {catalogue.name: catalogue for catalogue in (COULOM, PLAYOUT)}
