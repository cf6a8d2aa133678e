"""`katachi ratings`: what a model has learnt, level by level."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import click
from rich.columns import Columns
from rich.console import Console
from rich.table import Table
from rich.text import Text

from katachi.cli.options import FROM_1, json_option, option
from katachi.cli.tables import csv_text
from katachi.cli.talk import results
from katachi.errors import KatachiError
from katachi.evaluation.ratings import Rating, extremes, is_shape, ratings_of
from katachi.models.model import Model, load_model
from katachi.patterns.vocabulary.groups import TERMS, WORD_FAMILIES
from katachi.patterns.vocabulary.names import japanese

DRAWN = 6  # strongest and weakest shapes of a family, without --top
LISTED = 40  # levels of a family in a table, without --top
_TITLES: Final = {family.name: family.title for family in WORD_FAMILIES}


@click.command("ratings", short_help="Show what a model has learnt, level by level.")
@click.argument("models", type=click.Path(path_type=Path), nargs=-1, metavar="[MODEL]…")
@option("--family only NAME", "Show this family only")
@option(
    "--top N",
    f"Show the N strongest and the N weakest of each family (default all; of shapes {DRAWN})",
    FROM_1,
)
@option(
    "--words",
    "Show only the words of the vocabulary, with their Japanese terms; of several models side by "
    "side",
    bool,
)
@option("--csv as_csv", "Print every level as CSV", bool)
@json_option("every level")
def command(
    models: tuple[Path, ...],
    only: str | None,
    top: int | None,
    words: bool,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Show the rating of every feature: gamma; Elo, and its error while all other ratings are held;
    how many played moves had the feature (wins) and how many legal moves (appearances). Then draw
    the strongest and the weakest shapes. Without MODEL it is the model that comes with Katachi.
    """
    if len(models) > 1:
        if not words or top or as_csv or as_json:
            raise KatachiError(
                "several models are compared by their words only: give --words, and no other form"
            )
        results().print(_side_by_side(models, only))
        return
    found = load_model(*models)
    names = list(found.predictor.ratings) if only is None else [only]
    if words:
        names = _groups(names)
    if as_csv or as_json:
        rows = [row for name in names for row in _chosen(found, name, top)]
        if as_csv:
            lines = (row._replace(drawing=row.drawing.replace("\n", "/")) for row in rows)
            click.echo(csv_text(Rating._fields, lines), nl=False)
        else:
            click.echo(json.dumps([row._asdict() for row in rows]))
        return
    out = results()
    if words:
        out.print(_vocabulary(found, names, top))
        return
    table = _table("e^mean" if found.predictor.is_score else "gamma")
    for name in names:
        if not is_shape(found, name):
            _add(table, found, name, top)
    if table.row_count:
        out.print(table)
    for name in names:
        if is_shape(found, name):
            _draw(out, found, name, top or DRAWN)


def _groups(names: list[str]) -> list[str]:
    """Those of the families that are groups of words. Raises KatachiError if none is."""
    found = [name for name in names if name in _TITLES]
    if not found:
        raise KatachiError("the model has no words: katachi train --features words makes one")
    return found


def _side_by_side(paths: tuple[Path, ...], only: str | None) -> Table:
    """The words that every model has: Elo with its error, and wins, of each model."""
    models = [load_model(path) for path in paths]
    table = Table(box=None, pad_edge=False)
    for name in ("group", "word", "Japanese"):
        table.add_column(name)
    for path in paths:
        table.add_column(Text(path.stem), justify="right", no_wrap=True)
        table.add_column("played", justify="right", no_wrap=True)
    for name in _groups(list(models[0].predictor.ratings) if only is None else [only]):
        for model, path in zip(models, paths, strict=True):
            if name not in model.predictor.ratings:
                raise KatachiError(f"{path} has no {name}: give models of the same features")
        rows = zip(*(ratings_of(model, name) for model in models), strict=True)
        for i, row in enumerate(rows):
            cells = [(f"{one.elo:+.0f} ±{one.error:.0f}", f"{one.wins:,}") for one in row]
            table.add_row(
                Text(_TITLES[name] if i == 0 else ""),
                Text(TERMS[row[0].level].word),
                Text(japanese(row[0].level)),
                *(cell for pair in cells for cell in pair),
            )
    return table


def _vocabulary(model: Model, names: list[str], top: int | None) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("group", "word", "Japanese"):
        table.add_column(name)
    for name in ("Elo", "±", "wins", "appearances"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in names:
        for i, row in enumerate(_chosen(model, name, top)):
            table.add_row(
                Text(_TITLES[name] if i == 0 else ""),
                Text(TERMS[row.level].word),
                Text(japanese(row.level)),
                f"{row.elo:+.0f}",
                f"{row.error:.0f}",
                f"{row.wins:,}",
                f"{row.appearances:,}",
            )
    return table


def _chosen(model: Model, name: str, top: int | None) -> list[Rating]:
    if top is None:
        return list(ratings_of(model, name))
    strong, weak = extremes(model, name, top)
    return [*strong, *reversed(weak)]


def _table(strength: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("family", "level"):
        table.add_column(name)
    for name in (strength, "Elo", "±", "wins", "appearances"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("this move …", ratio=1)
    return table


def _add(table: Table, model: Model, name: str, top: int | None) -> None:
    rows = _chosen(model, name, top)
    left = 0
    if top is None and len(rows) > LISTED:
        left = len(rows) - LISTED
        rows = _chosen(model, name, LISTED // 2)
    for i, row in enumerate(rows):
        if left and i == LISTED // 2:
            table.add_row("", f"({left:,} more between)")
        table.add_row(
            Text(name if i == 0 else ""),
            Text(row.level),
            f"{row.gamma:.3g}",
            f"{row.elo:+.0f}",
            f"{row.error:.0f}",
            f"{row.wins:,}",
            f"{row.appearances:,}",
            Text(row.sentence),
        )


def _draw(out: Console, model: Model, name: str, top: int) -> None:
    strong, weak = extremes(model, name, top)
    count = len(model.predictor.ratings[name].gamma)
    for words, rows in (("strongest", strong), ("weakest", weak)):
        if rows:
            out.print(Text.assemble("\n", (name, "bold"), f": the {words} of {count:,}"))
            out.print(Columns([_picture(row) for row in rows], padding=(1, 4)))


def _picture(row: Rating) -> Text:
    head = f"{row.elo:+.0f} ±{row.error:.0f}  {row.wins:,} of {row.appearances:,}"
    return Text(f"{head}\n{row.drawing}")
