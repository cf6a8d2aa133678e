"""`katachi review`: a whole game, its most unusual moves first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from katachi.cli.options import FROM_0, FROM_1, option
from katachi.cli.positions import read_record, record_options
from katachi.cli.talk import kernels_ready, results, stages, talk
from katachi.errors import KatachiError
from katachi.folders import check_file, write_whole
from katachi.go.points import COLOUR_NAMES
from katachi.models.model import load_model
from katachi.study.annotate import annotate, percent
from katachi.study.review import UNUSUAL, Reviewed, players, review, unusual
from katachi.study.searched import Searcher
from katachi.study.wire import to_json


@click.command("review", short_help="A game's most unusual moves, written back as SGF.")
@click.argument("game", type=click.Path(path_type=Path), metavar="GAME.sgf")
@option(
    "-o --output FILE",
    "Write the game as SGF with comments and labels; FILE may be the game itself",
    Path,
)
@option("--top N", "How many of the most unusual moves to show", FROM_1, UNUSUAL)
@option("--all every", "Show every move, in order", bool)
@option("--search N", "Add what the engine thinks of every move after N simulations", FROM_0, 0)
@record_options
@option("--json --as-json as_json", "Print every move as JSON", bool)
def command(
    game: Path,
    output: Path | None,
    top: int,
    every: bool,
    search: int,
    which: int,
    model: Path | None,
    as_json: bool,
) -> None:
    """Tell how usual every move of a game was. The most unusual moves come first, with reasons.
    Then comes, for each player and each stage of the game, how often the most usual move was
    played. A usual move need not be good: --search asks the engine, too.
    """
    if output is not None:
        check_file(output, "the reviewed game")
    console = talk()
    with kernels_ready(console, "review"):
        tree = read_record(game, which)
        for notice in tree.notices:
            console.print(str(notice), soft_wrap=True)
        found = load_model(model)
        searcher = None
        if search:
            try:
                searcher = Searcher(found)
            except KatachiError as error:
                raise KatachiError(f"--search: {error}") from None
        with stages(console) as show:
            moves = review(found, tree.game, searcher=searcher, simulations=search, progress=show)
    size = tree.game.size
    summary = players(moves, size)
    if output is not None:
        write_whole(output, annotate(tree, moves))
    if as_json:
        data = {
            "players": summary,
            "unusual": [m.number for m in unusual(moves, top)],
            "moves": [m.data() for m in moves],
        }
        click.echo(to_json(data))
        return
    out = results()
    out.print(_table(moves if every else unusual(moves, top), bool(search)))
    out.print()
    out.print(_players(summary, tree.game))
    if output is not None:
        console.print(f"wrote {output}", soft_wrap=True)


def _table(moves: list[Reviewed], searched: bool) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("move", justify="right")
    table.add_column("")
    for name in ("", "probability", "number"):
        table.add_column(name, justify="right" if name else "left")
    if searched:
        table.add_column("search", justify="right")
    table.add_column("usual")
    table.add_column("why it is less usual", ratio=1)
    for m in moves:
        usual = " ".join(one.vertex for one in m.alternatives)
        cells = [
            str(m.number),
            COLOUR_NAMES[m.colour],
            m.vertex,
            percent(m.probability),
            str(m.rank),
        ]
        if searched:
            cells.append(f"{m.win_rate:.0%}, {m.best} {m.best_win_rate:.0%}" if m.best else "")
        table.add_row(*cells, usual, Text(m.reason))
    return table


def _players(summary: dict[str, dict[str, Any]], game: Any) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("", "", "moves", "first choices", "first five", "mean log-evidence"):
        table.add_column(name, justify="right" if name else "left")
    names = {"black": game.black, "white": game.white}
    for colour, about in summary.items():
        rows = [("all", about), *about["stages"].items()]
        for number, (stage, part) in enumerate(rows):
            who = f"{colour} {names[colour]}".strip() if number == 0 else ""
            table.add_row(
                Text(who),
                stage,
                f"{part['moves']}",
                f"{part['first_choices']:.0%}",
                f"{part['first_five']:.0%}",
                f"{part['mean_log_evidence']:.2f}",
            )
    return table
