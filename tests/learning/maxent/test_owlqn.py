from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize as scipy_minimize

from katachi.learning.maxent.owlqn import minimize, pseudo_gradient

Vector = npt.NDArray[np.float64]


@given(
    st.lists(
        st.tuples(st.floats(-5, 5), st.floats(0, 4), st.floats(0.1, 10)), min_size=1, max_size=8
    )
)
@example([(3.0, 0.71875, 0.328125), (4.0, 1.0, 3.0), (1.8500169470550487e-144, 0.0, 1.0)])
@example([(1.0, 0.0, 4.0), (9.080819396536328e-107, 0.0, 0.125)])
@example([(3.0, 0.0, 0.1), (1e-160, 0.0, 10.0), (-1e-155, 1e-156, 0.1)])
def test_each_apart(rows: list[tuple[float, float, float]]) -> None:
    """½ k (x - a)² + c |x| is least where a is moved towards 0 by c / k."""
    a, cost, k = map(np.array, zip(*rows, strict=True))
    found = minimize(
        lambda x: (float(k @ (x - a) ** 2) / 2, k * (x - a)), np.zeros(len(a)), cost, tolerance=0.0
    )
    wanted = np.sign(a) * np.maximum(np.abs(a) - cost / k, 0)
    assert found.converged
    assert found.x == pytest.approx(wanted, abs=1e-5)
    assert np.all((found.x == 0) | (wanted != 0))


@pytest.mark.slow
@settings(max_examples=10)
@given(st.integers(0, 10**6), st.integers(2, 8), st.floats(0, 3))
def test_against_scipy_on_split_variables(seed: int, n: int, width: float) -> None:
    """x = p - m with p, m ≥ 0 has the linear cost p + m: L-BFGS-B solves that."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, n))
    matrix, b = root @ root.T + 0.1 * np.eye(n), 3 * rng.normal(size=n)
    cost = width * rng.random(n)

    def function(x: Vector) -> tuple[float, Vector]:
        return float(x @ matrix @ x / 2 - b @ x), matrix @ x - b

    def split(both: Vector) -> tuple[float, Vector]:
        value, gradient = function(both[:n] - both[n:])
        return value + float(cost @ (both[:n] + both[n:])), np.concatenate(
            [gradient + cost, cost - gradient]
        )

    told: list[tuple[str, int, int]] = []
    found = minimize(
        function,
        rng.normal(size=n),
        cost,
        tolerance=1e-15,
        max_iterations=5000,
        progress=lambda *news: told.append(news),
    )
    other = scipy_minimize(
        split,
        np.zeros(2 * n),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * (2 * n),
        options={"maxiter": 10000, "ftol": 1e-15, "gtol": 1e-10},
    )
    # It may stop early where p and m are both large, never lower than the least
    assert found.values[-1] <= other.fun + 1e-6 * max(abs(other.fun), 1.0)
    slope = pseudo_gradient(found.x, function(found.x)[1], cost)
    assert np.abs(slope).max() < 1e-3
    assert all(b <= a + 1e-12 * abs(a) for a, b in itertools.pairwise(found.values))
    assert told == [("fitting", i, 0) for i in range(1, len(found.values))]


def test_the_slope_at_zero() -> None:
    x = np.array([0.0, 0.0, 0.0, 2.0, -2.0])
    gradient, cost = np.array([3.0, -3.0, 0.5, 1.0, 1.0]), np.ones(5)
    assert pseudo_gradient(x, gradient, cost).tolist() == [2.0, -2.0, 0.0, 2.0, 0.0]


def test_out_of_iterations() -> None:
    found = minimize(
        lambda x: (float(np.sum((x - 9) ** 4)), 4 * (x - 9) ** 3),
        np.zeros(2),
        np.zeros(2),
        tolerance=0.0,
        max_iterations=2,
    )
    assert (len(found.values), found.converged) == (3, False)
