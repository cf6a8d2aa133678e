"""Pattern playouts per second beside uniform ones, and simulations per second of the tree search.

Both kinds of playouts take turns, so that a machine which slows down slows both, and medians are
shown. The ratio counts processor time: a program that takes a core away for a while does not change
it. All start from the empty board, as in Coulom 2007, section 4.3.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from statistics import median

import numpy as np
from rich.console import Group
from rich.table import Table
from rich.text import Text

from bench import Report
from bench.playouts import KOMI, Run, Sums, run_numba
from katachi.go.board import new_board, new_boards
from katachi.go.position import Position
from katachi.go.rng import new_rng
from katachi.models.model import Model, load_model
from katachi.search.engine import SearchPlayer
from katachi.search.gammas import PlayoutGammas, playout_gammas
from katachi.search.player import Budget, GameState
from katachi.search.playouts import pattern_playouts
from katachi.search.sampler import new_sampler
from katachi.search.settings import SearchSettings
from katachi.search.space import LONGEST_SIMULATION

# Coulom 2007, section 4.3: simulations per second on an Opteron at 2.2 GHz, one thread
PAPER = {9: 15_500, 19: 3_700}


@dataclass
class Row:
    """The runs of one board size and number of threads, `count` playouts per thread and run."""

    size: int
    threads: int
    count: int
    pattern: list[Run] = field(default_factory=list)
    uniform: list[Run] = field(default_factory=list)

    def speed(self, runs: list[Run]) -> float:
        """Playouts per second of all threads together, by the clock on the wall: the median."""
        return median(self.threads * self.count / run.wall for run in runs)

    def ratios(self) -> list[float]:
        """Speed of pattern playouts over uniform ones by processor time, in increasing order."""
        return sorted(u.cpu / p.cpu for p, u in zip(self.pattern, self.uniform, strict=True))

    def share(self) -> float:
        """How much of a core each thread had: 1 on an idle machine, the median of all runs."""
        return median(run.cpu / run.wall for run in self.pattern + self.uniform) / self.threads


@dataclass
class Searches:
    """Searches of one thread from the empty board: simulations, seconds and processor seconds."""

    size: int
    runs: list[tuple[int, float, float]] = field(default_factory=list)

    def speed(self, *, cpu: bool) -> float:
        """Simulations per second, of the processor or by the clock on the wall: the median."""
        return median(n / (of if cpu else wall) for n, wall, of in self.runs)


def run_pattern(gammas: PlayoutGammas, size: int, seed: int, count: int, threads: int = 1) -> Run:
    """Run `count` pattern playouts in each thread, thread number i seeded with `seed` + i."""

    def job(number: int) -> Sums:
        wins, total, moves = pattern_playouts(
            new_board(size),
            new_boards(1)[0],
            new_sampler(),
            gammas,
            new_rng(seed + number),
            np.zeros(LONGEST_SIMULATION, np.int16),
            count,
            KOMI,
        )
        return int(wins), int(total), int(moves)

    with ThreadPoolExecutor(threads) as pool:
        wall, cpu = time.perf_counter(), time.process_time()
        sums = list(pool.map(job, range(threads)))
        return Run(sums, time.perf_counter() - wall, time.process_time() - cpu)


def measure(gammas: PlayoutGammas, size: int, threads: int, repeats: int, seconds: float) -> Row:
    """Time both kinds of playouts by turns, `repeats` runs each, of about `seconds` for the slower.

    Each run has as many playouts, of either kind.
    """
    run_numba(size, 0, 1)  # compiles
    run_pattern(gammas, size, 0, 1)
    trial = run_pattern(gammas, size, 0, 200)
    row = Row(size, threads, max(1, round(200 * seconds / trial.cpu)))

    def pattern(seed: int) -> None:
        row.pattern.append(run_pattern(gammas, size, seed, row.count, threads))

    def uniform(seed: int) -> None:
        row.uniform.append(run_numba(size, seed, row.count, threads))

    for repeat in range(repeats):
        # Who goes first changes, lest one of them always find the processor warm.
        turns: list[Callable[[int], None]] = (
            [pattern, uniform] if repeat % 2 else [uniform, pattern]
        )
        for turn in turns:
            turn(repeat * threads)
    return row


def searches(model: Model, size: int, repeats: int, simulations: int) -> Searches:
    """Search the empty board with the default settings, each time with an empty tree."""
    player = SearchPlayer(model, SearchSettings(), memory_mb=256)
    game = GameState(Position(size), KOMI)
    player.search(game, Budget(simulations=200))  # compiles
    found = Searches(size)
    for _ in range(repeats):
        player.clear()
        wall, cpu = time.perf_counter(), time.process_time()
        done = player.search(game, Budget(simulations=simulations)).simulations
        found.runs.append((done, time.perf_counter() - wall, time.process_time() - cpu))
    return found


def benchmark(quick: bool, model: Model | None = None) -> Report:
    """9x9 and 19x19: about a minute and a half, or fifteen seconds if `quick`.

    With the model that comes with Katachi, or another that has playout gammas.
    """
    repeats, seconds = (3, 0.25) if quick else (7, 1.0)
    model = model or load_model()
    gammas = playout_gammas(model.playout or model, balanced=True)
    rows, searched = [], []
    for size in (9, 19):
        for threads in (1, 2):
            print(f"{size}x{size}, threads: {threads} …", file=sys.stderr)
            rows.append(measure(gammas, size, threads, repeats, seconds))
        print(f"{size}x{size}, tree search …", file=sys.stderr)
        simulations = (2_000 if quick else 20_000) if size == 9 else (500 if quick else 5_000)
        searched.append(searches(model, size, repeats, simulations))
    data = {
        "playouts": [
            {
                "playouts_per_second": {
                    "pattern": row.speed(row.pattern),
                    "uniform": row.speed(row.uniform),
                },
                "ratio": median(row.ratios()),
                "share_of_a_core": row.share(),
                **asdict(row),
            }
            for row in rows
        ],
        "searches": [
            {
                "simulations_per_second": one.speed(cpu=False),
                "simulations_per_processor_second": one.speed(cpu=True),
                "paper": PAPER[one.size],
                **asdict(one),
            }
            for one in searched
        ],
    }
    return Report(data, view(rows, searched))


def view(rows: list[Row], searched: list[Searches]) -> Group:
    """The two tables, and what their reader must know."""
    table = Table(title="Pattern playouts per second", title_justify="left")
    for name in (
        "board",
        "threads",
        "pattern",
        "uniform",
        "pattern / uniform",
        "lowest … highest",
        "core",
    ):
        table.add_column(name, justify="right")
    for row in rows:
        ratios = row.ratios()
        table.add_row(
            f"{row.size}x{row.size}",
            str(row.threads),
            f"{row.speed(row.pattern):,.0f}",
            f"{row.speed(row.uniform):,.0f}",
            f"{median(ratios):.2f}",
            f"{ratios[0]:.2f} … {ratios[-1]:.2f}",
            f"{row.share():.0%}",
        )
    second = Table(title="Tree search: simulations per second, one thread", title_justify="left")
    for name in ("board", "by the wall", "by processor time", "paper (2.2 GHz, 2007)"):
        second.add_column(name, justify="right")
    for one in searched:
        second.add_row(
            f"{one.size}x{one.size}",
            f"{one.speed(cpu=False):,.0f}",
            f"{one.speed(cpu=True):,.0f}",
            f"{PAPER[one.size]:,}",
        )
    note = "pattern / uniform is of processor time; both kinds start from the empty board."
    return Group(table, Text(note), second)
