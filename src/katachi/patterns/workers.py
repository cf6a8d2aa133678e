"""Processes that carry a load: features, or a model, sent to each of them once."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

_here: dict[str, Any] = {}  # of a worker


@contextmanager
def workers(carried: Any, jobs: int) -> Iterator[ProcessPoolExecutor]:
    """A pool whose tasks find `carried` by `load()`. What has not begun at the end is dropped.

    Raises KatachiError where features have a catalogue of one's own, whose functions do not travel.
    """
    pool = ProcessPoolExecutor(
        jobs, multiprocessing.get_context("spawn"), _begin, (pickle.dumps(carried),)
    )
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(carried: bytes) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process decides
    _here["load"] = pickle.loads(carried)


def load() -> Any:
    """What this worker process carries."""
    return _here["load"]
