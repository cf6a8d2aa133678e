"""Keys: kept up to date as computed anew, and equal where pictures are equal, there alone."""

from __future__ import annotations

from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from katachi.go.board import Board, legal_points, new_board, play, set_stones
from katachi.go.points import (
    AREA,
    BLACK,
    EMPTY,
    NONE,
    PASS,
    WALL,
    WHITE,
    all_points,
    other,
    point,
    row_col,
)
from katachi.go.symmetry import SYMMETRIES
from katachi.patterns.shapes.keys import (
    Keys,
    empty_codes,
    follow,
    least_symmetry,
    picture,
    template_keys,
    toggle,
)
from katachi.patterns.shapes.templates import (
    ALL_TEMPLATES,
    COULOM_CIRCLES,
    LIBERTIES,
    LIBERTY_CIRCLES,
    MARKED,
    MARKED_CIRCLES,
    PLAIN,
    STERN_TEMPLATES,
    Templates,
    tables,
)
from tests.go.helpers import COLOURS, SGF_COLOUR, any_move, scattered, wandered
from tests.kept import holds
from tests.patterns.shape_oracle import (
    BOARD,
    EXCHANGED,
    VIEWS,
    Picture,
    Place,
    Shape,
    Stones,
    added,
    board_codes,
    canonical,
    codes_of,
    forms,
    from_katachis_order,
    places,
    shapes_at,
    stones_of,
)
from tests.patterns.shape_oracle import picture as drawn

FAMILIES = pytest.mark.parametrize("templates", ALL_TEMPLATES.values(), ids=ALL_TEMPLATES)


def keys_from_scratch(templates: Templates, size: int, codes: npt.NDArray[np.uint8]) -> Keys:
    """The keys of a position, computed stone by stone from the empty board."""
    t = tables(templates, size)
    keys = t.empty_keys.copy()
    for q in np.flatnonzero((codes != EMPTY) & (codes != WALL)):
        toggle(keys, int(q), int(codes[q]), t)
    return keys


def keys_at(templates: Templates, keys: Keys, mover: int, p: int) -> list[int]:
    """The key of each template around p."""
    out = np.zeros(len(templates), np.uint64)
    template_keys(keys, mover, p, tables(templates, 19).salt, out)
    return out.tolist()


# -- up to date ----------------------------------------------------------------------------------


@pytest.mark.slow
@FAMILIES
@pytest.mark.parametrize(("size", "length"), [(5, 250), (9, 250), (13, 200), (19, 250)])
def test_keys_follow_a_game(templates: Templates, size: int, length: int) -> None:
    rng = Random(size)
    b = new_board(size)
    followed = tables(templates, size).empty_keys.copy()
    toggled = followed.copy()
    codes = b.color.copy()
    captures = 0
    for _ in range(length):
        colour, p = any_move(b, rng)
        captures += play(b, p, colour) > 0
        before, now = codes.copy(), board_codes(templates, b, p)
        changed = np.flatnonzero(before != now)
        count = follow(followed, codes, b, tables(templates, size))
        assert count == len(changed)
        assert np.array_equal(codes, now)
        for q in changed.tolist():
            for code in (int(before[q]), int(now[q])):  # what went, and what came
                if code != EMPTY:
                    toggle(toggled, q, code, tables(templates, size))
        fresh = keys_from_scratch(templates, size, now)
        assert np.array_equal(followed, fresh)
        assert np.array_equal(toggled, fresh)
    assert captures > 10


