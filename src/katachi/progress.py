"""`Progress`: how long work tells how far it is. There is one type, for all packages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

# progress(stage, done, of how many; 0 where that is not known)
Progress: TypeAlias = Callable[[str, int, int], None]


def silent(_stage: str, _done: int, _total: int) -> None:
    """The progress that nobody looks at."""


def named(progress: Progress, name: str) -> Progress:
    """A progress for a part of the work: its stages are told as "name: stage"."""
    return lambda stage, done, total: progress(f"{name}: {stage}", done, total)


def stage(progress: Progress, name: str) -> Progress:
    """A progress for work that is one stage, which is told as `name`, whatever it calls itself."""
    return lambda _, done, total: progress(name, done, total)
