"""The points with a boost: what the previous move and the strings in atari make urgent.

The bits of a boost, by which its gamma is looked up, are those of katachi.search.gammas.
"""

from __future__ import annotations

from typing import Any

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64, uint64
from katachi.go.liberties import WORDS, lowest_bit
from katachi.go.points import AREA, EMPTY, FIRST, NONE, PASS
from katachi.patterns.facts import is_large, liberties_after
from katachi.patterns.families.light import OTHER, OTHER_LARGE, RECAPTURES, SAVES, TAKES_LAST
from katachi.search.gammas import (
    ATTACKS,
    BANNED,
    CAPTURE_SHIFT,
    CONTIGUOUS,
    DEFENDS,
    EXTENDS,
    LARGER,
    TIGHT,
)
from katachi.search.sampler import ATARI, ATARIS, BITS, BOOSTED, STEPS


@inlined
def _sized(b: Board, head: int, bit: int) -> int:
    """The bit, with the one for larger strings if the string at `head` is large."""
    return bit * LARGER if is_large(b, head) else bit


@inlined
def _boost(s: Any, n: int, p: int, bits: int) -> int:
    """Add bits to the boost of p; n points have one so far, the new number comes back."""
    had = int64(s[at(BITS + p)])
    s[at(BITS + p)] = had | bits
    if had == 0:
        s[at(BOOSTED + n)] = p
        return n + 1
    return n


@inlined
def _boost_two(b: Board, s: Any, n: int, head: int, bits: int) -> int:
    """The same for both liberties of a string that has two."""
    one = 0
    for w in range(WORDS):
        word = b.liberty_set[at(head * WORDS + w)]
        if word != uint64(0):
            one = FIRST + 64 * w + lowest_bit(word)
            break
    n = _boost(s, n, one, bits)
    return _boost(s, n, int64(b.liberty_sum[at(head)]) - one, bits)


@inlined
def _boost_extension(b: Board, s: Any, n: int, head: int, c: int) -> int:
    """The same for the liberty of a string in atari."""
    p = int64(b.liberty_sum[at(head)])
    bits = _sized(b, head, EXTENDS)
    if liberties_after(b, p, c) <= 2:
        bits |= TIGHT
    return _boost(s, n, p, bits)


@inlined
def _capture_level(b: Board, s: Any, theirs: int, c: int) -> int:
    """Of taking the string at `theirs`, in atari: see patterns.families.light."""
    if s[at(ATARIS + c)]:  # only then may there be an own string in atari
        q = int64(theirs)
        while True:
            for d in NEIGHBOURS:
                if b.color[at(q + d)] == c and b.liberties[at(int64(b.head[at(q + d)]))] == 1:
                    return SAVES
            q = int64(b.link[at(q)])
            if q == theirs:
                break
    previous = int64(b.previous[0])
    if previous <= PASS or b.color[at(previous)] != 3 - c or b.head[at(previous)] != theirs:
        return OTHER_LARGE if is_large(b, theirs) else OTHER
    return RECAPTURES if b.taken > 0 else TAKES_LAST


@inlined
def _drop_old(b: Board, s: Any, c: int) -> int:
    """Keep the strings of colour c that still are in atari in their list, each once; how many."""
    strings = ATARI + c * AREA
    kept = 0
    for i in range(s[at(ATARIS + c)]):
        head = int64(s[at(strings + i)])
        if b.color[at(head)] != c:
            continue
        head = int64(b.head[at(head)])
        if b.liberties[at(head)] != 1:
            continue
        twice = False
        for j in range(kept):
            if s[at(strings + j)] == head:
                twice = True
                break
        if not twice:
            s[at(strings + kept)] = head
            kept += 1
    s[at(ATARIS + c)] = kept
    return kept


@inlined
def _boost_answers(b: Board, s: Any, c: int, previous: int) -> int:
    """Boost what is near the previous move or answers it, of colour c; how many points."""
    n = 0
    # The first ones: no point has any bits yet. Without a branch.
    for step in STEPS:
        free = int64(b.color[at(previous + step)] == EMPTY)
        s[at(BITS + previous + step)] = free * CONTIGUOUS
        s[at(BOOSTED + n)] = previous + step
        n += free
    if b.color[at(previous)] == EMPTY:
        n = _boost(s, n, previous, CONTIGUOUS)
    elif b.color[at(previous)] == 3 - c:
        for d in NEIGHBOURS:
            if b.color[at(previous + d)] == c:
                head = int64(b.head[at(previous + d)])
                if b.liberties[at(head)] == 1:
                    n = _boost_extension(b, s, n, head, c)
                elif b.liberties[at(head)] == 2:
                    n = _boost_two(b, s, n, head, _sized(b, head, DEFENDS))
        head = int64(b.head[at(previous)])
        if b.liberties[at(head)] == 2:
            n = _boost_two(b, s, n, head, _sized(b, head, ATTACKS))
    return n


@inlined
def boosts(b: Board, s: Any, c: int) -> int:
    """Find the points with a boost for colour c; how many. `unboost` afterwards."""
    n = 0
    previous = int64(b.previous[0])
    if previous > PASS:
        n = _boost_answers(b, s, c, previous)
    if s[at(ATARIS + 3 - c)] > 0:
        _drop_old(b, s, c)
        for i in range(_drop_old(b, s, 3 - c)):
            head = int64(s[at(ATARI + (3 - c) * AREA + i)])
            p = int64(b.liberty_sum[at(head)])
            level = _capture_level(b, s, head, c)
            had = int64(s[at(BITS + p)])
            before = had >> CAPTURE_SHIFT
            if before == 0 or level < before:
                n = _boost(s, n, p, 0 if had else level << CAPTURE_SHIFT)
                s[at(BITS + p)] = (had & ((1 << CAPTURE_SHIFT) - 1)) | level << CAPTURE_SHIFT
    if b.ko != NONE and b.to_move == c:
        n = _boost(s, n, int64(b.ko), BANNED)
    return n


@inlined
def unboost(s: Any, n: int) -> None:
    """Forget the boosts of the n points."""
    for i in range(n):
        s[at(BITS + s[at(BOOSTED + i)])] = 0
