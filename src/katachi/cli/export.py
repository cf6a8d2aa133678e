"""`katachi export`: what a model has learnt, for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import click

from katachi.cli.options import option
from katachi.cli.tables import csv_text
from katachi.errors import KatachiError
from katachi.evaluation.ratings import is_shape, ratings_of
from katachi.folders import check_file, check_ordinary, write_whole
from katachi.models.elo import elo
from katachi.models.model import Model, load_model
from katachi.search.header import c_header, light_factors
from katachi.teams.mm_write import numbered

FORMATS: Final = ("csv", "json", "c-header", "mm")
KINDS: Final = ("fitted", "balanced")


class Row(NamedTuple):
    """One gamma. `of` says whose: of the model, or of its playouts."""

    of: str
    family: str
    number: int  # of the level, from 1
    level: str
    gamma: float
    elo: float
    drawing: str  # of a shape, its lines parted by /


@click.command("export", short_help="Write a model's ratings, or its playout gammas, for others.")
@click.argument("model", type=click.Path(path_type=Path), required=False, metavar="[MODEL]")
@option(
    "--format FORMAT",
    "csv, json, mm: all gammas, mm as Coulom's program prints them; c-header: those of playouts",
    FORMATS,
    "csv",
)
@option(
    "--gammas kind KIND",
    "For c-header: as the fit gave them, or balanced, as the engine plays",
    KINDS,
    "balanced",
)
@option("-o --output FILE", "Write into this file, not to the terminal", Path)
def command(model: Path | None, format: str, kind: str, output: Path | None) -> None:
    """Write what a model has learnt for another program: the gamma of every level of every family,
    and those of its playouts, as they were fitted and as they are balanced. Without MODEL it is the
    model that comes with Katachi.

    Example: katachi export --format c-header -o katachi_playout.h
    """
    if output is not None:
        check_file(output, "the gammas")
        check_ordinary(output)
    found = load_model(model)
    if format == "c-header":
        text = c_header(found, kind)
    elif format == "mm":
        text = _mm(found)
    else:
        text = _table(found, format)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(output, text.encode())


def _table(model: Model, format: str) -> str:
    rows = list(_rows(model))
    if format == "csv":
        return csv_text(Row._fields, rows)
    return json.dumps([row._asdict() for row in rows]) + "\n"


def _mm(model: Model) -> str:
    """The gammas by the numbers of `katachi describe --mm`: no position's, no pairs."""
    ratings = model.predictor.ratings
    sizes = {family.name: family.size for family in model.features.families}
    gammas = [ratings[name].gamma[level - 1] for name, level in numbered(sizes)]
    return "".join(f"{n:3} {gamma:10.6g}\n" for n, gamma in enumerate(gammas))


def _rows(model: Model) -> Iterator[Row]:
    for name in model.predictor.ratings:
        for rating in ratings_of(model, name):
            drawing = rating.drawing.replace("\n", "/") if is_shape(model, name) else ""
            yield Row("model", name, rating.number, rating.level, rating.gamma, rating.elo, drawing)
    try:
        factors = {kind: light_factors(model, kind) for kind in KINDS}
    except KatachiError:
        return  # it has no playout gammas
    light = model.playout or model
    for kind, by_family in factors.items():
        for family in light.features.families:
            for number, level in enumerate(family.levels, 1):
                gamma = float(by_family[family.name][number])
                yield Row(
                    f"playout-{kind}", family.name, number, level.name, gamma, float(elo(gamma)), ""
                )
