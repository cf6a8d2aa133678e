"""The file of a library: tables of SQLite, in which postings lie sorted by their keys, in blocks.

    about (name, value)       one row to each fact, as JSON: see `About`
    players (number, name)    every name once
    games (number, black, white, black_rank, white_rank, date, event, result, moves, source)
                              black and white are numbers of players
    columns (name, data)      of all games at once: the players' numbers, the dates and the digests
    block (number, check, data)
                              up to 2,044 postings of one column: their keys, sorted, then their
                              values (katachi.library.postings), 8 bytes each, little-endian;
                              check: the CRC-32 of the data
    first (column, key, block)
                              the first key of each block

A block fills a page of SQLite, so a key is found by two or three pages. The header of the file
says by `application_id` that it is a library, and by `user_version` which format it has.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b
from pathlib import Path
from threading import RLock
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.go.points import MAX_SIZE, MIN_SIZE
from katachi.library.keys import RADII, keys_digest
from katachi.progress import Progress, silent

APPLICATION: Final = 0x4B6C6962  # "Klib"
FORMAT: Final = 1
PAGE: Final = 32_768
BLOCK: Final = 2_044  # postings: with what SQLite adds they fill a page

AGAIN: Final = "make it again by katachi library build GAMES… -o"
SCHEMA: Final = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE players (number INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE games (
    number INTEGER PRIMARY KEY, black INTEGER NOT NULL, white INTEGER NOT NULL,
    black_rank TEXT NOT NULL, white_rank TEXT NOT NULL, date TEXT NOT NULL, event TEXT NOT NULL,
    result TEXT NOT NULL, moves INTEGER NOT NULL, source TEXT NOT NULL
);
CREATE TABLE columns (name TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE block (number INTEGER PRIMARY KEY, "check" INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE first (
    "column" INTEGER, key INTEGER, block INTEGER, PRIMARY KEY ("column", key, block)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class About:
    """What a library is of. `postings` counts those of each circle, and of the whole board at last;
    `digest` is that of all other tables, `keys` that of the numbers behind the keys.
    """

    version: str
    size: int
    games: int
    moves: int
    players: int
    first_date: str
    last_date: str
    radii: tuple[int, ...]
    postings: tuple[int, ...]
    board_moves: int
    keys: str
    digest: str


def encode_block(keys: npt.NDArray[np.int64], values: npt.NDArray[np.int64]) -> bytes:
    """The data of a block."""
    return keys.astype("<i8").tobytes() + values.astype("<i8").tobytes()


class Library:
    """A library that is there, for reading, by any thread. `about` says what it is of. It is open
    until `close`, or to the end of a `with`.

    Raises KatachiError if the file is none, is damaged, or was made by another version of Katachi.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = path = Path(path)
        self._lock = RLock()
        _check_header(path)
        with self.reading():
            uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
            self._db = sqlite3.connect(uri, uri=True, check_same_thread=False)
        try:
            with self.reading():
                self.about = self._about()
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check(self, progress: Progress = silent) -> None:
        """Raises KatachiError unless all that it holds is as it was written."""
        with self.reading():
            if digest_of(self._db, progress) != self.about.digest:
                raise ValueError("it is not as it was written")

    def _about(self) -> About:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version > FORMAT:
            raise KatachiError(
                f"{self.path} was made by a newer Katachi (format {version}, this one reads "
                f"{FORMAT}): {AGAIN} {self.path}, or update Katachi"
            )
        facts = {name: json.loads(value) for name, value in self._db.execute("SELECT * FROM about")}
        about = About(**{f.name: _frozen(facts[f.name]) for f in fields(About)})
        _check_about(about)
        if about.keys != keys_digest().hex() or about.radii != RADII:
            raise KatachiError(
                f"{self.path} was made by a Katachi with other keys ({about.version}): "
                f"{AGAIN} {self.path}"
            )
        return about

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Within this, whatever a damaged file makes go wrong is a KatachiError."""
        try:
            with self._lock:
                yield
        except (sqlite3.Error, KeyError, ValueError, TypeError, OverflowError) as error:
            raise KatachiError(f"{self.path} is damaged ({error}): {AGAIN} {self.path}") from None

    def postings(self, column: int, key: int) -> npt.NDArray[np.int64]:
        """The values that stand under a key of this column, in the order of games and moves."""
        with self.reading():
            # The last block that begins before the key may hold it, and all that begin with it.
            blocks = self._db.execute(
                'SELECT block FROM first WHERE "column" = ?1 AND key = ?2 UNION ALL '
                'SELECT * FROM (SELECT block FROM first WHERE "column" = ?1 AND key < ?2 '
                "ORDER BY key DESC, block DESC LIMIT 1) ORDER BY 1",
                (column, key),
            ).fetchall()
            parts = []
            for (number,) in blocks:
                keys, values = self.block(number)
                start, end = (np.searchsorted(keys, key, side) for side in ("left", "right"))
                parts.append(values[start:end])
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    def block(self, number: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The keys and values of a block. Raises ValueError if it is damaged."""
        row = self._db.execute(
            'SELECT "check", data FROM block WHERE number = ?', (number,)
        ).fetchone()
        if row is None or zlib.crc32(row[1]) != row[0]:
            raise ValueError(f"block {number} is not as it was written")
        both = np.frombuffer(row[1], "<i8")
        half = len(both) // 2
        return both[:half], both[half:]

    def column(self, name: str, kind: str) -> npt.NDArray[Any]:
        """A column of all games, as an array."""
        with self.reading():
            row = self._db.execute("SELECT data FROM columns WHERE name = ?", (name,)).fetchone()
            if row is None:
                raise ValueError(f"no column {name}")
            found = np.frombuffer(row[0], kind)
            if len(found) != self.about.games * (2 if name == "players" else 1):
                raise ValueError(f"column {name} is not of all games")
            return found

    def games(self, numbers: list[int]) -> dict[int, dict[str, Any]]:
        """What is known of these games, by their numbers."""
        with self.reading():
            rows = self._db.execute(
                "SELECT games.number, b.name, w.name, black_rank, white_rank, date, event, result, "
                "source, moves FROM games JOIN players b ON b.number = black "
                "JOIN players w ON w.number = white "
                f"WHERE games.number IN ({','.join('?' * len(numbers))})",
                numbers,
            ).fetchall()
            names = (
                *("black", "white", "black_rank", "white_rank"),
                *("date", "event", "result", "source"),
            )
            found: dict[int, dict[str, Any]] = {
                row[0]: dict(zip(names, map(str, row[1:]), strict=False)) | {"moves": int(row[9])}
                for row in rows
            }
            if len(found) != len(numbers):
                raise ValueError("a game is missing")
        return found

    def names(self, numbers: list[int]) -> dict[int, str]:
        """The names of players, by their numbers."""
        with self.reading():
            marks = ",".join("?" * len(numbers))
            rows = self._db.execute(
                f"SELECT number, name FROM players WHERE number IN ({marks})", numbers
            ).fetchall()
            if len(rows) != len(set(numbers)):
                raise ValueError("a player is missing")
        return {number: str(name) for number, name in rows}


