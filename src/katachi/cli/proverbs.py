"""`katachi proverbs`: what players do with the proverbs of the game."""

from __future__ import annotations

import json
from typing import Any

import click
import numpy as np
from rich.table import Table
from rich.text import Text

from katachi.cli.corpora import WantedGames, game_options, some_games
from katachi.cli.options import FROM_0, FROM_1, json_option, option, seed_option
from katachi.cli.talk import kernels_ready, results, stages, talk
from katachi.evaluation.proverbs.measure import Verdict, measured
from katachi.evaluation.proverbs.proverbs import PROVERBS


@click.command("proverbs", short_help="Test the proverbs of the game on these games.")
@game_options
@option("--games N", "Draw N games of them", FROM_1, 300)
@option(
    "--resamples N",
    "How many times games are drawn again for the 95 % intervals",
    click.IntRange(10),
    1000,
)
@seed_option("Seed of the drawing of games", FROM_0)
@json_option("everything")
def command(records: WantedGames, games: int, resamples: int, seed: int, as_json: bool) -> None:
    """Test proverbs: how often players play the proverb's move rather than another one that they
    could have played in the same position. The odds are those of one move against one; the interval
    comes from drawing whole games again.
    """
    with kernels_ready(talk(), "proverbs"):
        chosen = some_games(records).games
        if len(chosen) > games:
            rng = np.random.default_rng(seed)
            chosen = chosen.take(np.sort(rng.choice(len(chosen), games, replace=False)))
        with stages(talk()) as show:
            found = measured(PROVERBS, chosen, resamples=resamples, seed=seed, progress=show)
    if as_json:
        click.echo(json.dumps({"games": len(chosen), "proverbs": [_data(one) for one in found]}))
        return
    out = results()
    out.print(f"{len(chosen):,} games\n")
    out.print(_table(found))


def odds_text(one: Verdict) -> str:
    """ "3.1 (2.7-3.6)", or "" where it is not known."""
    if one.odds is None:
        return ""
    if one.interval is None:
        return f"{one.odds:.2f}"
    return f"{one.odds:.2f} ({one.interval[0]:.2f}-{one.interval[1]:.2f})"


def _table(found: list[Verdict]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("proverb")
    for name in ("cases", "played", "instead", "odds"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("it is …", ratio=1)
    for one in found:
        counts = (f"{one.cases:,}", f"{one.played:,}", f"{one.rival:,}", odds_text(one))
        table.add_row(Text(one.proverb.text), *counts, Text(one.words))
    return table


def _data(one: Verdict) -> dict[str, Any]:
    return {
        "key": one.proverb.key,
        "proverb": one.proverb.text,
        "other": one.proverb.other,
        "bids": one.proverb.more,
        "cases": one.cases,
        "played": one.played,
        "instead": one.rival,
        "odds": one.odds,
        "interval": one.interval,
        "holds": one.holds,
        "verdict": one.words,
    }
