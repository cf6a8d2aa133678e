"""`katachi tune`: numbers of an engine, tuned by games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from katachi.cli.game_options import game_options, game_settings
from katachi.cli.matches import ended_in_order
from katachi.cli.options import json_option, option, output_option
from katachi.cli.tables import percent, plain_table
from katachi.cli.talk import bars_of, kernels_ready, results, talk
from katachi.match.parameters import filled, parse_parameter
from katachi.match.record import FAULTS, POINTS
from katachi.match.statistics import Tally
from katachi.match.tune import Estimate, TuneSpectator, Tuning, tune
from katachi.match.tune_log import LOG, TunedGame
from katachi.printable import json_text


@click.command("tune", short_help="Tune numbers of an engine by games against another.")
@click.argument("engine", metavar='"ENGINE with {NAME}"')
@click.argument("opponent", metavar='"OPPONENT"')
@option(
    "--parameter parameters NAME LOW HIGH",
    "A number that replaces {NAME} in the engine's command, and its bounds; a whole number if both "
    "bounds are; may be given several times",
    (str, str, str),
    multiple=True,
    required=True,
)
@output_option("Folder for the log of the games", required=True)
@option("--games N", "Number of games, two with the same values", int, 1000)
@game_options
@json_option()
def command(
    engine: str,
    opponent: str,
    parameters: tuple[tuple[str, str, str], ...],
    output: Path,
    games: int,
    jobs: int,
    startup_timeout: float,
    as_json: bool,
    **options: Any,
) -> None:
    """Find the values of an engine's parameters with which it wins most, by games against an
    opponent: CLOP (Coulom 2011). Games come in pairs with the same values, colours exchanged. The
    values are drawn where the games so far do not speak against them.

    Run the same command again, and an interrupted tuning goes on; with more --games it grows.
    """
    wanted = [parse_parameter(*words) for words in parameters]
    settings = game_settings(games, options)
    console = talk()
    with kernels_ready(console, "tune"), ended_in_order(), _playing(console, games) as show:
        tuning = tune(
            engine,
            opponent,
            wanted,
            settings,
            folder=output,
            jobs=jobs,
            startup_timeout=startup_timeout,
            spectator=show,
        )
    estimate = tuning.estimate()
    best = filled(engine, tuning.parameters, estimate.optimum)
    if as_json:
        click.echo(json_text(_summary(tuning, estimate, best, output), indent=1))
    else:
        _show(results(), tuning, estimate, best)
        console.print(f"{LOG} is in {output}", soft_wrap=True)


@contextmanager
def _playing(console: Console, games: int) -> Iterator[TuneSpectator]:
    """A bar for the games, and a line for each that ended by a fault; where stderr is no terminal
    a line for each.
    """
    columns = (
        MofNCompleteColumn(),
        BarColumn(),
        TextColumn("{task.fields[best]}", markup=False),
        TimeElapsedColumn(),
    )
    with bars_of(console, *columns) as bars:
        task = None

        def show(tuning: Tuning, finished: TunedGame | None) -> None:
            nonlocal task
            if task is None:
                if tuning.games:
                    console.print(f"{len(tuning.games)} games were finished before")
                task = bars.add_task("", total=games, best="")
            best = _best(tuning, tuning.estimate())
            bars.update(task, completed=len(tuning.games), best=best)
            fault = finished is not None and finished.game.reason in FAULTS
            if finished is not None and (fault or not console.is_terminal):
                console.print(f"{_line(tuning, finished)}; best {best}", soft_wrap=True)

        yield show


def _line(tuning: Tuning, one: TunedGame) -> str:
    """A finished game."""
    values = _values(tuning, one.values)
    points = {0.0: "lost", 0.5: "a draw", 1.0: "won"}[POINTS[one.game.winner]]
    detail = f" ({one.game.detail})" if one.game.detail and one.game.reason in FAULTS else ""
    return f"game {one.game.number}: {values}, {points} by {one.game.reason}{detail}"


def _values(tuning: Tuning, values: dict[str, float]) -> str:
    return ", ".join(f"{one.name} {one.text(values[one.name])}" for one in tuning.parameters)


def _best(tuning: Tuning, estimate: Estimate) -> str:
    rate = "" if estimate.rate is None else f", {percent(estimate.rate, 1)}"
    return f"{_values(tuning, estimate.optimum)}{rate}"


def _tally(tuning: Tuning) -> Tally:
    winners = [one.game.winner for one in tuning.games]
    return Tally(*(winners.count(winner) for winner in ("A", "B", "")))


def _summary(tuning: Tuning, estimate: Estimate, best: str, folder: Path) -> dict[str, Any]:
    return {
        "folder": str(folder),
        "parameters": {
            one.name: {
                "low": one.low,
                "high": one.high,
                "whole": one.whole,
                "optimum": estimate.optimum[one.name],
                "interval": list(estimate.intervals[one.name]),
            }
            for one in tuning.parameters
        },
        "engine": best,
        "expected_rate": estimate.rate,
        "expected_interval": list(estimate.rate_interval),
        **_tally(tuning).data(),
        "finished": [asdict(one) for one in sorted(tuning.games, key=lambda one: one.game.number)],
    }


def _show(out: Console, tuning: Tuning, estimate: Estimate, best: str) -> None:
    rows = [
        (
            one.name,
            *(one.text(value) for value in (one.low, one.high, estimate.optimum[one.name])),
            " … ".join(map(one.text, estimate.intervals[one.name])),
        )
        for one in tuning.parameters
    ]
    out.print(plain_table(("parameter", "from", "to", "optimum", "not ruled out"), rows))
    tally = _tally(tuning)
    out.print(
        f"{tally.games} games: {tally.wins} won, {tally.losses} lost, {tally.draws} drawn "
        f"({percent(tally.rate or 0.0, 1)})"
    )
    if estimate.rate is not None:
        low, high = (100 * end for end in estimate.rate_interval)
        out.print(
            f"expected win rate at the optimum {percent(estimate.rate, 1)} ({low:.1f}–{high:.1f})"
        )
    out.print(f"engine: {best}", soft_wrap=True)
