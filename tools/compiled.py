"""Lists what verbs compile: every kernel, its signatures, and the seconds of each.

    python -m tools.compiled [--passes] [--signatures] [--cache FOLDER] VERB … [+ VERB …] < INPUT
    python -m tools.compiled --steps

The second prints the seconds of each step of `katachi warm`, for katachi.cli.warming. The verbs run
in this process, one after another, with an empty cache folder of their own. Their results go to
stderr.
Seconds are of this process's own processor time, without those of the kernels that a kernel
calls, so that they add up.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import redirect_stdout, suppress
from typing import Any

from numba.core import event as _event

event: Any = _event


class Compiled(event.Listener):  # type: ignore[misc]
    """Listens to Numba's events, and keeps the seconds of each kernel and of each pass."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.signatures: dict[str, list[str]] = defaultdict(list)
        self.passes: dict[str, float] = defaultdict(float)
        self._open: list[tuple[float, float]] = []  # began, and seconds of what it called

    def _own(self) -> float:
        """The end of what began last: its seconds, without those of what it called."""
        began, inner = self._open.pop()
        took = time.process_time() - began
        if self._open:
            before = self._open[-1]
            self._open[-1] = before[0], before[1] + took
        return took - inner

    def on_start(self, _event: Any) -> None:
        """Called by Numba at the beginning of a compilation, or of a pass of it."""
        self._open.append((time.process_time(), 0.0))

    def on_end(self, ended: Any) -> None:
        """Called by Numba at the end of it."""
        took = self._own()
        if ended.kind == "numba:run_pass":
            self.passes[ended.data["name"]] += took
            return
        function = ended.data["dispatcher"].py_func
        name = f"{function.__module__}.{function.__qualname__}"
        self.seconds[name].append(took)
        self.signatures[name].append(", ".join(map(str, ended.data["args"])))


def of_verbs(words: list[str], folder: str, passes: bool, signatures: bool) -> None:
    """Run the verbs, apart by "+", with this cache folder, and print what was compiled."""
    os.environ["KATACHI_CACHE_DIR"] = folder
    os.environ["KATACHI_REHEARSAL"] = "1"  # the engine compiles in this process
    compiled = Compiled()
    event.register("numba:compile", compiled)
    if passes:
        event.register("numba:run_pass", compiled)
    from katachi.cli import main as katachi

    began = time.process_time()
    while words:
        end = words.index("+") if "+" in words else len(words)
        with redirect_stdout(sys.stderr), suppress(SystemExit):
            katachi(words[:end])
        words = words[end + 1 :]
    total = time.process_time() - began
    for name in sorted(compiled.seconds, key=lambda name: -sum(compiled.seconds[name])):
        seconds = compiled.seconds[name]
        print(f"{sum(seconds):7.2f} s  {len(seconds):2} signatures  {name}")
        if signatures and len(seconds) > 1:
            for took, signature in zip(seconds, compiled.signatures[name], strict=True):
                print(f"  {took:7.2f} s    {signature[:300]}")
    for name, took in sorted(compiled.passes.items(), key=lambda item: -item[1]):
        print(f"{took:7.2f} s  pass {name}")
    compiling = sum(map(sum, compiled.seconds.values())) + sum(compiled.passes.values())
    print(f"{compiling:7.2f} s  compiling {len(compiled.seconds)} kernels, of {total:.2f} s in all")


def of_steps(folder: str) -> None:
    """Make the steps of `katachi warm`, one after another, and print the seconds of each: what it
    took less what it takes again.
    """
    os.environ["KATACHI_CACHE_DIR"] = folder
    from katachi.cli.warming import STEPS, begin

    def once(step: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = begin(step)
        assert process is not None
        assert process.wait() == 0, f"{step} failed"
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    for step in STEPS:
        cold, again = once(step), once(step)
        print(f"{step:10} {cold - again:6.1f} s, and {again:4.1f} s without compiling", flush=True)


def main() -> None:
    """Read the options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", action="store_true")
    parser.add_argument("--signatures", action="store_true")
    parser.add_argument("--steps", action="store_true")
    parser.add_argument("--cache", help="this folder instead of an empty one")
    parser.add_argument("verb", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as empty:
        folder = options.cache or empty
        if options.steps:
            of_steps(folder)
        else:
            of_verbs(options.verb, folder, options.passes, options.signatures)


if __name__ == "__main__":
    main()
