"""The exact posterior of independent Gaussian scores, of which one was the highest: by quadrature.

    Z = ∫ N(x; m_w, v_w) Π_{i ≠ w} Φ((x - m_i) / s_i) dx

The mean of any team's score afterwards is m_i + v_i ∂ log Z / ∂ m_i, which is another integral.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.integrate import quad
from scipy.stats import norm

Floats = npt.NDArray[np.float64]


def exact(m: Floats, v: Floats, w: int, most: int = 20) -> tuple[float, Floats, Floats]:
    """(log Z, means, variances) of the scores, given that team w has the highest; NaN but for the
    winner and `most` of the others, the strongest and some more: each takes its time.
    """
    s = np.sqrt(v)
    others = np.array([i for i in range(len(m)) if i != w])

    def log_density(x: float) -> float:
        value = norm.logpdf(x, m[w], s[w]) + norm.logcdf((x - m[others]) / s[others]).sum()
        return float(value)

    # The log of the density is concave: find its top, then how wide it is.
    grid = np.linspace(m.min() - 12 * s.max(), m.max() + 12 * s.max(), 20001)
    logs = norm.logpdf(grid, m[w], s[w])
    for i in others:
        logs = logs + norm.logcdf((grid - m[i]) / s[i])
    top = logs.max()
    inside = grid[logs > top - 60]
    low, high = inside[0] - (grid[1] - grid[0]), inside[-1] + (grid[1] - grid[0])

    def moment(f: object) -> float:
        assert callable(f)
        peak = grid[int(logs.argmax())]
        value, _ = quad(lambda x: f(x) * np.exp(log_density(x) - top), low, high,
                        points=[peak], limit=400, epsabs=0, epsrel=1e-11)  # fmt: skip
        return float(value)

    z = moment(lambda _x: 1.0)
    mean = moment(lambda x: x) / z
    means, variances = np.full(len(m), np.nan), np.full(len(m), np.nan)
    means[w] = mean
    variances[w] = moment(lambda x: (x - mean) ** 2) / z
    strongest = others[np.argsort(-m[others])]
    for i in {*strongest[: most // 2], *strongest[:: max(1, 2 * len(others) // most)]}:
        # Given x_w = x, x_i is truncated above at x: mean m - s·r, variance v (1 - t·r - r²),
        # with t = (x - m) / s and r = φ(t) / Φ(t).
        def ratio(x: float, i: int = int(i)) -> tuple[float, float]:
            t = (x - m[i]) / s[i]
            return t, float(np.exp(norm.logpdf(t) - norm.logcdf(t)))

        means[i] = m[i] - s[i] * moment(lambda x: ratio(x)[1]) / z

        def second(x: float, i: int = int(i)) -> float:
            t, r = ratio(x)
            inner = m[i] - s[i] * r
            return v[i] * (1 - t * r - r * r) + (inner - means[i]) ** 2  # type: ignore[no-any-return]

        variances[i] = moment(second) / z
    return float(np.log(z) + top), means, variances
