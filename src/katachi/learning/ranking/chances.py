"""The predictive distribution: how likely each team has the highest score (Stern 2005, section 3).

For independent scores, team i N(m_i, v_i), it is the integral

    P(i) = ∫ N(x; m_i, v_i) Π_{j ≠ i} Φ((x - m_j) / √v_j) dx

which we take by the trapezoid rule: for functions as smooth as this one it is exact to many digits
once its steps are shorter than the narrowest score.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, int64, kernel
from katachi.learning.ranking.gaussian import log_cdf
from katachi.learning.ranking.positions import SLOTS, team_slot

_LOW: Final = 6.0  # deviations: a team is below its mean by more with a chance of 1e-9 only
_HIGH: Final = 7.0
_STEP: Final = 0.3  # of the smallest deviation: the highest of 250 scores varies as little
_MOST: Final = 1000  # steps
_LEAST: Final = 1e-30  # no chance is smaller: its logarithm is asked for
_FAR: Final = 8.0  # deviations above the mean where Φ is 1
_ROOT_TWO_PI: Final = math.sqrt(2.0 * math.pi)


@kernel
def chances(m: Any, v: Any, n: int, out: Any) -> None:
    """Write P(i) of the n teams into out; their sum is 1."""
    low = -1e300
    high = -1e300
    least = 1e300
    for i in range(n):
        s = math.sqrt(v[i])
        low = max(low, m[i] - _LOW * s)
        high = max(high, m[i] + _HIGH * s)
        least = min(least, s)
        out[i] = 0.0
    steps = min(max(int64((high - low) / (_STEP * least)) + 1, 32), _MOST)
    step = (high - low) / steps
    logs = np.zeros(n)
    for j in range(steps + 1):
        x = low + step * j
        total = 0.0
        for i in range(n):
            t = (x - m[at(i)]) / math.sqrt(v[at(i)])
            logs[at(i)] = 0.0 if t > _FAR else log_cdf(t)
            total += logs[at(i)]
        for i in range(n):
            s = math.sqrt(v[at(i)])
            t = (x - m[at(i)]) / s
            if t < _FAR:
                density = math.exp(-0.5 * t * t + total - logs[at(i)])
                out[at(i)] += density / (s * _ROOT_TWO_PI)
    total = 0.0
    for i in range(n):
        out[i] = max(out[i] * step, _LEAST)
        total += out[i]
    for i in range(n):
        out[i] /= total


@kernel
def _merge_and_weigh(starts: Any, members: Any, m: Any, v: Any, out: Any) -> None:
    most = 0
    for i in range(len(starts) - 1):
        most = max(most, int64(starts[i + 1] - starts[i]))
    slots = np.zeros(SLOTS, np.int64)
    kept = np.zeros(most, np.int64)
    team = np.zeros(most, np.int64)
    times = np.zeros(most, np.int64)
    one_m, one_v, one_p = np.zeros(most), np.zeros(most), np.zeros(most)
    for i in range(len(starts) - 1):
        first = int64(starts[i])
        n = int64(starts[i + 1]) - first
        count = 0
        for j in range(n):
            slot = team_slot(members, first + j, slots, i + 1, 0, kept)
            if slots[slot] >> 32 != i + 1:
                slots[slot] = (i + 1) << 32 | count
                kept[count] = first + j
                times[count] = 0
                one_m[count] = m[first + j]
                one_v[count] = v[first + j]
                count += 1
            team[j] = slots[slot] & 0xFFFFFFFF
            times[team[j]] += 1
        chances(one_m, one_v, count, one_p)
        for j in range(n):
            out[first + j] = one_p[team[j]] / times[team[j]]


def move_chances(
    starts: npt.NDArray[np.int64],
    members: npt.NDArray[np.int32],
    m: npt.NDArray[np.float64],
    v: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """[candidate] how likely it is played, where team m and v are mean and variance of its score.

    Candidates that are the same team (equal rows of `members`) have one score between them, and
    equal shares of its chance.
    """
    out = np.zeros(len(m))
    _merge_and_weigh(starts, members, m, v, out)
    return out
