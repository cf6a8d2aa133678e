"""Assumed density filtering: beliefs after each move, one after the other (Stern 2005, section 3).

A member k of a team (a pattern, or a feature) has the belief N(μ_k, σ_k²). A team's latent score is
the sum of its members' plus noise of variance β²; the highest score is played. After expectation
propagation has replaced the truncations by Gaussian factors (τ_i, ν_i) of x_w - x_i, what they say
about one member is a linear observation, with all else that is uncertain as noise:

    y_i = d_i s_k + noise,   d_i = [k in the winner's team] - [k in team i],   for every loser i

where the noise has the covariance diag(1/τ_i + v_i') + v_w', the v' being the teams' variances
without k's own. By the formula of Sherman and Morrison its inverse costs O(n), and the precision of
s_k never shrinks. For teams of one member, which is the paper's model, this is exactly the marginal
that expectation propagation gives. For teams that share members it takes the rest of each team as
independent of the others', which TrueSkill does not have to: no paper has measured it.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, int64, kernel
from katachi.learning.ranking.propagation import SWEEPS, TOLERANCE, log_evidence, propagate

TEAMS: Final = 362  # candidates of a position
NO_MEMBER: Final = -1
EACH: Final = 16  # the evidence of one move in so many is told while learning


class Beliefs(NamedTuple):
    """What is believed about every member, and how often it was seen."""

    mean: npt.NDArray[np.float64]  # [members] μ
    variance: npt.NDArray[np.float64]  # [members] σ²
    wins: npt.NDArray[np.uint32]  # [members] in the move played
    appearances: npt.NDArray[np.uint32]  # [members] in any legal move


class Positions(NamedTuple):
    """Positions as the different teams that legal moves are, merged where they are the same."""

    starts: npt.NDArray[np.int64]  # [positions + 1]
    winner: npt.NDArray[np.int32]  # [positions] which of its teams was played
    members: npt.NDArray[np.int32]  # [teams, width]
    times: npt.NDArray[np.int32]  # [teams] legal moves that are this team


def prior_beliefs(members: int) -> Beliefs:
    """N(0, 1) for each (Stern 2005, section 4)."""
    return Beliefs(
        np.zeros(members),
        np.ones(members),
        np.zeros(members, np.uint32),
        np.zeros(members, np.uint32),
    )


class Workspace(NamedTuple):
    """Scratch space of one thread, for teams of up to `width` members of `members` in all."""

    m: npt.NDArray[np.float64]  # [team]
    v: npt.NDArray[np.float64]
    tau: npt.NDArray[np.float64]
    nu: npt.NDArray[np.float64]
    ids: npt.NDArray[np.int32]  # [local] the members of this position
    local: npt.NDArray[np.int32]  # [team * width + place] which of them
    sums: npt.NDArray[np.float64]  # [local, 5] over the losing teams with it: see learn_position
    mark: npt.NDArray[np.int64]  # [member] clock << 16 | local; teams of one need none
    clock: npt.NDArray[np.int64]  # [1]


def new_workspace(members: int, width: int) -> Workspace:
    """Space for learning from positions, used again and again."""
    m, v, tau, nu = (np.zeros(TEAMS) for _ in range(4))
    return Workspace(
        m,
        v,
        tau,
        nu,
        np.zeros(TEAMS * width, np.int32),
        np.zeros(TEAMS * width, np.int32),
        np.zeros((TEAMS * width, 5)),
        np.zeros(members if width > 1 else 0, np.int64),
        np.zeros(1, np.int64),
    )


@kernel
def _localize(members: Any, n: int, width: int, ids: Any, local: Any, mark: Any, clock: Any) -> int:
    """Number the members that the n teams have among them; how many there are."""
    if width == 1:  # teams that differ have different members
        for i in range(n):
            ids[i] = members[i, 0]
            local[i] = i if members[i, 0] >= 0 else NO_MEMBER
        return n
    clock[0] += 1
    count = 0
    for i in range(n):
        for f in range(width):
            k = int64(members[i, f])
            if k < 0:
                local[i * width + f] = NO_MEMBER
                continue
            if mark[k] >> 16 != clock[0]:
                mark[k] = clock[0] << 16 | count
                ids[count] = k
                count += 1
            local[i * width + f] = mark[k] & 0xFFFF
    return count


class Filtering(NamedTuple):
    """How beliefs are changed: see `learn`."""

    noise: float  # β²
    sweeps: int
    tolerance: float
    each: int


@kernel
def learn_position(
    beliefs: Beliefs, members: Any, w: int, how: Filtering, space: Workspace, told: bool
) -> float:
    """Change the beliefs by the victory of team w; if it is `told`, returns the log of the
    probability that it had before, else 0.

    members: int32[teams, width], NO_MEMBER for none; no two teams are the same.
    """
    mean, variance = beliefs.mean, beliefs.variance
    n = len(members)
    m, v, tau, nu, ids, local, sums, mark, clock = space
    width = members.shape[1]
    count = _localize(members, n, width, ids, local, mark, clock)
    for i in range(n):
        m[i] = 0.0
        v[i] = how.noise
        for f in range(width):
            k = int64(members[i, f])
            if k >= 0:
                m[i] += mean[k]
                v[i] += variance[k]
    precision, shift, _ = propagate(m, v, n, w, tau, nu, how.sweeps, how.tolerance)
    evidence = log_evidence(m, v, n, w, precision, shift) if told else 0.0
    # Over the losers: b_i = 1 / (1/τ_i + v_i), and b_i times what y_i is off from what was expected
    all_b = 0.0
    all_g = 0.0
    sums[:count] = 0.0
    for i in range(n):
        if i == w:
            continue
        damp = 1.0 + tau[i] * v[i]
        off = nu[i] - tau[i] * (m[w] - m[i])
        b, g = tau[i] / damp, off / damp
        all_b += b
        all_g += g
        for f in range(width):
            j = int64(local[at(i * width + f)])
            if j >= 0:
                rest = 1.0 + tau[i] * (v[i] - variance[ids[j]])
                sums[j, 0] += b
                sums[j, 1] += g
                sums[j, 2] += tau[i] / rest
                sums[j, 3] += off / rest
    for f in range(width):
        j = int64(local[at(w * width + f)])
        if j >= 0:
            sums[j, 4] = 1.0  # the winner has it
    for j in range(count):
        k = int64(ids[j])
        if k < 0:
            continue
        wins = sums[j, 4] > 0.0
        old = variance[k]
        these_b = all_b + sums[j, 2] - sums[j, 0]
        these_g = all_g + sums[j, 3] - sums[j, 1]
        if wins:  # d is 0 for the losers that have it, 1 for the others
            others = v[w] - old
            one, two, off = all_b - sums[j, 0], all_b - sums[j, 0], all_g - sums[j, 1]
        else:  # d is -1 for the losers that have it, 0 for the others
            others = v[w]
            one, two, off = -sums[j, 2], sums[j, 2], -sums[j, 3]
        shared = others / (1.0 + others * these_b)
        information = two - shared * one * one
        if information < 0.0:  # by rounding
            information = 0.0
        new = old / (1.0 + old * information)
        mean[k] += new * (off - shared * one * these_g)
        variance[k] = new
    return evidence


@kernel
def learn_positions(
    beliefs: Beliefs, positions: Positions, how: Filtering, space: Workspace
) -> float:
    """Learn from positions in order.

    Returns the sum of the log-evidence of every how.each-th move, by what was believed before it.
    """
    starts, winner, members, times = positions
    wins, appearances = beliefs.wins, beliefs.appearances
    total = 0.0
    width = members.shape[1]
    for i in range(len(starts) - 1):
        first, last = int64(starts[i]), int64(starts[i + 1])
        w = int64(winner[i])
        for t in range(first, last):
            for f in range(width):
                k = int64(members[t, f])
                if k >= 0:
                    appearances[k] += times[t]
                    if t == first + w:
                        wins[k] += 1
        told = i % how.each == 0
        if told:
            total -= np.log(float(times[first + w]))
        total += learn_position(beliefs, members[first:last], w, how, space, told)
    return total


def learn(
    beliefs: Beliefs,
    positions: Positions,
    beta: float,
    space: Workspace,
    *,
    sweeps: int = SWEEPS,
    tolerance: float = TOLERANCE,
    each: int = EACH,
) -> float:
    """Change the beliefs by these positions, in order.

    Returns the sum of the log-evidence of every `each`th move, by what was believed before it.
    Raises ValueError where teams have more members than there is space for.
    """
    width = positions.members.shape[1]
    if TEAMS * width > len(space.ids):
        raise ValueError(f"space for {len(space.ids) // TEAMS} members of a team, not {width}")
    how = Filtering(beta * beta, sweeps, tolerance, each)
    return float(learn_positions(beliefs, positions, how, space))
