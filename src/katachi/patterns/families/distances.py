"""Distances to the previous move and to the move before it: d = |δx| + |δy| + max(|δx|, |δy|).

The second one can be 0: the point of a stone that has just been taken is played again.
"""

from __future__ import annotations

from typing import Any

from katachi.go.kernel import int64, kernel
from katachi.go.points import PASS, STRIDE
from katachi.patterns.family import Family, Level, Situation

FAR = 17  # d ≥ 17 is one level


@kernel
def _levels(other: int, candidates: Any, n: int, with_zero: bool, out: Any) -> None:
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


def _write(situation: Situation, out: Any) -> None:
    other = situation.previous[0]
    _levels(other, situation.candidates, situation.count, False, out)


def _write_second(situation: Situation, out: Any) -> None:
    other = situation.previous[1]
    _levels(other, situation.candidates, situation.count, True, out)


def _sentence(d: int, whose: str) -> str:
    if d <= 3:
        return f"touches {whose}" if d == 2 else f"is diagonal to {whose}"
    if d == FAR:
        return f"is far away from {whose}"
    return f"is at distance {d} from {whose}"


_NAMES = [*(str(d) for d in range(2, FAR)), f"≥ {FAR}"]
_LAST = "the opponent's last move"
_BEFORE = "the move before the last"

FAMILY = Family(
    "distance",
    "Distance to previous move",
    tuple(Level(name, _sentence(d, _LAST)) for d, name in enumerate(_NAMES, 2)),
    _write,
)

SECOND_FAMILY = Family(
    "distance2",
    "Distance to the move before the previous move",
    (
        Level("0", "plays again where a stone has just been taken"),
        *(Level(name, _sentence(d, _BEFORE)) for d, name in enumerate(_NAMES, 2)),
    ),
    _write_second,
)
