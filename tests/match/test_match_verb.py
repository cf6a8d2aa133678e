"""`katachi match` as a stranger uses it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from katachi.cli import VERBS
from katachi.cli.match import command
from tests.cli.test_cli import katachi, one_sentence
from tests.gtp.toys import LONG, all_gone, logged, processes, toy, wait_until
from tests.interrupt import interrupted

pytestmark = pytest.mark.slow

MATCH = [sys.executable, "-m", "katachi", "match"]
SMALL = ["--size", "5", "--games", "2"]


def match(*args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*MATCH, *map(str, args)], capture_output=True, text=True, check=False)


def finished(folder: Path) -> int:
    """How many games match.json counts."""
    try:
        return len(json.loads((folder / "match.json").read_bytes())["games"])
    except FileNotFoundError:
        return 0


def test_a_match(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    a, b = toy("--name", "Good"), toy("crashes", "--name", "Bad", "--at", 2)
    done = katachi("match", a, b, *SMALL, "--games", "4", "-o", folder, "--jobs", "2")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("A: Good 1.0 (")
    assert lines[1].startswith("B: Bad 1.0 (")
    rows = {" ".join(line.split()[:2]): line.split()[2:] for line in lines[3:6]}
    assert rows["in all"] == ["4", "4", "0", "0", "100.0", "%", "51.0–100.0"]
    assert rows["as black"][:4] == ["2", "2", "0", "0"]
    assert rows["as white"][:4] == ["2", "2", "0", "0"]
    assert lines[6] == "Elo difference ∞ (+7 … ∞)"
    assert lines[7] == "ended by crash 4 (A won 4, B 0)"
    assert lines[8].startswith("2.5 moves per game; thinking per game: A ")
    talk = [line for line in done.stderr.splitlines() if "compiling" not in line]
    assert talk[0] == "A: Good 1.0, B: Bad 1.0, 4 games"
    games = sorted(line for line in talk if line.startswith("game "))
    assert [line.split(":")[0] for line in games] == ["game 1", "game 2", "game 3", "game 4"]
    assert "A black, B+F, A wins by crash (ended with code 3 at" in games[0]
    assert talk[-1] == f"games and match.json are in {folder}"
    assert len(list((folder / "games").glob("*.sgf"))) == 4


def test_as_json(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    a, b = toy("--name", "Good", "--moves", 2), toy("resigns", "--at", 2)
    done = katachi("match", a, b, *SMALL, "-o", folder, "--json", "--time", "60")
    data = json.loads(done.stdout)
    assert (data["games"], data["wins"], data["losses"], data["draws"]) == (2, 2, 0, 0)
    assert data["as_white"]["wins"] == 1
    assert data["rate"] == 1
    assert data["elo"] is None  # JSON has no infinity
    assert data["elo_interval"][1] is None
    assert data["interval"][0] == pytest.approx(2 / (2 + 1.959963984540054**2))
    assert data["reasons"] == {"resignation": {"A": 2, "B": 0, "draws": 0}}
    assert data["engines"]["A"]["name"] == "Good"
    assert data["settings"]["time"] == [60.0, 0.0, 0]
    assert data["mean_seconds"]["A"] >= 0
    assert [game["result"] for game in data["finished"]] == ["B+R", "W+R"]
    assert data["folder"] == str(folder)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["no-such-engine", toy()], "engine A (no-such-engine): there is no program"),
        ([toy("silent"), toy(), "--startup-timeout", "0.5"], "no answer to 'protocol_version'"),
        ([toy(), toy(), "--playouts", "100"], "no engine command has the placeholder {playouts}"),
        ([toy(), toy(), "--time", "5", "--time-settings", "5", "5", "5"], "exclude each other"),
        ([toy(), toy(), "--komi", "nan"], "komi nan is no whole or half number"),
        ([toy(), toy(), "--openings", "no/such/folder"], "no/such/folder"),
        ([toy()], "missing argument"),
        ([toy(), toy(), "--rules", "aga"], "'aga' is not one of"),
    ],
)
def test_mistakes(tmp_path: Path, args: list[str], words: str) -> None:
    run = match if args[0] == "no-such-engine" else partial(katachi, "match")
    assert words in one_sentence(run(*args, "-o", tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def slow_match(tmp_path: Path) -> tuple[list[str], Path, Path, Callable[[], bool]]:
    """A match that stops until there is a file "gate", its folder, the engines' log, and when it
    is in its middle.
    """
    folder, log = tmp_path / "out", tmp_path / "log"
    # The first process of A clears the board once more, before the match: it plays one game to
    # its end, the second two. That leaves two games under way, and one that has not begun.
    waits = toy("waits", "--at", 3, "--gate", tmp_path / "gate", "--log", log)
    stubborn = toy("stubborn", "--log", log)
    args = [*MATCH, waits, stubborn, "--size", "5", "--games", "6", "-o", str(folder)]

    def ready() -> bool:
        return finished(folder) == 3 and [text for _, text in logged(log)].count("waits") == 2

    return [*args, "--jobs", "2"], folder, log, ready


def test_ctrl_c(tmp_path: Path) -> None:
    """A real interrupt: one sentence, 130, no engine left; the same command goes on."""
    args, folder, log, ready = slow_match(tmp_path)
    interrupted(args, dict(os.environ), ready)
    assert all_gone(processes(log))
    assert finished(folder) == 3
    (tmp_path / "gate").touch()
    counted = json.loads((folder / "match.json").read_bytes())["games"]
    names = [f"{game['number']:04}.sgf" for game in counted]
    kept = {name: (folder / "games" / name).read_bytes() for name in names}
    done = katachi(*args[3:], "--json")
    assert "3 of them were finished before" in done.stderr
    data = json.loads(done.stdout)
    assert [game["number"] for game in data["finished"]] == [1, 2, 3, 4, 5, 6]
    assert {game["reason"] for game in data["finished"]} == {"score"}
    assert all((folder / "games" / name).read_bytes() == data for name, data in kept.items())
    assert all_gone(processes(log))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_engines_end_when_we_are_ended(tmp_path: Path, number: signal.Signals) -> None:
    args, folder, log, ready = slow_match(tmp_path)
    process = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(ready)
    process.send_signal(number)
    out, err = process.communicate(timeout=LONG)
    assert process.returncode == 128 + number
    assert out == ""
    assert "Traceback" not in err
    assert finished(folder) == 3
    assert all_gone(processes(log))


def test_another_match_in_the_folder(tmp_path: Path) -> None:
    args = ("match", toy(), toy(), "--size", "5", "--games", "1", "-o", tmp_path / "out")
    assert katachi(*args).returncode == 0
    done = katachi(*args, "--komi", "0.5")
    assert done.returncode == 2
    assert "holds a match with another komi (7.5, not 0.5): give another folder" in done.stderr


def in_terminal(*args: str) -> tuple[str, str]:
    """What the verb prints on stdout, and on a stderr that is a terminal."""
    import pty

    main, other = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "200"}
    process = subprocess.Popen(
        [*MATCH, *args], stdout=subprocess.PIPE, stderr=other, env=environment
    )
    os.close(other)
    shown = b""
    try:
        while data := os.read(main, 4096):
            shown += data
    except OSError:  # the terminal was closed
        pass
    os.close(main)
    out, _ = process.communicate(timeout=LONG)
    assert process.returncode == 0
    return out.decode(), shown.decode()


def test_the_bar_of_a_terminal(tmp_path: Path) -> None:
    """Where stderr is a terminal there is a bar, and no line to a game, but for faults."""
    out, shown = in_terminal(toy(), toy(), *SMALL, "-o", str(tmp_path / "well"))
    assert "2/2" in shown
    assert "A 1 · 50.0 %" in shown
    assert "game 1:" not in shown
    assert "Elo difference" in out
    _, shown = in_terminal(toy(), toy("crashes"), *SMALL, "-o", str(tmp_path / "badly"))
    assert "game 1: A black, B+F, A wins by crash" in shown


def test_help_and_place_among_the_verbs() -> None:
    assert "match" in VERBS
    text = CliRunner().invoke(command, ["--help"]).output
    assert "an interrupted match goes on" in " ".join(text.split())
