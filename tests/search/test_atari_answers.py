"""tools/atari_answers.py: the answers of some games, counted again by plain Python."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pytest

from katachi.go.board import Board, new_board
from katachi.go.points import EMPTY, PASS
from katachi.go.rng import new_rng
from katachi.models.model import load_model
from katachi.search.gammas import gammas_by_size, gammas_for
from katachi.search.sampler import new_sampler, start
from katachi.search.settings import parse_settings
from tests.go.helpers import NEAR
from tests.search.test_sampler import step
from tools.atari_answers import CASES, EXTENDED, TOOK, answers

GAMES = 5


def string_at(color: list[int], p: int) -> tuple[set[int], set[int]]:
    """(the stones of the string, its liberties)."""
    stones, liberties, todo = {p}, set(), [p]
    while todo:
        for q in NEAR[todo.pop()]:
            if color[q] == EMPTY:
                liberties.add(q)
            elif color[q] == color[p] and q not in stones:
                stones.add(q)
                todo.append(q)
    return stones, liberties


def put_in_atari(board: Board) -> tuple[int, int]:
    """(stones of the largest own string that the previous move put in atari, 0 if there is none,
    the string's liberty).
    """
    color, previous, found = board.color.tolist(), int(board.previous[0]), (0, PASS)
    for q in NEAR[previous] if previous > PASS else ():
        if color[q] == int(board.to_move):
            stones, liberties = string_at(color, q)
            if len(liberties) == 1 and len(stones) > found[0]:
                found = len(stones), min(liberties)
    return found


def again(settings: Mapping[str, str], seed: int) -> npt.NDArray[np.int64]:
    """The same games, move by move: the same random numbers draw the same moves."""
    gammas = gammas_for(gammas_by_size(load_model(), parse_settings(settings)), 7)
    sampler, rng = new_sampler(), new_rng(seed)
    counts = np.zeros((4, 4, 3), np.int64)
    for _ in range(GAMES):
        board = new_board(7)
        start(board, sampler)
        while board.passes < 2:
            mover, (stones, way) = int(board.to_move), put_in_atari(board)
            color = board.color.tolist()
            move = int(step(board, sampler, gammas, rng))
            if stones:
                took = (board.color == 3 - mover).sum() < color.count(3 - mover)
                color[way] = mover
                free = min(len(string_at(color, way)[1]), 3)
                row = counts[(0, 1, 2, 2, 2, 3)[min(stones, 6) - 1], free]
                row[CASES] += 1
                row[EXTENDED] += move == way and not took
                row[TOOK] += took
    return counts


@pytest.mark.parametrize("settings", [{}, {"answers": "whole", "tight": "0.1"}])
def test_the_answers_are_those_of_the_games(settings: dict[str, str]) -> None:
    found = answers(settings, 7, GAMES, 3)
    assert found.tolist() == again(settings, 3).tolist()
    assert found[:, :, CASES].sum() > 50


def test_whole_answers_are_more() -> None:
    """Of strings that get away, with three liberties or more."""
    capped, whole = (
        answers({"answers": name}, 9, 40, 1)[:, 3].sum(axis=0) for name in ("capped", "whole")
    )
    assert whole[EXTENDED] / whole[CASES] > 1.25 * capped[EXTENDED] / capped[CASES]
