"""How far a point is from the last moves: by the papers' distance, along chains, by coordinates."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64, kernel, lean
from katachi.go.points import AREA, EMPTY, MAX_SIZE, PASS, STRIDE, WALL
from katachi.patterns.context import Context
from katachi.patterns.family import Family, Level

FAR = 17  # a distance d ≥ 17 is one level
FAR_STEPS = 10  # 10 steps along chains or more are one level

# [moves back] the last moves in words
_WHOSE: Final = (
    "the opponent's last move",
    "the move before the last",
    "the third last move",
    "the fourth last move",
)


# -- d = |δx| + |δy| + max(|δx|, |δy|) (Coulom 2007, Table 1) --------------------------------------
# All but that to the last move can be 0: the point of a stone that has been taken is played again.


@inlined
def _distance_to(context: Context, p: int, back: int) -> int:
    """d to the move so many moves before the last, at most FAR; -1 if that is a pass, or none."""
    other = int64(context.board.previous[back])
    if other <= PASS:
        return -1
    dy = abs(p // STRIDE - other // STRIDE)
    dx = abs(p % STRIDE - other % STRIDE)
    return min(dx + dy + max(dx, dy), FAR)


@inlined
def _distance(context: Context, p: int) -> int:
    return max(_distance_to(context, p, 0) - 1, 0)


@inlined
def _with_zero(d: int) -> int:
    """The level of a distance that may be 0: d itself, since it is never 1."""
    return max(d, 1) if d >= 0 else 0


@inlined
def _distance2(context: Context, p: int) -> int:
    return _with_zero(_distance_to(context, p, 1))


@inlined
def _distance3(context: Context, p: int) -> int:
    return _with_zero(_distance_to(context, p, 2))


@inlined
def _distance4(context: Context, p: int) -> int:
    return _with_zero(_distance_to(context, p, 3))


def _from_two(whose: str) -> tuple[Level, ...]:
    """The levels of distances from 2 on."""
    return (
        Level("2", f"touches {whose}"),
        Level("3", f"is diagonal to {whose}"),
        *(Level(str(d), f"is at distance {d} from {whose}") for d in range(4, FAR)),
        Level(f"≥ {FAR}", f"is far away from {whose}"),
    )


_AGAIN: Final = "plays again where a stone has just been taken"

DISTANCE = Family("distance", "Distance to previous move", _from_two(_WHOSE[0]), _distance)

DISTANCE2 = Family(
    "distance2",
    "Distance to the move before the previous move",
    (Level("0", _AGAIN), *_from_two(_WHOSE[1])),
    _distance2,
)


def _older(back: int, level: Any) -> Family:
    whose = _WHOSE[back]
    again = Level("0", f"plays again where the stone of {whose} was taken")
    name = f"distance{back + 1}"
    return Family(name, f"Distance to {whose}", (again, *_from_two(whose)), level)


DISTANCE3 = _older(2, _distance3)
DISTANCE4 = _older(3, _distance4)


# -- along chains --------------------------------------------------------------------------------
# Connected stones of one colour count as one point, as do single empty points; a step goes from a
# point to a neighbouring one (Graepel et al. 2001 call this the common fate graph). The way begins
# at the string of the other move or, where its stone has been taken since, at the empty point that
# it left: that point itself is at distance 0. Every point of the board can be reached.


@inlined
def _enter(b: Board, q: int, step: int, steps: Any, queue: Any, end: int) -> int:
    """Enter q, with all of its string, in so many steps; the new end of the queue."""
    steps[at(q)] = step
    queue[end] = q
    end += 1
    if b.color[at(q)] != EMPTY:
        s = b.link[at(q)]
        while s != q:
            steps[s] = step
            queue[end] = s
            end += 1
            s = b.link[s]
    return end


@kernel
def _note_steps(context: Context, back: int) -> None:
    """Notes: [point] the steps from the move so many moves before the last, + 1; 0 from FAR_STEPS
    on.
    """
    b, steps = context.board, context.notes
    steps[:] = 0
    other = int64(b.previous[back])
    if other <= PASS:
        return
    queue = np.empty(AREA, np.uint16)
    end = _enter(b, other, 1, steps, queue, 0)
    begin = 0
    while begin < end:
        p = int64(queue[begin])
        begin += 1
        step = int64(steps[at(p)]) + 1
        if step > FAR_STEPS:
            break
        for d in NEIGHBOURS:
            q = p + d
            if steps[at(q)] == 0 and b.color[at(q)] != WALL:
                end = _enter(b, q, step, steps, queue, end)


@inlined
def _steps_from(context: Context, p: int, back: int) -> int:
    """The noted steps + 1; 0 if the other move is a pass, or none."""
    if context.board.previous[back] <= PASS:
        return 0
    step = int64(context.notes[at(p)])
    return step if step > 0 else FAR_STEPS + 1


@lean
def _note_from_last(context: Context) -> None:
    _note_steps(context, 0)


@inlined
def _chain(context: Context, p: int) -> int:
    return max(_steps_from(context, p, 0) - 1, 0)


@lean
def _note_from_second(context: Context) -> None:
    _note_steps(context, 1)


@inlined
def _chain2(context: Context, p: int) -> int:
    return _steps_from(context, p, 1)


def _steps_from_two(whose: str) -> tuple[Level, ...]:
    return (
        *(Level(str(d), f"is {d} steps along chains from {whose}") for d in range(2, FAR_STEPS)),
        Level(f"≥ {FAR_STEPS}", f"is {FAR_STEPS} or more steps along chains from {whose}"),
    )


CHAIN = Family(
    "chain",
    "Distance along chains to the previous move",
    (Level("1", f"touches the chain of {_WHOSE[0]}"), *_steps_from_two(_WHOSE[0])),
    _chain,
    prepare=_note_from_last,
)

CHAIN2 = Family(
    "chain2",
    "Distance along chains to the move before the previous move",
    (
        Level("0", _AGAIN),
        Level("1", f"touches the chain of {_WHOSE[1]}, or the point it was taken from"),
        *_steps_from_two(_WHOSE[1]),
    ),
    _chain2,
    prepare=_note_from_second,
)


# -- relative coordinates (Araki 2007, III-B) ------------------------------------------------------
# Patterns are the same in all 8 symmetries, and so are these: of the two distances, along rows and
# along columns, the smaller comes first. (0, 0) is the point of a stone that has been taken.


@inlined
def relative_of(p: int, other: int) -> int:
    """The level of a point to that of a move before, from 1; 0 if either is a pass, or none."""
    if p == PASS or other <= PASS:
        return 0
    one = abs(p // STRIDE - other // STRIDE)
    two = abs(p % STRIDE - other % STRIDE)
    low, high = min(one, two), max(one, two)
    return high * (high + 1) // 2 + low + 1


@inlined
def _relative1(context: Context, p: int) -> int:
    return relative_of(p, int64(context.board.previous[0]))


@inlined
def _relative2(context: Context, p: int) -> int:
    return relative_of(p, int64(context.board.previous[1]))


@inlined
def _relative3(context: Context, p: int) -> int:
    return relative_of(p, int64(context.board.previous[2]))


@inlined
def _relative4(context: Context, p: int) -> int:
    return relative_of(p, int64(context.board.previous[3]))


def _relative(back: int, level: Any) -> Family:
    whose = _WHOSE[back] if back else "the last move"
    levels = []
    for high in range(MAX_SIZE):
        for low in range(high + 1):
            where = f"is {low} and {high} lines away from {whose}"
            levels.append(Level(f"{low}, {high}", where if high else f"is where {whose} was"))
    return Family(f"relative{back + 1}", f"Relative to {whose}", tuple(levels), level)


RELATIVE: Final = tuple(
    _relative(back, level)
    for back, level in enumerate((_relative1, _relative2, _relative3, _relative4))
)
