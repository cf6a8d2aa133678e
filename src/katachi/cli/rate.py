"""`katachi rate`: ratings of the members of any competing teams."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import RenderableType
from rich.text import Text

from katachi.cli.options import FROM_1, jobs_option, json_option, option
from katachi.cli.tables import csv_text, plain_table
from katachi.cli.talk import kernels_ready, screen, stages, talk
from katachi.errors import KatachiError
from katachi.learning.bradley_terry.fit import FITS
from katachi.printable import json_text, one_line
from katachi.processes import default_jobs
from katachi.teams.estimator import BradleyTerry
from katachi.teams.files import TeamFile, read_competitions

SHOWN = 50  # members in the table without --top
FIELDS = ("member", "family", "elo", "error", "gamma", "wins", "appearances")


@click.command("rate", short_help="Rate the members of any competing teams.")
@click.argument("path", type=click.Path(path_type=Path), metavar="FILE")
@option(
    "--method",
    "mm: plain minorization-maximization; fast: faster steps to the same maximum",
    FITS,
    "fast",
)
@option(
    "--prior WINS LOSSES",
    "Virtual games of each member against one of gamma 1",
    (float, float),
    (1.0, 1.0),
)
@option(
    "--tolerance SHARE",
    "Stop when an iteration gains less than this share of the log-posterior",
    float,
    1e-12,
)
@option("--max-iterations N", "Stop after N iterations, converged or not", FROM_1, 1000)
@option("--top N", f"Show only the N strongest; a table shows {SHOWN} by default", FROM_1)
@option("--csv as_csv", "Print the ratings as CSV", bool)
@json_option("the ratings and the fit")
@jobs_option("Number of threads (default all cores)")
def command(
    path: Path,
    method: str,
    prior: tuple[float, float],
    tolerance: float,
    max_iterations: int,
    top: int | None,
    as_csv: bool,
    as_json: bool,
    jobs: int | None,
) -> None:
    """Rate the members of competing teams by the generalized Bradley-Terry model: the strength
    (gamma) of a team is the product of its members', and its chance to win its share of the sum.

    FILE has one competition to a line, as JSON or CSV with the winner first, or is in the format
    of Coulom's program mm; docs/rate.md shows each.
    """
    if as_csv and as_json:
        raise KatachiError("--csv and --json exclude each other: choose one")
    model = BradleyTerry(
        wins=prior[0],
        losses=prior[1],
        method=method,
        tolerance=tolerance,
        max_iterations=max_iterations,
        jobs=jobs or default_jobs(),
    )
    with kernels_ready(talk(), "rate"), stages(talk()) as show:
        teams = read_competitions(path, show)
        model.fit_columns(teams.columns, teams.members, progress=show)
    if not model.converged_:
        talk().print(
            f"not converged after {model.iterations_:,} iterations: the ratings are not final, "
            "give more --max-iterations",
            soft_wrap=True,
        )
    rows = _rows(model, teams)
    if as_json:
        data = _summary(model, teams) | {"ratings": rows[:top]}
        click.echo(json_text(data, indent=2))
    elif as_csv:
        click.echo(csv_text(FIELDS, (row.values() for row in rows[:top])), nl=False)
    else:
        _show(rows, top or SHOWN, model, teams)


def _rows(model: BradleyTerry, teams: TeamFile) -> list[dict[str, Any]]:
    """A row to a member, the strongest first."""
    families = teams.families or {}
    home = {member: family for family, members in families.items() for member in members}
    columns = (
        model.members_,
        (home.get(member) for member in model.members_),
        *(
            values.tolist()
            for values in (
                model.elo_,
                model.standard_error_,
                model.gamma_,
                model.wins_,
                model.appearances_,
            )
        ),
    )
    rows = [dict(zip(FIELDS, values, strict=True)) for values in zip(*columns, strict=True)]
    return [rows[i] for i in np.argsort(-model.elo_, kind="stable").tolist()]


def _summary(model: BradleyTerry, teams: TeamFile) -> dict[str, Any]:
    return {
        "form": teams.kind,
        "competitions": teams.competitions,
        "members": len(teams.members),
        "log_likelihood": model.log_likelihood_,
        "log_posterior": model.log_posterior_,
        "iterations": model.iterations_,
        "converged": model.converged_,
        "error_kind": model.standard_error_kind_,
    }


def _show(rows: list[dict[str, Any]], most: int, model: BradleyTerry, teams: TeamFile) -> None:
    out = screen()
    named = teams.families is not None
    words = ("member", "family") if named else ("member",)
    shown: list[tuple[RenderableType, ...]] = [
        (
            *(Text(one_line(row[name])) for name in words),
            f"{row['elo']:+.1f}",
            f"{row['error']:.1f}",
            f"{row['gamma']:.4g}",
            f"{row['wins']:,}",
            f"{row['appearances']:,}",
        )
        for row in rows[:most]
    ]
    table = plain_table((*words, "Elo", "±", *FIELDS[4:]), shown, left=len(words))
    out.print(table)
    if len(rows) > most:
        out.print(f"… and {len(rows) - most:,} more: --top {len(rows)} lists them")
    s = _summary(model, teams)
    ended = "converged" if s["converged"] else "not converged"
    out.print(
        f"{s['competitions']:,} competitions, log-likelihood {s['log_likelihood']:.6f}, "
        f"log-posterior {s['log_posterior']:.6f}, {s['iterations']:,} iterations, {ended}",
        soft_wrap=True,
    )
