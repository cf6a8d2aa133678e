"""The Elo scale: r = 400 log10 γ (Coulom 2007, 2.1)."""

from __future__ import annotations

from math import log
from typing import Any, Final

import numpy as np
import numpy.typing as npt

ELO: Final = 400.0 / log(10.0)  # points to a unit of log γ


def elo(gamma: npt.ArrayLike) -> Any:
    """400 log10 γ, of a number or of an array; a gamma of 1 has 0. Not checked: that γ > 0."""
    return 400.0 * np.log10(gamma)
