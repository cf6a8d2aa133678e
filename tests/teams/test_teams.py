"""Competitions as columns: nothing is lost, members of a family exclude each other, bad input."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from katachi import Competition, KatachiError
from katachi.learning.bradley_terry.columns import layout
from katachi.learning.bradley_terry.fit import fit
from katachi.teams import teams as module
from katachi.teams.teams import Teams, columns_of
from tests.learning.bradley_terry_oracle import members_of, problems, random_problem

A_B = Competition([["a"], ["b"]], 0)


def made(teams: Any, winner: Any) -> Competition:
    """A competition of anything, right or wrong."""
    return Competition(teams, winner)


def loose(competitions: Any) -> Any:
    """The same, of members that can be sorted."""
    return competitions


def decoded(teams: Teams) -> list[Competition]:
    """Back from columns to sets of members."""
    first = layout(teams.columns.levels)
    found = []
    for shard in teams.columns.shards:
        for j, winner in enumerate(shard.winner.tolist()):
            rows = [
                [
                    teams.members[first[f] + column[i] - 1]
                    for f, column in enumerate(shard.columns)
                    if column[i]
                ]
                for i in range(shard.starts[j], shard.starts[j + 1])
            ]
            found.append(Competition([sorted(row) for row in rows], winner))
    return found


def sorted_teams(competitions: list[Competition]) -> list[Competition]:
    return [made([sorted(team) for team in c.teams], c.winner) for c in loose(competitions)]


@given(problems())
def test_columns_hold_the_competitions(competitions: list[Competition]) -> None:
    teams = columns_of(iter(competitions))
    assert decoded(teams) == sorted_teams(competitions)
    assert [teams.members[i] for i in teams.order] == members_of(competitions)
    assert sum(teams.columns.levels) == len(teams.members) == len(set(teams.members))


@given(problems())
def test_groups_exclude_each_other_and_are_not_too_many(competitions: list[Competition]) -> None:
    teams = columns_of(competitions)
    family = np.repeat(np.arange(len(teams.columns.levels)), teams.columns.levels)
    home = dict(zip(teams.members, family.tolist(), strict=True))
    mates: dict[Any, set[Any]] = {m: set() for m in home}
    for c in competitions:
        for team in c.teams:
            assert len({home[m] for m in team}) == len(team)
            for m in team:
                mates[m] |= set(team) - {m}
    assert len(teams.columns.levels) <= 1 + max(map(len, mates.values()))


def test_features_are_found_to_be_the_families() -> None:
    """One of each feature in every team: colouring finds the features back."""
    rng = np.random.default_rng(0)
    competitions = [
        Competition([[f"{f}{rng.integers(5)}" for f in "xyz"] for _ in range(10)], 0)
        for _ in range(40)
    ]
    teams = columns_of(competitions)
    assert list(teams.columns.levels) == [5, 5, 5]
    first = layout(teams.columns.levels)
    for a, b in pairwise(first):
        assert len({member[0] for member in teams.members[a:b]}) == 1


@pytest.mark.parametrize("per_shard", [1, 7, 50])
def test_many_shards(per_shard: int, monkeypatch: pytest.MonkeyPatch) -> None:
    competitions = random_problem(1)
    whole = columns_of(competitions)
    monkeypatch.setattr(module, "SHARD_TEAMS", per_shard)
    parts = columns_of(competitions)
    assert len(parts.columns) > 1
    assert decoded(parts) == sorted_teams(competitions)
    assert parts.members == whole.members
    one, many = (fit(teams.columns, tolerance=1e-12) for teams in (whole, parts))
    assert abs(one.log_posterior - many.log_posterior) < 1e-10


def test_families_by_member_and_by_family() -> None:
    competitions = [Competition([["a", "x"], ["b"]], 0), Competition([["y", "b"], []], 1)]
    one = columns_of(competitions, {"a": 1, "b": 1, "x": 2, "y": 2, "z": 2})
    two = columns_of(competitions, {1: ["a", "b"], 2: ("x", "y", "z")})
    for teams in (one, two):
        assert teams.columns.levels == [2, 3]
        assert teams.members == ["a", "b", "x", "y", "z"]
        assert [teams.members[i] for i in teams.order] == ["a", "x", "b", "y", "z"]
        assert decoded(teams) == sorted_teams(
            [Competition([["a", "x"], ["b"]], 0), Competition([["b", "y"], []], 1)]
        )


def test_columns_are_as_narrow_as_they_can_be() -> None:
    competitions = [Competition([[i], [i + 1]], 0) for i in range(300)]
    (shard,) = columns_of(competitions).columns.shards
    assert [column.dtype for column in shard.columns] == [np.uint16]
    (shard,) = columns_of(competitions[:200]).columns.shards
    assert [column.dtype for column in shard.columns] == [np.uint8]


@given(st.lists(st.integers(0, 50), unique=True, min_size=2, max_size=40))
def test_any_hashable_is_a_member(members: list[int]) -> None:
    competitions = [Competition([[(m, "x")], [frozenset({m})], [m, None]], 2) for m in members]
    assert len(columns_of(competitions).members) == 3 * len(members) + 1


FAMILIES = {"letters": ["a", "b", "c"], "rest": ["x", "y"]}


@pytest.mark.parametrize(
    ("competitions", "families", "sentence"),
    [
        ([], None, "there are no competitions: nothing can be rated"),
        ([made([[], []], 0)], None, "no team has a member: there is nobody to rate"),
        ([A_B, made([], 0)], None, "competition 2 has no teams"),
        (
            [A_B, made([["a"], ["b"]], None)],
            None,
            "competition 2 has no winner: give the number of a team, counted from 0",
        ),
        (
            [made([["a"], ["b"]], "a")],
            None,
            "competition 1 has no winner: give the number of a team, counted from 0",
        ),
        (
            [A_B, A_B, made([["a"], ["b"]], 2)],
            None,
            "the winner of competition 3 is team 2, but its teams are 0 to 1",
        ),
        (
            [made([["a"], ["b"]], -1)],
            None,
            "the winner of competition 1 is team -1, but its teams are 0 to 1",
        ),
        (
            [A_B, made([["a"], ["b", "c", "b"]], 0)],
            None,
            "competition 2, team 2 names 'b' twice: a team has each member once",
        ),
        (
            [A_B, made([["a"], ["b", "x", "b"]], 0)],
            FAMILIES,
            "competition 2, team 2 names 'b' twice: a team has each member once",
        ),
        (
            [A_B, made([["x"], ["y"], ["y", "b", "a"]], 0)],
            FAMILIES,
            "competition 2, team 3 has 'b' and 'a', who are of one family: a team has one of each",
        ),
        (
            [A_B, made([["x"], ["y", "z"]], 0)],
            FAMILIES,
            "competition 2, team 2 names 'z', who is in no family",
        ),
        (
            [A_B],
            {"one": ["a", "b"], "two": ["b"]},
            "'b' is named twice, in the families 'one' and 'two'",
        ),
        (
            [A_B],
            {"a": "one", "two": ["b"]},
            "families map members to names or names to members, not some of each",
        ),
        (
            [A_B, made(["ab", "cd"], 0)],
            None,
            "competition 2, team 1 is 'ab', not a list of members",
        ),
        ([A_B, made([["a"], 7], 0)], None, "competition 2, team 2 is 7, not a list of members"),
        (
            [A_B, made([["a"], [["b"]]], 0)],
            None,
            "competition 2, team 2: ['b'] cannot be a member, give a name or a number",
        ),
        ([A_B, 17], None, "competition 2 is not a list of teams and a winner"),
        ([A_B, made(iter([["a"]]), 0)], None, "competition 2 is not a list of teams and a winner"),
    ],
)
def test_bad_competitions(competitions: Any, families: Any, sentence: str) -> None:
    with pytest.raises(KatachiError) as raised:
        columns_of(competitions, families)
    assert str(raised.value) == sentence


def test_the_first_fault_is_told_wherever_shards_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SHARD_TEAMS", 3)
    bad = Competition([["a"], ["b"], ["c", "d", "c"]], 0)
    with pytest.raises(KatachiError, match=r"^competition 6, team 3 names 'c' twice"):
        columns_of([*[A_B] * 5, bad, A_B, bad])


def test_single_teams_and_empty_teams_break_nothing() -> None:
    alone, empty = Competition([["a", "b"]], 0), Competition([[]], 0)
    found = fit(columns_of([A_B, alone, empty, alone]).columns, tolerance=1e-13)
    wanted = fit(columns_of([A_B, alone]).columns, tolerance=1e-13)
    np.testing.assert_allclose(found.gamma, wanted.gamma, rtol=1e-5)
