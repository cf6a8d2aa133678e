"""One sweep of minorization-maximization over 20,000 competitions of 240 teams, 10 families.

The input is random but shaped like Go: a pass of its own, tactical families that are rare, others
that are always there, 16,000 shapes of which few are common. The baseline is the same sweep in
plain numpy, in the same run.
"""

from __future__ import annotations

import sys
import time
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.table import Table

from bench import Report
from katachi.learning.bradley_terry.columns import InMemory, Shard, factors, layout
from katachi.learning.bradley_terry.fit import fit
from katachi.learning.bradley_terry.mm import Sweeps, update
from katachi.learning.bradley_terry.passes import count, evidence
from katachi.learning.bradley_terry.places import Threads
from katachi.learning.bradley_terry.prior import ONE_AND_ONE

COMPETITIONS, TEAMS = 20_000, 240
LEVELS = (2, 5, 2, 1, 3, 4, 16, 17, 8, 16_000)
RARE = (1, 2, 3, 4)  # families that most teams do not have


def problem(competitions: int) -> InMemory:
    """Competitions whose winners follow from random gammas."""
    rng = np.random.default_rng(2007)
    n = competitions * TEAMS
    columns: list[npt.NDArray[Any]] = []
    strength = np.zeros(n)
    for family, levels in enumerate(LEVELS):
        if family == len(LEVELS) - 1:
            column = np.minimum(rng.geometric(0.0005, n), levels)
        else:
            column = rng.integers(1, levels + 1, n)
        if family in RARE:
            column[rng.random(n) < 0.95] = 0
        if family == 0:
            column[:] = 0
            column[TEAMS - 1 :: TEAMS] = 1
        else:
            column[TEAMS - 1 :: TEAMS] = 0
        columns.append(column.astype(np.min_scalar_type(levels)))
        strength += np.concatenate([[0.0], rng.normal(0.0, 1.0, levels)])[column]
    noisy = (strength + rng.gumbel(size=n)).reshape(-1, TEAMS)
    starts = np.arange(competitions + 1) * TEAMS
    return InMemory(LEVELS, [Shard(starts, noisy.argmax(axis=1), columns)])


def benchmark(quick: bool) -> Report:
    """Half a minute, or a few seconds if `quick`."""
    print("learning …", file=sys.stderr)
    data = problem(COMPETITIONS // 10 if quick else COMPETITIONS)
    threads = Threads(1)
    wins = count(data, threads).wins
    gamma = np.ones(sum(LEVELS))
    sweeps = Sweeps(data, gamma, wins, ONE_AND_ONE, range(len(LEVELS)), threads)
    sweeps.sweep()  # compiles
    plain, seconds = _plain_sweep(data, gamma, wins)
    assert np.allclose(plain, sweeps.gamma, rtol=1e-9)
    ours = median(_seconds(sweeps.sweep) for _ in range(5))
    passes = median(_seconds(lambda: evidence(data, gamma, threads)) for _ in range(5))
    start = time.perf_counter()
    found = fit(data, jobs=1)
    whole = time.perf_counter() - start
    teams = len(data.shards[0].columns[0])
    numbers = {
        "teams": teams,
        "families": len(LEVELS),
        "mm_sweep_seconds": ours,
        "numpy_sweep_seconds": seconds,
        "mm_sweep_of_numpy": ours / seconds,
        "gradient_pass_seconds": passes,
        "fit_seconds": whole,
        "fit_iterations": found.iterations,
    }
    table = Table(title=f"Learning: {teams:,} teams, 10 families, one core", title_justify="left")
    table.add_column("what")
    table.add_column("measured", justify="right")
    table.add_column("unit")
    table.add_row("one sweep of MM over all families", f"{ours:.3f}", "s")
    table.add_row("the same in plain numpy", f"{seconds:.2f}", "s")
    table.add_row("Numba / numpy", f"{ours / seconds:.3f}", "")
    table.add_row("one pass for likelihood and gradient", f"{passes:.3f}", "s")
    table.add_row(f"fit, {found.iterations} iterations", f"{whole:.1f}", "s")
    return Report(numbers, table)


def _seconds(work: Any) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _plain_sweep(data: InMemory, gamma: Any, wins: Any) -> tuple[npt.NDArray[np.float64], float]:
    """(gammas after one sweep, seconds), by numpy alone, the products kept as well."""
    shard = data.shards[0]
    first = layout(data.levels)
    gamma = gamma.copy()
    start = time.perf_counter()
    products = np.ones(len(shard.columns[0]))
    for family, column in enumerate(shard.columns):
        shares = products / np.repeat(np.add.reduceat(products, shard.starts[:-1]), TEAMS)
        expected: Any = np.bincount(column, shares, data.levels[family] + 1)[1:]
        a, b = first[family], first[family + 1]
        old = factors(gamma, first, family)
        gamma[a:b] = update(gamma[a:b], wins[a:b], expected, ONE_AND_ONE)
        products *= (factors(gamma, first, family) / old)[column]
    return gamma, time.perf_counter() - start
