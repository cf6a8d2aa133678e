"""Area scoring (Tromp-Taylor): stones, and empty regions that reach one colour only.

No stone is taken for dead: this is the score of the position as it stands.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from katachi.go.board import NEIGHBOURS, Board
from katachi.go.kernel import at, int64, kernel
from katachi.go.points import AREA, BLACK, EMPTY, MAX_SIZE, STRIDE, WHITE


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


@kernel
def settled_score(b: Board) -> int:
    """The same where no two empty points touch, as after a playout in which both sides passed."""
    score = 0
    for row in range(1, b.side + 1):
        for col in range(1, b.side + 1):
            p = row * STRIDE + col
            c = b.color[p]
            reach = int64(c)
            if c == EMPTY:
                for d in NEIGHBOURS:
                    k = b.color[at(p + d)]
                    if k == BLACK or k == WHITE:
                        reach |= int64(k)
            if reach == BLACK:
                score += 1
            elif reach == WHITE:
                score -= 1
    return score
