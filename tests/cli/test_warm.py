"""`katachi warm`, and what is said of compiling."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from katachi.cli import VERBS, rehearsal, warm, warming
from katachi.cli.talk import kernels_ready, talk
from katachi.errors import KatachiError
from katachi.go import kernel

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of kernels, for what is remembered there."""
    monkeypatch.setattr(kernel, "kernel_folder", lambda: tmp_path)
    monkeypatch.setattr(warming, "kernel_folder", lambda: tmp_path)
    monkeypatch.setattr(warm, "kernel_folder", lambda: tmp_path)
    return tmp_path


class FakeProcess:
    """Ends when it is waited for, with this status; None: never."""

    def __init__(self, status: int | None) -> None:
        self._status = status
        self.returncode: int | None = None
        self.killed = False

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self._status is None and not self.killed:
            assert timeout is not None
            raise KeyboardInterrupt
        self.returncode = self._status or 0
        return self.returncode

    def kill(self) -> None:
        self.killed = True


def test_every_verb_that_compiles_is_known() -> None:
    """Whatever is given to kernels_ready has steps, and every step can be made."""
    for path in (ROOT / "src" / "katachi" / "cli").glob("*.py"):
        for name in re.findall(r'kernels_ready\([^,]+, f?"([^"{]+)', path.read_text()):
            assert warming.calls(name.rstrip("-")), name
    assert list(rehearsal.STEPS) == list(warming.STEPS)
    for what, steps in warming._CALLS.items():
        assert what.split("-")[0] in VERBS
        assert set(steps) <= set(warming.STEPS)
    for step in warming.STEPS:
        assert warming.steps_of([]).count(step) == 1


@pytest.mark.usefixtures("folder")
def test_only_what_is_missing_is_counted() -> None:
    steps = warming.STEPS
    all_of_it = sum(steps[s] for s in ("games", "vocabulary", "suggest", "gtp", "others"))
    assert warming.seconds_ahead("gtp-search") == all_of_it
    assert f"about {all_of_it} s (katachi warm" in (warming.sentence("gtp-search") or "")
    kernel.mark_compiled("suggest")  # a user ran that verb
    assert warming.seconds_ahead("gtp-search") == all_of_it - steps["suggest"]
    warming.mark_done("vocabulary")
    all_of_it -= steps["vocabulary"]
    assert warming.seconds_ahead("gtp-search") == all_of_it - steps["suggest"]
    warming.mark_done("games")
    assert warming.seconds_ahead("gtp-search") == steps["gtp"] + steps["others"]
    assert warming.seconds_ahead("explain") == 0
    assert warming.sentence("explain") is None
    kernel.mark_compiled("gtp-search")
    assert warming.sentence("gtp-search") is None
    warming.mark_done("others")
    assert warming.sentence("analysis") is None
    assert warming.seconds_ahead("train-ranking-stern") == sum(
        steps[step] for step in ("train", "words", "learners")
    )


@pytest.mark.usefixtures("folder")
def test_it_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        with kernels_ready(talk(), "rate"):
            pass
    assert capsys.readouterr().err == (
        f"compiling kernels, once: about {warming.STEPS['rate']} s (katachi warm compiles all of "
        "them) …\n"
    )


def test_without_a_folder_it_is_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "kernel_folder", lambda: None)
    monkeypatch.setattr(kernel, "kernel_folder", lambda: None)
    told = warming.sentence("games") or ""
    assert "every time: the cache folder cannot be written" in told
    assert f"about {warming.STEPS['games']} s" in told
    assert warming.begin("games") is None


def test_the_steps_of_verbs() -> None:
    assert warming.steps_of(["games"]) == ["games"]
    assert warming.steps_of(["gtp"]) == ["games", "vocabulary", "suggest", "gtp", "others"]
    assert warming.steps_of(["rate", "games"]) == ["games", "rate"]
    with pytest.raises(KatachiError, match="nothing is compiled for 'ratings': choose from games"):
        warming.steps_of(["ratings"])


@pytest.mark.usefixtures("folder")
def test_it_goes_on_where_it_stopped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begun: list[str] = []

    def begin(step: str) -> Any:
        begun.append(step)
        warming.mark_done(step)
        return FakeProcess(0)

    monkeypatch.setattr(warm, "begin", begin)
    warming.mark_done("games")
    warm.command.main(["--jobs", "2"], standalone_mode=False)
    assert begun == [step for step in warming.STEPS if step != "games"]
    told = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0].split(" in ")[0] for line in told] == [
        "compiling kernels",
        "compiled",
    ]
    warm.command.main([], standalone_mode=False)
    assert capsys.readouterr().err == "all kernels are there\n"


