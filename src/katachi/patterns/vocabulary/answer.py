"""Words for what a move answers: the opponent's last move; and moves that answer nothing near.

The *last move* is a stone of the opponent's here, that stands on the board.
"""

from __future__ import annotations

from typing import Final

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64, lean
from katachi.go.points import EMPTY, NONE, PASS
from katachi.patterns.context import Context
from katachi.patterns.facts import liberties_after, newly_in_atari, touched_strings, touches_atari
from katachi.patterns.vocabulary.contact import makes_crosscut
from katachi.patterns.vocabulary.corner import (
    approach_kind,
    corner_lines,
    corner_number,
    count_corners,
    lines_in,
)
from katachi.patterns.vocabulary.geometry import (
    SMALLEST,
    across,
    count_around,
    count_beside,
    is_link,
    lines_apart,
)
from katachi.patterns.vocabulary.term import Term, group_of

(
    TAKE_OUT_OF_ATARI,
    CONNECT_OUT_OF_ATARI,
    RUN_OUT_OF_ATARI,
    KO_THREAT,
    ANSWER_PEEP,
    ANSWER_CROSSCUT,
    ANSWER_CONTACT_HANE,
    ANSWER_CONTACT_STRETCH,
    ANSWER_APPROACH,
    TENUKI,
) = range(1, 11)
NEAR: Final = 4  # lines from an approach stone within which a move answers it
AWAY: Final = 3  # tenuki is further away than a third of the board

_TERMS: Final = (
    Term(
        "take-out-of-atari",
        "capture out of atari",
        "answers the atari by taking stones",
        "it takes stones that touch a string that the last move put in atari",
    ),
    Term(
        "connect-out-of-atari",
        "connection out of atari",
        "answers the atari by connecting",
        "it connects a string that the last move put in atari to another, takes nothing, and "
        "leaves them two liberties or more",
    ),
    Term(
        "run-out-of-atari",
        "running out of atari",
        "answers the atari by running out",
        "it extends a string that the last move put in atari, takes nothing, and leaves it two "
        "liberties or more",
    ),
    Term(
        "ko-threat",
        "ko threat",
        "makes a ko threat",
        "a ko must not be taken back at once, and the move puts a string in atari that is not the "
        "stone that took the ko",
    ),
    Term(
        "answer-peep",
        "connection against a peep",
        "answers the peep by connecting",
        "it is on a cutting point of its own stones, and touches the last move, which touches no "
        "own stone",
    ),
    Term(
        "answer-crosscut",
        "stretch from a crosscut",
        "answers the crosscut by stretching",
        "the last move is a crosscut, and this one does not touch it, but touches one own stone, "
        "which touches it",
    ),
    Term(
        "answer-contact-hane",
        "hane against a contact move",
        "answers the contact move with a hane",
        "no other stone of the opponent's is around the last move, and this one touches it, and no "
        "own stone, but is diagonal to an own stone that touches it, and the other point that "
        "touches both is empty",
    ),
    Term(
        "answer-contact-stretch",
        "stretch from a contact move",
        "answers the contact move by stretching",
        "no other stone of the opponent's is around the last move, and this one does not touch it, "
        "but touches one own stone, which touches it",
    ),
    Term(
        "answer-approach",
        "answer to an approach",
        "answers the approach to its corner stone",
        "the last move is an approach to an own corner stone, these two are the only stones in the "
        "corner, and the move is in that corner or within four lines of the last move",
    ),
    Term(
        "tenuki",
        "tenuki",
        "plays elsewhere",
        "it is further than a third of the board's lines away from the last move and from the "
        "player's own move before it, or as many of them as there are, one at least",
    ),
)


@lean
def _atari(b: Board, p: int, mover: int) -> int:
    """TAKE_, CONNECT_ or RUN_OUT_OF_ATARI, or 0."""
    takes = False
    for head in touched_strings(b, p, 3 - mover):
        if head != NONE and b.liberties[at(head)] == 1:
            takes = True
            if touches_atari(b, head, mover, True):
                return TAKE_OUT_OF_ATARI
    if takes:
        return 0
    helped, strings = False, 0
    for head in touched_strings(b, p, mover):
        if head != NONE:
            strings += 1
            helped |= newly_in_atari(b, head, mover)
    if not helped or liberties_after(b, p, mover) < 2:
        return 0
    return CONNECT_OUT_OF_ATARI if strings > 1 else RUN_OUT_OF_ATARI


