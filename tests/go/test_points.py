"""The names of points, against sgfmill's."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sgfmill import common, sgf_properties

from katachi.go.points import (
    AREA,
    FIRST,
    MAX_SIZE,
    MIN_SIZE,
    NONE,
    PASS,
    STRIDE,
    all_points,
    from_letters,
    from_vertex,
    handicap_points,
    letters,
    on_board,
    other,
    point,
    row_col,
    star_points,
    vertex,
)
from tests.go.helpers import from_place, to_place

SIZES = range(MIN_SIZE, MAX_SIZE + 1)
sizes = st.integers(MIN_SIZE, MAX_SIZE)


# -- round trips ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_every_name_leads_back_to_the_point(size: int) -> None:
    points = all_points(size)
    assert len(set(points)) == size * size
    for p in points:
        assert point(*row_col(p)) == p
        assert from_vertex(vertex(p, size), size) == p
        assert from_vertex(vertex(p, size).lower(), size) == p
        assert from_letters(letters(p), size) == p
    assert len({vertex(p, size) for p in points}) == size * size
    assert len({letters(p) for p in points}) == size * size


@pytest.mark.parametrize("size", SIZES)
def test_names_are_those_of_sgfmill(size: int) -> None:
    for p in all_points(size):
        place = to_place(p, size)
        assert vertex(p, size) == common.format_vertex(place)
        assert common.move_from_vertex(vertex(p, size), size) == place
        assert letters(p).encode() == sgf_properties.serialise_go_point(place, size)
        assert from_place(sgf_properties.interpret_go_point(letters(p).encode(), size), size) == p


def test_the_glossary_tells_the_truth() -> None:
    """The example in the module's docstring, and the constants around it."""
    p = 95
    assert row_col(p) == (3, 14)
    assert vertex(p, 19) == "P16"
    assert letters(p) == "od"
    assert FIRST == point(0, 0) == all_points(9)[0]
    assert point(1, 0) - point(0, 0) == STRIDE
    assert max(all_points(19)) + STRIDE + 1 == AREA - 1
    assert other(1) == 2
    assert other(2) == 1


@pytest.mark.parametrize("size", SIZES)
def test_all_points_are_in_reading_order(size: int) -> None:
    assert [row_col(p) for p in all_points(size)] == [
        (row, col) for row in range(size) for col in range(size)
    ]


@pytest.mark.parametrize("size", SIZES)
def test_on_board(size: int) -> None:
    inside = set(all_points(size))
    assert {p for p in range(-50, AREA + 50) if on_board(p, size)} == inside
    assert not on_board(PASS, size)
    assert not on_board(NONE, size)


@pytest.mark.parametrize("size", SIZES)
def test_pass(size: int) -> None:
    assert vertex(PASS, size) == "pass"
    assert letters(PASS) == ""
    for text in ("pass", "PASS", "Pass", " pass "):
        assert from_vertex(text, size) == PASS
    for text in ("", "tt"):
        assert from_letters(text, size) == PASS


# -- what is no name -----------------------------------------------------------------------------

BAD_VERTICES = (
    "",
    " ",
    "D",
    "4",
    "4D",
    "D0",
    "D-1",
    "D+1",
    "D1.0",
    "D 4",
    "D_4",
    "D4x",
    "DD4",
    "D²",
    "D٤",
    "I5",
    "i5",
    "Z1",
    "U1",
    "pas",
    "passe",
    "resign",
    "None",
    "@4",
    "Ä4",
    "D10",
    "K1",
    "D1000000",
    "ſ4",
)


@pytest.mark.parametrize("text", BAD_VERTICES)
def test_bad_vertex(text: str) -> None:
    """On 9x9, but for what would be good on 19x19 only by an accident."""
    size = 19 if text == "ſ4" else 9
    with pytest.raises(ValueError, match=f"is no vertex of a {size}x{size} board"):
        from_vertex(text, size)


@pytest.mark.parametrize("text", ["a", "aaa", "AA", "a1", "ja", "aj", "zz", "ss", "  ", "éa", "`a"])
def test_bad_letters(text: str) -> None:
    with pytest.raises(ValueError, match="is no point of a 9x9 board"):
        from_letters(text, 9)


