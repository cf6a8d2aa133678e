"""What the whole position is like: the same for all candidates.

A level is told once for a position, and its words end the sentence "The position …". It says
nothing of one move against another: in a model that multiplies gammas it cancels. Models in which
features act on each other learn from it where a feature of a move is worth more, or less.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from katachi.go.board import NEIGHBOURS, Board, is_legal
from katachi.go.kernel import at, inlined, int64, lean
from katachi.go.points import MAX_SIZE, NONE, PASS, STRIDE
from katachi.patterns.context import Context
from katachi.patterns.facts import LIBERTY_CLASSES, SIZE_CLASSES, liberty_class, size_class
from katachi.patterns.families.offsets import offset_levels, offset_of
from katachi.patterns.family import Family, Level

STAGES: Final = 12
STAGE_MOVES: Final = 25  # of a stage, but the last has no end
LEGAL: Final = (10, 25, 50, 100, 150, 200, 250, 300)  # the most legal moves of a level
MANY_ATARIS: Final = 3  # so many strings, or more
LINES: Final = 5  # the fifth line and all beyond it are one
AFTER_PASS, NO_MOVE = LINES + 1, LINES + 2
NEAR: Final = 9  # a distance d up to this is local
BOTH_LOCAL, LOCAL_ANSWER, TENUKI, BOTH_ELSEWHERE = 1, 2, 3, 4
_POINTS: Final = MAX_SIZE * MAX_SIZE


# -- the game ------------------------------------------------------------------------------------


@inlined
def _stage(context: Context, _p: int) -> int:
    """Moves are all that were played, passes too, in proportion to a board of 361 points."""
    size, moves = int64(context.board.side), int64(context.board.moves)
    return min(moves * _POINTS // (size * size) // STAGE_MOVES, STAGES - 1) + 1


def _stage_level(stage: int) -> Level:
    first, last = stage * STAGE_MOVES, stage * STAGE_MOVES + STAGE_MOVES - 1
    name, moves = f"{first} – {last}", f"{first} to {last} moves"
    if stage == STAGES - 1:
        name, moves = f"≥ {first}", f"{first} or more moves"
    return Level(name, f"comes after {moves} (in proportion on small boards)")


STAGE = Family("stage", "Stage of the game", tuple(map(_stage_level, range(STAGES))), _stage)


@lean
def _legal_count(b: Board, mover: int) -> int:
    count = 0
    for row in range(1, b.side + 1):
        for col in range(1, b.side + 1):
            if is_legal(b, row * STRIDE + col, mover):
                count += 1
    return count


@inlined
def _legal_moves(context: Context, _p: int) -> int:
    """How many moves are legal, without the pass."""
    count = _legal_count(context.board, context.mover)
    level = 1
    for most in LEGAL:
        if count > most:
            level += 1
    return level


LEGAL_MOVES = Family(
    "legal-moves",
    "Legal moves",
    (
        Level(f"≤ {LEGAL[0]}", f"has at most {LEGAL[0]} legal moves"),
        *(
            Level(f"{less + 1}-{most}", f"has {less + 1} to {most} legal moves")
            for less, most in pairwise(LEGAL)
        ),
        Level(f"> {LEGAL[-1]}", f"has more than {LEGAL[-1]} legal moves"),
    ),
    _legal_moves,
)


@inlined
def _ko(context: Context, _p: int) -> int:
    return 0 if context.board.ko == NONE else 1


KO = Family("ko", "Ko", (Level("ko", "has a ko that must not be taken back at once"),), _ko)


@inlined
def _taken(context: Context, _p: int) -> int:
    """How many stones the last move took."""
    taken = int64(context.board.taken)
    if taken <= 2:
        return taken
    return 3 if taken <= 5 else 4


TAKEN = Family(
    "taken",
    "Stones taken by the last move",
    (
        Level("1", "comes after one stone was taken"),
        Level("2", "comes after two stones were taken"),
        Level("3-5", "comes after three to five stones were taken"),
        Level("≥ 6", "comes after six stones or more were taken"),
    ),
    _taken,
)


@lean
def _ataris(b: Board, colour: int) -> int:
    """How many strings of this colour are in atari, at most MANY_ATARIS."""
    count = 0
    for row in range(1, b.side + 1):
        for col in range(1, b.side + 1):
            p = row * STRIDE + col
            if b.color[p] == colour and b.head[p] == p and b.liberties[p] == 1:
                count += 1
    return min(count, MANY_ATARIS)


@inlined
def _own_ataris(context: Context, _p: int) -> int:
    return _ataris(context.board, context.mover)


@inlined
def _opponent_ataris(context: Context, _p: int) -> int:
    return _ataris(context.board, 3 - context.mover)


def _atari_levels(whose: str) -> tuple[Level, ...]:
    return (
        Level("1", f"has one string of {whose} in atari"),
        Level("2", f"has two strings of {whose} in atari"),
        Level("≥ 3", f"has three strings of {whose} in atari, or more"),
    )


OWN_ATARIS = Family(
    "own-ataris", "Own strings in atari", _atari_levels("the player's"), _own_ataris
)
OPPONENT_ATARIS = Family(
    "opponent-ataris",
    "Opponent's strings in atari",
    _atari_levels("the opponent's"),
    _opponent_ataris,
)


# -- the last moves ------------------------------------------------------------------------------


@inlined
def _last_line(context: Context, _p: int) -> int:
    size, last = int64(context.board.side), int64(context.board.previous[0])
    if last == PASS:
        return AFTER_PASS
    if last == NONE:
        return NO_MOVE
    row, col = last // STRIDE, last % STRIDE
    return min(row, size + 1 - row, col, size + 1 - col, LINES)


LAST_LINE = Family(
    "last-line",
    "Line of the last move",
    (
        Level("1", "comes after a move on the first line"),
        Level("2", "comes after a move on the second line"),
        Level("3", "comes after a move on the third line"),
        Level("4", "comes after a move on the fourth line"),
        Level("≥ 5", "comes after a move on the fifth line or higher up"),
        Level("pass", "comes after a pass"),
        Level("none", "comes before any move"),
    ),
    _last_line,
)


@inlined
def _last_offset(context: Context, _p: int) -> int:
    previous = context.board.previous
    return offset_of(int64(previous[0]), int64(previous[1]))


@inlined
def _last_offset2(context: Context, _p: int) -> int:
    previous = context.board.previous
    return offset_of(int64(previous[0]), int64(previous[2]))


LAST_OFFSET = Family(
    "last-offset",
    "Offset of the last move to the move before it",
    offset_levels("comes after a move", "the move before it"),
    _last_offset,
)
LAST_OFFSET2 = Family(
    "last-offset2",
    "Offset of the last move to the third last move",
    offset_levels("comes after a move", "the third last move"),
    _last_offset2,
)


@inlined
def _is_local(p: int, other: int) -> bool:
    dy = abs(p // STRIDE - other // STRIDE)
    dx = abs(p % STRIDE - other % STRIDE)
    return dx + dy + max(dx, dy) <= NEAR


@inlined
def _local(context: Context, _p: int) -> int:
    """Whether the last move was near the one before it, and that one near the one before."""
    previous = context.board.previous
    last, second, third = int64(previous[0]), int64(previous[1]), int64(previous[2])
    if last <= PASS or second <= PASS or third <= PASS:
        return 0
    if _is_local(last, second):
        return BOTH_LOCAL if _is_local(second, third) else LOCAL_ANSWER
    return TENUKI if _is_local(second, third) else BOTH_ELSEWHERE


LOCAL = Family(
    "local",
    "Local answers before",
    (
        Level("local, local", "comes after two local answers"),
        Level("local, elsewhere", "comes after a local answer to a move played elsewhere"),
        Level("elsewhere, local", "comes after a move that left a local answer alone"),
        Level("elsewhere, elsewhere", "comes after two moves that were played elsewhere"),
    ),
    _local,
)


# -- strings around the last move ----------------------------------------------------------------
# Only where the last move is a stone of the opponent's that stands on the board.


@inlined
def _last_head(context: Context) -> int:
    """The head of the string of the opponent's last move, or NONE."""
    b = context.board
    last = int64(b.previous[0])
    if last <= PASS or b.color[at(last)] != 3 - context.mover:
        return NONE
    return int64(b.head[at(last)])