def digest_of(db: sqlite3.Connection, progress: Progress = silent) -> str:
    """A digest of all tables but `about`, row by row."""
    digest = blake2b(digest_size=16)
    (blocks,) = db.execute("SELECT count(*) FROM first").fetchone()
    for table in ("players", "games", "columns", "first", "block"):
        for done, row in enumerate(db.execute(f"SELECT * FROM {table} ORDER BY 1, 2"), 1):
            for value in row:
                digest.update(value if isinstance(value, bytes) else f"{value}\0".encode())
            if table == "block":
                progress("checking", done, blocks)
    return digest.hexdigest()


def about_rows(about: About) -> list[tuple[str, str]]:
    """The rows of the table."""
    return [(name, json.dumps(value)) for name, value in asdict(about).items()]


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _check_about(about: About) -> None:
    """Raises ValueError if a fact cannot be one."""
    numbers = (about.size, about.games, about.moves, about.players, about.board_moves)
    counted = isinstance(about.postings, tuple) and len(about.postings) == len(RADII) + 1
    known = counted and all(type(n) is int and n >= 0 for n in (*numbers, *about.postings))
    if not known or not MIN_SIZE <= about.size <= MAX_SIZE or about.moves == 0:
        raise ValueError("its description is none")


def _check_header(path: Path) -> None:
    """Raises KatachiError unless the file is there and begins as a library does."""
    if path.is_dir():
        raise KatachiError(f"{path} is a folder: name a library, made by katachi library build")
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        raise KatachiError(
            f"{path} does not exist: make it by katachi library build GAMES… -o {path}"
        ) from None
    except OSError as error:
        raise KatachiError(f"{path} cannot be read: {error.strerror}") from None
    ours = header[:16] == b"SQLite format 3\0" and header[68:72] == APPLICATION.to_bytes(4, "big")
    if not ours:
        raise KatachiError(f"{path} is no library: name one, made by katachi library build")
    pages = int.from_bytes(header[28:32], "big")
    if path.stat().st_size != pages * PAGE:
        raise KatachiError(f"{path} is damaged (it is cut short): {AGAIN} {path}")
