"""What a game shows of answers: the kernels that walk through it, as those in `emit` do."""

from __future__ import annotations

from typing import Any

import numpy as np

from katachi.go.board import Board, play
from katachi.go.kernel import at, inlined, int64, kernel
from katachi.go.points import PASS
from katachi.patterns.shapes.answer_pictures import Codes, pack_answer
from katachi.patterns.shapes.answers import (
    NEEDS,
    Bases,
    Room,
    Seen,
    answer_key,
    find_kinds,
    moves_known,
    new_room_within,
    see_last,
    see_move,
)
from katachi.patterns.shapes.emit import Wanted, put
from katachi.patterns.shapes.keys import follow, start_game
from katachi.patterns.shapes.sieve import Emitted
from katachi.records.actions import COLOUR_SHIFT, POINT_BITS, SETUP, replay


@inlined
def _start(b: Board, side: int, keys: Seen, t: Bases) -> None:
    start_game(b, side, keys.plain, t.plain)
    start_game(b, side, keys.liberties, t.liberties)


@inlined
def _go_on(b: Board, action: Any, keys: Seen, codes: Codes, t: Bases) -> None:
    """Play or set up what the action (an array of one) says, and follow it."""
    a = int64(action[0])
    if a & SETUP:
        replay(b, action)
    else:
        play(b, _point(a), _colour(a))
    follow(keys.plain, codes.plain, b, t.plain)
    follow(keys.liberties, codes.liberties, b, t.liberties)


@inlined
def _point(a: int) -> int:
    return a & POINT_BITS


@inlined
def _colour(a: int) -> int:
    return (a >> COLOUR_SHIFT) & 3


@inlined
def _look(b: Board, a: int, keys: Seen, t: Bases, room: Room) -> int:
    """Look at a move and at what it answers; how many moves before it are known. 0 if the action is
    no move on a point, or none before it is known.
    """
    moves = moves_known(b)
    if a & SETUP or _point(a) == PASS or moves == 0:
        return 0
    see_last(b, _colour(a), keys, t.answers, room)
    see_move(b, _colour(a), _point(a), keys, t.answers, room)
    return int64(moves)


@kernel
def emit_answers(b: Board, side: int, actions: Any, keys: Seen, t: Bases, out: Emitted) -> int:
    """Write the keys of all kinds of answer that each played move is; returns how many.

    More may be returned than `out` holds: then only that many were written.
    """
    _start(b, side, keys, t)
    codes = Codes(b.color.copy(), b.color.copy(), np.zeros(0, np.uint8))
    kinds = len(t.answers.salt)
    room = new_room_within(kinds)
    n = 0
    for i in range(len(actions)):
        moves = _look(b, int64(actions[i]), keys, t, room)
        if moves > 0:
            for k in range(kinds):
                if t.answers.kinds[at(k), NEEDS] <= moves:
                    n = put(out, n, answer_key(k, t.answers, room), 1, k)
        _go_on(b, actions[i : i + 1], keys, codes, t)
    return n


@kernel
def find_answer_pictures(
    b: Board, side: int, actions: Any, keys: Seen, t: Bases, wanted: Wanted
) -> int:
    """Write the picture of each wanted answer that the game shows; returns how many were new.

    It is turned so that its key is smallest: the same for every appearance.
    """
    _start(b, side, keys, t)
    most = max(len(t.plain.offset), len(t.liberties.offset))
    codes = Codes(b.color.copy(), b.color.copy(), np.zeros(most, np.uint8))
    kinds = len(t.answers.salt)
    room = new_room_within(kinds)
    new = 0
    for i in range(len(actions)):
        a = int64(actions[i])
        moves = _look(b, a, keys, t, room)
        if moves > 0:
            find_kinds(moves, t.answers, room, wanted.lookup)
            for k in range(kinds):
                answer = int64(room.found[k])
                if answer < 0 or wanted.found[answer]:
                    continue
                wanted.found[answer] = 1
                new += 1
                packed = wanted.pictures[wanted.starts[answer] : wanted.starts[answer + 1]]
                pack_answer(k, b, _point(a), _colour(a), codes, t, room, packed)
        _go_on(b, actions[i : i + 1], keys, codes, t)
    return new
