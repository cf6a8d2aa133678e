"""The file of a library: whole or not at all, the same for any number of threads, and one sentence
for whatever is wrong with it.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest

import katachi.library.build as building
from katachi.errors import KatachiError
from katachi.library.build import build_library
from katachi.library.file import APPLICATION, BLOCK, FORMAT, PAGE, Library
from katachi.library.keys import BOARD, keys_of
from katachi.library.postings import unpack
from katachi.library.similar import similar
from katachi.records.bundled import bundled_games
from katachi.records.corpus import Corpus, corpus_of


def small() -> Corpus:
    return corpus_of([game for game in bundled_games() if game.size == 9][:8])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "a #%? library"  # as no address may have it
    build_library(small(), path)
    return path


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    path = tmp_path / "copy.library"
    shutil.copy(made, path)
    return path


def test_what_it_is_of(made: Path) -> None:
    corpus = small()
    with Library(made) as library:
        library.check()
        about = library.about
        assert (about.size, about.games, about.moves) == (9, 8, int(corpus.moves.sum()))
        played = int(corpus.moves.sum() - corpus.passes.sum())
        assert about.postings[0] == played
        assert about.postings[BOARD] == int(np.minimum(corpus.moves, about.board_moves).sum())
        assert about.postings[1] <= played


def test_any_number_of_threads_and_shares_gives_the_same_file(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "GAMES", 3)
    build_library(small(), tmp_path / "two", jobs=2)
    assert (tmp_path / "two").read_bytes() == made.read_bytes()
    monkeypatch.setattr(building, "SHARE_BYTES", 2048)  # many small files in between
    build_library(small(), tmp_path / "shared")
    with Library(made) as one, Library(tmp_path / "shared") as other:
        counts = [len(list(all_postings(library))) for library in (one, other)]
        assert counts == [sum(one.about.postings)] * 2
        assert list(all_postings(one)) == list(all_postings(other))


def all_postings(library: Library) -> Iterator[tuple[int, int]]:
    """(key, value) of all blocks, in order."""
    for number in count():
        try:
            keys, values = library.block(number)
        except ValueError:
            return
        yield from zip(keys.tolist(), values.tolist(), strict=True)


def test_a_key_over_many_blocks(tmp_path: Path) -> None:
    """The first move of one game, more often than three blocks hold."""
    game = small()[0]
    short = replace(game, actions=game.actions[:1])
    times = 3 * BLOCK + 5
    path = tmp_path / "many"
    build_library(corpus_of([short] * times), path)
    key = int(keys_of(short.actions, 9).keys[0, BOARD].astype(np.int64))
    with Library(path) as library:
        found = unpack(library.postings(BOARD, key), BOARD)
        assert found.game.tolist() == list(range(times))
        for other in (key - 1, key + 1, -(2**63), 2**63 - 1):
            assert len(library.postings(BOARD, other)) == 0


def test_an_event_is_told(tmp_path: Path) -> None:
    game = replace(small()[0], event="The Cup", date="2001-02-03")
    build_library(corpus_of([game, small()[1]]), tmp_path / "l")
    found = similar(replace(game, actions=game.actions[:-1]), 3, tmp_path / "l", radius=4)
    assert found.move is not None
    assert (found.move.named[0].event, found.move.named[0].date) == ("The Cup", "2001-02-03")


@pytest.mark.parametrize("stage", ["following games", "writing the library"])
def test_an_interrupted_build_leaves_the_old_file_or_none(
    stage: str, copy: Path, tmp_path: Path
) -> None:
    def interrupt(now: str, _done: int, _total: int) -> None:
        if now == stage:
            raise KeyboardInterrupt

    before = copy.read_bytes()
    for path in (copy, tmp_path / "new"):
        with pytest.raises(KeyboardInterrupt):
            build_library(small(), path, progress=interrupt)
    assert list(tmp_path.iterdir()) == [copy]
    assert copy.read_bytes() == before


def refused(path: Path) -> str:
    """The sentence with which a file is refused, by whatever reads all of it."""
    with pytest.raises(KatachiError) as refusal, Library(path) as library:
        library.check()
    sentence = str(refusal.value)
    assert str(path) in sentence
    assert "\n" not in sentence
    return sentence


def test_what_is_no_library_is_refused(tmp_path: Path) -> None:
    assert "is a folder" in refused(tmp_path)
    path = tmp_path / "file"
    assert "does not exist: make it by katachi library build" in refused(path)
    for content in (b"", b"(;GM[1])", b"SQLite format 3\0" + bytes(200)):
        path.write_bytes(content)
        assert "is no library" in refused(path)
    path.unlink()
    sqlite3.connect(path).executescript("CREATE TABLE games (a); PRAGMA user_version = 1")
    assert "is no library" in refused(path)
    path.unlink()
    db = sqlite3.connect(path)
    db.executescript(
        f"PRAGMA page_size = {PAGE}; PRAGMA application_id = {APPLICATION}; CREATE TABLE games (a)"
    )
    db.close()
    assert "is damaged" in refused(path)


def test_a_newer_or_another_library_is_refused(copy: Path) -> None:
    db = sqlite3.connect(copy)
    db.execute("UPDATE about SET value = '\"0123\"' WHERE name = 'keys'")
    db.commit()
    assert "with other keys" in refused(copy)
    db.execute(f"PRAGMA user_version = {FORMAT + 1}")
    db.commit()
    db.close()
    assert "was made by a newer Katachi" in refused(copy)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1],
        lambda data: data + b"more",
        lambda data: data[:PAGE] + bytes(len(data) - PAGE),
        lambda data: data[: 3 * PAGE] + bytes(PAGE) + data[4 * PAGE :],
    ],
    ids=["half", "last byte", "longer", "zeros", "a page"],
)
def test_a_damaged_library_is_refused(copy: Path, spoil: Callable[[bytes], bytes]) -> None:
    copy.write_bytes(spoil(copy.read_bytes()))
    assert "is damaged" in refused(copy)


def test_any_changed_byte_is_noticed_or_does_not_matter(made: Path, copy: Path) -> None:
    """A byte of a block is noticed by the check; elsewhere nothing but a KatachiError is raised."""
    whole = made.read_bytes()
    with Library(made) as library:
        _, values = library.block(1)
        where = whole.index(values.astype("<i8").tobytes())
    game = replace(small()[0], actions=small()[0].actions[:20])
    rng = np.random.default_rng(22)
    for place in [where, where + 1000, *rng.integers(0, len(whole), 40).tolist()]:
        copy.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        if place in (where, where + 1000):
            assert "is damaged" in refused(copy)
        with suppress(KatachiError), Library(copy) as library:
            for number in (1, 8, 16):
                similar(game, number, library)


def test_what_no_library_is_made_of(tmp_path: Path) -> None:
    mixed = corpus_of([small()[0], bundled_games()[100]])
    for corpus, words in (
        (corpus_of([]), "no games"),
        (mixed, "these games are on 9x9 and 13x13: choose by --size|9x9 and 19x19"),
    ):
        with pytest.raises(KatachiError, match=words):
            build_library(corpus, tmp_path / "new")
    for path, words in (
        (tmp_path, "is a folder: name a file for the library"),
        (tmp_path / "no" / "new", "does not exist: make it"),
        (Path("/dev/null"), "cannot be written: it is a device"),
    ):
        with pytest.raises(KatachiError, match=words):
            build_library(small(), path)
    assert list(tmp_path.iterdir()) == []
