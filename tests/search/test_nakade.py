"""Nakade in playouts, against shapes listed by hand and regions found with sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from katachi.go.board import Board, play
from katachi.go.kernel import kernel
from katachi.go.points import AREA, BLACK, EMPTY, PASS, STRIDE, WHITE, from_vertex
from katachi.go.position import Position
from katachi.go.rng import new_rng
from katachi.search.nakade import vital_point
from katachi.search.sampler import new_sampler, start
from tests.go.helpers import NEAR
from tests.search.test_sampler import GAMMAS, drawn, step, turns, weigh

NAKADE = GAMMAS._replace(nakade=0.9)

# Each shape that one stone kills, its vital point marked: the shapes of the books.
KILLED = (
    (".*.",),
    ("*.", ". "),
    (".*.", " . "),
    (".*.", ".. "),
    (" . ", ".*.", " . "),
    (".. ", ".*.", " . "),
)


def cells(rows: tuple[str, ...]) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """(all places of a drawn shape, the vital one)."""
    places = [(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign != " "]
    ((r, c),) = [(r, c) for r, c in places if rows[r][c] == "*"]
    return places, (r, c)


def known() -> dict[frozenset[tuple[int, int]], tuple[int, int]]:
    """Shape, moved to the corner → its vital point, in all its turns."""
    found = {}
    for rows in KILLED:
        places, vital = cells(rows)
        for shape, (point,) in zip(turns(places), turns_beside(places, vital), strict=True):
            found[shape] = point
    return found


def turns_beside(
    places: list[tuple[int, int]], vital: tuple[int, int]
) -> list[frozenset[tuple[int, int]]]:
    """Where the vital point is in each of the shape's `turns`, in a set of its own."""
    found = []
    points, mine = places, [vital]
    for _ in range(2):
        for _ in range(4):
            points = [(c, -r) for r, c in points]
            mine = [(c, -r) for r, c in mine]
            top, left = min(r for r, _ in points), min(c for _, c in points)
            found.append(frozenset((r - top, c - left) for r, c in mine))
        points = [(r, -c) for r, c in points]
        mine = [(r, -c) for r, c in mine]
    return found


SHAPES = known()


def slow_vital(board: Board, mover: int) -> set[int]:
    """The vital points next to the previous move."""
    previous = int(board.previous[0])
    color = board.color.tolist()
    if previous <= PASS or color[previous] != 3 - mover:
        return set()
    found = set()
    for first in NEAR[previous]:
        if color[first] != EMPTY:
            continue
        region, todo = {first}, [first]
        while todo:
            for q in NEAR[todo.pop()]:
                if color[q] == EMPTY and q not in region:
                    region.add(q)
                    todo.append(q)
        if any(color[q] == mover for p in region for q in NEAR[p]):
            continue
        places = [divmod(p, STRIDE) for p in region]
        top, left = min(r for r, _ in places), min(c for _, c in places)
        vital = SHAPES.get(frozenset((r - top, c - left) for r, c in places))
        if vital is not None:
            found.add((vital[0] + top) * STRIDE + vital[1] + left)
    return found


@kernel
def fast_vital(b: Board, s: Any, c: int) -> int:
    return vital_point(b, s, c)


@given(st.integers(0, 10**6), st.sampled_from([3, 5, 7, 9]))
def test_the_vital_point_is_that_of_the_books(seed: int, size: int) -> None:
    board = Position(size).board
    sampler, rng = new_sampler(), new_rng(seed)
    start(board, sampler)
    for _ in range(3 * size * size):
        step(board, sampler, GAMMAS, rng)
        if board.passes == 2:
            break
        mover = int(board.to_move)
        wanted = slow_vital(board, mover)
        assert fast_vital(board, sampler, mover) in (wanted or {PASS})
        assert fast_vital(board, sampler, 3 - mover) == PASS


@pytest.mark.parametrize("rows", KILLED)
def test_each_shape_is_killed(rows: tuple[str, ...]) -> None:
    """In the middle of a white wall, after White's last stone of it."""
    places, (row, col) = cells(rows)
    space = {(r + 3, c + 3) for r, c in places}
    last = (2, 3 + places[0][1])
    colors = np.zeros(AREA, np.uint8)
    for r in range(9):
        for c in range(9):
            if (r, c) not in space | {last, (0, 0), (8, 8)}:
                colors[(r + 1) * STRIDE + c + 1] = WHITE
    board = Position.from_stones(9, colors, WHITE).board
    play(board, (last[0] + 1) * STRIDE + last[1] + 1, WHITE)
    vital = (row + 4) * STRIDE + col + 4
    assert slow_vital(board, BLACK) == {vital}
    sampler = new_sampler()
    start(board, sampler)
    assert fast_vital(board, sampler, BLACK) == vital
    weights = weigh(board, sampler, BLACK, NAKADE)
    assert 0.9 <= weights[vital] / weights.sum() < 0.999


def test_after_a_capture() -> None:
    """White takes a pyramid four in the corner: Black plays on its middle nearly always, as often
    as the weights say.
    """
    position = Position.from_diagram("""
        . X X X O . .
        O O X O O O O
        O . O . O . .
        . O O O O O O
        O O O X X X X
        X X X X X . X
        . X . X X X .
    """)
    position.play("A7", WHITE)
    board, sampler = position.board, new_sampler()
    assert board.taken == 4
    start(board, sampler)
    vital = from_vertex("C7", 7)
    assert fast_vital(board, sampler, BLACK) == vital
    weights = weigh(board, sampler, BLACK, NAKADE)
    counts = np.zeros(AREA, np.int64)
    drawn(board, sampler, NAKADE, new_rng(3), 20_000, counts)
    points = np.flatnonzero(weights)
    wanted = weights[points] / weights.sum() * counts.sum()
    assert stats.chisquare(counts[points], wanted).pvalue > 1e-4
    assert counts[vital] > 0.89 * counts.sum()
