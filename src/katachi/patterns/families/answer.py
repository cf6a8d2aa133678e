"""Answer: which harvested answers to the last move the move is, one family to each kind of them;
and, as families of the position, which harvested shapes the last move has.

See katachi.patterns.shapes.answers. After a pass, and in the beginning, no move is an answer.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board
from katachi.go.kernel import at, int64, kernel
from katachi.go.points import PASS
from katachi.patterns.family import Family
from katachi.patterns.shapes.answers import (
    Answers,
    AnswerTables,
    Seen,
    answer_tables,
    find_kinds,
    moves_known,
    new_room_within,
    see_last,
    see_move,
)
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.lookup import Lookup
from katachi.patterns.situation import Situation


@kernel
def _find_all(
    b: Board,
    mover: int,
    points: Any,
    seen: Seen,
    t: AnswerTables,
    known: Lookup,
    first: Any,
    out: Any,
) -> None:
    """Write the answer of each kind, counted from 1 within it, into out[kind, point] (zeros)."""
    moves = moves_known(b)
    if moves == 0:
        return
    kinds = len(t.salt)
    room = new_room_within(kinds)
    see_last(b, mover, seen, t, room)
    for i in range(out.shape[1]):
        p = int64(points[at(i)])
        if p == PASS:
            continue
        see_move(b, mover, p, seen, t, room)
        find_kinds(moves, t, room, known)
        for k in range(kinds):
            if room.found[at(k)] >= 0:
                out[at(k), at(i)] = room.found[at(k)] + 1 - first[at(k)]


@kernel
def _find_last(
    b: Board, mover: int, seen: Seen, t: AnswerTables, known: Lookup, first: Any, out: Any
) -> None:
    """Write the shape of the last move of each kind, counted from 1 within it, into out[kind, 0]
    (zeros); the kinds tell nothing of a move.
    """
    moves = moves_known(b)
    if moves == 0:
        return
    kinds = len(t.salt)
    room = new_room_within(kinds)
    see_last(b, mover, seen, t, room)
    find_kinds(moves, t, room, known)
    for k in range(kinds):
        if room.found[at(k)] >= 0:
            out[at(k), 0] = room.found[at(k)] + 1 - first[at(k)]


def answers_found(situation: Situation, dictionary: str) -> npt.NDArray[np.int32]:
    """[kind, candidate] the number of the answer among its kind's, from 1; 0 for none. Of what is
    the same for all candidates [kind, 1].
    """
    found = situation.found.get(dictionary)
    if found is None:
        shapes = situation.dictionaries[dictionary]
        answers = shapes.templates
        assert isinstance(answers, Answers), "shapes are found in another way"
        found = np.zeros((len(answers), 1 if answers.of_position else situation.count), np.int32)
        board, mover = situation.context.board, situation.mover
        how = (seen_in(situation), answer_tables(answers), shapes.lookup, shapes.firsts, found)
        if answers.of_position:
            _find_last(board, mover, *how)
        else:
            _find_all(board, mover, situation.candidates, *how)
        situation.found[dictionary] = found
    return found


def seen_in(situation: Situation) -> Seen:
    """The keys of which answers are made."""
    return Seen(situation.keys["circles"], situation.keys["liberties"])


def answer_families(dictionary: str, shapes: Shapes) -> tuple[Family, ...]:
    """The families of a dictionary of answers, one to each kind that has any: level n is the nth
    answer of the kind. Those of shapes of the last move are families of the position.
    """
    assert isinstance(shapes.templates, Answers), "shapes have families of their own"
    found = partial(answers_found, dictionary=dictionary)  # one for all: they are written together
    families = []
    first = 0
    for number, (kind, count) in enumerate(
        zip(shapes.templates.kinds, shapes.per_template().values(), strict=True)
    ):
        if count:
            families.append(
                Family(
                    f"{dictionary}-{kind.name}",
                    kind.title,
                    (),
                    found=found,
                    row=number,
                    dictionary=dictionary,
                    first=first,
                    shapes=count,
                )
            )
        first += count
    return tuple(families)
