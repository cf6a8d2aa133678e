"""The board as one record, and the kernels that read and change it.

A *string* is a maximal set of connected stones of one colour; its *head* is one of its points,
where the string's size, exact liberty count, sum of liberties and liberty set are kept. The sum
makes the last liberty of a string in atari readable at once: it *is* the sum.

The kernels trust their caller: `play` wants a legal move (ask `is_legal`), points must be on the
board, colours BLACK or WHITE. Suicide is illegal. The ko point is forbidden to `to_move` only.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from katachi.go.kernel import at, inlined, int64, kernel, uint64
from katachi.go.liberties import ONE, WORDS, add_liberty, drop_liberty, lowest_bit
from katachi.go.points import AREA, EMPTY, FIRST, MAX_SIZE, MIN_SIZE, NONE, PASS, STRIDE, WALL

Board: TypeAlias = Any  # a record of dtype BOARD; numpy's stubs cannot name its fields

MEMORY = 4  # how many previous moves the board remembers

_FIELDS = [
    ("liberty_set", np.uint64, (AREA * WORDS,)),  # [head * WORDS + word]
    ("hash", np.uint64),  # Zobrist hash of the stones alone, for positional superko
    ("liberty_sum", np.int32, (AREA,)),  # [head] sum of the liberties' points
    ("side", np.int32),  # the board's size; numpy's own scalars have a `size` already
    ("to_move", np.int32),
    ("ko", np.int32),  # point forbidden to to_move, or NONE
    ("passes", np.int32),  # passes in a row up to now
    ("moves", np.int32),  # moves played, passes included
    ("taken", np.int32),  # stones that the last move took
    ("empties", np.int32),  # how many points are empty
    ("captured", np.int32, (3,)),  # [colour] stones of that colour taken so far
    ("previous", np.int32, (MEMORY,)),  # latest first: points, PASS, or NONE
    ("head", np.uint16, (AREA,)),  # [stone] head of its string
    ("link", np.uint16, (AREA,)),  # [stone] next stone of its string, in a ring
    ("stones", np.int16, (AREA,)),  # [head] stones in the string
    ("liberties", np.int16, (AREA,)),  # [head] exact number of liberties
    ("empty", np.uint16, (MAX_SIZE * MAX_SIZE,)),  # [0 … empties) the empty points, in no order
    ("place", np.uint16, (AREA,)),  # [empty point] its index in `empty`
    ("color", np.uint8, (AREA,)),  # EMPTY, BLACK, WHITE or WALL
]
BOARD = np.dtype((np.record, np.dtype(_FIELDS, align=True)))

NEIGHBOURS = (-STRIDE, -1, 1, STRIDE)
DIAGONALS = (-STRIDE - 1, -STRIDE + 1, STRIDE - 1, STRIDE + 1)

# [colour * AREA + point], any fixed random numbers; libraries of positions have a digest of them
ZOBRIST = np.random.default_rng(2007).integers(1, 2**64, 3 * AREA, dtype=np.uint64)


def new_board(size: int) -> Board:
    """An empty board. Raises ValueError unless MIN_SIZE ≤ size ≤ MAX_SIZE."""
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"board size {size} is not between {MIN_SIZE} and {MAX_SIZE}")
    board = new_boards(1)[0]
    clear(board, size)
    return board


def new_boards(count: int) -> Any:
    """An array of `count` records, all zero: fill each by `clear` or `copy` before use."""
    return np.zeros(count, BOARD)


@kernel
def clear(b: Board, size: int) -> None:
    """Make the board empty, Black to move, whatever it held."""
    for p in range(AREA):
        b.color[p] = WALL
    n = 0
    for row in range(1, size + 1):
        for col in range(1, size + 1):
            p = row * STRIDE + col
            b.color[p] = EMPTY
            b.empty[n] = p
            b.place[p] = n
            n += 1
    b.empties = n
    b.side = size
    b.hash = uint64(0)
    b.to_move = 1
    b.ko = NONE
    b.passes = 0
    b.moves = 0
    b.taken = 0
    for c in range(3):
        b.captured[c] = 0
    for i in range(MEMORY):
        b.previous[i] = NONE


@kernel
def copy(to: Board, of: Board) -> None:
    """Make `to` equal to `of`. Only what a board of that size uses is copied."""
    end = (of.side + 1) * STRIDE
    for i in range(FIRST * WORDS, end * WORDS):
        to.liberty_set[i] = of.liberty_set[i]
    for p in range(FIRST, end):
        to.liberty_sum[p] = of.liberty_sum[p]
    for p in range(FIRST, end):
        to.head[p] = of.head[p]
    for p in range(FIRST, end):
        to.link[p] = of.link[p]
    for p in range(FIRST, end):
        to.stones[p] = of.stones[p]
    for p in range(FIRST, end):
        to.liberties[p] = of.liberties[p]
    for p in range(FIRST, end):
        to.place[p] = of.place[p]
    for i in range(of.empties):
        to.empty[i] = of.empty[i]
    for p in range(AREA):
        to.color[p] = of.color[p]
    to.hash = of.hash
    to.side = of.side
    to.to_move = of.to_move
    to.ko = of.ko
    to.passes = of.passes
    to.moves = of.moves
    to.taken = of.taken
    to.empties = of.empties
    for c in range(3):
        to.captured[c] = of.captured[c]
    for i in range(MEMORY):
        to.previous[i] = of.previous[i]


@inlined
def _merge(b: Board, one: int, two: int) -> int:
    """Join two strings of the same colour, the smaller into the larger; the head of the whole."""
    if b.stones[one] >= b.stones[two]:
        big, small = one, two
    else:
        big, small = two, one
    s = int64(small)
    while True:
        b.head[s] = big
        s = int64(b.link[s])
        if s == small:
            break
    after = b.link[big]
    b.link[big] = b.link[small]
    b.link[small] = after
    b.stones[big] += b.stones[small]
    if b.liberties[small] > 0:
        for w in range(WORDS):
            new = b.liberty_set[small * WORDS + w] & ~b.liberty_set[big * WORDS + w]
            if new != uint64(0):
                b.liberty_set[big * WORDS + w] |= new
                base = FIRST + 64 * w
                while new != uint64(0):
                    b.liberties[big] += 1
                    b.liberty_sum[big] += base + lowest_bit(new)
                    new &= new - ONE
    return big


@inlined
def _put(b: Board, p: int, c: int) -> None:
    """Colour the empty point p and take it off the list of empty points; strings are not told."""
    index = b.place[p]
    last = b.empty[b.empties - 1]
    b.empty[index] = last
    b.place[last] = index
    b.empties -= 1
    b.color[p] = c
    b.hash ^= ZOBRIST[c * AREA + p]


@inlined
def _new_string(b: Board, p: int) -> None:
    """Make the stone p a string of its own; neighbours are not told."""
    b.head[p] = p
    b.link[p] = p
    b.stones[p] = 1
    for w in range(WORDS):
        b.liberty_set[p * WORDS + w] = uint64(0)
    count = 0
    total = 0
    for d in NEIGHBOURS:
        # Without a branch, too. Beyond the edge the word may be another string's: it gets no bit.
        free = int64(b.color[at(p + d)] == EMPTY)
        bit = p + d - FIRST
        b.liberty_set[at(p * WORDS + (bit >> 6))] |= uint64(free) << uint64(bit & 63)
        count += free
        total += free * (p + d)
    b.liberties[p] = count
    b.liberty_sum[p] = total


@inlined
def _join(b: Board, p: int, head: int) -> None:
    """Add the new stone p and its liberties to the string at `head`, which it touches."""
    b.head[p] = head
    b.link[p] = b.link[head]
    b.link[head] = p
    b.stones[head] += 1
    drop_liberty(b, head, p)
    for d in NEIGHBOURS:
        if b.color[at(p + d)] == EMPTY:
            add_liberty(b, head, p + d)


@inlined
def _take(b: Board, head: int, c: int) -> int:
    """Remove the string of colour c at `head`; its points become liberties of its neighbours."""
    capturer = 3 - c
    s = int64(head)
    while True:
        b.color[s] = EMPTY
        b.hash ^= ZOBRIST[c * AREA + s]
        b.place[s] = b.empties
        b.empty[b.empties] = s
        b.empties += 1
        for d in NEIGHBOURS:
            if b.color[at(s + d)] == capturer:
                add_liberty(b, int64(b.head[at(s + d)]), s)
        s = int64(b.link[s])
        if s == head:
            break
    b.captured[c] += b.stones[head]
    return int64(b.stones[head])


@inlined
def place(b: Board, p: int, c: int) -> int:
    """Put a stone of colour c on p with all that follows for strings; returns stones captured.

    Neither ko nor turn nor memory is touched: that is `play`. The move must not be suicide.
    """
    _put(b, p, c)
    head = int64(p)
    for d in NEIGHBOURS:
        if b.color[at(p + d)] == c:
            head = int64(b.head[at(p + d)])
            break
    if head == p:
        _new_string(b, p)
    else:
        _join(b, p, head)
    taken = 0
    for d in NEIGHBOURS:
        k = b.color[at(p + d)]
        if k == 3 - c:
            theirs = int64(b.head[at(p + d)])
            drop_liberty(b, theirs, p)
            if b.liberties[theirs] == 0:
                taken += _take(b, theirs, 3 - c)
        elif k == c:
            mine = int64(b.head[at(p + d)])
            if mine != head:
                drop_liberty(b, mine, p)
                head = _merge(b, mine, head)
    return taken


@inlined
def _ko_of(b: Board, p: int) -> int:
    """The ko point that the stone p has made by taking one stone, or NONE: where it stands alone
    and in atari, its liberty.
    """
    return int64(b.liberty_sum[p]) if b.stones[b.head[p]] == 1 and b.liberties[p] == 1 else NONE


@inlined
def play(b: Board, p: int, c: int) -> int:
    """Play the legal move p (or PASS) for colour c; returns the number of stones captured."""
    taken = 0
    b.ko = NONE
    if p == PASS:
        b.passes += 1
    else:
        b.passes = 0
        taken = place(b, p, c)
        if taken == 1:
            b.ko = _ko_of(b, p)
    b.to_move = 3 - c
    b.moves += 1
    b.taken = taken
    for i in range(MEMORY - 1, 0, -1):
        b.previous[i] = b.previous[i - 1]
    b.previous[0] = p
    return taken


@inlined
def give_turn(b: Board, c: int) -> None:
    """Let colour c move next, whoever has moved last.

    A ko point is forbidden to the colour that lost its stone there, and to no other: who has taken
    a ko may fill it. So the ban is lifted or put back with the turn.
    """
    b.to_move = c
    b.ko = NONE
    if b.taken == 1 and b.color[b.previous[0]] == 3 - c:
        b.ko = _ko_of(b, b.previous[0])


@inlined
def is_suicide(b: Board, p: int, c: int) -> bool:
    """Whether a stone of colour c on the empty point p would have no liberty."""
    for d in NEIGHBOURS:
        k = b.color[at(p + d)]
        if k == EMPTY:
            return False
        if k != WALL:
            in_atari = b.liberties[b.head[at(p + d)]] == 1
            if in_atari == (k != c):
                return False  # joins a string with a spare liberty, or captures
    return True


@inlined
def is_legal(b: Board, p: int, c: int) -> bool:
    """Whether colour c may play on p: empty, no ko ban, no suicide. PASS is always legal."""
    if p == PASS:
        return True
    if b.color[p] != EMPTY or (p == b.ko and c == b.to_move):
        return False
    return not is_suicide(b, p, c)


@inlined
def is_own_eye(b: Board, p: int, c: int) -> bool:
    """Whether the empty point p is an eye of colour c, to be left alone in playouts.

    All four neighbours are own stones or wall, and the opponent holds at most one of the diagonal
    points; at the edge and in the corner, none.
    """
    near = c
    for d in NEIGHBOURS:
        near &= b.color[at(p + d)]  # a wall has the bits of both colours, an empty point none
    if near != c:
        return False
    against = 0
    at_edge = 0
    for d in DIAGONALS:
        k = b.color[at(p + d)]
        if k == 3 - c:
            against += 1
        elif k == WALL:
            at_edge = 1
    return against + at_edge < 2


@kernel
def legal_points(b: Board, c: int, out: Any) -> int:
    """Write the legal points for colour c (without PASS) into `out`; returns how many."""
    n = 0
    for row in range(1, b.side + 1):
        for col in range(1, b.side + 1):
            p = row * STRIDE + col
            if is_legal(b, p, c):
                out[n] = p
                n += 1
    return n


@kernel
def set_stones(b: Board, colors: Any) -> bool:
    """Make the stones of `colors` (uint8[AREA], walls ignored) the whole position.

    Turn, memory and prisoners are reset as by `clear`. Returns False, with the board in that
    position all the same, if a string has no liberty: such a board must not be played on.
    """
    clear(b, int64(b.side))
    for row in range(1, b.side + 1):
        for col in range(1, b.side + 1):
            p = row * STRIDE + col
            c = int64(colors[p])
            if c == EMPTY or c == WALL:
                continue
            _put(b, p, c)
            _new_string(b, p)
            head = int64(p)
            for d in NEIGHBOURS:
                k = b.color[at(p + d)]
                if k != EMPTY and k != WALL:
                    near = int64(b.head[at(p + d)])
                    drop_liberty(b, near, p)
                    if k == c and near != head:
                        head = _merge(b, near, head)
    for row in range(1, b.side + 1):
        for col in range(1, b.side + 1):
            p = row * STRIDE + col
            if b.color[p] != EMPTY and b.liberties[b.head[p]] == 0:
                return False
    return True
