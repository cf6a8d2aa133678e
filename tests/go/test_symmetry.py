"""The eight symmetries: what a group of symmetries of the square must be, checked one by one."""

from __future__ import annotations

import numpy as np
import pytest

from katachi.go.points import AREA, MAX_SIZE, MIN_SIZE, PASS, all_points, from_vertex, vertex
from katachi.go.symmetry import SYMMETRIES, point_tables, transform
from tests.go.helpers import NEAR

SIZES = range(MIN_SIZE, MAX_SIZE + 1)


@pytest.mark.parametrize("size", SIZES)
def test_tables_are_different_permutations_of_the_board(size: int) -> None:
    tables = point_tables(size)
    assert tables.shape == (SYMMETRIES, AREA)
    points = all_points(size)
    outside = sorted(set(range(AREA)) - set(points))
    for table in tables:
        assert sorted(table[points].tolist()) == points
        assert table[outside].tolist() == outside
        assert table[PASS] == PASS
    assert len({tuple(table.tolist()) for table in tables}) == SYMMETRIES
    assert tables[0].tolist() == list(range(AREA))


@pytest.mark.parametrize("size", SIZES)
def test_tables_are_a_group(size: int) -> None:
    tables = point_tables(size)
    known = {tuple(table.tolist()) for table in tables}
    for first in tables:
        for second in tables:
            assert tuple(second[first].tolist()) in known
    for symmetry, inverse in enumerate((0, 1, 2, 3, 4, 6, 5, 7)):
        assert tables[inverse][tables[symmetry]].tolist() == list(range(AREA))
        assert tables[symmetry][tables[inverse]].tolist() == list(range(AREA))


@pytest.mark.parametrize("size", SIZES)
def test_tables_keep_neighbours(size: int) -> None:
    points = set(all_points(size))
    for table in point_tables(size):
        image = {p: int(table[p]) for p in points}
        for p in points:
            near = {image[q] for q in NEAR[p] if q in points}
            assert near == {q for q in NEAR[image[p]] if q in points}


# Where C1 of 9x9 goes: mirrored left and right, top and bottom, then rows and columns exchanged
# (the exchange keeps the upper left and the lower right corner).
IMAGES = ["C1", "G1", "C9", "G9", "J7", "J3", "A7", "A3"]


@pytest.mark.parametrize("symmetry", range(SYMMETRIES))
def test_each_number_means_what_it_says(symmetry: int) -> None:
    p = from_vertex("C1", 9)
    assert vertex(int(point_tables(9)[symmetry, p]), 9) == IMAGES[symmetry]
    row, col = transform(8, 2, 9, symmetry)
    assert vertex(20 * (row + 1) + col + 1, 9) == IMAGES[symmetry]


def test_tables_cannot_be_changed() -> None:
    """They are shared by all who ask."""
    tables = point_tables(9)
    assert point_tables(9) is tables
    assert tables.dtype == np.int16
    with pytest.raises(ValueError, match="read-only"):
        tables[0, 21] = 0
