"""The clock of a game, as its controller and its players see it, and how much of it a move may
take.

    kind      after the main time
    --------  ----------------------------------------------------------------------------------
    none      nothing is counted
    absolute  the game is lost
    canadian  `count` stones must be played within each `period` seconds
    byoyomi   each move has `period` seconds; one that takes longer uses up one of `count` periods

The rule that `budget` keeps: a player that takes at most `longest`, with at most `lag` seconds lost
around each move, never runs out of time, however long the game (up to LONGEST_GAME). For this some
time is set aside for the lag of all moves that may come, and some for a machine that stalls.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from katachi.go.points import BLACK
from katachi.search.player import Budget

NONE: Final = "none"
ABSOLUTE: Final = "absolute"
CANADIAN: Final = "canadian"
BYOYOMI: Final = "byoyomi"

LAG: Final = 0.03  # seconds around a move that nobody thinks in: pipes, the start of threads
LONGEST_GAME: Final = 3.0  # moves to a point of the board, of both players
USUAL_GAME: Final = 0.5  # the moves that decide: later ones often need no thought, and save time
TINY: Final = 0.001  # seconds to think where there is no time left

_STALL_SHARE: Final = 0.05  # of the time left, set aside in case the machine stalls …
_STALL: Final = 0.3  # … and at least so many seconds, …
_STALL_MOST: Final = 0.25  # … but never more than this share
_AT_ONCE: Final = 0.25  # of the main time that may be used: one move never takes more
_STRETCH: Final = 3.0  # a hard move may take so many times what it should
_USED: Final = 0.7  # of the time aimed at; the rest is saved where nothing can change any more


@dataclass(frozen=True)
class Control:
    """The terms, equal for both sides."""

    kind: str = NONE
    main: float = 0.0  # seconds
    period: float = 0.0  # seconds
    count: int = 0  # canadian: stones to a period; byoyomi: periods
    grace: float = 0.0  # seconds that a side may overrun in all: pipes and schedulers take time


@dataclass(frozen=True)
class Left:
    """What one side has left. Overtime runs once `main` is 0 or less."""

    main: float = 0.0
    period: float = 0.0  # of the period that runs, or of the first to come
    count: int = 0  # canadian: stones still to play in it; byoyomi: periods, this one included


@dataclass(frozen=True)
class Clock:
    """Both sides' time. Clocks never change: each call returns a new one."""

    control: Control = Control()
    black: Left = Left()
    white: Left = Left()

    def left(self, colour: int) -> Left:
        """What BLACK or WHITE has left."""
        return self.black if colour == BLACK else self.white

    def with_time_left(self, colour: int, seconds: float, count: int) -> Clock:
        """The clock after GTP's `time_left`: a count of 0 means main time, else overtime.

        A clock that was never set takes its terms from what it is told; that nothing is left it
        does not believe.
        """
        clock = self
        if self.control.kind == NONE:
            if seconds <= 0:
                return self
            kind = CANADIAN if count else ABSOLUTE
            clock = started(Control(kind, 0.0 if count else seconds, seconds, count))
        elif self.control.kind == ABSOLUTE and count:
            clock = replace(self, control=Control(CANADIAN, self.control.main, seconds, count))
        control = clock.control
        if count:
            return clock._with(colour, Left(0.0, seconds, count))
        return clock._with(colour, Left(seconds, control.period, control.count))

    def spent(self, colour: int, seconds: float) -> Clock:
        """The clock after a move of `colour` that took so many seconds."""
        control, left = self.control, self.left(colour)
        if control.kind == NONE:
            return self
        if control.kind == ABSOLUTE or left.main >= seconds:
            return self._with(colour, replace(left, main=left.main - seconds))
        over = seconds - max(left.main, 0.0)
        if control.kind == CANADIAN:
            period, count = left.period - over, left.count - 1
            if count <= 0 and period >= -control.grace:
                period, count = control.period, control.count
            return self._with(colour, Left(0.0, period, count))
        count = left.count
        period = left.period
        while over > period and count > 0:
            over -= period
            period = control.period
            count -= 1
        return self._with(colour, Left(0.0, control.period, count))

    def is_lost(self, colour: int) -> bool:
        """Whether this side has overstepped its time, grace included."""
        kind, left, grace = self.control.kind, self.left(colour), self.control.grace
        if kind == ABSOLUTE:
            return left.main < -grace
        if kind == CANADIAN:
            return left.period < -grace
        return kind == BYOYOMI and left.count <= 0

    def longest_move(self, colour: int) -> float:
        """Seconds after which a move not yet made loses the game, grace included."""
        control, left = self.control, self.left(colour)
        if control.kind == NONE:
            return math.inf
        later = max(left.count - 1, 0) * control.period if control.kind == BYOYOMI else 0.0
        return left.main + left.period + later + control.grace

    def time_left(self, colour: int) -> tuple[int, int]:
        """Seconds and count as GTP's `time_left` has them: whole seconds, rounded down."""
        left = self.left(colour)
        if left.main > 0 or self.control.kind == ABSOLUTE:
            return max(0, int(left.main)), 0
        return max(0, int(left.period)), left.count

    def _with(self, colour: int, left: Left) -> Clock:
        return replace(self, black=left) if colour == BLACK else replace(self, white=left)


