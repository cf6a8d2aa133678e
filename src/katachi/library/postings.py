"""Postings: where a key occurred, and what was played next there, in 63 bits.

    bits 0-2    the stones in the circle, or on the board, modulo 8: beside the key, a check
    bits 3-4    how the game ended for the player who moved: UNKNOWN, WON, LOST or DRAWN
    bit 5       White moved
    bit 6       the next move was of the same colour
    bits 7-14   of a circle: how many moves later it was played, 1 for at once
    bits 15-22  of a circle: its offset from the point, plus 1; 0 if nobody played there any more
    bits 7-22   of the board: the point that was played
    bits 23-38  the number of the move, from 1
    bits 39-62  the number of the game in the library, from 0

Of a circle the posting stands for the move at its point, and what was played next is the next move
within it, of either colour. Of the board it stands for the position before the move, and that is
what was played. Offsets and points are turned by the first of the symmetries that give the key.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, int64, kernel
from katachi.go.points import BLACK, MAX_SIZE, PASS, STRIDE, WHITE
from katachi.go.symmetry import SYMMETRIES
from katachi.library.keys import BOARD, Found

UNKNOWN, WON, LOST, DRAWN = 0, 1, 2, 3
DRAW: Final = 3  # as katachi.records.headers has it

CHECK_BITS: Final = 7
OUTCOME_SHIFT: Final = 3
WHITE_SHIFT: Final = 5
SAME_SHIFT: Final = 6
LATER_SHIFT: Final = 7
NEXT_SHIFT: Final = 15
NUMBER_SHIFT: Final = 23
GAME_SHIFT: Final = 39

MOST_GAMES: Final = 1 << 24
LATEST: Final = 255  # moves, in which the next one within a circle is looked for
BOARD_MOVES: Final = 100  # of a game: whole positions later than that hardly occur twice


class Postings(NamedTuple):
    """Pairs of a key and a posting, and the column that they are of."""

    keys: npt.NDArray[np.int64]  # the bits of the key: SQLite has no numbers without a sign
    values: npt.NDArray[np.int64]
    columns: npt.NDArray[np.uint8]


def postings_for(count: int) -> Postings:
    """Room for so many."""
    return Postings(np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.uint8))


class Geometry(NamedTuple):
    """What the kernel must know of offsets and symmetries."""

    numbers: npt.NDArray[np.int16]  # see katachi.library.keys.offset_numbers
    rings: npt.NDArray[np.uint8]  # see katachi.library.keys.rings
    turned: npt.NDArray[np.int16]  # see katachi.library.keys.turned_offsets
    images: npt.NDArray[np.int16]  # [symmetry, point]


@kernel
def pack_game(found: Found, game: int, winner: int, geometry: Geometry, out: Postings) -> int:
    """Write the postings of a game, of which these are the keys; returns how many.

    There must be room for a posting in each column to each move.
    """
    moves = len(found.points)
    circles = found.keys.shape[1] - 1
    following = np.zeros(circles, np.int64)
    later = np.zeros(circles, np.int64)
    n = 0
    for m in range(moves):
        p, c = int64(found.points[m]), int64(found.colours[m])
        outcome = UNKNOWN
        if winner == DRAW:
            outcome = DRAWN
        elif winner == BLACK or winner == WHITE:
            outcome = WON if winner == c else LOST
        base = (game << GAME_SHIFT) | ((m + 1) << NUMBER_SHIFT) | (outcome << OUTCOME_SHIFT)
        if c == WHITE:
            base |= 1 << WHITE_SHIFT
        if m < BOARD_MOVES:
            turn = first_turn(found.turns[m, circles])
            point = int64(geometry.images[at(turn), at(p)]) if p != PASS else PASS
            out.keys[n] = np.int64(found.keys[m, circles])
            out.values[n] = (
                base
                | (point << LATER_SHIFT)
                | (1 << SAME_SHIFT)
                | (int64(found.stones[m, circles]) & CHECK_BITS)
            )
            out.columns[n] = circles
            n += 1
        if p == PASS:
            continue
        for r in range(circles):
            following[r] = -1
        smallest = circles
        for j in range(m + 1, min(m + LATEST, moves - 1) + 1):
            q = int64(found.points[j])
            if q == PASS:
                continue
            dy, dx = q // STRIDE - p // STRIDE, q % STRIDE - p % STRIDE
            k = int64(geometry.numbers[at(dy + MAX_SIZE), at(dx + MAX_SIZE)])
            if k < 0 or int64(geometry.rings[at(k)]) >= smallest:
                continue
            for r in range(int64(geometry.rings[at(k)]), smallest):
                following[r], later[r] = k, j - m
            smallest = int64(geometry.rings[at(k)])
            if smallest == 0:
                break
        for r in range(circles):
            value = base | (int64(found.stones[m, r]) & CHECK_BITS)
            if following[r] >= 0:
                turn = first_turn(found.turns[m, r])
                k = int64(geometry.turned[at(turn), at(following[r])])
                value |= (k + 1) << NEXT_SHIFT | later[r] << LATER_SHIFT
                if found.colours[m + later[r]] == c:
                    value |= 1 << SAME_SHIFT
            out.keys[n] = np.int64(found.keys[m, r])
            out.values[n] = value
            out.columns[n] = r
            n += 1
    return n


@kernel
def first_turn(turns: int) -> int:
    """The first symmetry of those whose bits these are."""
    for s in range(SYMMETRIES):
        if turns >> s & 1:
            return s
    return 0


class Unpacked(NamedTuple):
    """The fields of many postings."""

    game: npt.NDArray[np.int64]
    number: npt.NDArray[np.int64]
    following: npt.NDArray[np.int64]  # of a circle the offset, -1 for none; of the board the point
    later: npt.NDArray[np.int64]
    same: npt.NDArray[np.bool_]
    white: npt.NDArray[np.bool_]
    outcome: npt.NDArray[np.int64]
    check: npt.NDArray[np.int64]


def unpack(values: npt.NDArray[np.int64], column: int) -> Unpacked:
    """The fields of these postings, which are of one column."""
    whole = column == BOARD
    shift, bits = (LATER_SHIFT, 0xFFFF) if whole else (NEXT_SHIFT, 0xFF)
    following = (values >> shift & bits) - (0 if whole else 1)
    return Unpacked(
        game=values >> GAME_SHIFT,
        number=values >> NUMBER_SHIFT & 0xFFFF,
        following=following,
        later=np.ones_like(values) if whole else values >> LATER_SHIFT & 0xFF,
        same=(values >> SAME_SHIFT & 1).astype(bool),
        white=(values >> WHITE_SHIFT & 1).astype(bool),
        outcome=values >> OUTCOME_SHIFT & 3,
        check=values & CHECK_BITS,
    )
