"""`katachi match`: games between two GTP engines."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from math import isinf
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from katachi.cli.game_options import DEFAULT, game_options, game_settings
from katachi.cli.matches import ended_in_order, llr_text, playing
from katachi.cli.options import cluster_option, entered_cluster, json_option, option, output_option
from katachi.cli.tables import plain_table, rate_cells
from katachi.cli.talk import kernels_ready, results, talk
from katachi.errors import KatachiError
from katachi.match.likelihood import GAMES, PAIRS
from katachi.match.play import play_match
from katachi.match.record import MatchResult
from katachi.match.settings import SIDES
from katachi.match.sgf import player_names
from katachi.match.sprt import ERROR, H0, H1, UNDECIDED, Sprt, Trial
from katachi.printable import json_text
from katachi.processes import process_pool

POINTS = {PAIRS: "pairs with 0, ½, 1, 1½, 2", GAMES: "games with 0, ½, 1"}  # by their values


@click.command("match", short_help="Play games between two GTP engines.")
@click.argument("a", metavar='"ENGINE A"')
@click.argument("b", metavar='"ENGINE B"')
@output_option("Folder for the games and match.json", default=Path("match"))
@option("--games N", "Number of games; A is Black in the odd ones", int, DEFAULT.games)
@option(
    "--sprt ELO0 ELO1",
    "End the match as soon as it is decided whether A is ELO1 or only ELO0 stronger: a sequential "
    "test after each pair of games, of which there are --games at most",
    (float, float),
)
@option(
    "--alpha SHARE", f"How often --sprt may take ELO1 where ELO0 is true (default {ERROR:g})", float
)
@option(
    "--beta SHARE", f"How often --sprt may take ELO0 where ELO1 is true (default {ERROR:g})", float
)
@game_options
@cluster_option()
@json_option()
def command(
    a: str,
    b: str,
    output: Path,
    games: int,
    sprt: tuple[float, float] | None,
    alpha: float | None,
    beta: float | None,
    jobs: int,
    startup_timeout: float,
    cluster: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Play games between two GTP engines, each given as one command in quotes, and tell the win
    rate of the first with its 95 % interval and the difference in Elo. Colours alternate. An
    engine that crashes, hangs or plays an illegal move loses that game. With --sprt the match ends
    when it has shown which of two Elo differences is nearer the truth.

    Run the same command again, and an interrupted match goes on; with more --games it grows.
    """
    settings = game_settings(games, options)
    test = _test(sprt, alpha, beta)
    console = talk()
    jobs = entered_cluster(cluster, jobs if jobs > 1 else None) or jobs
    with ExitStack() as held:
        held.enter_context(kernels_ready(console, "match"))
        held.enter_context(ended_in_order())
        pool = None if cluster is None else held.enter_context(process_pool(jobs))
        show = held.enter_context(playing(console))
        result = play_match(
            a,
            b,
            settings,
            folder=output,
            sprt=test,
            jobs=jobs,
            startup_timeout=startup_timeout,
            spectator=show,
            pool=pool,
        )
    if as_json:
        click.echo(json_text(_summary(result, output), indent=1))
    else:
        _show(results(), result)
        console.print(f"games and match.json are in {output}", soft_wrap=True)


def _test(elos: tuple[float, float] | None, alpha: float | None, beta: float | None) -> Sprt | None:
    """The sequential test that is wanted. Raises KatachiError."""
    if elos is None:
        if alpha is not None or beta is not None:
            raise KatachiError("--alpha and --beta are about a sequential test: give --sprt, too")
        return None
    return Sprt(*elos, *(ERROR if share is None else share for share in (alpha, beta)))


def _elo(value: float | None) -> str:
    if value is None:
        return ""
    return ("∞" if value > 0 else "-∞") if isinf(value) else f"{value:+.0f}"


def _summary(result: MatchResult, folder: Path) -> dict[str, Any]:
    tally = result.tally()
    a, b = SIDES
    return {
        "folder": str(folder),
        "settings": asdict(result.settings),
        **result.data(),
        "as_black": result.tally(a).data(),
        "as_white": result.tally(b).data(),
        "elo": _finite(tally.elo),
        "elo_interval": [_finite(end) for end in tally.elo_interval],
        **({} if result.trial is None else {"sprt": result.trial.data()}),
        "reasons": {
            reason: {"A": one.wins, "B": one.losses, "draws": one.draws}
            for reason, one in result.reasons().items()
        },
        "finished": [asdict(game) for game in result.games],
    }


def _finite(value: float | None) -> float | None:
    """JSON has no infinity."""
    return None if value is None or isinf(value) else value


def _show(out: Console, result: MatchResult) -> None:
    names = player_names(result.engines)
    a, b = SIDES
    for side in SIDES:
        out.print(Text(f"{side}: {names[side]} ({result.engines[side].command})"), soft_wrap=True)
    rows = [
        (words, *map(str, (t.games, t.wins, t.losses, t.draws)), *rate_cells(t))
        for words, t in (
            ("in all", result.tally()),
            ("as black", result.tally(a)),
            ("as white", result.tally(b)),
        )
    ]
    columns = ("A", "games", "wins", "losses", "draws", "win rate", "95 %")
    out.print(plain_table(columns, rows))
    tally = result.tally()
    low, high = tally.elo_interval
    out.print(f"Elo difference {_elo(tally.elo)} ({_elo(low)} … {_elo(high)})")
    if result.trial is not None:
        _show_test(out, result.trial)
    ends = [
        f"{reason} {one.games} (A won {one.wins}, B {one.losses})"
        for reason, one in result.reasons().items()
    ]
    out.print(Text("ended by " + ", ".join(ends)), soft_wrap=True)
    seconds = ", ".join(f"{side} {result.mean_seconds(side) or 0:.1f} s" for side in SIDES)
    out.print(f"{result.mean_moves() or 0:.1f} moves per game; thinking per game: {seconds}")


def _show_test(out: Console, trial: Trial) -> None:
    test = trial.sprt
    pairs = "1 pair" if trial.pairs == 1 else f"{trial.pairs:,} pairs"
    told = {
        H0: f"H0 ({test.elo0:+g} Elo) is accepted",
        H1: f"H1 ({test.elo1:+g} Elo) is accepted",
        UNDECIDED: f"undecided between H0 ({test.elo0:+g} Elo) and H1 ({test.elo1:+g} Elo)",
    }
    out.print(
        f"sequential test: {told[trial.decision]} after {pairs}, {llr_text(trial)}", soft_wrap=True
    )
    low, high = trial.elo_interval
    counts = ", ".join(map(str, trial.counts))
    out.print(
        f"{POINTS[trial.values]} points: {counts}; "
        f"Elo difference {_elo(trial.elo)} ({_elo(low)} … {_elo(high)})"
    )
