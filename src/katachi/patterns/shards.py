"""Shards: a folder of columns in pieces, each of which appears whole or not at all, and is mapped
into memory when it is read.

    shards/00000/<column>.npy
"""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.folders import make_folder, usual_permissions
from katachi.go.arrays import mapped

_FRESH: Final = "part-"  # names of shards that are being written

Columns: TypeAlias = dict[str, npt.NDArray[Any]]


def shard_folder(folder: Path, number: int) -> Path:
    """Where a shard of a folder is."""
    return folder / "shards" / f"{number:05}"


def missing_shards(folder: Path, count: int) -> list[int]:
    """Which of so many shards a folder of ours does not have yet. What runs that were killed have
    left of them is removed; nobody else may be at work there.
    """
    make_folder(folder / "shards")
    for left in folder.glob(f"{_FRESH}*"):
        shutil.rmtree(left, ignore_errors=True)
    return [n for n in range(count) if not shard_folder(folder, n).is_dir()]


def write_shard(columns: Columns, shard: Path) -> int:
    """Write the columns of a shard, whole or not at all; returns its number of competitions.

    Raises KatachiError where it cannot be written.
    """
    fresh = None
    try:
        fresh = Path(tempfile.mkdtemp(dir=shard.parent.parent, prefix=_FRESH))
        for name, column in columns.items():
            # By way of memory: of a full disk numpy itself tells only how many numbers were left.
            buffer = io.BytesIO()
            np.save(buffer, column)
            (fresh / f"{name}.npy").write_bytes(buffer.getbuffer())
        usual_permissions(fresh)
        fresh.rename(shard)
    except BaseException as error:
        if fresh is not None:
            shutil.rmtree(fresh, ignore_errors=True)
        if isinstance(error, OSError):
            raise KatachiError(
                f"{shard} cannot be written: {error.strerror}; what is done is kept"
            ) from None
        raise
    return len(columns["winner"])


class Shards(Sequence[Columns]):
    """The shards of a folder, each mapped into memory when it is asked for and let go with it."""

    def __init__(self, folder: Path, count: int, names: list[str]) -> None:
        self._folder = folder
        self._count = count
        self._names = names

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[n] for n in range(len(self))[number]]
        return self.some(number, self._names)

    def some(self, number: int, names: Sequence[str]) -> Columns:
        """These columns of a shard."""
        if not -len(self) <= number < len(self):
            raise IndexError(f"shard {number} of {len(self)}")
        shard = shard_folder(self._folder, number % len(self))
        if not shard.is_dir():
            raise KatachiError(
                f"{shard} is missing: describe the games again, which makes only what is missing"
            )
        try:
            return {name: mapped(shard / f"{name}.npy") for name in names}
        except (OSError, ValueError, EOFError):
            raise KatachiError(
                f"{shard} is damaged: remove it and describe the games again"
            ) from None
