"""The controller's clock of one side: absolute time or Canadian byoyomi."""

from __future__ import annotations

from math import inf
from typing import Final

GRACE: Final = 1.0  # seconds that a side may overrun in all: pipes and schedulers take time, too


class Clock:
    """One side's clock for one game. `time` is (main, byoyomi, stones) as in MatchSettings, or
    None for a clock that never runs out.
    """

    def __init__(self, time: tuple[float, float, int] | None) -> None:
        self.used = 0.0
        self._main, self._byoyomi, self._stones = time or (inf, 0.0, 0)
        self._left = self._main
        self._stones_left = 0  # 0 in main time

    @property
    def allowance(self) -> float:
        """Seconds after which a move not yet made loses the game."""
        return self._left + (0 if self._stones_left else self._byoyomi) + GRACE

    def time_left(self) -> tuple[int, int]:
        """Seconds and stones as GTP's `time_left` has them: whole seconds, rounded down."""
        if not self._stones_left and self._left <= 0 < self._byoyomi:
            return int(self._byoyomi), self._stones
        return max(0, int(self._left)), self._stones_left

    def spend(self, seconds: float) -> bool:
        """Take the time of a move; False if that was too much."""
        self.used += seconds
        self._left -= seconds
        if not self._stones_left and self._byoyomi and self._left < 0:
            self._left += self._byoyomi
            self._stones_left = self._stones
        if self._left < -GRACE:
            return False
        if self._stones_left:
            self._stones_left -= 1
            if not self._stones_left:
                self._left, self._stones_left = self._byoyomi, self._stones
        return True
