"""katachi library and katachi similar: what they print, and one sentence for each mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_cli import katachi, one_sentence
from tests.games import beginning, bundled_sgfs


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight small games, one of them also begun by somebody else; and a larger one beside."""
    folder = tmp_path_factory.mktemp("library") / "games"
    folder.mkdir()
    for number, sgf in enumerate(list(bundled_sgfs().values())[:8]):
        (folder / f"{number}.sgf").write_bytes(sgf)
    (folder.parent / "asked.sgf").write_bytes(beginning(next(iter(bundled_sgfs().values())), 12))
    (folder.parent / "large.sgf").write_bytes(b"(;SZ[19];B[dd];W[pp])")
    return folder


@pytest.fixture(scope="module")
def library(games: Path) -> Path:
    path = games.parent / "games.library"
    done = katachi("library", "build", games, "-o", path, "--jobs", "1", "--no-cache", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 8
    return path


def test_info(library: Path) -> None:
    text = katachi("library", "info", library).stdout
    assert "8 on 9x9" in text
    assert "a move" in text
    data = json.loads(katachi("library", "info", library, "--json").stdout)
    assert data["bytes"] == library.stat().st_size
    assert data["radii"] == [4, 6, 8, 10, 14]


def test_tables_and_json_agree(library: Path, games: Path) -> None:
    asked = games.parent / "asked.sgf"
    where = (asked, "--move", "6", "--library", library, "--least", "2")
    text = katachi("similar", *where).stdout
    data = json.loads(katachi("similar", *where, "--json").stdout)
    assert f"move 6, {data['to_move']} to play; in this game {data['played']}" in text
    assert "the whole position" in text
    for name, words in (("last", "around the last move"), ("move", "around this move")):
        part = data[name]
        assert f"the shape {words}, {part['vertex']}, radius {part['radius']} (places: " in text
        assert part["places"] > 0
        assert f"{part['places']:,} places in {part['games']:,} games" in text
        first = part["next"][0]
        assert f"{first['colour']} {first['vertex']} " in text
    smaller = json.loads(katachi("similar", *where, "--radius", "4", "--json").stdout)["move"]
    assert list(smaller["tried"]) == ["4"]
    assert smaller["places"] >= data["move"]["places"]
    none = katachi("similar", *where, "--games", "0").stdout
    assert "result" not in none
    end = json.loads(katachi("similar", asked, "--library", library, "--json").stdout)
    assert (end["number"], end["move"]) == (13, None)


def test_mistakes(library: Path, games: Path, tmp_path: Path) -> None:
    asked, large, new = games.parent / "asked.sgf", games.parent / "large.sgf", tmp_path / "new"
    empty = tmp_path / "empty"
    empty.mkdir()

    def refused(*args: str | Path) -> str:
        return one_sentence(katachi(*args))

    assert "none of number 99" in refused("similar", asked, "--library", library, "--move", "99")
    assert "is a library of 9x9" in refused("similar", large, "--library", library)
    assert "no shapes of radius 7" in refused(
        "similar", asked, "--library", library, "--radius", "7"
    )
    assert "make it by katachi library build" in refused("similar", asked, "--library", new)
    assert "name an SGF file" in refused("similar", new, "--library", library)
    assert "is no library" in refused("similar", asked, "--library", asked)
    assert "missing option '--library'" in refused("similar", asked)
    assert "missing option '-o'" in refused("library", "build", games)
    assert "missing option '-o'" in refused("describe", games)
    assert "is no library" in refused("library", "info", asked)
    assert "make it by" in refused("library", "info", new)
    assert "missing command" in refused("library")
    assert "no such command" in refused("library", "biuld", asked)
    assert "9x9 and 19x19: choose by --size" in refused(
        "library", "build", games, large, "-o", new, "--jobs", "1", "--no-cache"
    )
    assert "no game records in the folder" in refused("library", "build", empty, "-o", new)
    assert "does not exist" in refused("library", "build", tmp_path / "no", "-o", new)
    assert "is a folder: name a file" in refused("library", "build", games, "-o", empty)
    assert "no game is left by the filters" in refused(
        "library", "build", games, "-o", new, "--size", "13", "--no-cache", "--jobs", "1"
    )
    assert not new.exists()
