"""The fit against closed forms, plain Python, scipy's optimizer, choix and simulated data."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from typing import Any

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from katachi import BradleyTerry, Competition, KatachiError
from katachi.learning.bradley_terry import mm
from katachi.learning.bradley_terry.columns import InMemory, Shard, layout
from katachi.learning.bradley_terry.errors import FULL_LIMIT, full_errors
from katachi.learning.bradley_terry.errors import hessian as full_hessian
from katachi.learning.bradley_terry.fit import FITS, fit, standard_errors
from katachi.learning.bradley_terry.mm import Sweeps
from katachi.learning.bradley_terry.passes import count
from katachi.learning.bradley_terry.places import Threads
from katachi.learning.bradley_terry.prior import ONE_AND_ONE, Prior
from katachi.learning.bradley_terry.scale import best_scale, free_directions
from katachi.models.elo import ELO, elo
from katachi.teams.teams import Teams, columns_of
from tests.learning.bradley_terry_oracle import (
    Gammas,
    gradient,
    hessian,
    log_likelihood,
    log_posterior,
    maximum,
    members_of,
    one_sweep,
    problems,
    random_problem,
    resharded,
)

both_methods = pytest.mark.parametrize("method", FITS)
priors = st.builds(Prior, *[st.sampled_from([0.1, 0.5, 1.0, 3.0])] * 2)


def named(members: list[Any], gamma: Any) -> Gammas:
    return dict(zip(members, gamma.tolist(), strict=True))


def duel(winner: Any, loser: Any) -> Competition:
    return Competition([[winner], [loser]], 0)


def close(gamma: Any, wanted: Any, tolerance: float = 1e-5) -> None:
    np.testing.assert_allclose(np.log(gamma), np.log(wanted), atol=tolerance, rtol=0)


# Closed forms.


@both_methods
@pytest.mark.parametrize(("won", "lost"), [(3, 1), (0, 4), (5, 5)])
def test_one_member_against_a_gamma_of_1(method: str, won: int, lost: int) -> None:
    """An empty team has gamma 1, as the opponent of the prior: all games add up."""
    games = [Competition([["a"], []], 0)] * won + [Competition([["a"], []], 1)] * lost
    model = BradleyTerry(wins=0.5, losses=2.0, method=method).fit(games)
    close(model.gamma_, [(won + 0.5) / (lost + 2.0)])


@both_methods
def test_who_never_met_anybody_is_rated_by_the_prior(method: str) -> None:
    model = BradleyTerry(wins=3, losses=1, method=method).fit([Competition([["a"]], 0)] * 9)
    close(model.gamma_, [3.0])
    assert abs(model.log_likelihood_) < 1e-14
    np.testing.assert_allclose(model.standard_error_, ELO / math.sqrt(4 * 0.75 * 0.25), rtol=1e-5)


@both_methods
def test_two_players_without_a_prior_to_speak_of(method: str) -> None:
    games = [duel("a", "b")] * 30 + [duel("b", "a")] * 10
    model = BradleyTerry(wins=1e-7, losses=1e-7, method=method).fit(games)
    close(model.gamma_[0] / model.gamma_[1], 3.0, 1e-5)
    np.testing.assert_allclose(model.predict([["a"], ["b"]]), [0.75, 0.25], atol=1e-6)


@both_methods
def test_two_players_with_the_prior(method: str) -> None:
    """By symmetry γ_b = 1 / γ_a; γ_a solves one equation: wins are expected wins."""
    won, lost = 7, 2
    games = [duel("a", "b")] * won + [duel("b", "a")] * lost
    g = brentq(
        lambda g: won + 1 - (won + lost) * g * g / (1 + g * g) - 2 * g / (1 + g),
        1.0,
        100.0,
        xtol=1e-14,
    )
    model = BradleyTerry(method=method).fit(games)
    close(model.gamma_, [g, 1 / g])


@both_methods
def test_players_of_equal_record_are_equal(method: str) -> None:
    players = range(6)
    games = [duel(a, b) for a in players for b in players if a != b]
    model = BradleyTerry(method=method).fit(games)
    close(model.gamma_, np.ones(6))
    assert model.log_posterior_ == pytest.approx(-30 * math.log(2) - 12 * math.log(2), rel=1e-12)


@both_methods
def test_more_than_two_players_without_a_prior_to_speak_of(method: str) -> None:
    """All against all each time: γ is proportional to the wins."""
    wins = [1, 4, 10, 25]
    games = [Competition([[i] for i in range(4)], w) for w, n in enumerate(wins) for _ in range(n)]
    model = BradleyTerry(wins=1e-7, losses=1e-7, method=method).fit(games)
    np.testing.assert_allclose(model.predict([[i] for i in range(4)]), np.array(wins) / 40, 1e-5)


# Optimizers and other programs.

PAPER = [Competition([[1, 2, 3], [4, 2], [1, 5, 6, 7]], 0)]


@both_methods
def test_the_paper_s_example(method: str) -> None:
    """1-2-3 wins against 4-2 and 1-5-6-7 (2.2), written out."""
    model = BradleyTerry(method=method).fit(PAPER)
    g = named(model.members_, model.gamma_)
    team = g[1] * g[2] * g[3]
    chance = team / (team + g[4] * g[2] + g[1] * g[5] * g[6] * g[7])
    assert model.log_likelihood_ == pytest.approx(math.log(chance), abs=1e-12)
    assert model.predict(PAPER[0].teams)[0] == pytest.approx(chance, abs=1e-12)
    best, where = maximum(PAPER, Prior())
    assert abs(model.log_posterior_ - best) < 1e-8
    close(model.gamma_, [where[m] for m in model.members_])
    assert model.members_ == [1, 2, 3, 4, 5, 6, 7]
    assert model.wins_.tolist() == [1, 1, 1, 0, 0, 0, 0]
    assert model.appearances_.tolist() == [2, 2, 1, 1, 1, 1, 1]


@pytest.mark.slow
@both_methods
@settings(max_examples=20)
@given(competitions=problems(), prior=priors)
def test_the_maximum_is_scipy_s(method: str, competitions: Any, prior: Prior) -> None:
    model = BradleyTerry(
        wins=prior.wins, losses=prior.losses, method=method, max_iterations=20_000
    ).fit(competitions)
    assert model.converged_
    assert model.members_ == members_of(competitions)
    best, where = maximum(competitions, prior)
    assert abs(model.log_posterior_ - best) < 1e-8
    close(model.gamma_, [where[m] for m in model.members_], 1e-3)
    g = named(model.members_, model.gamma_)
    assert model.log_likelihood_ == pytest.approx(log_likelihood(competitions, g), abs=1e-9)
    assert model.log_posterior_ == pytest.approx(log_posterior(competitions, g, prior), abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_the_maximum_of_larger_problems(seed: int) -> None:
    competitions = random_problem(seed, members=12, competitions=150)
    best, _ = maximum(competitions, Prior())
    for method in FITS:
        model = BradleyTerry(method=method, max_iterations=20_000).fit(competitions)
        assert abs(model.log_posterior_ - best) < 1e-8
        slope = gradient(competitions, named(model.members_, model.gamma_), Prior())
        assert max(map(abs, slope.values())) < 2e-4


def centred(values: Any) -> Any:
    return values - np.mean(values)


def test_pairs_against_choix() -> None:
    rng = np.random.default_rng(5)
    theta = rng.normal(size=12)
    data = []
    for _ in range(3000):
        one, two = rng.choice(12, 2, replace=False).tolist()
        won = rng.random() < 1 / (1 + math.exp(theta[two] - theta[one]))
        data.append((one, two) if won else (two, one))
    wanted = choix.ilsr_pairwise(12, data, tol=1e-13, max_iter=1000)
    for method in FITS:
        model = BradleyTerry(wins=1e-8, losses=1e-8, method=method, tolerance=1e-15)
        model.fit([duel(a, b) for a, b in data])
        found = np.log(model.gamma_)[np.argsort(model.members_)]
        np.testing.assert_allclose(centred(found), centred(wanted), atol=2e-6)


def test_top_1_against_choix() -> None:
    rng = np.random.default_rng(6)
    theta = rng.normal(size=10)
    data = []
    for _ in range(2000):
        field = rng.choice(10, rng.integers(2, 7), replace=False)
        strongest = int(np.argmax(theta[field] + rng.gumbel(size=len(field))))
        losers = tuple(int(x) for x in np.delete(field, strongest))
        data.append((int(field[strongest]), losers))
    wanted = choix.mm_top1(10, data, tol=1e-12)
    model = BradleyTerry(wins=1e-8, losses=1e-8, tolerance=1e-15)
    model.fit([Competition([[w], *([x] for x in losers)], 0) for w, losers in data])
    found = np.log(model.gamma_)[np.argsort(model.members_)]
    np.testing.assert_allclose(centred(found), centred(wanted), atol=1e-6)


# The algorithm.


@settings(max_examples=20)
@given(competitions=problems(), prior=priors)
def test_a_sweep_is_the_formula_gamma_by_gamma(competitions: Any, prior: Prior) -> None:
    teams = columns_of(competitions)
    gamma = np.exp(np.random.default_rng(1).normal(size=len(teams.members)))
    data, threads = teams.columns, Threads(1)
    families = groups(teams)
    wins = count(data, threads).wins
    state = Sweeps(data, gamma, wins, prior, range(len(data.levels)), threads)
    wanted = named(teams.members, gamma)
    for _ in range(3):
        before = log_likelihood(competitions, wanted)
        wanted = one_sweep(competitions, wanted, families, prior)
        state.sweep()
        assert state.log_likelihood == pytest.approx(before, abs=1e-10)
        np.testing.assert_allclose(state.gamma, [wanted[m] for m in teams.members], rtol=1e-11)


class Forgetful(Threads):
    """As workers that come and go: before a pass some of the kept products are gone."""

    def total(self, function: Any, count: int, length: int) -> Any:
        for of_sweeps in mm._kept.values():
            for number in [number for number in of_sweeps if (number + self.passes) % 3 == 0]:
                del of_sweeps[number]
        self.passes += 1
        return super().total(function, count, length)

    passes = 0


def test_products_that_are_gone_are_made_anew() -> None:
    """To the last digit."""
    rng = np.random.default_rng(1)
    levels = (3, 40, 7)
    shards = []
    for _ in range(10):  # more than a chunk
        starts = np.arange(0, 330, 11)
        columns = [rng.integers(0, n + 1, starts[-1]).astype(np.uint8) for n in levels]
        shards.append(Shard(starts, rng.integers(0, 11, len(starts) - 1), columns))
    data = InMemory(levels, shards)
    results: list[tuple[Any, Any, float]] = []
    for places in (Threads(1), Forgetful(1)):
        wins = count(data, places).wins
        start = np.exp(rng.normal(size=sum(levels))) if not results else results[0][1]
        state = Sweeps(data, start, wins, ONE_AND_ONE, range(3), places)
        for _ in range(4):
            state.sweep()
        results.append((state.gamma, start, state.log_likelihood))
        token = state._token
        assert token in mm._kept
        del state
        assert token not in mm._kept  # sweeps that are gone leave nothing
    np.testing.assert_array_equal(results[0][0], results[1][0])
    assert results[0][2] == results[1][2]


def groups(teams: Teams) -> list[list[Any]]:
    first = layout(teams.columns.levels)
    return [teams.members[a:b] for a, b in pairwise(first)]


@pytest.mark.slow
@both_methods
@settings(max_examples=20)
@given(competitions=problems(), prior=priors)
def test_the_log_posterior_never_decreases(method: str, competitions: Any, prior: Prior) -> None:
    found = fit(columns_of(competitions).columns, prior=prior, method=method, tolerance=1e-14)
    assert len(found.trace) == found.iterations + 1
    gains = np.diff(found.trace)
    assert (gains >= -1e-12 * abs(found.log_posterior)).all()
    assert found.trace[-1] == pytest.approx(found.log_posterior, abs=1e-10)


def test_the_methods_agree() -> None:
    data = columns_of(random_problem(7, members=40, competitions=500)).columns
    fast, mm = (fit(data, method=m, tolerance=1e-13, max_iterations=50_000) for m in FITS)
    assert fast.converged
    assert mm.converged
    assert fast.iterations < mm.iterations
    assert abs(fast.log_posterior - mm.log_posterior) < 1e-8
    close(fast.gamma, mm.gamma, 1e-3)


@both_methods
def test_an_iteration_limit_is_told(method: str) -> None:
    competitions = random_problem(3)
    model = BradleyTerry(method=method, max_iterations=2).fit(competitions)
    assert (model.converged_, model.iterations_, len(model.trace_)) == (False, 2, 3)


@both_methods
def test_held_families_stay(method: str) -> None:
    competitions = random_problem(8)
    teams = columns_of(competitions)
    families = groups(teams)
    assert len(families) > 2
    first = layout(teams.columns.levels)
    start = np.exp(np.random.default_rng(8).normal(size=first[-1]))
    found = fit(
        teams.columns, method=method, start=start, held=[1], tolerance=1e-13, max_iterations=20_000
    )
    a, b = first[1:3]
    assert (found.gamma[a:b] == start[a:b]).all()
    slope = gradient(competitions, named(teams.members, found.gamma), Prior())
    free = [abs(slope[m]) for f, members in enumerate(families) if f != 1 for m in members]
    assert max(free) < 1e-4
    everything = fit(teams.columns, method=method, start=start, held=range(len(families)))
    assert (everything.gamma == start).all()
    wanted = log_likelihood(competitions, named(teams.members, start))
    assert everything.converged
    assert everything.trace == [pytest.approx(wanted, abs=1e-9)]
    assert everything.log_posterior == everything.trace[0]


@pytest.mark.slow
@both_methods
def test_shards_and_threads_change_nothing(method: str) -> None:
    whole = columns_of(random_problem(9, members=20, competitions=100)).columns
    assert len(whole) == 1
    wanted = fit(whole, method=method, max_iterations=30)
    for size in (1, 7, 64):
        parts = resharded(whole, size)
        one, two = (fit(parts, method=method, max_iterations=30, jobs=jobs) for jobs in (1, 2))
        assert (one.gamma == two.gamma).all()
        assert one.trace == two.trace
        assert abs(one.log_posterior - wanted.log_posterior) < 1e-12 * abs(wanted.log_posterior)
        close(one.gamma, wanted.gamma, 1e-6)
        errors = standard_errors(parts, one.gamma, jobs=2)
        np.testing.assert_allclose(errors, standard_errors(whole, one.gamma), rtol=1e-12)
        np.testing.assert_allclose(
            full_errors(parts, one.gamma), full_errors(whole, one.gamma), rtol=1e-9
        )


# Directions of scale.


def featured(seed: int, presence: list[float]) -> tuple[list[Competition], Teams]:
    """Teams with one of three members of each family, present with this chance."""
    rng = np.random.default_rng(seed)
    competitions = []
    for _ in range(25):
        teams = [
            [f"{f}{rng.integers(3)}" for f, p in enumerate(presence) if rng.random() < p]
            for _ in range(4)
        ]
        competitions.append(Competition(teams, int(rng.integers(4))))
    families = {str(f): [f"{f}{i}" for i in range(3)] for f in range(len(presence))}
    return competitions, columns_of(competitions, families)


@pytest.mark.parametrize(
    "presence", [[1, 1], [1, 1, 1], [1, 0.5], [1, 0.5, 1], [0.5, 0.5], [1], [1, 0, 0.3, 1]]
)
def test_free_directions_are_those_without_curvature(presence: list[float]) -> None:
    competitions, teams = featured(4, presence)
    families = list(range(len(presence)))
    directions = free_directions(teams.columns, families, Threads(1))
    np.testing.assert_allclose(directions.T @ directions, np.eye(directions.shape[1]), atol=1e-12)
    gamma = np.exp(np.random.default_rng(0).normal(size=len(teams.members)))
    per_member = np.repeat(np.eye(len(families)), teams.columns.levels, axis=0)
    before = named(teams.members, gamma)
    bend = hessian(competitions, before, Prior(0, 0))
    values = np.linalg.eigvalsh(per_member.T @ bend @ per_member)
    assert directions.shape[1] == (values < 1e-6).sum()
    for direction in directions.T:
        after = named(teams.members, gamma * np.exp(per_member @ direction))
        for c in competitions:
            one = Competition(c.teams, c.winner)
            assert log_likelihood([one], after) == pytest.approx(
                log_likelihood([one], before), abs=1e-12
            )


def test_free_directions_end_where_families_meet() -> None:
    """All teams of a competition have members of the same families, until one has not."""
    competitions = [
        Competition([["a", "x"], ["b", "y"]], 0),
        Competition([["a"], ["b"]], 1),
        Competition([["x"], ["y"]], 0),
    ]
    families = {"one": ["a", "b"], "two": ["x", "y"]}
    teams = columns_of(competitions, families)
    assert free_directions(teams.columns, [0, 1], Threads(1)).shape == (2, 2)
    teams = columns_of([*competitions, Competition([["a"], ["x"]], 0)], families)
    (direction,) = free_directions(teams.columns, [0, 1], Threads(1)).T
    assert direction[0] == pytest.approx(direction[1])


def test_the_best_scale_is_the_prior_s_maximum() -> None:
    _, teams = featured(4, [1, 1, 0.5])
    levels = teams.columns.levels
    directions = free_directions(teams.columns, [0, 1, 2], Threads(1))
    theta = np.random.default_rng(2).normal(size=len(teams.members))
    prior = Prior(2.0, 0.5)
    moved = theta + best_scale(theta, directions, [0, 1, 2], levels, prior)
    spread = directions[np.repeat(np.arange(3), levels)]
    chance = 1 / (1 + np.exp(-moved))
    assert np.abs(spread.T @ (prior.wins - prior.games * chance)).max() < 1e-9


# Ratings and their errors.


def test_elo() -> None:
    assert elo(1.0) == 0.0
    assert elo(10.0) == 400.0
    assert elo(np.array([0.1, 100.0])).tolist() == [-400.0, 800.0]
    model = BradleyTerry().fit(PAPER)
    wanted = [400 * math.log10(g) for g in model.gamma_.tolist()]
    np.testing.assert_allclose(model.elo_, wanted, rtol=1e-14)
    assert model.rating(4) == model.elo_[3]


@pytest.mark.parametrize("seed", range(3))
def test_errors_are_those_of_a_numerical_hessian(seed: int) -> None:
    competitions = [*random_problem(seed), Competition([["lonely"]], 0)]
    prior = Prior(0.7, 1.5)
    teams = columns_of(competitions)
    gamma = fit(teams.columns, prior=prior, tolerance=1e-12).gamma
    bend = hessian(competitions, named(teams.members, gamma), prior)
    np.testing.assert_allclose(full_hessian(teams.columns, gamma, prior), bend, atol=1e-7)
    found = full_errors(teams.columns, gamma, prior)
    np.testing.assert_allclose(found, np.sqrt(np.diag(np.linalg.inv(bend))), rtol=1e-6)
    alone = standard_errors(teams.columns, gamma, prior=prior)
    np.testing.assert_allclose(alone, 1 / np.sqrt(np.diag(bend)), rtol=1e-6)
    assert (found >= alone * (1 - 1e-9)).all()
    model = BradleyTerry(wins=0.7, losses=1.5).fit(competitions)
    assert model.standard_error_kind_ == "full"
    np.testing.assert_allclose(model.standard_error_, ELO * found[teams.order], rtol=1e-4)


@pytest.mark.slow
def test_errors_are_the_spread_over_simulated_data() -> None:
    """Parametric bootstrap. An empty team in every competition fixes the scale.

    A spread that is measured in n runs is itself off by 1 / sqrt(2 n): four of those are allowed.
    """
    runs = 100
    rng = np.random.default_rng(12)
    pairs = [list(pair) for pair in combinations(range(5), 2)]
    fields = [[pairs[i], [int(rng.integers(5))], []] for i in range(10)] * 40
    truth = rng.normal(scale=0.7, size=5)
    strength = np.array([[truth[team].sum() for team in field] for field in fields])
    teams = columns_of([Competition(field, 0) for field in fields])
    (shard,) = teams.columns.shards
    found = []
    for _ in range(runs):
        winner = np.argmax(strength + rng.gumbel(size=strength.shape), axis=1)
        data = InMemory(teams.columns.levels, [shard._replace(winner=winner)])
        found.append(np.log(fit(data, tolerance=1e-9).gamma))
    expected = full_errors(teams.columns, np.exp(truth[teams.members]))
    ratio = np.std(found, axis=0) / expected
    np.testing.assert_allclose(ratio, 1.0, atol=4 / math.sqrt(2 * runs))
    z = (np.mean(found, axis=0) - truth[teams.members]) / expected
    assert np.abs(z).max() < 0.5  # the prior and the finite sample pull a little


def test_beyond_the_limit_each_error_is_with_the_rest_held() -> None:
    players = FULL_LIMIT + 2
    games = [duel(i, (i + 1) % players) for i in range(players)]
    model = BradleyTerry(tolerance=1e-9).fit(games)
    assert model.standard_error_kind_ == "rest held"
    close(model.gamma_, np.ones(players), 1e-3)
    # Two real games and two virtual ones, each p (1 - p) = 1/4.
    np.testing.assert_allclose(model.standard_error_, ELO, rtol=1e-3)
    with pytest.raises(KatachiError, match="2,002 gammas are too many"):
        full_errors(columns_of(games).columns, model.gamma_)


# The estimator.


def test_predictions() -> None:
    model = BradleyTerry().fit(random_problem(11))
    g = named(model.members_, model.gamma_)
    assert model.gamma_of([1, 4]) == pytest.approx(g[1] * g[4], rel=1e-12)
    assert model.gamma_of([]) == 1.0
    chances = model.predict([[1, 4], [2], []])
    assert chances.sum() == pytest.approx(1.0, abs=1e-15)
    total = g[1] * g[4] + g[2] + 1
    np.testing.assert_allclose(chances, [g[1] * g[4] / total, g[2] / total, 1 / total], rtol=1e-12)
    assert model.predict([[3]]).tolist() == [1.0]


def test_members_come_in_the_order_of_their_appearance() -> None:
    games = [Competition([["z", "b"], ["q"]], 0), Competition([["b"], ["a", "q"]], 1)]
    model = BradleyTerry().fit(games)
    assert model.members_ == ["z", "b", "q", "a"]
    assert model.wins_.tolist() == [1, 1, 1, 1]
    assert model.appearances_.tolist() == [1, 2, 2, 1]
    families = {"f": ["never", "a", "b"], "g": ["q", "z"]}
    with pytest.raises(KatachiError, match="of one family"):
        BradleyTerry(families=families | {"f": ["a"], "g": ["q", "z", "b"]}).fit(games)
    other = BradleyTerry(families=families).fit(iter(games))
    assert other.members_ == ["z", "b", "q", "a", "never"]
    close(other.gamma_, [*model.gamma_, 1.0], 1e-6)
    assert other.appearances_[-1] == 0


@pytest.mark.parametrize(
    ("settings_", "sentence"),
    [
        ({"method": "newton"}, "'newton' is no way to fit"),
        ({"wins": 0.0}, "a prior of 0 wins and 1 losses"),
        ({"losses": -1.0}, "a prior of 1 wins and -1 losses"),
        ({"wins": math.nan}, "a prior of nan wins"),
        ({"tolerance": -1e-9}, "a tolerance of -1e-09"),
        ({"max_iterations": 0}, "0 iterations are too few"),
        ({"jobs": 0}, "0 threads are too few"),
    ],
)
def test_settings_that_cannot_be(settings_: Any, sentence: str) -> None:
    with pytest.raises(KatachiError, match=sentence):
        BradleyTerry(**settings_).fit(PAPER)


def test_questions_that_cannot_be_answered() -> None:
    model = BradleyTerry()
    with pytest.raises(KatachiError, match="call fit first"):
        model.rating(1)
    model.fit(PAPER)
    for ask, sentence in (
        (lambda: model.rating(8), "8 was in no team"),
        (lambda: model.predict([[1], [9]]), "9 was in no team"),
        (lambda: model.predict([]), "there are no teams"),
        (lambda: model.gamma_of([1, 1]), "names a member twice"),
        (lambda: model.gamma_of("ab"), "not a list of members"),
        (lambda: model.fit_columns(columns_of(PAPER).columns, [1, 2]), "7 gammas need 7"),
        (lambda: model.fit_columns(columns_of(PAPER).columns, [1] * 7), "7 gammas need 7"),
    ):
        with pytest.raises(KatachiError, match=sentence):
            ask()
