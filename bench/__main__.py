"""Runs the benchmarks, all or those named: `python -m bench [--quick] [--json] [name …]`."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable
from pathlib import Path

import numba
from rich.console import Console

from bench import (
    Report,
    learning,
    library,
    model,
    patterns,
    playouts,
    ranking,
    records,
    search,
    study,
)

BENCHMARKS: list[tuple[str, Callable[[bool], Report]]] = [
    ("playouts", playouts.benchmark),
    ("search", search.benchmark),
    ("model", model.benchmark),
    ("records", records.benchmark),
    ("patterns", patterns.benchmark),
    ("learning", learning.benchmark),
    ("ranking", ranking.benchmark),
    ("study", study.benchmark),
    ("library", library.benchmark),
]


def main() -> None:
    """Print one table per benchmark, or with --json one object with the data of each."""
    names = [name for name, _ in BENCHMARKS]
    parser = argparse.ArgumentParser(prog="python -m bench", description="How fast Katachi is.")
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(names)}; or all")
    parser.add_argument("--quick", action="store_true", help="seconds instead of minutes, rougher")
    parser.add_argument("--json", action="store_true", help="print the data instead of tables")
    options = parser.parse_args()
    for name in options.names:
        if name not in names:
            parser.error(f"no benchmark is named {name!r}; there are: {', '.join(names)}")

    console = Console()
    machine = {
        "processor": processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numba": numba.__version__,
    }
    if not options.json:
        console.print(
            "{processor}, {cores} cores; Python {python}, Numba {numba}".format(**machine),
            highlight=False,
        )
    found = {}
    for name, benchmark in BENCHMARKS:
        if not options.names or name in options.names:
            report = benchmark(options.quick)
            found[name] = report.data
            if not options.json:
                console.print(report.view)
    if options.json:
        print(json.dumps({"machine": machine, **found}, indent=1))


def processor() -> str:
    """The processor's name: Linux's where it tells, else what Python knows."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    for line in text.splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


if __name__ == "__main__":
    main()