@FAMILIES
def test_keys_follow_any_change(templates: Templates) -> None:
    """Other stones, without liberty or not, and another previous move, or none."""
    size = 7
    rng = Random(7)
    b = new_board(size)
    keys = tables(templates, size).empty_keys.copy()
    codes = b.color.copy()
    seen = set()
    thin_and_dense = [(1, 1, 1), (0, 1, 1), (0, 1, 1), (1, 0, 0), (5, 1, 0), (5, 0, 1), (1, 2, 2)]
    for weights in thin_and_dense * 2:
        set_stones(b, scattered(size, rng, weights))
        for previous in (NONE, *rng.sample(all_points(size), 5), PASS):
            b.previous[0] = previous
            now = board_codes(templates, b, previous)
            changed = int(np.count_nonzero(codes != now))
            assert follow(keys, codes, b, tables(templates, size)) == changed
            assert np.array_equal(codes, now)
            assert np.array_equal(keys, keys_from_scratch(templates, size, now))
            assert follow(keys, codes, b, tables(templates, size)) == 0
            seen |= set(now[all_points(size)].tolist())
    every = {PLAIN: {0, 1, 2}, MARKED: {0, 1, 2, 5, 6}, LIBERTIES: {0, 1, 2, 5, 6, 9, 10, 13, 14}}
    assert seen == every[templates.view]


class Step(NamedTuple):
    """What happens to a board: a legal move of either colour, a pass, or stones put and taken."""

    kind: str
    number: int  # which of the moves, or of the ways to put stones
    watched: bool  # whether the keys are brought up to it at once


STEPS = st.builds(
    Step,
    st.sampled_from(["move", "move", "move", "move", "out of turn", "pass", "setup"]),
    st.integers(0, 10**6),
    st.booleans(),
)


def take_step(b: Board, step: Step) -> int:
    """Do it; returns what is the previous move then: a point, PASS, or NONE."""
    if step.kind == "setup":
        colors = b.color.copy()
        for p, c in zip(all_points(int(b.side)), digits(step.number), strict=False):
            colors[p] = c if colors[p] == EMPTY or c == EMPTY else colors[p]
        before = b.color.copy()
        if not set_stones(b, colors):
            set_stones(b, before)
        return NONE
    colour = int(b.to_move) if step.kind != "out of turn" else other(int(b.to_move))
    out = np.zeros(361, np.int16)
    legal = out[: legal_points(b, colour, out)].tolist()
    p = legal[step.number % len(legal)] if legal and step.kind != "pass" else PASS
    play(b, p, colour)
    return int(p)


