"""Coordinates and relative coordinates, by their words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from katachi.go.points import BLACK, PASS, point
from katachi.go.position import Position
from katachi.go.symmetry import SYMMETRIES, transform
from katachi.patterns.catalogue import ARAKI
from katachi.patterns.describe import describe_position
from katachi.patterns.families.distance import RELATIVE
from katachi.patterns.families.position import COORDINATES
from katachi.patterns.features import Features

FEATURES = Features(ARAKI, without=frozenset({"shape"}))
NAMES = [level.name for level in COORDINATES.levels]


def test_how_many_there_are() -> None:
    assert COORDINATES.size == 55  # points of an eighth of 19x19, its edges included
    assert [family.size for family in RELATIVE] == [190] * 4
    for family in (COORDINATES, *RELATIVE):
        assert len({level.name for level in family.levels}) == family.size
        assert len({level.sentence for level in family.levels}) == family.size


@pytest.mark.parametrize("size", [9, 13, 19])
def test_symmetric_points_have_one_level(size: int) -> None:
    found = describe_position(Position(size), FEATURES)
    by_level: dict[int, set[int]] = {}
    for p, team in found.items():
        if p == PASS:
            assert team == {"pass": 1}
        else:
            by_level.setdefault(team["coordinates"], set()).add(p)
    for level, points in by_level.items():
        low, high = map(int, NAMES[level - 1].split("-"))
        images = {point(*transform(low - 1, high - 1, size, s)) for s in range(SYMMETRIES)}
        assert points == images
    assert sum(map(len, by_level.values())) == size * size


@given(st.integers(5, 19), st.data())
def test_relative_coordinates(size: int, data: st.DataObject) -> None:
    line = st.integers(0, size - 1)
    places = data.draw(st.lists(st.tuples(line, line), min_size=1, max_size=6, unique=True))
    position = Position(size)
    played: list[tuple[int, int] | None] = []
    for number, place in enumerate(places):
        if number == 2:
            position.play(PASS, position.to_move)
            played.append(None)
        if point(*place) in position.legal_moves():
            position.play(point(*place), position.to_move)
            played.append(place)
    found = describe_position(position, FEATURES)
    back = [*reversed(played), *[None] * 4][:4]
    for row in range(size):
        for col in range(size):
            team = found.get(point(row, col))
            if team is None:
                continue
            for family, other in zip(RELATIVE, back, strict=True):
                level = team.get(family.name, 0)
                if other is None:
                    assert level == 0
                    continue
                apart = sorted((abs(row - other[0]), abs(col - other[1])))
                assert family.levels[level - 1].name == f"{apart[0]}, {apart[1]}"
    assert not any(name.startswith("rel") for name in found[PASS])


def test_a_stone_that_was_taken() -> None:
    """Where the stone of the move before was, the distance is 0."""
    position = Position.from_stones(9, Position(9).colors, BLACK)
    for name in ("b1", "a1", "a2"):  # Black takes a1
        col, row = ord(name[0]) - 97, int(name[1]) - 1
        position.play(point(row, col), position.to_move)
    found = describe_position(position, FEATURES)
    corner = point(0, 0)
    if corner in found:  # White may not take back a suicide
        assert found[corner]["relative2"] == 1
    else:
        position.play(point(8, 8), position.to_move)
        team = describe_position(position, FEATURES)[corner]
        assert RELATIVE[2].levels[team["relative3"] - 1].sentence == (
            "is where the third last move was"
        )
