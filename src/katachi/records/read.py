"""`read_games`: paths become one corpus, on all cores, from the cache where it has been read.

A path is read in batches of files. Each finished batch is kept in the cache at once, so that an
interrupted run goes on where it stopped; the finished corpus of the path takes their place.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import chain, islice, starmap
from pathlib import Path
from typing import Final

from katachi.folders import cache_folder, mark_used, source_digest, writable
from katachi.processes import in_order, process_pool
from katachi.progress import Progress, silent
from katachi.records.archives import Member
from katachi.records.corpus import Corpus, corpus_of, join, load_corpus
from katachi.records.game import SKIPPED, Notice
from katachi.records.sgf import parse_games
from katachi.records.sources import members, record_files

BATCH_FILES: Final = 400
BATCH_BYTES: Final = 4 * 2**20
INLINE_BATCHES: Final = 6  # so little is read faster than other processes start


def read_games(
    paths: Iterable[str | Path] | str | Path,
    *,
    jobs: int = 1,
    cache: bool = True,
    progress: Progress = silent,
) -> Corpus:
    """All games of these files, archives and folders, in order.

    With `jobs` > 1 other processes help (call it under `if __name__ == "__main__"`); the result is
    the same for any number. With `cache` a path that has not changed is not parsed again.
    `progress` is told games, path by path; of how many is a guess until the path is read.
    Raises KatachiError for a path that does not exist or holds no record at all, or an archive with
    unsafe names; whatever is wrong with single records is in the corpus's notices.
    """
    named = [paths] if isinstance(paths, str | Path) else list(paths)
    parts = [_read_path(Path(path), jobs, cache, progress) for path in named]
    return join(parts)


def _read_path(path: Path, jobs: int, cache: bool, progress: Progress) -> Corpus:
    stage = f"reading {path.name or path}"
    stream = members(path)
    first = next(stream)  # raises at once if there is nothing to read
    home = cache_folder() / "corpora"
    store = home / _fingerprint(path) if cache and writable(home) else None
    if store is not None and (kept := _load(store)) is not None:
        mark_used(store)
        progress(stage, len(kept), len(kept))
        return kept
    unfinished = store.with_suffix(".part") if store is not None else None
    if unfinished is not None:
        unfinished.mkdir(exist_ok=True)
    parts: list[Corpus] = []
    games = 0
    for share, part in _parse(chain([first], stream), jobs, unfinished):
        parts.append(part)
        games += len(part)
        progress(stage, games, round(games / share) if share else 0)
    corpus = join(parts)
    if store is not None and unfinished is not None:
        _keep(corpus, store)
        shutil.rmtree(unfinished, ignore_errors=True)
    return corpus


def _fingerprint(path: Path) -> str:
    """A name for the path as it is now: its place, the size and time of its files, our source."""
    digest = blake2b(digest_size=16)
    for file in record_files(path) if path.is_dir() else [path]:
        stat = file.stat()
        line = f"{file.resolve()}\0{stat.st_size}\0{stat.st_mtime_ns}\0{path}\n"
        digest.update(line.encode("utf-8", "surrogateescape"))
    return f"{source_digest('go', 'records')}-{digest.hexdigest()}"


def _load(folder: Path) -> Corpus | None:
    """The corpus kept there, None if there is none or it is damaged."""
    try:
        return load_corpus(folder)
    except (OSError, ValueError, TypeError, EOFError):
        return None


def _keep(corpus: Corpus, folder: Path) -> None:
    """Save under a temporary name and rename: the folder is there whole or not at all.

    A full disk costs the cache, not the result; so does another process that has read the same
    games meanwhile, and has cleared its own leavings away, which are ours, too.
    """
    try:
        fresh = Path(tempfile.mkdtemp(dir=folder.parent))
    except OSError:
        return
    try:
        corpus.save(fresh)
        if folder.exists():  # damaged, or another process was faster
            shutil.rmtree(folder)
        fresh.rename(folder)
    except OSError:
        shutil.rmtree(fresh, ignore_errors=True)


def _batches(stream: Iterator[Member]) -> Iterator[list[Member]]:
    """Batches that depend on the members alone, so that they are the same in every run."""
    batch: list[Member] = []
    size = 0
    for member in stream:
        batch.append(member)
        size += len(member.data or b"")
        if len(batch) == BATCH_FILES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _parse(
    stream: Iterator[Member], jobs: int, unfinished: Path | None
) -> Iterator[tuple[float, Corpus]]:
    """(share of the stream done, corpus) batch by batch, in order."""
    batches = (
        (batch, None if unfinished is None else unfinished / f"{number:05}")
        for number, batch in enumerate(_batches(stream))
    )
    start = list(islice(batches, INLINE_BATCHES + 1))
    if jobs == 1 or len(start) <= INLINE_BATCHES:
        yield from starmap(_read_batch, chain(start, batches))
        return
    with process_pool(jobs) as pool:
        yield from in_order(pool, _read_batch, chain(start, batches), 3 * jobs + 1)


def _read_batch(batch: Sequence[Member], kept: Path | None) -> tuple[float, Corpus]:
    """(share of the stream done, corpus of the batch); from `kept` if a run before has left it
    there, else put there.
    """
    share = batch[-1].share
    if kept is not None and (corpus := _load(kept)) is not None:
        return share, corpus
    games = []
    notices = []
    for member in batch:
        if member.data is None:
            notices.append(Notice(SKIPPED, member.name, "", member.problem))
            continue
        found, remarks = parse_games(member.data, member.name)
        games += found
        notices += remarks
    corpus = corpus_of(games, notices)
    if kept is not None:
        _keep(corpus, kept)
    return share, corpus
