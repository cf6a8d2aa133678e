"""Pools of processes, and Ctrl-C at every moment of their beginning."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from multiprocessing.synchronize import SemLock
from typing import Any

import pytest

from katachi.processes import default_jobs, process_pool

PROGRAM = """
import sys, threading, time
from katachi.processes import process_pool
if __name__ == "__main__":
    # Another thread, which takes signals that the main one does not want
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    try:
        print("begins", flush=True)  # from here on Ctrl-C may come
        with process_pool(2) as pool:
            list(pool.map(time.sleep, [0.05] * 10_000))  # far longer than we wait
    except KeyboardInterrupt:
        sys.exit(130)
"""


def test_tasks_are_done_after_the_beginning() -> None:
    with process_pool(2, os.putenv, ("KATACHI_TOLD", "1")) as pool:
        assert list(pool.map(abs, [-1, 2, -3])) == [1, 2, 3]


def test_workers_do_not_hear_ctrl_c() -> None:
    with process_pool(1) as pool:
        assert pool.submit(signal.getsignal, signal.SIGINT).result() == signal.SIG_IGN


def test_ctrl_c_is_heard_again_afterwards() -> None:
    with process_pool(1):
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, set())


def test_ctrl_c_while_semaphores_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a pool is made, or nothing of it: what is half made is not tidied up."""
    plain = SemLock.__init__
    made: list[SemLock] = []

    def make(self: SemLock, *args: Any, **kwargs: Any) -> None:
        if len(made) == 1:
            signal.raise_signal(signal.SIGINT)
        plain(self, *args, **kwargs)
        made.append(self)

    monkeypatch.setattr(SemLock, "__init__", make)
    with pytest.raises(KeyboardInterrupt), process_pool(1):
        pytest.fail("it was not interrupted")
    interrupted = len(made)
    with process_pool(1):
        pass
    assert len(made) == 2 * interrupted > 2


@pytest.mark.slow
@pytest.mark.parametrize("wait", [0.0, 0.003, 0.006, 0.01, 0.02, 0.05, 0.2, 0.6])
def test_ctrl_c_while_it_begins(wait: float) -> None:
    command = [sys.executable, "-c", PROGRAM]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begins\n"
    time.sleep(wait)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: all processes get it
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130, err
    assert err == ""


def test_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that this process may use, of which tests/conftest.py hides all but one."""
    asked = [sys.executable, "-c", "from katachi.processes import default_jobs as d; print(d())"]
    found = int(subprocess.run(asked, capture_output=True, check=True).stdout)
    assert 1 <= found <= (os.cpu_count() or 1)
    assert default_jobs() == 1
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    assert default_jobs() == 3
