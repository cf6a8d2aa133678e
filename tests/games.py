"""The bundled games as bytes, read with nothing of Katachi's own reader."""

from __future__ import annotations

import tarfile
from functools import cache
from pathlib import Path

import katachi


@cache
def bundled_sgfs() -> dict[str, bytes]:
    """File name → SGF of every bundled game, in the order of the archive."""
    found = {}
    with tarfile.open(Path(katachi.__file__).parent / "data" / "games.tar.xz", "r:xz") as archive:
        for info in archive:
            file = archive.extractfile(info)
            assert file is not None
            found[info.name.rpartition("/")[2]] = file.read()
    return found


def beginning(record: bytes, moves: int = 20) -> bytes:
    """The record of a bundled game's first moves: it is read and learnt from in less time."""
    return b";".join(record.split(b";")[: moves + 2]) + b")"
