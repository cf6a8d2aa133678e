"""Settings from files and flags, and the log."""

from __future__ import annotations

import re
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from katachi.gtp.config import KNOWN, find_config
from tests.cli.test_learning_verbs import katachi
from tests.cli.test_ranking_verbs import sentence
from tests.gtp.spoken import spoken


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration folder of one's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    folder = tmp_path / "katachi"
    folder.mkdir()
    return folder


def test_what_holds(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = partial(katachi, capsys, "gtp", "--show-config")
    plain = tomllib.loads(run().out)
    assert plain == {name: usual for name, (_, usual) in KNOWN.items() if usual is not None}
    (home / "gtp.toml").write_text("simulations = 500\nponder = true\n[settings]\nrave = 300\n")
    other = tmp_path / "other.toml"
    other.write_text('simulations = 700\nrules = "japanese"\n[settings]\nucb = 0.2\n')
    told = tomllib.loads(run("--config", other, "--threads", "2", "--setting", "rave=400").out)
    assert (told["simulations"], told["ponder"], told["rules"]) == (700, True, "japanese")
    assert told["threads"] == 2
    assert told["settings"] == {"rave": "400", "ucb": "0.2"}
    text = run("--config", other, "--no-ponder").out
    assert f"simulations = 700  # {other}" in text
    assert "ponder = false  # command line" in text
    assert f'rave = "300"  # {home / "gtp.toml"}' in text
    assert "threads = 1  # usual" in text
    assert "# seconds is not set" in text


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("simulations = many", "is no TOML"),
        ("simulation = 5", "there is no 'simulation': player, model, simulations"),
        ('simulations = "5"', "simulations is a whole number, not '5'"),
        ("ponder = 1", "ponder is true or false, not 1"),
        ("seconds = true", "seconds is a number, not True"),
        ("settings = 5", "settings is a table"),
        ("[settings]\nrage = 5", "there is no setting 'rage'"),
        ('player = "both"', "there is no player 'both'"),
        ('rules = "ing"', "there are no rules 'ing'"),
        ("simulations = 0", "simulations cannot be 0"),
        ('model = "none.katachi"', "none.katachi does not exist"),
    ],
)
def test_mistakes_in_a_file(
    home: Path, capsys: pytest.CaptureFixture[str], content: str, words: str
) -> None:
    (home / "gtp.toml").write_text(content)
    assert words in sentence(katachi(capsys, "gtp", "--show-config"))


def test_other_mistakes(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not list(home.iterdir())
    run = partial(katachi, capsys, "gtp")
    assert "does not exist: name a TOML file" in sentence(run("--config", tmp_path / "no.toml"))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    assert "is no TOML" in sentence(run("--config", tmp_path / "bytes.toml"))
    assert "cannot be written" in sentence(run("--log", tmp_path / "no" / "x.log"))


def test_flags_hold_first(home: Path) -> None:
    (home / "gtp.toml").write_text("seed = 5\nresign = false\n")
    flags: dict[str, Any] = dict.fromkeys(KNOWN)
    found = find_config(None, flags | {"seed": 9}, {})
    assert (found.options["seed"], found.source("seed")) == (9, "command line")
    assert (found.options["resign"], found.source("resign")) == (False, str(home / "gtp.toml"))


@pytest.mark.slow
def test_the_log(tmp_path: Path) -> None:
    """Both directions, in order, and nothing else changes."""
    log = tmp_path / "a.log"
    script = b"1 name\nnonsense\nboardsize 9\nlz-analyze 5\nquit\n"
    done = spoken(script, "--log", log)
    noted = [line[9:] for line in log.read_text().splitlines()]
    assert [line[2:] for line in noted if line.startswith("> ")] == script.decode().split("\n")[:-1]
    sent = [line[2:] for line in noted if line.startswith("< ")]
    assert "\n".join(sent) + "\n" == done.stdout
    assert re.match(r"\d\d:\d\d:\d\d > 1 name", log.read_text())
    assert spoken(b"name\n", "--log", log).returncode == 0
    assert log.read_text().count("name") == 2  # added to, not begun anew
