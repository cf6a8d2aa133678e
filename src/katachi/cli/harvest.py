"""`katachi harvest`: which shapes appear often enough in these games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from katachi.cli.corpora import Chosen, WantedGames, game_options, some_games
from katachi.cli.options import FROM_0, FROM_1, json_option, option
from katachi.cli.tables import plain_table
from katachi.cli.talk import kernels_ready, screen, stages, talk
from katachi.folders import check_file
from katachi.patterns.shapes.answers import HARVESTED, Answers
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.harvest import RULES, harvest

PAPER = ("candidates", 625)  # Coulom 2007, section 3.2
LATER = ("played", (2, 5, 10, 20))  # what later programs found better


@click.command("harvest", short_help="Find the shapes that appear often in these games.")
@game_options
@option("-o --output FILE", "Write the dictionary of shapes to this file", Path)
@option(
    "--rule",
    "candidates: count around every empty point of every position; played: around moves played",
    tuple(RULES),
    "candidates",
)
@option("--min-count N", "Keep shapes with at least N appearances", FROM_1, PAPER[1])
@option(
    "--templates",
    "Coulom's circles of radius 3 to 10, Stern's T1 to T8, circles that see the previous move or "
    "liberties, or answers to the last move",
    tuple(HARVESTED),
    "circles",
)
@option("--survey", "Only count: by the paper's rule, and moves played 2, 5, 10, 20 times", bool)
@option("--draw N", "Draw the N most frequent shapes of each template", FROM_0, 0)
@json_option("the counts")
def command(
    records: WantedGames,
    output: Path | None,
    rule: str,
    min_count: int,
    templates: str,
    survey: bool,
    draw: int,
    as_json: bool,
) -> None:
    """Find the shapes that appear at least so many times in these games, each template apart,
    equal under the 8 symmetries and exchange of colours, the edge of the board included.
    """
    if output is not None:
        check_file(output)
    with kernels_ready(talk(), "harvest"):
        chosen = some_games(records)
        surveyed = [PAPER, *((LATER[0], count) for count in LATER[1])]
        plans = surveyed if survey else [(rule, min_count)]
        found = [_harvest(chosen, templates, *plan) for plan in plans]
    if output is not None and not survey:
        found[0].save(output)
    if as_json:
        click.echo(json.dumps({"games": len(chosen.games), "harvests": [_data(s) for s in found]}))
        return
    out = screen()
    out.print(_table(found))
    for shapes in found if draw else ():
        _draw(out, shapes, draw)
    if output is not None and not survey:
        talk().print(f"wrote {output}: {len(found[0]):,} shapes", soft_wrap=True)


def _harvest(chosen: Chosen, templates: str, rule: str, min_count: int) -> Shapes:
    with stages(talk()) as show:
        return harvest(
            chosen.games,
            templates=HARVESTED[templates],
            rule=rule,
            min_count=min_count,
            jobs=chosen.jobs,
            progress=show,
        )


def _data(shapes: Shapes) -> dict[str, Any]:
    return {
        "templates": shapes.templates.name,
        "rule": shapes.rule,
        "min_count": shapes.min_count,
        "shapes": len(shapes),
        "per_template": shapes.per_template(),
    }


def _table(found: list[Shapes]) -> Table:
    numbers = [(s.min_count, len(s), *s.per_template().values()) for s in found]
    rows = [(s.rule, *(f"{n:,}" for n in row)) for s, row in zip(found, numbers, strict=True)]
    return plain_table(("rule", "min", "shapes", *found[0].templates.labels), rows)


def _draw(out: Console, shapes: Shapes, most: int) -> None:
    answers = isinstance(shapes.templates, Answers)
    for ring, label in enumerate(shapes.templates.labels):
        what = f"kind {label}" if answers else f"radius {label}"
        for i in [i for i in range(len(shapes)) if shapes.rings[i] == ring][:most]:
            out.print(f"\nshape {i + 1}, {what}: {shapes.counts[i]:,} times")
            out.print(shapes.draw(i))
