"""Files of several games and folders of games, as the page gets them."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from katachi.errors import KatachiError
from katachi.records.record import parse_tree
from katachi.study import collection
from katachi.study.collection import Folder, others

ONE = b"(;SZ[9]PB[One]PW[Two]RE[B+R]XX[kept];B[ee](;W[cc])(;W[gg]C[told]))"
TWO = "(;SZ[9]PB[Zwölf]PW[\\]]DT[2026-11-19];B[cc];W[dd])".encode()


def test_every_game_of_a_file_is_whole() -> None:
    found = others(b"words " + ONE + b"\n" + TWO)
    assert [(one["black"], one["white"], one["date"], one["result"]) for one in found] == [
        ("One", "Two", "", "B+R"),
        ("Zwölf", "]", "2026-11-19", ""),
    ]
    for one, data in zip(found, (ONE, TWO), strict=True):
        again, before = parse_tree(one["sgf"].encode(), ""), parse_tree(data, "")
        for new, old in zip(again.nodes, before.nodes, strict=True):
            assert {k: v for k, v in new.properties.items() if k != "CA"} == old.properties
    assert others(ONE) == []


def test_too_many_games_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collection, "MOST_GAMES", 2)
    assert len(others(ONE + TWO)) == 2
    with pytest.raises(KatachiError, match="put them into a folder"):
        others(ONE + TWO + ONE)


def test_a_folder_with_an_archive(tmp_path: Path) -> None:
    """Each number of the list is the game that stands there, and nothing else can be asked for."""
    (tmp_path / "both#1.sgf").write_bytes(ONE + TWO)
    (tmp_path / "broken.sgf").write_bytes(b"nothing")
    with tarfile.open(tmp_path / "more.tar", "w") as tar:
        entry = tarfile.TarInfo("in/it.sgf")
        entry.size = len(TWO)
        tar.addfile(entry, io.BytesIO(TWO))
    folder = Folder(tmp_path)
    assert [row[1] for row in folder.listed] == ["One", "Zwölf", "Zwölf"]
    for number, row in enumerate(folder.listed):
        tree = folder.game(number)
        assert (tree.game.black, tree.game.white) == (row[1], row[2])
        assert str(tmp_path) not in row[5]
    assert len(folder.game(0).nodes) == 4  # with its variations
    for wrong in (-1, 3):
        with pytest.raises(KatachiError, match="no game"):
            folder.game(wrong)
    (tmp_path / "both#1.sgf").unlink()
    with pytest.raises(KatachiError, match="cannot be read now"):
        folder.game(0)
