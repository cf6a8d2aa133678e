from __future__ import annotations

import io
import shutil
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from katachi.records import read
from katachi.records.bundled import bundled_games, bundled_path
from katachi.records.corpus import Corpus, corpus_of, join, load_corpus
from katachi.records.read import read_games
from katachi.records.sgf import parse_games
from tests.cli.test_cli import katachi
from tests.games import bundled_sgfs
from tests.interrupt import held, interrupted, own_cache


def columns(corpus: Corpus) -> dict[str, Any]:
    data = {k: np.asarray(v).tolist() for k, v in vars(corpus).items() if k != "notices"}
    data["komi"] = [str(komi) for komi in data["komi"]]  # nan equals nan
    return data | {"notices": corpus.notices}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twelve good games, one cut, one that is none."""
    place = tmp_path / "games"
    place.mkdir()
    for name, data in list(bundled_sgfs().items())[:12]:
        (place / name).write_bytes(data)
    (place / "y-cut.sgf").write_bytes(b"(;SZ[9];B[aa];W[aa])")
    (place / "z-none.sgf").write_bytes(b"hello")
    return place


def make_archive(path: Path, copies: int) -> int:
    """Pack the bundled games many times under different names; returns how many files."""
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for copy in range(copies):
            for name, data in bundled_sgfs().items():
                info = tarfile.TarInfo(f"{copy}/{name}")
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
    return copies * len(bundled_sgfs())


def test_bundled_games(corpus_cache: Path) -> None:
    corpus = bundled_games()
    assert np.count_nonzero(corpus.size == 9) >= 60
    assert np.count_nonzero(corpus.size == 19) >= 60
    assert corpus.notices == []
    assert len(set(corpus.digest.tolist())) == len(corpus)  # all different, in any symmetry
    assert (corpus.winner != 0).all()
    assert corpus_cache.exists()
    assert bundled_path().stat().st_size < 100_000


def test_a_corpus_gives_its_games_back(corpus_cache: Path) -> None:
    games = [parse_games(data, name)[0][0] for name, data in bundled_sgfs().items()]
    corpus = corpus_of(games)
    assert len(corpus) == len(games)
    for game, again in zip(games, corpus, strict=True):
        assert again.actions.tolist() == game.actions.tolist()
        for name in ("size", "komi", "handicap", "rules", "black", "white", "date", "result"):
            assert getattr(again, name) == getattr(game, name)
    assert corpus[-1].source == games[-1].source
    with pytest.raises(IndexError):
        corpus[len(games)]
    assert not corpus_cache.exists()


def test_take_and_join(corpus_cache: Path) -> None:
    corpus = bundled_games()
    odd = np.arange(len(corpus)) % 2 == 1
    both = join([corpus.take(odd), corpus.take(~odd)])
    back = both.take(np.argsort(np.concatenate([np.flatnonzero(odd), np.flatnonzero(~odd)])))
    assert columns(back) == columns(corpus)
    assert len(corpus.take(np.zeros(len(corpus), bool))) == 0
    assert len(join([])) == 0
    assert corpus_cache.exists()


def test_notices_come_along(folder: Path, corpus_cache: Path) -> None:
    corpus = read_games(folder)
    assert len(corpus) == 13
    assert [(n.kind, n.place, n.reason) for n in corpus.notices] == [
        ("cut", "move 2", "move on a stone"),
        ("skipped", "", "no game record"),
    ]
    assert corpus.notices == read_games(folder).notices  # from the cache
    assert corpus_cache.exists()


def test_the_cache_answers_until_a_file_changes(
    folder: Path, corpus_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = columns(read_games(folder))
    parsed: list[str] = []

    def spy(data: bytes, source: str) -> Any:
        parsed.append(source)
        return parse_games(data, source)

    monkeypatch.setattr(read, "parse_games", spy)
    assert columns(read_games(folder)) == fresh
    assert parsed == []
    (folder / "new.sgf").write_bytes(b"(;SZ[9];B[aa])")
    assert len(read_games(folder)) == 14
    assert len(parsed) == 15
    read_games(folder, cache=False)
    assert len(parsed) == 30
    assert corpus_cache.exists()


def test_a_damaged_cache_is_made_again(folder: Path, corpus_cache: Path) -> None:
    fresh = columns(read_games(folder))
    (kept,) = (corpus_cache / "corpora").iterdir()
    for name in ("actions.npy", "notices.json", "text.npy"):
        whole = (kept / name).read_bytes()
        for damaged in (b"", whole[: len(whole) // 2]):
            (kept / name).write_bytes(damaged)
            assert columns(read_games(folder)) == fresh
            (kept,) = (corpus_cache / "corpora").iterdir()


def test_no_cache_where_the_folder_cannot_be_written(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    monkeypatch.setenv("KATACHI_CACHE_DIR", str(blocked / "below"))
    assert len(read_games(folder)) == 13


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "many.tar.gz"
    count = make_archive(path, 10)
    monkeypatch.setattr(read, "BATCH_FILES", 100)
    one = read_games(path, jobs=1, cache=False)
    two = read_games(path, jobs=2, cache=False)
    assert len(one) == count
    assert columns(one) == columns(two)


def test_progress_ends_at_the_end(folder: Path, corpus_cache: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    read_games([folder, bundled_path()], progress=lambda *now: seen.append(now))
    stage, games, of = seen[-1]
    assert stage == f"reading {bundled_path().name}"
    assert games == of == len(read_games(bundled_path()))
    assert (f"reading {folder.name}", 13, 13) in seen
    assert corpus_cache.exists()


def test_a_finished_batch_is_not_parsed_again(
    tmp_path: Path, corpus_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupted run goes on where it stopped."""
    path = tmp_path / "many.tar.gz"
    count = make_archive(path, 2)
    monkeypatch.setattr(read, "BATCH_FILES", 50)
    parsed: list[str] = []

    def until(limit: int) -> Any:
        def parse(data: bytes, source: str) -> Any:
            if len(parsed) == limit:
                raise KeyboardInterrupt
            parsed.append(source)
            return parse_games(data, source)

        return parse

    monkeypatch.setattr(read, "parse_games", until(120))
    with pytest.raises(KeyboardInterrupt):
        read_games(path)
    monkeypatch.setattr(read, "parse_games", until(10**9))
    corpus = read_games(path)
    assert len(corpus) == count
    assert len(parsed) == 120 + count - 100  # the 20 of the batch in hand were lost, no more
    left = list((corpus_cache / "corpora").iterdir())
    assert [p.suffix for p in left] == [""]  # nothing unfinished stays behind


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c(tmp_path: Path, jobs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real interrupt in the real program: one sentence, 130, and the next run completes."""
    path = tmp_path / "many.tar.gz"
    count = make_archive(path, 24 if jobs == "2" else 6)  # 24: other processes help
    environment = own_cache(tmp_path)
    rest = ["games", str(path), "--jobs", jobs]
    corpora = tmp_path / "cache" / "corpora"
    place = "katachi.processes:_Pool.submit" if jobs == "2" else "katachi.records.read:_keep"
    interrupted(
        [*held(place, 2), *rest], environment, lambda: bool(list(corpora.glob("*.part/00000")))
    )
    monkeypatch.setenv("KATACHI_CACHE_DIR", environment["KATACHI_CACHE_DIR"])
    assert katachi(*rest).stdout.split()[:2] == ["games", f"{count:,}"]


def test_load_notices_a_corpus_that_does_not_fit(tmp_path: Path) -> None:
    corpus = corpus_of([parse_games(b"(;SZ[9];B[aa];W[bb])")[0][0]])
    corpus.save(tmp_path)
    assert columns(load_corpus(tmp_path)) == columns(corpus)
    np.save(tmp_path / "actions.npy", corpus.actions[:1])
    with pytest.raises(ValueError, match="damaged"):
        load_corpus(tmp_path)


def test_another_process_was_faster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, corpus_cache: Path
) -> None:
    """It reads the same games, has done so, and has removed the batches that were kept."""
    games = tmp_path / "games"
    games.mkdir()
    for name, data in list(bundled_sgfs().items())[:6]:
        (games / name).write_bytes(data)
    monkeypatch.setattr(read, "BATCH_FILES", 2)
    plain = corpus_of
    removed = []

    def meanwhile(*args: Any) -> Corpus:
        for part in corpus_cache.rglob("*.part"):
            removed.append(part)
            shutil.rmtree(part)
        return plain(*args)

    monkeypatch.setattr(read, "corpus_of", meanwhile)
    assert len(read_games(games, jobs=1)) == 6
    assert removed
