"""Line by stage of the game: the distance to the border, told anew every 30 moves.

Moves are all that were played, passes too, in proportion to a board of 361 points.
"""

from __future__ import annotations

from typing import Any

from katachi.go.kernel import int64, kernel
from katachi.go.points import MAX_SIZE, PASS, STRIDE
from katachi.patterns.family import Family, Level, Situation

LINES = 6  # the sixth line and all beyond it are one
STAGES = 8
MOVES = 30  # of a stage, but the last has no end
_POINTS = MAX_SIZE * MAX_SIZE
_NAMES = ("first", "second", "third", "fourth", "fifth", "sixth")


@kernel
def levels(size: int, moves: int, candidates: Any, n: int, out: Any) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    stage = min(moves * _POINTS // (size * size) // MOVES, STAGES - 1)
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        row, col = p // STRIDE, p % STRIDE
        line = min(min(row, size + 1 - row), min(col, size + 1 - col))
        out[i] = stage * LINES + min(line, LINES)


def _write(situation: Situation, out: Any) -> None:
    moves = int(situation.board["moves"])  # by key: numpy is slow at the attribute
    levels(situation.size, moves, situation.candidates, situation.count, out)


def _level(stage: int, line: int) -> Level:
    first, last = stage * MOVES, stage * MOVES + MOVES - 1
    more = line == LINES
    number = f"≥ {line}" if more else str(line)
    words = f"is on the {_NAMES[line - 1]} line{' or higher up' if more else ''}"
    when, moves = f"{first} – {last}", f"{first} to {last} moves"
    if stage == STAGES - 1:
        when, moves = f"≥ {first}", f"{first} or more moves"
    sentence = f"{words}, after {moves} (in proportion on small boards)"
    return Level(f"{number}, moves {when}", sentence)


FAMILY = Family(
    "line-stage",
    "Line by stage of the game",
    tuple(_level(stage, line) for stage in range(STAGES) for line in range(1, LINES + 1)),
    _write,
)