@inlined
def _threatens(b: Board, p: int, last: int, mover: int) -> bool:
    for d in NEIGHBOURS:
        q = p + d
        if (
            b.color[at(q)] == 3 - mover
            and b.liberties[b.head[at(q)]] == 2
            and b.head[at(q)] != b.head[at(last)]
        ):
            return True
    return False


@inlined
def _touch(p: int, q: int) -> bool:
    return p - q in NEIGHBOURS


@lean
def _is_hane(b: Board, p: int, last: int, mover: int) -> bool:
    """Whether p, which touches no own stone, is a hane around the last move."""
    d = last - p
    for v in (-across(d), across(d)):
        if b.color[at(last + v)] == mover and b.color[at(p + v)] == EMPTY:
            return True
    return False


@lean
def _contact(b: Board, p: int, last: int, mover: int) -> int:
    """ANSWER_PEEP … ANSWER_CONTACT_STRETCH, or 0."""
    beside = count_beside(b, p, mover)
    touches = _touch(p, last)
    if touches and beside > 1 and count_beside(b, last, mover) == 0 and is_link(b, p, mover):
        return ANSWER_PEEP
    if beside > 1 or b.stones[b.head[at(last)]] > 1:
        return 0
    bare = count_around(b, last, 3 - mover) == 0
    if touches:
        hane = bare and beside == 0 and _is_hane(b, p, last, mover)
        return ANSWER_CONTACT_HANE if hane else 0
    for d in NEIGHBOURS:
        a = p + d
        if b.color[at(a)] == mover and _touch(a, last):
            if makes_crosscut(b, last, 3 - mover):
                return ANSWER_CROSSCUT
            return ANSWER_CONTACT_STRETCH if bare else 0
    return 0


@lean
def _note_last(context: Context) -> None:
    """Notes: [16] whether the last move is an approach to an own corner stone, [17] whether it put
    an own string in atari.
    """
    b, mover, notes = context.board, context.mover, context.notes
    notes[16] = 0
    notes[17] = 0
    last = int64(b.previous[0])
    if last <= PASS or b.color[at(last)] != 3 - mover:
        return
    for d in NEIGHBOURS:
        if b.color[at(last + d)] == mover and b.liberties[b.head[at(last + d)]] == 1:
            notes[17] = 1
    if int64(b.side) < SMALLEST:
        return
    count_corners(b, mover, notes)
    one, two = lines_in(b, last)
    corner = 4 * corner_number(b, last)
    if max(one, two) > corner_lines(b) or notes[corner] != 1 or notes[corner + 1] != 1:
        return
    notes[16] = int64(approach_kind(b, last, int64(notes[corner + 2])) > 0)


@inlined
def _answers_approach(b: Board, p: int, last: int) -> bool:
    if lines_apart(p, last) <= NEAR:
        return True
    one, two = lines_in(b, p)
    return max(one, two) <= corner_lines(b) and corner_number(b, p) == corner_number(b, last)


@inlined
def _is_elsewhere(b: Board, p: int) -> bool:
    near = int64(b.side) // AWAY
    known = False
    for back in range(2):
        other = int64(b.previous[back])
        if other > PASS:
            known = True
            if lines_apart(p, other) <= near:
                return False
    return known


@lean
def _answer(context: Context, p: int) -> int:
    b, mover = context.board, context.mover
    last = int64(b.previous[0])
    if last > PASS and b.color[at(last)] == 3 - mover:
        level = _atari(b, p, mover) if context.notes[17] else 0
        if level:
            return level
        if b.ko != NONE and _threatens(b, p, last, mover):
            return KO_THREAT
        # What touches the last move, or a stone beside it, is within two lines of it.
        level = _contact(b, p, last, mover) if lines_apart(p, last) <= 2 else 0
        if level:
            return level
        if context.notes[16] and _answers_approach(b, p, last):
            return ANSWER_APPROACH
    return TENUKI if _is_elsewhere(b, p) else 0


ANSWERS = group_of("word-answer", "Answers", _TERMS, _answer, _note_last)
