"""The fit of differences against scipy, plain sums, and the project's own Bradley-Terry fit."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from threadpoolctl import threadpool_info

from katachi import BradleyTerry, Competition, KatachiError
from katachi.styles.decisions import Decisions, merged
from katachi.styles.fit import fit
from katachi.styles.fitted import LEAST_TAU
from katachi.styles.passes import add_changed
from tests.styles.small import Vector, chances, log_likelihood, made_up, told_in_matrices

SIZES = (3, 2)
TRUTH = np.array([0.9, -0.6, 0.2, 0.7, -0.1])


def mode(decisions: Decisions, spread: Vector) -> Vector:
    """The δ of the highest posterior, by scipy."""

    def cost(delta: Vector) -> tuple[float, Vector]:
        total, gradient, _ = told_in_matrices(decisions, delta)
        return 0.5 * ((delta / spread) ** 2).sum() - total, delta / spread**2 - gradient

    def bend(delta: Vector) -> Vector:
        return told_in_matrices(decisions, delta)[2] + np.diag(1 / spread**2)

    found = minimize(cost, np.zeros(len(spread)), jac=True, hess=bend, method="trust-exact")
    for _ in range(3):  # as near as numbers go
        found.x -= np.linalg.solve(bend(found.x), cost(found.x)[1])
    return np.asarray(found.x)


def marginal(decisions: Decisions, tau: Vector) -> float:
    """Laplace's log marginal likelihood, from its definition."""
    spread = np.repeat(tau, decisions.sizes)
    delta = mode(decisions, spread)
    information = told_in_matrices(decisions, delta)[2]
    return float(
        log_likelihood(decisions, delta)
        - 0.5 * ((delta / spread) ** 2).sum()
        - np.log(spread).sum()
        - 0.5 * np.linalg.slogdet(information + np.diag(1 / spread**2))[1]
    )


def test_differences_and_errors_are_those_of_scipy() -> None:
    decisions = made_up(60, SIZES, 1, TRUTH)
    tau = np.array([0.5, 1.5])
    found = fit(decisions, tau=tau)
    spread = np.repeat(tau, SIZES)
    delta = mode(decisions, spread)
    assert found.converged
    assert found.delta == pytest.approx(delta, abs=1e-7)
    bend = told_in_matrices(decisions, delta)[2] + np.diag(1 / spread**2)
    assert found.error == pytest.approx(np.sqrt(np.diag(np.linalg.inv(bend))), abs=1e-7)
    assert found.log_likelihood == pytest.approx(log_likelihood(decisions, delta), abs=1e-7)
    assert found.base_log_likelihood == pytest.approx(log_likelihood(decisions, 0 * delta))
    assert found.log_marginal == pytest.approx(marginal(decisions, tau), abs=1e-7)


@pytest.mark.slow
def test_tau_has_the_highest_marginal_likelihood() -> None:
    decisions = made_up(60, SIZES, 1, 2 * TRUTH)
    found = fit(decisions)
    assert found.converged
    assert found.tau.min() > 10 * LEAST_TAU

    def slope(logs: Vector) -> Vector:
        h = 1e-4
        ends = [
            (marginal(decisions, np.exp(logs + h * e)), marginal(decisions, np.exp(logs - h * e)))
            for e in np.eye(2)
        ]
        return np.array([(up - down) / (2 * h) for up, down in ends])

    # The maximum, by Newton's method on numerical slopes, begun where our fit ends
    logs = np.log(found.tau)
    bend = np.array([(slope(logs + 1e-3 * e) - slope(logs - 1e-3 * e)) / 2e-3 for e in np.eye(2)])
    assert np.linalg.eigvalsh((bend + bend.T) / 2).max() < 0
    step = np.linalg.solve(bend, slope(logs))
    assert np.abs(step).max() < 1e-6
    assert found.log_marginal > marginal(decisions, found.tau * [1.2, 1])
    assert found.log_marginal > marginal(decisions, found.tau * [1, 0.8])


def test_a_family_whose_differences_may_be_chance_has_none() -> None:
    decisions = made_up(50, SIZES, 1, TRUTH)
    found = fit(decisions)
    assert found.converged
    assert found.tau[1] == pytest.approx(LEAST_TAU)
    assert np.abs(found.delta[3:]).max() < 1e-4
    at_ends = [marginal(decisions, found.tau * [1, more]) for more in (1, 10, 100, 300, 1000)]
    assert at_ends == sorted(at_ends, reverse=True)


def test_a_flat_base_gives_the_ratings_of_bradley_and_terry() -> None:
    decisions = made_up(200, SIZES, 3, TRUTH, flat=True)
    found = fit(decisions, tau=np.full(2, 1e4))
    competitions = []
    for piece in decisions.pieces:
        for j in range(len(piece)):
            rows = piece.seats[piece.starts[j] : piece.starts[j + 1]].tolist()
            teams = [tuple(one for one in row if one >= 0) for row in rows]
            competitions.append(Competition(teams, int(piece.winner[j])))
    # The priors, of different kinds, weigh next to nothing; teams without members pin the scale.
    other = BradleyTerry(wins=1e-7, losses=1e-7).fit(competitions)
    order = np.argsort(other.members_)
    assert found.delta == pytest.approx(np.log(other.gamma_[order]), abs=1e-5)
    errors = other.standard_error_[order] * np.log(10) / 400
    assert found.error == pytest.approx(errors, abs=1e-5)


