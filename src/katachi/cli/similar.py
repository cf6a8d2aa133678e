"""`katachi similar`: games in which a position or a shape occurred, and what was played there."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from katachi.cli.boards import SIGNS, draw_board
from katachi.cli.options import FROM_1, json_option, option
from katachi.cli.positions import read_record, which_game
from katachi.cli.talk import kernels_ready, results, talk
from katachi.go.points import EMPTY, NONE, PASS
from katachi.library.file import Library
from katachi.library.keys import RADII
from katachi.library.similar import GAMES, LEAST, Next, Occurred, similar
from katachi.printable import json_text
from katachi.records.game import Game

SHOWN: Final = 12  # moves in a table


@click.command("similar", short_help="Games in which a position or a shape occurred.")
@click.argument("game", type=click.Path(path_type=Path), metavar="GAME.sgf")
@option("--library FILE", "The library, made by katachi library build", Path, required=True)
@option("--move number N", "The position before move N of the game (default after all)", int)
@option(
    "--radius R",
    f"The radius of the shapes, one of {', '.join(map(str, RADII))} (default the largest with "
    "enough places)",
    int,
)
@option("--least N", "How many places are enough", FROM_1, LEAST)
@option("--games N", "How many games to name in each table", click.IntRange(0), GAMES)
@which_game
@json_option()
def command(
    game: Path,
    library: Path,
    number: int | None,
    radius: int | None,
    least: int,
    games: int,
    which: int,
    as_json: bool,
) -> None:
    """Show games in which the position before a move, or the shape around the last move or this
    move, occurred: what was played next there, by whom, how often, and who won. Positions count as
    equal when they are turned, mirrored, or have the colours exchanged.
    """
    record = read_record(game, which).game
    number = len(record.moves) + 1 if number is None else number
    with Library(library) as opened, kernels_ready(talk(), "similar"):
        found = similar(record, number, opened, radius=radius, least=least, games=games)
    if as_json:
        click.echo(json_text(found.data(), indent=2))
        return
    out = results()
    out.print(Text(f"move {number}, {found.to_move} to play" + _played(found.played)))
    titles = {
        "board": "the whole position",
        "last": "the shape around the last move",
        "move": "the shape around this move",
    }
    for part in (found.board, found.last, found.move):
        if part is None:
            continue
        out.print()
        out.print(Text(f"{titles[part.what]}{_where(part)}", style="bold"))
        if not part.places:
            out.print(Text("in no other game of the library"))
            continue
        out.print(Text(_count(part)))
        shown = [n for n in part.next if n.point != NONE][:SHOWN]
        _draw(record, number if part.what == "move" else number - 1, shown, out)
        out.print(_moves(part, shown))
        if part.named:
            out.print()
            out.print(_games(part))


def _played(vertex: str | None) -> str:
    return "" if vertex is None else f"; in this game {vertex}"


def _where(part: Occurred) -> str:
    if part.radius is None:
        return ""
    tried = ", ".join(f"radius {radius} {places:,}" for radius, places in part.tried.items())
    return f", {part.vertex}, radius {part.radius} (places: {tried})"


def _count(part: Occurred) -> str:
    won = f"Black won {part.black_won:,}, White {part.white_won:,}"
    drawn = f", {part.drawn:,} drawn" if part.drawn else ""
    return f"{part.places:,} places in {part.games:,} games; {won}{drawn}"


def _draw(game: Game, moves: int, shown: list[Next], out: Console) -> None:
    """The board, with the points of the table on it, as far as no stone is there."""
    position = game.position(moves)
    stones = position.colors
    marked = [PASS if stones[n.point] != EMPTY else n.point for n in shown]
    first: dict[int, int] = {}
    for index, p in enumerate(marked):  # a point of both colours keeps the sign of the first
        if first.setdefault(p, index) != index:
            marked[index] = PASS
    out.print(draw_board(position, marked))


def _moves(part: Occurred, shown: list[Next]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    table.add_column("next there" if part.radius else "next")
    for name in ("times", "share", "at once", "won"):
        table.add_column(name, justify="right")
    table.add_column("most often by")
    for sign, one in zip(SIGNS, shown, strict=False):
        table.add_row(
            sign,
            f"{one.colour} {one.vertex}",
            f"{one.times:,}",
            f"{one.times / part.places:.0%}",
            f"{one.at_once / one.times:.0%}",
            _won(one),
            Text(", ".join(f"{name} {count}" for name, count in one.players)),
        )
    others = [n for n in part.next if n.point != NONE][len(shown) :]
    if others:
        times = sum(n.times for n in others)
        table.add_row("", f"{len(others)} others", f"{times:,}", f"{times / part.places:.0%}")
    for one in part.next:
        if one.point == NONE:
            table.add_row("", "none", f"{one.times:,}", f"{one.times / part.places:.0%}")
    return table


def _won(one: Next) -> str:
    """The share of the games that its player won; of a few games both numbers."""
    if one.decided >= 10:
        return f"{one.won / one.decided:.0%}"
    return f"{one.won} of {one.decided}" if one.decided else ""


def _games(part: Occurred) -> Table:
    events = any(place.event for place in part.named)
    table = Table(box=None, pad_edge=False)
    for name in ("date", "Black", "White", *(["event"] if events else []), "result"):
        table.add_column(name)
    table.add_column("move", justify="right")
    table.add_column("next")
    table.add_column("")
    for place in part.named:
        cells = [
            place.date,
            f"{place.black} {place.black_rank}".strip(),
            f"{place.white} {place.white_rank}".strip(),
            *([place.event] if events else []),
            place.result,
        ]
        exchanged = "colours exchanged" if place.exchanged else ""
        table.add_row(*map(Text, cells), str(place.number), place.next, exchanged)
    return table
