"""Talk and progress, on stderr: stdout carries results only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from katachi.records.read import Progress as ReadProgress

WIDE = 160  # columns


def talk() -> Console:
    """The console for everything that is not the result."""
    return Console(stderr=True, highlight=False)


def results() -> Console:
    """The console for results: wide where no terminal sets a limit, so that rows stay rows."""
    out = Console(highlight=False)
    return out if out.is_terminal else Console(highlight=False, width=WIDE)


@contextmanager
def kernels_ready(console: Console, verb: str) -> Iterator[None]:
    """Say that kernels are compiled and how long it takes, if some that the verb calls are
    missing; at its end, remember that they are there.
    """
    from katachi.cli.warming import sentence
    from katachi.go.kernel import mark_compiled

    told = sentence(verb)
    if told is not None:
        console.print(told, soft_wrap=True)
    yield
    mark_compiled(verb)


@contextmanager
def reading_progress(console: Console) -> Iterator[ReadProgress]:
    """A bar to a path while its games are read; nothing where stderr is no terminal."""
    columns = (
        TextColumn("reading {task.fields[name]}"),
        BarColumn(),
        TextColumn("{task.fields[games]:>7,} games"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bars:
        tasks: dict[Path, TaskID] = {}

        def show(path: Path, share: float, games: int) -> None:
            if path not in tasks:
                tasks[path] = bars.add_task("", total=1.0, name=path.name, games=0)
            bars.update(tasks[path], completed=share, games=games)

        yield show


@contextmanager
def stages(console: Console) -> Iterator[Callable[[str, int, int], None]]:
    """A bar to a stage of long work: call it with (stage, done, of how many; 0 if unknown)."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[count]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bars:
        tasks: dict[str, TaskID] = {}

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total or None, count="")
            count = f"{min(done, total):,} of {total:,}" if total else f"{done:,}"
            bars.update(tasks[stage], completed=min(done, total) if total else done, count=count)

        yield show
