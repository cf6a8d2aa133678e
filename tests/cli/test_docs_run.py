"""The commands that the pages show: all are commands that the program takes, and those that need
nothing but games are run.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from katachi.cli import katachi as group
from tests.games import bundled_sgfs

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
# What stands for the reader's own files → a file in the folder of the test
OWN = {
    "PATH…": "games",
    "GAMES…": "games",
    "NEW…": "new",
    "MODEL": "default",
    "MODEL…": "default",
    "[MODEL]": "default",
    "[MODEL]…": "default",
    "GAME.sgf": "game.sgf",
    "[GAME.sgf]": "game.sgf",
    "FOLDER": "described",
    "FILE": "teams.csv",
    "DIR": "packs",
    "[VERB]…": "suggest",
    "61-160": "11-20",  # small games are over by then
    "161-500": "21-30",
}
# These read games, and end by themselves. The others serve, play matches or need the papers' games.
RUN = {
    "games",
    "harvest",
    "describe",
    "train",
    "evaluate",
    "ratings",
    "style",
    "proverbs",
    "library",
    "suggest",
    "explain",
    "review",
    "rate",
    "export",
}
# Pages whose commands are run, in their order
RUN_PAGES = (
    "cli.md",
    "learning.md",
    "student.md",
    "engine-author.md",
    "researcher.md",
    "formats.md",
)


def commands_of(page: Path) -> list[list[str]]:
    """The arguments of every command of a page, in its order: `katachi VERB …` in a block."""
    text = re.sub(r"\\\n\s*", " ", page.read_text(encoding="utf-8"))
    found = []
    for line in text.splitlines():
        shown = re.match(r"(?:    |\$ )(?:[^#\"]*[ /|(])?katachi( .*)", line)
        if shown is None or line.strip().startswith("#"):
            continue
        words = shlex.split(shown[1], comments=True)
        if words and words[0].isalpha():
            words = [word.rstrip(")") if "(" in line else word for word in words]
            found.append([OWN.get(word, word) for word in words if word not in ("…", "2>&1")])
    return found


ALL = [(page.name, words) for page in PAGES for words in commands_of(page)]


@pytest.fixture
def own_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of one's own, in the folder where the commands are given."""
    sgfs = bundled_sgfs()
    small = [name for name, data in sgfs.items() if b"SZ[9]" in data]
    for name, some in {"games": small[:6], "new": small[6:8]}.items():
        (tmp_path / name).mkdir()
        for one in some:
            (tmp_path / name / one).write_bytes(sgfs[one])
    (tmp_path / "game.sgf").write_bytes(next(d for d in sgfs.values() if b"SZ[19]" in d))
    rows = [". . . . . . . . ."] * 6 + [". X O . . . . . ."] * 3
    (tmp_path / "board.txt").write_text("\n".join(rows))
    (tmp_path / "teams.csv").write_text("Ann,Bob\nBob,Ann\nAnn,Cid\nCid,Bob\n")
    monkeypatch.chdir(tmp_path)


def test_pages_show_commands() -> None:
    verbs = {words[0] for _, words in ALL}
    assert len(ALL) > 60
    assert set(RUN) <= verbs


@pytest.mark.usefixtures("own_games")
@pytest.mark.parametrize("words", [w for _, w in ALL], ids=[f"{p}-{' '.join(w)}" for p, w in ALL])
def test_the_program_takes_it(words: list[str]) -> None:
    """The verb exists, and so does every option; the command is not run."""
    verb = group.get_command(click.Context(group), words[0])
    assert verb is not None
    verb.make_context(words[0], words[1:]).close()


@pytest.mark.slow
@pytest.mark.usefixtures("own_games")
@pytest.mark.parametrize("name", RUN_PAGES)
def test_it_runs(name: str) -> None:
    """One after the other, as a reader would: later commands use what earlier ones have made."""
    for words in commands_of(ROOT / "docs" / name):
        if words[0] in RUN and not any("shared/data" in word for word in words):
            if words[:2] == ["evaluate", "default"]:
                words = [words[0], "my.katachi", *words[2:]]
            found = CliRunner().invoke(group, words, catch_exceptions=False)
            assert found.exit_code == 0, f"katachi {' '.join(words)}: {found.output}"
