"""Talk and progress, on stderr: stdout carries results only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import (
    BarColumn,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bars
from rich.segment import Segment

from katachi.printable import printable
from katachi.progress import Progress

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


def print_parts(parts: Iterable[RenderableType]) -> None:
    """Print results with an empty line between them."""
    out = results()
    for number, part in enumerate(parts):
        if number:
            out.print()
        out.print(part)


@contextmanager
def kernels_ready(console: Console, verb: str) -> Iterator[None]:
    """Say that kernels are compiled and how long it takes, if some that the verb calls are
    missing; at its end, remember that they are there.
    """
    from katachi.cli.warming import beside, sentence
    from katachi.go.kernel import mark_compiled

    told = sentence(verb)
    if told is not None:
        console.print(told, soft_wrap=True)
    with beside(verb):
        yield
    mark_compiled(verb)


def bars_of(console: Console, *columns: ProgressColumn) -> Bars:
    """Bars on the terminal; nothing where stderr is none."""
    return Bars(*columns, console=console, disable=not console.is_terminal)


@contextmanager
def stages(console: Console) -> Iterator[Progress]:
    """A bar to each stage of long work; nothing where stderr is no terminal."""
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
                tasks[stage] = bars.add_task(stage, total=None, count="")
            done = min(done, total) if total else done
            count = f"{done:,} of {total:,}" if total else f"{done:,}"
            bars.update(tasks[stage], total=total or None, completed=done, count=count)

        yield show
