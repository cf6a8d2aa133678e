"""`katachi games`: what is in these records, and what was skipped and why."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from katachi.cli.corpora import WantedGames, chosen_games, game_options
from katachi.cli.options import json_option, option
from katachi.cli.talk import kernels_ready, screen, talk
from katachi.printable import json_text
from katachi.records.corpus import Corpus
from katachi.records.filters import held_out
from katachi.records.game import CUT, SKIPPED
from katachi.records.summary import summarize

SHOWN = 20  # notices and values shown without --all


@click.command("games", short_help="Say what is in these game records.")
@game_options
@json_option("the summary")
@option("--all everything", "Show every notice and value, not only the first", bool)
@option(
    "--hold-out SHARE",
    "Count the games that a split with this share holds out for testing",
    click.FloatRange(0, 1),
)
def command(records: WantedGames, as_json: bool, everything: bool, hold_out: float | None) -> None:
    """Tell what is in these game records: SGF files (one file may hold many games), folders, and
    .zip, .tar, .tar.gz, .tar.xz and .tar.bz2 archives.

    A damaged record is mended where that is safe, cut at the fault, or skipped. Each of them is
    listed with its file, the place and the reason.
    """
    with kernels_ready(talk(), "games"):
        kept, dropped, _ = chosen_games(records)
    summary = summarize(kept)
    summary["filters"] = {k: v for k, v in asdict(records.filters).items() if v}
    summary["filtered"] = dropped
    if hold_out is not None:
        mask = held_out(kept, hold_out)
        moves = int(np.asarray(kept.moves)[mask].sum())
        summary["held_out"] = {"share": hold_out, "games": int(mask.sum()), "moves": moves}
    if as_json:
        summary["notices"] = [asdict(notice) for notice in kept.notices]
        click.echo(json_text(summary, indent=2))
        return
    _show(screen(), summary, kept, everything)


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
    notices = [n for n in corpus.notices if everything or n.kind in (SKIPPED, CUT)]
    for notice in notices if everything else notices[:SHOWN]:
        console.print(Text(str(notice)), soft_wrap=True)
    if not everything and len(notices) > SHOWN:
        console.print(f"… and {len(notices) - SHOWN:,} more: --all shows them")
