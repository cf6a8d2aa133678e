"""Processes that work beside this one."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

from katachi.errors import KatachiError

T = TypeVar("T")
Pools = Callable[[Callable[..., Any] | None, tuple[Any, ...]], AbstractContextManager[Executor]]

_worker = threading.Event()
_elsewhere: list[Pools] = []  # where pools work instead, see katachi.cluster; the last one counts


@contextmanager
def pools_elsewhere(pools: Pools) -> Iterator[None]:
    """Within this, `process_pool` gives what `pools(begin, arguments)` gives."""
    _elsewhere.append(pools)
    try:
        yield
    finally:
        _elsewhere.remove(pools)


def elsewhere() -> bool:
    """Whether pools of processes are the workers of a cluster now."""
    return bool(_elsewhere)


def is_worker() -> bool:
    """Whether this process is a worker of a cluster, which lives on after the work of a verb."""
    return _worker.is_set()


def becomes_worker() -> None:
    """From now on this process is one."""
    _worker.set()


def default_jobs() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def peak_megabytes() -> float:
    """Peak resident memory of this process or the largest of its workers."""
    own, workers = (
        resource.getrusage(who).ru_maxrss / 1024
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return round(max(own, workers), 0)


@contextmanager
def process_pool(
    jobs: int, begin: Callable[..., Any] | None = None, arguments: tuple[Any, ...] = ()
) -> Iterator[Executor]:
    """A pool of processes, in each of which `begin(*arguments)` is called first. On a cluster it is
    one of all workers (katachi.cluster).

    They are left alone by Ctrl-C: this process stops them in good order. What has not begun at
    the end is dropped. Raises KatachiError if one of them dies.
    """
    if _elsewhere:
        with _elsewhere[-1](begin, arguments) as elsewhere:
            yield elsewhere
        return
    # Spawned, not forked: a fork copies the threads' locks of whoever calls us.
    with _ctrl_c_waits():  # amid this, an interrupt would leave semaphores that nobody owns
        pool = _Pool(jobs, multiprocessing.get_context("spawn"), _begin, (begin, arguments))
    try:
        yield pool
    except BrokenProcessPool:
        raise KatachiError(
            "a process at work was ended from outside, perhaps for want of memory: what is done is "
            "kept; run it again, with fewer --jobs"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def in_order(
    pool: Executor, work: Callable[..., T], tasks: Iterable[tuple[Any, ...]], most: int
) -> Iterator[T]:
    """What the work gives for the arguments of each task, in order, with at most so many begun or
    waiting to be taken; on a cluster, with as many as its workers need.
    """
    most = max(most, getattr(pool, "room", 0))
    waiting: deque[Future[T]] = deque()
    for task in tasks:
        waiting.append(pool.submit(work, *task))
        if len(waiting) == most:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


class _Pool(ProcessPoolExecutor):
    def submit(self, *args: Any, **kwargs: Any) -> Future[Any]:
        """Any task may start a process, the first one starts the pool's thread: an interrupt amid
        that would leave a pool that can neither work nor end, or a process with a traceback.
        """
        with _ctrl_c_waits():
            return super().submit(*args, **kwargs)


def _begin(begin: Callable[..., Any] | None, arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if begin is not None:
        begin(*arguments)


@contextmanager
def _ctrl_c_waits() -> Iterator[None]:
    """Ctrl-C is heard at the end of this block only. Processes begun within never hear it."""
    if threading.current_thread() is not threading.main_thread():
        yield  # other threads never hear it
        return
    heard: list[int] = []
    # New processes inherit the mask; but it does not keep other threads from taking the signal,
    # and Python then interrupts this one: hence the handler, too.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    handler = signal.signal(signal.SIGINT, lambda number, _frame: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if heard:
            signal.raise_signal(signal.SIGINT)
