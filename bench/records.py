"""Reading games: parsing on one process and on two, the cache, the replay, and a verb's start.

The corpus is `pro-train-20000` where the shared packs lie beside the project, else the bundled
games many times over. The baseline is sgfmill's grammar alone on the same bytes: what is beyond
it is decoding, interpreting, checking every move by replay, and naming the game by its moves.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from rich.table import Table
from sgfmill import sgf_grammar

from bench import Report
from katachi.go.board import Board, clear, new_board
from katachi.go.kernel import int64, kernel
from katachi.records.actions import replay
from katachi.records.bundled import bundled_path
from katachi.records.read import read_games
from katachi.records.sources import members

PACK = Path(__file__).parents[2] / "shared" / "data" / "pro-train-20000.tar.xz"


@kernel
def replay_all(b: Board, actions: Any, starts: Any, sizes: Any, faults: Any) -> int:
    """Replay game after game on board b; the moves and setups applied in all.

    Game g is actions[starts[g]:starts[g + 1]] on a board of sizes[g]; faults[g] becomes FINE or
    the fault at which it stopped.
    """
    total = 0
    for g in range(len(sizes)):
        clear(b, int64(sizes[g]))
        done, fault = replay(b, actions[starts[g] : starts[g + 1]])
        faults[g] = fault
        total += done
    return total


def benchmark(quick: bool) -> Report:
    """About a minute; a quarter of that if `quick`."""
    repeats = 1 if quick else 3
    with tempfile.TemporaryDirectory() as folder:
        path = PACK if PACK.exists() and not quick else _many_bundled(Path(folder))
        read_games(bundled_path(), cache=False)  # loads the kernels
        grammar: list[float] = []
        one: list[float] = []
        two: list[float] = []
        games = 0
        for _ in range(repeats):
            grammar.append(_grammar_speed(path))
            for jobs, found in ((1, one), (2, two)):
                print(f"reading {path.name}, processes: {jobs} …", file=sys.stderr)
                start = time.perf_counter()
                games = len(read_games(path, jobs=jobs, cache=False))
                found.append(games / (time.perf_counter() - start))
        read_games(path, jobs=2)
        start = time.perf_counter()
        corpus = read_games(path)
        loaded = time.perf_counter() - start
        faults = np.zeros(len(corpus), np.uint8)
        board = new_board(19)
        replay_all(board, corpus.actions, corpus.starts, corpus.size, faults)
        start = time.perf_counter()
        moves = replay_all(board, corpus.actions, corpus.starts, corpus.size, faults)
        replayed = time.perf_counter() - start
        assert not faults.any()
    starts = {
        command: median(_seconds(command) for _ in range(3 if quick else 7))
        for command in ("--version", "--help", f"games {bundled_path()}")
    }
    data: dict[str, Any] = {
        "corpus": path.name,
        "games": games,
        "moves": int(moves),
        "sgfmill_grammar_games_per_second": median(grammar),
        "games_per_second": {"1 process": median(one), "2 processes": median(two)},
        "cache_seconds": loaded,
        "replay_seconds": replayed,
        "moves_per_second": moves / replayed,
        "start_seconds": dict(zip(("version", "help", "games"), starts.values(), strict=True)),
    }
    return Report(data, _view(data))


def _grammar_speed(path: Path) -> float:
    texts = [member.data for member in members(path)]
    start = time.perf_counter()
    for text in texts:
        sgf_grammar.parse_sgf_collection(text)
    return len(texts) / (time.perf_counter() - start)


def _many_bundled(folder: Path) -> Path:
    path = folder / "bundled-many.tar.xz"
    texts = [member.data or b"" for member in members(bundled_path())]
    with tarfile.open(path, "w:xz", preset=0) as archive:
        for number in range(3000):
            data = texts[number % len(texts)]
            info = tarfile.TarInfo(f"{number:05}.sgf")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def _seconds(command: str) -> float:
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "katachi", *command.split()], check=True, capture_output=True
    )
    return time.perf_counter() - start


def _view(data: dict[str, Any]) -> Table:
    table = Table(title=f"Records: {data['corpus']}, {data['games']:,} games", title_justify="left")
    table.add_column("what")
    table.add_column("measured", justify="right")
    table.add_column("unit")
    speed = data["games_per_second"]
    start = data["start_seconds"]
    rows = [
        (
            "sgfmill's grammar alone, 1 process",
            f"{data['sgfmill_grammar_games_per_second']:,.0f}",
            "games/s",
        ),
        ("read_games, 1 process", f"{speed['1 process']:,.0f}", "games/s"),
        ("read_games, 2 processes", f"{speed['2 processes']:,.0f}", "games/s"),
        ("from the cache", f"{data['cache_seconds']:.2f}", "s"),
        (f"replay of {data['moves']:,} moves, 1 thread", f"{data['replay_seconds']:.2f}", "s"),
        ("", f"{data['moves_per_second'] / 1e6:.1f}", "million moves/s"),
        ("start of katachi --version", f"{start['version']:.2f}", "s"),
        ("start of katachi --help", f"{start['help']:.2f}", "s"),
        ("katachi games on the bundled games, warm", f"{start['games']:.2f}", "s"),
    ]
    for row in rows:
        table.add_row(*row)
    return table
