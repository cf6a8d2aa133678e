"""Area scoring (Tromp-Taylor): stones, and empty regions that reach one colour only.

No stone is taken for dead: this is the score of the position as it stands.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, inlined, int64, kernel
from katachi.go.points import AREA, BLACK, EMPTY, MAX_SIZE, STRIDE, WALL, WHITE


@kernel
def area_owners(b: Board, owners: Any) -> int:
    """Write the owner of each point (EMPTY for none) into owners (uint8[AREA]); returns black's
    points minus white's.
    """
    queue = np.empty(MAX_SIZE * MAX_SIZE, np.int16)
    seen = np.zeros(AREA, np.uint8)
    score = 0
    for p in range(AREA):
        owners[p] = EMPTY
    for row in range(1, b.side + 1):
        for col in range(1, b.side + 1):
            p = row * STRIDE + col
            c = b.color[p]
            if c != EMPTY:
                owners[p] = c
                score += 1 if c == BLACK else -1
                continue
            if seen[p]:
                continue
            # Flood the empty region; `reach` collects the colours at its border (bits 1 and 2).
            seen[p] = 1
            queue[0] = p
            end = 1
            done = 0
            reach = 0
            while done < end:
                q = int64(queue[done])
                done += 1
                for d in NEIGHBOURS:
                    k = b.color[at(q + d)]
                    if k == EMPTY:
                        if not seen[at(q + d)]:
                            seen[at(q + d)] = 1
                            queue[end] = q + d
                            end += 1
                    elif k == BLACK or k == WHITE:
                        reach |= int64(k)
            if reach == BLACK or reach == WHITE:
                score += end if reach == BLACK else -end
                for i in range(end):
                    owners[queue[i]] = reach
    return score


@kernel
def area_score(b: Board) -> int:
    """Black's area minus white's, komi not counted."""
    owners = np.empty(AREA, np.uint8)
    return area_owners(b, owners)


@inlined
def settled_owner(b: Board, p: int) -> int:
    """Who owns point p where no two empty points touch, as after a playout in which both sides
    passed: the colour of its stone, or of all stones around it; EMPTY if these differ.
    """
    reach = int64(b.color[at(p)])
    if reach == EMPTY:
        for d in NEIGHBOURS:
            k = int64(b.color[at(p + d)])
            if k != WALL:
                reach |= k
    return reach if reach != BLACK | WHITE else EMPTY


@inlined
def settled_owners(b: Board, owners: Any) -> int:
    """What `area_owners` writes and returns, by `settled_owner`; points off the board are left."""
    score = 0
    for row in range(1, int64(b.side) + 1):
        for col in range(1, int64(b.side) + 1):
            p = row * STRIDE + col
            owner = settled_owner(b, p)
            owners[at(p)] = owner
            score += int64(owner == BLACK) - int64(owner == WHITE)
    return score


@kernel
def settled_score(b: Board) -> int:
    """What `area_score` returns, by `settled_owner`."""
    owners = np.empty(AREA, np.uint8)
    return settled_owners(b, owners)
