"""Whether work takes time in proportion to its size, measured so that nothing else counts."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def seconds(work: Callable[[int], object], n: int, times: int = 3) -> float:
    """Processor time of this thread for work of size n, the least of so many times.

    Without the collector of garbage: it looks through all that the tests before have left, and more
    often the larger the work is.
    """
    found = []
    was_on = gc.isenabled()
    gc.disable()
    try:
        for _ in range(times):
            start = time.thread_time()
            work(n)
            found.append(time.thread_time() - start)
    finally:
        if was_on:
            gc.enable()
    return min(found)
