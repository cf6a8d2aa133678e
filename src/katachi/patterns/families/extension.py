"""Extension: a string that has just been put in atari gets a new liberty, or tries to."""

from __future__ import annotations

from typing import Any

from katachi.go.board import NEIGHBOURS, Board, copy, play
from katachi.go.kernel import at, int64, kernel
from katachi.go.ladder import taken_in_ladder
from katachi.go.points import PASS
from katachi.patterns.family import Family, Level, Situation
from katachi.patterns.tactics import is_large, newly_in_atari


@kernel
def levels(
    b: Board,
    mover: int,
    candidates: Any,
    n: int,
    with_ladders: bool,
    spare: Board,
    work: Any,
    out: Any,
) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        for d in NEIGHBOURS:
            q = p + d
            head = int64(b.head[at(q)])
            if b.color[at(q)] == mover and newly_in_atari(b, head, mover):
                out[i] = max(int64(out[i]), 2 if is_large(b, head) and not with_ladders else 1)
        if out[i] and with_ladders:
            copy(spare, b)
            play(spare, p, mover)
            if taken_in_ladder(spare, p, 3 - mover, work):
                out[i] = 2


def _write(situation: Situation, out: Any) -> None:
    levels(*situation.basics, True, situation.spare, situation.ladder, out)


def _write_light(situation: Situation, out: Any) -> None:
    levels(*situation.basics, False, situation.spare, situation.ladder, out)


FAMILY = Family(
    "extension",
    "Extension",
    (
        Level("new atari, not in a ladder", "saves the stones just put in atari"),
        Level(
            "new atari, in a ladder",
            "runs with the stones just put in atari, which are caught all the same",
        ),
    ),
    _write,
)

LIGHT_FAMILY = Family(
    "extension",
    "Extension",
    (
        Level("new atari of one or two stones", "runs with the stones just put in atari"),
        Level("new atari of three stones or more", "runs with the many stones just put in atari"),
    ),
    _write_light,
)