@inlined
def _last_liberties(context: Context, _p: int) -> int:
    head = _last_head(context)
    return 0 if head == NONE else liberty_class(int64(context.board.liberties[at(head)]))


@inlined
def _last_size(context: Context, _p: int) -> int:
    head = _last_head(context)
    return 0 if head == NONE else size_class(int64(context.board.stones[at(head)]))


@inlined
def _weakest_head(context: Context) -> int:
    """The head of the own string with the fewest liberties that the last move touches; of those
    with as few, the largest. NONE if it touches none.
    """
    b = context.board
    if _last_head(context) == NONE:
        return NONE
    last = int64(b.previous[0])
    weakest = int64(NONE)
    for d in NEIGHBOURS:
        if b.color[at(last + d)] != context.mover:
            continue
        head = int64(b.head[at(last + d)])
        fewer = int64(0)
        if weakest != NONE:
            fewer = int64(b.liberties[at(weakest)]) - int64(b.liberties[at(head)])
        larger = weakest == NONE or b.stones[at(head)] > b.stones[at(weakest)]
        if fewer > 0 or (fewer == 0 and larger):
            weakest = head
    return weakest


@inlined
def _weakest_liberties(context: Context, _p: int) -> int:
    head = _weakest_head(context)
    return 0 if head == NONE else liberty_class(int64(context.board.liberties[at(head)]))


@inlined
def _weakest_size(context: Context, _p: int) -> int:
    head = _weakest_head(context)
    return 0 if head == NONE else size_class(int64(context.board.stones[at(head)]))


LAST_LIBERTIES = Family(
    "last-liberties",
    "Liberties of the last move's string",
    tuple(
        Level(name, f"comes after a move whose string has {words}")
        for name, words in LIBERTY_CLASSES
    ),
    _last_liberties,
)
LAST_SIZE = Family(
    "last-size",
    "Size of the last move's string",
    tuple(
        Level(name, f"comes after a move whose string is {words}") for name, words in SIZE_CLASSES
    ),
    _last_size,
)
WEAKEST_LIBERTIES = Family(
    "weakest-liberties",
    "Liberties of the weakest own string beside the last move",
    tuple(
        Level(name, f"has a string of the player's with {words} beside the last move")
        for name, words in LIBERTY_CLASSES
    ),
    _weakest_liberties,
)
WEAKEST_SIZE = Family(
    "weakest-size",
    "Size of the weakest own string beside the last move",
    tuple(
        Level(name, f"has a string of {words} of the player's beside the last move")
        for name, words in SIZE_CLASSES
    ),
    _weakest_size,
)
