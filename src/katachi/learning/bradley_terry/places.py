"""Where a pass works: on threads of this machine, or on the workers of a cluster.

What is done with a shard is a function of its number. Its sums are added in chunks of so many
shards, chunk after chunk: threads and workers give the same sums to the last digit, and a worker
sends one vector for a chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from katachi.processes import elsewhere, process_pool

Vector = npt.NDArray[np.float64]
Summed: TypeAlias = tuple[float, Vector]
T = TypeVar("T")

CHUNK: Final = 8  # shards


class Places(Protocol):
    """Calls a function for every shard."""

    def map(self, function: Callable[[int], T], count: int) -> Iterator[T]:
        """function(0), function(1), …"""

    def total(self, function: Callable[[int], Summed], count: int, length: int) -> Summed:
        """The sum of function(0), function(1), …, whose vectors have this length."""


@contextmanager
def places(jobs: int) -> Iterator[Places]:
    """So many threads, or the workers of the cluster on which we are. At the end they go; work
    that has not begun is dropped.
    """
    if elsewhere():
        with process_pool(jobs) as pool:
            yield Workers(pool)
    else:
        with Threads(jobs) as threads:
            yield threads


class Threads:
    """Threads of this machine. At the end of its context the threads go."""

    def __init__(self, jobs: int) -> None:
        self._pool = ThreadPoolExecutor(jobs) if jobs > 1 else None

    def map(self, function: Callable[[int], T], count: int) -> Iterator[T]:
        """function(0), function(1), …"""
        if self._pool is None:
            return map(function, range(count))
        return self._pool.map(function, range(count))

    def total(self, function: Callable[[int], Summed], count: int, length: int) -> Summed:
        """The sum of function(0), function(1), …, whose vectors have this length."""
        results = self.map(function, count)
        chunks = (islice(results, len(chunk)) for chunk in _chunks(count))
        return added((added(chunk, length) for chunk in chunks), length)

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


class Workers:
    """The workers of a cluster; they read the shards themselves. A chunk goes to the same worker in
    every pass, if that is alive: what it keeps of the chunk's shards is there.
    """

    def __init__(self, pool: Executor) -> None:
        self._pool: Any = pool  # katachi.cluster's

    def map(self, function: Callable[[int], T], count: int) -> Iterator[T]:
        """function(0), function(1), …"""
        for results in self._chunks(_each, function, count):
            yield from results

    def total(self, function: Callable[[int], Summed], count: int, length: int) -> Summed:
        """The sum of function(0), function(1), …, whose vectors have this length."""
        return added(self._chunks(Summing(length), function, count), length)

    def _chunks(self, work: Callable[..., Any], function: Any, count: int) -> Iterator[Any]:
        carried = self._pool.carried(function)
        tasks = [
            self._pool.submit_to(place, work, carried, chunk)
            for place, chunk in enumerate(_chunks(count))
        ]
        for task in tasks:
            yield task.result()


def _chunks(count: int) -> list[range]:
    return [range(first, min(first + CHUNK, count)) for first in range(0, count, CHUNK)]


def _each(function: Callable[[int], T], numbers: range) -> list[T]:
    return [function(number) for number in numbers]


class Summing:
    """A task: the sum of what a function gives for these numbers."""

    def __init__(self, length: int) -> None:
        self.length = length

    def __call__(self, function: Callable[[int], Summed], numbers: range) -> Summed:
        """The function gives (number, vector of this length)."""
        return added(map(function, numbers), self.length)


def added(parts: Any, length: int) -> Summed:
    """The sum of (number, vector), in order."""
    total, whole = 0.0, np.zeros(length)
    for part, vector in parts:
        total += part
        whole += vector
    return total, whole
