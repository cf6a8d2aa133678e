from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import erfcx, log_ndtr

from katachi.go.kernel import kernel
from katachi.learning.ranking.gaussian import CERTAIN, log_cdf, truncate


@kernel
def _log_cdf(a: float) -> float:
    return float(log_cdf(a))


@kernel
def _truncate(a: float) -> tuple[float, float, float]:
    return truncate(a)


@given(st.floats(-1e6, 1e6))
def test_log_cdf_against_scipy(a: float) -> None:
    assert _log_cdf(a) == pytest.approx(float(log_ndtr(a)), rel=1e-12, abs=1e-300)


@given(st.floats(-60, CERTAIN - 1e-9))
def test_truncation_against_scipy(a: float) -> None:
    v = math.sqrt(2 / math.pi) / float(erfcx(-a / math.sqrt(2)))
    w, rest, gain = _truncate(a)
    assert w == pytest.approx(v * (v + a), rel=1e-8, abs=1e-10)
    # What scipy says of the differences has lost a² times its last digit.
    assert rest == pytest.approx(1 - v * (v + a), rel=1e-8, abs=1e-14 * (1 + a * a))
    assert gain == pytest.approx(v + a * v * (v + a), rel=1e-7, abs=1e-13 * (1 + abs(a) ** 3))


@given(st.floats(-1e8, -30))
def test_far_below_zero_against_the_series(a: float) -> None:
    """Var = 1/t² - 6/t⁴ + 50/t⁶ …, mean · precision gains 2/t - 10/t³ + 74/t⁵ - t·(that)."""
    t = -a
    _, rest, gain = _truncate(a)
    variance = 1 / t**2 - 6 / t**4 + 50 / t**6 - 518 / t**8
    assert rest == pytest.approx(variance, rel=1e-7)
    mean = 1 / t - 2 / t**3 + 10 / t**5 - 74 / t**7  # of the truncated variable itself
    assert gain == pytest.approx(mean + t * variance, rel=1e-7)
    assert rest > 0
    assert gain > 0


def test_no_step_where_the_formulas_meet() -> None:
    below, above = _truncate(-5.0 - 1e-12), _truncate(-5.0 + 1e-12)
    assert np.allclose(below, above, rtol=1e-8)
    assert _log_cdf(-5.0 - 1e-12) == pytest.approx(_log_cdf(-5.0 + 1e-12), rel=1e-10)
