"""Stones that may be worth losing: which self-ataris make sense."""

from __future__ import annotations

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, int64, kernel
from katachi.go.points import NONE
from katachi.patterns.facts import touched_strings


@kernel
def worth_losing(b: Board, p: int, c: int) -> bool:
    """Whether the string that a stone of colour c on p makes, in atari, may be worth losing: up to
    three stones, or four to six in one of the shapes that leave an eye space which dies (square,
    T, bulky and crossed five, rabbity six). Whoever has nothing else passes: a seki stays one.
    """
    heads = touched_strings(b, p, c)
    stones = 1
    for head in heads:
        if head != NONE:
            stones += int64(b.stones[at(head)])
    if stones <= 3 or stones > 6:
        return stones <= 3
    most = 0  # stones that touch one stone
    for d in NEIGHBOURS:
        if b.color[at(p + d)] == c:
            most += 1
    pairs = most  # of stones that touch, each counted twice
    for head in heads:
        if head == NONE:
            continue
        q = head
        while True:
            touching = 0
            for d in NEIGHBOURS:
                if q + d == p or b.color[at(q + d)] == c:
                    touching += 1
            pairs += touching
            most = max(most, touching)
            q = int64(b.link[at(q)])
            if q == head:
                break
    if stones == 4:
        return pairs == 2 * 4 or most == 3
    if stones == 5:
        return pairs == 2 * 5 or most == 4
    return pairs == 2 * 6 and most == 4
