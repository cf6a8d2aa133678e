"""Verbs that begin with games: the paths, the filters, how to read, all in one place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from katachi.cli.options import cluster_option, entered_cluster, jobs_option, option, together
from katachi.cli.talk import stages, talk
from katachi.errors import KatachiError
from katachi.processes import default_jobs
from katachi.records.corpus import Corpus
from katachi.records.filters import Filters, select
from katachi.records.game import SKIPPED
from katachi.records.read import read_games
from katachi.records.summary import summarize

_OPTIONS = together(
    click.argument(
        "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…"
    ),
    option("--size N", "Take only games on boards of this size", int),
    option("--even", "Take only games without handicap or setup stones", bool),
    option("--min-moves N", "Take only games of at least N moves", int, 0),
    option("--min-rank RANK", "Take only games of two players of at least this rank", default=""),
    option("--since DATE", "Take only games of this year, month or day, or later", default=""),
    option("--until DATE", "Take only games of this year, month or day, or earlier", default=""),
    option("--known-result", "Take only games with a winner, or drawn ones", bool),
    option("--alternating", "Take only games in which the colours alternate", bool),
    option("--whole", "Take only games that were not cut at a fault", bool),
    option("--unique", "Of games with the same moves, turned or not, take one", bool),
    jobs_option(),
    cluster_option(),
    option("--no-cache", "Parse the records again, and keep nothing of it", bool),
)


@dataclass(frozen=True)
class WantedGames:
    """Which games a verb is to work on, and how they are read. `jobs` is None for all cores."""

    paths: tuple[Path, ...]
    filters: Filters
    jobs: int | None = None
    cache: bool = True


def game_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb the argument PATH… and the options that choose games from it.

    The verb gets them together as one argument, `records`, a WantedGames.
    """
    names = [field.name for field in fields(Filters)]

    @wraps(verb)
    def run(
        *args: Any,
        paths: tuple[Path, ...],
        jobs: int | None,
        cluster: str | None,
        no_cache: bool,
        **options: Any,
    ) -> Any:
        filters = Filters(**{name: options.pop(name) for name in names})
        jobs = entered_cluster(cluster, jobs)
        return verb(*args, records=WantedGames(paths, filters, jobs, not no_cache), **options)

    return _OPTIONS(run)


class Chosen(NamedTuple):
    """The games that passed the filters, what these dropped, and the number of processes."""

    games: Corpus
    dropped: dict[str, int]
    jobs: int


def chosen_games(wanted: WantedGames) -> Chosen:
    """Read and filter, with progress. Raises KatachiError if there is no game in the paths."""
    cores = wanted.jobs or default_jobs()
    with stages(talk()) as show:
        corpus = read_games(wanted.paths, jobs=cores, cache=wanted.cache, progress=show)
    if len(corpus) == 0:
        raise KatachiError(_nothing(wanted.paths, corpus))
    return Chosen(*select(corpus, wanted.filters), cores)


def some_games(wanted: WantedGames) -> Chosen:
    """The same, but raises KatachiError also if the filters leave no game."""
    chosen = chosen_games(wanted)
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
