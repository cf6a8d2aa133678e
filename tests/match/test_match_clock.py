"""The controller's clock: absolute time, Canadian byoyomi, and one second of grace in all."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from katachi.go.points import WHITE
from katachi.match.game import GRACE
from katachi.search.clock import BYOYOMI, Control, gtp_control, started


class Side:
    """White's clock in a match with this time."""

    def __init__(self, *time: float) -> None:
        control = gtp_control(time[0], time[1], int(time[2])) if time else Control()
        self.clock = started(replace(control, grace=GRACE))

    def spend(self, seconds: float) -> bool:
        """Take the time of a move; False if that was too much."""
        self.clock = self.clock.spent(WHITE, seconds)
        return not self.clock.is_lost(WHITE)

    @property
    def allowance(self) -> float:
        return self.clock.longest_move(WHITE)

    def time_left(self) -> tuple[int, int]:
        return self.clock.time_left(WHITE)


def test_without_time_nobody_runs_out() -> None:
    clock = Side()
    assert clock.allowance == inf
    assert all(clock.spend(10.0**9) for _ in range(3))


def test_absolute_time() -> None:
    clock = Side(10.0, 0.0, 0)
    assert clock.time_left() == (10, 0)
    assert clock.allowance == 10 + GRACE
    assert clock.spend(3.5)
    assert clock.time_left() == (6, 0)  # rounded down
    assert clock.spend(6.5)
    assert clock.time_left() == (0, 0)
    assert clock.spend(0.75)  # grace
    assert clock.time_left() == (0, 0)
    assert clock.allowance == 0.25
    assert not clock.spend(0.5)  # grace is given once, not at every move


def test_canadian_byoyomi() -> None:
    clock = Side(10.0, 6.0, 3)
    assert clock.time_left() == (10, 0)
    assert clock.allowance == 16 + GRACE
    assert clock.spend(8)
    assert clock.time_left() == (2, 0)
    assert clock.spend(3)  # 1 s into byoyomi: the move is its first
    assert clock.time_left() == (5, 2)
    assert clock.allowance == 5 + GRACE
    assert clock.spend(4)
    assert clock.time_left() == (1, 1)
    assert clock.spend(1)
    assert clock.time_left() == (6, 3)  # a new period
    assert clock.spend(0.5)
    assert not clock.spend(6.75)


def test_canadian_byoyomi_from_the_beginning() -> None:
    clock = Side(0.0, 5.0, 1)
    assert clock.time_left() == (5, 1)
    for _ in range(3):
        assert clock.spend(4.5)
        assert clock.time_left() == (5, 1)
    assert not clock.spend(6.5)


def test_the_last_stone_of_a_period_may_use_the_grace() -> None:
    clock = Side(0.0, 5.0, 2)
    assert clock.spend(2.0)
    assert clock.spend(3.5)
    assert clock.time_left() == (5, 2)


def test_one_move_may_use_all_of_main_time_and_byoyomi() -> None:
    assert Side(10.0, 6.0, 3).spend(16 + GRACE)
    assert not Side(10.0, 6.0, 3).spend(16.01 + GRACE)


def test_one_move_may_use_all_periods_of_japanese_byoyomi() -> None:
    clock = started(Control(BYOYOMI, 10.0, 5.0, 3))
    assert clock.longest_move(WHITE) == 25
    assert not clock.spent(WHITE, 25.0).is_lost(WHITE)
    assert clock.spent(WHITE, 25.1).is_lost(WHITE)
    assert clock.spent(WHITE, 16.0).longest_move(WHITE) == 10
