"""Expectation propagation against numerical integration, and its closed form for two."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from katachi.learning.ranking.chances import chances
from katachi.learning.ranking.filtering import Beliefs, Positions, learn, new_workspace
from katachi.learning.ranking.propagation import log_evidence, propagate
from tests.kept import holds
from tests.learning.ranking.exact import density, exact

Floats = npt.NDArray[np.float64]


def won(m: Floats, v: Floats, w: int, tolerance: float = 1e-9) -> float:
    """The log-evidence of the victory of team w."""
    n = len(m)
    tau, nu = np.zeros(n), np.zeros(n)
    precision, shift, _ = propagate(m, v, n, w, tau, nu, 200, tolerance)
    return float(log_evidence(m, v, n, w, precision, shift))


def learnt(mean: Floats, variance: Floats, beta: float, w: int) -> Beliefs:
    """The beliefs after member w has won against all others, each a team of its own."""
    n = len(mean)
    zeros = np.zeros(n, np.uint32)
    beliefs = Beliefs(mean.copy(), variance.copy(), zeros, zeros.copy())
    members = np.arange(n, dtype=np.int32)[:, None]
    teams = Positions(np.array([0, n]), np.array([w], np.int32), members, np.ones(n, np.int32))
    learn(beliefs, teams, beta, new_workspace(n, 1), sweeps=200, tolerance=1e-9)
    return beliefs


CASES = [
    (n, scale, width, beta)
    for n in (2, 5, 50, 240)
    for scale, width, beta in (
        (1.0, 1.0, 0.5),  # broad beliefs, as at the beginning
        (1.0, 0.02, 1.0),  # sharp ones
        (3.0, 0.3, 0.5),  # far apart
        (0.1, 1.0, 1.0),  # all alike
    )
]


@pytest.mark.parametrize("w", [0, 1, 4])
def test_the_integrals_are_quads(w: int) -> None:
    """What the others are compared with is what scipy's adaptive quadrature says."""
    rng = np.random.default_rng(7)
    m, v = rng.normal(0, 2, 5), rng.uniform(0.3, 2, 5)
    log_z, means, variances = exact(m, v, w)

    def moment(f: Callable[[float], float]) -> float:
        def integrand(x: float) -> float:
            return f(x) * float(np.exp(density(m, v, w, np.array([x]))[0] - log_z))

        return float(quad(integrand, -30, 30, points=[m[w]], limit=400, epsabs=1e-12)[0])

    assert moment(lambda _: 1.0) == pytest.approx(1, abs=1e-9)
    assert moment(lambda x: x) == pytest.approx(means[w], abs=1e-8)
    assert moment(lambda x: (x - means[w]) ** 2) == pytest.approx(variances[w], abs=1e-8)
    # The others' means by the derivative of log Z, their variances by its second one
    for i in {0, 1, 2, 3, 4} - {w}:
        near = []
        for h in (-1e-3, 0.0, 1e-3):
            shifted = m.copy()
            shifted[i] += h
            near.append(exact(shifted, v, w)[0])
        slope, bend = (near[2] - near[0]) / 2e-3, (near[2] - 2 * near[1] + near[0]) / 1e-6
        assert m[i] + v[i] * slope == pytest.approx(means[i], abs=1e-5)
        assert v[i] + v[i] ** 2 * bend == pytest.approx(variances[i], abs=1e-5)


class Said(NamedTuple):
    """What is known before member w wins, and what the kernels say of it."""

    mean: Floats
    variance: Floats
    beta: float
    w: int
    evidence: float
    mean_after: Floats
    variance_after: Floats
    chance: float


def compare(cases: list[Said]) -> None:
    """Means to 1 % of a deviation, evidence to 1 %."""
    for mean, variance, beta, w, evidence, mean_after, variance_after, chance in cases:
        m, v = mean, variance + beta**2
        log_z, means, variances = exact(m, v, w)
        assert evidence == pytest.approx(log_z, abs=0.005)
        # s given x is Gaussian: its mean moves by σ²/v of what x's does.
        share = variance / v
        wanted = mean + share * (means - m)
        assert np.max(np.abs(mean_after - wanted) / np.sqrt(variance)) < 0.01
        spread = variance + share**2 * (variances - v)
        assert np.max(np.abs(variance_after / spread - 1)) < 0.15
        assert np.median(np.abs(variance_after / spread - 1)) < 0.01
        if log_z > -15:
            assert math.log(chance) == pytest.approx(log_z, abs=2e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "scale", "width", "beta"), CASES)
