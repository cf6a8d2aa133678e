"""Fuzzers: random and damaged input for everything that reads what others have written.

One module per kind of input. Each has two functions:

    generate(rng: random.Random) -> bytes    one input; the same for the same state of rng
    check(data: bytes, folder: Path) -> None   reads it as the program would

`check` returns if the program has done right: it read the input, or refused it with KatachiError.
It raises for anything else: any other exception, a wrong answer (AssertionError). `folder` is
empty, and of this input alone. `python -m fuzz` adds limits of time and memory to that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Final

TARGETS: Final = (
    *("sgf", "archives", "models", "dictionaries", "libraries"),
    *("rate", "gtp", "queries", "page"),
)


@dataclass(frozen=True)
class Target:
    """One kind of input."""

    name: str
    generate: Callable[[Random], bytes]
    check: Callable[[bytes, Path], None]


def target(name: str) -> Target:
    """The target of this name, one of TARGETS."""
    module = import_module(f"fuzz.{name}")
    return Target(name, module.generate, module.check)


def damage(data: bytes, rng: Random, pieces: tuple[bytes, ...] = ()) -> bytes:
    """`data` with one to eight random changes: bits and bytes changed, parts cut out, doubled,
    moved, repeated many times, and `pieces` (what the format's readers look for) put in.
    """
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 4, 8))):
        where = rng.randrange(len(changed) + 1)
        end = min(len(changed), where + rng.choice((1, 1, 2, 4, 16, 200)))
        how = rng.randrange(8)
        if how == 0 and where < len(changed):
            changed[where] ^= 1 << rng.randrange(8)
        elif how == 1 and where < len(changed):
            changed[where] = rng.choice((0, 9, 10, 13, 27, 32, 127, 128, 255, rng.randrange(256)))
        elif how == 2:
            del changed[where:end]
        elif how == 3:
            changed[where:where] = changed[where:end]
        elif how == 4:
            changed[where:where] = changed[where:end] * rng.choice((2, 10, 1000))
        elif how == 5:
            part = changed[where:end]
            del changed[where:end]
            to = rng.randrange(len(changed) + 1)
            changed[to:to] = part
        elif how == 6:
            del changed[where:]
        elif pieces:
            changed[where:where] = rng.choice(pieces) * rng.choice((1, 1, 1, 2, 1000))
    return bytes(changed[: 1 << 20])
