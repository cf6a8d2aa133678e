"""Dead strings, seki and the score, on diagrams that a player can count."""

from __future__ import annotations

from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from katachi.go.points import AREA, BLACK, EMPTY, WHITE, all_points, vertex
from katachi.go.position import Position
from katachi.search.final import (
    all_strings,
    dead_strings,
    empty_regions,
    final_score,
    seki_strings,
    without,
)
from tests.go.helpers import any_move, string_at


def settled(text: str) -> tuple[Position, npt.NDArray[np.float64]]:
    """A position and its owners; a lower-case stone is a dead one."""
    position = Position.from_diagram(text)
    owners = np.full(AREA, 0.5)
    signs = text.replace(" ", "").replace("\n", "")
    for p, sign in zip(all_points(position.size), signs, strict=True):
        owners[p] = {"X": 0.9, "O": 0.1, "x": 0.2, "o": 0.8}.get(sign, 0.5)
    return position, owners


SPLIT = """
. . X O .
. . X O .
. o X O x
. . X O .
. . X O .
"""

DAME = """
. X . O .
o X . O .
. X X O .
. X O O .
. X O . .
"""

# The two strings at the top share two liberties, and nobody can fill one.
SEKI = """
. O X . O X .
. O X . O X .
. O X X O X .
. O O O X X .
. . O X X . .
. . O X . . .
. . O X . . .
"""

# The same with one shared liberty to each black string, which has an eye besides.
SEKI_WITH_EYES = """
O X . X . O . X . X O
O X X X X O X X X X O
O O O O O X O O O O O
. . O O X X X O O . .
. . O X . . . X O . .
. . O X . . . X O . .
. . O X . . . X O . .
. . O X . . . X O . .
. . O X . . . X O . .
. . O X . . . X O . .
. . O X . . . X O . .
"""

ALIVE = """
. X . X O . .
X X X X O . .
O O O O O . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
"""


@pytest.mark.parametrize(
    ("diagram", "chinese", "japanese", "tromp_taylor"),
    [
        # Area 15 - 10. Territory 10 - 5, a dead stone each. With those alive both sides of the
        # board are nobody's: 6 stones each.
        (SPLIT, 5, 5, 0),
        # Area 11 - 12, two points are nobody's. Territory 5 - 6, one dead white stone.
        (DAME, -1, 0, -7),
        # Area 13 stones and 12 points against 12 and 10: the strings in seki count.
        (SEKI, 3, 2, 3),
        # Area 30 + 21 + 2 eyes against 34 + 32; the eyes are no territory.
        (SEKI_WITH_EYES, -13, -11, -13),
        (ALIVE, 8 - 41, 2 - 34, 8 - 41),
    ],
)
def test_score(diagram: str, chinese: float, japanese: float, tromp_taylor: float) -> None:
    position, owners = settled(diagram)
    before = str(position)
    assert final_score(position, owners, 0, "chinese") == chinese
    assert final_score(position, owners, 0, "japanese") == japanese
    assert final_score(position, owners, 0, "tromp-taylor") == tromp_taylor
    assert final_score(position, owners, 6.5, "chinese") == chinese - 6.5
    assert str(position) == before


def names(strings: list[list[int]], size: int) -> list[str]:
    return [" ".join(vertex(p, size) for p in string) for string in strings]


def test_dead_strings() -> None:
    position, owners = settled(SPLIT)
    assert names(dead_strings(position, owners), 5) == ["B3", "E3"]
    left = without(position, dead_strings(position, owners))
    assert left.stone("B3") == left.stone("E3") == EMPTY
    assert position.stone("B3") == WHITE
    assert dead_strings(left, owners) == []


def test_a_string_dies_by_the_average_of_its_stones() -> None:
    position = Position(5)
    for place in ("A1", "B1", "C1"):
        position.play(place, BLACK)
    owners = np.full(AREA, 0.5)
    owners[position.string("A1")] = 0.9, 0.9, 0.0
    assert dead_strings(position, owners) == []
    owners[position.string("A1")] = 0.7, 0.7, 0.0
    assert dead_strings(position, owners) == [position.string("A1")]
    owners[position.string("A1")] = 0.5
    assert dead_strings(position, owners) == []  # in doubt it lives


def test_prisoners_count_in_japan() -> None:
    position = Position(5)
    for place in ("B5", "A5", "A4"):
        position.play(place, BLACK if place != "A5" else WHITE)
    assert position.captured(WHITE) == 1
    owners = np.ones(AREA)
    # All of the board is Black's: 2 stones, 23 points.
    assert final_score(position, owners, 0, "chinese") == 25
    assert final_score(position, owners, 0, "japanese") == 24


@pytest.mark.parametrize(
    ("diagram", "expected"),
    [
        (SEKI, ["C7 C6 C5 D5", "E7 E6 E5"]),
        (SEKI_WITH_EYES, ["B11 D11 B10 C10 D10 E10", "F11 F10", "H11 K11 G10 H10 J10 K10"]),
        (ALIVE, []),
        (SPLIT, []),
        (DAME, []),
        (". .\n. .", []),
        ("X . .\n. . .\n. . O", []),
    ],
)
def test_seki(diagram: str, expected: list[str]) -> None:
    position = Position.from_diagram(diagram)
    assert names(seki_strings(position), position.size) == expected


@pytest.mark.parametrize("seed", range(4))
def test_strings_and_regions_cover_the_board(seed: int) -> None:
    rng = Random(seed)
    position = Position(9)
    for _ in range(80):
        colour, p = any_move(position.board, rng)
        position.play(p, colour)
    strings, regions = all_strings(position), empty_regions(position)
    points = [p for found in [*strings, *(region for region, _ in regions)] for p in found]
    assert sorted(points) == all_points(9)
    colors = position.colors.tolist()
    for string in strings:
        assert set(string) == string_at(colors, string[0])[0]
    owners = position.owners()
    for region, border in regions:
        colours = {position.stone(p) for p in border}
        owner = colours.pop() if len(colours) == 1 else EMPTY
        assert {int(owners[p]) for p in region} == {owner}
