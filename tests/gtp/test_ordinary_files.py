"""`printsgf` and `--log` write ordinary files only, and leave links and devices what they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from katachi.errors import KatachiError
from katachi.gtp.commands import answer
from katachi.gtp.framing import GtpError, parse
from katachi.gtp.log import open_log
from katachi.gtp.session import Session
from katachi.search.player import Player


def build() -> Player:
    raise AssertionError("no player is wanted")


def printsgf(path: Path) -> None:
    command = parse(b"printsgf " + os.fsencode(path))
    assert command is not None
    assert answer(Session(build), command) == ""


def test_printsgf_writes_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_bytes(b"old")
    (tmp_path / "link.sgf").symlink_to("game.sgf")
    printsgf(tmp_path / "link.sgf")
    assert (tmp_path / "link.sgf").is_symlink()
    assert (tmp_path / "game.sgf").read_bytes().startswith(b"(;")


@pytest.mark.parametrize("kind", ["device", "pipe", "folder"])
def test_other_things_are_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "there"
    if kind == "device":
        path.symlink_to(os.devnull)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    before = path.stat().st_mode
    with pytest.raises(GtpError, match=f"it is a {kind}; name an ordinary file"):
        printsgf(path)
    with pytest.raises(KatachiError, match=f"it is a {kind}; name an ordinary file"):
        open_log(path)
    assert path.stat().st_mode == before
    assert list(tmp_path.iterdir()) == [path]
