"""Capture (Coulom 2007, Table 1), with ladders; and the light one of the playouts (section 4.1)."""

from __future__ import annotations

from typing import Any

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, int64, kernel
from katachi.go.ladder import taken_in_ladder
from katachi.go.points import PASS
from katachi.patterns.family import Family, Level, Situation
from katachi.patterns.tactics import contains_capturer, is_large, newly_in_atari

SAVES, RECAPTURES, CUTS, ESCAPING, DOOMED = 1, 2, 3, 4, 5
TAKES_LAST, OTHER_LARGE, OTHER = 3, 4, 5  # of the light levels


@kernel
def _saves(b: Board, theirs: int, mover: int, only_new: bool) -> bool:
    """Whether the opponent's string at `theirs` touches an own string (newly) in atari."""
    s = int64(theirs)
    while True:
        for d in NEIGHBOURS:
            if b.color[at(s + d)] == mover:
                head = int64(b.head[at(s + d)])
                if b.liberties[head] == 1 and (not only_new or newly_in_atari(b, head, mover)):
                    return True
        s = int64(b.link[s])
        if s == theirs:
            return False


@kernel
def _touches_previous(b: Board, p: int, mover: int) -> int:
    """The head of the opponent's string with the previous move, if p touches it, else -1."""
    previous = int64(b.previous[0])
    if previous <= PASS or b.color[at(previous)] != 3 - mover:
        return -1
    for d in NEIGHBOURS:
        if b.color[at(p + d)] == 3 - mover and b.head[at(p + d)] == b.head[at(previous)]:
            return int64(b.head[at(previous)])
    return -1


@kernel
def _level(b: Board, p: int, theirs: int, mover: int, work: Any) -> int:
    """The level of taking the string at `theirs` by a move on p."""
    if _saves(b, theirs, mover, True):
        return SAVES
    if contains_capturer(b, theirs, mover):
        return RECAPTURES
    near = _touches_previous(b, p, mover)
    if near >= 0 and near != theirs:
        return CUTS
    return DOOMED if taken_in_ladder(b, theirs, 3 - mover, work) else ESCAPING


@kernel
def _light_level(b: Board, theirs: int, mover: int) -> int:
    if _saves(b, theirs, mover, False):
        return SAVES
    if contains_capturer(b, theirs, mover):
        return RECAPTURES
    previous = int64(b.previous[0])
    if previous > PASS and b.color[at(previous)] == 3 - mover and b.head[at(previous)] == theirs:
        return TAKES_LAST
    return OTHER_LARGE if is_large(b, theirs) else OTHER


@kernel
def levels(b: Board, mover: int, candidates: Any, n: int, light: bool, work: Any, out: Any) -> None:
    """Write the level of each of the n candidates into out, which holds zeros."""
    for i in range(n):
        p = int64(candidates[i])
        if p == PASS:
            continue
        for d in NEIGHBOURS:
            q = p + d
            if b.color[at(q)] != 3 - mover or b.liberties[b.head[at(q)]] != 1:
                continue
            theirs = int64(b.head[at(q)])
            level = _light_level(b, theirs, mover) if light else _level(b, p, theirs, mover, work)
            if out[i] == 0 or level < out[i]:
                out[i] = level


def _write(situation: Situation, out: Any) -> None:
    levels(*situation.basics, False, situation.ladder, out)


def _write_light(situation: Situation, out: Any) -> None:
    levels(*situation.basics, True, situation.ladder, out)


FAMILY = Family(
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
    _write,
)

LIGHT_FAMILY = Family(
    "capture",
    "Capture",
    (
        Level("saves a string in atari", "takes stones and so saves a string in atari"),
        Level("re-capture previous move", "takes back the stone that has just taken something"),
        Level("takes previous move", "takes the stone just played"),
        Level("other capture of three stones or more", "takes three stones or more"),
        Level("other capture", "takes one or two stones"),
    ),
    _write_light,
)
