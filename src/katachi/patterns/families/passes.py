"""Pass: the only family a pass has."""

from __future__ import annotations

from typing import Any

from katachi.go.points import PASS
from katachi.patterns.family import Family, Level, Situation


def _write(situation: Situation, out: Any) -> None:
    # The pass is the last candidate.
    out[situation.count - 1] = 2 if situation.previous[0] == PASS else 1


FAMILY = Family(
    "pass",
    "Pass",
    (
        Level("previous move is not a pass", "passes although the opponent has just played"),
        Level("previous move is a pass", "passes after the opponent's pass, which ends the game"),
    ),
    _write,
)
