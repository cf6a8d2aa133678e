"""`katachi cluster`: who works for a Dask scheduler, and how fast."""

from __future__ import annotations

import json
import time
from typing import Final

import click
from rich.text import Text

from katachi.cli.options import json_option
from katachi.cli.tables import plain_table
from katachi.cli.talk import kernels_ready, results, talk
from katachi.cluster import connected
from katachi.processes import peak_megabytes

SECONDS: Final = 1.0  # of playouts on each worker


@click.command("cluster", short_help="Who works for a Dask scheduler, and how fast.")
@click.argument("address")
@json_option()
def command(address: str, as_json: bool) -> None:
    """Show the workers of the Dask scheduler at ADDRESS: how fast each plays random games on 9x9,
    its memory, and what it is at work on. It also tells whether they can work for --cluster: each
    needs one thread, the same versions as here, and the same file system.
    """
    with connected(address) as cluster, kernels_ready(talk(), "games"):
        cluster.check()
        speeds = cluster.everywhere(speed)
        workers = [one for one in cluster.workers() if one.address in speeds]
    rows = [
        {
            "worker": one.address,
            "host": one.host,
            "playouts_per_second": round(speeds[one.address][0]),
            "peak_megabytes": speeds[one.address][1],
            "memory_limit": one.memory,
            "tasks": list(one.tasks),
        }
        for one in workers
    ]
    if as_json:
        click.echo(json.dumps(rows, indent=1))
        return
    cells = [
        (
            Text(one.address),
            f"{row['playouts_per_second']:,}",
            f"{row['peak_megabytes']:,.0f}",
            f"{one.memory / 2**20:,.0f}" if one.memory else "",
            Text(f"{len(one.tasks)} tasks" if one.tasks else "nothing"),
        )
        for row, one in zip(rows, workers, strict=True)
    ]
    table = plain_table(("worker", "playouts/s", "MB used", "MB at most", "at work on"), cells)
    results().print(table)


def speed() -> tuple[float, float]:
    """(random games of 9x9 a second, peak megabytes) of a worker's process."""
    return playouts_per_second(SECONDS), peak_megabytes()


def playouts_per_second(seconds: float) -> float:
    """How fast this process plays random games on 9x9, on one core, measured for so long."""
    from katachi.go.board import new_board
    from katachi.go.playout import playouts
    from katachi.go.rng import new_rng

    board, work, rng = new_board(9), new_board(9), new_rng(1)
    playouts(board, work, rng, 1, 7.5)
    done, began = 0, time.perf_counter()
    while done == 0 or time.perf_counter() - began < seconds:
        playouts(board, work, rng, 1000, 7.5)
        done += 1000
    return done / (time.perf_counter() - began)
