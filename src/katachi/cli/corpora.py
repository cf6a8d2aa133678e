"""Verbs that begin with games: the paths, the filters, how to read, all in one place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from katachi.cli.talk import reading_progress, talk
from katachi.errors import KatachiError
from katachi.processes import default_jobs
from katachi.records.corpus import Corpus
from katachi.records.filters import Filters, select
from katachi.records.game import SKIPPED
from katachi.records.read import read_games
from katachi.records.summary import summarize

F = TypeVar("F", bound=Callable[..., Any])

_PATHS = click.Path(path_type=Path)
_OPTIONS = [
    click.argument("paths", nargs=-1, required=True, type=_PATHS, metavar="PATH…"),
    click.option("--size", type=int, metavar="N", help="Only boards of this size."),
    click.option("--even", is_flag=True, help="Only games without handicap or setup stones."),
    click.option("--min-moves", type=int, default=0, metavar="N", help="Only games this long."),
    click.option("--min-rank", default="", metavar="RANK", help="Both players at least 6d, 1p, …"),
    click.option("--since", default="", metavar="DATE", help="From this year, month or day on."),
    click.option("--until", default="", metavar="DATE", help="Up to this year, month or day."),
    click.option("--known-result", is_flag=True, help="Only games with a winner, or a draw."),
    click.option("--alternating", is_flag=True, help="Only games whose colours alternate."),
    click.option("--whole", is_flag=True, help="Only games that were not cut at a fault."),
    click.option("--unique", is_flag=True, help="One of games with the same moves, turned or not."),
    click.option("--jobs", type=click.IntRange(1), metavar="N", help="Processes; all cores."),
    click.option("--no-cache", is_flag=True, help="Parse again, and keep nothing."),
]


def game_options(function: F) -> F:
    """Give a verb the argument PATH… and the options that choose games from it.

    The verb gets them together as keywords for `chosen_games`.
    """
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


class Chosen(NamedTuple):
    """The games that passed the filters, the filters, what they dropped, and the processes."""

    games: Corpus
    filters: Filters
    dropped: dict[str, int]
    jobs: int


def chosen_games(
    paths: tuple[Path, ...], jobs: int | None, no_cache: bool, **filters: Any
) -> Chosen:
    """Read and filter, with progress. Raises KatachiError if there is no game in the paths."""
    console = talk()
    wanted = Filters(**filters)
    cores = jobs or default_jobs()
    with reading_progress(console) as progress:
        corpus = read_games(paths, jobs=cores, cache=not no_cache, progress=progress)
    if len(corpus) == 0:
        raise KatachiError(_nothing(paths, corpus))
    games, dropped = select(corpus, wanted)
    return Chosen(games, wanted, dropped, cores)


def some_games(**options: Any) -> Chosen:
    """The same, but raises KatachiError also if the filters leave no game."""
    chosen = chosen_games(**options)
    if len(chosen.games) == 0:
        why = ", ".join(f"{count} x {reason}" for reason, count in chosen.dropped.items() if count)
        raise KatachiError(f"no game is left by the filters ({why}): ask for less")
    return chosen


def _nothing(paths: tuple[Path, ...], corpus: Corpus) -> str:
    """The sentence for records without a single game."""
    where = ", ".join(str(path) for path in paths[:3]) + (" …" if len(paths) > 3 else "")
    reasons = summarize(corpus)[SKIPPED]
    what = "; ".join(
        reason if count == 1 else f"{count} x {reason}" for reason, count in reasons.items()
    )
    return f"no game in {where} ({what}): name an SGF file, an archive or a folder of them"
