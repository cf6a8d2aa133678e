"""stdin, stdout and stderr as they come: closed, full, without a reader, without Unicode."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.test_cli import katachi
from tests.games import bundled_sgfs
from tests.trained import ALL_RADII, trained

pytestmark = pytest.mark.slow

KATACHI = f"{sys.executable} -m katachi"


def run(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A line of the shell; its status is that of the whole pipeline (pipefail)."""
    line = f"set -o pipefail; {command.replace('katachi ', f'{KATACHI} ', 1)}"
    return subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        text=True,
        errors="replace",
        env=os.environ | environment,
        timeout=600,
    )


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "one.sgf"
    path.write_bytes(next(iter(bundled_sgfs().values())))
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its ratings are more than a pipe holds."""
    path = tmp_path_factory.mktemp("model") / "small.katachi"
    trained(replace(ALL_RADII, min_candidates=10)).save(path)
    return path


RATINGS = ["ratings {model}", "ratings {model} --csv"]


@pytest.mark.parametrize("verb", ["ratings", *RATINGS, "ratings {model} --json", "--help"])
def test_nobody_reads_on(verb: str, model: Path) -> None:
    done = run(f"katachi {verb.format(model=model)} | head -1")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize("verb", [*RATINGS, "--help", "--version"])
def test_a_full_stdout(verb: str, model: Path) -> None:
    done = run(f"katachi {verb.format(model=model)} > /dev/full")
    assert done.returncode == 2
    assert done.stderr == "katachi: standard output cannot be used: No space left on device\n"


def test_a_full_stderr() -> None:
    assert run("katachi ratings none.katachi 2> /dev/full").returncode == 2
    assert run("katachi ratings none.katachi 2>&-").returncode == 2


def test_a_closed_stdout(model: Path) -> None:
    done = run(f"katachi ratings {model} >&-")
    assert done.returncode == 2
    assert done.stderr == (
        "katachi: standard output is closed: send it to /dev/null if nobody reads it\n"
    )


def test_gtp_without_stdin() -> None:
    done = run("katachi gtp --player pattern <&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(("to", "status"), [(">&-", 2), ("> /dev/full", 2), ("| true", 0)])
def test_gtp_without_a_reader(to: str, status: int) -> None:
    """Also after the controller has gone, which gtp learns at its next answer."""
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {KATACHI} gtp --player pattern {to}"],
        input="name\n" * 20_000,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == (status != 0)


ASCII = {"PYTHONIOENCODING": "ascii"}
PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
LATIN = {"PYTHONIOENCODING": "latin-1"}


@pytest.mark.parametrize(
    ("verb", "environment"),
    [
        ("ratings", PLAIN),
        ("ratings", LATIN),
        ("games {game} --all", ASCII),
        ("suggest {game}", ASCII),
        ("review {game}", PLAIN),
        ("--help", ASCII),
        ("ratings /nowhere/ü", ASCII),
        ("ratings /nowhere/ü", LATIN),
    ],
)
def test_without_unicode(verb: str, environment: dict[str, str], game: Path) -> None:
    done = run(f"katachi {verb.format(game=game)}", **environment)
    assert done.returncode == (2 if "nowhere" in verb else 0), done.stderr
    assert "Traceback" not in done.stderr
    assert "Unicode" not in done.stderr
    if "suggest" in verb:
        assert "X" in done.stdout
        assert "O" in done.stdout


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 in the name of a file: told, with a sign in their place."""
    path = os.fsencode(tmp_path) + b"/\xff.katachi"
    done = subprocess.run(
        [*os.fsencode(KATACHI).split(), b"ratings", path], capture_output=True, timeout=600
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"katachi: ")
    assert b"does not exist" in done.stderr
    assert b"Traceback" not in done.stderr


# Blocks of 1 KiB; SIGXFSZ is ignored by Python: writing fails. Python itself would not see that,
# and leave compiled files of 4 KiB beside our sources.
LITTLE_DISK = "export PYTHONDONTWRITEBYTECODE=1; ulimit -f 4"


def test_a_full_cache(game: Path, tmp_path: Path) -> None:
    """A disk that takes no more costs the cache of kernels and games, not the result."""
    (tmp_path / "cache").mkdir()
    done = run(
        f"{LITTLE_DISK}; katachi games {game} --json", KATACHI_CACHE_DIR=str(tmp_path / "cache")
    )
    assert done.returncode == 0, done.stderr
    assert '"games": 1' in done.stdout


@pytest.mark.parametrize("verb", ["describe", "train"])
def test_a_full_disk(verb: str, tmp_path: Path) -> None:
    """One sentence, and the same command goes on where there is room again."""
    for name, record in list(bundled_sgfs().items())[:2]:
        (tmp_path / name).write_bytes(record)
    work: list[str | Path] = [
        verb,
        *sorted(tmp_path.glob("*.sgf")),
        "--features",
        "playout",
        "--jobs",
        "1",
        "-o",
    ]
    # Kernels that are not compiled yet are, and told
    assert katachi(*work, tmp_path / "before").returncode == 0
    command = (*work, tmp_path / "out")
    done = run(f"{LITTLE_DISK}; katachi {' '.join(map(str, command))}")
    assert done.returncode == 2, done.stderr
    assert re.fullmatch(
        r"katachi: \S+ cannot be written: File too large; what is done is kept\n", done.stderr
    )
    done = katachi(*command)
    assert (done.returncode, done.stderr) == (0, "")


def test_compiled_files_that_a_full_disk_has_cut(tmp_path: Path) -> None:
    """Python writes what the disk takes of them, and says nothing. No one has pressed Ctrl-C."""
    place = {"PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""}
    assert run("katachi games --help", **place).returncode == 0
    (compiled,) = tmp_path.rglob("cli/games.*.pyc")
    compiled.write_bytes(compiled.read_bytes()[:1000])
    done = run("katachi games --help", **place)
    assert done.returncode == 2
    assert re.fullmatch(
        r"\s*katachi: a file that Python has compiled is cut short \(marshal data too short\): "
        r"remove the folders __pycache__ in \S+katachi\n",
        done.stderr,
    )