def test_equal_candidates_as_one_change_nothing() -> None:
    decisions = made_up(40, (2,), 4)
    pieces = []
    for piece in decisions.pieces:
        weights = np.exp(piece.offset)
        starts, winner, offset, seats = merged(piece.starts, piece.winner, weights, piece.seats)
        assert len(offset) < len(piece.offset)
        for j in range(len(piece)):
            some = slice(piece.starts[j], piece.starts[j + 1])
            plain: dict[int, float] = {}
            for level, weight in zip(piece.seats[some, 0].tolist(), weights[some], strict=True):
                plain[level] = plain.get(level, 0) + weight
            few = slice(starts[j], starts[j + 1])
            got = dict(zip(seats[few, 0].tolist(), np.exp(offset[few]), strict=True))
            assert got == pytest.approx(plain)
            played = piece.seats[piece.starts[j] + piece.winner[j], 0]
            assert seats[starts[j] + winner[j], 0] == played
        pieces.append(
            type(piece)(
                starts, winner, offset, seats, piece.game, piece.move, piece.group, piece.evidence
            )
        )
    one, two = fit(decisions), fit(Decisions(pieces, decisions.sizes))
    assert two.delta == pytest.approx(one.delta, abs=1e-9)
    assert two.error == pytest.approx(one.error, abs=1e-9)


def test_what_a_difference_changes_and_where_it_shows() -> None:
    decisions = made_up(30, SIZES, 5, TRUTH)
    delta = np.array([0.8, -0.7, 0.1, 0.5, -0.3])
    (piece, _) = decisions.pieces
    p = np.concatenate(
        [chances(piece.offset, piece.seats, delta, piece.starts, j) for j in range(len(piece))]
    )
    changed, best, where = np.zeros(5), np.zeros((5, 3)), np.zeros((5, 3), np.int64)
    add_changed(piece.starts, piece.winner, piece.seats, p, delta, changed, best, where)
    for one in range(5):
        without = delta.copy()
        without[one] = 0
        sizes, shows = [], []
        for j in range(len(piece)):
            has = (piece.seats[piece.starts[j] : piece.starts[j + 1]] == one).any(axis=1)
            m = chances(piece.offset, piece.seats, delta, piece.starts, j)[has].sum()
            other = chances(piece.offset, piece.seats, without, piece.starts, j)[has].sum()
            sizes.append(abs(m - other))
            shows.append(has[piece.winner[j]] == (delta[one] > 0))
        assert changed[one] == pytest.approx(sum(sizes))
        order = sorted((-size, j) for j, size in enumerate(sizes) if shows[j] and size > 0)[:3]
        assert best[one, : len(order)] == pytest.approx([-size for size, _ in order])
        assert where[one, : len(order)].tolist() == [j for _, j in order]


def test_one_thread_does_the_algebra() -> None:
    """However many cores there are: else it takes many times as long, and does not converge."""
    seen: list[int] = []

    def progress(_what: str, _done: int, _all: int) -> None:
        found = threadpool_info()
        seen.extend(one["num_threads"] for one in found if one["user_api"] == "blas")

    before = threadpool_info()
    assert fit(made_up(60, SIZES, 1, TRUTH), progress=progress).converged
    assert set(seen) == {1}
    assert threadpool_info() == before


def test_no_decisions() -> None:
    with pytest.raises(KatachiError, match="nothing to tell"):
        fit(Decisions([], (3,)))


@pytest.mark.parametrize("held", [True, False])
def test_of_many_features_the_diagonal_stands_for_the_hessian(
    monkeypatch: pytest.MonkeyPatch, held: bool
) -> None:
    decisions = made_up(200, SIZES, 1, TRUTH)
    full = fit(decisions, tau=np.array([0.5, 1.5]))
    monkeypatch.setattr("katachi.styles.fit.MOST_FEATURES", 4)
    found = fit(decisions, tau=np.array([0.5, 1.5]) if held else None)
    assert found.converged
    assert (full.errors_by, found.errors_by) == ("full Hessian", "diagonal of the Hessian")
    spread = np.repeat(found.tau, SIZES)
    assert found.delta == pytest.approx(mode(decisions, spread), abs=1e-6)
    bend = np.diag(told_in_matrices(decisions, found.delta)[2]) + 1 / spread**2
    assert found.error == pytest.approx(1 / np.sqrt(bend), abs=1e-6)
    assert found.covariance == pytest.approx(found.error**2)
    marginal_here = (
        found.log_likelihood
        - 0.5 * ((found.delta / spread) ** 2).sum()
        - np.log(spread).sum()
        - 0.5 * np.log(bend).sum()
    )
    assert found.log_marginal == pytest.approx(marginal_here)
    if held:
        assert found.delta == pytest.approx(full.delta, abs=1e-6)
        return
    # No other τ is better, the likelihood being a parabola of independent features
    pull = found.delta * bend
    for family in range(2):
        own = np.repeat(np.arange(2), SIZES) == family
        h, b = (bend - 1 / spread**2)[own], pull[own]

        def value(tau: float, h: Vector = h, b: Vector = b) -> float:
            t = 1 / tau**2
            return float(0.5 * (b**2 / (h + t) - np.log(h + t) + np.log(t)).sum())

        best = value(found.tau[family])
        assert all(value(found.tau[family] * more) < best for more in (0.97, 1.03))


def test_one_family_along_the_axes_of_the_hessian_is_the_same() -> None:
    """The quick way of one family, and the one of many."""
    decisions = made_up(80, (4,), 2, np.array([0.9, -0.6, 0.2, 0.7]))
    found = fit(decisions)
    twin = Decisions(decisions.pieces, (4, 0))  # a second family, of nothing
    other = fit(twin)
    assert found.converged
    assert found.tau[0] > 10 * LEAST_TAU
    assert found.tau[0] == pytest.approx(other.tau[0], rel=1e-6)
    assert found.delta == pytest.approx(other.delta, abs=1e-7)
    assert found.error == pytest.approx(other.error, abs=1e-7)
