"""Uniform playouts per second on one thread and on two, beside the same algorithm in C.

The C is `baseline.c`, built with gcc into a temporary folder; without gcc its columns stay empty.
It must give the same wins, scores and moves as the kernels, or the comparison is void and raises.

Both take turns, so that a machine which slows down slows both, and medians are shown. The ratio
counts processor time: a program that takes a core away for a while does not change it. Playouts
per second are by the clock on the wall; the last column says how much of a core each thread had.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

from rich.console import Group
from rich.table import Table
from rich.text import Text

from bench import Report
from katachi.go.board import new_board, new_boards
from katachi.go.playout import playouts
from katachi.go.rng import new_rng

SOURCE = Path(__file__).with_name("baseline.c")
KOMI = 7.5
GOAL = 0.8  # of the speed of C, on one thread
WAITED = 0.95  # below this share of a core, the wall-clock numbers are too low

# gcc is given its choice: -march=native is slower than without on some processors with AVX-512.
BUILDS = (("-O3",), ("-O3", "-march=native"))

Sums = tuple[int, int, int]  # wins of Black, sum of scores, moves played


@dataclass(frozen=True)
class Run:
    """One timed run: the sums of each thread; seconds on the wall and of processor time."""

    sums: list[Sums]
    wall: float
    cpu: float


@dataclass
class Row:
    """The runs of one board size and number of threads, `count` playouts per thread and run.

    `numba[i]` and `c[i]` have the same seeds; `c` is empty where there is no gcc.
    """

    size: int
    threads: int
    count: int
    numba: list[Run] = field(default_factory=list)
    c: list[Run] = field(default_factory=list)

    def speed(self, runs: list[Run]) -> float:
        """Playouts per second of all threads together, by the clock on the wall: the median."""
        return median(self.threads * self.count / run.wall for run in runs)

    def ratios(self) -> list[float]:
        """Speed of Numba over that of C by processor time, run by run, in increasing order."""
        return sorted(c.cpu / numba.cpu for numba, c in zip(self.numba, self.c, strict=True))

    def share(self) -> float:
        """How much of a core each thread had: 1 on an idle machine, the median of all runs."""
        return median(run.cpu / run.wall for run in self.numba + self.c) / self.threads


def build(folder: Path, flags: Sequence[str] = BUILDS[0]) -> Path | None:
    """Build the C into `folder`; None where there is no gcc. Raises CalledProcessError."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    program = folder / "_".join(["baseline", *flags])
    command = [gcc, *flags, "-pthread", str(SOURCE), "-o", str(program)]
    subprocess.run(command, check=True)
    return program


def run_c(
    program: Path, size: int, seed: int, count: int, threads: int = 1, komi: float = KOMI
) -> Run:
    """Run `count` playouts in each thread, thread number i seeded with `seed` + i, in C."""
    command = [str(program), *map(str, (size, seed % 2**64, count, threads, komi))]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    *sums, seconds = [line.split() for line in output.splitlines()]
    return Run(
        [(int(wins), int(total), int(moves)) for wins, total, moves in sums],
        float(seconds[0]),
        float(seconds[1]),
    )


def run_numba(size: int, seed: int, count: int, threads: int = 1, komi: float = KOMI) -> Run:
    """The same by Katachi's kernels, in Python's threads: the kernels hold no GIL."""

    def job(number: int) -> Sums:
        rng = new_rng(seed + number)
        wins, total, moves = playouts(new_board(size), new_boards(1)[0], rng, count, komi)
        return int(wins), int(total), int(moves)

    with ThreadPoolExecutor(threads) as pool:
        wall, cpu = time.perf_counter(), time.process_time()
        sums = list(pool.map(job, range(threads)))
        return Run(sums, time.perf_counter() - wall, time.process_time() - cpu)


