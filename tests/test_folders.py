from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from katachi.errors import KatachiError
from katachi.folders import (
    cache_folder,
    kept_piece,
    mark_used,
    open_plan,
    read_json,
    source_digest,
    writable,
    write_json,
)


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


def test_work_goes_on_by_the_same_plan_only(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "work"
    open_plan(folder, {"games": 5})
    (folder / "piece").write_text("done")
    open_plan(folder, {"games": 5}, "another thing")
    assert (folder / "piece").read_text() == "done"
    with pytest.raises(KatachiError, match="work holds another thing: remove it, or name another"):
        open_plan(folder, {"games": 6}, "another thing")
    assert (folder / "piece").exists()
    open_plan(folder, {"games": 6})
    assert [path.name for path in folder.iterdir()] == ["plan.json"]
    assert read_json(folder / "plan.json") == {"games": 6}


def test_a_folder_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious")
    with pytest.raises(KatachiError, match="holds other work"):
        open_plan(tmp_path, {"games": 5}, "other work", "manifest.json")
    (tmp_path / "manifest.json").write_text("no JSON")
    with pytest.raises(KatachiError, match="holds other work"):
        open_plan(tmp_path, {"games": 5}, "other work", "manifest.json")
    assert (tmp_path / "mine").read_text() == "precious"


def test_pieces_are_kept_with_their_plan(tmp_path: Path) -> None:
    path = tmp_path / "piece.json"
    assert kept_piece(path, {"games": 5}) is None
    write_json(path, {"games": 5, "found": [1, 2]})
    assert kept_piece(path, {"games": 5}) == {"games": 5, "found": [1, 2]}
    assert kept_piece(path, {"games": 6}) is None
    assert kept_piece(path, {"games": 5, "seed": 1}) is None
    for damaged in ("[1]", '{"games": 5', ""):
        path.write_text(damaged)
        assert kept_piece(path, {"games": 5}) is None
