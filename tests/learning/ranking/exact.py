"""The exact posterior of independent Gaussian scores, of which one was the highest: by quadrature.

    Z = ∫ N(x; m_w, v_w) Π_{i ≠ w} Φ((x - m_i) / s_i) dx

The mean of any team's score afterwards is m_i + v_i ∂ log Z / ∂ m_i, which is another integral.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr

Floats = npt.NDArray[np.float64]

POINTS = 4001


def log_normal(t: Floats) -> Floats:
    """The log of the density of the standard normal."""
    found: Floats = -0.5 * t * t - 0.5 * np.log(2 * np.pi)
    return found


def density(m: Floats, v: Floats, w: int, x: Floats) -> Floats:
    """The log of the integrand of Z at every x."""
    s = np.sqrt(v)
    logs: Floats = log_normal((x - m[w]) / s[w]) - np.log(s[w])
    for i in range(len(m)):
        if i != w:
            logs = logs + log_ndtr((x - m[i]) / s[i])
    found: Floats = logs
    return found


def exact(m: Floats, v: Floats, w: int) -> tuple[float, Floats, Floats]:
    """(log Z, means, variances) of the scores, given that team w has the highest.

    By the trapezoid rule: of a smooth function that is as good as 0 at both ends it is exact to
    the last digits (`test_the_integrals_are_quads` compares).
    """
    s = np.sqrt(v)
    # The log of the density is concave: find how wide it is.
    grid = np.linspace(m.min() - 12 * s.max(), m.max() + 12 * s.max(), 20001)
    logs = density(m, v, w, grid)
    inside = grid[logs > logs.max() - 60]
    step = grid[1] - grid[0]
    x = np.linspace(inside[0] - step, inside[-1] + step, POINTS)
    logs = density(m, v, w, x)
    top = logs.max()
    weight = np.exp(logs - top)
    total = weight.sum()
    weight /= total
    means, variances = np.empty(len(m)), np.empty(len(m))
    for i in range(len(m)):
        if i == w:
            inner, spread = x, np.zeros(POINTS)
        else:
            # Given x_w = x, x_i is truncated above at x: mean m - s·r, variance v (1 - t·r - r²),
            # with t = (x - m) / s and r = φ(t) / Φ(t).
            t = (x - m[i]) / s[i]
            r = np.exp(log_normal(t) - log_ndtr(t))
            inner, spread = m[i] - s[i] * r, v[i] * (1 - t * r - r * r)
        means[i] = (weight * inner).sum()
        variances[i] = (weight * (spread + (inner - means[i]) ** 2)).sum()
    return float(np.log(total * (x[1] - x[0])) + top), means, variances
