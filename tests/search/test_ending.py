"""When to pass, with owners made by hand."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from katachi.go.points import AREA, BLACK, PASS, WHITE, all_points
from katachi.go.position import Position
from katachi.search.ending import SETTLED, wants_to_pass
from katachi.search.player import GameState

# Black has the left and White the right; a lower-case stone is dead. By area Black leads by 5 once
# the dead are gone, by territory and prisoners too (tests/gtp/test_final.py).
SPLIT = """
. . X O .
. . X O .
. o X O x
. . X O .
. . X O .
"""
SURE = {"X": 0.99, "O": 0.01, "x": 0.02, "o": 0.98}

Shares = npt.NDArray[np.float64]


def split(to_move: int = BLACK, passed: bool = True) -> tuple[Position, Shares]:
    """The position, after the opponent's pass or without it, and how likely points are Black's."""
    position = Position.from_diagram(SPLIT, 3 - to_move if passed else to_move)
    if passed:
        position.pass_()
    black = np.zeros(AREA)
    signs = SPLIT.replace(" ", "").replace("\n", "")
    for i, (p, sign) in enumerate(zip(all_points(5), signs, strict=True)):
        black[p] = SURE.get(sign, 0.97 if i % 5 < 3 else 0.03)
    return position, black


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_the_opponents_pass_ends_a_game_that_is_won(rules: str) -> None:
    for to_move, komi, passes in (
        (BLACK, 4.5, True),
        (BLACK, 5.5, False),
        (BLACK, 5, False),  # a draw is no win
        (WHITE, 5.5, True),
        (WHITE, 4.5, False),
        (WHITE, 5, False),
    ):
        position, black = split(to_move)
        for best in ("A1", "E1"):
            game = GameState(position, komi, rules)
            assert wants_to_pass(game, black, position.point(best)) is passes


def test_dead_stones_live_by_tromp_taylor() -> None:
    """As it stands both sides have 6 points."""
    position, black = split(BLACK)
    best = position.point("A1")
    assert not wants_to_pass(GameState(position, 0.5, "tromp-taylor"), black, best)
    assert wants_to_pass(GameState(position, -0.5, "tromp-taylor"), black, best)


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
@pytest.mark.parametrize("place", ["B3", "E3", "C5"])
def test_it_plays_on_while_a_stone_is_unsettled(rules: str, place: str) -> None:
    for passed in (True, False):
        position, black = split(BLACK, passed)
        best = position.point("A1")
        for share in (0.5, 0.89, 0.11, SETTLED, 1 - SETTLED):
            black[position.point(place)] = share
            assert not wants_to_pass(GameState(position, -20, rules), black, best)
        black[position.point(place)] = 0.91
        assert wants_to_pass(GameState(position, -20, rules), black, best) is (
            passed or rules == "japanese"
        )


def test_empty_points_may_be_unsettled() -> None:
    position, black = split(BLACK)
    black[position.point("A1")] = 0.5
    assert wants_to_pass(GameState(position, 0.5), black, position.point("A1"))


@pytest.mark.parametrize("rules", ["chinese", "japanese", "tromp-taylor"])
def test_in_cleanup_there_is_something_left_to_take(rules: str) -> None:
    for passed in (True, False):
        position, black = split(BLACK, passed)
        game = GameState(position, -20, rules, cleanup=True)
        assert not wants_to_pass(game, black, position.point("A1"))


@pytest.mark.parametrize("cleanup", [False, True])
def test_a_pass_that_the_simulations_prefer_is_a_pass(cleanup: bool) -> None:
    for passed in (True, False):
        for komi in (-20, 20):
            position, black = split(BLACK, passed)
            black[:] = 0.5
            assert wants_to_pass(GameState(position, komi, cleanup=cleanup), black, PASS)


def test_settled_ground_is_left_alone_in_japan_only() -> None:
    for to_move, komi in ((BLACK, 0.5), (WHITE, 9.5)):
        position, black = split(to_move, passed=False)
        black[position.point("B1")] = 0.6
        for best, japanese in (("A1", True), ("E1", True), ("B1", False)):
            p = position.point(best)
            assert wants_to_pass(GameState(position, komi, "japanese"), black, p) is japanese
            for rules in ("chinese", "tromp-taylor"):
                assert not wants_to_pass(GameState(position, komi, rules), black, p)
        lost = 20 - komi if to_move == BLACK else -20
        assert not wants_to_pass(GameState(position, lost, "japanese"), black, position.point("A1"))


def test_nothing_is_changed() -> None:
    position, black = split(BLACK)
    before, shares = str(position), black.copy()
    wants_to_pass(GameState(position, 0.5), black, position.point("A1"))
    assert str(position) == before
    assert (black == shares).all()
