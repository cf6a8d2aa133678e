"""A log of both directions of a GTP session."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from katachi.errors import KatachiError
from katachi.folders import check_ordinary
from katachi.gtp.framing import Output


def open_log(path: Path) -> IO[bytes]:
    """The file, to add to. Raises KatachiError if it cannot be written."""
    check_ordinary(path)
    try:
        return path.open("ab", buffering=0)
    except OSError as error:
        raise KatachiError(f"the log {path} cannot be written: {error.strerror}") from None


def logged_lines(lines: Iterable[bytes], log: IO[bytes]) -> Iterator[bytes]:
    """The same lines, each written down as it is taken."""
    for line in lines:
        _note(log, b"> ", line.rstrip(b"\r\n"))
        yield line


class LoggedOutput:
    """An output that writes down the replies that it passes on."""

    def __init__(self, out: Output, log: IO[bytes]) -> None:
        self._out = out
        self._log = log
        self.flush = out.flush

    def write(self, data: bytes, /) -> None:
        """Pass it on, and note its lines."""
        for line in data.splitlines():
            _note(self._log, b"< ", line)
        self._out.write(data)


def _note(log: IO[bytes], sign: bytes, line: bytes) -> None:
    with suppress(OSError):  # a full disk costs the log, not the game
        log.write(time.strftime("%H:%M:%S ").encode() + sign + line + b"\n")
