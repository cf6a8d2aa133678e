"""Libraries: how long one takes to build, how large it is, and how soon it answers.

The corpus is `pro-train-20000`, asked about moves of `pro-test-500`, where the shared packs lie
beside the project; else the bundled games on 19x19. Cold: the system has dropped the file from its
memory.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import numpy as np
from rich.table import Table

from bench import Report
from katachi.library.build import build_library
from katachi.library.file import Library
from katachi.library.similar import similar
from katachi.processes import default_jobs, peak_megabytes
from katachi.records.bundled import bundled_games
from katachi.records.corpus import Corpus
from katachi.records.filters import Filters, select
from katachi.records.game import Game
from katachi.records.read import read_games

PACKS = Path(__file__).parents[2] / "shared" / "data"
TRAIN, ASKED = PACKS / "pro-train-20000.tar.xz", PACKS / "pro-test-500.tar.xz"


def benchmark(quick: bool) -> Report:
    """A minute or two; seconds if `quick`."""
    jobs = default_jobs()
    build_small()  # compiles
    read = 0.0
    if TRAIN.exists() and ASKED.exists() and not quick:
        print(f"reading {TRAIN.name} …", file=sys.stderr)
        start = time.perf_counter()
        corpus, name = read_games(TRAIN, jobs=jobs, cache=False), TRAIN.name
        read = time.perf_counter() - start
        asked = read_games(ASKED, cache=False)
    else:
        corpus, name = on_19(), "the bundled games on 19x19"
        asked = corpus
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "library"
        print("building …", file=sys.stderr)
        start = time.perf_counter()
        about = build_library(corpus, path, jobs=jobs)
        built = time.perf_counter() - start
        size = path.stat().st_size
        print("asking …", file=sys.stderr)
        questions = chosen(asked, 50 if quick else 500)
        warm, cold = ask(path, questions, cold=False), ask(path, questions[:100], cold=True)
    data: dict[str, Any] = {
        "corpus": name,
        "games": about.games,
        "moves": about.moves,
        "jobs": jobs,
        "read_seconds": read,
        "build_seconds": built,
        "bytes": size,
        "bytes_per_move": size / about.moves,
        "peak_megabytes": peak_megabytes(),
        "warm_ms": spread(warm),
        "cold_ms": spread(cold),
    }
    return Report(data, view(data))


def on_19() -> Corpus:
    return select(bundled_games(), Filters(size=19))[0]


def build_small() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "library"
        build_library(on_19(), path)
        similar(on_19()[0], 50, path)


def chosen(games: Corpus, count: int) -> list[tuple[Game, int]]:
    """Positions before moves, any of the games."""
    rng = np.random.default_rng(22)
    found = []
    for g in rng.integers(0, len(games), count).tolist():
        game = games[g]
        found.append((game, int(rng.integers(1, len(game.moves) + 1))))
    return found


def ask(path: Path, questions: list[tuple[Game, int]], cold: bool) -> list[float]:
    """Milliseconds of each answer; cold: of a library that is opened for it, too."""
    seconds = []
    with Library(path) as library:
        for game, number in questions:
            if cold:
                with path.open("rb") as file:
                    os.fsync(file.fileno())
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            start = time.perf_counter()
            similar(game, number, path if cold else library)
            seconds.append(time.perf_counter() - start)
    return [1000 * one for one in seconds]


def spread(numbers: list[float]) -> dict[str, float]:
    return {"median": median(numbers), "95 %": quantiles(numbers, n=20)[-1], "most": max(numbers)}


def view(data: dict[str, Any]) -> Table:
    table = Table(title=f"Library: {data['corpus']}, {data['games']:,} games", title_justify="left")
    table.add_column("what")
    table.add_column("measured", justify="right")
    table.add_column("unit")
    rows = [
        ("reading, without the cache", f"{data['read_seconds']:.1f}", "s"),
        (f"building, {data['jobs']} threads", f"{data['build_seconds']:.1f}", "s"),
        ("size", f"{data['bytes'] / 1e6:.1f}", "MB"),
        ("", f"{data['bytes_per_move']:.1f}", "bytes/move"),
        ("largest memory", f"{data['peak_megabytes']:.0f}", "MB"),
    ]
    for name in ("warm", "cold"):
        for what, value in data[f"{name}_ms"].items():
            rows.append((f"an answer, {name}: {what}", f"{value:.1f}", "ms"))
    for row in rows:
        table.add_row(*row)
    return table
