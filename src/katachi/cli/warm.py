"""`katachi warm`: compile now what verbs would compile when they are first run."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn

from katachi.cli.options import jobs_option
from katachi.cli.talk import bars_of, talk
from katachi.cli.warming import OPINION, STEPS, begin, done, steps_of
from katachi.errors import KatachiError
from katachi.folders import cache_folder
from katachi.go.kernel import kernel_folder
from katachi.processes import default_jobs


@click.command("warm", short_help="Compile all kernels now, so that no verb has to.")
@click.argument("verbs", nargs=-1, metavar="[VERB]…")
@jobs_option("Number of processes (default all cores, at most 3)")
def command(verbs: tuple[str, ...], jobs: int | None) -> None:
    """Compile the kernels that these verbs call, or all of them, into the cache folder. Katachi
    compiles on first use, too; this does so before anybody waits. A run that was interrupted goes
    on where it stopped.
    """
    if kernel_folder() is None:
        raise KatachiError(
            f"{cache_folder()} cannot be written, and kernels would be lost: "
            "name another folder by KATACHI_CACHE_DIR"
        )
    wanted = steps_of(verbs)
    missing = [step for step in wanted if not done(step)]
    console = talk()
    if not missing:
        console.print("all kernels are there")
        return
    began = time.monotonic()
    with _bar(console, sum(STEPS[step] for step in missing)) as show:
        _make(missing, jobs or min(default_jobs(), 3), show)
    console.print(f"compiled in {time.monotonic() - began:.0f} s")


def _make(missing: list[str], jobs: int, show: Callable[[str, int], None]) -> None:
    """Make these steps, several at a time; the first ones before the others, which build on them.

    Raises KatachiError if one fails. None goes on when this ends, however it does.
    """
    waiting = list(missing)
    running: dict[str, subprocess.Popen[bytes]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs and _may_begin(waiting[0], running):
                step = waiting.pop(0)
                process = begin(step)
                if process is not None:
                    running[step] = process
                show(", ".join(running), 0)
            _wait(running)
            for step in [name for name, process in running.items() if process.poll() is not None]:
                if running.pop(step).returncode != 0:
                    raise KatachiError(
                        f"compiling stopped at {step}: "
                        f"run python -m katachi.cli.rehearsal {step} to see the reason"
                    )
                show(", ".join(running), STEPS[step])
    finally:
        for process in running.values():
            process.kill()
            process.wait()


def _may_begin(step: str, running: Iterable[str]) -> bool:
    """Whether a step has nothing to wait for: opinions need the board, all else needs opinions."""
    first = ("games",) if step in OPINION else ("games", *OPINION)
    return not any(name in first for name in running)


def _wait(running: dict[str, subprocess.Popen[bytes]]) -> None:
    """Wait until one of them has ended; Ctrl-C is heard meanwhile."""
    while running and all(process.poll() is None for process in running.values()):
        try:
            next(iter(running.values())).wait(0.2)
        except subprocess.TimeoutExpired:
            continue


@contextmanager
def _bar(console: Console, seconds: int) -> Iterator[Callable[[str, int], None]]:
    """A bar, or where stderr is no terminal one line."""
    if not console.is_terminal:
        console.print(f"compiling kernels: about {seconds} s of processor time …")
    columns = (
        TextColumn("compiling {task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("of about {task.total:.0f} s"),
    )
    with bars_of(console, *columns) as bars:
        task = bars.add_task("", total=seconds)
        yield lambda names, more: bars.update(task, description=names, advance=more)
