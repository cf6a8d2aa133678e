"""Words for threats to take stones: atari, ladder, net, and races for liberties."""

from __future__ import annotations

from typing import Final

from katachi.go.board import DIAGONALS, NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64, lean
from katachi.go.ladder import taken_in_ladder
from katachi.go.points import EMPTY, NONE, STRIDE
from katachi.patterns.context import Context, try_move
from katachi.patterns.facts import captures, liberties_after, touched_strings
from katachi.patterns.vocabulary.chase import breaks_ladder, note_ladders
from katachi.patterns.vocabulary.geometry import count_beside
from katachi.patterns.vocabulary.term import Term, group_of

DOUBLE_ATARI, LADDER, ATARI, NET, LADDER_BREAKER, FILL_LIBERTY = range(1, 7)
RACE: Final = 5  # the most liberties of a string in a race
GROUP: Final = 3  # the fewest stones of a string in a race

_TERMS: Final = (
    Term(
        "double-atari",
        "double atari",
        "puts two strings in atari at once",
        "it takes the last but one liberty of two strings, or more",
    ),
    Term(
        "ladder",
        "ladder",
        "puts stones in atari that a ladder catches",
        "it takes nothing, and puts a string in atari that has two liberties after running to its "
        "last one, and is taken in the ladder that follows",
    ),
    Term("atari", "atari", "puts stones in atari", "it takes the last but one liberty of a string"),
    Term(
        "net",
        "net",
        "catches stones in a net",
        "it takes nothing, and touches both liberties of a string with two liberties, diagonal to "
        "a stone of it; that string could have escaped, but now it is taken in a ladder even if "
        "it moves first",
    ),
    Term(
        "ladder-breaker",
        "ladder breaker",
        "breaks a ladder",
        "it takes nothing, is no liberty of an own string that a chase takes in six steps or more, "
        "is on or beside a point where the fifth step of that chase or a later one is played, and "
        "the chase does not take the string after it",
    ),
    Term(
        "fill-liberty",
        "filling a liberty",
        "takes a liberty in a race",
        "it takes a liberty of a string that has three to five of them and touches an own string "
        "with two to five, which the move does not touch; both have three stones or more",
    ),
)


@inlined
def _run(b: Board, p: int, head: int, theirs: int) -> int:
    """The liberties of an opponent's string with two liberties, one of them p, after p is taken and
    it has run to the other.
    """
    other = int64(b.liberty_sum[at(head)]) - p
    return liberties_after(b, other, theirs) - 1


@lean
def _atari(context: Context, p: int) -> int:
    b, mover = context.board, context.mover
    strings = touched_strings(b, p, 3 - mover)
    count = 0
    for head in strings:
        if head != NONE and b.liberties[at(head)] == 2:
            count += 1
    if count != 1 or captures(b, p, mover):
        return 0 if count == 0 else ATARI if count == 1 else DOUBLE_ATARI
    for head in strings:
        if head != NONE and b.liberties[at(head)] == 2 and _run(b, p, head, 3 - mover) == 2:
            try_move(context, p)
            if taken_in_ladder(context.spare, head, 3 - mover, context.ladder):
                return LADDER
    return ATARI


@lean
def _catches(context: Context, p: int, stone: int) -> bool:
    """Whether p is a net around the string of this stone, diagonal to p, with two liberties."""
    b, theirs = context.board, 3 - context.mover
    row = p // STRIDE - stone // STRIDE
    one, two = stone + row * STRIDE, p - row * STRIDE
    if b.color[at(one)] != EMPTY or b.color[at(two)] != EMPTY:
        return False
    # p is a liberty of whatever runs there, and is none after the move.
    if liberties_after(b, one, theirs) > 3 or liberties_after(b, two, theirs) > 3:
        return False
    if captures(b, p, context.mover) or taken_in_ladder(b, stone, theirs, context.ladder):
        return False
    try_move(context, p)
    return taken_in_ladder(context.spare, stone, theirs, context.ladder)


@inlined
def _nets(context: Context, p: int) -> bool:
    b = context.board
    for d in DIAGONALS:
        stone = p + d
        if (
            b.color[at(stone)] == 3 - context.mover
            and b.liberties[b.head[at(stone)]] == 2
            and _catches(context, p, stone)
        ):
            return True
    return False


@inlined
def _races(b: Board, head: int) -> bool:
    """Whether a string is large and short of liberties, so that it may be in a race."""
    return int64(b.stones[at(head)]) >= GROUP and int64(b.liberties[at(head)]) <= RACE


@lean
def _race(b: Board, p: int, theirs: int, mover: int) -> bool:
    """Whether the opponent's string at `theirs` is in a race with an own string that p does not
    touch.
    """
    north, west, east, south = touched_strings(b, p, mover)
    s = int64(theirs)
    while True:
        for d in NEIGHBOURS:
            if b.color[at(s + d)] == mover:
                mine = int64(b.head[at(s + d)])
                touched = mine == north or mine == west or mine == east or mine == south
                if not touched and b.liberties[at(mine)] >= 2 and _races(b, mine):
                    return True
        s = int64(b.link[at(s)])
        if s == theirs:
            return False


@inlined
def _fills(b: Board, p: int, mover: int) -> bool:
    for head in touched_strings(b, p, 3 - mover):
        if (
            head != NONE
            and b.liberties[at(head)] >= 3
            and _races(b, head)
            and _race(b, p, head, mover)
        ):
            return True
    return False


@lean
def _attack(context: Context, p: int) -> int:
    touches = count_beside(context.board, p, 3 - context.mover) > 0
    level = _atari(context, p) if touches else 0
    if level:
        return level
    if _nets(context, p):
        return NET
    if breaks_ladder(context, p):
        return LADDER_BREAKER
    return FILL_LIBERTY if touches and _fills(context.board, p, context.mover) else 0


ATTACKS = group_of("word-attack", "Attacking stones", _TERMS, _attack, note_ladders)
