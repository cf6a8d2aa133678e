"""CPython 3.11 counts the depth of its parser in one place for all threads: where two take turns in
`ast.parse`, it fails with "AST constructor recursion depth mismatch". Numba parses the source of
what it compiles, numpy the header of what it loads: none of it happens in two threads at once.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

# Threads change places whenever they may, which is at every object that is made: the garbage
# collector runs then, and calls back to Python.
_PROVOKED = """
import gc, sys, threading, time
from pathlib import Path
import numpy as np
from katachi.patterns.shards import Shards, shard_folder

folder, kind = Path(sys.argv[1]), sys.argv[2]
shard = shard_folder(folder, 0)
shard.mkdir(parents=True)
for name in "abc":
    np.save(shard / f"{name}.npy", np.arange(10))
shards = Shards(folder, 1, list("abc"))
failed = []
ready = threading.Event()

def read():
    for _ in range(60):
        assert shards[0]["b"].sum() == 45

def read_on():
    while not ready.is_set():
        assert shards[0]["b"].sum() == 45

def compile_some():
    from katachi.go.liberties import bit_count, lowest_bit
    assert bit_count(np.uint64(7)) == 3
    assert lowest_bit(np.uint64(8)) == 3

def safely(work):
    try:
        work()
    except BaseException as error:
        failed.append(f"{type(error).__name__}: {error}")
    ready.set()

works = {"readers": [read, read, read], "compiler": [compile_some, read_on, read_on]}[kind]
import katachi.go.board
threads = [threading.Thread(target=safely, args=(work,)) for work in works]
gc.freeze()
gc.callbacks.append(lambda *_: time.sleep(0))
gc.set_threshold(1)
sys.setswitchinterval(1e-6)
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(failed or "well")
"""


def _provoked(kind: str, folder: Path) -> str:
    found = subprocess.run(
        [sys.executable, "-c", _PROVOKED, str(folder / "shards"), kind],
        env=os.environ | {"KATACHI_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_threads_may_read_shards(tmp_path: Path) -> None:
    assert _provoked("readers", tmp_path) == "well\n"


def test_a_thread_may_compile_while_another_reads(tmp_path: Path) -> None:
    assert _provoked("compiler", tmp_path) == "well\n"
