"""What a family of features may ask: the position, and room to think about it.

`Context` is handed to every family's `level(context, point)`. It is a tuple of a board and arrays,
so that kernels take it whole.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board, copy, new_board, play
from katachi.go.kernel import inlined
from katachi.go.ladder import LadderWork, ladder_work
from katachi.go.points import AREA, MAX_SIZE


class Context(NamedTuple):
    """A position as families see it, and room to work in; one for each thread.

    The board must not be changed. `spare` and `ladder` may be: no family finds there what another
    has left. `notes` is what a family's `prepare` leaves for its `level`.
    """

    board: Board
    mover: int  # whose candidates are described: BLACK or WHITE
    spare: Board  # to try moves on
    ladder: LadderWork  # for katachi.go.ladder.taken_in_ladder
    notes: npt.NDArray[np.int16]  # [AREA]
    owned: npt.NDArray[np.float64]  # [AREA] how likely a point ends as the mover's; slow families


def new_context(board: Board | None = None) -> Context:
    """A context with room of its own, for the side to move; an empty board if none is given."""
    seen = new_board(MAX_SIZE) if board is None else board
    return Context(
        seen,
        int(seen.to_move),
        new_board(MAX_SIZE),
        ladder_work(),
        np.zeros(AREA, np.int16),
        np.zeros(AREA),
    )


@inlined
def try_move(context: Context, p: int) -> None:
    """Make `spare` the board after the mover has played p."""
    copy(context.spare, context.board)
    play(context.spare, p, context.mover)
