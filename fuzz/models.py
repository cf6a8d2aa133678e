"""Model files: damaged bytes, which digests must tell, and wrong contents with right digests."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from fuzz import damage
from katachi.errors import KatachiError
from katachi.go.position import Position
from katachi.models.model import KIND, Model, load_model
from katachi.models.pairs import Pair
from katachi.models.predictor import Predictor, Ratings
from katachi.patterns.catalogue import COULOM, PLAYOUT
from katachi.patterns.features import Features
from katachi.patterns.shapes.harvest import harvest
from katachi.records.bundled import bundled_games
from katachi.tensors import Kind, packed, read_arrays

PIECES = (
    b'"gamma/border"',
    b'"F32"',
    b'"U64"',
    b'"shape":[',
    b"1e400",
    b"[[[[[[[[",
    b"null",
    b"NaN",
)


@cache
def sound() -> Model:
    """A small model with all that a model may have."""
    shapes = harvest(bundled_games().take(np.arange(2)), min_count=150)
    features = Features(COULOM, {"shape": shapes})
    pair = Pair("border", "distance", 17, np.array([18, 19, 40], np.uint32))
    sizes = {f.name: f.size for f in features.families} | {pair.name: pair.size}
    light = Features(PLAYOUT)
    playout = Model(light, Predictor({f.name: _ratings(f.size) for f in light.families}))
    ratings = {name: _ratings(size) for name, size in sizes.items()}
    return Model(features, Predictor(ratings, (pair,)), {"seed": 1}, playout)


def _ratings(size: int) -> Ratings:
    rng = np.random.default_rng(size)
    counts = rng.integers(0, 100, (2, size)).astype(np.uint32)
    return Ratings(*np.exp(rng.normal(size=(2, size))).astype(np.float32), *counts)


@cache
def parts() -> tuple[Any, dict[str, Any]]:
    """(header, arrays) of the sound model."""
    return sound().parts()


@cache
def file() -> bytes:
    """The sound model as a file."""
    header, arrays = parts()
    return packed(KIND, json.dumps(header), arrays)


def generate(rng: Random) -> bytes:
    """The sound file with damaged bytes, or one of damaged contents."""
    if rng.random() < 0.4:
        return damage(file(), rng, PIECES)
    header, arrays = parts()
    return spoilt(KIND, header, arrays, rng)


def spoilt(kind: Kind, header: Any, arrays: dict[str, Any], rng: Random) -> bytes:
    """A file with right digests whose header or arrays are not as they were."""
    changed = dict(arrays)
    about = json.dumps(header)
    for _ in range(rng.choice((1, 1, 2, 4))):
        if rng.random() < 0.3:
            about = damage(about.encode(), rng, PIECES).decode("utf-8", "replace")
            continue
        if rng.random() < 0.5:
            about = json.dumps(_other(json.loads(json.dumps(header)), rng))
            continue
        name = rng.choice(sorted(changed))
        array = changed[name]
        how = rng.randrange(8)
        if how == 0:
            changed.pop(name)
        elif how == 1:
            changed[name] = array[: rng.randrange(len(array) + 1)]
        elif how == 2:
            changed[name] = np.append(array, array)
        elif how == 3:
            changed[name] = array[::-1].copy()
        elif how == 4:
            changed[name] = array.astype(rng.choice(("u1", "i8", "f4", "f8", "u4", "u8")))
        elif how == 5:
            changed[name] = array[:, None]
        elif how == 6 and len(array):
            some = array.copy()
            some.reshape(-1).view(np.uint8)[rng.randrange(some.nbytes)] = rng.randrange(256)
            changed[name] = some
        else:
            changed[f"{name}{rng.choice(('', 'x', '/', '*'))}"] = array
    return packed(kind, about, changed)


def _other(tree: Any, rng: Random) -> Any:
    """The same JSON with one value exchanged."""
    if isinstance(tree, dict) and tree and rng.random() < 0.85:
        key = rng.choice(sorted(tree))
        return tree | {key: _other(tree[key], rng)}
    if isinstance(tree, list) and tree and rng.random() < 0.85:
        place = rng.randrange(len(tree))
        return [*tree[:place], _other(tree[place], rng), *tree[place + 1 :]]
    return rng.choice(
        (
            None,
            -1,
            0,
            1,
            10**30,
            1.5,
            math.nan,
            math.inf,
            "",
            "shape",
            [],
            {},
            True,
            [1],
            "extended",
            "maxent",
            "ranking",
            [None],
            {"": 1},
        )
    )


def check(data: bytes, folder: Path) -> None:
    """It is refused, or it predicts."""
    path = folder / "a.katachi"
    path.write_bytes(data)
    try:
        model = load_model(path)
    except KatachiError:
        return
    if told(data) == told(file()):
        assert model.digest == sound().digest, "damage that its digests do not tell"
    position = Position(9)
    for vertex in ("E5", "C3", "G7", "D3"):
        position.play(vertex)
    try:
        chances = model.probabilities(position)
    except KatachiError:
        return  # of other boards
    assert all(0 <= chance <= 1 for chance in chances.values())
    assert abs(sum(chances.values()) - 1) < 1e-6
    model.save(folder / "b.katachi")
    again, _ = read_arrays(folder / "b.katachi", KIND)
    assert again["families"] == {f.name: f.size for f in model.features.families}


def told(data: bytes) -> str:
    """The digest of all that is told in a file."""
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return str(header["__metadata__"]["digest"])
