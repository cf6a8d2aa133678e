"""Where a move is, and when: pass, border, line by stage, coordinates, Monte-Carlo owner."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from katachi.go.board import Board, copy, set_stones
from katachi.go.kernel import at, inlined, int64, kernel, lean, uint64
from katachi.go.playout import playout
from katachi.go.points import AREA, MAX_SIZE, PASS, STRIDE
from katachi.go.rng import scramble
from katachi.go.score import settled_owner
from katachi.patterns.context import Context
from katachi.patterns.family import Family, Level

BORDER_LINES: Final = 4
STAGE_LINES: Final = 6  # the sixth line and all beyond it are one
STAGES: Final = 8
STAGE_MOVES: Final = 30  # of a stage, but the last has no end
GAMES: Final = 63
_POINTS: Final = MAX_SIZE * MAX_SIZE
_LINES: Final = ("first", "second", "third", "fourth", "fifth", "sixth")


@inlined
def _pass(context: Context, p: int) -> int:
    if p != PASS:
        return 0
    return 2 if context.board.previous[0] == PASS else 1


PASSES = Family(
    "pass",
    "Pass",
    (
        Level("previous move is not a pass", "passes although the opponent has just played"),
        Level("previous move is a pass", "passes after the opponent's pass, which ends the game"),
    ),
    _pass,
    of_pass=True,
)


@inlined
def _lines(p: int, size: int) -> tuple[int, int]:
    """The lines of a point from the nearest sides, above or below and left or right, from 1."""
    row, col = p // STRIDE, p % STRIDE
    return min(row, size + 1 - row), min(col, size + 1 - col)


@inlined
def _line(context: Context, p: int) -> int:
    """The line of a point: its distance to the border."""
    one, two = _lines(p, int64(context.board.side))
    return min(one, two)


@inlined
def _border(context: Context, p: int) -> int:
    line = _line(context, p)
    return line if line <= BORDER_LINES else 0


BORDER = Family(
    "border",
    "Distance to border",
    tuple(
        Level(str(line), f"is on the {name} line")
        for line, name in enumerate(_LINES[:BORDER_LINES], 1)
    ),
    _border,
)


@lean
def _note_stage(context: Context) -> None:
    """Notes: how many stages lie behind. Moves are all that were played, passes too, in proportion
    to a board of 361 points.
    """
    size, moves = int64(context.board.side), int64(context.board.moves)
    context.notes[0] = min(moves * _POINTS // (size * size) // STAGE_MOVES, STAGES - 1)


@inlined
def _line_stage(context: Context, p: int) -> int:
    """The line of a point, told anew in each stage."""
    return int64(context.notes[0]) * STAGE_LINES + min(_line(context, p), STAGE_LINES)


def _stage_level(stage: int, line: int) -> Level:
    first, last = stage * STAGE_MOVES, stage * STAGE_MOVES + STAGE_MOVES - 1
    more = line == STAGE_LINES
    number = f"≥ {line}" if more else str(line)
    words = f"is on the {_LINES[line - 1]} line{' or higher up' if more else ''}"
    when, moves = f"{first} – {last}", f"{first} to {last} moves"
    if stage == STAGES - 1:
        when, moves = f"≥ {first}", f"{first} or more moves"
    sentence = f"{words}, after {moves} (in proportion on small boards)"
    return Level(f"{number}, moves {when}", sentence)


LINE_STAGE = Family(
    "line-stage",
    "Line by stage of the game",
    tuple(
        _stage_level(stage, line) for stage in range(STAGES) for line in range(1, STAGE_LINES + 1)
    ),
    _line_stage,
    prepare=_note_stage,
)


@inlined
def coordinates_of(p: int, size: int) -> int:
    """The level of a point, from 1; 0 for a pass. One for all points that the symmetries of the
    board make one (Araki 2007, III-B): of a point's lines from the two nearest sides, the smaller
    comes first, so that (3, 4) is every 3-4 point, on a board of any size.
    """
    if p == PASS:
        return 0
    one, two = _lines(p, size)
    low, high = min(one, two), max(one, two)
    return high * (high - 1) // 2 + low


@inlined
def _coordinates(context: Context, p: int) -> int:
    return coordinates_of(p, int64(context.board.side))


COORDINATES = Family(
    "coordinates",
    "Coordinates",
    tuple(
        Level(f"{low}-{high}", f"is on a {low}-{high} point")
        for high in range(1, (MAX_SIZE + 1) // 2 + 1)
        for low in range(1, high + 1)
    ),
    _coordinates,
)


@kernel
def owner_counts(b: Board, base: Board, spare: Board, mover: int, out: Any) -> None:
    """Write into out (int32[AREA]) in how many of GAMES random games each point is the mover's.

    The games are uniform, and seeded by the position, so the same position always gives the same.
    `base` and `spare` are boards to work on.
    """
    # Built anew from its stones: the order in which a board lists its empty points and stones
    # tells how it was reached, and would steer the random games.
    base.side = b.side
    set_stones(base, b.color)
    base.to_move = mover
    base.ko = b.ko
    seed = b.hash ^ (uint64(mover) << uint64(62)) ^ (uint64(b.ko + 1) * uint64(0x9E3779B97F4A7C15))
    rng = np.empty(1, np.uint64)
    rng[0] = scramble(seed)
    out[:] = 0
    for _ in range(GAMES):
        copy(spare, base)
        playout(spare, rng)
        for row in range(1, b.side + 1):
            for col in range(1, b.side + 1):
                p = row * STRIDE + col
                if settled_owner(spare, p) == mover:
                    out[p] += 1


@kernel
def owner_shares(context: Context) -> None:
    """Fill `context.owned` by random games."""
    counts = np.zeros(AREA, np.int32)
    owner_counts(context.board, context.ladder[0][0], context.spare, context.mover, counts)
    for p in range(AREA):
        context.owned[p] = counts[p] / GAMES


@inlined
def _owner(context: Context, p: int) -> int:
    """How often the point ends as the mover's, on the scale of GAMES."""
    return int64(np.rint(context.owned[at(p)] * GAMES)) // 8 + 1


_OWNERS: Final = (
    "is in the opponent's sure territory",
    "is where the opponent is very likely to end up",
    "is where the opponent is likely to end up",
    "is on ground that leans to the opponent",
    "is on ground that leans to the player",
    "is where the player is likely to end up",
    "is where the player is very likely to end up",
    "is in the player's own sure territory",
)

OWNER = Family(
    "owner",
    "Monte-Carlo owner",
    tuple(Level(f"{8 * i} – {8 * i + 7}", words) for i, words in enumerate(_OWNERS)),
    _owner,
    slow=True,
)
