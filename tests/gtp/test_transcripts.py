"""Conversations with the engine, as files: every command, with good and bad arguments, compared
byte by byte with what the engine answers.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from katachi.gtp.commands import COMMANDS
from tests.gtp.spoken import spoken

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "transcripts"
FILES = sorted(FOLDER.glob("*.txt"))


def exchanges(path: Path) -> list[tuple[str, list[str]]]:
    """(command, lines of the reply) of a file."""
    found: list[tuple[str, list[str]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("> "):
            found.append((line[2:], []))
        elif not line.startswith("#"):
            found[-1][1].append(line)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_transcript(path: Path, tmp_path: Path) -> None:
    asked = [(c.replace("{folder}", str(tmp_path)), wanted) for c, wanted in exchanges(path)]
    script = "".join(f"{command}\n" for command, _ in asked)
    done = spoken(script, "--simulations", "60", "--seed", "1")
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    *replies, rest = done.stdout.split("\n\n")
    assert rest == ""  # every reply ends with exactly one empty line
    assert len(replies) == len(asked)
    for (command, wanted), reply in zip(asked, replies, strict=True):
        if wanted[0].startswith("~"):
            pattern = wanted[0][1:]
            assert re.fullmatch(pattern, reply), (command, reply)
        else:
            assert reply == "\n".join(wanted), command


def test_every_command_is_in_a_transcript() -> None:
    said = [command.split() for path in FILES for command, _ in exchanges(path)]
    good: set[str] = set()
    bad: set[str] = set()
    for path in FILES:
        for command, wanted in exchanges(path):
            name = next(w for w in [*command.split(), ""] if not w.isdigit())
            (bad if wanted[0].lstrip("~\\").startswith("?") else good).add(name)
    assert good >= set(COMMANDS)
    # All that take arguments are also asked wrongly
    without = {
        "protocol_version",
        "name",
        "version",
        "list_commands",
        "quit",
        "clear_board",
        "get_komi",
        "showboard",
        "stop",
        "clear_cache",
        "cputime",
        "kgs-game_over",
        "kata-get-rules",
        "kata-list-params",
        "gogui-analyze_commands",
        "gogui-interrupt",
        "katachi-probabilities",
        "katachi-owner",
        "gomill-explain_last_move",
        "gomill-describe_engine",
        "gomill-cpu_time",
        "final_score",
        "printsgf",
    }
    assert bad >= set(COMMANDS) - without
    assert len(said) > 150
