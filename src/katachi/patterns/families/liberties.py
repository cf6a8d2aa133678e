"""Liberties: how many the move's own string has after it."""

from __future__ import annotations

from typing import Any

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, int64, kernel
from katachi.go.points import EMPTY, NONE, PASS, WALL
from katachi.patterns.family import Family, Level, Situation
from katachi.patterns.tactics import is_liberty, liberties_after, touched_strings

MOST = 7  # the last level: so many, or more


@kernel
def _room_taken(b: Board, p: int, mover: int) -> int:
    """How many of the stones that the move takes leave a liberty to its own string."""
    north, west, east, south = touched_strings(b, p, mover)
    count = 0
    for theirs in touched_strings(b, p, 3 - mover):
        if theirs == NONE or b.liberties[at(theirs)] != 1:
            continue
        s = int64(theirs)
        while True:
            for d in NEIGHBOURS:
                q = s + d
                mine = int64(b.head[at(q)]) if b.color[at(q)] == mover else -2
                if q == p or mine == north or mine == west or mine == east or mine == south:
                    count += 1
                    break
            s = int64(b.link[at(s)])
            if s == theirs:
                break
    return count


@kernel
def levels(b: Board, mover: int, candidates: Any, n: int, out: Any) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        free = 0  # neighbours that are empty, or will be
        takes = False
        richest = 0  # the most liberties of an own string that the move joins
        mine, several = int64(NONE), False  # the own string, or there is more than one
        for d in NEIGHBOURS:
            q = p + d
            k = b.color[at(q)]
            if k == EMPTY:
                free += 1
            elif k != WALL:
                head = int64(b.head[at(q)])
                liberties = int64(b.liberties[at(head)])
                if k == mover:
                    several |= mine != NONE and mine != head
                    mine = head
                    richest = max(richest, liberties)
                elif liberties == 1:
                    takes = True
                    free += 1
        if richest == 0:
            count = free  # a stone alone
        elif richest > MOST:
            count = MOST  # the move itself costs one
        elif several or takes:
            count = liberties_after(b, p, mover)
            if takes and count < MOST:
                count += _room_taken(b, p, mover)
        else:
            count = richest - 1
            for d in NEIGHBOURS:
                if b.color[at(p + d)] == EMPTY and not is_liberty(b, mine, p + d):
                    count += 1
        out[i] = min(count, MOST)


def _write(situation: Situation, out: Any) -> None:
    levels(*situation.basics, out)


FAMILY = Family(
    "liberties",
    "Liberties after the move",
    (
        Level("1", "leaves its string one liberty"),
        Level("2", "leaves its string two liberties"),
        Level("3", "leaves its string three liberties"),
        Level("4", "leaves its string four liberties"),
        Level("5", "leaves its string five liberties"),
        Level("6", "leaves its string six liberties"),
        Level("≥ 7", "leaves its string seven liberties or more"),
    ),
    _write,
)
