"""Pairs of features by factors (Rendle 2010; for moves of Go Wistuba and Schmidt-Thieme 2013, Xiao
and Müller 2016): the score of a position's candidates, and its gradient.

⟨v, v'⟩ over all pairs is ½ (|S|² - Σ |v|²) with S = Σ v, so that pairs cost no more than features.
The gradient for v is (S + P - v) times that of the score, P being the sum of the position's u: the
last term is -v times the gradient for w, and is put in when the step is made.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from katachi.go.kernel import at, inlined, int64, kernel
from katachi.learning.interactions.parameters import Parameters, Space, Touched


@inlined
def slot_of(touched: Touched, row: int) -> int:
    """Where the gradient of a row is; zeros at first."""
    slot = int64(touched.slot[at(row)])
    if slot < 0:
        slot = touched.used[0]
        touched.used[0] = slot + 1
        touched.slot[at(row)] = slot
        touched.rows[at(slot)] = row
        touched.times[at(slot)] = 0
        touched.slopes[at(slot)] = 0.0
        for k in range(touched.gradient.shape[1]):
            touched.gradient[at(slot), at(k)] = 0
    return slot


@inlined
def chances_of(scores: Any, weights: Any, first: int, count: int, played: int) -> float:
    """Turn scores into chances, each candidate counted by its weight; returns the logarithm of
    that of the move played.
    """
    top = scores[0]
    for c in range(1, count):
        top = max(top, scores[at(c)])
    own = scores[at(played)] - top + np.log(weights[at(first + played)])
    total = 0.0
    for c in range(count):
        chance = weights[at(first + c)] * np.exp(scores[at(c)] - top)
        scores[at(c)] = chance
        total += chance
    for c in range(count):
        scores[at(c)] /= total
    return float(own - np.log(total))


@inlined
def add_to_candidate(group: Any, c: int, slope: float, gradient: Any, space: Space) -> None:
    """Add to the gradients of a candidate's features: `slope` to that of each weight, `gradient`
    to that of each embedding.
    """
    touched = space.features
    for e in range(group.begins[at(c)], group.begins[at(c + 1)]):
        slot = slot_of(touched, int64(group.rows[at(e)]))
        touched.times[at(slot)] += 1
        touched.slopes[at(slot)] += slope
        for k in range(len(gradient)):
            touched.gradient[at(slot), at(k)] += gradient[at(k)]


@inlined
def add_to_position(group: Any, j: int, space: Space) -> None:
    """Add `space.back` to the gradients of the embeddings of a position's features."""
    touched, back = space.shared, space.back
    for e in range(group.shared_begins[at(j)], group.shared_begins[at(j + 1)]):
        slot = slot_of(touched, int64(group.shared[at(e)]))
        touched.times[at(slot)] += 1
        for k in range(len(back)):
            touched.gradient[at(slot), at(k)] += back[at(k)]


@kernel
def add_factors(group: Any, j: int, parameters: Parameters, norms: Any, space: Space) -> float:
    """Add the gradient of -log p of one position; returns log p. `norms`: [row] |v|².

    That of v lacks -v times the gradient of w.
    """
    first = group.starts[at(j)]
    count = group.starts[at(j + 1)] - first
    v, u, w = parameters.v, parameters.u, parameters.w
    width = v.shape[1]
    base, back, sums, scores = space.base, space.back, space.sums, space.scores
    for k in range(width):
        base[at(k)] = 0
        back[at(k)] = 0
    for e in range(group.shared_begins[at(j)], group.shared_begins[at(j + 1)]):
        row = int64(group.shared[at(e)])
        for k in range(width):
            base[at(k)] += u[at(row), at(k)]
    for c in range(count):
        score = 0.0
        for k in range(width):
            sums[at(c), at(k)] = 0
        for e in range(group.begins[at(first + c)], group.begins[at(first + c + 1)]):
            row = int64(group.rows[at(e)])
            score += w[at(row)] - 0.5 * norms[at(row)]
            for k in range(width):
                sums[at(c), at(k)] += v[at(row), at(k)]
        for k in range(width):
            one = np.float64(sums[at(c), at(k)])
            score += one * (0.5 * one + base[at(k)])
        scores[at(c)] = score
    played = group.winner[at(j)]
    found = chances_of(scores, group.weights, first, count, played)
    for c in range(count):
        slope = scores[at(c)] - (1.0 if c == played else 0.0)
        space.numbers[0] = slope
        short = space.numbers[0]
        for k in range(width):
            back[at(k)] += short * sums[at(c), at(k)]
            sums[at(c), at(k)] = short * (sums[at(c), at(k)] + base[at(k)])
        add_to_candidate(group, first + c, slope, sums[at(c)], space)
    add_to_position(group, j, space)
    return found
