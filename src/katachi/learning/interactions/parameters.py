"""What is learnt, and room to learn in. A candidate with the features x in a position with the
features z has the score

- `factors`: s = Σ w_x + ½ (|Σ v_x|² - Σ |v_x|²) + ⟨Σ u_z, Σ v_x⟩, which is the sum of w, of ⟨v, v'⟩
  over all pairs of its features, and of ⟨u, v⟩ over all of its features with one of the position;
- `hidden`: s = Σ w_x + a · relu(Σ v_x + Σ u_z + b), a layer of hidden units;

and the chance W e^s among the candidates, W being how many candidates it stands for.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.learning.interactions.groups import Data

Vector: TypeAlias = npt.NDArray[np.float64]
Table: TypeAlias = npt.NDArray[Any]  # float32; the kernels take float64, too

DEVIATION: Final = 0.05  # of v and u before the first step
BIAS: Final = 0.1  # b before the first step


class Parameters(NamedTuple):
    """What is learnt; of each number also what Adagrad knows, the sum of the squares of its
    gradients, from 1 on. Of `factors` a and b are empty.
    """

    w: Vector  # [row]
    v: Table  # [row, K]
    u: Table  # [row of the positions' features, K]
    a: Vector  # [K]
    b: Vector  # [K]
    w_squares: Vector
    v_squares: Table
    u_squares: Table
    a_squares: Vector
    b_squares: Vector


class Fixed(NamedTuple):
    """What no step changes."""

    linear: Vector  # [row] the linear maximum, around which the prior of w is
    times: npt.NDArray[np.int64]  # [row] how many candidates have the feature
    shared_times: npt.NDArray[np.int64]  # [row of the positions' features] how many positions


class Recipe(NamedTuple):
    """How to step: rates before the first step, which fall to 0; priors as sums of squares, λ/2
    θ², spread over all occurrences of a feature.
    """

    w_rate: float
    rate: float  # of v and u
    layer_rate: float  # of a and b
    w_prior: float
    prior: float  # of v and u
    batch: int  # positions to a step


class Touched(NamedTuple):
    """The gradient of a batch: of the rows that are in it and of no others."""

    slot: npt.NDArray[np.int32]  # [row] where its gradient is, -1: nowhere
    used: npt.NDArray[np.int64]  # [1] slots in use
    rows: npt.NDArray[np.int32]  # [slot] whose it is
    times: npt.NDArray[np.int64]  # [slot] candidates, or positions, of the batch with that feature
    slopes: Vector  # [slot] of w
    gradient: Table  # [slot, K] of v or u


class Space(NamedTuple):
    """Room for a batch."""

    features: Touched
    shared: Touched
    a: Vector  # [K] the gradients of the layer
    b: Vector
    scores: Vector  # [candidate of a position], then chances
    sums: Table  # [candidate of a position, K]
    base: Table  # [K] of the position
    back: Table  # [K] the gradient of that
    numbers: Table  # [4] numbers of the type of the tables


def new_parameters(
    linear: Vector, shared_rows: int, width: int, layer: bool, seed: int
) -> Parameters:
    """Before the first step: w at the linear maximum, the rest at random."""
    rng = np.random.default_rng([seed, 3])
    v = (DEVIATION * rng.standard_normal((len(linear), width))).astype(np.float32)
    u = (DEVIATION * rng.standard_normal((shared_rows, width))).astype(np.float32)
    units = width if layer else 0
    a = 0.5 * rng.standard_normal(units) / np.sqrt(width)
    return Parameters(
        linear.copy(),
        v,
        u,
        a,
        np.full(units, BIAS),
        np.ones(len(linear)),
        np.ones_like(v),
        np.ones_like(u),
        np.ones(units),
        np.ones(units),
    )


def new_space(parameters: Parameters, most: int) -> Space:
    """Room for positions of at most so many candidates."""
    dtype, width = parameters.v.dtype, parameters.v.shape[1]
    return Space(
        _touched(len(parameters.v), width, dtype),
        _touched(len(parameters.u), width, dtype),
        np.zeros(len(parameters.a)),
        np.zeros(len(parameters.b)),
        np.zeros(most),
        np.zeros((most, width), dtype),
        np.zeros(width, dtype),
        np.zeros(width, dtype),
        np.zeros(4, dtype),
    )


def _touched(rows: int, width: int, dtype: np.dtype[Any]) -> Touched:
    # What is not touched is not taken from the machine's memory either.
    return Touched(
        np.full(rows, -1, np.int32),
        np.zeros(1, np.int64),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int64),
        np.zeros(rows),
        np.zeros((rows, width), dtype),
    )


def most_candidates(data: Data) -> int:
    """How many candidates a position has at most."""
    shards = (data.candidates.shard(n, ()).starts for n in range(len(data.candidates)))
    return max((int(np.diff(starts).max()) for starts in shards if len(starts) > 1), default=1)
