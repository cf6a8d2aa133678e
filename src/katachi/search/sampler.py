"""Drawing moves by their gammas, with weights kept up from move to move (Coulom 2007, section 4.1).

The sampler is one array of integers beside a board. For each colour it has the weight of every
point and their sums by row; a move makes some points *dirty* for both colours, and a colour's dirty
points are weighed again when it is its turn, so a point that changes twice is weighed once.

Whoever plays on the board calls `before_move` and `after_move` around it.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64, kernel, uint64
from katachi.go.liberties import WORDS, lowest_bit
from katachi.go.points import AREA, BLACK, EMPTY, FIRST, NONE, PASS, STRIDE, WHITE
from katachi.go.rng import fraction
from katachi.patterns.facts import is_large
from katachi.patterns.families.light import (
    AROUND,
    OTHER,
    OTHER_LARGE,
    RECAPTURES,
    SAVES,
    TAKES_LAST,
)
from katachi.search.gammas import (
    ANY,
    ATTACKS,
    BANNED,
    BOOST_BITS,
    CAPTURE_SHIFT,
    CHECK,
    CODES,
    CONTIGUOUS,
    DEFENDS,
    EXTENDS,
    LARGER,
)
from katachi.search.sacrifice import worth_losing

STEPS: Final = tuple(dy * STRIDE + dx for dy, dx in AROUND)

# Where things are in the array. Colours are 1 and 2: what is kept by colour has a gap before it.
_CODE: Final = 0  # [point] two bits to each of the 8 neighbours
_WEIGHT: Final = 0  # [colour * AREA + point]
_ROWS: Final = 3 * AREA  # [colour * 32 + row] sum of the row's weights; row 0: of all
_DIRTY: Final = _ROWS + 96  # [colour * AREA + i] points to weigh again
_FLAGS: Final = _DIRTY  # [point] for which colours it is in that list, as bits
_BITS: Final = _DIRTY + 3 * AREA  # [point] bits of its boost
_BOOSTED: Final = _BITS + AREA  # [i] the points with a boost
_ATARI: Final = _BOOSTED + AREA  # [colour * AREA + i] heads of strings put in atari
_COUNTS: Final = _ATARI + 3 * AREA
_DIRTIES: Final = _COUNTS  # [colour]
_ATARIS: Final = _COUNTS + 3  # [colour]
LENGTH: Final = _COUNTS + 6

Sampler = npt.NDArray[np.int32]


def new_sampler() -> Sampler:
    """A sampler for any board: `start` before use."""
    return np.zeros(LENGTH, np.int32)


@inlined
def _mark(s: Any, p: int) -> None:
    """Point p is to be weighed again for both colours."""
    missing = int64(s[at(_FLAGS + p)]) ^ (BLACK | WHITE)
    # Written in any case and counted without a branch: the processor would guess it wrong.
    n = int64(s[_DIRTIES + BLACK])
    s[at(_DIRTY + BLACK * AREA + n)] = p
    s[_DIRTIES + BLACK] = n + (missing & 1)
    n = int64(s[_DIRTIES + WHITE])
    s[at(_DIRTY + WHITE * AREA + n)] = p
    s[_DIRTIES + WHITE] = n + (missing >> 1)
    s[at(_FLAGS + p)] = BLACK | WHITE


@kernel
def start(b: Board, s: Any) -> None:
    """Take over a position, whatever the sampler held."""
    side = int64(b.side)
    for i in range(_ROWS, _BOOSTED):
        s[i] = 0
    for i in range(3 * AREA):
        s[i] = 0
    for i in range(_COUNTS, LENGTH):
        s[i] = 0
    for row in range(1, side + 1):
        for col in range(1, side + 1):
            p = row * STRIDE + col
            code = 0
            shift = 0
            for step in STEPS:
                code |= int64(b.color[at(p + step)]) << shift
                shift += 2
            s[p] = code
            if b.color[p] == EMPTY:
                _mark(s, p)
            elif b.head[p] == p and b.liberties[p] == 1:
                _note_atari(s, p, int64(b.color[p]))


@inlined
def _note_atari(s: Any, head: int, c: int) -> None:
    n = int64(s[at(_ATARIS + c)])
    s[at(_ATARI + c * AREA + n)] = head
    s[at(_ATARIS + c)] = n + 1


@inlined
def _mark_liberties(b: Board, s: Any, head: int) -> None:
    left = int64(b.liberties[at(head)])
    if left == 1:
        _mark(s, int64(b.liberty_sum[at(head)]))
        return
    for w in range(WORDS):
        word = b.liberty_set[at(head * WORDS + w)]
        while word != uint64(0):
            _mark(s, FIRST + 64 * w + lowest_bit(word))
            word &= word - uint64(1)
            left -= 1
        if left == 0:
            break


@inlined
def before_move(b: Board, s: Any, p: int) -> int:
    """To be called before a stone is put on p; its result goes to `after_move`."""
    for d in NEIGHBOURS:
        k = b.color[at(p + d)]
        if k == BLACK or k == WHITE:
            head = int64(b.head[at(p + d)])
            if b.liberties[at(head)] == 2:
                _mark(s, int64(b.liberty_sum[at(head)]) - p)
    return int64(b.empties)


@inlined
def after_move(b: Board, s: Any, p: int, c: int, taken: int, empties: int) -> None:
    """The stone of colour c on p has been played and took `taken` stones."""
    shift = 14
    for step in STEPS:
        q = p + step
        s[at(q)] ^= c << shift  # of walls, too: nobody asks
        if b.color[at(q)] == EMPTY:
            _mark(s, q)
        shift -= 2
    _mark(s, p)
    mine = int64(b.head[at(p)])
    if b.liberties[at(mine)] <= 2:
        _mark_liberties(b, s, mine)
        if b.liberties[at(mine)] == 1:
            _note_atari(s, mine, c)
    for d in NEIGHBOURS:
        if b.color[at(p + d)] == 3 - c:
            theirs = int64(b.head[at(p + d)])
            if b.liberties[at(theirs)] <= 2:
                _mark_liberties(b, s, theirs)
                if b.liberties[at(theirs)] == 1:
                    _note_atari(s, theirs, 3 - c)
    if taken:
        # The stones taken are the last of the empty points.
        for i in range(empties - 1, int64(b.empties)):
            q = int64(b.empty[at(i)])
            _mark(s, q)
            shift = 14
            for step in STEPS:
                s[at(q + step)] ^= (3 - c) << shift
                if b.color[at(q + step)] == EMPTY:
                    _mark(s, q + step)
                shift -= 2
            for d in NEIGHBOURS:
                # A string that had two liberties or fewer until now
                if b.color[at(q + d)] == c:
                    head = int64(b.head[at(q + d)])
                    if b.liberties[at(head)] <= 2 + taken:
                        _mark_liberties(b, s, head)


MANY: Final = 1 << 20


@inlined
def _liberty_by(b: Board, p: int, q: int, c: int) -> int:
    """The liberty that a stone of colour c on p has by its neighbour q, other than p: q itself if
    it is free, the other liberty of an own string with two; 0 for none, MANY for several, or if
    the string on q is taken.
    """
    k = int64(b.color[at(q)])
    head = int64(b.head[at(q)])
    left = int64(b.liberties[at(head)])
    own = int64(k == c)
    free = int64(k == EMPTY)
    many = (int64(k == 3 - c) & int64(left == 1)) | (own & int64(left > 2))
    other = own & int64(left == 2)
    return free * q + other * (int64(b.liberty_sum[at(head)]) - p) + many * MANY


@inlined
def point_weight(b: Board, s: Any, shape: Any, self_atari: int, p: int, c: int) -> int:
    """The weight of point p for colour c: 0 where it may not or should not play, ko left out."""
    if b.color[at(p)] != EMPTY:
        return int64(0)
    entry = int64(shape[at(c * CODES + s[at(p)])])
    weight = entry >> 1
    if entry & CHECK == 0:
        return weight
    # At most one neighbour is free: which liberties has the new string? Without branches, since
    # the processor would guess them wrong. What is read of a point without a stone is not used.
    north = _liberty_by(b, p, p - STRIDE, c)
    west = _liberty_by(b, p, p - 1, c)
    east = _liberty_by(b, p, p + 1, c)
    south = _liberty_by(b, p, p + STRIDE, c)
    largest = max(max(north, west), max(east, south))
    safe = int64(largest == MANY)
    for one in (north, west, east, south):
        safe |= int64(one != largest) & int64(one != 0)
    if safe:
        return weight
    if largest == 0 or (self_atari & ANY == 0 and not worth_losing(b, p, c)):
        return int64(0)
    return max((weight * (self_atari & (ANY - 1))) >> BOOST_BITS, 1)


@inlined
def refresh(b: Board, s: Any, shape: Any, self_atari: int, c: int) -> None:
    """Weigh the points that are dirty for colour c."""
    dirty = _DIRTY + c * AREA
    mine = c * AREA
    rows = _ROWS + c * 32
    change = 0
    for i in range(s[at(_DIRTIES + c)]):
        p = int64(s[at(dirty + i)])
        s[at(_FLAGS + p)] &= ~c
        new = point_weight(b, s, shape, self_atari, p, c)
        grown = new - int64(s[at(_WEIGHT + mine + p)])
        s[at(_WEIGHT + mine + p)] = new
        s[at(rows) + at(p) // at(STRIDE)] += grown
        change += grown
    s[at(rows)] += change
    s[at(_DIRTIES + c)] = 0


@inlined
def _sized(b: Board, head: int, bit: int) -> int:
    """The bit, with the one for larger strings if the string at `head` is large."""
    return bit * LARGER if is_large(b, head) else bit


@inlined
def _boost(s: Any, n: int, p: int, bits: int) -> int:
    """Add bits to the boost of p; n points have one so far, the new number comes back."""
    had = int64(s[at(_BITS + p)])
    s[at(_BITS + p)] = had | bits
    if had == 0:
        s[at(_BOOSTED + n)] = p
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
def _capture_level(b: Board, s: Any, theirs: int, c: int) -> int:
    """Of taking the string at `theirs`, in atari: see patterns.families.light."""
    if s[at(_ATARIS + c)]:  # only then may there be an own string in atari
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
def _drop_old(b: Board, s: Any, c: int) -> None:
    """Drop the strings of colour c that are in atari no more from the list of those that were."""
    kept = 0
    own = _ATARI + c * AREA
    for i in range(s[at(_ATARIS + c)]):
        head = int64(s[at(own + i)])
        if b.color[at(head)] == c:
            head = int64(b.head[at(head)])
            if b.liberties[at(head)] == 1:
                s[at(own + kept)] = head
                kept += 1
    s[at(_ATARIS + c)] = kept


@inlined
def boosts(b: Board, s: Any, c: int) -> int:
    """Find the points with a boost for colour c; how many. `unboost` afterwards."""
    n = 0
    previous = int64(b.previous[0])
    if previous > PASS:
        # The first ones: no point has any bits yet. Without a branch.
        for step in STEPS:
            free = int64(b.color[at(previous + step)] == EMPTY)
            s[at(_BITS + previous + step)] = free * CONTIGUOUS
            s[at(_BOOSTED + n)] = previous + step
            n += free
        if b.color[at(previous)] == EMPTY:
            n = _boost(s, n, previous, CONTIGUOUS)
        elif b.color[at(previous)] == 3 - c:
            for d in NEIGHBOURS:
                if b.color[at(previous + d)] == c:
                    head = int64(b.head[at(previous + d)])
                    if b.liberties[at(head)] == 1:
                        n = _boost(s, n, int64(b.liberty_sum[at(head)]), _sized(b, head, EXTENDS))
                    elif b.liberties[at(head)] == 2:
                        n = _boost_two(b, s, n, head, _sized(b, head, DEFENDS))
            head = int64(b.head[at(previous)])
            if b.liberties[at(head)] == 2:
                n = _boost_two(b, s, n, head, _sized(b, head, ATTACKS))
    others = _ATARI + (3 - c) * AREA
    known = int64(s[at(_ATARIS + 3 - c)])
    if known > 0:
        _drop_old(b, s, c)
    kept = 0
    for i in range(known):
        head = int64(s[at(others + i)])
        if b.color[at(head)] != 3 - c:
            continue
        head = int64(b.head[at(head)])
        if b.liberties[at(head)] != 1:
            continue
        twice = False
        for j in range(kept):
            if s[at(others + j)] == head:
                twice = True
                break
        if twice:
            continue
        s[at(others + kept)] = head
        kept += 1
        p = int64(b.liberty_sum[at(head)])
        level = _capture_level(b, s, head, c)
        had = int64(s[at(_BITS + p)])
        before = had >> CAPTURE_SHIFT
        if before == 0 or level < before:
            n = _boost(s, n, p, 0 if had else level << CAPTURE_SHIFT)
            s[at(_BITS + p)] = (had & ((1 << CAPTURE_SHIFT) - 1)) | level << CAPTURE_SHIFT
    s[at(_ATARIS + 3 - c)] = kept
    if b.ko != NONE and b.to_move == c:
        n = _boost(s, n, int64(b.ko), BANNED)
    return n


@inlined
def unboost(s: Any, n: int) -> None:
    """Forget the boosts of the n points."""
    for i in range(n):
        s[at(_BITS + s[at(_BOOSTED + i)])] = 0


@inlined
def draw(b: Board, s: Any, shape: Any, boost: Any, self_atari: int, c: int, rng: Any) -> int:
    """A move of colour c, drawn with chances proportional to its gammas; PASS if it has none.

    Every legal move has a chance that neither fills an own eye nor is a self-atari of which nothing
    can come (unless self_atari has ANY).
    """
    refresh(b, s, shape, self_atari, c)
    n = boosts(b, s, c)
    mine = _WEIGHT + c * AREA
    rows = _ROWS + c * 32
    plain = int64(s[at(rows)])  # of all points without a boost
    total = 0  # of all points with one
    for i in range(n):
        p = int64(s[at(_BOOSTED + i)])
        weight = int64(s[at(mine + p)])
        plain -= weight
        total += weight * boost[at(s[at(_BITS + p)])]
    plain <<= BOOST_BITS
    move = int64(PASS)
    if plain + total > 0:
        r = int64(fraction(rng) * (plain + total))
        if r < total:
            for i in range(n):
                p = int64(s[at(_BOOSTED + i)])
                r -= int64(s[at(mine + p)]) * boost[at(s[at(_BITS + p)])]
                if r < 0:
                    move = p
                    break
        else:
            while True:
                # From all points, until it is one without a boost: their chances are then right.
                r = int64(fraction(rng) * s[at(rows)])
                row = 1
                while r >= s[at(rows + row)]:
                    r -= s[at(rows + row)]
                    row += 1
                p = row * STRIDE + 1
                while r >= s[at(mine + p)]:
                    r -= s[at(mine + p)]
                    p += 1
                if s[at(_BITS + p)] == 0:
                    move = p
                    break
    unboost(s, n)
    return move


@inlined
def weigh_all(b: Board, s: Any, shape: Any, boost: Any, self_atari: int, c: int, out: Any) -> int:
    """Write the weight of every point for colour c, boosts and ko included, into out (int64[AREA]);
    returns their sum.
    """
    refresh(b, s, shape, self_atari, c)
    n = boosts(b, s, c)
    total = 0
    for row in range(1, int64(b.side) + 1):
        for col in range(1, int64(b.side) + 1):
            p = row * STRIDE + col
            weight = int64(s[at(_WEIGHT + c * AREA + p)]) * boost[at(s[at(_BITS + p)])]
            out[at(p)] = weight
            total += weight
    unboost(s, n)
    return total