def started(control: Control) -> Clock:
    """The clock at the beginning of a game."""
    left = Left(control.main, control.period, control.count)
    return Clock(control, left, left)


def gtp_control(main: float, overtime: float, stones: int) -> Control:
    """The terms that GTP's `time_settings` names.

    Overtime for no stones is its way to say that there is no limit; so are three zeros.
    """
    if stones == 0 and (overtime > 0 or main <= 0):
        return Control()
    if overtime <= 0:
        return Control(ABSOLUTE, main)
    return Control(CANADIAN, main, overtime, stones)


def budget(
    clock: Clock, colour: int, moves_played: int, board_points: int, lag: float = LAG
) -> Budget:
    """How long BLACK or WHITE may think about its next move; Budget() without a clock.

    `seconds` spreads the time over the moves that a usual game has left, more of it over the
    middle game, as if searches used a part of it (_USED); `longest` keeps the rule at the top of
    this module. Where no time can be spared both are TINY.
    """
    control, left = clock.control, clock.left(colour)
    if control.kind == NONE:
        return Budget()
    overtime = _overtime(control, left, lag)
    if left.main <= 0 and control.kind != ABSOLUTE:
        return _budget(*overtime)
    may_come = max(LONGEST_GAME * board_points - moves_played, 0) / 2 + 1
    reserve = lag * may_come if control.kind == ABSOLUTE else lag
    free = left.main - reserve - _stall(left.main)
    fair = free * _share(moves_played, board_points)
    longest = min(_STRETCH * fair, _AT_ONCE * free)
    return _budget(max(fair / _USED, overtime[0]), max(longest, overtime[1]))


def _overtime(control: Control, left: Left, lag: float) -> tuple[float, float]:
    """(aim, longest) of a move in overtime; it is kept in mind while main time is left."""
    free = left.period - _stall(left.period)
    if control.kind == BYOYOMI:
        return 0.95 * (free - lag), free - lag
    if control.kind != CANADIAN or left.count <= 0:
        return 0.0, 0.0
    free -= lag * left.count
    each = free / left.count
    return 0.9 * each, min(_STRETCH * each, free)


def _budget(aim: float, longest: float) -> Budget:
    longest = max(longest, TINY)
    return Budget(seconds=min(max(aim, TINY), longest), longest=longest)


def _stall(seconds: float) -> float:
    """What is set aside of so much time in case the machine stalls."""
    return max(_STALL_SHARE * seconds, min(_STALL, _STALL_MOST * seconds))


def _share(moves_played: int, board_points: int) -> float:
    """The share of the main time for this move: its weight by that of all own moves to come."""
    usual = USUAL_GAME * board_points
    fewest = max(4, board_points // 10)  # to come, however long the game has been
    to_come = max(math.ceil((usual - moves_played) / 2), fewest)
    weights = [_weight((moves_played + 2 * i) / usual) for i in range(to_come)]
    return weights[0] / sum(weights)


def _weight(stage: float) -> float:
    """How much a move matters at this stage of the game, 0 … 1: most in the middle."""
    return 0.6 + 0.8 * math.sin(math.pi * min(stage, 1.0))
