"""A real engine process on the other end of a pipe."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

LONG = 600.0  # seconds that no test waits for: a guard against waiting for ever


class Live:
    """Asks, and reads replies as they come."""

    def __init__(self, *args: str, env: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "katachi", "gtp", *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=env,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in, self._out = self.process.stdin, self.process.stdout
        self._rest = b""

    def say(self, line: bytes | str) -> None:
        """Send a line."""
        self._in.write((line.encode() if isinstance(line, str) else line) + b"\n")
        self._in.flush()

    def line(self, timeout: float = LONG) -> bytes:
        """The next line."""
        deadline = time.monotonic() + timeout
        while b"\n" not in self._rest:
            left = deadline - time.monotonic()
            assert left > 0, f"no line came; so far {self._rest!r}"
            if select.select([self._out], [], [], left)[0]:
                chunk = os.read(self._out.fileno(), 1 << 16)
                assert chunk, "the engine is gone"
                self._rest += chunk
        found, _, self._rest = self._rest.partition(b"\n")
        return found

    def reply(self, timeout: float = LONG) -> str:
        """The next whole reply, without its empty line."""
        lines = [self.line(timeout)]
        while lines[-1]:
            lines.append(self.line(timeout))
        return b"\n".join(lines[:-1]).decode("utf-8", "surrogateescape")

    def waits(self) -> bool:
        """Whether there is something to read."""
        return bool(self._rest or select.select([self._out], [], [], 0.0)[0])

    def close(self) -> None:
        """Close both pipes."""
        with suppress(OSError):
            self._in.close()
        self._out.close()

    def ask(self, line: bytes | str, timeout: float = LONG) -> str:
        """Send a line, and read the reply."""
        self.say(line)
        return self.reply(timeout)


@contextmanager
def live(*args: str, env: dict[str, str] | None = None) -> Iterator[Live]:
    """An engine that is gone at the end."""
    engine = Live(*args, env=env)
    try:
        yield engine
    finally:
        engine.process.kill()
        engine.process.wait()
        engine.close()
