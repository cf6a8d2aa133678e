"""Strings and liberties beyond the paper: what a move takes, saves, touches and leaves."""

from __future__ import annotations

from katachi.go.board import NEIGHBOURS, Board, is_own_eye
from katachi.go.kernel import at, inlined, int64, lean
from katachi.go.ladder import taken_in_ladder
from katachi.go.points import EMPTY, NONE, PASS, WALL
from katachi.patterns.context import Context, try_move
from katachi.patterns.facts import (
    captures,
    is_liberty,
    liberties_after,
    size_class,
    strings_with,
    touched_strings,
)
from katachi.patterns.family import Family, Level

SAVED_SIZES = 5  # classes of sizes; as many again for strings that a ladder takes
MANY_LIBERTIES = 7  # the last level: so many, or more
HELPED, STILL_LOST = 1, 2
FROM_THREE, FROM_FOUR = 1, 2
REAL_EYE, FALSE_EYE = 1, 2
STRINGS = ("one string", "two strings", "three strings", "four strings")


@inlined
def _captured(context: Context, p: int) -> int:
    """How many stones the move takes."""
    b = context.board
    taken = 0
    for head in touched_strings(b, p, 3 - context.mover):
        if head != NONE and b.liberties[at(head)] == 1:
            taken += int64(b.stones[at(head)])
    if taken <= 3:
        return taken
    if taken <= 6:
        return 4
    return 5 if taken <= 10 else 6


CAPTURED = Family(
    "captured",
    "Stones captured",
    (
        Level("1", "takes one stone"),
        Level("2", "takes two stones"),
        Level("3", "takes three stones"),
        Level("4-6", "takes four to six stones"),
        Level("7-10", "takes seven to ten stones"),
        Level("≥ 11", "takes eleven stones or more"),
    ),
    _captured,
)


@lean
def _note_ataris(context: Context) -> None:
    """Notes: how many own strings are in atari, then their heads."""
    notes = context.notes
    notes[0] = strings_with(context.board, context.mover, 1, notes[1:])


@inlined
def _near_atari(b: Board, p: int) -> bool:
    """Whether a string of either side in atari touches p: to be extended, or to be taken."""
    for d in NEIGHBOURS:
        k = b.color[at(p + d)]
        if k != EMPTY and k != WALL and b.liberties[b.head[at(p + d)]] == 1:
            return True
    return False


@inlined
def _saved(context: Context, p: int) -> int:
    """Own strings in atari get a second liberty, by extending, connecting or capturing."""
    b, spare, notes = context.board, context.spare, context.notes
    if notes[0] == 0 or not _near_atari(b, p):
        return 0
    try_move(context, p)
    stones = 0
    taken = True  # all of them, in ladders
    read = int64(PASS)  # head of the string read last: several may have joined
    for j in range(1, notes[0] + 1):
        before = int64(notes[at(j)])
        after = int64(spare.head[before])
        if spare.liberties[after] < 2:
            continue
        stones += int64(b.stones[before])
        if taken and after != read:
            taken = taken_in_ladder(spare, after, 3 - context.mover, context.ladder)
            read = after
    if stones == 0:
        return 0
    return size_class(stones) + (SAVED_SIZES if taken else 0)


_SIZES = (  # the name of a level, the stones, and how the sentence goes on
    ("1", "a stone in atari", "that is"),
    ("2", "two stones in atari", "that are"),
    ("3-4", "three or four stones in atari", "that are"),
    ("5-8", "five to eight stones in atari", "that are"),
    ("≥ 9", "nine stones in atari or more", "that are"),
)
SAVED = Family(
    "saved",
    "Stones saved from atari",
    (
        *(Level(name, f"saves {stones}") for name, stones, _ in _SIZES),
        *(
            Level(f"{name}, in a ladder", f"runs with {stones} {that} caught all the same")
            for name, stones, that in _SIZES
        ),
    ),
    _saved,
    prepare=_note_ataris,
)


@lean
def _room_taken(b: Board, p: int, mover: int) -> int:
    """How many of the stones that the move takes leave a liberty to its own string."""
    north, west, east, south = touched_strings(b, p, mover)
    count = 0
    for theirs in touched_strings(b, p, 3 - mover):
        if theirs == NONE or b.liberties[at(theirs)] != 1:
            continue
        s = int64(theirs)
        while True:
            for d in NEIGHBOURS:
                q = s + d
                mine = int64(b.head[at(q)]) if b.color[at(q)] == mover else -2
                if q == p or mine == north or mine == west or mine == east or mine == south:
                    count += 1
                    break
            s = int64(b.link[at(s)])
            if s == theirs:
                break
    return count


@inlined
def _liberties(context: Context, p: int) -> int:
    """How many liberties the move's own string has after it."""
    b, mover = context.board, context.mover
    free = 0  # neighbours that are empty, or will be
    takes = False
    richest = 0  # the most liberties of an own string that the move joins
    mine, several = int64(NONE), False  # the own string, or there is more than one
    for d in NEIGHBOURS:
        q = p + d
        k = b.color[at(q)]
        if k == EMPTY:
            free += 1
        elif k != WALL:
            head = int64(b.head[at(q)])
            liberties = int64(b.liberties[at(head)])
            if k == mover:
                several |= mine != NONE and mine != head
                mine = head
                richest = max(richest, liberties)
            elif liberties == 1:
                takes = True
                free += 1
    if richest == 0:
        count = free  # a stone alone
    elif richest > MANY_LIBERTIES:
        count = MANY_LIBERTIES  # the move itself costs one
    elif several or takes:
        count = liberties_after(b, p, mover)
        if takes and count < MANY_LIBERTIES:
            count += _room_taken(b, p, mover)
    else:
        count = richest - 1
        for d in NEIGHBOURS:
            if b.color[at(p + d)] == EMPTY and not is_liberty(b, mine, p + d):
                count += 1
    return min(count, MANY_LIBERTIES)


