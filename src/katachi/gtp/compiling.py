"""Kernels that the player needs: compiled in another process, while this one answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from subprocess import Popen

from katachi.gtp.say import say


class Compiling:
    """The kernels of a player.

    `kernels` is their name for `katachi.go.kernel.compiled_before`. `begin` starts a process that
    compiles them, or returns None; `sentence` gives what to say before that, or None.
    """

    def __init__(
        self,
        kernels: str = "gtp",
        begin: Callable[[], Popen[bytes] | None] | None = None,
        sentence: Callable[[], str | None] | None = None,
    ) -> None:
        self._kernels = kernels
        self._begin = begin
        self._sentence = sentence
        self._process: Popen[bytes] | None = None
        self._announced = False
        self._waited = 0.0  # since when somebody waits

    def start(self) -> bool:
        """Begin to compile in another process, where that is of use. Whether one is at work."""
        if self._process is None and self._begin is not None and not self._compiled():
            self._announce()
            self._process = self._begin()
        return self._process is not None

    def wait(self) -> bool:
        """Wait for that process. Whether the kernels are compiled now; if not, it is said that this
        process will compile them.
        """
        self._waited = time.monotonic()
        if self._process is not None:
            self._process.wait()
            self._process = None
        compiled = self._compiled()
        if not compiled:
            self._announce()
        return compiled

    def done(self) -> None:
        """Remember that the kernels are compiled, and say how long the wait was, if it was said
        that there would be one.
        """
        from katachi.go.kernel import mark_compiled

        if self._announced:
            waited = time.monotonic() - self._waited
            say(f"kernels are compiled; the wait was {waited:.0f} s")
        mark_compiled(self._kernels)

    def end(self) -> None:
        """Stop the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _compiled(self) -> bool:
        from katachi.go.kernel import compiled_before

        return compiled_before(self._kernels)

    def _announce(self) -> None:
        sentence = None if self._announced or self._sentence is None else self._sentence()
        if sentence is not None:
            say(sentence)
            self._announced = True
