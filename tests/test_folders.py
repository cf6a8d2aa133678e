from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from katachi.folders import cache_folder, mark_used, source_digest, writable


def test_the_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KATACHI_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("KATACHI_CACHE_DIR")
    assert cache_folder().name == "katachi"


def test_writable(tmp_path: Path) -> None:
    assert writable(tmp_path / "new" / "folder")
    (tmp_path / "file").write_bytes(b"")
    assert not writable(tmp_path / "file" / "below")


def test_what_nobody_uses_goes(tmp_path: Path) -> None:
    ages = {"used": 40, "recent": 5, "stale": 40}
    for name, days in ages.items():
        (tmp_path / name).mkdir()
        then = time.time() - days * 24 * 3600
        os.utime(tmp_path / name, (then, then))
    mark_used(tmp_path / "used")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["recent", "used"]
    mark_used(tmp_path / "missing" / "folder")  # no error


def test_digest_follows_the_source() -> None:
    assert source_digest("go") == source_digest("go")
    assert source_digest("go") != source_digest("go", "records")
