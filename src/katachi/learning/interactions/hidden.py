"""One layer of hidden units: the score of a position's candidates, and its gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from katachi.go.kernel import at, int64, kernel
from katachi.learning.interactions.factors import add_to_candidate, add_to_position, chances_of
from katachi.learning.interactions.parameters import Parameters, Space


@kernel
def add_hidden(group: Any, j: int, parameters: Parameters, space: Space) -> float:
    """Add the gradient of -log p of one position; returns log p."""
    first = group.starts[at(j)]
    count = group.starts[at(j + 1)] - first
    v, u, w, a = parameters.v, parameters.u, parameters.w, parameters.a
    width = v.shape[1]
    base, back, sums, scores = space.base, space.back, space.sums, space.scores
    for k in range(width):
        base[at(k)] = parameters.b[at(k)]
        back[at(k)] = 0
    for e in range(group.shared_begins[at(j)], group.shared_begins[at(j + 1)]):
        row = int64(group.shared[at(e)])
        for k in range(width):
            base[at(k)] += u[at(row), at(k)]
    for c in range(count):
        score = 0.0
        for k in range(width):
            sums[at(c), at(k)] = base[at(k)]
        for e in range(group.begins[at(first + c)], group.begins[at(first + c + 1)]):
            row = int64(group.rows[at(e)])
            score += w[at(row)]
            for k in range(width):
                sums[at(c), at(k)] += v[at(row), at(k)]
        for k in range(width):
            score += a[at(k)] * max(np.float64(sums[at(c), at(k)]), 0.0)
        scores[at(c)] = score
    played = group.winner[at(j)]
    found = chances_of(scores, group.weights, first, count, played)
    for c in range(count):
        slope = scores[at(c)] - (1.0 if c == played else 0.0)
        for k in range(width):
            on = np.float64(sums[at(c), at(k)])
            space.a[at(k)] += slope * max(on, 0.0)
            sums[at(c), at(k)] = slope * a[at(k)] if on > 0.0 else 0.0
            back[at(k)] += sums[at(c), at(k)]
        add_to_candidate(group, first + c, slope, sums[at(c)], space)
    add_to_position(group, j, space)
    for k in range(width):
        space.b[at(k)] += back[at(k)]
    return found
