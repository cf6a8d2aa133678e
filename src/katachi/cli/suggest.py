"""`katachi suggest`: what strong players usually play in a position."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from katachi.cli.boards import SIGNS, draw_board
from katachi.cli.options import FROM_0, option
from katachi.cli.positions import Chosen, chosen_position, position_options, turn_text
from katachi.cli.talk import kernels_ready, results, talk
from katachi.errors import KatachiError
from katachi.go.points import COLOUR_NAMES, vertex
from katachi.models.model import Model, load_model
from katachi.search.player import Budget
from katachi.study.annotate import percent
from katachi.study.opinion import SUGGESTED, Explained, Opinion
from katachi.study.searched import Judgement, Searcher, terms_of
from katachi.study.wire import to_json

ENGINES = "← the engine's move"


@click.command("suggest", short_help="What strong players usually play here.")
@click.argument("game", type=click.Path(path_type=Path), required=False, metavar="[GAME.sgf]")
@position_options
@option("--top N", "How many moves to show", click.IntRange(1, len(SIGNS)), SUGGESTED)
@option(
    "--search N",
    "Add what the engine thinks after N simulations; its own move is always shown",
    FROM_0,
    0,
)
def command(
    game: Path | None, model: Path | None, top: int, search: int, as_json: bool, **where: Any
) -> None:
    """Show a position and its most usual moves: how likely strong players play each, and the
    features that make it usual. A usual move need not be good: --search asks the engine, too.
    """
    with kernels_ready(talk(), "suggest"):
        chosen = chosen_position(game, last=False, **where)
        found = load_model(model)
        opinion = Opinion(found, chosen.position)
        moves = opinion.suggest(top)
        judged = _judged(found, chosen, search) if search else None
    if judged is not None and judged.best not in [one.move for one in moves]:
        moves.append(opinion.explain(judged.best))
    played = chosen.played
    if as_json:
        click.echo(to_json(_data(opinion, chosen, moves, judged)))
        return
    out = results()
    out.print(draw_board(chosen.position, [one.move for one in moves]))
    words = f"\n{turn_text(chosen)}"
    if played is not None:
        chance, rank = percent(opinion.probability(played)), opinion.rank(played)
        words += f"; {vertex(played, opinion.size)} was played: {chance}, number {rank}"
    out.print(Text(words))
    out.print()
    out.print(_table(moves, judged))


def _judged(model: Model, chosen: Chosen, simulations: int) -> Judgement:
    if chosen.position.board.passes >= 2:
        raise KatachiError("--search: both have passed and the game is over: name an earlier move")
    komi = chosen.game.komi if chosen.game is not None else None
    try:
        return Searcher(model).moves(
            terms_of(chosen.position, komi), Budget(simulations=simulations)
        )
    except KatachiError as error:
        raise KatachiError(f"--search: {error}") from None


def _table(moves: list[Explained], judged: Judgement | None) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("", "move", "probability"):
        table.add_column(name, justify="right")
    if judged is not None:
        table.add_column(f"search of {judged.simulations:,}", justify="right")
        table.add_column("")
    table.add_column("it …", ratio=1)
    # One more than signs, where all are used and the engine's move is another
    for sign, one in zip_longest(SIGNS[: len(moves)], moves, fillvalue=""):
        assert isinstance(one, Explained)
        cells = [sign, one.vertex, percent(one.probability)]
        if judged is not None:
            visits, rate = judged.rates.get(one.move, (0, judged.best_rate))
            engines = one.move == judged.best
            cells.append(
                f"{rate:.0%} of {visits:,}" if visits else f"{rate:.0%}" if engines else ""
            )
            cells.append(ENGINES if engines else "")
        table.add_row(*map(str, cells), Text(one.why))
    return table


def _data(
    opinion: Opinion, chosen: Chosen, moves: list[Explained], judged: Judgement | None
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
        row: dict[str, Any] = {
            "vertex": one.vertex,
            "probability": one.probability,
            "rank": one.rank,
            "name": one.name,
            "why": one.why,
        }
        if judged is not None and one.move in judged.rates:
            visits, rate = judged.rates[one.move]
            row["search"] = {"visits": visits, "win_rate": rate}
        if judged is not None:
            row["engine"] = one.move == judged.best
        found["moves"].append(row)
    if judged is not None:
        visits, rate = judged.rates.get(judged.best, (0, judged.best_rate))
        found["engine"] = {
            "vertex": vertex(judged.best, size),
            "win_rate": rate,
            "visits": visits,
            "simulations": judged.simulations,
        }
    return found
