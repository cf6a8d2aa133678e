"""CLOP: its regression beside scikit-learn's and scipy's, and known optima that it must find."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from katachi.match.clop import PRIOR, Region, draw, localised, monomials, regression

Vector = npt.NDArray[np.float64]


def some_games(seed: int, n: int, dimensions: int) -> tuple[Vector, Vector, Vector]:
    """Points, scores of 0, ½ and 1, and weights."""
    random = np.random.default_rng(seed)
    points = random.uniform(-1, 1, (n, dimensions))
    q = 0.5 + points.sum(axis=1) - 2 * (points**2).sum(axis=1)
    score = (random.random(n) < 1 / (1 + np.exp(-q))).astype(float)
    score[::7] = 0.5
    return points, score, random.uniform(0, 1, n)


def test_monomials() -> None:
    found = monomials(np.array([[2.0, 3.0]]))
    assert found.tolist() == [[1, 2, 3, 4, 6, 9]]
    assert monomials(np.zeros((4, 3))).shape == (4, 10)


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_the_regression_is_scikit_learn_s(dimensions: int) -> None:
    points, score, weight = some_games(3, 80, dimensions)
    phi = monomials(points)
    ours = regression(phi, score, weight)
    # a score of ½ is half a win and half a loss
    theirs = LogisticRegression(C=1 / PRIOR, fit_intercept=False, tol=1e-10, max_iter=10_000)
    theirs.fit(
        np.concatenate([phi, phi]),
        np.repeat([1, 0], len(phi)),
        np.concatenate([weight * score, weight * (1 - score)]),
    )
    assert ours.theta == pytest.approx(theirs.coef_[0], abs=1e-4)


def test_the_covariance_is_the_inverse_curvature() -> None:
    points, score, weight = some_games(5, 60, 1)
    phi = monomials(points)
    ours = regression(phi, score, weight)

    def loss(theta: Vector) -> float:
        p = 1 / (1 + np.exp(-phi @ theta))
        likelihood = weight * (score * np.log(p) + (1 - score) * np.log(1 - p))
        return float(PRIOR / 2 * theta @ theta - likelihood.sum())

    found = minimize(loss, np.zeros(3), tol=1e-12)
    assert ours.theta == pytest.approx(found.x, abs=1e-4)
    step = 1e-3
    unit = np.eye(3) * step
    curvature = np.array(
        [
            [
                loss(found.x + a + b) - loss(found.x + a) - loss(found.x + b) + loss(found.x)
                for a in unit
            ]
            for b in unit
        ]
    )
    assert ours.covariance == pytest.approx(np.linalg.inv(curvature / step**2), abs=2e-3)
    q, error = ours.at(points[0])
    assert q == pytest.approx(float(phi[0] @ ours.theta))
    assert error == pytest.approx(np.sqrt(phi[0] @ ours.covariance @ phi[0]))


def test_separable_games() -> None:
    """Wins on one side and losses on the other have no finite maximum but for the prior."""
    points = np.linspace(-1, 1, 20)[:, None]
    fit = regression(monomials(points), (points[:, 0] > 0).astype(float), np.ones(20))
    assert np.isfinite(fit.theta).all()
    assert fit.at(np.array([0.9]))[0] > 3


def test_weights_by_their_definition() -> None:
    points, score, _ = some_games(8, 400, 2)
    games = np.full(400, 2.0)
    region = localised(points, score, games)
    assert len(region.steps) >= 2
    weights = np.ones(400)
    for theta, mean, scale in region.steps:
        total = games * weights
        p = total @ score / total.sum()
        assert mean == pytest.approx(np.log(p / (1 - p)))
        assert scale == pytest.approx(3 / np.sqrt(total.sum() * p * (1 - p)))
        assert theta == pytest.approx(regression(monomials(points), score, total).theta)
        weights = np.minimum(weights, np.exp((monomials(points) @ theta - mean) / scale))
    assert region.weights == pytest.approx(weights)
    assert region.weight(points) == pytest.approx(weights)
    assert region.mean() == pytest.approx((weights[:, None] * points).sum(axis=0) / weights.sum())
    for (low, high), x in zip(region.interval(0.95), points.T, strict=True):
        inside = weights[(low <= x) & (x <= high)].sum() / weights.sum()
        assert 0.94 < inside < 0.98


def test_with_few_games_nothing_is_discarded() -> None:
    points = np.linspace(-1, 1, 6)[:, None]
    for score in (np.ones(6), np.array([1.0, 1, 1, 1, 1, 0])):
        region = localised(points, score, np.ones(6))
        assert region.steps == ()
        assert region.fit is None
        assert region.weights.tolist() == [1] * 6
    empty = localised(np.zeros((0, 2)), np.zeros(0), np.zeros(0))
    assert empty.mean().tolist() == [0, 0]
    assert empty.interval(0.95).tolist() == [[-1, 1], [-1, 1]]


def test_points_are_drawn_by_their_weights() -> None:
    points, score, _ = some_games(8, 400, 1)
    region = localised(points, score, np.ones(400))
    random = np.random.default_rng(1)
    drawn = np.array([draw(region, random)[0] for _ in range(1500)])
    grid = np.linspace(-1, 1, 2001)
    density = region.weight(grid[:, None])
    expected = np.cumsum(density) / density.sum()
    found = np.searchsorted(np.sort(drawn), grid) / len(drawn)
    assert np.abs(found - expected).max() < 0.05  # Kolmogorov and Smirnov: 0.042 at 1 %
    nothing = Region((), np.zeros((0, 3)), np.zeros(0), None)
    uniform = np.array([draw(nothing, random) for _ in range(500)])
    assert np.abs(uniform).max() <= 1
    assert np.abs(uniform.mean(axis=0)).max() < 0.1


def tuned(rate: Callable[[Vector], float], dimensions: int, pairs: int, seed: int) -> Region:
    """Pairs of games with this win rate, played where CLOP wants them: five at a time, as five
    processes would.
    """
    random = np.random.default_rng(seed)
    points, score = np.zeros((0, dimensions)), np.zeros(0)
    while len(points) < pairs:
        region = localised(points, score, np.full(len(points), 2.0))
        for x in [draw(region, random) for _ in range(5)]:
            points = np.concatenate([points, x[None]])
            score = np.append(score, (random.random(2) < rate(x)).mean())
    return localised(points, score, np.full(pairs, 2.0))


def one(x: Vector) -> float:
    return float(1 / (1 + np.exp(4 * (x[0] - 0.4) ** 2 - 1)))


def bump(x: Vector) -> float:
    """No quadratic, and lower than a half almost everywhere."""
    return float(0.2 + 0.4 * np.exp(-8 * (x[0] - 0.2) ** 2))


def two(x: Vector) -> float:
    a, b = x[0] + 0.3, x[1] - 0.5
    return float(1 / (1 + np.exp(3 * a * a + 3 * b * b + 2 * a * b - 0.5)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rate", "optimum"), [(one, (0.4,)), (bump, (0.2,)), (two, (-0.3, 0.5))], ids=["1", "bump", "2"]
)
def test_the_optimum_is_found(rate: Callable[[Vector], float], optimum: tuple[float, ...]) -> None:
    best = rate(np.array(optimum))
    runs = [tuned(rate, len(optimum), 300, seed) for seed in (1, 2, 3)]
    assert np.sqrt(np.mean([(run.mean() - optimum) ** 2 for run in runs])) < 0.15  # of a range of 2
    assert np.mean([best - rate(run.mean()) for run in runs]) < 0.03
    for run in runs:
        assert run.fit is not None
        for (low, high), x in zip(run.interval(0.95), optimum, strict=True):
            assert low < x < high
            assert high - low < 1.4
        late, early = run.points[-100:], run.points[:20]
        assert np.abs(late - optimum).mean() < np.abs(early - optimum).mean()
