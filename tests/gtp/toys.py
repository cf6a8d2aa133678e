"""The toy engine as commands, and what its log tells."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path

TOY = Path(__file__).parent / "engines" / "toy.py"


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
    """Whether these processes have ended, soon: whoever is killed needs a moment to go."""
    deadline = time.monotonic() + 10
    while any(map(running, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not any(map(running, pids))
