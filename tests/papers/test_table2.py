"""`katachi reproduce coulom --table 2`: the paper's numbers, the matches, what is printed."""

from __future__ import annotations

import json
import shlex
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from katachi.cli import main
from katachi.errors import KatachiError
from katachi.match import client
from katachi.match.play import Spectator
from katachi.papers import table2
from katachi.papers.table2 import ENGINES, PAPER, Row, Terms, our_command, play_table, rows_of
from katachi.search.settings import PRESETS
from tests.gtp.toys import logged, toy

TEXT = Path(__file__).parents[3] / "shared" / "papers" / "coulom-2007-icga-journal.txt"


def unwatched(_row: Row) -> AbstractContextManager[Spectator | None]:
    return nullcontext()


def katachi(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    """Exit code, stdout, and stderr but for the line about kernels."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "coulom", *map(str, args)])
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    lines = [line for line in err.splitlines() if "compiling kernels" not in line]
    return ended.value.code, out, "\n".join(lines)


def test_the_rows_are_presets() -> None:
    assert set(ENGINES) == set(PRESETS)
    assert {row.preset for row in PAPER} == set(ENGINES) - {"default"}
    rows = rows_of()
    assert [row.name for row in rows[2:5]] == [
        "9x9-patterns-and-widening",
        "9x9-default",
        "19x19-no-patterns",
    ]
    assert rows_of([19, 19]) == rows[4:]
    for row in PAPER[:-1]:
        assert (table2.MINUTES[row.size], table2.LEVELS[row.size]) == (row.minutes, row.level)


def test_the_paper_has_these_numbers() -> None:
    if not TEXT.exists():
        pytest.skip("the papers are not on this machine")
    lines = [line.split() for line in TEXT.read_text().splitlines() if line[:1] in "X-_"]
    found = [words for words in lines if len(words) == 8]
    expected = [
        [
            f"{row.size}×{row.size}",
            f"{row.minutes:g}",
            str(row.level),
            f"{table2.KOMI}",
            str(row.games),
            f"{100 * row.rate:.1f}%",
        ]
        for row in PAPER
    ]
    assert [words[2:] for words in found] == expected
    marks = [(words[0] == "X", words[1] == "X") for words in found]
    assert marks == [("no" not in row.preset, "widening" in row.preset) for row in PAPER]


def test_our_command_is_one_for_a_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/a folder/it's python")
    assert shlex.split(our_command("patterns", 20)) == [
        "/a folder/it's python",
        "-m",
        "katachi",
        "gtp",
        "--setting",
        "preset=patterns",
        "--simulations",
        "20",
        "--seed",
        "{seed}",
    ]


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Toys instead of both engines; the log of GNU Go's."""
    log = tmp_path / "log"
    monkeypatch.setattr(table2, "our_command", lambda preset, _simulations: toy("--name", preset))

    def gnugo(level: int | None = None) -> str:
        return toy("--score", "W+2.5") if level is None else toy("crashes", "--at", 2, "--log", log)

    monkeypatch.setattr(table2, "gnugo_command", gnugo)
    return log


def test_rows_are_matches_that_go_on(tmp_path: Path, toys: Path) -> None:
    rows = rows_of([19])[1:]
    played = play_table(rows, Terms(games=1, minutes=128), tmp_path / "out", watch=unwatched)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "19x19-default",
        "19x19-patterns",
        "19x19-patterns-and-widening",
    ]
    assert [one.result.engines["A"].name for one in played] == [row.preset for row in rows]
    settings = played[0].result.settings
    assert (settings.komi, settings.time, settings.timeout) == (
        6.5,
        (7680.0, 0.0, 0),
        table2.TIMEOUT,
    )
    assert [one.paper and one.paper.rate for one in played] == [0.0, 0.571, None]
    assert played[0].faults("B") == {"crash": 1}
    assert played[0].faults("A") == {}
    before = len(logged(toys))
    again = play_table(rows, Terms(games=1, minutes=128), tmp_path / "out", watch=unwatched)
    assert len(logged(toys)) == before  # nothing was played
    assert [one.data() for one in again] == [one.data() for one in played]
    more = play_table(rows[:1], Terms(games=2, minutes=128), tmp_path / "out", watch=unwatched)
    assert more[0].data()["games"] == 2
    with pytest.raises(KatachiError, match=r"another time .*: give another folder"):
        play_table(rows, Terms(games=2), tmp_path / "out", watch=unwatched)


