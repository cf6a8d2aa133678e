"""Lists what a verb compiles: every kernel, its signatures, and the seconds of each.

    python -m tools.compiled [--passes] [--signatures] VERB ARGUMENTS… < INPUT

The verb runs in this process, with an empty cache folder of its own, and its results go to stderr.
Seconds are of this process's own processor time, without those of the kernels that a kernel
calls, so that they add up.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import redirect_stdout
from typing import Any

from numba.core import event


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


def main() -> None:
    """Run the verb and print the list."""
    arguments = sys.argv[1:]
    flags = set()
    while arguments and arguments[0] in ("--passes", "--signatures"):
        flags.add(arguments.pop(0))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["KATACHI_CACHE_DIR"] = os.environ.get("COMPILED_CACHE", folder)
        compiled = Compiled()
        event.register("numba:compile", compiled)  # type: ignore[no-untyped-call]
        if "--passes" in flags:
            event.register("numba:run_pass", compiled)  # type: ignore[no-untyped-call]
        from katachi.cli import main as katachi

        began = time.process_time()
        try:
            with redirect_stdout(sys.stderr):
                katachi(arguments)
        except SystemExit:
            pass
        total = time.process_time() - began
    kernels = sorted(compiled.seconds, key=lambda name: -sum(compiled.seconds[name]))
    for name in kernels:
        seconds = compiled.seconds[name]
        print(f"{sum(seconds):7.2f} s  {len(seconds):2} signatures  {name}")
        if "--signatures" in flags and len(seconds) > 1:
            for took, signature in zip(seconds, compiled.signatures[name], strict=True):
                print(f"  {took:7.2f} s    {signature[:300]}")
    for name, took in sorted(compiled.passes.items(), key=lambda item: -item[1]):
        print(f"{took:7.2f} s  pass {name}")
    compiling = sum(map(sum, compiled.seconds.values())) + sum(compiled.passes.values())
    print(f"{compiling:7.2f} s  compiling {len(kernels)} kernels, of {total:.2f} s in all")


if __name__ == "__main__":
    main()
