"""Lines of standard input, read ahead by a thread, so that a new command can end the thinking."""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Final

from katachi.gtp.framing import parse

_CHUNK: Final = 1 << 16  # what a pipe holds: all that is waiting in it comes at once
_STEP: Final = 0.002  # seconds between two looks at what is waiting
_SETTLED: Final = 1.0  # seconds after which an input that never pauses counts as settled


class Lines:
    """The lines of a file descriptor, in order, as an iterator that ends where the input does."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._lock = threading.Lock()  # held while bytes are taken from the descriptor
        self._stop: threading.Event | None = None  # set by the next command that arrives,
        self._by_anything = False  # or by the next line of whatever kind, or the end
        self._rest = b""  # the beginning of a line
        self._reads = 0
        self._ended = False
        # A daemon, and no buffered reader: the process may end while the thread waits for input.
        threading.Thread(target=self._follow, daemon=True, name="gtp-input").start()

    def __iter__(self) -> Iterator[bytes]:
        while (line := self._queue.get()) is not None:
            yield line

    @contextmanager
    def thinking(self) -> Iterator[threading.Event]:
        """An event that the next command to arrive sets, until the context ends.

        Commands that are waiting already, comments, empty lines and the end of the input do not
        set it: a script plays as a person would.
        """
        stop = threading.Event()
        self._arm(stop)
        try:
            yield stop
        finally:
            with self._lock:
                self._stop = None

    @contextmanager
    def watching(self) -> Iterator[threading.Event]:
        """An event that is set by any line, even an empty one, that has come or comes, and by the
        end of the input: for an analysis, which would else never end.
        """
        stop = threading.Event()
        with self._lock:
            if self._ended or not self._queue.empty():
                stop.set()
            self._stop, self._by_anything = stop, True
        try:
            yield stop
        finally:
            with self._lock:
                self._stop, self._by_anything = None, False

    def _arm(self, stop: threading.Event) -> None:
        """Watch for commands from now on; first let the thread read what is waiting."""
        patience = time.monotonic() + _SETTLED
        while True:
            before = self._reads
            if os.name != "posix":
                time.sleep(10 * _STEP)  # pipes cannot be asked there: wait for a pause
            with self._lock:
                waiting = self._reads != before or self._readable()
                if self._ended or not waiting or time.monotonic() > patience:
                    self._stop = stop
                    return
            time.sleep(_STEP)

    def _readable(self) -> bool:
        if os.name != "posix":
            return False
        return bool(select.select([self._descriptor], [], [], 0)[0])

    def _follow(self) -> None:
        while not self._ended:
            try:
                if os.name == "posix":
                    select.select([self._descriptor], [], [])
                    with self._lock:
                        self._take(os.read(self._descriptor, _CHUNK))
                else:
                    chunk = os.read(self._descriptor, _CHUNK)
                    with self._lock:
                        self._take(chunk)
            except (OSError, ValueError):  # a terminal that is gone
                with self._lock:
                    self._take(b"")
        self._queue.put(None)

    def _take(self, chunk: bytes) -> None:
        """Put the lines of a chunk in the queue; an empty one is the end of the input."""
        self._reads += 1
        if not chunk:
            self._ended = True
            if self._stop is not None and self._by_anything:
                self._stop.set()
            if self._rest:
                self._queue.put(self._rest)
            return
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        for line in whole:
            self._queue.put(line)
        heard = any(self._by_anything or parse(line) or _interrupts(line) for line in whole)
        if self._stop is not None and heard:
            self._stop.set()


def _interrupts(line: bytes) -> bool:
    """GoGui's comment that ends the thinking."""
    return line.strip() == b"# interrupt"
