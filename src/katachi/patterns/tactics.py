"""Tactical facts that several families ask for."""

from __future__ import annotations

from katachi.go.board import NEIGHBOURS, ONE, WORDS, Board, bit_count
from katachi.go.kernel import at, inlined, int64, uint64
from katachi.go.points import EMPTY, FIRST, PASS


@inlined
def newly_in_atari(b: Board, head: int, mover: int) -> bool:
    """Whether the own string at `head` is in atari and the previous move took its last but one
    liberty.

    Nothing else can have put it there: the opponent's captures take no liberty from a string.
    """
    if b.liberties[head] != 1:
        return False
    previous = int64(b.previous[0])
    if previous <= PASS or b.color[at(previous)] != 3 - mover:
        return False
    for d in NEIGHBOURS:
        q = previous + d
        if b.color[at(q)] == mover and b.head[at(q)] == head:
            return True
    return False


@inlined
def captures(b: Board, p: int, mover: int) -> bool:
    """Whether the move takes a string."""
    for d in NEIGHBOURS:
        q = p + d
        if b.color[at(q)] == 3 - mover and b.liberties[b.head[at(q)]] == 1:
            return True
    return False


@inlined
def liberties_after(b: Board, p: int, mover: int) -> int:
    """Liberties of the string that a move on p makes, where the move takes nothing."""
    total = 0
    for w in range(WORDS):
        low = FIRST + 64 * w
        word = uint64(0)
        for d in NEIGHBOURS:
            q = p + d
            k = b.color[at(q)]
            if k == mover:
                word |= b.liberty_set[at(int64(b.head[at(q)]) * WORDS + w)]
            elif k == EMPTY and 0 <= q - low < 64:
                word |= ONE << uint64(q - low)
        if 0 <= p - low < 64:
            word &= ~(ONE << uint64(p - low))
        total += bit_count(word)
    return total


@inlined
def contains_capturer(b: Board, head: int, mover: int) -> bool:
    """Whether the opponent's string at `head` has the previous move in it, which took stones."""
    previous = int64(b.previous[0])
    return (
        b.taken > 0
        and previous > PASS
        and b.color[at(previous)] == 3 - mover
        and b.head[at(previous)] == head
    )
