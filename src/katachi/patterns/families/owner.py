"""Monte-Carlo owner: how often the point ends as the mover's in 63 uniform random games.

The games are seeded by the position, so the same position always gives the same feature.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from katachi.go.board import Board, copy, set_stones
from katachi.go.kernel import int64, kernel, uint64
from katachi.go.playout import playout
from katachi.go.points import AREA, PASS, STRIDE
from katachi.go.rng import scramble
from katachi.go.score import settled_owner
from katachi.patterns.family import Family, Level, Situation

GAMES: Final = 63


@kernel
def owner_counts(b: Board, base: Board, spare: Board, mover: int, out: Any) -> None:
    """Write into out (int32[AREA]) in how many of GAMES random games each point is the mover's.

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
def _levels(
    b: Board, mover: int, candidates: Any, n: int, base: Board, spare: Board, out: Any
) -> None:
    counts = np.zeros(AREA, np.int32)
    owner_counts(b, base, spare, mover, counts)
    for i in range(n):
        p = int64(candidates[i])
        if p != PASS:
            out[i] = counts[p] // 8 + 1


def _write(situation: Situation, out: Any) -> None:
    if situation.owned is not None:
        # A search has played many games from here already: its shares, on the scale of GAMES.
        points = situation.candidates[: situation.count]
        levels = np.rint(situation.owned[points] * GAMES).astype(np.int64) // 8 + 1
        out[:] = np.where(points == PASS, 0, levels)
        return
    _levels(*situation.basics, situation.ladder[0][0], situation.spare, out)


_WORDS = (
    "is in the opponent's sure territory",
    "is where the opponent is very likely to end up",
    "is where the opponent is likely to end up",
    "is on ground that leans to the opponent",
    "is on ground that leans to the player",
    "is where the player is likely to end up",
    "is where the player is very likely to end up",
    "is in the player's own sure territory",
)

FAMILY = Family(
    "owner",
    "Monte-Carlo owner",
    tuple(Level(f"{8 * i} – {8 * i + 7}", words) for i, words in enumerate(_WORDS)),
    _write,
    slow=True,
)
