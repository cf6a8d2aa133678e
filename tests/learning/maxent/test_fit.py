"""Maximum entropy against its definition and against scikit-learn."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import minimize as scipy_minimize

from katachi.errors import KatachiError
from katachi.learning.bradley_terry.places import Threads
from katachi.learning.maxent.fit import Entropy, fit_entropy
from katachi.learning.maxent.good import appearances, loss, spreads
from tests.learning.maxent.small import Small, design, plain_loss, problem

ONE = Threads(1)


def exact(data: Small, width: float, **more: Any) -> Entropy:
    return fit_entropy(data, width=width, tolerance=1e-14, max_iterations=20000, **more)


def size(data: Small) -> int:
    return int(sum(data.levels) + sum(data.position_levels))


@pytest.mark.parametrize("seed", range(4))
def test_one_pass(seed: int) -> None:
    data = problem(seed, shards=6)
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=size(data))
    value, gradient = loss(data, weights, ONE)
    assert value == pytest.approx(plain_loss(data, weights), rel=1e-12)
    rows, good = design(data)
    chance = 1 / (1 + np.exp(-rows @ weights))
    assert gradient == pytest.approx(rows.T @ (chance - good), abs=1e-10)
    assert spreads(data, weights, ONE) == pytest.approx(rows.T @ (chance * (1 - chance)))
    assert appearances(data, ONE).tolist() == rows.sum(axis=0).tolist()
    with Threads(2) as two:
        assert np.array_equal(loss(data, weights, two)[1], gradient)


def test_large_weights_do_no_harm() -> None:
    data = problem(1)
    for sign in (-1e4, 1e4):
        value, gradient = loss(data, np.full(size(data), sign), ONE)
        assert np.isfinite(value)
        assert np.all(np.isfinite(gradient))


@pytest.mark.parametrize("width", [0.1, 0.5, 0.9, 3.0])
@pytest.mark.parametrize("seed", range(5))
def test_the_constraints_hold(seed: int, width: float) -> None:
    """|E_empirical - E_model| ≤ W / N, and just W / N where a weight is not 0 (eqs. 11, 12)."""
    data = problem(seed)
    found = exact(data, width)
    rows, good = design(data)
    chance = 1 / (1 + np.exp(-rows @ found.weights))
    samples = len(rows)
    apart = rows.T @ good / samples - rows.T @ chance / samples  # E_empirical - E_model of good
    assert np.all(np.abs(apart) <= width / samples + 1e-6)
    used = np.abs(found.weights) > 1e-6
    assert apart[used] * samples == pytest.approx(width * np.sign(found.weights[used]), abs=1e-4)
    assert found.converged


@pytest.mark.parametrize("solver", ["liblinear", "saga"])
@pytest.mark.parametrize("width", [0.2, 0.9, 2.0])
def test_against_scikit_learn(solver: str, width: float) -> None:
    from sklearn.linear_model import LogisticRegression

    for seed in range(4):
        data = problem(seed)
        rows, good = design(data)
        other = LogisticRegression(
            penalty="l1",
            C=1 / width,
            fit_intercept=False,
            solver=solver,
            tol=1e-10,
            max_iter=100_000,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of names that change from version to version
            other.fit(rows, good)
        theirs = other.coef_[0]
        wanted = plain_loss(data, theirs) + width * float(np.abs(theirs).sum())
        found = exact(data, width)
        assert found.value == pytest.approx(wanted, rel=1e-6)
        ours = plain_loss(data, found.weights) + width * float(np.abs(found.weights).sum())
        assert ours == pytest.approx(found.value, rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_no_width_is_maximum_likelihood(seed: int) -> None:
    data = problem(seed, shards=8)
    rows, good = design(data)

    def function(weights: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        scores = rows @ weights
        value = float(np.sum(np.logaddexp(0, scores) - good * scores))
        return value, rows.T @ (1 / (1 + np.exp(-scores)) - good)

    other = scipy_minimize(
        function, np.zeros(size(data)), jac=True, method="BFGS", options={"gtol": 1e-8}
    )
    found = exact(data, 0.0)
    assert found.value == pytest.approx(float(other.fun), rel=1e-8)
    assert loss(data, found.weights, ONE)[1] == pytest.approx(0, abs=1e-3)


def test_a_wide_enough_constraint_needs_no_weight() -> None:
    data = problem(2)
    value, gradient = loss(data, np.zeros(size(data)), ONE)
    widest = float(np.abs(gradient).max())
    found = exact(data, widest)
    assert not found.weights.any()
    assert found.value == pytest.approx(value)
    assert exact(data, widest * 0.99).weights.any()


def test_from_another_start_and_on_more_threads() -> None:
    data = problem(3)
    found = exact(data, 0.9)
    rng = np.random.default_rng(1)
    other = exact(data, 0.9, start=rng.normal(size=size(data)))
    assert other.value == pytest.approx(found.value, rel=1e-9)
    again = exact(data, 0.9, jobs=2)
    assert np.array_equal(again.weights, found.weights)


@pytest.mark.parametrize("width", [-0.1, float("nan"), float("inf")])
def test_widths_that_are_none(width: float) -> None:
    with pytest.raises(KatachiError, match="is not between 0 and"):
        fit_entropy(problem(1), width=width)
