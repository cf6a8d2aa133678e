"""One engine as a process: its answers, its silence, its death, and that nothing of it stays."""

from __future__ import annotations

import shlex
import sys
import threading
from pathlib import Path

import pytest

from katachi.match import client
from katachi.match.client import (
    CouldNotStart,
    Died,
    Engine,
    EngineError,
    Garbled,
    NoAnswer,
    Refused,
    engine_arguments,
)
from tests.gtp.toys import LONG, all_gone, processes, running, toy, wait_until, waits_for

SHORT = 0.3


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine an engine may need long to leave, and we to hear its last words."""
    monkeypatch.setattr(client, "PATIENCE", LONG)
    monkeypatch.setattr(client, "LEAVING", LONG)


def script(code: str) -> str:
    """The command of an engine that is this program."""
    return shlex.join([sys.executable, "-I", "-S", "-u", "-c", code])


def answering(*answers: bytes) -> str:
    """An engine that writes these bytes, one answer to each line that it reads."""
    write = "sys.stdout.buffer.write(data); sys.stdout.flush()"
    return script(f"import sys\nfor data in {answers!r}: input(); {write}\ninput()")


def test_answers() -> None:
    with Engine(toy("--name", "A Name")) as engine:
        assert engine.alive
        assert engine.ask("name", LONG) == "A Name"
        assert "genmove" in engine.ask("list_commands", LONG).split("\n")
        assert engine.ask("boardsize 5", LONG) == ""
        assert engine.ask("genmove b", LONG) == "a1"
        with pytest.raises(Refused, match="'nonsense' was refused: unknown command") as refused:
            engine.ask("nonsense", LONG)
        assert refused.value.message == "unknown command"
        assert engine.ask("version", LONG) == "1.0"  # it lives on
    assert not engine.alive


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"= D4\n\n", "D4"),
        (b"=12 D4\n\n", "D4"),
        (b"=\n\n", ""),
        (b"=D4\r\n\r\n", "D4"),
        (b"= a\n b\tc\n\n", "a\n b c"),
        (b"some noise\n\n= D4\n\n", "D4"),
        (b"= D\x074\x00\n\n", "D4"),
        (b"= \xe5\xbd\xa2 \xff\n\n", "\u5f62 \ufffd"),
    ],
)
def test_the_form_of_answers(raw: bytes, expected: str) -> None:
    with Engine(answering(raw)) as engine:
        assert engine.ask("x", LONG) == expected


def test_what_was_written_before_the_command_is_no_answer_to_it() -> None:
    with Engine(answering(b"= one\n\n= twice\n\n", b"= two\n\n")) as engine:
        assert engine.ask("first", LONG) == "one"
        # its second answer to the first command
        wait_until(lambda: engine._lines.qsize() >= 2)
        assert engine.ask("second", LONG) == "two"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("", "it is empty"),
        ("   ", "it is empty"),
        ("'unclosed", "no closing quotation"),
        ("no-such-program --mode gtp", "there is no program 'no-such-program'"),
        ("/no/such/program", "there is no program"),
        ("~/no/such/program", "there is no program"),
        (f"{sys.executable} \0", "cannot be started"),
    ],
)
def test_could_not_start(command: str, words: str) -> None:
    with pytest.raises(CouldNotStart, match=words):
        Engine(command)


def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    path = tmp_path / "engine"
    path.write_text("#!/no/such/interpreter\n", encoding="utf-8")
    with pytest.raises(CouldNotStart, match="there is no program"):
        Engine(str(path))
    path.chmod(0o755)
    with pytest.raises(CouldNotStart, match="cannot be started: No such file"):
        Engine(str(path))


def test_programs_outside_the_path_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    name = Path(sys.executable).name
    assert engine_arguments(f"{name} -m 'a b'") == [sys.executable, "-m", "a b"]


@pytest.mark.needs("gnugo")
def test_gnu_go_is_found_where_debian_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    with Engine("gnugo --mode gtp") as engine:
        assert engine.ask("name", LONG) == "GNU Go"


def test_no_answer_in_time(tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine = Engine(toy("silent", "--log", log))
    with pytest.raises(NoAnswer, match=r"^no answer to 'name' within 0\.3 s$"):
        engine.ask("name", SHORT)
    assert not engine.alive
    assert not running(engine.pid)
    with pytest.raises(Died, match="was killed at 'version'"):
        engine.ask("version", LONG)


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [("garbage", "only 'I speak no GTP'"), ("unended", "an empty line must end it")],
)
def test_what_is_wrong_with_an_answer_is_told(
    behaviour: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(toy(behaviour))
    waits_for(monkeypatch, lambda _, heard: heard > 0)
    with pytest.raises(NoAnswer, match=words):
        engine.ask("name", 1.0)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (
            "input(); import sys; print('oops', file=sys.stderr); sys.exit(7)",
            "ended with code 7 at 'name', its last words: oops",
        ),
        ("input()", "ended with code 0"),
        ("input(); import os; os.kill(os.getpid(), 11)", "died of SIGSEGV"),
        ("", "ended with code 0"),
        ("input(); print('= half an', flush=True)", "ended with code 0"),
        ("input(); import os, time; os.close(1); time.sleep(600)", "died of SIGKILL"),
    ],
)
def test_died(code: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "SIGKILL" in words:
        monkeypatch.setattr(client, "LEAVING", SHORT)  # this one never leaves
    engine = Engine(script(code))
    with pytest.raises(Died, match=words):
        engine.ask("name", LONG)
    assert not engine.alive
    assert not running(engine.pid)
    for _ in range(2):
        with pytest.raises(Died):
            engine.ask("name", LONG)


def test_an_engine_that_talks_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "MOST_LINES", 100)
    engine = Engine(toy("floods"))
    with pytest.raises(Garbled, match="100 lines after 'name', and no answer"):
        engine.ask("name", LONG)
    assert not running(engine.pid)


def test_much_on_stderr_blocks_nobody() -> None:
    code = "import sys\nprint('x' * 10**7, file=sys.stderr)\ninput(); print('= done\\n')\ninput()"
    with Engine(script(code)) as engine:
        assert engine.ask("name", LONG) == "done"


def test_a_long_line_is_one_answer() -> None:
    with Engine(script("input(); print('= ' + 'x' * 200_000 + '\\n', flush=True)")) as engine:
        assert engine.ask("name", LONG).replace("\n", "") == "x" * 200_000


@pytest.mark.parametrize("how", ["close", "kill"])
def test_children_end_with_the_engine(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the engine heeds neither `quit` nor the end of its input."""
    monkeypatch.setattr(client, "PATIENCE", 0.2)
    log = tmp_path / "log"
    engine = Engine(toy("stubborn", "--log", log))
    assert engine.ask("name", LONG) == "Toy"
    pids = processes(log)
    assert len(pids) == 2
    assert all(map(running, pids))
    getattr(engine, how)()
    assert all_gone(pids)
    engine.close()  # once more does nothing
    engine.kill()


def test_children_end_also_where_the_engine_was_polite(tmp_path: Path) -> None:
    child = tmp_path / "child"
    code = (
        "import subprocess, sys\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(child)!r}, 'w').write(str(p.pid))\n"
        "input(); print('=\\n', flush=True); input()"
    )
    engine = Engine(script(code))
    engine.ask("name", LONG)
    pid = int(child.read_text())
    assert running(pid)
    engine.close()
    assert all_gone({pid})


def test_another_thread_ends_the_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(toy("silent"))
    waiting = threading.Event()
    caught: list[EngineError] = []

    def next_line(engine: Engine, seconds: float) -> bytes | None:
        waiting.set()
        return engine._lines.get(timeout=seconds)

    def wait() -> None:
        try:
            engine.ask("name", LONG)
        except EngineError as error:
            caught.append(error)

    thread = threading.Thread(target=wait)
    monkeypatch.setattr(Engine, "_next", next_line)
    thread.start()
    assert waiting.wait(LONG)
    assert thread.is_alive()
    engine.kill()
    thread.join(LONG)
    assert isinstance(caught[0], Died)
