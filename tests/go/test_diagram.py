"""Diagrams: what is written is read back, what people write is read, mistakes name their line."""

from __future__ import annotations

from random import Random
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from katachi.go.diagram import draw_diagram, parse_diagram
from katachi.go.points import (
    AREA,
    BLACK,
    MAX_SIZE,
    MIN_SIZE,
    WHITE,
    all_points,
    from_vertex,
    star_points,
    vertex,
)
from tests.go.helpers import scattered, wandered


@given(
    size=st.integers(MIN_SIZE, MAX_SIZE),
    seed=st.integers(0, 2**32 - 1),
    weights=st.sampled_from([(1, 1, 1), (9, 1, 1), (0, 1, 1), (1, 0, 0)]),
)
def test_round_trip(size: int, seed: int, weights: tuple[int, int, int]) -> None:
    colors = scattered(size, Random(seed), weights)
    text = draw_diagram(size, colors)
    again, read = parse_diagram(text)
    assert again == size
    assert read.tolist() == colors.tolist()
    assert draw_diagram(again, read) == text


def test_walls_of_a_board_are_not_drawn() -> None:
    b = wandered(5, seed=1, length=20)
    size, colors = parse_diagram(draw_diagram(5, b.color))
    points = all_points(5)
    assert size == 5
    assert colors[points].tolist() == b.color[points].tolist()
    assert colors.shape == (AREA,)


# The picture of the module's docstring.
EXAMPLE = """
      A B C D E
    5 . . . . . 5
    4 . . X . . 4
    3 . X . O . 3
    2 . . + . . 2
    1 . . . . . 1
      A B C D E
"""
STONES = {"C4": BLACK, "B3": BLACK, "D3": WHITE}


def stones(size: int, text: str) -> dict[str, int]:
    found, colors = parse_diagram(text)
    assert found == size
    assert set(colors.tolist()) <= {0, BLACK, WHITE}
    return {vertex(p, size): int(colors[p]) for p in all_points(size) if colors[p]}


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE,
        dedent(EXAMPLE),
        EXAMPLE.strip(),
        EXAMPLE.replace("\n", "\r\n"),
        ".....\n..X..\n.X.O.\n.....\n.....",
        "5 .....\n4 ..X..\n3 .X.O.\n2 .....\n1 .....\n  ABCDE",
        "..... 5\n..X.. 4\n.X.O. 3\n..... 2\n..... 1",
        "\n\n- - - - -\n\n- - # - -\n- x , o -\n- - + - -\n- - - - -\n\n",
        ". . . . .\n. . @ . .\n. B . W .\n. . . . .\n. . . . .",
    ],
)
def test_accepted_forms(text: str) -> None:
    assert stones(5, text) == STONES


@pytest.mark.parametrize("sign", "Xx#@B")
def test_black_signs(sign: str) -> None:
    assert stones(2, f"{sign} .\n. .") == {"A2": BLACK}


@pytest.mark.parametrize("sign", ["O", "o", "0", "W"])
def test_white_signs(sign: str) -> None:
    assert stones(3, f"...\n.{sign}{sign}\n...") == {"B2": WHITE, "C2": WHITE}


@pytest.mark.parametrize("text", ["0 . .\n. . .\n. . 0", "3 0 . .\n2 . . .\n1 . . 0"])
def test_zeros_at_the_edge(text: str) -> None:
    assert stones(3, text) == {"A3": WHITE, "C1": WHITE}


def test_black_in_the_first_columns_is_no_line_of_letters() -> None:
    assert stones(2, "BB\n..") == {"A2": BLACK, "B2": BLACK}


def test_drawn_form() -> None:
    size, colors = parse_diagram(".......\n" * 7)
    colors[from_vertex("C5", 7)] = BLACK  # on a star point, which it hides
    colors[from_vertex("G1", 7)] = WHITE
    assert draw_diagram(size, colors).splitlines() == [
        "   A B C D E F G",
        " 7 . . . . . . . 7",
        " 6 . . . . . . . 6",
        " 5 . . X . + . . 5",
        " 4 . . . + . . . 4",
        " 3 . . + . + . . 3",
        " 2 . . . . . . . 2",
        " 1 . . . . . . O 1",
        "   A B C D E F G",
    ]


@pytest.mark.parametrize("size", [9, 10, 19])
def test_drawn_lines_have_their_numbers(size: int) -> None:
    colors = scattered(size, Random(0), (1, 0, 0))
    top, *lines, bottom = draw_diagram(size, colors).splitlines()
    assert top == bottom
    for number, line in zip(range(size, 0, -1), lines, strict=True):
        assert line[:2] == f"{number:2}"
        assert line.split()[0] == line.split()[-1] == str(number)
        assert line.index(line.split()[1]) == 3 == top.index("A")
    assert sum(line.count("+") for line in lines) == len(star_points(size))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a diagram has 2 to 19 rows, this one 0"),
        (".", "a diagram has 2 to 19 rows, this one 1"),
        (("." * 20 + "\n") * 20, "a diagram has 2 to 19 rows, this one 20"),
        (". . .\n. .\n. . .", "line 2 has 2 points, the diagram 3 rows"),
        ("...\n...\n\n....", "line 4 has 4 points, the diagram 3 rows"),
        ("  A B\n2 . .\n1 . ?", "line 3: '?' is neither stone nor empty point"),
        ("\n. .\n. A", "line 3: 'A' is neither stone nor empty point"),
        (". .\n. .\n. .", "line 1 has 2 points, the diagram 3 rows"),
    ],
)
def test_mistakes_name_their_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        parse_diagram(text)
    assert str(caught.value) == message
