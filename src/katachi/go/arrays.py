"""Arrays in files, for any thread."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.go.whole import parsing


def mapped(path: Path) -> npt.NDArray[Any]:
    """The array in a .npy file, mapped into memory, for reading. Raises what `numpy.load` does."""
    with parsing:  # of the header, which numpy reads as Python
        found: npt.NDArray[Any] = np.load(path, mmap_mode="r")
    return found
