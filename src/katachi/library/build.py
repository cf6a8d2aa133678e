"""`build_library`: games become a library.

Games are followed on threads (the kernels hold no lock), some hundred at a time; their postings go
to files without a name, one to each column and share of the keys, and are sorted one such file at a
time. So memory is bounded however many games there are, and the file is the same for any number of
threads.
"""

from __future__ import annotations

import sqlite3
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from threading import local
from typing import IO, Any, Final

import numpy as np
import numpy.typing as npt

from katachi import __version__
from katachi.errors import KatachiError
from katachi.folders import check_file, written_whole
from katachi.library.file import (
    APPLICATION,
    BLOCK,
    FORMAT,
    PAGE,
    SCHEMA,
    About,
    about_rows,
    digest_of,
    encode_block,
)
from katachi.library.keys import (
    BOARD,
    LEVELS,
    RADII,
    Found,
    Work,
    game_keys,
    keys_digest,
    offset_numbers,
    rings,
    room_for,
    turned_offsets,
    work_for,
)
from katachi.library.postings import (
    BOARD_MOVES,
    MOST_GAMES,
    Geometry,
    Postings,
    pack_game,
    postings_for,
)
from katachi.processes import in_order
from katachi.progress import Progress, silent
from katachi.records.corpus import Corpus
from katachi.records.headers import date_name

GAMES: Final = 250  # that are followed at a time
SHARE_BYTES: Final = 32 * 2**20  # about; of postings that are sorted at a time
ROW: Final = 16  # bytes of a posting with its key
COLUMNS: Final = LEVELS + 1

Rows = npt.NDArray[np.int64]  # [n, 2]: keys and values


def build_library(
    corpus: Corpus, path: str | Path, *, jobs: int = 1, progress: Progress = silent
) -> About:
    """Index all games of a corpus in a new file, which takes the place of one that was there.

    A shape of any circle but the smallest is kept only if it occurs at least twice: where it does
    not, the smaller circles find the one place. Raises KatachiError for a corpus without games or
    with boards of several sizes, and where the file cannot be written: then it is as it was.
    """
    path = Path(path)
    check_file(path, "the library")
    size = _size(corpus)
    if len(corpus) > MOST_GAMES:
        raise KatachiError(f"{len(corpus):,} games are more than a library can hold: choose some")
    with written_whole(path) as temporary, ExitStack() as stack:
        shares = _share_count(corpus)
        files = [
            [stack.enter_context(_nameless(path.parent)) for _ in range(shares)]
            for _ in range(COLUMNS)
        ]
        _follow_all(corpus, size, jobs, files, progress)
        try:
            db = stack.enter_context(closing(sqlite3.connect(temporary)))
            return _write(db, corpus, size, files, progress)
        except sqlite3.Error as error:
            raise KatachiError(f"{path} cannot be written: {error}") from None


def _size(corpus: Corpus) -> int:
    if len(corpus) == 0:
        raise KatachiError("no games to make a library of")
    sizes = sorted(set(corpus.size.tolist()))
    if len(sizes) > 1:
        names = " and ".join(f"{size}x{size}" for size in sizes[:4])
        raise KatachiError(
            f"a library is of boards of one size, and these games are on {names}: choose by --size"
        )
    return int(sizes[0])


def _share_count(corpus: Corpus) -> int:
    """How many files there are to a column: a power of 2."""
    shares = 1
    while int(corpus.moves.sum()) * ROW > shares * SHARE_BYTES and shares < 128:
        shares *= 2
    return shares


def _nameless(folder: Path) -> IO[bytes]:
    """A file that goes with its process, however that ends."""
    return tempfile.TemporaryFile(dir=folder, buffering=0)


# -- following the games ---------------------------------------------------------------------------

_own = local()  # of a thread


def _follow_all(
    corpus: Corpus, size: int, jobs: int, files: list[list[IO[bytes]]], progress: Progress
) -> None:
    """Write the postings of all games into the files, in the order of the games."""
    chunks = [
        (corpus, size, first, min(first + GAMES, len(corpus)))
        for first in range(0, len(corpus), GAMES)
    ]
    with ThreadPoolExecutor(jobs) as pool:
        done = 0
        for found in in_order(pool, _follow, chunks, jobs + 1):
            done = min(done + GAMES, len(corpus))
            for column, rows in enumerate(found):
                _spill(rows, files[column])
            progress("following games", done, len(corpus))


def _work(size: int) -> tuple[Work, Geometry]:
    """A thread's own board and keys."""
    kept: dict[int, tuple[Work, Geometry]] = _own.__dict__.setdefault("kept", {})
    if size not in kept:
        work = work_for(size)
        kept[size] = work, Geometry(offset_numbers(), rings(), turned_offsets(), work.images)
    return kept[size]


