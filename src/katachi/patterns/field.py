"""The field: of a competition with hundreds of teams only some that stand for all.

Kept are the winner and some losers, drawn with chances that go with the square root of their
strength by a pilot model: the likeliest are always there. Each counts for as many as it stands for,
one by its chance. The strength of all participants, E_j, is then right on average, and nearly so
each time. So the same work can look at several times as many positions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Field:
    """How many candidates of a competition are kept, and the pilot: family → [level] factor."""

    most: int
    factors: Mapping[str, npt.NDArray[np.float64]]


def choose(
    field: Field,
    names: Sequence[str],
    columns: Sequence[npt.NDArray[Any]],
    winner: int,
    rng: np.random.Generator,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """(which candidates are kept, in order; the weight of each). The winner's weight is 1.

    Where there are no more than `field.most`, all are kept.
    """
    count = len(columns[0])
    if count <= field.most:
        return np.arange(count), np.ones(count, np.float32)
    strength = np.ones(count)
    for name, column in zip(names, columns, strict=True):
        strength *= field.factors[name][column]
    chances = _chances(np.sqrt(strength), winner, field.most)
    # Systematic sampling: one is drawn wherever the sum of the chances passes a whole number.
    passed = np.floor(np.cumsum(chances) + rng.random())
    drawn = np.diff(passed, prepend=0.0) > 0
    drawn[winner] = True
    kept = np.flatnonzero(drawn)
    return kept, (1.0 / chances[kept]).astype(np.float32)


def _chances(size: npt.NDArray[np.float64], winner: int, most: int) -> npt.NDArray[np.float64]:
    """Chances that go with `size`, none above 1, with the sum `most`; the winner's is 1."""
    chances = np.zeros(len(size))
    sure = np.zeros(len(size), np.bool_)
    sure[winner] = True
    while True:
        open_ = ~sure
        chances[open_] = size[open_] * ((most - sure.sum()) / size[open_].sum())
        chances[sure] = 1.0
        above = chances > 1.0
        if not above.any():
            return chances
        sure |= above
