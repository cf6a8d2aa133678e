"""Keys: kept up to date as computed anew, and equal where pictures are equal, there alone."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from katachi.go.board import new_board, play, set_stones
from katachi.go.points import AREA, BLACK, EMPTY, WHITE, all_points, other, point, row_col
from katachi.go.symmetry import SYMMETRIES
from katachi.patterns.keys import (
    Keys,
    follow,
    keys_from_scratch,
    least_symmetry,
    picture,
    template_keys,
    toggle,
)
from katachi.patterns.templates import (
    ALL_TEMPLATES,
    COULOM_CIRCLES,
    STERN_TEMPLATES,
    Templates,
    tables,
)
from tests.go.helpers import COLOURS, SGF_COLOUR, any_move, scattered, wandered
from tests.patterns.shape_oracle import (
    BOARD,
    EXCHANGED,
    Picture,
    Place,
    Shape,
    Stones,
    canonical,
    colors_of,
    forms,
    from_katachis_order,
    shapes_at,
    stones_of,
)
from tests.patterns.shape_oracle import picture as drawn

FAMILIES = pytest.mark.parametrize("templates", ALL_TEMPLATES.values(), ids=ALL_TEMPLATES)


def movement(templates: Templates, size: int) -> tuple[Any, ...]:
    """The tables that `toggle` and `follow` want."""
    t = tables(templates, size)
    return t.zobrist, t.ring, t.seen_start, t.seen_from, t.seen_as


def keys_at(templates: Templates, keys: Keys, mover: int, p: int) -> list[int]:
    """The key of each template around p."""
    out = np.zeros(len(templates), np.uint64)
    template_keys(keys, mover, p, tables(templates, 19).salt, out)
    return out.tolist()


# -- up to date ----------------------------------------------------------------------------------


@FAMILIES
@pytest.mark.parametrize(("size", "length"), [(5, 250), (9, 250), (13, 200), (19, 250)])
def test_keys_follow_a_game(templates: Templates, size: int, length: int) -> None:
    rng = Random(size)
    b = new_board(size)
    followed = tables(templates, size).empty_keys.copy()
    toggled = followed.copy()
    stones = b.color.copy()
    captures = 0
    for _ in range(length):
        colour, p = any_move(b, rng)
        before = b.color.copy()
        captures += play(b, p, colour) > 0
        changed = np.flatnonzero(b.color != before)
        assert follow(followed, stones, b, *movement(templates, size)) == len(changed)
        assert np.array_equal(stones, b.color)
        for q in changed.tolist():
            stone = max(int(before[q]), int(b.color[q]))  # what came, or what went
            toggle(toggled, q, stone, *movement(templates, size))
        fresh = keys_from_scratch(templates, size, b.color)
        assert np.array_equal(followed, fresh)
        assert np.array_equal(toggled, fresh)
    assert captures > 10


@FAMILIES
def test_keys_follow_any_change(templates: Templates) -> None:
    size = 7
    rng = Random(7)
    b = new_board(size)
    keys = tables(templates, size).empty_keys.copy()
    stones = b.color.copy()
    for weights in [(1, 1, 1), (1, 1, 1), (0, 1, 1), (0, 1, 1), (1, 0, 0), (5, 1, 0), (5, 0, 1)]:
        set_stones(b, scattered(size, rng, weights))
        changed = int(np.count_nonzero(stones != b.color))
        assert follow(keys, stones, b, *movement(templates, size)) == changed
        assert np.array_equal(keys, keys_from_scratch(templates, size, b.color))
        assert follow(keys, stones, b, *movement(templates, size)) == 0


# -- equal keys, equal pictures ------------------------------------------------------------------


def some_positions() -> list[tuple[int, npt.NDArray[np.uint8]]]:
    """(size, colours): all of 2x2, games, and stones at random, thin and dense."""
    rng = Random(2005)
    found = []
    for code in range(3**4):
        colors = np.zeros(AREA, np.uint8)
        colors[all_points(2)] = [code // 3**i % 3 for i in range(4)]
        found.append((2, colors))
    for size, count in ((3, 12), (5, 12), (7, 6), (9, 2), (13, 1)):
        for weights in ((20, 1, 1), (4, 1, 1), (1, 1, 1)):
            found += [(size, scattered(size, rng, weights)) for _ in range(count)]
    for size, length in ((5, 9), (9, 60), (13, 90), (19, 30)):
        found.append((size, wandered(size, size, length).color))
    found += [(size, np.zeros(AREA, np.uint8)) for size in (3, 9, 19)]
    return found


def test_keys_are_equal_where_pictures_are() -> None:
    """In all positions, sizes, families and templates, for both movers."""
    by_key: dict[int, Shape] = {}
    by_shape: dict[Shape, int] = {}
    appearances = 0
    for size, colors in some_positions():
        stones = stones_of(colors, size)
        for templates in ALL_TEMPLATES.values():
            keys = keys_from_scratch(templates, size, colors)
            for mover in COLOURS:
                for p in all_points(size):
                    names = shapes_at(stones, size, row_col(p), SGF_COLOUR[mover], templates.radii)
                    for key, name in zip(keys_at(templates, keys, mover, p), names, strict=True):
                        assert by_key.setdefault(key, name) == name
                        assert by_shape.setdefault(name, key) == key
                        appearances += 1
    # Neither could fail if every picture were another, or all the same.
    assert 20_000 < len(by_key) < appearances / 2
    assert 0 not in by_key


@FAMILIES
@pytest.mark.parametrize("size", [5, 9, 19])
def test_sixteen_pictures_have_one_key(templates: Templates, size: int) -> None:
    colors = wandered(size, size, size * size // 2).color
    stones = stones_of(colors, size)
    keys = keys_from_scratch(templates, size, colors)
    for symmetry in range(8):
        for exchange in (False, True):
            twin = {
                image(place, size, symmetry): EXCHANGED[colour] if exchange else colour
                for place, colour in stones.items()
            }
            twins = keys_from_scratch(templates, size, colors_of(twin))
            for mover in COLOURS:
                as_seen = other(mover) if exchange else mover
                for p in all_points(size):
                    q = point(*image(row_col(p), size, symmetry))
                    there = keys_at(templates, twins, as_seen, q)
                    assert there == keys_at(templates, keys, mover, p)


def image(place: Place, size: int, symmetry: int) -> Place:
    """Where a symmetry takes a place: about the middle, in halves of a point."""
    row, col = place
    y, x = forms(2 * row - size + 1, 2 * col - size + 1)[symmetry]
    return (y + size - 1) // 2, (x + size - 1) // 2


def test_movers_differ() -> None:
    """Exchanging the colours alone is another shape."""
    keys = keys_from_scratch(COULOM_CIRCLES, 9, colors_of({(4, 5): "b"}))
    middle = point(4, 4)
    one, two = (keys_at(COULOM_CIRCLES, keys, mover, middle) for mover in COLOURS)
    assert not set(one) & set(two)


def test_empty_circles_of_all_radii_differ() -> None:
    middle = point(9, 9)
    found: dict[int, int] = {}
    for templates in ALL_TEMPLATES.values():
        keys = tables(templates, 19).empty_keys
        found |= dict(zip(templates.radii, keys_at(templates, keys, BLACK, middle), strict=True))
    assert len(found) == 10
    assert len(set(found.values())) == 10


def test_one_corner_on_boards_of_different_sizes() -> None:
    corner = stones_of(scattered(5, Random(1), (2, 1, 1)), 5)
    for templates in ALL_TEMPLATES.values():
        small = keys_from_scratch(templates, 11, colors_of(corner))
        large = keys_from_scratch(templates, 19, colors_of(corner))
        for mover in COLOURS:
            for row, col in np.ndindex(5, 5):
                one, two = (
                    keys_at(templates, keys, mover, point(row, col)) for keys in (small, large)
                )
                for radius, a, b in zip(templates.radii, one, two, strict=True):
                    sees_far = max(row, col) + radius // 2 >= 11
                    assert (a == b) == (not sees_far)


def test_both_families_agree_where_they_share_a_radius() -> None:
    colors = wandered(9, 3, 50).color
    found: dict[tuple[int, int], int] = {}
    shared = 0
    for templates in ALL_TEMPLATES.values():
        keys = keys_from_scratch(templates, 9, colors)
        for p in all_points(9):
            for radius, key in zip(
                templates.radii, keys_at(templates, keys, WHITE, p), strict=True
            ):
                shared += (p, radius) in found
                assert found.setdefault((p, radius), key) == key
    assert shared == 81 * len(set(COULOM_CIRCLES.radii) & set(STERN_TEMPLATES.radii))


# -- pictures ------------------------------------------------------------------------------------


def katachis_picture(
    templates: Templates, colors: npt.NDArray[np.uint8], size: int, p: int, mover: int, ring: int,
    symmetry: int,
) -> Picture:  # fmt: skip
    t = tables(templates, size)
    count = int(t.points[ring])
    out = np.full(count, 9, np.uint8)
    picture(colors, size, p, mover, count, t.offset, t.image, symmetry, out)
    return from_katachis_order(out.tolist(), templates, ring)


@FAMILIES
@pytest.mark.parametrize("size", [5, 11])
def test_pictures(templates: Templates, size: int) -> None:
    """As they stand, and turned by every symmetry."""
    colors = wandered(size, size + 1, 3 * size).color
    stones = stones_of(colors, size)
    for mover in COLOURS:
        for p in all_points(size):
            for ring, radius in enumerate(templates.radii):
                upright = drawn(stones, size, row_col(p), SGF_COLOUR[mover], radius)
                turned = [
                    katachis_picture(templates, colors, size, p, mover, ring, symmetry)
                    for symmetry in (range(SYMMETRIES) if radius != BOARD or p % 7 == 0 else [0])
                ]
                assert turned[0] == upright
                assert {canonical(one, radius) for one in turned} == {canonical(upright, radius)}


@FAMILIES
def test_the_least_picture_is_one_for_all_sixteen(templates: Templates) -> None:
    size = 7
    stones = stones_of(wandered(size, 11, 25).color, size)

    def least(stones: Stones, place: Place, mover: int, ring: int) -> Picture:
        colors, p = colors_of(stones), point(*place)
        symmetry = least_symmetry(keys_from_scratch(templates, size, colors), mover, p, ring)
        return katachis_picture(templates, colors, size, p, mover, ring, symmetry)

    turns = set()
    for place in [(0, 0), (3, 3), (1, 4), (2, 6)]:
        for ring in range(len(templates)):
            one = least(stones, place, BLACK, ring)
            for symmetry in range(8):
                there = image(place, size, symmetry)
                twin = {image(at, size, symmetry): colour for at, colour in stones.items()}
                assert least(twin, there, BLACK, ring) == one
                exchanged = {at: EXCHANGED[colour] for at, colour in twin.items()}
                assert least(exchanged, there, WHITE, ring) == one
                keys = keys_from_scratch(templates, size, colors_of(twin))
                turns.add(least_symmetry(keys, BLACK, point(*there), ring))
    assert turns == set(range(8))


def test_keys_do_not_see_their_own_point() -> None:
    """A shape is what is around a move: the centre may be anything."""
    for templates in ALL_TEMPLATES.values():
        around = {(2, 3): "b", (5, 5): "w"}
        found = set()
        for centre in (None, "b", "w"):
            stones = around | ({} if centre is None else {(3, 3): centre})
            colors = colors_of(stones)
            assert (colors[point(3, 3)] == EMPTY) == (centre is None)
            keys = keys_from_scratch(templates, 7, colors)
            found.add(tuple(keys_at(templates, keys, BLACK, point(3, 3))))
        assert len(found) == 1
