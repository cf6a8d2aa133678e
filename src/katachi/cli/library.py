"""`katachi library`: games as one file in which positions and shapes are found."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from katachi.cli.corpora import WantedGames, game_options, some_games
from katachi.cli.options import json_option, option
from katachi.cli.talk import kernels_ready, results, stages, talk
from katachi.folders import check_file
from katachi.library.build import build_library
from katachi.library.file import About, Library


@click.group(
    "library", short_help="Games as one file in which positions are found.", no_args_is_help=False
)
def command() -> None:
    """Index games in one file, a library, in which katachi similar finds where a position or a
    shape occurred.
    """


@command.command("build", short_help="Index games in a library.")
@game_options
@option("-o --output FILE", "The library to be written", Path, required=True)
@json_option("what the library is of")
def build(records: WantedGames, output: Path, as_json: bool) -> None:
    """Index all positions and shapes of these games in one file. An older file of this name stays
    as it is until the new one is there whole. All games must be on boards of one size.
    """
    check_file(output, "the library")
    with kernels_ready(talk(), "library"):
        chosen = some_games(records)
        with stages(talk()) as show:
            about = build_library(chosen.games, output, jobs=chosen.jobs, progress=show)
    _tell(about, output, as_json)


@command.command("info", short_help="Say what a library is of, and check it.")
@click.argument("library", type=click.Path(path_type=Path), metavar="FILE")
@json_option("what the library is of")
def info(library: Path, as_json: bool) -> None:
    """Say what a library is of, and check that every part of it is as it was written."""
    with Library(library) as found, stages(talk()) as show:
        found.check(show)
        about = found.about
    _tell(about, library, as_json)


def _tell(about: About, path: Path, as_json: bool) -> None:
    data: dict[str, Any] = asdict(about) | {"bytes": path.stat().st_size}
    if as_json:
        from katachi.printable import json_text

        click.echo(json_text(data, indent=2))
        return
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    *shapes, boards = about.postings
    shown = zip(about.radii, shapes, strict=True)
    dates = f"{about.first_date} to {about.last_date}" if about.first_date else "none"
    rows = {
        "games": f"{about.games:,} on {about.size}x{about.size}, {about.moves:,} moves",
        "players": f"{about.players:,}",
        "dates": dates,
        "shapes": " · ".join(f"radius {radius} {count:,}" for radius, count in shown),
        "positions": f"{boards:,}, up to move {about.board_moves}",
        "bytes": f"{data['bytes']:,}, {data['bytes'] / about.moves:.0f} a move",
        "made by": f"Katachi {about.version}",
    }
    for name, text in rows.items():
        table.add_row(name, Text(text))
    results().print(table)
