"""Rescue: the move helps an own string with two liberties that a ladder would take, or tries to."""

from __future__ import annotations

from typing import Any

import numpy as np

from katachi.go.board import NEIGHBOURS, Board, copy, play
from katachi.go.kernel import at, inlined, int64, kernel
from katachi.go.ladder import taken_in_ladder
from katachi.go.points import MAX_SIZE, PASS
from katachi.patterns.family import Family, Level, Situation
from katachi.patterns.tactics import captures, liberties_after, strings_with

HELPED, LOST = 1, 2


@kernel
def _threatened(b: Board, mover: int, work: Any, strings: Any) -> int:
    """Write the heads of the own strings with two liberties that the opponent, to move, takes in
    a ladder; returns how many.
    """
    count = strings_with(b, mover, 2, strings)
    kept = 0
    for j in range(count):
        if taken_in_ladder(b, int64(strings[j]), 3 - mover, work):
            strings[kept] = strings[j]
            kept += 1
    return kept


@inlined
def _on_liberty(b: Board, p: int, mover: int, strings: Any, count: int) -> bool:
    """Whether p is a liberty of one of these own strings with two liberties."""
    for d in NEIGHBOURS:
        q = p + d
        if b.color[at(q)] == mover and b.liberties[b.head[at(q)]] == 2:
            for j in range(count):
                if strings[j] == b.head[at(q)]:
                    return True
    return False


@kernel
def levels(
    b: Board, mover: int, candidates: Any, n: int, spare: Board, work: Any, out: Any
) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    strings = np.empty(MAX_SIZE * MAX_SIZE, np.int16)
    count = _threatened(b, mover, work, strings)
    if count == 0:
        return
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        joins = _on_liberty(b, p, mover, strings, count)
        takes = captures(b, p, mover)
        if joins:
            out[i] = LOST
            left = 2 if takes else liberties_after(b, p, mover)
            if left != 2:
                if left > 2:
                    out[i] = HELPED
                continue
        elif not takes:
            continue
        copy(spare, b)
        play(spare, p, mover)
        in_atari = spare.liberties[spare.head[at(p)]] == 1
        if joins and not in_atari and not taken_in_ladder(spare, p, 3 - mover, work):
            out[i] = HELPED
        for j in range(count):
            # A string that the move does not join gets more liberties only from what it takes.
            if spare.liberties[spare.head[strings[j]]] > 2:
                out[i] = HELPED


def _write(situation: Situation, out: Any) -> None:
    levels(*situation.basics, situation.spare, situation.ladder, out)


FAMILY = Family(
    "rescue",
    "Rescue from a ladder",
    (
        Level("helped", "saves a string with two liberties from a ladder"),
        Level("still lost", "helps a string with two liberties that a ladder catches all the same"),
    ),
    _write,
)
