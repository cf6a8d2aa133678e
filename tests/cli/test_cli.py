"""The program as a stranger uses it: in a process of its own, or here where that is the same."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from katachi import __version__
from katachi.cli import VERBS, main
from tests.archives import zip_of
from tests.games import beginning, bundled_sgfs
from tests.interrupt import held, interrupted, own_cache

GAME = b"(;SZ[9]KM[7.5]PB[a]PW[b];B[ee];W[ce];B[gc])"


Done = subprocess.CompletedProcess[str]


def katachi(*args: str | Path) -> Done:
    """The command line, run in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main([*map(str, args)])
    assert isinstance(ended.value.code, int)
    return Done(args, ended.value.code, out.getvalue(), err.getvalue())


def program(*args: str | Path, env: dict[str, str] | None = None) -> Done:
    """The same, as a program of its own."""
    return subprocess.run(
        [sys.executable, "-m", "katachi", *map(str, args)],
        capture_output=True,
        text=True,
        env=os.environ | (env or {}),
        check=False,
    )


def one_sentence(done: Done) -> str:
    """The sentence of a user's mistake: exit code 2, one line, no traceback, no result."""
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if "compiling" not in line]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("katachi: ")
    return lines[0]


def imported_by(*args: str) -> set[str]:
    """Top-level modules that a command has imported when it ends."""
    code = (
        "import sys, katachi.cli\n"
        "try: katachi.cli.main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "print(' '.join(sorted({m.partition('.')[0] for m in sys.modules})), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


@pytest.mark.parametrize("args", [("--help",), ("--version",), ("-h",)])
def test_help_and_version_import_nothing_heavy(args: tuple[str, ...]) -> None:
    heavy = {"numba", "scipy", "numpy", "llvmlite", "rich", "sgfmill", "matplotlib"}
    assert not heavy & imported_by(*args)


def test_version_and_help() -> None:
    assert program("--version").stdout == f"katachi {__version__}\n"
    text = program("--help").stdout
    for verb in VERBS:
        assert verb in text
        assert katachi(verb, "--help").returncode == 0


@pytest.mark.slow
def test_games(tmp_path: Path) -> None:
    (tmp_path / "1.sgf").write_bytes(GAME)
    (tmp_path / "2.sgf").write_bytes(b"(;SZ[9];B[aa];W[aa];B[bb])")
    (tmp_path / "3.sgf").write_bytes(b"hello")
    done = katachi("games", tmp_path)
    assert done.returncode == 0
    rows = dict(line.split(maxsplit=1) for line in done.stdout.splitlines()[:13] if " " in line)
    assert rows["games"].strip() == "2"
    assert rows["skipped"].strip() == "no game record 1"
    assert rows["cut"].strip() == "move on a stone 1"
    assert f"{tmp_path}/2.sgf, move 2: cut: move on a stone (white A9)" in done.stdout
    assert f"{tmp_path}/3.sgf: skipped: no game record" in done.stdout


def test_games_as_json(tmp_path: Path) -> None:
    (tmp_path / "1.sgf").write_bytes(GAME)
    (tmp_path / "2.sgf").write_bytes(b"hello")
    data = json.loads(katachi("games", tmp_path, "--json", "--hold-out", "0.5").stdout)
    assert (data["games"], data["moves"], data["sizes"]) == (1, 3, {"9x9": 1})
    assert data["skipped"] == {"no game record": 1}
    assert data["notices"] == [
        {
            "kind": "skipped",
            "source": f"{tmp_path}/2.sgf",
            "place": "",
            "reason": "no game record",
            "detail": "",
        }
    ]
    assert data["held_out"]["games"] in (0, 1)


def test_games_with_filters(tmp_path: Path) -> None:
    for name, data in bundled_sgfs().items():
        (tmp_path / name).write_bytes(data)
    done = katachi("games", tmp_path, "--json", "--size", "9", "--min-moves", "30", "--unique")
    data = json.loads(done.stdout)
    assert list(data["sizes"]) == ["9x9"]
    assert data["length"]["shortest"] >= 30
    assert data["filters"] == {"size": 9, "min_moves": 30, "unique": True}
    assert data["games"] + sum(data["filtered"].values()) == len(bundled_sgfs())


def test_no_game_left_by_the_filters_is_an_answer(tmp_path: Path) -> None:
    (tmp_path / "1.sgf").write_bytes(GAME)
    done = katachi("games", tmp_path, "--size", "13")
    assert done.returncode == 0
    assert "another board size 1" in done.stdout


def test_many_notices_are_cut_short(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_bytes(GAME)
    for number in range(25):
        (tmp_path / f"b{number:02}.sgf").write_bytes(b"hello")
    assert "… and 5 more: --all shows them" in katachi("games", tmp_path).stdout
    assert katachi("games", tmp_path, "--all").stdout.count("skipped: no game record") == 25


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("missing", None, "does not exist"),
        ("folder/", None, "no game records in the folder"),
        ("other/", b"", "no game records in the folder"),
        ("junk.sgf", random.Random(1).randbytes(5000), "binary data"),
        ("picture.sgf", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary data"),
        ("program", b"\x7fELF\x02\x01\x01\x00\x00", "binary data"),
        ("text.sgf", b"Dear diary, no game today.", "no game record"),
        ("empty.sgf", b"", "empty file"),
        ("bad.zip", b"PK\x03\x04 but not really", "cannot be read as an archive"),
        ("evil.zip", zip_of({"../evil.sgf": GAME}), "leads outside the archive"),
        ("half.zip", zip_of({"good.sgf": GAME, "../evil.sgf": GAME}), "leads outside"),
        ("none.zip", zip_of({"readme.txt": b"x"}), "holds no .sgf file"),
    ],
)
def test_bad_input(tmp_path: Path, name: str, data: bytes | None, words: str) -> None:
    path = tmp_path / "in" / name
    path.parent.mkdir()
    if name.endswith("/"):
        path.mkdir()
        if data is not None:
            (path / "notes.txt").write_bytes(data)
    elif data is not None:
        path.write_bytes(data)
    before = sorted(tmp_path.rglob("*"))
    run = program if name == "junk.sgf" else katachi
    sentence = one_sentence(run("games", path, "--json"))
    assert words in sentence
    assert str(path).rstrip("/") in sentence
    assert sorted(tmp_path.rglob("*")) == before  # nothing written beside the input


def test_huge_junk_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.sgf"
    with path.open("wb") as file:
        file.truncate(200 * 2**20)  # sparse: no disk is used
    assert "200 MiB in one file, 32 MiB are read at most" in one_sentence(katachi("games", path))


def test_typos_get_a_hint() -> None:
    assert "did you mean 'games'?" in one_sentence(program("gmaes"))
    assert "--jsn" in one_sentence(katachi("games", __file__, "--jsn"))
    assert "PATH" in one_sentence(katachi("games"))
    assert "write it like" in one_sentence(katachi("games", __file__, "--min-rank", "strong"))


@pytest.mark.slow
def test_works_with_a_cache_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """Root may write anywhere, so the folder stands where none can be made."""
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    (tmp_path / "1.sgf").write_bytes(GAME)
    done = program(
        "games", tmp_path / "1.sgf", "--json", env={"KATACHI_CACHE_DIR": str(blocked / "x")}
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 1
    assert "cannot be written" in done.stderr


@pytest.mark.slow
def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "1.sgf").write_bytes(GAME)
    command = f'"{sys.executable}" -m katachi games "{tmp_path}" --json | true'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""


@pytest.fixture
def games_folder(tmp_path: Path) -> Path:
    """Six 9x9 games."""
    folder = tmp_path / "games"
    folder.mkdir()
    for name, data in list(bundled_sgfs().items())[:6]:
        (folder / name).write_bytes(data)
    return folder


@pytest.mark.slow
def test_harvest_and_describe(tmp_path: Path, games_folder: Path) -> None:
    shapes, out = tmp_path / "my.shapes", tmp_path / "out"
    done = katachi(
        "harvest", games_folder, "-o", shapes, "--rule", "played", "--min-count", "2", "--draw", "1"
    )
    assert done.returncode == 0, done.stderr
    assert "radius 3" in done.stdout
    assert "*" in done.stdout
    assert f"wrote {shapes}" in done.stderr
    done = katachi("describe", games_folder, "-o", out, "--dictionary", shapes, "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    games = json.loads(katachi("games", games_folder, "--json").stdout)
    assert data["competitions"] == games["moves"]
    assert data["families"]["shape"]["winners"] > 0
    assert -4.5 < data["uniform_log_evidence"] < -3
    again = katachi("describe", games_folder, "-o", out, "--dictionary", shapes)
    assert again.returncode == 0
    assert f"{data['competitions']:,} competitions of 6 games" in again.stdout


@pytest.mark.slow
def test_harvest_of_answers(tmp_path: Path, games_folder: Path) -> None:
    path = tmp_path / "my.shapes"
    options = ("--templates", "answers", "--min-count", "2")
    done = katachi("harvest", games_folder, *options, "--rule", "played", "--draw", "1", "-o", path)
    assert "kind moves-shape" in done.stdout
    assert "@" in done.stdout
    out = tmp_path / "out"
    wanted = ("--dictionary", path, "--features", "extended", "--json")
    data = json.loads(katachi("describe", games_folder, "-o", out, *wanted).stdout)
    assert data["families"]["answer-liberties-4"]["winners"] > 0
    assert "by the rule played" in katachi("harvest", games_folder, *options).stderr


@pytest.mark.slow
def test_harvest_survey(games_folder: Path) -> None:
    data = json.loads(katachi("harvest", games_folder, "--survey", "--json").stdout)
    plans = [(h["rule"], h["min_count"]) for h in data["harvests"]]
    assert plans == [("candidates", 625), *(("played", n) for n in (2, 5, 10, 20))]
    assert data["harvests"][1]["shapes"] > data["harvests"][2]["shapes"] > 0


def test_bad_input_of_the_pattern_verbs(tmp_path: Path, games_folder: Path) -> None:
    shapes, out = tmp_path / "my.shapes", tmp_path / "out"
    done = katachi("harvest", games_folder, "-o", shapes, "--rule", "played", "--min-count", "2")
    assert done.returncode == 0

    def wrong(*args: str | Path) -> str:
        before = sorted(tmp_path.rglob("*"))
        sentence = one_sentence(katachi(*args))
        assert sorted(tmp_path.rglob("*")) == before
        return sentence

    assert "does not exist" in wrong("harvest", games_folder, "-o", tmp_path / "no" / "x.shapes")
    assert "no game is left" in wrong("harvest", games_folder, "--size", "13")
    assert "is not in the range" in wrong("harvest", games_folder, "--min-count", "0")
    missing = tmp_path / "none.shapes"
    assert "does not exist" in wrong("describe", games_folder, "-o", out, "--dictionary", missing)
    cut = tmp_path / "cut.shapes"
    cut.write_bytes(shapes.read_bytes()[:-100])
    assert "cut short" in wrong("describe", games_folder, "-o", out, "--dictionary", cut)
    large = tmp_path / "large.sgf"
    large.write_bytes(b"(;SZ[19];B[dd];W[pp])")
    sentence = wrong("describe", games_folder, large, "-o", out, "--dictionary", shapes)
    assert "is on 19x19, but the shapes were harvested on 9x9" in sentence
    assert "is a file" in wrong("describe", games_folder, "-o", large)
    sentence = wrong(
        "describe", games_folder, "-o", out, "--features", "playout", "--dictionary", shapes
    )
    assert "no use for a dictionary" in sentence
    assert katachi("describe", games_folder, "-o", out, "--features", "playout").returncode == 0
    assert "other games or settings" in wrong("describe", games_folder, "-o", out)


@pytest.mark.slow
def test_ctrl_c_while_describing(tmp_path: Path) -> None:
    """Two processes, a real interrupt: shards stay whole, and the next run makes the rest."""
    games, out = tmp_path / "games", tmp_path / "out"
    games.mkdir()
    for copy in range(3):
        for name, data in list(bundled_sgfs().items())[:67]:
            (games / f"{copy}-{name}").write_bytes(beginning(data, 10))
    environment = own_cache(tmp_path)
    rest = ["describe", str(games), "-o", str(out)]
    rest += ["--features", "playout", "--jobs", "2", "--json"]
    program = held("katachi.processes:_Pool.submit", 3)  # the first shard is made without it
    interrupted([*program, *rest], environment, lambda: len(list(out.glob("shards/*"))) >= 3)
    wanted = json.loads((out / "manifest.json").read_text())
    assert len(list(out.glob("shards/*"))) == 3 < wanted["shards"]
    assert not list(out.glob("part-*"))
    assert json.loads(katachi(*rest).stdout)["competitions"] == wanted["moves"]
