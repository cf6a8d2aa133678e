"""Talk and progress, on stderr: stdout carries results only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.segment import Segment

from katachi.printable import printable
from katachi.records.read import Progress as ReadProgress

WIDE = 160  # columns


class _Plain(Console):
    """A console that prints text as it is: `[red]` and `:smile:` stay what they are, and what a
    terminal would obey is replaced. Only what we style ourselves has colours.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(printable(segment.text), segment.style)


def talk() -> Console:
    """The console for everything that is not the result."""
    return _Plain(stderr=True)


def screen() -> Console:
    """The console for results that are to be read, as wide as the terminal."""
    return _Plain()


def results() -> Console:
    """The console for results: wide where no terminal sets a limit, so that rows stay rows."""
    out = _Plain()
    return out if out.is_terminal else _Plain(width=WIDE)


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


def bars_of(console: Console, *columns: ProgressColumn) -> Progress:
    """Bars on the terminal; nothing where stderr is none."""
    return Progress(*columns, console=console, disable=not console.is_terminal)


@contextmanager
def reading_progress(console: Console) -> Iterator[ReadProgress]:
    """A bar to a path while its games are read; nothing where stderr is no terminal."""
    columns = (
        TextColumn("reading {task.fields[name]}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[games]:>7,} games"),
        TimeRemainingColumn(),
    )
    with bars_of(console, *columns) as bars:
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
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[count]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with bars_of(console, *columns) as bars:
        tasks: dict[str, TaskID] = {}

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total or None, count="")
            count = f"{min(done, total):,} of {total:,}" if total else f"{done:,}"
            bars.update(tasks[stage], completed=min(done, total) if total else done, count=count)

        yield show
