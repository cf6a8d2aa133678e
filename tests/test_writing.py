"""Writing files and folders: whole or not at all, ordinary files only, one at a time."""

from __future__ import annotations

import errno
import os
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from katachi.errors import KatachiError
from katachi.folders import alone_in, check_ordinary, discard, is_empty, make_folder, write_whole


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written(tmp_path: Path) -> None:
    write_whole(tmp_path / "a", b"one")
    write_whole(tmp_path / "a", b"two")
    assert (tmp_path / "a").read_bytes() == b"two"
    assert names(tmp_path) == ["a"]


def test_permissions(tmp_path: Path) -> None:
    write_whole(tmp_path / "new", b"")
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o666 & ~mask
    (tmp_path / "new").chmod(0o640)
    write_whole(tmp_path / "new", b"secret")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_a_link_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("far/file")
    (tmp_path / "second").symlink_to("link")
    (tmp_path / "dangling").symlink_to("far/new")
    write_whole(tmp_path / "second", b"new")
    write_whole(tmp_path / "dangling", b"newer")
    assert (tmp_path / "far" / "file").read_bytes() == b"new"
    assert (tmp_path / "far" / "new").read_bytes() == b"newer"
    assert names(tmp_path) == ["dangling", "far", "link", "second"]
    assert all((tmp_path / name).is_symlink() for name in ("dangling", "link", "second"))


def test_only_ordinary_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "null").symlink_to(os.devnull)
    with socket.socket(socket.AF_UNIX) as bound:
        here = Path.cwd()
        os.chdir(tmp_path)  # the path of a socket is short
        try:
            bound.bind("socket")
        finally:
            os.chdir(here)
    before = names(tmp_path)
    for name, words in {
        "pipe": "it is a pipe; name an ordinary file",
        "folder": "it is a folder; name an ordinary file",
        "socket": "it is a socket; name an ordinary file",
        "null": "it is a device; name an ordinary file",
        "loop": "Too many levels of symbolic links",
        "none/a": "No such file or directory",
    }.items():
        with pytest.raises(KatachiError, match=f"{name} cannot be written: {words}"):
            write_whole(tmp_path / name, b"data")
    with pytest.raises(KatachiError, match="/dev/null cannot be written: it is a device"):
        check_ordinary(Path(os.devnull))
    assert names(tmp_path) == before
    assert Path(os.devnull).is_char_device()


def test_what_killed_writers_left_goes(tmp_path: Path) -> None:
    left = tmp_path / ".a.abc123.part"
    left.write_bytes(b"half")
    others = [tmp_path / ".b.abc123.part", tmp_path / ".a.abc123", tmp_path / "a.x.part"]
    for other in others:
        other.write_bytes(b"")
    write_whole(tmp_path / "a", b"whole")
    assert not left.exists()
    assert all(other.exists() for other in others)


def test_what_another_writes_now_stays(tmp_path: Path) -> None:
    """The lock of a temporary file is held by its writer."""
    program = (
        "import fcntl, sys\n"
        f"file = open({str(tmp_path / '.a.abc123.part')!r}, 'w')\n"
        "fcntl.flock(file, fcntl.LOCK_EX)\n"
        "print('locked', flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdin is not None
        assert writer.stdout.readline() == "locked\n"
        write_whole(tmp_path / "a", b"1")
        assert names(tmp_path) == [".a.abc123.part", "a"]
        writer.kill()
        writer.wait()
    write_whole(tmp_path / "a", b"2")
    assert names(tmp_path) == ["a"]


def test_many_writers_of_one_file(tmp_path: Path) -> None:
    contents = [bytes([n]) * 10_000 for n in range(8)]

    def write(data: bytes) -> None:
        for _ in range(20):
            write_whole(tmp_path / "a", data)

    threads = [threading.Thread(target=write, args=(data,)) for data in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (tmp_path / "a").read_bytes() in contents
    assert names(tmp_path) == ["a"]


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_whole(tmp_path / "a", b"old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(KatachiError, match="a cannot be written: No space left on device"):
        write_whole(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


def test_folders(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    write_whole(tmp_path / "file", b"")
    with pytest.raises(KatachiError, match="file is a file: it must be a folder to work in"):
        make_folder(tmp_path / "file")
    with pytest.raises(KatachiError, match="cannot be made: Not a directory"):
        make_folder(tmp_path / "file" / "x")
    assert is_empty(tmp_path / "a" / "b")
    assert is_empty(tmp_path / "none")
    (tmp_path / "a" / "b" / ".plan.json.x1.part").write_bytes(b"half")
    assert is_empty(tmp_path / "a" / "b")
    assert not is_empty(tmp_path / "a")


def test_discarding(tmp_path: Path) -> None:
    (tmp_path / "work" / "deep").mkdir(parents=True)
    (tmp_path / ".work.gone").mkdir()
    (tmp_path / ".work.gone" / "rest").write_bytes(b"")
    discard(tmp_path / "work")
    assert names(tmp_path) == []
    discard(tmp_path / "work")  # no error


def test_one_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    with alone_in(folder, "somebody is at work"), alone_in(folder, "never"):
        assert folder.is_dir()
        told: list[str] = []

        def other() -> None:
            try:
                with alone_in(folder, "somebody is at work"):
                    told.append("in")
            except KatachiError as error:
                told.append(str(error))

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert told == [
            f"somebody is at work in {folder}: wait for its end, or name another folder"
        ]
    other()
    assert told[1:] == ["in"]


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    """kill -9 leaves nothing behind that keeps the next one out."""
    program = (
        "import sys\nfrom pathlib import Path\nfrom katachi.folders import alone_in\n"
        f"with alone_in(Path({str(tmp_path / 'work')!r}), 'x'):\n"
        "    print('in', flush=True)\n    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "in\n"
        with (
            pytest.raises(KatachiError, match="another is at work in"),
            alone_in(tmp_path / "work", "another is at work"),
        ):
            pass
        holder.kill()
        holder.wait()
    with alone_in(tmp_path / "work", "another is at work"):
        pass
