from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tarfile
from pathlib import Path

import pytest

from katachi.errors import KatachiError
from katachi.records import sources
from katachi.records.archives import UnsafeArchive
from katachi.records.sources import members
from tests.archives import tar_of, zip_of

GAME = b"(;SZ[9];B[aa];W[bb])"


def names(path: Path) -> list[str]:
    return [member.name.removeprefix(str(path)).lstrip(":/") for member in members(path)]


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"  # any name will do for a file named by the user
    path.write_bytes(GAME)
    assert [(m.name, m.data) for m in members(path)] == [(str(path), GAME)]


def test_a_folder_is_walked_in_order(tmp_path: Path) -> None:
    for name in ("b/2.sgf", "a/1.SGF", "c.sgf", "notes.txt", "b/x.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(GAME)
    (tmp_path / "pack.zip").write_bytes(zip_of({"z.sgf": GAME, "readme.md": b"x"}))
    assert names(tmp_path) == ["a/1.SGF", "b/2.sgf", "c.sgf", "pack.zip:z.sgf"]


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "1.sgf").write_bytes(GAME)
    (tmp_path / "loop").symlink_to(tmp_path)
    assert names(tmp_path) == ["1.sgf"]


@pytest.mark.parametrize("kind", ["w", "w:gz", "w:xz", "w:bz2"])
@pytest.mark.parametrize("known_name", [True, False])
def test_tar(tmp_path: Path, kind: str, known_name: bool) -> None:
    ending = {"w": ".tar", "w:gz": ".tar.gz", "w:xz": ".tar.xz", "w:bz2": ".tbz2"}[kind]
    path = tmp_path / (f"pack{ending}" if known_name or kind == "w" else "pack.dat")
    path.write_bytes(tar_of({"d/1.sgf": GAME, "d/INDEX.tsv": b"x", "d/2.sgf": GAME}, kind))
    assert names(path) == ["d/1.sgf", "d/2.sgf"]
    assert [m.data for m in members(path)] == [GAME, GAME]
    shares = [m.share for m in members(path)]
    assert shares == sorted(shares)
    assert 0 < shares[-1] <= 1


@pytest.mark.parametrize(
    "bad", ["../evil.sgf", "/etc/evil.sgf", "a/../../evil.sgf", "..\\evil.sgf", "C:\\evil.sgf"]
)
def test_names_that_lead_outside_refuse_the_archive(tmp_path: Path, bad: str) -> None:
    packed = {"good.sgf": GAME, bad: GAME}
    for name, data in (("p.zip", zip_of(packed)), ("p.tar.gz", tar_of(packed, "w:gz"))):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(UnsafeArchive, match="leads outside the archive"):
            list(members(path))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["p.tar.gz", "p.zip"]
    assert not (tmp_path.parent / "evil.sgf").exists()


def test_in_a_folder_a_bad_archive_is_told_and_the_rest_read(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zip_of({"../evil.sgf": GAME}))
    (tmp_path / "b.tar.xz").write_bytes(b"no archive at all")
    (tmp_path / "c.sgf").write_bytes(GAME)
    found = list(members(tmp_path))
    assert [m.data for m in found] == [None, None, GAME]
    assert "leads outside" in found[0].problem
    assert "cannot be read" in found[1].problem


def test_links_in_a_tar_are_left_alone(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        link = tarfile.TarInfo("link.sgf")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        info = tarfile.TarInfo("1.sgf")
        info.size = len(GAME)
        archive.addfile(info, io.BytesIO(GAME))
    (tmp_path / "p.tar").write_bytes(buffer.getvalue())
    assert names(tmp_path / "p.tar") == ["1.sgf"]


def test_an_archive_cut_short_keeps_what_came_before(tmp_path: Path) -> None:
    import random

    noise = random.Random(1).randbytes
    whole = tar_of({f"{i}.sgf": GAME + noise(3000) for i in range(100)}, "w:gz")
    path = tmp_path / "p.tar.gz"
    path.write_bytes(whole[: len(whole) // 2])
    found = list(members(path))
    assert 10 < len(found) < 100
    assert found[-1].data is None
    assert "broken after" in found[-1].problem
    assert all(m.data is not None for m in found[:-1])


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("p.zip", b"not a zip", "cannot be read as an archive"),
        ("p.tar.xz", lzma.compress(b"not a tar"), "cannot be read as an archive"),
        ("p.tar.gz", gzip.compress(b"not a tar", mtime=0), "cannot be read as an archive"),
        ("p.tar.bz2", bz2.compress(b"not a tar"), "cannot be read as an archive"),
        ("p.tar", b"", "cannot be read as an archive"),
        ("e.zip", zip_of({"readme.txt": b"x"}), "holds no .sgf file"),
        ("e.tar", tar_of({"readme.txt": b"x"}), "holds no .sgf file"),
    ],
)
def test_bad_archives(tmp_path: Path, name: str, data: bytes, what: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(KatachiError, match=what):
        list(members(tmp_path / name))


def test_missing_and_empty(tmp_path: Path) -> None:
    with pytest.raises(KatachiError, match="does not exist"):
        list(members(tmp_path / "nothing"))
    with pytest.raises(KatachiError, match="no game records in the folder"):
        list(members(tmp_path))


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.sgf"
    os.mkfifo(pipe)
    with pytest.raises(KatachiError, match="neither a file nor a folder"):
        list(members(pipe))
    (tmp_path / "1.sgf").write_bytes(GAME)
    assert names(tmp_path) == ["1.sgf"]


def test_large_files_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_BYTES", 1000)
    large = GAME + b" " * 1000
    (tmp_path / "a.sgf").write_bytes(large)
    (tmp_path / "b.zip").write_bytes(zip_of({"l.sgf": large, "s.sgf": GAME}))
    (tmp_path / "c.tar").write_bytes(tar_of({"l.sgf": large, "s.sgf": GAME}))
    found = list(members(tmp_path))
    assert [m.data for m in found] == [None, None, GAME, None, GAME]
    assert all("are read at most" in m.problem for m in found if m.data is None)
