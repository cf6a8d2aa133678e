"""Compiled kernels are saved by one process at a time.

Numba reads the index of a kernel, chooses a file name that is free, and writes both. Two processes
that save different signatures of one kernel at the same moment would choose the same name, and
whoever reads that file later would run the machine code of another signature.

A full disk costs the cache, not the result.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


def saved_alone(compiled: Any, folder: Path) -> None:
    """Have a dispatcher of Numba, whose cache lies in `folder`, wait for others that save there."""
    files = compiled._cache._cache_file
    save = files.save

    def alone(key: Any, data: Any) -> None:
        with suppress(OSError), _locked(folder / "lock"):
            save(key, data)

    files.save = alone


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    if os.name != "posix":  # no such lock there
        yield
        return
    import fcntl

    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # given back when the file is closed
        yield
