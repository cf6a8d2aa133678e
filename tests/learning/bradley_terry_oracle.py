"""The generalized Bradley-Terry model in plain Python, from the paper's formulas (Coulom 2007, 2).

Nothing here knows of columns, families as numbers, or logarithms kept between passes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st
from scipy.optimize import minimize

from katachi.learning.bradley_terry.columns import InMemory, Shard
from katachi.learning.bradley_terry.prior import Prior
from katachi.teams.teams import Competition

Gammas = dict[Any, float]
Vector = npt.NDArray[np.float64]


def members_of(competitions: Sequence[Competition]) -> list[Any]:
    """In the order of first appearance."""
    return list(dict.fromkeys(m for c in competitions for team in c.teams for m in team))


def product(team: Sequence[Any], gamma: Gammas) -> float:
    return math.prod(gamma[member] for member in team)


def log_likelihood(competitions: Sequence[Competition], gamma: Gammas) -> float:
    return sum(
        math.log(product(c.teams[c.winner], gamma) / sum(product(t, gamma) for t in c.teams))
        for c in competitions
    )


def log_posterior(competitions: Sequence[Competition], gamma: Gammas, prior: Prior) -> float:
    virtual = sum(
        prior.wins * math.log(g / (1 + g)) + prior.losses * math.log(1 / (1 + g))
        for g in gamma.values()
    )
    return log_likelihood(competitions, gamma) + virtual


def gradient(competitions: Sequence[Competition], gamma: Gammas, prior: Prior) -> Gammas:
    """In log γ: wins minus expected wins, virtual games included."""
    slope = {m: prior.wins - prior.games * g / (1 + g) for m, g in gamma.items()}
    for c in competitions:
        total = sum(product(team, gamma) for team in c.teams)
        for number, team in enumerate(c.teams):
            for member in team:
                slope[member] += (number == c.winner) - product(team, gamma) / total
    return slope


def maximum(competitions: Sequence[Competition], prior: Prior) -> tuple[float, Gammas]:
    """The maximum of the log-posterior by BFGS, and where it is."""
    members = members_of(competitions)

    def named(theta: Vector) -> Gammas:
        return dict(zip(members, map(math.exp, theta), strict=True))

    found = minimize(
        lambda theta: -log_posterior(competitions, named(theta), prior),
        np.zeros(len(members)),
        jac=lambda theta: -np.array(list(gradient(competitions, named(theta), prior).values())),
        method="BFGS",
        options={"gtol": 1e-10, "maxiter": 10_000},
    )
    return -float(found.fun), named(found.x)


def hessian(competitions: Sequence[Competition], gamma: Gammas, prior: Prior) -> Vector:
    """Of the negative log-posterior in log γ, by central differences of the gradient."""
    step = 1e-5
    rows = []
    for member in gamma:
        up, down = (gamma | {member: gamma[member] * math.exp(d)} for d in (step, -step))
        a, b = (gradient(competitions, g, prior) for g in (up, down))
        rows.append([-(a[m] - b[m]) / (2 * step) for m in gamma])
    return np.array(rows)


def one_sweep(
    competitions: Sequence[Competition],
    gamma: Gammas,
    families: Sequence[Sequence[Any]],
    prior: Prior,
) -> Gammas:
    """γ_i ← W_i / Σ_j C_ij / E_j (2.5.3), a family at a time from the same old gammas (2.5.4)."""
    gamma = dict(gamma)
    for family in families:
        new = {}
        for i in family:
            wins = sum(i in c.teams[c.winner] for c in competitions)
            ratio = 0.0
            for c in competitions:
                mates = sum(
                    product([m for m in team if m != i], gamma) for team in c.teams if i in team
                )
                ratio += mates / sum(product(team, gamma) for team in c.teams)
            new[i] = (wins + prior.wins) / (ratio + prior.games / (gamma[i] + 1))
        gamma |= new
    return gamma


@st.composite
def problems(draw: st.DrawFn) -> list[Competition]:
    """A few competitions of a few members; some teams are empty, some are alone."""
    names = st.sampled_from("abcdefg"[: draw(st.integers(1, 7))])
    teams = st.lists(st.lists(names, unique=True, max_size=4), min_size=1, max_size=4)
    found = draw(
        st.lists(
            teams.flatmap(lambda t: st.builds(Competition, st.just(t), st.integers(0, len(t) - 1))),
            min_size=1,
            max_size=8,
        ).filter(lambda competitions: len(members_of(competitions)) > 0)
    )
    return list(found)


def random_problem(seed: int, members: int = 8, competitions: int = 40) -> list[Competition]:
    """Like `problems`, larger, with winners drawn from a model."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=members)
    found = []
    for _ in range(competitions):
        teams = [
            rng.choice(members, rng.integers(1, 4), replace=False).tolist()
            for _ in range(rng.integers(2, 6))
        ]
        strength = [theta[team].sum() + rng.gumbel() for team in teams]
        found.append(Competition(teams, int(np.argmax(strength))))
    return found


def resharded(columns: InMemory, competitions: int) -> InMemory:
    """The same data in shards of so many competitions."""
    shards = []
    for shard in columns.shards:
        for a in range(0, len(shard.winner), competitions):
            starts = shard.starts[a : a + competitions + 1]
            part = [column[starts[0] : starts[-1]].copy() for column in shard.columns]
            shards.append(Shard(starts - starts[0], shard.winner[a : a + competitions], part))
    return InMemory(columns.levels, shards)
