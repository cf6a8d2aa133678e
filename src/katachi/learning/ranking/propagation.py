"""Expectation propagation: who won, by Gaussian scores (Stern 2005, section 3; Minka 2001).

The latent scores x of the teams are independent, team i N(m_i, v_i). The winner's is the highest:
x_w - x_i > 0 for every other i. Each of these truncations is replaced by a Gaussian factor
exp(-τ_i z² / 2 + ν_i z) of z = x_w - x_i, fitted in turn against all others until they settle. The
graph is a star with the winner in its middle: all that others say to one truncation goes through
x_w, so a sweep over n of them costs O(n).
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from katachi.go.kernel import at, int64, kernel
from katachi.learning.ranking.gaussian import CERTAIN, log_cdf, truncate

SWEEPS: Final = 30  # at most
TOLERANCE: Final = 1e-3  # of the winner's mean, in its deviations, and of its precision
_DOWN, _UP = 8.0, 16.0  # deviations of the winner's score over which we integrate: it is cut below,
_MOST_STEPS: Final = 1000  # in steps of a quarter of the narrowest thing, or so many


@kernel
def propagate(
    m: Any, v: Any, n: int, w: int, tau: Any, nu: Any, sweeps: int, tolerance: float
) -> tuple[float, float, int]:
    """Fit the factors (tau, nu: float64[n]) of the victory of team w over the n - 1 others.

    Returns (precision, precision · mean) of the winner's score afterwards, and the sweeps made.
    """
    for i in range(n):
        tau[i] = 0.0
        nu[i] = 0.0
    own, own_mean = 1.0 / v[w], m[w] / v[w]
    precision, shift = own, own_mean
    done = 0
    while done < sweeps:
        done += 1
        before, mean_before = precision, shift / precision
        for i in range(n):
            if i == w:
                continue
            damp = 1.0 + tau[at(i)] * v[at(i)]
            cavity = precision - tau[at(i)] / damp
            cavity_shift = shift - (nu[at(i)] + tau[at(i)] * m[at(i)]) / damp
            # z = x_w - x_i by all that the others say
            mean = cavity_shift / cavity - m[at(i)]
            variance = 1.0 / cavity + v[at(i)]
            deviation = math.sqrt(variance)
            a = mean / deviation
            if a >= CERTAIN:
                t, u = 0.0, 0.0
            else:
                lost, left, moved = truncate(a)
                t = lost / (variance * left)
                u = moved / (deviation * left)
            tau[at(i)] = t
            nu[at(i)] = u
            damp = 1.0 + t * v[at(i)]
            precision = cavity + t / damp
            shift = cavity_shift + (u + t * m[at(i)]) / damp
        # Sums made anew: what was added and taken away again leaves its rounding behind.
        precision, shift = own, own_mean
        for i in range(n):
            if i != w:
                damp = 1.0 + tau[at(i)] * v[at(i)]
                precision += tau[at(i)] / damp
                shift += (nu[at(i)] + tau[at(i)] * m[at(i)]) / damp
        moved_by = abs(shift / precision - mean_before) * math.sqrt(precision)
        if moved_by < tolerance and abs(precision - before) < tolerance * precision:
            break
    return precision, shift, done


@kernel
def log_evidence(m: Any, v: Any, n: int, w: int, precision: float, shift: float) -> float:
    """log P(team w wins), from what `propagate` has found about the winner's score.

    That is log ∫ N(x; m_w, v_w) Π_i Φ((x - m_i) / √v_i) dx. Propagation's own estimate is some
    percent off where beliefs are broad; but it says where the integral is, and there the trapezoid
    rule has it to six digits.
    """
    spread = 1.0 / math.sqrt(precision)
    low = shift / precision - _DOWN * spread
    finest = spread
    for i in range(n):
        finest = min(finest, 2.0 * math.sqrt(v[i]))
    steps = min(int64(4.0 * (_DOWN + _UP) * spread / finest), _MOST_STEPS)
    step = (_DOWN + _UP) * spread / steps
    logs = np.zeros(steps + 1)
    for k in range(steps + 1):
        x = low + step * k
        own = x - m[w]
        value = -0.5 * own * own / v[w]
        for i in range(n):
            if i != w:
                value += log_cdf((x - m[i]) / math.sqrt(v[i]))
        logs[k] = value
    top = logs.max()
    total = 0.0
    for k in range(steps + 1):
        total += math.exp(logs[k] - top)
    return float(top + math.log(step * total) - 0.5 * math.log(2.0 * math.pi * v[w]))
