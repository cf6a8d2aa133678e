"""Libraries of positions: damaged bytes, and rows that no longer are what they were."""

from __future__ import annotations

import sqlite3
import tempfile
import zlib
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from fuzz import damage
from katachi.errors import KatachiError
from katachi.library.build import build_library
from katachi.library.file import Library
from katachi.library.similar import similar
from katachi.records.bundled import bundled_games

VALUES = (None, -1, 0, 1, 2**63 - 1, 1.5, "", "x", "[1, 2]", b"", b"\xff" * 8, "1e400", "null")
TABLES = ("about", "players", "games", "columns", "block", "first")


@cache
def sound() -> bytes:
    """A small library."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "library"
        build_library(bundled_games().take(np.arange(3)), path)
        return path.read_bytes()


def generate(rng: Random) -> bytes:
    """A file with damaged bytes, or one whose tables hold something else."""
    if rng.random() < 0.4:
        return damage(sound(), rng, (b"SELECT", b"\x00" * 64, b"null"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "library"
        path.write_bytes(sound())
        with closing(sqlite3.connect(path)) as db:
            for _ in range(rng.choice((1, 1, 2, 4))):
                with suppress(sqlite3.Error):  # what the table does not take
                    _spoil(db, rng)
            db.commit()
        return path.read_bytes()


def _spoil(db: sqlite3.Connection, rng: Random) -> None:
    if rng.random() < 0.3:  # other postings, with a right sum
        number, data = rng.choice(db.execute("SELECT number, data FROM block").fetchall())
        data = damage(data if isinstance(data, bytes) else b"", rng)
        db.execute(
            'UPDATE block SET "check" = ?, data = ? WHERE number = ?',
            (zlib.crc32(data), data, number),
        )
        return
    table = rng.choice(TABLES)
    names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    name, value = rng.choice(names), rng.choice(VALUES)
    key = rng.choice(db.execute(f'SELECT "{names[0]}" FROM {table}').fetchall())[0]
    if rng.random() < 0.2:
        db.execute(f'DELETE FROM {table} WHERE "{names[0]}" = ?', (key,))
    else:
        db.execute(f'UPDATE {table} SET "{name}" = ? WHERE "{names[0]}" = ?', (value, key))


def check(data: bytes, folder: Path) -> None:
    """It is refused, or it answers."""
    path = folder / "a.library"
    path.write_bytes(data)
    game = bundled_games()[4]
    with suppress(KatachiError), Library(path) as library:
        if data != sound():
            with suppress(KatachiError):
                library.check()
        for number in (1, 6, 20):
            for radius in (None, 4):
                similar(game, number, library, radius=radius)
