"""Progressive widening (Coulom 2007, section 4.2): only the n best moves of the model are searched,
with n growing like the logarithm of the simulations.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

SCHEDULES: Final = ("none", "journal", "workshop")
MOST_MOVES: Final = 362  # moves, pass included


def thresholds(schedule: str) -> npt.NDArray[np.float64]:
    """[n - 1] how many simulations a node must have before its n-th best move is searched.

    "journal": t_0 = 0 and t_{n+1} = t_n + 40·1.4^n, where t_{n-1} opens the n-th move; "workshop":
    40·1.4^(n-2) opens the n-th, n ≥ 2; "none": all at once. Raises ValueError for another name.
    """
    if schedule == "none":
        return np.zeros(MOST_MOVES)
    if schedule == "journal":
        steps = 40 * 1.4 ** np.arange(MOST_MOVES - 1)
        return np.concatenate([[0.0], np.cumsum(steps)])
    if schedule == "workshop":
        return np.concatenate([[0.0], 40 * 1.4 ** np.arange(MOST_MOVES - 1)])
    raise ValueError(f"{schedule!r} is none of {', '.join(SCHEDULES)}")