def fastest_build(folder: Path) -> tuple[Path, str] | None:
    """The C built every way of BUILDS: the program that wins a short trial, and its flags."""
    programs = [(program, " ".join(flags)) for flags in BUILDS if (program := build(folder, flags))]
    if not programs:
        return None
    best = [float("inf")] * len(programs)
    for seed in range(5):
        for i, (program, _) in enumerate(programs):
            best[i] = min(best[i], run_c(program, 9, seed, 10_000).cpu)
    return programs[best.index(min(best))]


def measure(program: Path | None, size: int, threads: int, repeats: int, seconds: float) -> Row:
    """Time Numba and C by turns, `repeats` runs each of about `seconds`.

    Raises RuntimeError if they disagree about the playouts of some seed.
    """
    run_numba(size, 0, 1)  # compiles
    trial = run_numba(size, 0, 1000)
    row = Row(size, threads, max(1, round(1000 * seconds / trial.cpu)))

    def numba(seed: int) -> None:
        row.numba.append(run_numba(size, seed, row.count, threads))

    def c(seed: int) -> None:
        if program is not None:
            row.c.append(run_c(program, size, seed, row.count, threads))

    for repeat in range(repeats):
        # Who goes first changes, lest one of them always find the processor warm.
        turns: list[Callable[[int], None]] = [numba, c] if repeat % 2 else [c, numba]
        for turn in turns:
            turn(repeat * threads)
        if row.c and row.c[-1].sums != row.numba[-1].sums:
            raise RuntimeError(
                f"baseline.c and katachi.go.playout differ on {size}x{size}, seed"
                f" {repeat * threads}: {row.c[-1].sums} and {row.numba[-1].sums}"
            )
    return row


def benchmark(quick: bool) -> Report:
    """9x9 and 19x19, one thread and two: about a minute and a half, or ten seconds if `quick`."""
    repeats, seconds = (3, 0.25) if quick else (7, 1.0)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        built = fastest_build(Path(folder))
        program, flags = built if built else (None, None)
        for size in (9, 19):
            for threads in (1, 2):
                print(f"{size}x{size}, threads: {threads} …", file=sys.stderr)
                rows.append(measure(program, size, threads, repeats, seconds))
    data = {
        "gcc": None if flags is None else f"gcc {flags}",
        "rows": [
            {
                "playouts_per_second": {
                    "numba": row.speed(row.numba),
                    "c": row.speed(row.c) if row.c else None,
                },
                "ratio": median(row.ratios()) if row.c else None,
                "share_of_a_core": row.share(),
                **asdict(row),
            }
            for row in rows
        ],
    }
    return Report(data, view(rows, flags))


def view(rows: list[Row], flags: str | None) -> Group:
    """The table, and below it what its reader must know."""
    table = Table(title="Uniform playouts per second", title_justify="left")
    for name in ("board", "threads", "Numba", "C", "Numba / C", "lowest … highest", "core"):
        table.add_column(name, justify="right")
    for row in rows:
        cells = [f"{row.size}x{row.size}", str(row.threads), f"{row.speed(row.numba):,.0f}"]
        if row.c:
            ratios = row.ratios()
            cells += [f"{row.speed(row.c):,.0f}", f"{median(ratios):.2f}"]
            cells += [f"{ratios[0]:.2f} … {ratios[-1]:.2f}"]
        else:
            cells += ["", "", ""]
        table.add_row(*cells, f"{row.share():.0%}")

    notes = []
    if flags is None:
        notes.append("gcc is not installed: the baseline in C is missing.")
    else:
        runs = sum(len(row.c) for row in rows)
        lowest = min(median(row.ratios()) for row in rows if row.threads == 1)
        notes += [
            f"C is baseline.c by gcc {flags}; it gave the same wins, scores and moves in all"
            f" {runs} runs.",
            f"Numba / C is of processor time. On one thread it is at least {lowest:.2f}; the goal"
            f" is {GOAL:.2f}.",
        ]
    if min(row.share() for row in rows) < WAITED:
        notes.append(
            "Other programs kept the machine busy: with a whole core for each thread, playouts per"
            " second would be higher."
        )
    return Group(table, *(Text(note) for note in notes))
