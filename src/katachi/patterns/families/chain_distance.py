"""Distances along chains to the previous move and to the move before it.

Connected stones of one colour count as one point, as do single empty points; a step goes from a
point to a neighbouring one (Graepel et al. 2001 call this the common fate graph). The way begins
at the string of the other move or, where its stone has been taken since, at the empty point that
it left: that point itself is at distance 0. Every point of the board can be reached.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, int64, kernel
from katachi.go.points import AREA, EMPTY, PASS, WALL
from katachi.patterns.family import Family, Level, Situation

FAR = 10  # 10 steps or more are one level


@kernel
def levels(b: Board, other: int, candidates: Any, n: int, first: int, out: Any) -> None:
    """Level 1 is the distance `first`, 0 or 1."""
    if other <= PASS:
        return
    steps = np.zeros(AREA, np.uint8)  # [point] the distance + 1; 0 is not reached
    queue = np.empty(AREA, np.uint16)  # all points of a string are entered together
    queue[0] = other
    steps[at(other)] = 1
    end = 1
    if b.color[at(other)] != EMPTY:
        s = b.link[at(other)]
        while s != other:
            steps[s] = 1
            queue[end] = s
            end += 1
            s = b.link[s]
    begin = 0
    while begin < end:
        p = int64(queue[begin])
        begin += 1
        step = int64(steps[at(p)]) + 1
        if step > FAR:
            break
        for d in NEIGHBOURS:
            q = p + d
            if steps[at(q)] != 0:
                continue
            color = b.color[at(q)]
            if color == WALL:
                continue
            steps[at(q)] = step
            queue[end] = q
            end += 1
            if color == EMPTY:
                continue
            s = b.link[at(q)]
            while s != q:
                steps[s] = step
                queue[end] = s
                end += 1
                s = b.link[s]
    for i in range(n):
        p = int64(candidates[i])
        if p != PASS:
            step = int64(steps[at(p)])
            out[i] = (step if step > 0 else FAR + 1) - first


def _write(situation: Situation, out: Any) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    other = situation.previous[0]
    levels(situation.board, other, situation.candidates, situation.count, 1, out)


def _write_second(situation: Situation, out: Any) -> None:
    other = situation.previous[1]
    levels(situation.board, other, situation.candidates, situation.count, 0, out)


def _some(whose: str) -> tuple[Level, ...]:
    """The levels from distance 2 on."""
    return (
        *(Level(str(d), f"is {d} steps along chains from {whose}") for d in range(2, FAR)),
        Level(f"≥ {FAR}", f"is {FAR} or more steps along chains from {whose}"),
    )


FAMILY = Family(
    "chain",
    "Distance along chains to the previous move",
    (
        Level("1", "touches the chain of the opponent's last move"),
        *_some("the opponent's last move"),
    ),
    _write,
)

SECOND_FAMILY = Family(
    "chain2",
    "Distance along chains to the move before the previous move",
    (
        Level("0", "plays again where a stone has just been taken"),
        Level("1", "touches the chain of the move before the last, or the point it was taken from"),
        *_some("the move before the last"),
    ),
    _write_second,
)
