"""Chases: ladders in which either side has one sensible move, and the stones that break them.

A *chase* of a string with one or two liberties:

- With two liberties the hunter takes one of them, the prey runs to the other. The hunter takes the
  one after which the prey has fewer liberties when it has run. If both leave it one at most, it is
  taken; if both leave it two, the hunter drives it to the edge: it takes the one on the higher
  line. If they are on the same line then, or leave it three or more, there is no chase.
- With one liberty the prey runs there.
- The string is taken if it has one liberty, or none, after it has run. There is no chase if it has
  three or more then; if a hunter's stone that touches it is in atari after the hunter's move, or
  the prey takes one; or after MOST steps.

Each run is a step of the chase.
"""

from __future__ import annotations

from typing import Any, Final

from katachi.go.board import NEIGHBOURS, Board, copy, is_legal, place
from katachi.go.kernel import at, inlined, int64, lean
from katachi.go.liberties import liberty_points
from katachi.go.points import AREA, FIRST, STRIDE
from katachi.patterns.context import Context, try_move
from katachi.patterns.facts import captures, is_liberty, liberties_after, touches_atari
from katachi.patterns.vocabulary.geometry import lowest_line

MOST: Final = 80
LONG: Final = 6  # steps of a chase that a stone far away can break
FAR: Final = 5  # the first step beside which it is broken
KEPT: Final = 14  # chases of one position that are looked at
EITHER, NOWHERE = 0, -1


@inlined
def _hunted(b: Board, head: int, prey: int, scratch: Any) -> int:
    """Where the hunter takes a liberty of a string with two: EITHER if both leave it one at most,
    NOWHERE if there is no chase.
    """
    liberty_points(b, head, scratch)
    one, two = int64(scratch[0]), int64(scratch[1])
    # Each is a liberty of whatever runs to the other, until the hunter takes it.
    if_one = liberties_after(b, two, prey) - 1
    if_two = liberties_after(b, one, prey) - 1
    if max(if_one, if_two) <= 1:
        return EITHER
    if min(if_one, if_two) >= 3:
        return NOWHERE
    if if_one == if_two:
        if_one -= lowest_line(b, one)
        if_two -= lowest_line(b, two)
        if if_one == if_two:
            return NOWHERE
    return one if if_one < if_two else two


@lean
def _begins(b: Board, head: int, prey: int, scratch: Any) -> bool:
    """Whether the first step of a chase leaves the string two liberties: most end before that."""
    if b.liberties[at(head)] == 1:
        return liberties_after(b, int64(b.liberty_sum[at(head)]), prey) == 2
    hunter = _hunted(b, head, prey, scratch)
    if hunter <= 0:
        return False
    run = int64(b.liberty_sum[at(head)]) - hunter
    return liberties_after(b, run, prey) - 1 == 2


@lean
def _chase(b: Board, stone: int, prey: int, scratch: Any, path: Any) -> int:
    """How many steps the chase of this string takes, 0 if it is not taken. Plays it on b. Writes
    the points of each step to path[step, :2]; one of them may be 0.
    """
    for step in range(MOST):
        head = int64(b.head[at(stone)])
        hunter = 0
        if b.liberties[at(head)] == 2:
            hunter = _hunted(b, head, prey, scratch)
            if hunter == EITHER:
                path[step, 0], path[step, 1] = scratch[0], scratch[1]
                return step + 1
            if hunter == NOWHERE or not is_legal(b, hunter, 3 - prey):
                return 0
            place(b, hunter, 3 - prey)
            head = int64(b.head[at(stone)])
        if b.liberties[at(head)] != 1 or touches_atari(b, head, 3 - prey, False):
            return 0
        run = int64(b.liberty_sum[at(head)])
        if captures(b, run, prey):
            return 0
        path[step, 0], path[step, 1] = hunter, run
        left = liberties_after(b, run, prey)
        if left <= 1:
            return step + 1
        if left >= 3:
            return 0
        place(b, run, prey)
    return 0


@lean
def _mark(path: Any, steps: int, bit: int, notes: Any) -> None:
    """Note where the later steps of a chase are played, and the points beside them."""
    for step in range(FAR - 1, steps):
        for i in range(2):
            p = int64(path[step, i])
            if p == 0:
                continue
            notes[at(p)] |= bit
            for d in NEIGHBOURS:
                if FIRST <= p + d < AREA:
                    notes[at(p + d)] |= bit


@lean
def note_ladders(context: Context) -> None:
    """Notes: [0] how many chases take own strings in LONG steps or more, [1 …] their strings'
    heads, [point] bit n - 1 if the nth chase can be broken there.
    """
    b, mover, notes = context.board, context.mover, context.notes
    scratch, path = context.ladder[2], context.ladder[1]
    for p in range(AREA):
        notes[p] = 0
    for row in range(1, b.side + 1):
        for col in range(1, b.side + 1):
            head = row * STRIDE + col
            if b.color[head] != mover or b.head[head] != head or b.liberties[head] > 2:
                continue
            if notes[0] == KEPT or not _begins(b, head, mover, scratch):
                continue
            copy(context.spare, b)
            steps = _chase(context.spare, head, mover, scratch, path)
            if steps >= LONG:
                _mark(path, steps, 1 << int64(notes[0]), notes)
                notes[0] += 1
                notes[at(notes[0])] = head


@lean
def breaks_ladder(context: Context, p: int) -> bool:
    """Whether a move on p saves an own string, which it does not touch, from a chase."""
    b, mover, notes = context.board, context.mover, context.notes
    bits = int64(notes[at(p)])
    if bits == 0 or captures(b, p, mover):
        return False
    for j in range(int64(notes[0])):
        stone = int64(notes[at(j + 1)])
        if (bits >> j) & 1 and not is_liberty(b, int64(b.head[at(stone)]), p):
            try_move(context, p)
            scratch, path = context.ladder[2], context.ladder[1]
            if _chase(context.spare, stone, mover, scratch, path) == 0:
                return True
    return False
