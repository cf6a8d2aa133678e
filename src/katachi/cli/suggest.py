"""`katachi suggest`: what strong players usually play in a position."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from katachi.cli.boards import SIGNS, draw_board
from katachi.cli.positions import Chosen, chosen_position, position_options, turn_text
from katachi.cli.talk import kernels_ready, results, talk
from katachi.errors import KatachiError
from katachi.go.points import COLOUR_NAMES, vertex
from katachi.learning.model import load_model
from katachi.search.player import Budget
from katachi.search.player import Game as Terms
from katachi.study.annotate import percent
from katachi.study.opinion import SUGGESTED, Explained, Opinion
from katachi.study.searched import Searcher


@click.command("suggest", short_help="What strong players usually play here.")
@click.argument("game", type=click.Path(path_type=Path), required=False, metavar="[GAME.sgf]")
@position_options
@click.option(
    "--top", type=click.IntRange(1, len(SIGNS)), default=SUGGESTED, show_default=True, metavar="N",
    help="How many moves.",
)  # fmt: skip
@click.option(
    "--search", type=click.IntRange(0), default=0, metavar="N",
    help="Add the engine's opinion, of N simulations.",
)  # fmt: skip
def command(
    game: Path | None, model: Path | None, top: int, search: int, as_json: bool, **where: Any
) -> None:
    """Show a position and the most usual moves: how likely strong players play each, and the
    features that make it usual. Usual is not good: --search asks the engine, too.
    """
    with kernels_ready(talk(), "suggest"):
        chosen = chosen_position(game, last=False, **where)
        found = load_model(model)
        opinion = Opinion(found, chosen.position)
        moves = opinion.suggest(top)
        rates = _rates(found, chosen, search) if search else {}
    played = chosen.played
    if as_json:
        click.echo(json.dumps(_data(opinion, chosen, moves, rates)))
        return
    out = results()
    out.print(draw_board(chosen.position, [one.move for one in moves]))
    out.print(Text(f"\n{turn_text(chosen)}" + (
        "" if played is None else f"; {vertex(played, opinion.size)} was played: "
        f"{percent(opinion.probability(played))}, number {opinion.rank(played)}"
    )))  # fmt: skip
    out.print()
    out.print(_table(moves, rates, bool(search)))


def _rates(model: Any, chosen: Chosen, simulations: int) -> dict[int, tuple[int, float]]:
    komi = chosen.game.komi if chosen.game is not None else None
    terms = Terms(chosen.position, komi=7.5 if komi is None else komi)
    try:
        return Searcher(model).moves(terms, Budget(simulations=simulations))
    except KatachiError as error:
        raise KatachiError(f"--search: {error}") from None


def _table(moves: list[Explained], rates: dict[int, tuple[int, float]], searched: bool) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("", "move", "probability"):
        table.add_column(name, justify="right")
    if searched:
        table.add_column("search", justify="right")
    table.add_column("it …", ratio=1)
    for sign, one in zip(SIGNS, moves, strict=False):
        visits, rate = rates.get(one.move, (0, 0.0))
        cells = [sign, one.vertex, percent(one.probability)]
        if searched:
            cells.append(f"{rate:.0%} of {visits:,}" if visits else "")
        table.add_row(*cells, Text(one.why))
    return table


def _data(
    opinion: Opinion, chosen: Chosen, moves: list[Explained], rates: dict[int, tuple[int, float]]
) -> dict[str, Any]:
    size = opinion.size
    found: dict[str, Any] = {
        "size": size,
        "number": chosen.number,
        "to_move": COLOUR_NAMES[chosen.position.to_move],
        "played": None,
        "moves": [],
    }
    if chosen.played is not None:
        found["played"] = {
            "vertex": vertex(chosen.played, size),
            "probability": opinion.probability(chosen.played),
            "rank": opinion.rank(chosen.played),
        }
    for one in moves:
        row: dict[str, Any] = {"vertex": one.vertex, "probability": one.probability,
                               "rank": one.rank, "why": one.why}  # fmt: skip
        if one.move in rates:
            visits, rate = rates[one.move]
            row["search"] = {"visits": visits, "win_rate": rate}
        found["moves"].append(row)
    return found
