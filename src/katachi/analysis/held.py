"""Queries that arrive while kernels are compiled: held, and asked in order when these are there."""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Lock, Thread
from typing import Final

AT_ONCE: Final = ("query_version", "query_models")  # actions that need no kernel


class Held:
    """Gives lines to `ask`, all but AT_ONCE not before `ready`, called in a thread, has returned
    (it raises nothing).

    Lines keep their order, so that whoever is to be terminated is known by then.
    """

    def __init__(self, ask: Callable[[str], None], ready: Callable[[], object]) -> None:
        self._ask = ask
        self._lock = Lock()
        self._held: list[str] | None = []
        self._ready = ready
        self._thread = Thread(target=self._release, daemon=True, name="analysis-held")
        self._thread.start()

    def ask(self, line: str) -> None:
        """Give the line, now or later."""
        with self._lock:
            if self._held is not None and not _at_once(line):
                self._held.append(line)
                return
        self._ask(line)

    def close(self) -> None:
        """Wait until all lines were given."""
        self._thread.join()

    def _release(self) -> None:
        self._ready()
        while True:
            with self._lock:
                lines, self._held = self._held or [], []
                if not lines:
                    self._held = None
                    return
            for line in lines:
                self._ask(line)


def _at_once(line: str) -> bool:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and data.get("action") in AT_ONCE