def test_an_interrupt_keeps_finished_games(tmp_path: Path, toys: Path) -> None:
    def watch(row: Row) -> AbstractContextManager[Spectator | None]:
        def show(standing: Any, _finished: Any) -> None:
            if row.preset == "patterns" and len(standing.result.games) == 1:
                raise KeyboardInterrupt

        return nullcontext(show)

    rows, terms = rows_of([9])[:2], Terms(games=2)
    with pytest.raises(KeyboardInterrupt):
        play_table(rows, terms, tmp_path, watch=watch)
    counts = [len(list((tmp_path / row.name / "games").glob("*.sgf"))) for row in rows]
    assert counts == [2, 1]
    played = play_table(rows, terms, tmp_path, watch=unwatched)
    assert [one.data()["games"] for one in played] == [2, 2]
    assert toys.exists()


@pytest.mark.slow
@pytest.mark.needs("gnugo")
def test_against_gnugo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = [
        "--table",
        "2",
        "--size",
        "9",
        "--games",
        "1",
        "--simulations",
        "20",
        "--level",
        "1",
        "-o",
        tmp_path / "out",
        "--jobs",
        "1",
    ]
    code, out, err = katachi(capsys, *args, "--json")
    assert code == 0, err
    data = json.loads(out)
    assert data["komi"] == 6.5
    assert [row["preset"] for row in data["rows"]] == list(ENGINES)
    for row in data["rows"]:
        assert (row["size"], row["games"], row["level"], row["simulations"]) == (9, 1, 1, 20)
        assert row["minutes"] is None
        assert row["faults"] == {"katachi": {}, "gnugo": {}}, row
        assert row["engines"]["B"]["name"] == "GNU Go"
        sgf = (Path(row["folder"]) / "games" / "0001.sgf").read_text()
        assert "simulations, 20 in all; expected" in sgf  # what our engine says of its moves
    assert [row["paper"] and row["paper"]["rate"] for row in data["rows"]] == [
        0.382,
        0.682,
        0.906,
        None,
    ]
    code, out, err = katachi(capsys, *args)  # all games are there
    assert code == 0
    assert err.splitlines()[-1] == f"the matches are in {tmp_path / 'out'}"
    lines = out.splitlines()
    assert lines[0].strip() == "Table 2: against GNU Go 3.8, komi 6.5"
    assert lines[4].split()[:8] == ["9x9", "patterns", "and", "widening", "20", "sim.", "1", "1"]
    assert lines[4].split()[-6:] == ["90.6", "%", "1.5", "min", "10", "170"]
    assert lines[5].split()[:2] == ["9x9", "default"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--table", "2", "--owner"], "--owner is for --table 1"),
        (["--table", "2", "--no-owner"], "--owner is for --table 1"),
        (["--table", "2", "--data", "."], "--data is for --table 1"),
        (["--data", ".", "--size", "9"], "--size is for --table 2"),
        (["--games", "20"], "--games is for --table 2"),
        (["--data", ".", "--minutes", "1"], "--minutes is for --table 2"),
        (["--data", ".", "--simulations", "5"], "--simulations is for --table 2"),
        (["--data", ".", "--level", "5"], "--level is for --table 2"),
        (["--table", "3"], "'3' is not one of '1', '2'"),
        (["--table", "2", "--size", "13"], "'13' is not one of '9', '19'"),
        (["--table", "2", "--games", "0"], "a match has at least one game"),
        (["--table", "2", "--minutes", "0"], "the time must be at least one second"),
        (["--table", "2", "--minutes", "nan"], "the time must be at least one second"),
        (["--table", "2", "--simulations", "0"], "0 is not in the range"),
        (["--table", "2", "--minutes", "1", "--simulations", "5"], "exclude each other"),
    ],
)
def test_mistakes(
    args: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = katachi(capsys, *args, "-o", tmp_path / "out")
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert words in err
    assert not (tmp_path / "out").exists()


def test_without_gnugo(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(client, "_MORE_PATH", ())
    code, out, err = katachi(capsys, "--table", "2", "-o", tmp_path / "out")
    assert (code, out) == (2, "")
    assert err == (
        "katachi: GNU Go, against which the games are played, is not installed: install the "
        "program gnugo"
    )
    assert not (tmp_path / "out").exists()


def test_minutes_or_simulations(tmp_path: Path) -> None:
    with pytest.raises(KatachiError, match="exclude each other"):
        play_table(rows_of(), Terms(minutes=1, simulations=20), tmp_path, watch=unwatched)