def digits(number: int) -> list[int]:
    return [number // 3**i % 3 for i in range(13)]


@pytest.mark.slow
@given(size=st.sampled_from([2, 3, 4, 6, 9]), steps=st.lists(STEPS, max_size=40))
def test_keys_of_all_views_follow_any_game(size: int, steps: list[Step]) -> None:
    """Also where nobody looked for some moves."""
    b = new_board(size)
    followed = {name: tables(t, size).empty_keys.copy() for name, t in ALL_TEMPLATES.items()}
    codes = {name: empty_codes(size) for name in ALL_TEMPLATES}
    for step in [*steps, Step("pass", 0, True)]:
        previous = take_step(b, step)
        if not step.watched:
            continue
        for name, t in ALL_TEMPLATES.items():
            follow(followed[name], codes[name], b, tables(t, size))
            now = board_codes(t, b, previous)
            assert np.array_equal(codes[name], now)
            assert np.array_equal(followed[name], keys_from_scratch(t, size, now))


# -- equal keys, equal pictures ------------------------------------------------------------------


def some_positions() -> list[tuple[int, npt.NDArray[np.uint8], Place | None]]:
    """(size, colours, previous move): all of 2x2, games, and stones at random, thin and dense."""
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
    stones = [stones_of(colors, size) for size, colors in found]
    return [
        (size, colors, some_stone(here) if here else None)
        for (size, colors), here in zip(found, stones, strict=True)
    ]


@pytest.mark.slow
def test_keys_are_equal_where_pictures_are() -> None:
    """In all positions, sizes, views, families and templates, for both movers."""
    told: list[KeysOfPosition] = []
    for size, colors, previous in some_positions():
        stones = stones_of(colors, size)
        for templates in ALL_TEMPLATES.values():
            more = added(VIEWS[templates.name], stones, size, previous)
            keys = keys_from_scratch(templates, size, codes_of(stones, more))
            points = all_points(size)[:: 1 if size < 9 else 2 if size < 13 else 5]
            found = [
                (SGF_COLOUR[mover], row_col(p), keys_at(templates, keys, mover, p))
                for mover in COLOURS
                for p in points
            ]
            told.append((stones, size, templates.name, templates.radii, previous, found))
    all_keys = [key for *_, found in told for *_, keys in found for key in keys]
    # Neither could fail if every picture were another, or all the same.
    assert 20_000 < len(set(all_keys)) < len(all_keys) / 2
    assert 0 not in all_keys
    holds(compare, told)


KeysOfPosition: TypeAlias = tuple[
    dict[Place, str], int, str, tuple[int, ...], Place | None, list[tuple[str, Place, list[int]]]
]


def compare(told: list[KeysOfPosition]) -> None:
    """One key for one picture: stones, size, templates and radii, the previous move, the keys of
    each radius for a mover and a place.
    """
    by_key: dict[int, Shape] = {}
    by_shape: dict[Shape, int] = {}
    for stones, size, name, radii, previous, found in told:
        more = added(VIEWS[name], stones, size, previous)
        for mover, place, keys in found:
            shapes = shapes_at(stones, size, place, mover, radii, more)
            for key, shape in zip(keys, shapes, strict=True):
                assert by_key.setdefault(key, shape) == shape
                assert by_shape.setdefault(shape, key) == key


def some_stone(stones: Stones) -> Place:
    """One of them, which was played last, let us say."""
    return sorted(stones)[len(stones) // 3]


def codes_in(
    templates: Templates, stones: Stones, size: int, previous: Place | None
) -> npt.NDArray[np.uint8]:
    """What the templates' view sees of these stones."""
    return codes_of(stones, added(VIEWS[templates.name], stones, size, previous))


@FAMILIES
@pytest.mark.parametrize("size", [5, 9, 19])
def test_sixteen_pictures_have_one_key(templates: Templates, size: int) -> None:
    stones = stones_of(wandered(size, size, size * size // 2).color, size)
    previous = some_stone(stones)
    keys = keys_from_scratch(templates, size, codes_in(templates, stones, size, previous))
    for symmetry in range(8):
        for exchange in (False, True):
            twin = {
                image(place, size, symmetry): EXCHANGED[colour] if exchange else colour
                for place, colour in stones.items()
            }
            codes = codes_in(templates, twin, size, image(previous, size, symmetry))
            assert codes.max() > WALL or templates.view == PLAIN
            twins = keys_from_scratch(templates, size, codes)
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
    keys = keys_from_scratch(COULOM_CIRCLES, 9, codes_of({(4, 5): "b"}, {}))
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
        small, large = (
            keys_from_scratch(templates, size, codes_in(templates, corner, size, (1, 1)))
            for size in (11, 19)
        )
        for mover in COLOURS:
            for row, col in np.ndindex(5, 5):
                one, two = (
                    keys_at(templates, keys, mover, point(row, col)) for keys in (small, large)
                )
                for radius, a, b in zip(templates.radii, one, two, strict=True):
                    sees_far = max(row, col) + radius // 2 >= 11
                    assert (a == b) == (not sees_far)


def test_both_plain_families_agree_where_they_share_a_radius() -> None:
    colors = wandered(9, 3, 50).color
    found: dict[tuple[int, int], int] = {}
    shared = 0
    for templates in (COULOM_CIRCLES, STERN_TEMPLATES):
        keys = keys_from_scratch(templates, 9, colors)
        for p in all_points(9):
            for radius, key in zip(
                templates.radii, keys_at(templates, keys, WHITE, p), strict=True
            ):
                shared += (p, radius) in found
                assert found.setdefault((p, radius), key) == key
    assert shared == 81 * len(set(COULOM_CIRCLES.radii) & set(STERN_TEMPLATES.radii))


@pytest.mark.parametrize("templates", [MARKED_CIRCLES, LIBERTY_CIRCLES], ids=lambda t: t.name)
def test_a_view_differs_where_it_adds_something(templates: Templates) -> None:
    """A circle has another key than the plain one if, and only if, it shows more."""
    size = 13
    stones = stones_of(wandered(size, 5, 30).color, size)
    more = added(VIEWS[templates.name], stones, size, some_stone(stones))
    keys = keys_from_scratch(templates, size, codes_of(stones, more))
    plain = keys_from_scratch(COULOM_CIRCLES, size, codes_of(stones, {}))
    seen = []
    for mover in COLOURS:
        for p in all_points(size):
            row, col = row_col(p)
            one, two = keys_at(templates, keys, mover, p), keys_at(COULOM_CIRCLES, plain, mover, p)
            for radius, a, b in zip(templates.radii, one, two, strict=False):
                there = {(row + dy, col + dx) for dy, dx in places(radius)}
                seen.append(bool(there & more.keys()))
                assert (a != b) == seen[-1]
    assert 0 < sum(seen) < len(seen)


# -- pictures ------------------------------------------------------------------------------------


def katachis_picture(
    templates: Templates,
    codes: npt.NDArray[np.uint8],
    size: int,
    p: int,
    mover: int,
    ring: int,
    symmetry: int,
) -> Picture:
    t = tables(templates, size)
    count = int(t.points[ring])
    out = np.full(count, 9, np.uint8)
    assert picture(codes, size, p, mover, ring, t, symmetry, out) == count
    return from_katachis_order(out.tolist(), templates, ring)


@FAMILIES
@pytest.mark.parametrize("size", [5, 11])
def test_pictures(templates: Templates, size: int) -> None:
    """As they stand, and turned by every symmetry."""
    stones = stones_of(wandered(size, size + 1, 3 * size).color, size)
    more = added(VIEWS[templates.name], stones, size, some_stone(stones))
    codes = codes_of(stones, more)
    for mover in COLOURS:
        for p in all_points(size):
            for ring, radius in enumerate(templates.radii):
                upright = drawn(stones, size, row_col(p), SGF_COLOUR[mover], radius, more)
                turned = [
                    katachis_picture(templates, codes, size, p, mover, ring, symmetry)
                    for symmetry in (range(SYMMETRIES) if radius != BOARD or p % 7 == 0 else [0])
                ]
                assert turned[0] == upright
                assert {canonical(one, radius) for one in turned} == {canonical(upright, radius)}


@FAMILIES
def test_the_least_picture_is_one_for_all_sixteen(templates: Templates) -> None:
    size = 7
    stones = stones_of(wandered(size, 11, 25).color, size)
    previous = some_stone(stones)

    def least(
        stones: Stones, previous: Place, place: Place, mover: int, ring: int
    ) -> tuple[int, Picture]:
        codes, p = codes_in(templates, stones, size, previous), point(*place)
        symmetry = least_symmetry(keys_from_scratch(templates, size, codes), mover, p, ring)
        return symmetry, katachis_picture(templates, codes, size, p, mover, ring, symmetry)

    turns = set()
    for place in [(0, 0), (3, 3), (1, 4), (2, 6)]:
        for ring in range(len(templates)):
            _, one = least(stones, previous, place, BLACK, ring)
            for symmetry in range(8):
                there, last = (image(at, size, symmetry) for at in (place, previous))
                twin = {image(at, size, symmetry): colour for at, colour in stones.items()}
                turn, same = least(twin, last, there, BLACK, ring)
                assert same == one
                turns.add(turn)
                exchanged = {at: EXCHANGED[colour] for at, colour in twin.items()}
                assert least(exchanged, last, there, WHITE, ring)[1] == one
    assert turns == set(range(8))


def test_keys_do_not_see_their_own_point() -> None:
    """A shape is what is around a move: the centre may be anything."""
    for templates in ALL_TEMPLATES.values():
        extra = {PLAIN: 0, MARKED: 1, LIBERTIES: 2}[templates.view]
        codes = codes_of({(2, 3): "b", (5, 5): "w"}, {(2, 3): extra})
        found = set()
        for centre in (EMPTY, BLACK + 4 * extra, WHITE + 4 * extra):
            codes[point(3, 3)] = centre
            keys = keys_from_scratch(templates, 7, codes)
            found.add(tuple(keys_at(templates, keys, BLACK, point(3, 3))))
        assert len(found) == 1
