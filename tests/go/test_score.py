"""Area scoring against sgfmill's, and the owners of points against flood fill."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from katachi.go.board import Board, new_board, set_stones
from katachi.go.diagram import parse_diagram
from katachi.go.points import AREA, BLACK, EMPTY, MAX_SIZE, MIN_SIZE, WALL, WHITE, all_points
from katachi.go.score import area_owners, area_score, settled_score
from tests.go.helpers import NEAR, Oracle, region, scattered, wandered


def plain_owners(b: Board) -> list[int]:
    """The owner of each point by flood fill; walls have none."""
    colors = b.color.tolist()
    owners = [EMPTY if c == WALL else c for c in colors]
    todo = {p for p in all_points(int(b.side)) if colors[p] == EMPTY}
    while todo:
        room = region(colors, todo.pop())
        todo -= room
        border = {colors[q] for p in room for q in NEAR[p]} & {BLACK, WHITE}
        if len(border) == 1:
            for p in room:
                owners[p] = min(border)
    return owners


def assert_scored(b: Board) -> None:
    owners = np.full(AREA, 77, np.uint8)  # whatever was there before is overwritten
    expected = plain_owners(b)
    score = expected.count(BLACK) - expected.count(WHITE)
    assert score == Oracle.of(b).area_score()  # the two oracles agree
    assert area_owners(b, owners) == score
    assert owners.tolist() == expected
    assert area_score(b) == score


@settings(max_examples=60)
@given(
    size=st.integers(MIN_SIZE, MAX_SIZE), seed=st.integers(0, 2**32 - 1), length=st.integers(0, 300)
)
def test_random_games(size: int, seed: int, length: int) -> None:
    assert_scored(wandered(size, seed, length))


@pytest.mark.parametrize("size", range(MIN_SIZE, MAX_SIZE + 1))
def test_scattered_stones(size: int) -> None:
    """From the empty board over large regions to many small ones."""
    b = new_board(size)
    assert_scored(b)
    for weights in [(60, 1, 0), (60, 1, 1), (20, 1, 1), (3, 1, 1), (1, 2, 1), (1, 4, 4), (0, 1, 1)]:
        set_stones(b, scattered(size, Random(size), weights))
        assert_scored(b)


# (diagram, owners by the same signs, score)
KNOWN = [
    ("...\n...\n...", "...\n...\n...", 0),
    ("...\n.X.\n...", "XXX\nXXX\nXXX", 9),
    ("X.O\n...\n...", "X.O\n...\n...", 0),
    (".X.O.\n.X.O.\n.X.O.\n.X.OO\n.X.O.", "XX.OO\nXX.OO\nXX.OO\nXX.OO\nXX.OO", 0),
    (".X.\nX.X\n.XO", "XXX\nXXX\nXXO", 7),
    # as in seki: liberties that both sides share are nobody's, White's eye is White's
    (".XO.X\nOXOXX\nOXOXX\nOXOOO\n.XO.O", ".XO.X\nOXOXX\nOXOXX\nOXOOO\n.XOOO", -2),
    # no stone is dead: White's lone stone spoils all of Black's room
    (".....\n.XXX.\n.X.X.\n.XXX.\n....O", ".....\n.XXX.\n.XXX.\n.XXX.\n....O", 8),
]


@pytest.mark.parametrize(("diagram", "owned", "score"), KNOWN)
def test_known_score(diagram: str, owned: str, score: int) -> None:
    size, colors = parse_diagram(diagram)
    _, expected = parse_diagram(owned)
    b = new_board(size)
    set_stones(b, colors)
    owners = np.zeros(AREA, np.uint8)
    assert area_owners(b, owners) == score
    assert owners.tolist() == expected.tolist()
    assert_scored(b)


@pytest.mark.parametrize("size", range(MIN_SIZE, MAX_SIZE + 1))
def test_settled_score_where_no_two_empty_points_touch(size: int) -> None:
    rng = Random(size)
    b = new_board(size)
    points = all_points(size)
    alone = 0
    for _ in range(20):
        colors = scattered(size, rng, (1, 2, 2))
        for p in points:  # fill one of each two empty points that touch
            later = [q for q in NEAR[p] if q > p and q in points]
            if colors[p] == EMPTY and any(colors[q] == EMPTY for q in later):
                colors[p] = rng.choice((BLACK, WHITE))
        set_stones(b, colors)
        alone += int(b.empties)
        assert settled_score(b) == area_score(b) == Oracle.of(b).area_score()
    assert alone > 0
