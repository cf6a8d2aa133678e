"""Learning from positions: teams of several members, merging, counts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from katachi.learning.ranking.filtering import (
    NO_MEMBER,
    Beliefs,
    Positions,
    learn,
    new_workspace,
    prior_beliefs,
)
from katachi.learning.ranking.positions import merged
from katachi.patterns.catalogue import PLAYOUT
from katachi.patterns.competitions import describe_games
from katachi.patterns.features import Features
from tests.trained import games


def position(members: list[list[int]], w: int) -> Positions:
    rows = np.array(members, np.int32)
    return Positions(
        np.array([0, len(rows)]), np.array([w], np.int32), rows, np.ones(len(rows), np.int32)
    )


def test_two_teams_have_a_closed_form() -> None:
    """TrueSkill's update for two teams without a member in common."""
    mean = np.array([0.3, -0.2, 1.0, 0.1, 9.0])
    variance = np.array([0.5, 1.0, 0.2, 0.9, 1.0])
    beliefs = Beliefs(mean.copy(), variance.copy(), *(np.zeros(5, np.uint32) for _ in range(2)))
    beta = 0.7
    learn(
        beliefs,
        position([[0, 1, NO_MEMBER], [2, 3, NO_MEMBER]], 0),
        beta,
        new_workspace(5, 3),
        tolerance=1e-9,
    )
    c = math.sqrt(2 * beta**2 + variance[:4].sum())
    t = (mean[:2].sum() - mean[2:4].sum()) / c
    v = math.exp(norm.logpdf(t) - norm.logcdf(t))
    w = v * (v + t)
    sign = np.array([1, 1, -1, -1])
    assert beliefs.mean[:4] == pytest.approx(mean[:4] + sign * variance[:4] / c * v, abs=1e-8)
    assert beliefs.variance[:4] == pytest.approx(
        variance[:4] * (1 - variance[:4] / c**2 * w), abs=1e-8
    )
    assert (beliefs.mean[4], beliefs.variance[4]) == (9.0, 1.0)  # was not there


def test_a_member_of_every_team_learns_nothing() -> None:
    beliefs = prior_beliefs(4)
    learn(beliefs, position([[0, 1], [0, 2], [0, 3]], 1), 0.5, new_workspace(4, 2))
    assert (beliefs.mean[0], beliefs.variance[0]) == (0.0, 1.0)
    assert beliefs.mean[2] > 0 > beliefs.mean[1] == pytest.approx(beliefs.mean[3])


def test_one_candidate_teaches_nothing() -> None:
    beliefs = prior_beliefs(2)
    evidence = learn(beliefs, position([[1]], 0), 0.5, new_workspace(2, 1))
    assert evidence == pytest.approx(0, abs=1e-9)
    assert beliefs.mean.tolist() == [0, 0]
    assert beliefs.variance == pytest.approx([1, 1])
    assert beliefs.wins.tolist() == [0, 1]


@given(st.data())
def test_teams_never_give_nonsense(data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    count, width, n = data.draw(
        st.tuples(st.integers(3, 40), st.integers(2, 6), st.integers(1, 60))
    )
    rows = np.unique(rng.integers(-1, count, (n, width)), axis=0)
    for row in rows:  # no member twice in a team
        seen: set[int] = set()
        for f, k in enumerate(row):
            row[f] = NO_MEMBER if k in seen else k
            seen.add(int(k))
    rows = np.unique(rows, axis=0)
    beliefs = Beliefs(
        rng.normal(0, 3, count),
        10 ** rng.uniform(-10, 1, count),
        np.zeros(count, np.uint32),
        np.zeros(count, np.uint32),
    )
    before = beliefs.variance.copy()
    space = new_workspace(count, width)
    for _ in range(3):
        teams = position(rows.tolist(), data.draw(st.integers(0, len(rows) - 1)))
        assert math.isfinite(learn(beliefs, teams, 10 ** data.draw(st.floats(-2, 1)), space))
    assert np.all(np.isfinite(beliefs.mean))
    assert np.all((beliefs.variance > 0) & (beliefs.variance <= before))


def test_teams_wider_than_the_space() -> None:
    beliefs = prior_beliefs(4)
    with pytest.raises(ValueError, match="space for 1 members of a team, not 2"):
        learn(beliefs, position([[0, 1], [2, 3]], 0), 1.0, new_workspace(4, 1))
    assert not beliefs.wins.any()


def test_equal_candidates_are_one_team() -> None:
    """Against a dictionary, position by position."""
    features = Features(PLAYOUT)
    columns = describe_games(games(0, 2), range(2), features)
    found = merged(columns, features)
    names = [family.name for family in features.families]
    for i in range(len(columns["winner"])):
        a, b = columns["starts"][i : i + 2]
        plain: dict[tuple[int, ...], int] = {}
        for j in range(a, b):
            team = tuple(int(columns[name][j]) for name in names)
            plain[team] = plain.get(team, 0) + 1
        c, d = found.starts[i : i + 2]
        assert found.times[c:d].tolist() == list(plain.values())
        played = tuple(int(columns[name][a + columns["winner"][i]]) for name in names)
        assert found.winner[i] == list(plain).index(played)
        firsts = np.cumsum([0, *(f.size for f in features.families)])[:-1]
        for row, team in zip(found.members[c:d], plain, strict=True):
            assert row.tolist() == [
                first + level - 1 if level else NO_MEMBER
                for first, level in zip(firsts, team, strict=True)
            ]


def test_beliefs_find_the_strengths_again() -> None:
    """Many competitions drawn from the model itself: the means come near the scores."""
    rng = np.random.default_rng(3)
    count, beta = 12, 0.6
    scores = rng.normal(0, 1, count)
    beliefs, space = prior_beliefs(count), new_workspace(count, 1)
    for _ in range(4000):
        some = rng.choice(count, 5, replace=False)
        w = int(np.argmax(scores[some] + rng.normal(0, beta, 5)))
        learn(beliefs, position([[int(k)] for k in some], w), beta, space)
    # Of those who seldom win little is heard but that they lose.
    often = scores > np.median(scores)
    off = beliefs.mean[often] - scores[often]
    assert np.max(np.abs(off - off.mean())) < 0.25
    assert np.corrcoef(beliefs.mean[often], scores[often])[0, 1] > 0.99
    assert np.all(beliefs.variance < 0.1)
