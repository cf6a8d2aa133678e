"""Describing positions: how many a second on one core, and what the owner feature costs.

The games are `kgs-train-652` where the shared packs lie beside the project, else bundled ones. The
baseline of the owner feature is 63 plain playouts from the same positions.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
from rich.table import Table

from bench import Report
from katachi.go.board import new_board
from katachi.go.playout import playouts
from katachi.go.rng import new_rng
from katachi.patterns.catalogue import COULOM, PLAYOUT
from katachi.patterns.competitions import describe_games
from katachi.patterns.families.position import GAMES
from katachi.patterns.features import Features
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.harvest import harvest
from katachi.records.bundled import bundled_path
from katachi.records.corpus import Corpus
from katachi.records.read import read_games

PACK = Path(__file__).parents[2] / "shared" / "data" / "kgs-train-652.tar.xz"


def benchmark(quick: bool) -> Report:
    """Half a minute, or a few seconds if `quick`."""
    corpus = read_games(games_path())
    corpus = corpus.take(corpus.size == 19)
    print("harvesting …", file=sys.stderr)
    start = time.perf_counter()
    shapes = harvest(corpus, min_count=625, jobs=2)
    harvested = time.perf_counter() - start
    some = range(10 if quick else 40)
    repeats = 1 if quick else 3
    print("describing …", file=sys.stderr)
    coulom = Features(COULOM, {"shape": shapes})
    speed = {
        "coulom, without owner": _speed(corpus, some, coulom, repeats),
        "coulom, without shape and owner": _speed(corpus, some, Features(COULOM), repeats),
        "playout": _speed(corpus, some, Features(PLAYOUT), repeats),
    }
    ratio = _owner_ratio(corpus, range(1 if quick else 2))
    memory = _largest_process(shapes)
    data = {
        "games": len(corpus),
        "shapes": len(shapes),
        "harvest_seconds": harvested,
        "positions_per_second": speed,
        "owner_per_63_playouts": ratio,
        "largest_process_mb": memory,
    }
    table = Table(title=f"Patterns: {len(corpus)} games of 19x19", title_justify="left")
    table.add_column("what")
    table.add_column("measured", justify="right")
    table.add_column("unit")
    table.add_row(f"harvest of {len(shapes):,} shapes, 2 threads", f"{harvested:.1f}", "s")
    for name, value in speed.items():
        table.add_row(f"describe: {name}, 1 process", f"{value:,.0f}", "positions/s")
    table.add_row("owner, of the time of 63 playouts", f"{ratio:.2f}", "")
    table.add_row("describe, 2 processes and the main one: the largest", f"{memory:,.0f}", "MB")
    return Report(data, table)


def _largest_process(shapes: Shapes) -> float:
    """Peak resident memory, in MB, of the largest of three processes that describe all games.

    A shard of 50 games is in memory at a time, however many games there are.
    """
    print("describing by two processes …", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        shapes.save(Path(folder) / "bench.shapes")
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "katachi",
                "describe",
                str(games_path()),
                "--size",
                "19",
                "--jobs",
                "2",
                "--dictionary",
                f"{folder}/bench.shapes",
                "-o",
                f"{folder}/out",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)  # its own and its children's
        process.returncode = status
    assert status == 0
    return usage.ru_maxrss / 1024


def games_path() -> Path:
    """The games to measure on."""
    return PACK if PACK.exists() else bundled_path()


def _speed(corpus: Corpus, games: range, features: Features, repeats: int) -> float:
    describe_games(corpus, range(1), features)
    found = []
    for _ in range(repeats):
        start = time.perf_counter()
        columns = describe_games(corpus, games, features)
        found.append(len(columns["winner"]) / (time.perf_counter() - start))
    return median(found)


def _owner_ratio(corpus: Corpus, games: range) -> float:
    """Time that the owner feature adds, by that of 63 playouts from each of the positions."""
    without, with_owner = Features(COULOM), Features(COULOM, owner=True)
    describe_games(corpus, range(1), with_owner)
    work, rng = new_board(19), new_rng(1)
    ratios = []
    for _ in range(3):
        times = []
        for chosen in (without, with_owner):
            start = time.perf_counter()
            describe_games(corpus, games, chosen)
            times.append(time.perf_counter() - start)
        start = time.perf_counter()
        for g in games:
            game = corpus[g]
            position = game.position(0)
            for colour, p in game.moves:
                playouts(position.board, work, rng, GAMES, 6.5)
                position.play(p, colour)
        ratios.append((times[1] - times[0]) / (time.perf_counter() - start))
    return float(np.median(ratios))
