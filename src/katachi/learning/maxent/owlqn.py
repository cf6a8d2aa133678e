"""OWL-QN: the least f(x) + Σ c_i |x_i|, f smooth and convex (Andrew and Gao 2007).

Within an orthant, where no x_i changes its sign, the sum is linear: so each step stays in one,
chosen by the signs of x and, where x_i is 0, by the steepest descent; what would leave it becomes
0. The gradients that L-BFGS remembers are those of f alone.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.learning.journal import Ring
from katachi.progress import Progress, silent

Vector: TypeAlias = npt.NDArray[np.float64]

MEMORY: Final = 10  # steps that are remembered
LATELY: Final = 5  # iterations over which the gain is told
KEPT: Final = MEMORY + 2  # states that tell as many steps, while one more is written
_HALVINGS: Final = 40  # of a step, before it is given up
_SHARE: Final = 1e-4  # of what the slope promises: what a step must gain
_LEAST: Final = 1e-200  # a product or a gain below tells of rounding, not of curvature

_Step: TypeAlias = tuple[Vector, Vector, float]  # step, change of gradient, their product


class Minimum(NamedTuple):
    """Where the least value was found; `converged` unless iterations ran out."""

    x: Vector
    values: list[float]  # at the start and after each iteration
    converged: bool


def minimize(
    function: Callable[[Vector], tuple[float, Vector]],
    start: Vector,
    cost: Vector,
    *,
    tolerance: float,
    max_iterations: int = 1000,
    progress: Progress = silent,
    kept: Ring | None = None,
) -> Minimum:
    """Descend from `start` until LATELY iterations together gain less than `tolerance` times the
    value, or no step gains anything.

    `function` gives f and its gradient; `cost` holds the c_i, which must not be negative: with all
    of them 0 this is L-BFGS. The value never increases. `kept`: a ring of KEPT states, from which a
    descent of the same function that was ended amid its work goes on to the same end.
    """
    ring = kept or Ring(None, KEPT)
    known = _recalled(ring, start)
    if known is None:
        x = start.copy()
        smooth, gradient = function(x)
        values = [smooth + float(cost @ np.abs(x))]
        steps: list[_Step] = []
        ring.note(0, {"x": x, "gradient": gradient, "values": values, "start": start})
    else:
        x, gradient, values, steps = known
        progress("fitting", len(values) - 1, 0)
        if _settled(values, tolerance):
            return Minimum(x, values, True)
    for iteration in range(len(values), max_iterations + 1):
        slope = pseudo_gradient(x, gradient, cost)
        direction = _direction(slope, steps)
        direction[direction * slope >= 0] = 0.0
        orthant = np.where(x != 0, np.sign(x), -np.sign(slope))
        # Without curvature known, a first step of length 1
        rate = 1.0 if steps else 1.0 / max(float(np.linalg.norm(direction)), 1e-300)
        for _ in range(_HALVINGS):
            there = x + rate * direction
            there[there * orthant < 0] = 0.0
            smooth, steeper = function(there)
            found = smooth + float(cost @ np.abs(there))
            if found <= values[-1] + _SHARE * float(slope @ (there - x)):
                break
            rate /= 2
        else:
            return Minimum(x, values, True)
        steps = _remembered(steps, there - x, steeper - gradient)
        x, gradient = there, steeper
        values.append(found)
        ring.note(iteration, {"x": x, "gradient": gradient, "values": values, "start": start})
        progress("fitting", iteration, 0)
        if _settled(values, tolerance):
            return Minimum(x, values, True)
    return Minimum(x, values, False)


def _settled(values: list[float], tolerance: float) -> bool:
    gain = values[max(0, len(values) - 1 - LATELY)] - values[-1]
    return len(values) > LATELY and gain <= max(tolerance * abs(values[-1]), _LEAST)


def _remembered(steps: list[_Step], step: Vector, change: Vector) -> list[_Step]:
    """The steps to remember after this one, unless it tells nothing of the curvature."""
    product, square = float(step @ change), float(change @ change)
    if min(product, square) > _LEAST and product > 1e-12 * square:
        return [*steps[-MEMORY + 1 :], (step, change, product)]
    return steps


def _recalled(ring: Ring, start: Vector) -> tuple[Vector, Vector, list[float], list[_Step]] | None:
    """(x, gradient, values, steps) of a descent from the same start, if it is known to its end."""
    states = ring.recall()
    try:
        if not states or any(not np.array_equal(state["start"], start) for state in states):
            return None
        steps: list[_Step] = []
        for one, two in pairwise(states):
            steps = _remembered(steps, two["x"] - one["x"], two["gradient"] - one["gradient"])
        # Where a step told nothing, the ring may have lost one that is remembered.
        if int(states[0]["number"]) > 0 and len(steps) < MEMORY:
            return None
        last = states[-1]
        return last["x"], last["gradient"], last["values"].tolist(), steps
    except (KeyError, ValueError):
        return None


def pseudo_gradient(x: Vector, gradient: Vector, cost: Vector) -> Vector:
    """The gradient of the whole; where x_i is 0, its one-sided slope nearest to 0, which is 0 if
    neither side goes down.
    """
    at_zero = np.sign(gradient) * np.maximum(np.abs(gradient) - cost, 0.0)
    return np.where(x != 0, gradient + cost * np.sign(x), at_zero)


def _direction(slope: Vector, steps: list[tuple[Vector, Vector, float]]) -> Vector:
    """-H slope, H the inverse curvature that the steps tell (the two loops of L-BFGS)."""
    direction = -slope
    shares = []
    for step, change, product in reversed(steps):
        share = float(step @ direction) / product
        direction -= share * change
        shares.append(share)
    if steps:
        _, change, product = steps[-1]
        direction *= product / float(change @ change)
    for (step, change, product), share in zip(steps, reversed(shares), strict=True):
        direction += (share - float(change @ direction) / product) * step
    return direction
