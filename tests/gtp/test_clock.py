"""The clock: who has how much left, and that nobody who keeps to the budget loses on time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from katachi.go.points import BLACK, WHITE
from katachi.search.clock import (
    ABSOLUTE,
    BYOYOMI,
    CANADIAN,
    LAG,
    LONGEST_GAME,
    TINY,
    Clock,
    Control,
    Left,
    budget,
    gtp_control,
    started,
)
from katachi.search.player import Budget


@pytest.mark.parametrize(
    ("given_", "control"),
    [
        ((300, 0, 0), Control(ABSOLUTE, 300)),
        ((300, 0, 5), Control(ABSOLUTE, 300)),
        ((300, 30, 25), Control(CANADIAN, 300, 30, 25)),
        ((0, 10, 1), Control(CANADIAN, 0, 10, 1)),
        ((300, 30, 0), Control()),
        ((0, 1, 0), Control()),
        ((0, 0, 0), Control()),
    ],
)
def test_time_settings(given_: tuple[float, float, int], control: Control) -> None:
    assert gtp_control(*given_) == control


def test_absolute() -> None:
    clock = started(Control(ABSOLUTE, 10)).spent(BLACK, 4).spent(WHITE, 1)
    assert (clock.black.main, clock.white.main) == (6, 9)
    assert not clock.spent(BLACK, 6).is_lost(BLACK)
    assert clock.spent(BLACK, 6.1).is_lost(BLACK)


def test_canadian() -> None:
    clock = started(Control(CANADIAN, 10, 30, 3)).spent(BLACK, 8)
    assert clock.black == Left(2, 30, 3)
    clock = clock.spent(BLACK, 5)  # three seconds of overtime, and one stone of it
    assert clock.black == Left(0, 27, 2)
    clock = clock.spent(BLACK, 20)
    assert clock.black == Left(0, 7, 1)
    assert clock.spent(BLACK, 7).black == Left(0, 30, 3)
    assert clock.spent(BLACK, 7.1).is_lost(BLACK)
    assert clock.white == Left(10, 30, 3)


def test_byoyomi() -> None:
    clock = started(Control(BYOYOMI, 10, 5, 3)).spent(WHITE, 14)
    assert clock.white == Left(0, 5, 3)
    assert clock.spent(WHITE, 5).white == Left(0, 5, 3)
    assert clock.spent(WHITE, 5.1).white == Left(0, 5, 2)
    assert clock.spent(WHITE, 12).white == Left(0, 5, 1)
    assert clock.spent(WHITE, 15.1).is_lost(WHITE)


def test_time_left_is_believed() -> None:
    clock = started(Control(CANADIAN, 10, 30, 3)).with_time_left(BLACK, 7, 0)
    assert clock.black == Left(7, 30, 3)
    assert clock.with_time_left(BLACK, 12.5, 2).black == Left(0, 12.5, 2)
    assert started(Control(BYOYOMI, 10, 5, 3)).with_time_left(WHITE, 4, 2).white == Left(0, 4, 2)
    # Without settings, or against them: whatever is told is a limit.
    assert Clock().with_time_left(BLACK, 60, 0).control == Control(ABSOLUTE, 60, 60)
    assert Clock().with_time_left(BLACK, 60, 5).control == Control(CANADIAN, 0, 60, 5)
    assert Clock().with_time_left(BLACK, 0, 0) == Clock()
    overtime = started(Control(ABSOLUTE, 10)).with_time_left(BLACK, 20, 4)
    assert budget(overtime, BLACK, 100, 361).longest == pytest.approx(20 / 4 * 3, rel=0.1)


def test_no_clock_no_limit() -> None:
    assert budget(Clock(), BLACK, 0, 81) == Budget()


def seconds(main: float, played: int, points: int = 361) -> float:
    found = budget(started(Control(ABSOLUTE, main)), BLACK, played, points).seconds
    assert found is not None
    return found


def test_the_time_is_spread_over_the_game() -> None:
    """The moves that decide a game have most of the time, in their middle most; some is left
    however long the game goes on. Searches that end early use 70 % of what they aim at.
    """
    clock = started(Control(ABSOLUTE, 600))
    used = []
    for played in range(0, 360, 2):
        aim = budget(clock, BLACK, played, 361).seconds
        assert aim is not None
        used.append(0.7 * aim)
        clock = clock.spent(BLACK, used[-1])
    assert 15 < clock.black.main < 60
    first, middle, last, late = (sum(used[i : i + 30]) for i in (0, 30, 60, 90))
    assert middle > 1.2 * first
    assert middle > 1.2 * last > late
    assert used[45] > 1.5 * used[0]
    assert max(used) < 8 * min(used[:90])
    assert min(used) > 0.05


@pytest.mark.parametrize(
    ("main", "points", "moves", "least"), [(30, 81, 56, 0.84), (120, 169, 110, 0.88)]
)
def test_the_time_is_used(main: float, points: int, moves: int, least: float) -> None:
    """In a game of the usual length, by searches of which some end early; what is left is for the
    lag of the longest game.
    """
    for share in (0.7, 1.0):
        clock = started(Control(ABSOLUTE, main))
        for played in range(0, moves, 2):
            clock = clock.spent(BLACK, share * (budget(clock, BLACK, played, points).seconds or 0))
        assert clock.black.main < (1 - least) * main


def test_much_time_and_little() -> None:
    assert seconds(1800, 100) > 10 * seconds(180, 100)
    assert seconds(0.5, 100) == TINY
    assert seconds(0, 100) == TINY
    assert seconds(60, 30, 81) > seconds(60, 30, 361)
    assert seconds(60, 5000) > TINY  # however long the game
    for played in (0, 40, 80, 200):
        allowed = budget(started(Control(ABSOLUTE, 60)), BLACK, played, 81)
        assert allowed.longest is not None
        assert allowed.longest < 60 / 4  # no move is worth more of the game


def test_overtime_is_used() -> None:
    for control in (Control(CANADIAN, 0, 100, 10), Control(BYOYOMI, 0, 10, 5)):
        found = budget(started(control), BLACK, 100, 361)
        assert found.seconds is not None
        assert found.longest is not None
        assert 7 < found.seconds <= found.longest
    # While main time is left, a move may take no less.
    for control in (Control(CANADIAN, 3, 100, 10), Control(BYOYOMI, 3, 10, 5)):
        assert (budget(started(control), BLACK, 100, 361).seconds or 0) > 7


CONTROLS = st.one_of(
    st.builds(Control, st.just(ABSOLUTE), st.floats(0, 4000)),
    st.builds(Control, st.just(CANADIAN), st.floats(0, 600), st.floats(0, 600), st.integers(1, 30)),
    st.builds(Control, st.just(BYOYOMI), st.floats(0, 600), st.floats(0, 60), st.integers(1, 5)),
)


def can_be_kept(control: Control, overhead: float, moves: int) -> bool:
    """Whether somebody who does not think at all would be in time."""
    if control.kind == ABSOLUTE:
        return control.main >= overhead * moves
    if control.kind == CANADIAN:
        return control.period >= overhead * control.count
    return control.period >= overhead


@given(
    CONTROLS,
    st.sampled_from([4, 25, 81, 361]),
    st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    st.lists(st.floats(0, 1), min_size=1, max_size=20),
    st.sampled_from([0.01, LAG, 0.2]),
)
def test_nobody_who_keeps_to_the_budget_loses_on_time(
    control: Control, points: int, slowness: float, shares: list[float], lag: float
) -> None:
    """Every move takes some share of the longest allowed, and an overhead of up to the lag."""
    overhead = slowness * (lag - TINY)
    moves = int(LONGEST_GAME * points / 2)
    clock = started(control)
    if not can_be_kept(control, overhead + TINY, moves):
        return
    for number in range(moves):
        allowed = budget(clock, BLACK, 2 * number, points, lag)
        assert allowed.seconds is not None
        assert allowed.longest is not None
        assert 0 < allowed.seconds <= allowed.longest
        taken = shares[number % len(shares)] * allowed.longest + overhead
        before = clock
        clock = clock.spent(BLACK, taken)
        assert not clock.is_lost(BLACK), (number, before, allowed)
        if control.kind == BYOYOMI:
            assert clock.black.count == control.count  # not one period is lost


@given(st.floats(1, 4000), st.sampled_from([81, 361]))
def test_a_slow_move_leaves_time(main: float, points: int) -> None:
    """A machine that stalls for a quarter of a second on every tenth move is not lost."""
    clock = started(Control(ABSOLUTE, main))
    moves = int(0.4 * points)
    if main < moves * 0.06:
        return
    for number in range(moves):
        longest = budget(clock, WHITE, 2 * number, points).longest
        clock = clock.spent(WHITE, (longest or 0) + (0.25 if number % 10 == 0 else 0.01))
    assert not clock.is_lost(WHITE)
