"""A game's course as one array of 16-bit *actions*, and the kernel that replays it.

    bits 0-8    the point; PASS for a pass
    bits 9-10   the colour: BLACK, WHITE, or EMPTY where setup takes a stone away
    bit 11      SETUP: a stone put or taken by the record (AB, AW, AE), not a move;
                with the point PASS it says who is to move (PL)

The same array serves the 200,000 games of a corpus and one Position: what a record says happened
stands in it in order, setup in the middle of a game included.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board, give_turn, is_legal, is_suicide, play, set_stones
from katachi.go.kernel import at, int64, kernel
from katachi.go.points import AREA, EMPTY, PASS
from katachi.go.symmetry import point_tables

POINT_BITS: Final = 0x1FF
COLOUR_SHIFT: Final = 9
SETUP: Final = 0x800

Actions = npt.NDArray[np.uint16]

FINE, OCCUPIED, SUICIDE, KO, NO_LIBERTY = 0, 1, 2, 3, 4
FAULTS: Final = {
    OCCUPIED: "move on a stone",
    SUICIDE: "suicide",
    KO: "ko retaken at once",
    NO_LIBERTY: "setup leaves a string without liberty",
}


def move_action(colour: int, point: int) -> int:
    """The action of a move."""
    return colour << COLOUR_SHIFT | point


def setup_action(colour: int, point: int) -> int:
    """The action of a stone put (BLACK, WHITE) or taken (EMPTY) by the record."""
    return SETUP | colour << COLOUR_SHIFT | point


def turn_action(colour: int) -> int:
    """The action that gives the turn to a colour."""
    return setup_action(colour, PASS)


def is_move(actions: Actions) -> npt.NDArray[np.bool_]:
    """Which actions are moves, passes included."""
    moves: npt.NDArray[np.bool_] = (actions & np.uint16(SETUP)) == 0
    return moves


def points_of(actions: Actions) -> npt.NDArray[np.uint16]:
    """The points of the actions."""
    return actions & np.uint16(POINT_BITS)


def colours_of(actions: Actions) -> npt.NDArray[np.uint16]:
    """The colours of the actions."""
    return (actions >> np.uint16(COLOUR_SHIFT)) & np.uint16(3)


def canonical(actions: Actions, size: int) -> bytes:
    """The same bytes for the same game in any of its 8 symmetric forms."""
    images = point_tables(size)[:, points_of(actions)].astype(">u2")
    images |= (actions & ~np.uint16(POINT_BITS)).astype(">u2")
    forms: list[bytes] = [image.tobytes() for image in images]
    return min(forms)


@kernel
def replay(b: Board, actions: Any) -> tuple[int, int]:
    """Apply the actions to board b; returns (how many were applied, FINE or the fault).

    Stops before the first action that breaks the rules. Setup stones apply together, up to the
    next move; they end the memory of previous moves and any ko.
    """
    n = len(actions)
    i = 0
    while i < n:
        a = int64(actions[i])
        p = a & POINT_BITS
        c = (a >> COLOUR_SHIFT) & 3
        if a & SETUP:
            if p == PASS:
                give_turn(b, c)
                i += 1
                continue
            colors = np.empty(AREA, np.uint8)
            for q in range(AREA):
                colors[at(q)] = b.color[at(q)]
            end = i
            while end < n and int64(actions[end]) & SETUP and int64(actions[end]) & POINT_BITS:
                s = int64(actions[end])
                colors[s & POINT_BITS] = (s >> COLOUR_SHIFT) & 3
                end += 1
            turn, moves = b.to_move, b.moves
            black, white = b.captured[1], b.captured[2]
            if not set_stones(b, colors):
                return i, NO_LIBERTY
            b.to_move, b.moves = turn, moves
            b.captured[1], b.captured[2] = black, white
            i = end
            continue
        # The record may let a colour play twice: the ko ban is for the side to move only.
        if not is_legal(b, p, c):
            if b.color[p] != EMPTY:
                return i, OCCUPIED
            if is_suicide(b, p, c):
                return i, SUICIDE
            return i, KO
        play(b, p, c)
        i += 1
    return n, FINE
