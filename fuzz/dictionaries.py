"""Dictionaries of shapes: damaged bytes, and wrong contents with right digests."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from fuzz import damage
from fuzz.models import PIECES, spoilt, told
from katachi.errors import KatachiError
from katachi.go.position import Position
from katachi.patterns.catalogue import COULOM
from katachi.patterns.describe import describe_position
from katachi.patterns.features import Features
from katachi.patterns.shapes.answers import HARVESTED
from katachi.patterns.shapes.dictionary import (
    KIND,
    Shapes,
    load_shapes,
    merge_shapes,
    shapes_to_parts,
)
from katachi.patterns.shapes.harvest import harvest
from katachi.records.bundled import bundled_games
from katachi.tensors import packed


@cache
def sound() -> tuple[Shapes, ...]:
    """A small dictionary of each kind of templates."""
    games = bundled_games().take(np.arange(2))
    return tuple(
        harvest(games, templates=templates, rule="played", min_count=3)
        for templates in HARVESTED.values()
    )


@cache
def file(which: int) -> bytes:
    """One of them as a file."""
    about, arrays = shapes_to_parts(sound()[which])
    return packed(KIND, json.dumps(about), arrays)


def generate(rng: Random) -> bytes:
    """A file with damaged bytes, or one of damaged contents."""
    which = rng.randrange(len(sound()))
    if rng.random() < 0.4:
        return damage(file(which), rng, PIECES)
    about, arrays = shapes_to_parts(sound()[which])
    return spoilt(KIND, about, arrays, rng)


def check(data: bytes, folder: Path) -> None:
    """It is refused, or can be used."""
    path = folder / "a.shapes"
    path.write_bytes(data)
    try:
        shapes = load_shapes(path)
    except KatachiError:
        return
    for which, one in enumerate(sound()):
        if told(data) == told(file(which)):
            assert same(one, shapes), "damage that its digests do not tell"
    assert sum(shapes.per_template().values()) == len(shapes)
    for number in range(0, len(shapes), max(1, len(shapes) // 5)):
        shapes.draw(number)
    shapes.keep(5).save(folder / "b.shapes")
    assert same(load_shapes(folder / "b.shapes"), shapes.keep(5))
    position = Position(9)
    for vertex in ("E5", "C3", "G7", "D3"):
        position.play(vertex)
    try:
        describe_position(position, Features(COULOM, {"shape": shapes}))
        merge_shapes([shapes, shapes])
    except KatachiError:
        return  # of other boards; or not every shape is in it


def same(one: Shapes, two: Shapes) -> bool:
    """Whether two dictionaries hold the same."""
    told_one, columns = shapes_to_parts(one)
    told_two, others = shapes_to_parts(two)
    both: Any = [(columns[name], others[name]) for name in columns]
    return told_one == told_two and all(np.array_equal(a, b) for a, b in both)
