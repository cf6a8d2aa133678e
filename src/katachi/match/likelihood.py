"""The likelihood of a mean: what results of games or pairs say about the expected score.

A pair of games scores 0, ½, 1, 1½ or 2 points: five outcomes (*pentanomial*); a single game scores
0, ½ or 1: three (*trinomial*). Divided by the number of games, the outcomes have the values a_i in
[0, 1], and the expected score is their mean s = Σ p_i a_i. Nothing else is assumed of the p_i, so
the two games of a pair may depend on each other as much as they like.

With n_i outcomes of each kind, N in all and p̂_i = n_i / N, the greatest likelihood of a mean s is
that of the p with this mean that maximises Σ n_i log p_i. By Lagrange's multipliers

    p_i = p̂_i / (1 + θ (a_i - s)),    max Σ n_i log p_i = Σ n_i log p̂_i - D(s),
    D(s) = N max_θ Σ p̂_i log(1 + θ (a_i - s)),    -1 / (1 - s) ≤ θ ≤ 1 / s

This is the exact generalised likelihood of Michel Van den Bergh, "The generalized maximum
likelihood ratio for the expectation value of a distribution" (2019), and Owen's empirical
likelihood (1988). The bounds of θ keep 1 + θ (a - s) from being negative at any value that can
occur. Where θ is at a bound, an outcome that was not seen (0 or 1) has the rest of the probability:
N pairs, all won, have p = s, and so D(s) = -N log s.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Final

PAIRS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)  # values of a pair's points: 0, ½, 1, 1½, 2
GAMES: Final = (0.0, 0.5, 1.0)  # values of a game's points

HALVINGS: Final = 60  # of the interval of θ, or of s: as exact as a float is


def mean_score(values: Sequence[float], counts: Sequence[int]) -> float:
    """Σ p̂_i a_i. Not checked: that there is a result."""
    return sum(a * n for a, n in zip(values, counts, strict=True)) / sum(counts)


def deviance(values: Sequence[float], counts: Sequence[int], s: float) -> float:
    """D(s): how much less likely the results are, in nats, if s is the expected score than if the
    mean of the results is. 0 without results. Not checked: 0 < s < 1, values in [0, 1].
    """
    seen = [(a - s, n) for a, n in zip(values, counts, strict=True) if n]
    low, high = -1 / (1 - s), 1 / s
    for _ in range(HALVINGS):
        theta = (low + high) / 2
        # the derivative falls; at a bound it may still be positive (or negative)
        if sum(n * d / (1 + theta * d) for d, n in seen) > 0:
            low = theta
        else:
            high = theta
    theta = (low + high) / 2
    return max(0.0, sum(n * log(1 + theta * d) for d, n in seen))


def likelihood_interval(
    values: Sequence[float], counts: Sequence[int], allowed: float
) -> tuple[float, float]:
    """The scores s with D(s) ≤ `allowed`, an interval around the mean; (0, 1) without results.

    With half of a quantile of χ² with one degree of freedom this is the interval of Wilks' theorem.
    For many results it is the normal one, mean ± z sqrt(variance / N); where all results are equal,
    and their variance 0, it still has a width.
    """
    if not sum(counts):
        return 0.0, 1.0
    mean = mean_score(values, counts)

    def end(bound: float) -> float:
        inside, outside = mean, bound
        for _ in range(HALVINGS):
            middle = (inside + outside) / 2
            if 0 < middle < 1 and deviance(values, counts, middle) <= allowed:
                inside = middle
            else:
                outside = middle
        return inside

    return end(0.0), end(1.0)