def attempt(read: Callable[[str, int], int], text: str, size: int) -> int | None:
    """What was read, or None for a ValueError."""
    try:
        return read(text, size)
    except ValueError:
        return None


def sgfmill_vertex(text: str, size: int) -> int:
    return from_place(common.move_from_vertex(text, size), size)


@given(text=st.from_regex(r"[A-Za-z][0-9]{1,3}", fullmatch=True), size=sizes)
def test_vertices_are_read_as_sgfmill_reads_them(text: str, size: int) -> None:
    assert attempt(from_vertex, text, size) == attempt(sgfmill_vertex, text, size)


@given(text=st.text(max_size=5) | st.text("ABTIabti0129 -+", max_size=4), size=sizes)
@example("A", 9)
@example("٤", 9)
def test_garbage_is_refused_or_names_a_point(text: str, size: int) -> None:
    p = attempt(from_vertex, text, size)
    if p is not None and p != PASS:
        assert on_board(p, size)
        letter, line = text.strip().upper()[:1], text.strip()[1:]
        assert vertex(p, size) == letter + line.lstrip("0")
    p = attempt(from_letters, text, size)
    if p is not None:
        assert letters(p) == text or (p == PASS and text == "tt")


# -- stars and handicaps -------------------------------------------------------------------------

STARS = {
    7: "C3 C5 E3 E5 D4",
    8: "C3 C6 F3 F6",
    9: "C3 C7 G3 G7 E5",
    11: "C3 C9 J3 J9 F6",
    12: "C3 C10 K3 K10",
    13: "D4 D10 K4 K10 G7",
    14: "D4 D11 L4 L11",
    15: "D4 D8 D12 H4 H8 H12 M4 M8 M12",
    18: "D4 D15 P4 P15",
    19: "D4 D10 D16 K4 K10 K16 Q4 Q10 Q16",
}


@pytest.mark.parametrize("size", STARS)
def test_star_points(size: int) -> None:
    stars = star_points(size)
    assert {vertex(p, size) for p in stars} == set(STARS[size].split())
    assert stars == sorted(set(stars))


@pytest.mark.parametrize("size", SIZES)
def test_star_points_are_symmetric_and_on_the_board(size: int) -> None:
    spots = {row_col(p) for p in star_points(size)}
    assert bool(spots) == (size >= 7)
    for row, col in spots:
        assert on_board(point(row, col), size)
        assert {(col, row), (size - 1 - row, col)} <= spots


# GTP's table for 19x19 (section 4.1.1). On other boards D, K and Q stand for the third or fourth
# line, the middle and the opposite line.
HANDICAPS = {
    2: "D4 Q16",
    3: "D4 Q16 D16",
    4: "D4 Q16 D16 Q4",
    5: "D4 Q16 D16 Q4 K10",
    6: "D4 Q16 D16 Q4 D10 Q10",
    7: "D4 Q16 D16 Q4 D10 Q10 K10",
    8: "D4 Q16 D16 Q4 D10 Q10 K4 K16",
    9: "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
}


def most_stones(size: int) -> int:
    if size < 7:
        return 0
    return 9 if size in (9, 11, 13, 15, 17, 19) else 4


@pytest.mark.parametrize("size", SIZES)
def test_handicap_points(size: int) -> None:
    edge = 4 if size > 11 else 3
    line = {4: edge, 10: (size + 1) // 2, 16: size + 1 - edge}
    for stones in range(2, most_stones(size) + 1):
        spots = [from_vertex(name, 19) for name in HANDICAPS[stones].split()]
        expected = [
            point(size - line[19 - row], line[col + 1] - 1) for row, col in map(row_col, spots)
        ]
        assert handicap_points(size, stones) == expected


@pytest.mark.parametrize("size", SIZES)
def test_handicaps_that_do_not_exist(size: int) -> None:
    for stones in [-1, 0, 1, *range(max(2, most_stones(size) + 1), 12)]:
        with pytest.raises(ValueError, match=f"no fixed handicap of {stones} stones"):
            handicap_points(size, stones)
