"""Arrays in files, for any thread."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

# Numba holds it while it compiles. Whoever else has CPython parse source text (`ast.parse`, as
# `numpy.load` does for each header) in a thread holds it, too: CPython 3.11 counts the depth of its
# parser in one place for all threads, and fails where two of them take turns in it.
from numba.core.compiler_lock import global_compiler_lock as parsing


def mapped(path: Path) -> npt.NDArray[Any]:
    """The array in a .npy file, mapped into memory, for reading. Raises what `numpy.load` does."""
    with parsing:  # of the header, which numpy reads as Python
        found: npt.NDArray[Any] = np.load(path, mmap_mode="r")
    return found
