"""`Gate`: threads that search a tree, and others that look at it while none of them does.

A look makes the kernels come back after the simulation under way, reads, and lets them go on: so
every number that is read is of the same moment, and no simulation is half counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, RLock

import numpy as np

from katachi.errors import KatachiError


class Gate:
    """Who may touch one player's tree. `stop` (int64[1]) is what kernels look at: not 0 calls them
    back.
    """

    def __init__(self) -> None:
        self.stop = np.zeros(1, np.int64)
        self._changed = Condition()
        self._searching = 0  # threads that change the tree now,
        self._waiting = 0  # and that want to
        self._looking = 0
        self._ended = False
        self._owner = RLock()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Be the only one that searches; what this thread calls may come here again.

        Raises KatachiError if another thread searches.
        """
        if not self._owner.acquire(blocking=False):
            raise KatachiError(
                "this player searches already in another thread: wait for it, or make a player "
                "for each thread"
            )
        try:
            yield
        finally:
            self._owner.release()

    @contextmanager
    def searching(self) -> Iterator[None]:
        """Change the tree; waits while anybody looks. Not within itself."""
        with self._changed:
            self._waiting += 1
            try:
                while self._looking:
                    self._changed.wait()
                self._searching += 1
            finally:
                self._waiting -= 1
                self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._searching -= 1
                self._changed.notify_all()

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Read the tree, with no thread inside `searching`. Not from within it."""
        with self._changed:
            # Looks one after another must not keep everybody else from searching.
            while self._waiting and not self._looking:
                self._changed.wait()
            self._looking += 1
            self._tell()
            try:
                while self._searching:
                    self._changed.wait()
            except BaseException:
                self._leave()
                raise
        try:
            yield
        finally:
            with self._changed:
                self._leave()

    def _leave(self) -> None:
        self._looking -= 1
        self._tell()
        self._changed.notify_all()

    @property
    def ended(self) -> bool:
        """Whether the search is to end."""
        return self._ended

    @ended.setter
    def ended(self, ended: bool) -> None:
        with self._changed:
            self._ended = ended
            self._tell()

    def _tell(self) -> None:
        self.stop[0] = int(self._ended or self._looking > 0)
