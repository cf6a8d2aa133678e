"""`katachi games`: what is in these records, and what was skipped and why."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from katachi.cli.talk import kernels_ready, reading_progress, talk
from katachi.errors import KatachiError
from katachi.records.corpus import Corpus
from katachi.records.filters import Filters, held_out, select
from katachi.records.game import CUT, SKIPPED
from katachi.records.read import default_jobs, read_games
from katachi.records.summary import summarize

SHOWN = 20  # notices and values shown without --all


@click.command("games", short_help="Say what is in these game records.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("--all", "everything", is_flag=True, help="List every notice, not only the first.")
@click.option("--size", type=int, help="Only boards of this size.")
@click.option("--even", is_flag=True, help="Only games without handicap or setup stones.")
@click.option("--min-moves", type=int, default=0, metavar="N", help="Only games this long.")
@click.option("--min-rank", default="", metavar="RANK", help="Both players at least 6d, 1p, …")
@click.option("--since", default="", metavar="DATE", help="From this year, month or day on.")
@click.option("--until", default="", metavar="DATE", help="Up to this year, month or day.")
@click.option("--known-result", is_flag=True, help="Only games whose winner is known, or drawn.")
@click.option("--alternating", is_flag=True, help="Only games whose colours alternate.")
@click.option("--whole", is_flag=True, help="Only games that were not cut at a fault.")
@click.option("--unique", is_flag=True, help="One of games with the same moves, in any symmetry.")
@click.option(
    "--hold-out",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Count the games that a split by moves holds out for testing.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=None,
    metavar="N",
    help="Processes that parse; all cores by default.",
)
@click.option("--no-cache", is_flag=True, help="Parse again, and keep nothing.")
def command(
    paths: tuple[Path, ...],
    as_json: bool,
    everything: bool,
    hold_out: float | None,
    jobs: int | None,
    no_cache: bool,
    **filters: Any,
) -> None:
    """Say what is in these game records: SGF files (also with many games), folders, .zip, .tar,
    .tar.gz, .tar.xz and .tar.bz2 archives.

    Damaged records are mended where that is safe, cut at a fault, or skipped; each is told with
    file, place and reason. The options choose games as `katachi.select` does.
    """
    console = talk()
    chosen = Filters(**filters)
    with kernels_ready(console), reading_progress(console) as progress:
        corpus = read_games(
            paths, jobs=jobs or default_jobs(), cache=not no_cache, progress=progress
        )
    if len(corpus) == 0:
        raise KatachiError(_nothing(paths, corpus))
    kept, dropped = select(corpus, chosen)
    summary = summarize(kept)
    summary["filters"] = {k: v for k, v in asdict(chosen).items() if v}
    summary["filtered"] = dropped
    if hold_out is not None:
        mask = held_out(kept, hold_out)
        moves = int(np.asarray(kept.moves)[mask].sum())
        summary["held_out"] = {"share": hold_out, "games": int(mask.sum()), "moves": moves}
    if as_json:
        summary["notices"] = [asdict(notice) for notice in kept.notices]
        click.echo(json.dumps(summary, ensure_ascii=False, indent=2))
        return
    _show(Console(highlight=False), summary, kept, everything)


def _nothing(paths: tuple[Path, ...], corpus: Corpus) -> str:
    """The sentence for records without a single game."""
    where = ", ".join(str(path) for path in paths[:3]) + (" …" if len(paths) > 3 else "")
    reasons = summarize(corpus)[SKIPPED]
    what = "; ".join(
        reason if count == 1 else f"{count} x {reason}" for reason, count in reasons.items()
    )
    return f"no game in {where} ({what}): name an SGF file, an archive or a folder of them"


def _show(console: Console, summary: dict[str, Any], corpus: Corpus, everything: bool) -> None:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    table.add_column(overflow="fold")

    def row(name: str, text: str) -> None:
        table.add_row(name, Text(text))

    def counts(name: str, values: dict[str, int], none: str = "") -> None:
        shown = list(values.items()) if everything else list(values.items())[:SHOWN]
        parts = [f"{value} {count:,}" for value, count in shown]
        if len(values) > len(shown):
            parts.append(f"and {len(values) - len(shown)} more")
        if parts or none:
            row(name, " · ".join(parts) or none)

    row("games", f"{summary['games']:,}")
    row("moves", f"{summary['moves']:,}, of them {summary['passes']:,} passes")
    if length := summary["length"]:
        row(
            "length",
            f"{length['shortest']} to {length['longest']}, median {length['median']:g}, "
            f"mean {length['mean']:g}",
        )
    for name in ("sizes", "ranks"):
        counts(name, summary[name])
    dates = summary["dates"]
    undated = f", {dates['undated']:,} undated" if dates["undated"] else ""
    row("dates", f"{dates['first']} to {dates['last']}{undated}" if dates["first"] else "none")
    for name in ("komi", "results", "handicaps"):
        counts(name, summary[name])
    if summary["filters"]:
        counts("filtered", {k: v for k, v in summary["filtered"].items() if v}, "none")
    if held := summary.get("held_out"):
        row(
            "held out",
            f"{held['games']:,} games, {held['moves']:,} moves (share {held['share']:g})",
        )
    counts("skipped", summary[SKIPPED], "none")
    counts("cut", summary[CUT], "none")
    for kind in ("mended", "odd"):
        counts(kind, summary[kind])
    console.print(table)
    told = [n for n in corpus.notices if everything or n.kind in (SKIPPED, CUT)]
    for notice in told if everything else told[:SHOWN]:
        console.print(Text(str(notice)), soft_wrap=True)
    if not everything and len(told) > SHOWN:
        console.print(f"… and {len(told) - SHOWN:,} more: --all lists them")
