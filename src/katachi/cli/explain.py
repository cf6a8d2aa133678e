"""`katachi explain`: the team of features behind a move, factor by factor."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click
from rich.columns import Columns
from rich.table import Table
from rich.text import Text

from katachi.cli.boards import draw_board
from katachi.cli.positions import chosen_position, position_options, turn_text
from katachi.cli.talk import kernels_ready, results, talk
from katachi.errors import KatachiError
from katachi.go.points import from_vertex
from katachi.models.model import load_model
from katachi.study.annotate import percent
from katachi.study.opinion import ANSWER, SHAPE, Explained, Opinion
from katachi.study.together import TOGETHER
from katachi.study.wire import to_json

_DRAWN: Final = {
    SHAPE: "the largest known shapes (* the move, X own stones, O the opponent's)",
    ANSWER: "the largest known answers to the last move (@)",
}


@click.command("explain", short_help="Why a move is usual, or unusual: its features.")
@click.argument("arguments", nargs=-1, metavar="[GAME.sgf] [VERTEX]")
@position_options
def command(arguments: tuple[str, ...], model: Path | None, as_json: bool, **where: Any) -> None:
    """Show the features of the move that was played, or of VERTEX, each with its Elo and its gamma,
    their product and the probability that it gives; beside them the most usual other move; and
    the shapes of both.
    """
    game, name = _arguments(arguments, where["diagram"] is not None or where["moves"] is not None)
    with kernels_ready(talk(), "explain"):
        chosen = chosen_position(game, last=name is None, **where)
        opinion = Opinion(load_model(model), chosen.position)
        if name is not None:
            try:
                move = from_vertex(name, opinion.size)
            except ValueError as error:
                raise KatachiError(f"{error}: name a point as D4, or pass") from None
        elif chosen.played is not None:
            move = chosen.played
        else:
            raise click.UsageError("name the VERTEX to explain")
        one = opinion.explain(move)
        other = next((opinion.explain(p) for p in opinion.ranked if p != move), None)
    if as_json:
        data = {
            "move": one.data(),
            "other": None if other is None else other.data(),
            "reason": "" if other is None else opinion.compare(one.move, other.move),
        }
        click.echo(to_json(data))
        return
    out = results()
    shown = [one] if other is None else [one, other]
    out.print(draw_board(chosen.position, [each.move for each in shown]))
    out.print(f"\n{turn_text(chosen)}")
    for sign, each in zip("12", shown, strict=False):
        out.print()
        out.print(
            Text(
                f"{sign}  {each.vertex}: {percent(each.probability)}, number {each.rank} of "
                f"{len(opinion.points)}: {each.name}"
            )
        )
        out.print(Text(f"   it {each.why}"))
        out.print(_table(each))
    if other is not None and (words := opinion.compare(one.move, other.move)):
        out.print(Text(f"\nwhy {one.vertex} is less usual: {words}"))
    for title, words in _DRAWN.items():
        pictures = [
            Text(f"{each.vertex}\n{group.drawing}")
            for each in shown
            for group in each.groups
            if group.title == title
        ]
        if pictures:
            out.print(f"\n{words}:")
            out.print(Columns(pictures, padding=(1, 6)))


def _arguments(given: tuple[str, ...], without_game: bool) -> tuple[Path | None, str | None]:
    """(game, vertex): a game comes first, unless the position is given in another way."""
    most = 1 if without_game else 2
    if len(given) > most:
        raise click.UsageError(f"too many arguments: {given[most]!r}")
    if without_game:
        return None, given[0] if given else None
    if not given:
        return None, None
    return Path(given[0]), given[1] if len(given) > 1 else None


def _table(one: Explained) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("feature")
    for name in ("gamma", "Elo", "±"):
        table.add_column(name, justify="right")
    table.add_column("this move …", ratio=1)
    for group in one.groups:
        for number, (member, title) in enumerate(zip(group.members, group.titles, strict=True)):
            level = member.level.partition(" (")[0] if group.drawing else member.level
            words = group.sentence if number == 0 else ""
            table.add_row(
                Text(f"{title}: {level}"),
                f"{member.gamma:.3g}",
                f"{member.elo:+.0f}",
                f"{member.error:.0f}" if member.number else "",
                Text(member.sentence if group.title == TOGETHER else words),
            )
    total = sum(group.elo for group in one.groups)
    table.add_row(
        "all together",
        f"{one.gamma:.3g}",
        f"{total:+.0f}",
        "",
        "the product of the gammas, the sum of the Elo",
        style="bold",
    )
    return table
