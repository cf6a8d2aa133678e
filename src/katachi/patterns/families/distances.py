"""Distances to the four last moves: d = |δx| + |δy| + max(|δx|, |δy|).

All but that to the last one can be 0: the point of a stone that has been taken is played again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from katachi.go.kernel import int64, kernel
from katachi.go.points import PASS, STRIDE
from katachi.patterns.family import Family, Level, Situation

FAR = 17  # d ≥ 17 is one level


@kernel
def levels(other: int, candidates: Any, n: int, with_zero: bool, out: Any) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    if other <= PASS:
        return
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        dy = abs(p // STRIDE - other // STRIDE)
        dx = abs(p % STRIDE - other % STRIDE)
        d = min(dx + dy + max(dx, dy), FAR)
        if with_zero:
            out[i] = d if d > 0 else 1  # d is never 1
        else:
            out[i] = d - 1


def _writer(back: int) -> Callable[[Situation, Any], None]:
    """The function that writes distances to the move so many moves before the last."""

    def write(situation: Situation, out: Any) -> None:
        other = situation.previous[back]
        levels(other, situation.candidates, situation.count, back > 0, out)

    return write


def _sentence(d: int, whose: str) -> str:
    if d <= 3:
        return f"touches {whose}" if d == 2 else f"is diagonal to {whose}"
    if d == FAR:
        return f"is far away from {whose}"
    return f"is at distance {d} from {whose}"


def _some(whose: str) -> tuple[Level, ...]:
    """The levels of distances from 2 on."""
    names = [*(str(d) for d in range(2, FAR)), f"≥ {FAR}"]
    return tuple(Level(name, _sentence(d, whose)) for d, name in enumerate(names, 2))


FAMILY = Family(
    "distance", "Distance to previous move", _some("the opponent's last move"), _writer(0)
)

SECOND_FAMILY = Family(
    "distance2",
    "Distance to the move before the previous move",
    (
        Level("0", "plays again where a stone has just been taken"),
        *_some("the move before the last"),
    ),
    _writer(1),
)

THIRD_FAMILY = Family(
    "distance3",
    "Distance to the third last move",
    (
        Level("0", "plays again where the stone of the third last move was taken"),
        *_some("the third last move"),
    ),
    _writer(2),
)

FOURTH_FAMILY = Family(
    "distance4",
    "Distance to the fourth last move",
    (
        Level("0", "plays again where the stone of the fourth last move was taken"),
        *_some("the fourth last move"),
    ),
    _writer(3),
)
