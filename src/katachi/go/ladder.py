"""The ladder reader: can a string with one or two liberties be taken by atari after atari?

The *prey* is the string, the *hunter* the opponent. The reading, to the end of the ladder:

- Hunter to move, prey with one liberty: taken, unless a ko forbids the capture.
  Two liberties: the hunter tries each of them; what leaves the prey in atari goes on.
  Three or more: escaped.
- Prey to move: it tries its liberties, and to capture any hunter's string in atari that touches
  it (counter-captures, and so snapbacks, follow from that). With nothing to try it is taken. At
  the start, not yet in atari, it may also do nothing: then the hunter moves first.

A move that a simple ko forbids is not tried; there are no ko threats in a ladder. The search is
iterative on boards of a workspace made beforehand, and gives up after MAX_MOVES moves or MAX_FORKS
open choices at once: what is not taken by then counts as escaped.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from katachi.go.board import NEIGHBOURS, Board, copy, is_legal, new_boards, play
from katachi.go.kernel import int64, kernel
from katachi.go.liberties import liberty_points
from katachi.go.points import EMPTY, MAX_SIZE, PASS, STRIDE

MAX_FORKS = 100
MAX_MOVES = 4000
MAX_OPTIONS = 64  # a prey with more ways to capture forgets the rest

# (boards, options, scratch points), see taken_in_ladder: one workspace per thread
LadderWork: TypeAlias = tuple[Any, Any, Any]

_UNDECIDED, _TAKEN, _ESCAPED = 0, 1, 2


def ladder_work() -> LadderWork:
    """A workspace for `taken_in_ladder`, used over and over by one thread."""
    return (
        new_boards(MAX_FORKS + 1),
        np.zeros((MAX_FORKS + 1, MAX_OPTIONS + 2), np.int16),
        np.zeros(MAX_SIZE * MAX_SIZE, np.int16),
    )


@kernel
def _room(b: Board, p: int) -> int:
    """Empty neighbours of p."""
    n = 0
    for d in NEIGHBOURS:
        if b.color[p + d] == EMPTY:
            n += 1
    return n


@kernel
def _hunter_options(b: Board, p: int, hunter: int, options: Any, scratch: Any) -> int:
    """Write the hunter's ataris on the prey with two liberties; returns how many."""
    liberty_points(b, p, scratch)
    one, two = int64(scratch[0]), int64(scratch[1])
    room_one, room_two = _room(b, one), _room(b, two)
    if two - one == 1 or two - one == STRIDE:
        room_one -= 1  # the other liberty will be the hunter's
        room_two -= 1
    if room_two > room_one:
        one, two = two, one  # first where the prey would gain more
        room_one, room_two = room_two, room_one
    n = 0
    # An atari from which the prey steps out to three liberties is none.
    if room_two < 3 and is_legal(b, one, hunter):
        options[n] = one
        n += 1
    if room_one < 3 and is_legal(b, two, hunter):
        options[n] = two
        n += 1
    return n


@kernel
def _prey_options(b: Board, p: int, prey: int, options: Any, scratch: Any) -> int:
    """Write the prey's captures of touching strings in atari, its liberties, and PASS if it is not
    in atari; returns how many.
    """
    hunter = 3 - prey
    n = 0
    s = int64(p)
    while True:
        for d in NEIGHBOURS:
            if b.color[s + d] == hunter:
                h = int64(b.head[s + d])
                if b.liberties[h] == 1:
                    way = int64(b.liberty_sum[h])
                    known = False
                    for i in range(n):
                        if options[i] == way:
                            known = True
                    if not known and n < MAX_OPTIONS - 3 and is_legal(b, way, prey):
                        options[n] = way
                        n += 1
        s = int64(b.link[s])
        if s == p:
            break
    count = liberty_points(b, p, scratch)
    for i in range(count):
        way = int64(scratch[i])
        known = False
        for j in range(n):
            if options[j] == way:
                known = True
        if not known and is_legal(b, way, prey):
            options[n] = way
            n += 1
    if count > 1:
        options[n] = PASS
        n += 1
    return n


@kernel
def taken_in_ladder(b: Board, p: int, first: int, work: Any) -> bool:
    """Whether the string at stone p is taken in a ladder when colour `first` moves now.

    A string with three or more liberties is not. b is unchanged. The ko ban of b holds for its
    side to move; `first` may be the other side.
    """
    boards, options, scratch = work
    prey = int64(b.color[p])
    hunter = 3 - prey
    if b.liberties[b.head[p]] >= 3:
        return False
    if first == hunter and b.liberties[b.head[p]] == 1:
        return is_legal(b, int64(b.liberty_sum[b.head[p]]), hunter)
    # boards[0 … forks) are positions with a choice still open, boards[forks] is the live one.
    # options[f, 0] is the next choice to try, options[f, 1] their number, the choices follow;
    # boards[f].to_move is who chooses.
    forks = 0
    copy(boards[0], b)
    mover = int64(first)
    left = MAX_MOVES
    while True:
        live = boards[forks]
        liberties = live.liberties[live.head[p]]
        outcome = _UNDECIDED
        n = 0
        if liberties >= 3 or left <= 0 or forks == MAX_FORKS:
            outcome = _ESCAPED
        elif mover == hunter:
            if liberties == 1:
                way = int64(live.liberty_sum[live.head[p]])
                outcome = _TAKEN if is_legal(live, way, hunter) else _ESCAPED
            else:
                n = _hunter_options(live, p, hunter, options[forks, 2:], scratch)
                if n == 0:
                    outcome = _ESCAPED
        else:
            n = _prey_options(live, p, prey, options[forks, 2:], scratch)
            if n == 0:
                outcome = _TAKEN
        if outcome == _UNDECIDED:
            way = int64(options[forks, 2])
            if n > 1:
                live.to_move = mover
                options[forks, 0] = 1
                options[forks, 1] = n
                forks += 1
                copy(boards[forks], live)
            play(boards[forks], way, mover)
            left -= 1
            mover = 3 - mover
            continue
        # The live line is decided: back to the last choice that this does not settle.
        while True:
            if forks == 0:
                return outcome == _TAKEN
            fork = boards[forks - 1]
            mover = int64(fork.to_move)
            settled = outcome == (_TAKEN if mover == hunter else _ESCAPED)
            i = int64(options[forks - 1, 0])
            if not settled and i < options[forks - 1, 1]:
                options[forks - 1, 0] = i + 1
                copy(boards[forks], fork)
                play(boards[forks], int64(options[forks - 1, 2 + i]), mover)
                left -= 1
                mover = 3 - mover
                break
            forks -= 1
