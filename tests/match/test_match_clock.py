"""The controller's clock: absolute time, Canadian byoyomi, and one second of grace in all."""

from __future__ import annotations

from math import inf

from katachi.match.clock import GRACE, Clock


def test_without_time_nobody_runs_out() -> None:
    clock = Clock(None)
    assert clock.allowance == inf
    assert all(clock.spend(10.0**9) for _ in range(3))
    assert clock.used == 3 * 10.0**9


def test_absolute_time() -> None:
    clock = Clock((10.0, 0.0, 0))
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
    assert clock.used == 11.25


def test_canadian_byoyomi() -> None:
    clock = Clock((10.0, 6.0, 3))
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
    clock = Clock((0.0, 5.0, 1))
    assert clock.time_left() == (5, 1)
    for _ in range(3):
        assert clock.spend(4.5)
        assert clock.time_left() == (5, 1)
    assert not clock.spend(6.5)


def test_one_move_may_use_all_of_main_time_and_byoyomi() -> None:
    assert Clock((10.0, 6.0, 3)).spend(16 + GRACE)
    assert not Clock((10.0, 6.0, 3)).spend(16.01 + GRACE)
