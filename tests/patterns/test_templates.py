"""Templates: the distance, the sets of points, and the tables of who sees whom."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest

from katachi.go.points import AREA, all_points, point, row_col
from katachi.go.symmetry import SYMMETRIES, transform
from katachi.patterns.shapes.templates import (
    ALL_TEMPLATES,
    COULOM_CIRCLES,
    EXTRAS,
    LIBERTIES,
    LIBERTY_CIRCLES,
    MARKED,
    PLAIN,
    STATES,
    STERN_TEMPLATES,
    Templates,
    distance,
    offsets,
    tables,
    turned,
)
from tests.patterns import shape_oracle
from tests.patterns.shape_oracle import RADII, VIEWS, Place, forms

FAMILIES = pytest.mark.parametrize("templates", ALL_TEMPLATES.values(), ids=ALL_TEMPLATES)
SIZES = (2, 5, 9, 13, 19)

# The distances of Coulom's Table 1 around a point, in its lower right quarter.
QUARTER = """
 0  2  4  6  8 10
 2  3  5  7  9 11
 4  5  6  8 10 12
 6  7  8  9 11 13
 8  9 10 11 12 14
10 11 12 13 14 15
"""


def sets_of(templates: Templates) -> list[set[Place]]:
    """The offsets of each template, without the centre."""
    found = offsets(templates)
    return [{(dy, dx) for dy, dx, ring in found if ring <= t} for t in range(len(templates))]


def test_distance() -> None:
    for dy, row in enumerate(QUARTER.split("\n")[1:-1]):
        for dx, d in enumerate(map(int, row.split())):
            for y, x in forms(dy, dx):
                assert distance(x, y) == d
                assert shape_oracle.distance(y, x) == d


def test_the_families() -> None:
    assert {name: templates.radii for name, templates in ALL_TEMPLATES.items()} == RADII
    assert all(name == templates.name for name, templates in ALL_TEMPLATES.items())
    named = {"plain": PLAIN, "marked": MARKED, "liberties": LIBERTIES}
    assert {name: t.view for name, t in ALL_TEMPLATES.items()} == {
        name: named[view] for name, view in VIEWS.items()
    }
    assert len(COULOM_CIRCLES) == len(STERN_TEMPLATES) == 8


def test_sizes_of_the_circles() -> None:
    sizes = [len(template) + 1 for template in sets_of(COULOM_CIRCLES)]
    assert sizes == [9, 13, 21, 29, 37, 49, 61, 73]


def test_sizes_of_sterns_templates() -> None:
    sizes = [len(template) + 1 for template in sets_of(STERN_TEMPLATES)]
    assert sizes == [9, 13, 21, 29, 49, 73, 141, 37 * 37]


@FAMILIES
def test_templates_are_nested_and_symmetric(templates: Templates) -> None:
    found = sets_of(templates)
    for radius, template in zip(templates.radii, found, strict=True):
        assert template == set(shape_oracle.places(radius))
        assert (0, 0) not in template
        assert all(template.issuperset(forms(dy, dx)) for dy, dx in template)
    for smaller, larger in pairwise(found):
        assert smaller < larger


@FAMILIES
def test_offsets_go_by_rings_and_rows(templates: Templates) -> None:
    found = offsets(templates)
    assert found == sorted(found, key=lambda place: (place[2], place[0], place[1]))
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("size", SIZES)
def test_the_largest_of_sterns_templates_is_the_board_from_any_point(size: int) -> None:
    largest = sets_of(STERN_TEMPLATES)[-1]
    board = {row_col(p) for p in all_points(size)}
    for row, col in board:
        assert board - {(row, col)} == {
            (row + dy, col + dx) for dy, dx in largest if (row + dy, col + dx) in board
        }


def test_turned_is_the_boards_symmetry() -> None:
    size = 5
    board = [row_col(p) for p in all_points(size)]
    for symmetry in range(SYMMETRIES):
        for row, col in board:
            centre = transform(row, col, size, symmetry)
            for r, c in board:
                image = transform(r, c, size, symmetry)
                away = image[0] - centre[0], image[1] - centre[1]
                assert turned(r - row, c - col, symmetry) == away


@FAMILIES
@pytest.mark.parametrize("size", SIZES)
def test_who_sees_whom(templates: Templates, size: int) -> None:
    t = tables(templates, size)
    seen = {
        (int(t.seen_from[i]), q, int(t.seen_as[i]))
        for q in range(AREA)
        for i in range(t.seen_start[q], t.seen_start[q + 1])
    }
    assert len(seen) == len(t.seen_from) == len(t.seen_as) == t.seen_start[-1]
    expected = set()
    for p in all_points(size):
        row, col = row_col(p)
        for k, (dy, dx, _) in enumerate(offsets(templates)):
            if 0 <= row + dy < size and 0 <= col + dx < size:
                expected.add((p, point(row + dy, col + dx), k))
    assert seen == expected


@FAMILIES
def test_tables_of_offsets(templates: Templates) -> None:
    t = tables(templates, 9)
    found = offsets(templates)
    assert [(dy, dx, ring) for (dy, dx), ring in zip(t.offset.tolist(), t.ring, strict=True)] == (
        found
    )
    assert t.points.tolist() == [len(template) for template in sets_of(templates)]
    for symmetry in range(SYMMETRIES):
        images = [found[k][:2] for k in t.image[symmetry]]
        assert images == [turned(dy, dx, symmetry) for dy, dx, _ in found]
        # Turned numbers are the numbers of the place to which the offset goes.
        assert np.array_equal(t.zobrist[:, :, symmetry], t.zobrist[t.image[symmetry], :, 0])


@FAMILIES
def test_tables_have_a_number_for_every_code(templates: Templates) -> None:
    """Also for what a view adds: the mark, or 1, 2, 3 liberties."""
    t = tables(templates, 9)
    most = {PLAIN: 0, MARKED: 1, LIBERTIES: 3}[templates.view]
    assert (t.sees, EXTRAS[t.sees]) == (templates.view, most)
    assert t.zobrist.shape == (len(offsets(templates)), STATES * (1 + most), SYMMETRIES)


@pytest.mark.parametrize("templates", [STERN_TEMPLATES, LIBERTY_CIRCLES])
def test_every_number_is_another(templates: Templates) -> None:
    t = tables(templates, 19)
    numbers = t.zobrist[:, :, 0].ravel().tolist() + t.salt.tolist()
    assert len(set(numbers)) == len(numbers)
    assert 0 not in numbers


def test_numbers_depend_on_the_offset_and_salts_on_the_radius_alone() -> None:
    """A view with fewer states has the first numbers of one with more."""
    numbers = defaultdict(set)
    salts = defaultdict(set)
    for templates in ALL_TEMPLATES.values():
        for size in SIZES:
            t = tables(templates, size)
            for (dy, dx, _), states in zip(offsets(templates), t.zobrist[:, :, 0], strict=True):
                for state, number in enumerate(states.tolist()):
                    numbers[dy, dx, state].add(number)
            for radius, salt in zip(templates.radii, t.salt.tolist(), strict=True):
                salts[radius].add(salt)
    assert {len(found) for found in numbers.values()} == {1}
    assert {len(found) for found in salts.values()} == {1}
    assert len(set.union(*salts.values())) == len(salts)
