"""Processes that carry a load: features, or a model, sent to each of them once."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from katachi.processes import process_pool

_here: dict[str, Any] = {}  # of a worker


@contextmanager
def workers(carried: Any, jobs: int) -> Iterator[Executor]:
    """A pool whose tasks find `carried` by `load()`. What has not begun at the end is dropped.

    Raises KatachiError where features have a catalogue of one's own, whose functions do not travel.
    """
    with process_pool(jobs, _begin, (pickle.dumps(carried),)) as pool:
        yield pool


def _begin(carried: bytes) -> None:
    _here["load"] = pickle.loads(carried)


def load() -> Any:
    """What this worker process carries."""
    return _here["load"]
