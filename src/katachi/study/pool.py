"""Threads that search the positions of games in the background, for several visitors at once.

They are nicer than others, so that who steps through a game or plays is served first. A visitor who
has gone, or who stops, takes nothing more of them; visitors take turns, a position each.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Condition, Event, Thread, get_native_id
from typing import Any, Final, NamedTuple

from katachi.errors import KatachiError
from katachi.models.model import Model
from katachi.processes import default_jobs
from katachi.search.player import GameState
from katachi.study.measured import measure
from katachi.study.opponents import Busy
from katachi.study.searched import Searcher
from katachi.study.streams import Lines

DEPTHS: Final = (50, 200, 1000)  # simulations of each position
GAMES: Final = 4  # that are searched at a time
THREADS: Final = 8  # at most
MEMORY_MB: Final = 16  # of each: 1,000 simulations on 19x19 take two thirds of it
PULSE: Final = 0.25  # seconds between two signs of life
NICE: Final = 10  # how much nicer the threads are


class Job(NamedTuple):
    """A position to be searched, and the move that was played there."""

    place: int  # in the request
    game: GameState
    played: int | None


@dataclass
class _Work:
    """The positions of one visitor."""

    simulations: int
    left: deque[Job]
    cancelled: Event = field(default_factory=Event)
    # Of each position, in the order in which they are done; None: there is no more to come
    done: SimpleQueue[dict[str, Any] | Exception | None] = field(default_factory=SimpleQueue)


class Pool:
    """Searches for several visitors; its threads begin with the first."""

    def __init__(self, model: Model, threads: int | None = None) -> None:
        self._model = model
        self._wanted = min(default_jobs(), THREADS) if threads is None else threads
        self._threads: list[Thread] = []
        self._some = Condition()  # held for moments only
        self._works: dict[str, _Work] = {}  # whose turn it is next comes first
        self._stopped = False

    @property
    def threads(self) -> int:
        """How many it has, or will have."""
        return self._wanted

    def stop(self) -> None:
        """End all searching, now and for good."""
        with self._some:
            self._stopped = True
            for work in self._works.values():
                _end(work)
            self._some.notify_all()

    def search(self, visitor: str, simulations: int, jobs: Sequence[Job]) -> Lines:
        """How many positions there are, then each as soon as it is done, in any order; a sign of
        life now and then while none is. It must be closed: until then this visitor's positions are
        searched.

        Raises Busy if positions of this visitor are searched already, or those of too many others.
        """
        with self._place(visitor, simulations, jobs) as work:
            yield {"of": len(jobs), "simulations": simulations}
            done = 0
            while done < len(jobs):
                try:
                    found = work.done.get(timeout=PULSE)
                except Empty:
                    yield {"wait": True}  # or nobody would notice that the visitor has gone
                    continue
                if found is None:
                    return
                if isinstance(found, Exception):
                    raise found
                yield found
                done += 1
            yield {"end": True}

    @contextmanager
    def _place(self, visitor: str, simulations: int, jobs: Sequence[Job]) -> Iterator[_Work]:
        work = _Work(simulations, deque(jobs))
        with self._some:
            if self._stopped:
                raise KatachiError("the server has ended: start katachi study again")
            if visitor in self._works:
                raise Busy("your last search is still under way: stop it, or wait", own=True)
            if len(self._works) >= GAMES:
                raise Busy("the games of too many others are searched: ask again later", own=False)
            self._works[visitor] = work
            while len(self._threads) < self._wanted:
                name = f"study-pool-{len(self._threads)}"
                self._threads.append(Thread(target=self._run, daemon=True, name=name))
                self._threads[-1].start()
            self._some.notify_all()
        try:
            yield work
        finally:
            with self._some:
                _end(work)
                del self._works[visitor]

    def _run(self) -> None:
        """One thread: a position of each visitor in turn."""
        searcher: Searcher | None = None
        while (found := self._next()) is not None:
            work, job = found
            try:
                nice = searcher is not None
                if searcher is None:
                    searcher = Searcher(self._model, memory_mb=MEMORY_MB)
                told = self._told(searcher, work, job)
                if not nice:
                    _be_nice()  # not before: kernels may have been compiled, for which others wait
            except Exception as error:  # is raised where the visitor waits
                work.done.put(error)
                continue
            if told is not None:
                work.done.put(told)

    def _told(self, searcher: Searcher, work: _Work, job: Job) -> dict[str, Any] | None:
        player, simulations = searcher.player, work.simulations
        found = measure(player, job.game, job.played, simulations, work.cancelled)
        if found is None:
            return None
        return {"place": job.place} | found.data(self._model, job.game.position)

    def _next(self) -> tuple[_Work, Job] | None:
        """The next position; waits for one. None if there will be no other."""
        with self._some:
            while not self._stopped:
                for visitor, work in self._works.items():
                    if work.left:
                        self._works[visitor] = self._works.pop(visitor)  # the others are next
                        return work, work.left.popleft()
                self._some.wait()
            return None


def _end(work: _Work) -> None:
    work.cancelled.set()
    work.left.clear()
    work.done.put(None)


def _be_nice() -> None:
    """Let others go first. Only Linux has this for a thread by itself."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, get_native_id(), NICE)
