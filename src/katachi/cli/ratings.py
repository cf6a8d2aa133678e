"""`katachi ratings`: what a model has learnt, level by level."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import click
from rich.columns import Columns
from rich.console import Console
from rich.table import Table
from rich.text import Text

from katachi.cli.talk import results
from katachi.evaluation.ratings import Rating, as_data, extremes, family_names, is_shape, ratings_of
from katachi.models.model import Model, load_model

DRAWN = 6  # strongest and weakest shapes of a family, without --top
LISTED = 40  # levels of a family in a table, without --top


@click.command("ratings", short_help="Show what a model has learnt, level by level.")
@click.argument("model", type=click.Path(path_type=Path), required=False, metavar="[MODEL]")
@click.option("--family", "only", metavar="NAME", help="Only this family.")
@click.option(
    "--top",
    type=click.IntRange(1),
    metavar="N",
    help=f"The N strongest and N weakest of each family; {DRAWN} for shapes if you do not say.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print every level as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print every level as JSON.")
def command(
    model: Path | None, only: str | None, top: int | None, as_csv: bool, as_json: bool
) -> None:
    """Show the rating of every feature: Elo and its error (all else held), gamma, how often it was
    in the move played and in any legal move; and the strongest and weakest shapes. Without a MODEL
    it is the one that comes with Katachi.
    """
    found = load_model(model)
    names = family_names(found) if only is None else [only]
    if as_csv or as_json:
        rows = [row for name in names for row in _chosen(found, name, top)]
        click.echo(_csv(rows) if as_csv else json.dumps([as_data(row) for row in rows]))
        return
    out = results()
    table = _table("e^mean" if found.predictor.is_score else "gamma")
    for name in names:
        if not is_shape(found, name):
            _add(table, found, name, top)
    if table.row_count:
        out.print(table)
    for name in names:
        if is_shape(found, name):
            _draw(out, found, name, top or DRAWN)


def _chosen(model: Model, name: str, top: int | None) -> list[Rating]:
    if top is None:
        return list(ratings_of(model, name))
    strong, weak = extremes(model, name, top)
    return [*strong, *reversed(weak)]


def _csv(rows: list[Rating]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Rating._fields)
    for row in rows:
        writer.writerow(row._replace(drawing=row.drawing.replace("\n", "/")))
    return text.getvalue().rstrip("\n")


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
