"""A real server of the page, in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


class Served:
    """Its address, and the process."""

    def __init__(self, *args: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "katachi", "study", "--no-browser", "--port", "0", *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        if not self.address.startswith("http://127.0.0.1:"):
            raise AssertionError(self.process.communicate()[1])

    def interrupt(self) -> tuple[int, str]:
        """Ctrl-C; (exit code, what it said on stderr)."""
        os.killpg(self.process.pid, signal.SIGINT)
        _, err = self.process.communicate(timeout=600)
        return self.process.returncode, err

    def kill(self) -> None:
        """At once, as if the machine had failed."""
        self.process.kill()
        self.process.communicate()


@contextmanager
def served(*args: str) -> Iterator[Served]:
    """A server that is gone at the end."""
    server = Served(*args)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()
