"""Wilson's interval beside scipy's and its closed forms; the Elo difference of a win rate."""

from __future__ import annotations

from math import inf, isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm

from katachi.match.statistics import Tally, elo_difference, wilson_interval


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_scipy_s(counts: tuple[int, int]) -> None:
    points, games = counts
    theirs = binomtest(points, games).proportion_ci(confidence_level=0.95, method="wilson")
    assert wilson_interval(points, games) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.99])
def test_wilson_at_other_confidence(confidence: float) -> None:
    theirs = binomtest(7, 30).proportion_ci(confidence_level=confidence, method="wilson")
    assert wilson_interval(7, 30, confidence) == pytest.approx((theirs.low, theirs.high))


def test_wilson_closed_forms() -> None:
    z = float(norm.ppf(0.975))
    assert wilson_interval(0, 0) == (0.0, 1.0)
    for n in (1, 10, 1000):
        assert wilson_interval(0, n) == pytest.approx((0, z**2 / (n + z**2)))
        assert wilson_interval(n, n) == pytest.approx((n / (n + z**2), 1))
        half = z / 2 / sqrt(n + z**2)  # at an even score
        assert wilson_interval(n / 2, n) == pytest.approx((0.5 - half, 0.5 + half))
    assert wilson_interval(0, 9)[0] == 0.0
    assert wilson_interval(9, 9)[1] == 1.0


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, 2 * n), st.just(n))))
def test_wilson_holds_the_rate_and_is_symmetric(counts: tuple[int, int]) -> None:
    halves, games = counts
    low, high = wilson_interval(halves / 2, games)
    assert 0 <= low <= halves / 2 / games <= high <= 1
    mirrored = wilson_interval(games - halves / 2, games)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_elo_difference() -> None:
    assert elo_difference(0.5) == 0
    assert isclose(elo_difference(10 / 11), 400)  # odds of ten to one
    assert isclose(elo_difference(0.75), 190.8485018878649)
    assert elo_difference(0.0) == -inf
    assert elo_difference(1.0) == inf
    for rate in (0.01, 0.3, 0.62):
        assert isclose(elo_difference(rate), -elo_difference(1 - rate), abs_tol=1e-9)
        assert isclose(1 / (1 + 10 ** (-elo_difference(rate) / 400)), rate)


def test_tally() -> None:
    tally = Tally(wins=6, losses=3, draws=2)
    assert (tally.games, tally.points, tally.rate) == (11, 7, 7 / 11)
    assert tally.interval == wilson_interval(7, 11)
    assert tally.elo == elo_difference(7 / 11)
    assert tally.elo_interval == tuple(map(elo_difference, wilson_interval(7, 11)))
    none = Tally()
    assert (none.rate, none.elo, none.interval, none.elo_interval) == (
        None,
        None,
        (0, 1),
        (-inf, inf),
    )
