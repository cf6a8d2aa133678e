"""`Engine`: one GTP engine as a process of its own, seen from the controller's side.

Two threads read what the engine writes, so that it never blocks on a full pipe and no answer is
waited for longer than its time. The engine is the leader of a process group, and the whole group
ends with it: no wrapper script leaves its engine behind.
"""

from __future__ import annotations

import os
import queue
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from katachi.errors import KatachiError

LINE: Final = 2**16  # bytes; a longer line arrives in pieces
MOST_LINES: Final = 10_000  # of an answer, or of talk outside any answer
LAST_WORDS: Final = 5  # lines of stderr that an error may quote
PATIENCE: Final = 2.0  # seconds that an engine has to leave after `quit`
LEAVING: Final = 5.0  # seconds for one that has closed its output, and for its last words

# Looked at after the PATH: Debian keeps games outside of it, and a virtual environment need not
# be activated to run the engine that is installed in it.
_MORE_PATH: Final = (str(Path(sys.executable).parent), "/usr/games")


class EngineError(KatachiError):
    """What went wrong with an engine, in one sentence."""


class CouldNotStart(EngineError):
    """The command is no command, or there is no such program."""


class NoAnswer(EngineError):
    """The engine took longer than it was given. It has been killed."""


class Died(EngineError):
    """The engine ended, or closed its output. It is gone."""


class Garbled(EngineError):
    """What the engine writes is no GTP. It has been killed."""


class Refused(EngineError):
    """The engine answered `?`; it lives on. `message` is what it said."""

    def __init__(self, text: str, message: str) -> None:
        super().__init__(text)
        self.message = message


def engine_arguments(command: str) -> list[str]:
    """The command as a program and its arguments, split as a shell would, the program found.

    Raises CouldNotStart.
    """
    try:
        first, *rest = shlex.split(command)
    except ValueError as error:
        reason = str(error).lower() if command.strip() else "it is empty"
        raise CouldNotStart(f"{command!r} is no command: {reason}") from None
    name = str(Path(first).expanduser()) if first.startswith("~") else first
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *_MORE_PATH))
    program = shutil.which(name, path=path)
    if program is None:
        raise CouldNotStart(f"there is no program {first!r} (engine {command!r})")
    return [program, *rest]


class Engine:
    """A running engine. `command` is what it was started with.

    Not checked: that it speaks GTP; `ask` finds out. One thread may ask at a time, any may `kill`.
    Raises CouldNotStart.
    """

    def __init__(self, command: str) -> None:
        self.command = command
        try:
            self._process = subprocess.Popen(
                engine_arguments(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise CouldNotStart(f"{command!r} cannot be started: {reason}") from None
        # Bounded: an engine that talks without end fills its pipe, not our memory.
        self._lines: queue.Queue[bytes | None] = queue.Queue(MOST_LINES)
        self._last_words: deque[str] = deque(maxlen=LAST_WORDS)
        self._ending = threading.Lock()
        self._ended = False
        readers = ((self._process.stdout, self._keep), (self._process.stderr, self._hear))
        self._threads = [
            threading.Thread(target=_read, args=reader, daemon=True) for reader in readers
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The id of the process, and of its group."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it has not been closed, killed or found dead."""
        return not self._ended

    def ask(self, command: str, timeout: float) -> str:
        """The answer to a GTP command: its text without `=`, lines joined by newlines.

        What the engine wrote before the command, and lines before the answer that are none, are
        dropped. Raises Refused for `?`; NoAnswer after `timeout` seconds, Died and Garbled: then
        the engine is no more.
        """
        deadline = time.monotonic() + timeout
        for _ in range(self._lines.qsize()):
            line = self._lines.get()
            if line is None:
                raise self._died(command)
        try:
            stdin = self._process.stdin
            assert stdin is not None
            stdin.write(f"{command}\n".encode())
            stdin.flush()
        except (OSError, ValueError):  # the pipe is broken, or closed by `kill`
            raise self._died(command) from None
        return self._answer(command, deadline, timeout)

    def _answer(self, command: str, deadline: float, timeout: float) -> str:
        found: list[str] = []
        line = ""
        for _ in range(MOST_LINES):
            try:
                data = self._next(max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                self.kill()
                hint = f", only {line[:80]!r}" if line else ""
                if found:
                    hint = ": an empty line must end it"
                raise NoAnswer(f"no answer to {command!r} within {timeout:g} s{hint}") from None
            if data is None:
                raise self._died(command)
            line = _text(data)
            if found and not line.strip():
                break
            if found or line.startswith(("=", "?")):
                found.append(line)
        else:
            self.kill()
            raise Garbled(f"{MOST_LINES:,} lines after {command!r}, and no answer among them")
        # the first word may be the id of a command, though we send none
        first = found[0][1:].lstrip("0123456789").strip()
        text = "\n".join([first, *found[1:]]).strip()
        if found[0][0] == "?":
            raise Refused(f"{command!r} was refused: {text or 'no reason given'}", text)
        return text

    def _next(self, seconds: float) -> bytes | None:
        """The engine's next line, None at its end. Raises queue.Empty if none comes in time."""
        return self._lines.get(timeout=seconds)

    def close(self) -> None:
        """Ask the engine to quit, and kill it if it has not left soon."""
        with suppress(OSError, ValueError):
            stdin = self._process.stdin
            assert stdin is not None
            stdin.write(b"quit\n")
            stdin.close()
        self._end(PATIENCE)

    def kill(self) -> None:
        """End the engine and all its children at once."""
        self._end(0.0)

    def _died(self, command: str) -> Died:
        killed = self._ended
        self._end(LEAVING)
        how = "was killed" if killed else _ending_words(self._process.returncode)
        said = " | ".join(self._last_words)
        return Died(f"{how} at {command!r}" + (f", its last words: {said}" if said else ""))

    def _end(self, patience: float) -> None:
        with self._ending:
            if self._ended:
                return
            # The leader is not reaped before its group is killed: until then nobody else can
            # have its id.
            deadline = time.monotonic() + patience
            while not _has_ended(self._process.pid) and time.monotonic() < deadline:
                time.sleep(0.005)
            self._ended = True
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
            with suppress(OSError, ValueError):
                assert self._process.stdin is not None
                self._process.stdin.close()
        # A reader stuck in `put` finds room again; one whose pipe is still open elsewhere is left.
        while True:
            try:
                self._lines.get_nowait()
            except queue.Empty:
                break
        for thread in self._threads:
            thread.join(LEAVING)
        with suppress(queue.Full):
            self._lines.put_nowait(None)  # whoever waits for a line is told

    def _keep(self, line: bytes | None) -> None:
        while not self._ended:
            with suppress(queue.Full):
                self._lines.put(line, timeout=0.2)
                return

    def _hear(self, line: bytes | None) -> None:
        if line and (words := _text(line).strip()):
            self._last_words.append(words[:200])

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _read(pipe: IO[bytes], heard: object) -> None:
    """Give every line to `heard`, then None."""
    assert callable(heard)
    with suppress(OSError, ValueError), pipe:
        while line := pipe.readline(LINE):
            heard(line)
    heard(None)


def _text(line: bytes) -> str:
    """A line as text, without control characters."""
    text = line.decode("utf-8", "replace").replace("\t", " ")
    return "".join(c for c in text if c >= " " and c != "\x7f")


def _has_ended(pid: int) -> bool:
    """Whether a child has ended; it is not reaped."""
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def _ending_words(code: int | None) -> str:
    if code is None:
        return "left us"
    if code < 0:
        with suppress(ValueError):
            return f"died of {signal.Signals(-code).name}"
    return f"ended with code {code}"
