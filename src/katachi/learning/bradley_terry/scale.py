"""Directions in which no prediction changes, and the prior alone decides.

Where every team of a competition has a member of two families, the gammas of one may be doubled
and those of the other halved. Plain MM creeps along such directions, since only the weak prior
pulls. They can be read from which families are present in which teams; along them the maximum of
the prior is found without a look at the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, kernel, uint64
from katachi.learning.bradley_terry.columns import Competing, layout
from katachi.learning.bradley_terry.places import Places
from katachi.learning.bradley_terry.prior import Prior, log_prior, prior_curvature, prior_gradient

Vector = npt.NDArray[np.float64]

MOST_FAMILIES = 64  # one bit each
_SLOTS = 1 << 14


@kernel
def _mark(column: Any, bit: Any, masks: Any) -> None:
    for i in range(len(column)):
        if column[at(i)]:
            masks[at(i)] |= bit


@kernel
def _differences(starts: Any, masks: Any, seen: Any, out: Any) -> int:
    """Write the different pairs (mask of a team, mask of its competition's first) into out.

    Some may be written more than once. Returns how many; more than out holds were not written.
    """
    n = 0
    base = starts[0]
    for j in range(len(starts) - 1):
        lead = masks[starts[j] - base]
        for i in range(starts[j] + 1 - base, starts[j + 1] - base):
            mask = masks[at(i)]
            if mask == lead:
                continue
            mixed = (mask * uint64(0x9E3779B97F4A7C15)) ^ (lead * uint64(0xC2B2AE3D27D4EB4F))
            slot = mixed >> uint64(50)
            if seen[slot, 0] != mask or seen[slot, 1] != lead:
                seen[slot, 0] = mask
                seen[slot, 1] = lead
                if n < len(out):
                    out[n, 0] = mask
                    out[n, 1] = lead
                n += 1
    return n


@dataclass(frozen=True, eq=False)
class _Differing:
    """The different pairs (mask of a team, mask of its competition's first) of a shard."""

    data: Competing
    families: tuple[int, ...]

    def __call__(self, number: int) -> npt.NDArray[np.uint64]:
        shard = self.data.shard(number, self.families)
        masks = np.zeros(int(shard.starts[-1] - shard.starts[0]), np.uint64)
        for f, column in enumerate(shard.columns):
            _mark(column, np.uint64(1 << f), masks)
        starts, room = np.asarray(shard.starts), 1 << 12
        while True:
            out = np.zeros((room, 2), np.uint64)
            n = _differences(starts, masks, np.zeros((_SLOTS, 2), np.uint64), out)
            if n <= room:
                return np.unique(out[:n], axis=0)
            room = n


def free_directions(data: Competing, families: Sequence[int], places: Places) -> Vector:
    """[families, k]: an orthonormal basis of the moves of log γ, one number to each of these
    families, that change no prediction. None (k = 0) where there are more than 64 families.
    """
    if not families or len(families) > MOST_FAMILIES:
        return np.zeros((len(families), 0))

    found = places.map(_Differing(data, tuple(families)), len(data))
    pairs = np.unique(np.concatenate(list(found)), axis=0)
    bits = np.arange(len(families), dtype=np.uint64)
    present = (pairs[:, :, None] >> bits & np.uint64(1)).astype(np.float64)  # [pair, 2, family]
    rows = np.unique(present[:, 0] - present[:, 1], axis=0)
    if len(rows) == 0:
        return np.eye(len(families))
    # Thousands of rows, few families: the triangle of a QR has the same null space.
    _, values, vectors = np.linalg.svd(np.linalg.qr(rows, mode="r"), full_matrices=True)
    rank = int((values > 1e-9 * values[0]).sum())
    basis: Vector = vectors[rank:].T
    return basis


def best_scale(
    theta: Vector, directions: Vector, families: Sequence[int], levels: Sequence[int], prior: Prior
) -> Vector:
    """What to add to θ = log γ so that the prior is largest along the free directions.

    Newton's method on a concave function of few variables, no step longer than e².
    """
    first = layout(levels)
    shift = np.zeros(len(theta))
    if directions.shape[1] == 0:
        return shift
    family_of = np.full(len(theta), -1)
    for number, f in enumerate(families):
        family_of[first[f] : first[f + 1]] = number
    moved = family_of >= 0
    spread = directions[family_of[moved]]  # [gammas, k]
    own = theta[moved]
    z = np.zeros(directions.shape[1])
    for _ in range(50):
        here = own + spread @ z
        slope = spread.T @ prior_gradient(here, prior)
        bend = spread.T @ (prior_curvature(here, prior)[:, None] * spread)
        step = np.linalg.solve(bend + 1e-12 * np.eye(len(z)) * max(np.trace(bend), 1e-12), slope)
        longest = np.abs(spread @ step).max()
        z += step * min(1.0, 2.0 / max(longest, 1e-300))
        if longest < 1e-10:
            break
    shift[moved] = spread @ z
    gained = log_prior(own + shift[moved], prior) >= log_prior(own, prior)
    return shift if gained else np.zeros(len(theta))
