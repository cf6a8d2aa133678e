"""Files that are not there: told at once, and in the words of the verb itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import katachi.cli
from katachi.cli.missing import check_named
from katachi.errors import KatachiError
from tests.cli.test_cli import katachi as run
from tests.cli.test_cli import one_sentence

# {none}: a file that is not there; {game}: one that is
COMMANDS = (
    "games {none}",
    "harvest {game} {none}",
    "describe {none} -o {here}/out",
    "describe {game} -o {here}/out --dictionary {none}",
    "train {none} -o {here}/my.katachi",
    "train {game} -o {here}/my.katachi --playout {none}",
    "train {game} -o {here}/my.katachi --method ranking --continue {none}",
    "evaluate {none}",
    "evaluate default {none}",
    "evaluate {none}.katachi {game}",
    "style {none}",
    "ratings {none}",
    "suggest {none}",
    "suggest {game} --model {none}",
    "explain {none} D4",
    "explain D4 --moves C3 --model {none}",
    "review {none}",
    "study {none} --no-browser",
    "gtp --model {none}",
    "analysis --model {none}",
    "rate {none}",
)


def words(command: str, here: Path) -> list[str]:
    game = here / "game.sgf"
    game.write_bytes(b"(;SZ[19];B[dd];W[pp])")
    none = here / "none"
    return [word.format(here=here, game=game, none=none) for word in command.split()]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_verb_says_the_same_itself(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = words(command, tmp_path)
    with pytest.raises(KatachiError, match=r"does not exist: (name|make)") as early:
        check_named(arguments[0], arguments[1:])
    monkeypatch.setattr(katachi.cli, "check_named", lambda _verb, _arguments: None)
    assert one_sentence(run(*arguments)) == f"katachi: {early.value}"


def test_nothing_heavy_is_imported_for_it(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from katachi.cli import _status\n"
        "for line in sys.stdin: assert _status(line.split()) == 2, line\n"
        "assert not {'numba', 'numpy', 'rich', 'scipy'} & set(sys.modules), 'heavy'"
    )
    lines = "\n".join(" ".join(words(command, tmp_path)) for command in COMMANDS)
    done = subprocess.run(
        [sys.executable, "-c", code], input=lines, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("does not exist") == len(COMMANDS)


@pytest.mark.parametrize(
    "command",
    [
        "games {game}",
        "ratings default",
        "evaluate default {game}",
        "ratings {none} --help",
        "explain D4 --moves C3",
        "explain D4 --diagram={game}",
        "games --size 9 {none}",  # after an option the verb knows better
        "review {game}/none",  # there is a file where a folder would be
        "demo {none}",
        "gtp --log {none}",
    ],
)
def test_what_is_left_to_the_verb(command: str, tmp_path: Path) -> None:
    arguments = words(command, tmp_path)
    check_named(arguments[0], arguments[1:])


def test_a_name_that_is_spelt_alike_is_told(tmp_path: Path) -> None:
    (tmp_path / "my-game.sgf").write_bytes(b"(;SZ[19];B[dd];W[pp])")
    (tmp_path / "other.katachi").touch()
    sentence = one_sentence(run("suggest", tmp_path / "my-gane.sgf"))
    assert sentence.endswith(f"does not exist: did you mean {tmp_path / 'my-game.sgf'}?")
    sentence = one_sentence(run("suggest", tmp_path / "quite-another.sgf"))
    assert sentence.endswith("does not exist: name an SGF file")
