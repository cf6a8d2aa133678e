"""`katachi demo`: the first minute with Katachi."""

from __future__ import annotations

import time

import click
import numpy as np
from rich.text import Text

from katachi.cli.options import seed_option
from katachi.cli.talk import kernels_ready, screen, talk
from katachi.go.board import new_board
from katachi.go.playout import playouts
from katachi.go.points import COLOUR_NAMES, vertex
from katachi.go.rng import new_rng
from katachi.records.bundled import bundled_games
from katachi.records.filters import Filters, select
from katachi.records.summary import summarize

PLAYOUTS = 5000


@click.command("demo", short_help="The first minute: bundled games, a position, playouts.")
@seed_option("Seed of the random playouts")
def command(seed: int) -> None:
    """Read the games that come with Katachi, show a position of one, and play it out at random."""
    out = screen()
    with kernels_ready(talk(), "demo"):
        corpus = bundled_games()
    summary = summarize(corpus)
    sizes = ", ".join(f"{count} of {size}" for size, count in summary["sizes"].items())
    out.print(
        Text.assemble(
            (f"{summary['games']} bundled games", "bold"), f", {summary['moves']:,} moves: {sizes}."
        )
    )
    out.print("GNU Go 3.8 played them against itself.\n")

    small, _ = select(corpus, Filters(size=9, min_moves=40))
    game = small[int(np.argmax(small.moves))]
    number = len(game.moves) // 2
    position = game.position(number)
    colour, last = game.moves[number - 1]
    name = vertex(last, game.size)
    out.print(
        Text.assemble(
            (game.source.rpartition("/")[2], "bold"),
            f" after move {number}, {COLOUR_NAMES[colour]} {name}:\n",
        )
    )
    out.print(position.diagram())

    work = new_board(game.size)
    rng = new_rng(seed)
    komi = game.komi or 0.0
    playouts(position.board, work, rng, 1, komi)
    start = time.perf_counter()
    wins, total, moves = playouts(position.board, work, rng, PLAYOUTS, komi)
    seconds = time.perf_counter() - start
    out.print(
        f"\n{PLAYOUTS:,} random games from here: Black wins {wins / PLAYOUTS:.0%}, "
        f"by {total / PLAYOUTS - komi:+.1f} points on average (komi {komi:g}); "
        f"the record says {game.result}."
    )
    out.print(
        f"{PLAYOUTS / seconds:,.0f} games and {moves / seconds / 1e6:.1f} million moves "
        "a second on one core.\n"
    )
    out.print(
        Text.assemble(
            "Next: ", ("katachi games YOUR_GAMES", "bold"), " tells what is in your own records."
        )
    )
