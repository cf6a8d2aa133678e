"""CLOP: where is the win rate highest, as a function of some numbers? (Coulom 2011)

Rémi Coulom, "CLOP: Confident Local Optimization for Noisy Black-Box Parameter Tuning", ACG 13.
Games are played at points x, which are scaled to [-1, 1] in each direction. The win rate near its
maximum is modelled by a quadratic logistic regression,

    P(win at x) = 1 / (1 + e^-q(x)),    q(x) = Σ_j θ_j φ_j(x),    φ: 1, x_i, x_i x_j

that weighs each game by w(x) (`regression`). The weights make it local. They begin as 1. Then games
are discarded by and by where the win rate is *confidently* below the mean of those that are left:

    w(x) = min over k of min(1, exp((q_k(x) - m_k) / (H σ_k)))

with m the logit of the weighted mean score, σ = 1 / sqrt(Σ w p (1 - p)) its standard error, and
H = 3; q_k, m_k, σ_k are those of the weights of step k. A step that takes less than 1 % of the
weights is the last (`localised`). So with few games, or where all values are equally good, nothing
is discarded, and no form of q does harm, a saddle neither. The next games are played at a point
drawn with the density w (`draw`). The optimum is the weighted mean of all points (`Region.mean`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]

HEIGHT: Final = 3.0  # H
SMALLER: Final = 0.99  # of the weights before: less of a change ends the steps
PRIOR: Final = 0.01  # of each coefficient: a normal distribution with the variance 1 / PRIOR
NEWTON: Final = 50  # steps of the regression at most
SWEEPS: Final = 5  # over all directions, to draw a point
CHOICES: Final = 64  # random values of one direction, of which one is drawn


def monomials(x: Vector) -> Vector:
    """φ of points, [n, d] → [n, (d + 1) (d + 2) / 2]: 1, each x_i, each x_i x_j with i ≤ j."""
    i, j = np.triu_indices(x.shape[1])
    return np.concatenate([np.ones((len(x), 1)), x, x[:, i] * x[:, j]], axis=1)


@dataclass(frozen=True, slots=True)
class Fit:
    """A regression: its coefficients θ, and their covariance by the curvature at the maximum."""

    theta: Vector
    covariance: Vector

    def at(self, x: Vector) -> tuple[float, float]:
        """(q, its standard error) at one point."""
        phi = monomials(x[None])[0]
        return float(phi @ self.theta), sqrt(max(0.0, float(phi @ self.covariance @ phi)))


def regression(phi: Vector, score: Vector, weight: Vector) -> Fit:
    """The θ that maximises Σ weight · (score log p + (1 - score) log(1 - p)) - PRIOR/2 |θ|², with
    p = 1 / (1 + e^-φθ), by Newton's method. Scores are in [0, 1]; draws have ½.
    """

    def loss(theta: Vector) -> float:
        q = phi @ theta
        return float(weight @ (np.logaddexp(0, q) - score * q) + PRIOR / 2 * theta @ theta)

    theta = np.zeros(phi.shape[1])
    curvature = np.eye(len(theta))
    for _ in range(NEWTON):
        p = 1 / (1 + np.exp(-np.clip(phi @ theta, -700, 700)))
        gradient = phi.T @ (weight * (p - score)) + PRIOR * theta
        curvature = (phi.T * (weight * p * (1 - p))) @ phi + PRIOR * np.eye(len(theta))
        step = np.linalg.solve(curvature, gradient)
        before, size = loss(theta), 1.0
        while loss(theta - size * step) > before and size > 1e-6:
            size /= 2
        theta = theta - size * step
        if np.abs(step).max() < 1e-9:
            break
    return Fit(theta, np.asarray(np.linalg.inv(curvature), np.float64))


@dataclass(frozen=True, slots=True)
class Region:
    """Where the optimum is looked for: the steps (θ_k, m_k, H σ_k) of w, the points of the games
    with their weights, and the regression with these. `fit` is None while too little is known.
    """

    steps: tuple[tuple[Vector, float, float], ...]
    points: Vector  # [n, d]
    weights: Vector  # [n]
    fit: Fit | None

    def weight(self, x: Vector) -> Vector:
        """w of points, shape (n, d)."""
        lowest = np.zeros(len(x))
        phi = monomials(x)
        for theta, mean, scale in self.steps:
            lowest = np.minimum(lowest, (phi @ theta - mean) / scale)
        found: Vector = np.exp(lowest)
        return found

    def mean(self) -> Vector:
        """The weighted mean of the points: the optimum, as far as it is known. The middle without
        any.
        """
        if not len(self.points):
            return np.zeros(self.points.shape[1])
        found: Vector = self.weights @ self.points / self.weights.sum()
        return found

    def interval(self, confidence: float) -> Vector:
        """The central part of all weight in each direction, shape (d, 2): values outside of it are
        confidently worse than the mean. The whole range without points.
        """
        if not len(self.points):
            return np.tile([-1.0, 1.0], (self.points.shape[1], 1))
        tail = (1 - confidence) / 2
        ends = []
        for x in self.points.T:
            order = np.argsort(x, kind="stable")
            below = np.cumsum(self.weights[order]) / self.weights.sum()
            low = x[order][np.searchsorted(below, tail)]
            high = x[order][min(np.searchsorted(below, 1 - tail), len(x) - 1)]
            ends.append((low, high))
        return np.array(ends)


def localised(points: Vector, score: Vector, games: Vector) -> Region:
    """The region that games at these points, shape (n, d), leave: at each so many games with this
    mean score. Without two wins and two losses all weights are 1.
    """
    weights = np.ones(len(points))
    won = float(games @ score)
    if min(won, float(games.sum()) - won) < 2:
        return Region((), points, weights, None)
    phi = monomials(points)
    steps: list[tuple[Vector, float, float]] = []
    while True:
        total = games * weights
        fit = regression(phi, score, total)
        p = float(total @ score / total.sum())
        mean, deviation = log(p / (1 - p)), 1 / sqrt(total.sum() * p * (1 - p))
        step = (fit.theta, mean, HEIGHT * deviation)
        smaller = np.minimum(weights, np.exp(np.minimum(0, (phi @ fit.theta - mean) / step[2])))
        if games @ smaller > SMALLER * total.sum():
            return Region(tuple(steps), points, weights, fit)
        steps.append(step)
        weights = smaller


def draw(region: Region, random: np.random.Generator) -> Vector:
    """A point with the density w, by Gibbs sampling from one of the points: each direction in turn
    is drawn from random values, by their weights. Uniform where there are no weights.
    """
    dimensions = region.points.shape[1]
    if not region.steps:
        return np.array([random.uniform(-1, 1) for _ in range(dimensions)])
    chosen = random.choice(len(region.points), p=region.weights / region.weights.sum())
    x: Vector = region.points[chosen].copy()
    for direction in np.tile(np.arange(dimensions), SWEEPS):
        tried = np.tile(x, (CHOICES, 1))
        tried[:, direction] = random.uniform(-1, 1, CHOICES)
        weights = region.weight(tried)
        if weights.sum() > 0:
            x = tried[random.choice(CHOICES, p=weights / weights.sum())]
    return x
