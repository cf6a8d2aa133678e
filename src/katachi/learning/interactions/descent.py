"""Steps of Adagrad (Duchi, Hazan and Singer 2011), a batch of positions to a step.

The gradient of a batch is a sum over its positions. The prior of a feature is spread over its
occurrences: each batch has as much of it as of these, so that a pass over all positions has it
once, and rows that are not in a batch need not be looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from katachi.go.kernel import at, int64, kernel
from katachi.learning.interactions.factors import add_factors
from katachi.learning.interactions.hidden import add_hidden
from katachi.learning.interactions.parameters import Fixed, Parameters, Recipe, Space


@kernel
def norms_of(table: Any, norms: Any) -> None:
    """Write |v|² of each row."""
    for row in range(len(table)):
        norms[at(row)] = _norm(table, row)


@kernel
def _norm(table: Any, row: int) -> float:
    total = 0.0
    for k in range(table.shape[1]):
        total += np.float64(table[at(row), at(k)]) * table[at(row), at(k)]
    return total


@kernel
def _step_rows(table: Any, squares: Any, touched: Any, row: int, slot: int, numbers: Any) -> None:
    """One step of a row. numbers: its rate, and what its values are multiplied by to be added to
    the gradient.
    """
    rate, pull = numbers[0], numbers[1]
    for k in range(table.shape[1]):
        value = table[at(row), at(k)]
        slope = touched.gradient[at(slot), at(k)] + pull * value
        square = squares[at(row), at(k)] + slope * slope
        squares[at(row), at(k)] = square
        table[at(row), at(k)] = value - rate * slope / np.sqrt(square)


@kernel
def step(
    parameters: Parameters, fixed: Fixed, norms: Any, space: Space, recipe: Recipe, left: float
) -> None:
    """Go against the gradient of a batch, and forget it. `left`: the share of the rates that is
    left. `norms`: [row] |v|², kept right; empty where there is a layer.
    """
    layer = len(parameters.a) > 0
    touched, numbers = space.features, space.numbers
    numbers[0] = recipe.rate * left
    for slot in range(touched.used[0]):
        row = int64(touched.rows[at(slot)])
        share = touched.times[at(slot)] / fixed.times[at(row)]
        slope = touched.slopes[at(slot)]
        numbers[1] = recipe.prior * share - (0.0 if layer else slope)
        slope += recipe.w_prior * (parameters.w[at(row)] - fixed.linear[at(row)]) * share
        parameters.w_squares[at(row)] += slope * slope
        parameters.w[at(row)] -= (
            recipe.w_rate * left * slope / np.sqrt(parameters.w_squares[at(row)])
        )
        _step_rows(parameters.v, parameters.v_squares, touched, row, slot, numbers)
        if not layer:
            norms[at(row)] = _norm(parameters.v, row)
        touched.slot[at(row)] = -1
    touched.used[0] = 0
    touched = space.shared
    for slot in range(touched.used[0]):
        row = int64(touched.rows[at(slot)])
        numbers[1] = recipe.prior * touched.times[at(slot)] / fixed.shared_times[at(row)]
        _step_rows(parameters.u, parameters.u_squares, touched, row, slot, numbers)
        touched.slot[at(row)] = -1
    touched.used[0] = 0
    for k in range(len(parameters.a)):
        slope = space.a[at(k)]
        parameters.a_squares[at(k)] += slope * slope
        parameters.a[at(k)] -= (
            recipe.layer_rate * left * slope / np.sqrt(parameters.a_squares[at(k)])
        )
        slope = space.b[at(k)]
        parameters.b_squares[at(k)] += slope * slope
        parameters.b[at(k)] -= (
            recipe.layer_rate * left * slope / np.sqrt(parameters.b_squares[at(k)])
        )
        space.a[at(k)] = 0.0
        space.b[at(k)] = 0.0


@kernel
def descend(
    group: Any,
    order: Any,
    parameters: Parameters,
    fixed: Fixed,
    norms: Any,
    space: Space,
    recipe: Recipe,
    when: Any,
) -> float:
    """Visit these positions of a group, in this order; returns the sum of log p, each before the
    step of its batch. `when`: (positions visited before, positions visited in all): the rates fall
    to 0 along these.
    """
    total = 0.0
    for begin in range(0, len(order), recipe.batch):
        end = min(begin + recipe.batch, len(order))
        for n in range(begin, end):
            j = int64(order[at(n)])
            if len(parameters.a) > 0:
                total += add_hidden(group, j, parameters, space)
            else:
                total += add_factors(group, j, parameters, norms, space)
        step(parameters, fixed, norms, space, recipe, 1.0 - (when[0] + begin) / when[1])
    return total
