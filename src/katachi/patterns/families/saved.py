"""Saved: own strings in atari get a second liberty, by extending, connecting or capturing."""

from __future__ import annotations

from typing import Any

import numpy as np

from katachi.go.board import NEIGHBOURS, Board, copy, play
from katachi.go.kernel import at, inlined, int64, kernel
from katachi.go.ladder import taken_in_ladder
from katachi.go.points import EMPTY, MAX_SIZE, PASS, WALL
from katachi.patterns.family import Family, Level, Situation
from katachi.patterns.tactics import strings_with

CLASSES = 5  # of sizes


@inlined
def _class(stones: int) -> int:
    if stones <= 2:
        return stones
    if stones <= 4:
        return 3
    return 4 if stones <= 8 else 5


@inlined
def _touches_atari(b: Board, p: int) -> bool:
    """Whether a string of either side in atari touches p: to be extended, or to be taken."""
    for d in NEIGHBOURS:
        k = b.color[at(p + d)]
        if k != EMPTY and k != WALL and b.liberties[b.head[at(p + d)]] == 1:
            return True
    return False


@kernel
def levels(
    b: Board, mover: int, candidates: Any, n: int, spare: Board, work: Any, out: Any
) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    strings = np.empty(MAX_SIZE * MAX_SIZE, np.int16)
    count = strings_with(b, mover, 1, strings)
    if count == 0:
        return
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS or not _touches_atari(b, p):
            continue
        copy(spare, b)
        play(spare, p, mover)
        stones = 0
        taken = True  # all of them, in ladders
        read = int64(PASS)  # head of the string read last: several may have joined
        for j in range(count):
            before = int64(strings[j])
            after = int64(spare.head[before])
            if spare.liberties[after] < 2:
                continue
            stones += int64(b.stones[before])
            if taken and after != read:
                taken = taken_in_ladder(spare, after, 3 - mover, work)
                read = after
        if stones:
            out[i] = _class(stones) + (CLASSES if taken else 0)


def _write(situation: Situation, out: Any) -> None:
    levels(*situation.basics, situation.spare, situation.ladder, out)


FAMILY = Family(
    "saved",
    "Stones saved from atari",
    (
        Level("1", "saves a stone in atari"),
        Level("2", "saves two stones in atari"),
        Level("3-4", "saves three or four stones in atari"),
        Level("5-8", "saves five to eight stones in atari"),
        Level("≥ 9", "saves nine stones in atari or more"),
        Level("1, in a ladder", "runs with a stone in atari that is caught all the same"),
        Level("2, in a ladder", "runs with two stones in atari that are caught all the same"),
        Level(
            "3-4, in a ladder",
            "runs with three or four stones in atari that are caught all the same",
        ),
        Level(
            "5-8, in a ladder",
            "runs with five to eight stones in atari that are caught all the same",
        ),
        Level(
            "≥ 9, in a ladder",
            "runs with nine stones in atari or more that are caught all the same",
        ),
    ),
    _write,
)
