"""Whether work takes time in proportion to its size, measured so that nothing else counts."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def seconds(work: Callable[[int], object], n: int) -> float:
    """Processor time of this thread for work of size n, the least of three.

    Without the collector of garbage: it looks through all that the tests before have left, and more
    often the larger the work is.
    """
    times = []
    was_on = gc.isenabled()
    gc.disable()
    try:
        for _ in range(3):
            start = time.thread_time()
            work(n)
            times.append(time.thread_time() - start)
    finally:
        if was_on:
            gc.enable()
    return min(times)