def _follow(corpus: Corpus, size: int, first: int, last: int) -> list[Rows]:
    """The postings of the games from `first` up to the one before `last`, column by column."""
    work, geometry = _work(size)
    most = int(corpus.moves[first:last].max())
    room, n = room_for(most), 0
    out = postings_for(COLUMNS * int(corpus.moves[first:last].sum()))
    for g in range(first, last):
        actions = corpus.actions[corpus.starts[g] : corpus.starts[g + 1]]
        count = int(
            game_keys(work.board, actions, work.circles, work.whole, work.tables, work.images, room)
        )
        found = Found._make(column[:count] for column in room)
        into = Postings._make(column[n:] for column in out)
        n += int(pack_game(found, g, int(corpus.winner[g]), geometry, into))
    rows = np.stack([out.keys[:n], out.values[:n]], axis=1)
    return [rows[out.columns[:n] == column] for column in range(COLUMNS)]


def _spill(rows: Rows, files: list[IO[bytes]]) -> None:
    """Append postings to the files of one column, by their keys."""
    # The shares go with the order of numbers that have a sign.
    share = ((rows[:, 0] >> 57) + 64) * len(files) >> 7
    order = np.argsort(share.astype(np.uint8), kind="stable")
    ends = np.searchsorted(share[order], np.arange(len(files)), "right")
    ordered, start = rows[order], 0
    for file, end in zip(files, ends.tolist(), strict=True):
        data = ordered[start:end].tobytes()
        while data:  # a file without a buffer may take a part
            data = data[file.write(data) :]
        start = end


# -- writing the file ------------------------------------------------------------------------------


def _write(
    db: sqlite3.Connection,
    corpus: Corpus,
    size: int,
    files: Sequence[Sequence[IO[bytes]]],
    progress: Progress,
) -> About:
    db.execute(f"PRAGMA page_size = {PAGE}")
    db.execute("PRAGMA journal_mode = OFF")  # the whole file goes if anything goes wrong
    db.execute("PRAGMA synchronous = OFF")
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {FORMAT}")
    db.executescript(SCHEMA)
    db.execute("BEGIN")
    players = _write_games(db, corpus)
    firsts: list[tuple[int, int, int]] = []
    counts = []
    total = COLUMNS * len(files[0])
    for column in range(COLUMNS):
        count = 0
        for share, file in enumerate(files[column]):
            keys, values = _sorted(file, once=column in (0, BOARD))
            for start in range(0, len(keys), BLOCK):
                data = encode_block(keys[start : start + BLOCK], values[start : start + BLOCK])
                db.execute(
                    "INSERT INTO block VALUES (?, ?, ?)", (len(firsts), zlib.crc32(data), data)
                )
                firsts.append((column, int(keys[start]), len(firsts)))
            count += len(keys)
            file.truncate(0)  # so that the disk need not hold all of it twice
            progress("writing the library", column * len(files[0]) + share + 1, total)
        counts.append(count)
    db.executemany("INSERT INTO first VALUES (?, ?, ?)", firsts)
    dated = corpus.date[corpus.date > 0]
    first, last = (int(dated.min()), int(dated.max())) if len(dated) else (0, 0)
    about = About(
        version=__version__,
        size=size,
        games=len(corpus),
        moves=int(corpus.moves.sum()),
        players=players,
        first_date=date_name(first) if first else "",
        last_date=date_name(last) if last else "",
        radii=RADII,
        postings=tuple(counts),
        board_moves=BOARD_MOVES,
        keys=keys_digest().hex(),
        digest=digest_of(db),
    )
    db.executemany("INSERT INTO about VALUES (?, ?)", about_rows(about))
    db.commit()
    return about


def _sorted(file: IO[bytes], once: bool) -> tuple[Rows, Rows]:
    """(keys, values) of a file by keys, and of one key in the order of games and moves; unless
    `once`, without keys that are there once.
    """
    file.seek(0)
    rows = np.frombuffer(file.read(), np.int64).reshape(-1, 2)
    order = np.argsort(rows[:, 0], kind="stable")
    keys, values = rows[order, 0], rows[order, 1]
    if not once and len(keys):
        same = keys[1:] == keys[:-1]
        twice = np.append(same, False) | np.append(False, same)
        keys, values = keys[twice], values[twice]
    return keys, values


def _write_games(db: sqlite3.Connection, corpus: Corpus) -> int:
    """Write the games and their players; returns how many these are."""
    numbers: dict[str, int] = {}
    sides = np.zeros((len(corpus), 2), "<u4")

    def rows() -> Iterator[tuple[Any, ...]]:
        for number, game in enumerate(corpus):
            black, white = (
                numbers.setdefault(name, len(numbers)) for name in (game.black, game.white)
            )
            sides[number] = black, white
            yield (
                *(number, black, white, game.black_rank, game.white_rank, game.date),
                *(game.event, game.result, int(corpus.moves[number]), game.source),
            )

    db.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows())
    db.executemany("INSERT INTO players VALUES (?, ?)", ((n, name) for name, n in numbers.items()))
    columns = [
        ("players", sides.tobytes()),
        ("dates", corpus.date.astype("<i4").tobytes()),
        ("digests", corpus.digest.astype("<u8").tobytes()),
    ]
    db.executemany("INSERT INTO columns VALUES (?, ?)", columns)
    return len(numbers)