LIBERTIES = Family(
    "liberties",
    "Liberties after the move",
    (
        Level("1", "leaves its string one liberty"),
        *(
            Level(str(n), f"leaves its string {number} liberties")
            for n, number in enumerate(("two", "three", "four", "five", "six"), 2)
        ),
        Level("≥ 7", "leaves its string seven liberties or more"),
    ),
    _liberties,
)


@lean
def _note_threatened(context: Context) -> None:
    """Notes: how many own strings with two liberties the opponent, to move, takes in a ladder, then
    their heads.
    """
    b, mover, notes = context.board, context.mover, context.notes
    count = strings_with(b, mover, 2, notes[1:])
    kept = 0
    for j in range(1, count + 1):
        if taken_in_ladder(b, int64(notes[j]), 3 - mover, context.ladder):
            kept += 1
            notes[kept] = notes[j]
    notes[0] = kept


@inlined
def _joins_threatened(context: Context, p: int) -> bool:
    """Whether p is a liberty of one of the strings in the notes."""
    b, notes = context.board, context.notes
    for d in NEIGHBOURS:
        q = p + d
        if b.color[at(q)] == context.mover and b.liberties[b.head[at(q)]] == 2:
            for j in range(1, notes[0] + 1):
                if notes[at(j)] == b.head[at(q)]:
                    return True
    return False


@inlined
def _rescue(context: Context, p: int) -> int:
    """The move helps an own string with two liberties that a ladder would take, or tries to."""
    b, mover, spare, notes = context.board, context.mover, context.spare, context.notes
    if notes[0] == 0:
        return 0
    joins = _joins_threatened(context, p)
    takes = captures(b, p, mover)
    if joins:
        left = 2 if takes else liberties_after(b, p, mover)
        if left != 2:
            return HELPED if left > 2 else STILL_LOST
    elif not takes:
        return 0
    try_move(context, p)
    in_atari = spare.liberties[spare.head[at(p)]] == 1
    if joins and not in_atari and not taken_in_ladder(spare, p, 3 - mover, context.ladder):
        return HELPED
    for j in range(1, notes[0] + 1):
        # A string that the move does not join gets more liberties only from what it takes.
        if spare.liberties[spare.head[at(notes[at(j)])]] > 2:
            return HELPED
    return STILL_LOST if joins else 0


RESCUE = Family(
    "rescue",
    "Rescue from a ladder",
    (
        Level("helped", "saves a string with two liberties from a ladder"),
        Level("still lost", "helps a string with two liberties that a ladder catches all the same"),
    ),
    _rescue,
    prepare=_note_threatened,
)


@inlined
def _double_atari(context: Context, p: int) -> int:
    """The move leaves two strings of the opponent's, or more, one liberty each."""
    b = context.board
    count = 0
    for head in touched_strings(b, p, 3 - context.mover):
        if head != NONE and b.liberties[at(head)] == 2:
            count += 1
    return 1 if count >= 2 else 0


DOUBLE_ATARI = Family(
    "double-atari",
    "Double atari",
    (Level("double atari", "puts two strings in atari at once"),),
    _double_atari,
)


@inlined
def _reduction(context: Context, p: int) -> int:
    """The move takes a liberty of an opponent's string that has three, or four."""
    b = context.board
    level = 0
    for d in NEIGHBOURS:
        q = p + d
        if b.color[at(q)] == 3 - context.mover:
            liberties = b.liberties[b.head[at(q)]]
            if liberties == 3:
                return FROM_THREE
            if liberties == 4:
                level = FROM_FOUR
    return level


REDUCTION = Family(
    "reduction",
    "Taking a liberty",
    (
        Level("three to two", "leaves a string of the opponent's two liberties"),
        Level("four to three", "leaves a string of the opponent's three liberties"),
    ),
    _reduction,
)


@inlined
def _touched(b: Board, p: int, colour: int) -> int:
    """How many different strings of this colour the move touches."""
    count = 0
    for head in touched_strings(b, p, colour):
        if head != NONE:
            count += 1
    return count


@inlined
def _own_strings(context: Context, p: int) -> int:
    return _touched(context.board, p, context.mover)


@inlined
def _opponent_strings(context: Context, p: int) -> int:
    return _touched(context.board, p, 3 - context.mover)


OWN_STRINGS = Family(
    "own-strings",
    "Own strings touched",
    (
        Level("1", "touches one string of its own side"),
        Level("2", "connects two strings"),
        Level("3", "connects three strings"),
        Level("4", "connects four strings"),
    ),
    _own_strings,
)

OPPONENT_STRINGS = Family(
    "opponent-strings",
    "Opponent's strings touched",
    tuple(
        Level(str(count), f"touches {strings} of the opponent's")
        for count, strings in enumerate(STRINGS, 1)
    ),
    _opponent_strings,
)


@inlined
def _eye(context: Context, p: int) -> int:
    """The move fills an own eye, real or false."""
    b, mover = context.board, context.mover
    near = mover
    for d in NEIGHBOURS:
        near &= b.color[at(p + d)]  # a wall has the bits of both colours, an empty point none
    if near != mover:
        return 0
    return REAL_EYE if is_own_eye(b, p, mover) else FALSE_EYE


EYE = Family(
    "eye",
    "Filling an eye",
    (
        Level("real eye", "fills an eye of its own"),
        Level("false eye", "fills a false eye of its own"),
    ),
    _eye,
)