def test_beliefs_and_evidence_against_integration(
    n: int, scale: float, width: float, beta: float
) -> None:
    rng = np.random.default_rng(n)
    mean = rng.normal(0, scale, n)
    variance = (width * rng.uniform(0.3, 1, n)) ** 2
    m, v = mean, variance + beta**2
    cases = []
    for w in sorted({0, int(np.argmax(mean)), int(np.argmin(mean)) if scale < 2 else 1}):
        after = learnt(mean, variance, beta, w)
        found = np.zeros(n)
        chances(m, v, n, found)
        said = won(m, v, w), after.mean, after.variance, float(found[w])
        cases.append(Said(mean, variance, beta, w, *said))
    holds(compare, cases)


@given(
    st.floats(-5, 5), st.floats(-5, 5), st.floats(0.01, 2), st.floats(0.01, 2), st.floats(0.1, 3)
)
def test_two_candidates_have_a_closed_form(
    one: float, two: float, s_one: float, s_two: float, beta: float
) -> None:
    """TrueSkill's update for two players (Herbrich 2007): exact, since there is one truncation."""
    mean, variance = np.array([one, two]), np.array([s_one, s_two]) ** 2
    c = math.sqrt(2 * beta**2 + variance.sum())
    t = (one - two) / c
    v = math.exp(norm.logpdf(t) - norm.logcdf(t))
    w = v * (v + t)
    after = learnt(mean, variance, beta, 0)
    assert after.mean == pytest.approx(mean + np.array([1, -1]) * variance / c * v, abs=1e-6)
    assert after.variance == pytest.approx(variance * (1 - variance / c**2 * w), abs=1e-6)
    assert won(mean, variance + beta**2, 0) == pytest.approx(norm.logcdf(t), abs=1e-6, rel=1e-6)
    found = np.zeros(2)
    chances(mean, variance + beta**2, 2, found)
    assert found[0] == pytest.approx(norm.cdf(t), abs=1e-6)


@given(st.data())
def test_no_input_gives_nonsense(data: st.DataObject) -> None:
    """Sharp, broad, absurdly far apart: variances shrink and stay positive, nothing is NaN."""
    n = data.draw(st.integers(1, 250))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    scale = 10 ** data.draw(st.floats(-4, 3))
    mean = rng.normal(0, scale, n)
    low, high = sorted(data.draw(st.tuples(st.floats(-14, 2), st.floats(-14, 2))))
    variance = 10 ** (low + (high - low) * rng.random(n))  # uniform() refuses 0.0 to -0.0
    beta = 10 ** data.draw(st.floats(-3, 2))
    w = data.draw(st.integers(0, n - 1))
    after = learnt(mean, variance, beta, w)
    assert np.all(np.isfinite(after.mean))
    assert np.all((after.variance > 0) & (after.variance <= variance))
    assert math.isfinite(won(mean, variance + beta**2, w))
    assert won(mean, variance + beta**2, w) <= 1e-3
    found = np.zeros(n)
    chances(mean, variance + beta**2, n, found)
    assert np.all(found > 0)
    assert found.sum() == pytest.approx(1, abs=1e-9)


def test_the_chances_are_those_of_the_highest_draw() -> None:
    rng = np.random.default_rng(5)
    m, v = rng.normal(0, 1, 30), rng.uniform(0.2, 2, 30)
    found = np.zeros(30)
    chances(m, v, 30, found)
    drawn = rng.normal(m, np.sqrt(v), (200_000, 30)).argmax(axis=1)
    shares = np.bincount(drawn, minlength=30) / len(drawn)
    assert np.max(np.abs(shares - found) / np.sqrt(found / len(drawn))) < 4.5
