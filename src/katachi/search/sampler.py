"""The weights of all points, kept up from move to move (Coulom 2007, section 4.1).

The sampler is one array of integers beside a board. For each colour it has the weight of every
point and their sums by row. A move makes some points *dirty* for both colours. A colour's dirty
points are weighed again when it is its turn, so a point that changes twice is weighed once.

Whoever plays on the board calls `before_move` and `after_move` around each move. Moves are drawn in
katachi.search.playouts.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64, kernel, uint64
from katachi.go.liberties import WORDS, lowest_bit
from katachi.go.points import AREA, BLACK, EMPTY, FIRST, STRIDE, WHITE
from katachi.patterns.families.light import AROUND
from katachi.search.gammas import ANY, BOOST_BITS, CHECK, CODES, PlayoutGammas
from katachi.search.sacrifice import worth_losing

STEPS: Final = tuple(dy * STRIDE + dx for dy, dx in AROUND)

# Where things are in the array. Colours are 1 and 2: what is kept by colour has a gap before it.
CODE: Final = 0  # [point] two bits to each of the 8 neighbours
WEIGHT: Final = 0  # [colour * AREA + point]
ROWS: Final = 3 * AREA  # [colour * 32 + row] sum of the row's weights; row 0: of all
DIRTY: Final = ROWS + 96  # [colour * AREA + i] points to weigh again
FLAGS: Final = DIRTY  # [point] for which colours it is in that list, as bits
BITS: Final = DIRTY + 3 * AREA  # [point] bits of its boost
BOOSTED: Final = BITS + AREA  # [i] the points with a boost
ATARI: Final = BOOSTED + AREA  # [colour * AREA + i] heads of strings put in atari
COUNTS: Final = ATARI + 3 * AREA
DIRTIES: Final = COUNTS  # [colour]
ATARIS: Final = COUNTS + 3  # [colour]
REGION: Final = COUNTS + 6  # [i] points of a small region: see katachi.search.nakade
LENGTH: Final = REGION + 6

Sampler = npt.NDArray[np.int32]


def new_sampler() -> Sampler:
    """A sampler for any board: `start` before use."""
    return np.zeros(LENGTH, np.int32)


@inlined
def _mark(s: Any, p: int) -> None:
    """Point p is to be weighed again for both colours."""
    missing = int64(s[at(FLAGS + p)]) ^ (BLACK | WHITE)
    # Written in any case and counted without a branch: the processor would guess it wrong.
    n = int64(s[DIRTIES + BLACK])
    s[at(DIRTY + BLACK * AREA + n)] = p
    s[DIRTIES + BLACK] = n + (missing & 1)
    n = int64(s[DIRTIES + WHITE])
    s[at(DIRTY + WHITE * AREA + n)] = p
    s[DIRTIES + WHITE] = n + (missing >> 1)
    s[at(FLAGS + p)] = BLACK | WHITE


@kernel
def start(b: Board, s: Any) -> None:
    """Take over a position, whatever the sampler held."""
    side = int64(b.side)
    for i in range(ROWS, BOOSTED):
        s[i] = 0
    for i in range(3 * AREA):
        s[i] = 0
    for i in range(COUNTS, LENGTH):
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
    n = int64(s[at(ATARIS + c)])
    s[at(ATARI + c * AREA + n)] = head
    s[at(ATARIS + c)] = n + 1


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
def refresh(b: Board, s: Any, gammas: PlayoutGammas, c: int) -> None:
    """Weigh the points that are dirty for colour c."""
    shape, self_atari = gammas.shape, gammas.self_atari
    dirty = DIRTY + c * AREA
    mine = c * AREA
    rows = ROWS + c * 32
    change = 0
    for i in range(s[at(DIRTIES + c)]):
        p = int64(s[at(dirty + i)])
        s[at(FLAGS + p)] &= ~c
        new = point_weight(b, s, shape, self_atari, p, c)
        grown = new - int64(s[at(WEIGHT + mine + p)])
        s[at(WEIGHT + mine + p)] = new
        s[at(rows) + at(p) // at(STRIDE)] += grown
        change += grown
    s[at(rows)] += change
    s[at(DIRTIES + c)] = 0