@pytest.mark.usefixtures("folder")
def test_the_first_steps_run_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What they compile, the others find in the cache."""
    alive: list[FakeProcess] = []
    most: dict[str, int] = {}

    def begin(step: str) -> Any:
        alive.append(FakeProcess(0))
        most[step] = sum(process.poll() is None for process in alive)
        return alive[-1]

    monkeypatch.setattr(warm, "begin", begin)
    warm._make(list(warming.STEPS), 3, lambda _names, _more: None)
    assert most["games"] == most["vocabulary"] == most["gtp"] == 1
    assert most["suggest"] == most["others"] == 2


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("verb", "cores"), [("suggest", 2), ("suggest", 1), ("evaluate", 2)])
def test_the_vocabulary_is_compiled_beside_what_explains(
    verb: str, cores: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begun: list[str] = []
    process = FakeProcess(0)

    def begin(step: str) -> Any:
        begun.append(step)
        return process

    monkeypatch.setattr(warming, "begin", begin)
    monkeypatch.setattr(warming, "default_jobs", lambda: cores)
    with suppress(KeyboardInterrupt), kernels_ready(talk(), verb):
        assert not process.killed
        raise KeyboardInterrupt
    beside = (verb, cores) == ("suggest", 2)
    assert begun == ["vocabulary"] * beside
    assert process.killed == beside
    waited = warming.seconds_ahead(verb) - warming.STEPS["vocabulary"] * beside
    assert f"about {waited} s (" in capsys.readouterr().err
    kernel.mark_compiled("suggest")
    with kernels_ready(talk(), "explain"):
        pass
    assert begun == ["vocabulary"] * beside  # it is there, or was compiled without


@pytest.mark.usefixtures("folder")
def test_a_step_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "begin", lambda _step: FakeProcess(1))
    with pytest.raises(KatachiError, match=r"compiling stopped at games: run .*\.rehearsal games"):
        warm.command.main([], standalone_mode=False)


@pytest.mark.usefixtures("folder")
def test_ctrl_c_ends_all(monkeypatch: pytest.MonkeyPatch) -> None:
    processes = [FakeProcess(None), FakeProcess(None)]
    begun = iter(processes)
    monkeypatch.setattr(warm, "begin", lambda _step: next(begun))
    with pytest.raises(KeyboardInterrupt):
        warm._make(["gtp", "train", "rate"], 2, lambda _names, _more: None)
    assert [process.killed for process in processes] == [True, True]


def test_a_folder_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from katachi.cli import main

    monkeypatch.setattr(warm, "kernel_folder", lambda: None)
    with pytest.raises(SystemExit) as end:
        main(["warm"])
    assert end.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("katachi: ")
    assert "cannot be written, and kernels would be lost: name another folder" in told


_SCRIPT = """boardsize 9
genmove b
genmove w
final_score
final_status_list seki
boardsize 19
genmove b
quit
"""


_WARMED = ("games", "suggest", "gtp", "train", "evaluate", "rate")


@pytest.mark.slow
def test_nothing_is_compiled_afterwards(tmp_path: Path) -> None:
    """The kernels of the verbs that most people run are all in the cache that warm has filled: the
    tests' own, so that this costs what they need anyhow.
    """
    done = subprocess.run(
        [sys.executable, "-m", "katachi", "warm", *_WARMED],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert done.returncode == 0, done.stderr
    games, game = rehearsal._games(tmp_path)
    model = tmp_path / "model.katachi"
    teams = tmp_path / "teams.mm"
    teams.write_text("! 2\n1\n2 a\n!\n#\n0\n0\n1\n")
    two = (str(games / "00.sgf"), str(games / "01.sgf"), "--no-cache", "--jobs", "1")
    rare = ("--owner", "--field", "20", "--pair", "capture*distance")
    verbs = (
        ("games", str(games), "--no-cache", "--jobs", "1"),
        ("suggest", str(game), "--move", "12"),
        ("gtp", "--simulations", "20"),
        ("train", str(games), "--size", "9", "-o", str(model), "--no-cache", "--jobs", "1"),
        ("train", *two, "-o", str(tmp_path / "rare.katachi"), *rare),
        ("rate", str(teams)),
        ("evaluate", str(model), str(games), "--size", "9", "--no-cache", "--jobs", "1"),
    )
    together = [word for verb in verbs for word in ("+", *verb)][1:]
    found = subprocess.run(
        [
            sys.executable,
            "-m",
            "tools.compiled",
            "--cache",
            str(ROOT / "build" / "test-cache"),
            *together,
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        input=_SCRIPT,
    )
    assert "compiling 0 kernels" in found.stdout, (found.stdout, found.stderr)
    for said in ("length", "Elo", "log-evidence"):  # of games, rate and evaluate
        assert said in found.stderr, (said, found.stderr)
    assert len(re.findall(r"^= [A-T]\d+$", found.stderr, re.MULTILINE)) == 3  # of gtp
    assert model.exists()
    assert (tmp_path / "rare.katachi").exists()
