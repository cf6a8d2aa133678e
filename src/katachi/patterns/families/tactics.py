"""The tactics of Coulom 2007, Table 1: capture, extension, self-atari, atari."""

from __future__ import annotations

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64, lean
from katachi.go.ladder import taken_in_ladder
from katachi.go.points import NONE, PASS
from katachi.patterns.context import Context, try_move
from katachi.patterns.facts import (
    captures,
    contains_capturer,
    liberties_after,
    newly_in_atari,
    touched_strings,
    touches_atari,
)
from katachi.patterns.family import Family, Level

SAVES, RECAPTURES, CUTS, ESCAPING, DOOMED = 1, 2, 3, 4, 5
LADDER, KO, OTHER_ATARI = 1, 2, 3


@lean
def _touches_previous(b: Board, p: int, mover: int) -> int:
    """The head of the opponent's string with the previous move, if p touches it, else -1."""
    previous = int64(b.previous[0])
    if previous <= PASS or b.color[at(previous)] != 3 - mover:
        return -1
    for d in NEIGHBOURS:
        if b.color[at(p + d)] == 3 - mover and b.head[at(p + d)] == b.head[at(previous)]:
            return int64(b.head[at(previous)])
    return -1


@lean
def _taking(context: Context, p: int, theirs: int) -> int:
    """The level of taking the string at `theirs` by a move on p."""
    b, mover = context.board, context.mover
    if touches_atari(b, theirs, mover, True):
        return SAVES
    if contains_capturer(b, theirs, mover):
        return RECAPTURES
    near = _touches_previous(b, p, mover)
    if near >= 0 and near != theirs:
        return CUTS
    return DOOMED if taken_in_ladder(b, theirs, 3 - mover, context.ladder) else ESCAPING


@inlined
def _capture(context: Context, p: int) -> int:
    """The first level that fits one of the strings that the move takes."""
    b, mover = context.board, context.mover
    first = 0
    for theirs in touched_strings(b, p, 3 - mover):
        if theirs != NONE and b.liberties[at(theirs)] == 1:
            level = _taking(context, p, theirs)
            first = level if first == 0 else min(first, level)
    return first


CAPTURE = Family(
    "capture",
    "Capture",
    (
        Level(
            "string contiguous to new string in atari",
            "takes stones and so saves a string that has just been put in atari",
        ),
        Level("re-capture previous move", "takes back the stone that has just taken something"),
        Level(
            "prevent connection to previous move",
            "takes stones before they connect to the opponent's last move",
        ),
        Level("string not in a ladder", "takes stones that could have run away"),
        Level("string in a ladder", "takes stones that could not have run away anyhow"),
    ),
    _capture,
)


@inlined
def _extension(context: Context, p: int) -> int:
    """A string that has just been put in atari gets a new liberty, or tries to."""
    b, mover = context.board, context.mover
    extends = False
    for d in NEIGHBOURS:
        q = p + d
        if b.color[at(q)] == mover and newly_in_atari(b, int64(b.head[at(q)]), mover):
            extends = True
    if not extends:
        return 0
    try_move(context, p)
    return 2 if taken_in_ladder(context.spare, p, 3 - mover, context.ladder) else 1


EXTENSION = Family(
    "extension",
    "Extension",
    (
        Level("new atari, not in a ladder", "saves the stones just put in atari"),
        Level(
            "new atari, in a ladder",
            "runs with the stones just put in atari, which are caught all the same",
        ),
    ),
    _extension,
)


@inlined
def _self_atari(context: Context, p: int) -> int:
    """The move takes nothing and leaves its own string one liberty."""
    b, mover = context.board, context.mover
    return 1 if not captures(b, p, mover) and liberties_after(b, p, mover) == 1 else 0


SELF_ATARI = Family(
    "self-atari", "Self-atari", (Level("self-atari", "puts its own stones in atari"),), _self_atari
)


@inlined
def _atari(context: Context, p: int) -> int:
    """The move leaves an opponent's string one liberty."""
    b, mover = context.board, context.mover
    level = 0
    for d in NEIGHBOURS:
        q = p + d
        if b.color[at(q)] != 3 - mover or b.liberties[b.head[at(q)]] != 2:
            continue
        if level == 0:
            level = OTHER_ATARI if b.ko == NONE else KO
            try_move(context, p)
        if taken_in_ladder(context.spare, q, 3 - mover, context.ladder):
            return LADDER
    return level


ATARI = Family(
    "atari",
    "Atari",
    (
        Level("ladder atari", "puts stones in atari that a ladder then catches"),
        Level("atari when there is a ko", "puts stones in atari while a ko is being fought"),
        Level("other atari", "puts stones in atari"),
    ),
    _atari,
)
