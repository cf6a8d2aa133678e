"""The toy engine as commands, and what its log tells."""

from __future__ import annotations

import queue
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from katachi.match.client import Engine

TOY = Path(__file__).parent / "engines" / "toy.py"
LONG = 600.0  # seconds that no test waits for: a guard against waiting for ever


def toy(*args: object) -> str:
    """The command of a toy engine; without site-packages it starts at once."""
    return shlex.join([sys.executable, "-I", "-S", str(TOY), *map(str, args)])


def logged(log: Path) -> list[tuple[int, str]]:
    """(process, command) of each line of a log."""
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return [(int(pid), text) for pid, _, text in (line.partition(" ") for line in lines)]


def processes(log: Path) -> set[int]:
    """Every process that a log names, children included."""
    children = {int(text.split()[1]) for _, text in logged(log) if text.startswith("child ")}
    return {pid for pid, _ in logged(log)} | children


def running(pid: int) -> bool:
    """Whether a process runs: one that has ended and waits for its parent does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def all_gone(pids: set[int]) -> bool:
    """That these processes have ended: whoever is killed needs a moment to go."""
    wait_until(lambda: not any(map(running, pids)))
    return True


def wait_until(ready: Callable[[], bool]) -> None:
    """Wait for something that must come, however busy the machine is."""
    deadline = time.monotonic() + LONG
    while not ready():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.01)


def waits_for(monkeypatch: pytest.MonkeyPatch, over: Callable[[Engine, int], bool]) -> None:
    """Have no engine's time run out by the clock: it runs out where no line has come, and
    `over(the engine, lines that it has written)` holds.
    """
    heard: Counter[int] = Counter()

    def next_line(engine: Engine, _seconds: float) -> bytes | None:
        while True:
            try:
                line = engine._lines.get(timeout=0.01)
            except queue.Empty:
                if over(engine, heard[engine.pid]):
                    raise
            else:
                heard[engine.pid] += 1
                return line

    monkeypatch.setattr(Engine, "_next", next_line)
