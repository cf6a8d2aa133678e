"""The families that ask for nothing but the board, written by one kernel.

Called one by one from Python they take several times as long, since each call hands the board over
anew. For kernels that describe positions by themselves: the search asks for thousands a second.
"""

from __future__ import annotations

from typing import Any, Final

from katachi.go.board import Board
from katachi.go.kernel import apart, int64
from katachi.go.points import PASS
from katachi.patterns.families import (
    atari,
    border,
    capture,
    captured,
    chain_distance,
    contact,
    distances,
    double_atari,
    extension,
    eye,
    liberties,
    line_stage,
    passes,
    reduction,
    saved,
    self_atari,
    two_liberties,
)
from katachi.patterns.family import Family

# In the order of write_together, which is that of the catalogue `extended`
TOGETHER: Final[tuple[Family, ...]] = (
    passes.FAMILY,
    capture.FAMILY,
    extension.FAMILY,
    self_atari.FAMILY,
    atari.FAMILY,
    border.FAMILY,
    distances.FAMILY,
    distances.SECOND_FAMILY,
    captured.FAMILY,
    saved.FAMILY,
    liberties.FAMILY,
    two_liberties.FAMILY,
    double_atari.FAMILY,
    reduction.FAMILY,
    contact.OWN_FAMILY,
    contact.OPPONENT_FAMILY,
    distances.THIRD_FAMILY,
    distances.FOURTH_FAMILY,
    chain_distance.FAMILY,
    chain_distance.SECOND_FAMILY,
    eye.FAMILY,
    line_stage.FAMILY,
)


@apart
def write_together(
    b: Board, candidates: Any, n: int, wanted: Any, spare: Board, work: Any, out: Any
) -> None:
    """Write the levels of the n candidates of the side to move, the last of which is PASS, into
    out (uint8[families, at least n]), a row to each of TOGETHER. Rows that are not wanted
    (bool[families]) stay as they are.
    """
    c = int64(b.to_move)
    size = int64(b.side)
    first, second = int64(b.previous[0]), int64(b.previous[1])
    third, fourth = int64(b.previous[2]), int64(b.previous[3])
    for k in range(len(wanted)):
        if wanted[k]:
            out[k, :n] = 0
    if wanted[0]:
        out[0, n - 1] = 2 if first == PASS else 1
    if wanted[1]:
        capture.levels(b, c, candidates, n, False, work, out[1])
    if wanted[2]:
        extension.levels(b, c, candidates, n, True, spare, work, out[2])
    if wanted[3]:
        self_atari.levels(b, c, candidates, n, out[3])
    if wanted[4]:
        atari.levels(b, c, candidates, n, spare, work, out[4])
    if wanted[5]:
        border.levels(size, candidates, n, out[5])
    if wanted[6]:
        distances.levels(first, candidates, n, False, out[6])
    if wanted[7]:
        distances.levels(second, candidates, n, True, out[7])
    if wanted[8]:
        captured.levels(b, c, candidates, n, out[8])
    if wanted[9]:
        saved.levels(b, c, candidates, n, spare, work, out[9])
    if wanted[10]:
        liberties.levels(b, c, candidates, n, out[10])
    if wanted[11]:
        two_liberties.levels(b, c, candidates, n, spare, work, out[11])
    if wanted[12]:
        double_atari.levels(b, c, candidates, n, out[12])
    if wanted[13]:
        reduction.levels(b, c, candidates, n, out[13])
    if wanted[14]:
        contact.levels(b, c, candidates, n, out[14])
    if wanted[15]:
        contact.levels(b, 3 - c, candidates, n, out[15])
    if wanted[16]:
        distances.levels(third, candidates, n, True, out[16])
    if wanted[17]:
        distances.levels(fourth, candidates, n, True, out[17])
    if wanted[18]:
        chain_distance.levels(b, first, candidates, n, 1, out[18])
    if wanted[19]:
        chain_distance.levels(b, second, candidates, n, 0, out[19])
    if wanted[20]:
        eye.levels(b, c, candidates, n, out[20])
    if wanted[21]:
        line_stage.levels(size, int64(b.moves), candidates, n, out[21])
