"""The sequential test: its likelihood beside scipy's and closed forms, its errors by simulation."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, minimize
from scipy.stats import chi2

from katachi.errors import KatachiError
from katachi.match.likelihood import GAMES, PAIRS, deviance, likelihood_interval, mean_score
from katachi.match.sprt import H0, H1, UNDECIDED, Sprt, Trial, trial_of
from katachi.match.statistics import elo_difference, expected_rate

COUNTS = st.tuples(*[st.integers(0, 30)] * 5).filter(any)
S = st.floats(0.05, 0.95)


def by_search(values: Sequence[float], counts: Sequence[int], s: float) -> float:
    """-max Σ n log p over all p with mean s, by scipy, less its minimum over all p."""
    n = np.array(counts, float)
    a = np.array(values)

    def loss(p: np.ndarray) -> float:
        return float(-(n * np.log(np.maximum(p, 1e-300))).sum())

    start = np.full(len(a), 0.2 / len(a))  # inside, with the right mean
    start[0] += 0.8 * (1 - s) + 0.2 * (0.5 - s)
    start[-1] += 0.8 * s + 0.2 * (s - 0.5)
    assert np.all(start > 0)
    done = minimize(
        loss,
        start,
        jac=lambda p: -n / np.maximum(p, 1e-300),
        bounds=[(0, 1)] * len(a),
        constraints=LinearConstraint(np.array([np.ones(len(a)), a]), [1, s], [1, s]),
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-13},
    )
    share = n / n.sum()
    return loss(done.x) - loss(share)


@pytest.mark.parametrize(
    "counts", [(3, 5, 9, 4, 2), (0, 2, 7, 1, 0), (0, 0, 4, 1, 0), (1, 0, 0, 0, 6), (0, 0, 1, 0, 0)]
)
@pytest.mark.parametrize("s", [0.3, 0.5, 0.53, 0.8])
def test_the_likelihood_is_the_greatest_with_this_mean(counts: tuple[int, ...], s: float) -> None:
    assert deviance(PAIRS, counts, s) == pytest.approx(by_search(PAIRS, counts, s), abs=2e-5)


def test_the_likelihood_of_games_by_brute_force() -> None:
    """Three outcomes with a given mean have one free number: a fine grid over it."""
    s, counts = 0.56, (4, 3, 9)
    draws = np.linspace(0, 2 * (1 - s), 200_001)[1:-1]
    wins = s - draws / 2
    p = np.array([1 - wins - draws, draws, wins])
    best = (np.array(counts)[:, None] * np.log(p)).sum(axis=0).max()
    free = sum(n * log(n / 16) for n in counts)
    assert deviance(GAMES, counts, s) == pytest.approx(free - best, abs=1e-8)


@given(COUNTS, S)
def test_the_mean_itself_is_likeliest(counts: tuple[int, ...], s: float) -> None:
    mean = mean_score(PAIRS, counts)
    assert deviance(PAIRS, counts, s) >= 0
    if 0 < mean < 1:
        assert deviance(PAIRS, counts, mean) == pytest.approx(0, abs=1e-9)
    nearer = (s + mean) / 2
    if 0 < nearer < 1:
        assert deviance(PAIRS, counts, nearer) <= deviance(PAIRS, counts, s) + 1e-9


@given(COUNTS, S)
def test_colours_exchanged(counts: tuple[int, ...], s: float) -> None:
    assert deviance(PAIRS, counts, s) == pytest.approx(
        deviance(PAIRS, counts[::-1], 1 - s), abs=1e-8
    )


@given(st.integers(0, 40), st.integers(0, 40), S)
def test_two_outcomes_are_bernoulli_s(wins: int, losses: int, s: float) -> None:
    n = wins + losses
    closed = sum(k * log(k / n / p) for k, p in ((wins, s), (losses, 1 - s)) if k)
    assert deviance(PAIRS, (losses, 0, 0, 0, wins), s) == pytest.approx(closed, abs=1e-8)
    assert deviance(GAMES, (losses, 0, wins), s) == pytest.approx(closed, abs=1e-8)


@given(st.integers(1, 100), st.floats(0.5, 0.95))
def test_all_pairs_equal(n: int, s: float) -> None:
    """All of the probability that the mean leaves is theirs, the rest goes to the far end."""
    assert deviance(PAIRS, (0, 0, 0, 0, n), s) == pytest.approx(-n * log(s), abs=1e-8)
    assert deviance(PAIRS, (0, 0, n, 0, 0), s) == pytest.approx(-n * log(2 * (1 - s)), abs=1e-8)
    assert deviance(PAIRS, (0, n, 0, 0, 0), s) == pytest.approx(-n * log((1 - s) / 0.75), abs=1e-8)


def test_the_interval() -> None:
    allowed = chi2.ppf(0.95, 1) / 2
    for counts in [(3, 5, 9, 4, 2), (0, 0, 4, 1, 0)]:
        low, high = likelihood_interval(PAIRS, counts, allowed)
        for end in (low, high):
            assert deviance(PAIRS, counts, end) == pytest.approx(allowed)
        assert low < mean_score(PAIRS, counts) < high
    # many results: the normal interval of the pairs' own variance
    counts = (3000, 5000, 9000, 4000, 2000)
    mean, n = mean_score(PAIRS, counts), sum(counts)
    variance = sum(k * (a - mean) ** 2 for a, k in zip(PAIRS, counts, strict=True)) / n
    half = 1.959964 * sqrt(variance / n)
    assert likelihood_interval(PAIRS, counts, allowed) == pytest.approx(
        (mean - half, mean + half), abs=half / 100
    )
    # nothing but wins, and nothing at all
    assert likelihood_interval(PAIRS, (0, 0, 0, 0, 20), allowed) == pytest.approx(
        (np.exp(-allowed / 20), 1)
    )
    assert likelihood_interval(PAIRS, (0,) * 5, allowed) == (0, 1)


# -- the test --------------------------------------------------------------------------------------


def test_the_ratio_and_the_bounds() -> None:
    sprt = Sprt(0, 20, alpha=0.05, beta=0.1)
    assert sprt.bounds == (log(0.1 / 0.95), log(0.9 / 0.05))
    trial = trial_of(sprt, paired=True)
    assert (trial.llr, trial.pairs, trial.elo, trial.decision) == (0, 0, None, UNDECIDED)
    assert trial.elo_interval == (-inf, inf)
    s1 = expected_rate(20)
    won = trial.after(1.0, 1.0)
    assert won.llr == pytest.approx(log(s1 / 0.5))
    assert won.counts == (0, 0, 0, 0, 1)
    mixed = won.after(0.0, 0.5).after(0.5, 1.0).after(0.0, 0.0).after(1.0, 0.0)
    assert mixed.counts == (1, 1, 1, 1, 1)
    assert mixed.llr == pytest.approx(
        deviance(PAIRS, (1,) * 5, 0.5) - deviance(PAIRS, (1,) * 5, s1)
    )
    assert mixed.elo == pytest.approx(0)
    games = trial_of(sprt, paired=False).after(1.0, 0.5)
    assert (games.counts, games.pairs) == ((0, 1, 1), 1)
    assert games.elo == pytest.approx(elo_difference(0.75))


def test_the_decision() -> None:
    sprt = Sprt(0, 400)
    ones = dict.fromkeys(range(1, 101), 1.0)
    won = trial_of(sprt, paired=True).follow(ones)
    each = log(10 / 11 / 0.5)
    assert (won.decision, won.pairs) == (H1, int(sprt.bounds[1] / each) + 1)
    assert won.llr == pytest.approx(won.pairs * each)
    assert won.follow(ones) == won
    lost = trial_of(sprt, paired=True).follow(dict.fromkeys(ones, 0.0))
    assert lost.decision == H0
    data = lost.data()
    assert (data["decision"], data["statistic"], data["counts"]) == (
        "H0",
        "pentanomial",
        [2, 0, 0, 0, 0],
    )
    assert data["elo"] is None  # JSON has no infinity


def test_pairs_are_followed_in_their_order() -> None:
    """Games that are finished early wait for those before them."""
    random = Random(3)
    points = {number: random.choice([0.0, 0.5, 1.0]) for number in range(1, 201)}
    begin = trial_of(Sprt(-60, 60), paired=True)
    whole = begin.follow(points)
    assert whole.decision != UNDECIDED
    order = list(points)
    random.shuffle(order)
    seen: dict[int, float] = {}
    trial = begin
    for number in order:
        seen[number] = points[number]
        trial = trial.follow(seen)
        assert trial.pairs <= whole.pairs
    assert trial == whole
    assert begin.follow({2: 1.0, 3: 0.0, 4: 1.0}) == begin


def test_terms_that_cannot_be() -> None:
    for elos in [(20, 0), (5, 5), (0, inf), (float("nan"), 0), (0, 5000)]:
        with pytest.raises(KatachiError):
            Sprt(*elos)
    for share in (0, 0.5, -1, 2, float("nan")):
        with pytest.raises(KatachiError, match="alpha is"):
            Sprt(0, 20, alpha=share)
        with pytest.raises(KatachiError, match="beta is"):
            Sprt(0, 20, beta=share)


def simulated(elo: float, sprt: Sprt, *, paired: bool, seed: str, bias: float = 0.25) -> Trial:
    """A match between engines of this difference, from openings that favour one colour; 1 game of
    10 is a draw.
    """
    random = Random(seed)
    wins = (expected_rate(elo) - 0.05) / 0.9

    def game(rate: float) -> float:
        return 0.5 if random.random() < 0.1 else float(random.random() < rate)

    trial = trial_of(sprt, paired=paired)
    while trial.decision == UNDECIDED:
        favour = random.choice((-bias, bias))
        trial = trial.after(game(wins + favour), game(wins - favour))
    return trial


@pytest.mark.slow
@pytest.mark.parametrize(("elo", "wrong"), [(0.0, H1), (100.0, H0)])
def test_the_errors_are_as_rare_as_promised(elo: float, wrong: str) -> None:
    """200 matches: 5 % of them is 10 ± 3.1."""
    sprt = Sprt(0, 100)
    found = [simulated(elo, sprt, paired=True, seed=f"{elo}/{i}") for i in range(200)]
    errors = sum(trial.decision == wrong for trial in found)
    assert 1 <= errors <= 20
    games = [simulated(elo, sprt, paired=False, seed=f"{elo}/{i}") for i in range(60)]
    assert sum(trial.decision == wrong for trial in games) <= 8

    def pairs(trials: list[Trial]) -> float:
        return float(np.mean([trial.pairs for trial in trials]))

    # what an opening gives to one colour it takes from the other: pairs vary less than games
    assert pairs(found) < 0.9 * pairs(games)
