"""`katachi reproduce`: a paper's experiment, theirs and ours side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from katachi.cli.talk import kernels_ready, results, stages, talk
from katachi.errors import KatachiError
from katachi.evaluation.coulom import PAPER, Reproduction, reproduce
from katachi.evaluation.tables import headline_table
from katachi.patterns.catalogue import COULOM
from katachi.records.read import default_jobs

PAPERS = ("coulom",)


@click.command("reproduce", short_help="A paper's tables, theirs and ours side by side.")
@click.argument("paper", type=click.Choice(PAPERS))
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder with the packs of games.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("reproduced"),
    show_default=True,
    metavar="FOLDER",
    help="For the models, the figures and report.json; an interrupted run goes on there.",
)
@click.option("--owner/--no-owner", default=True, show_default=True, help="With the 9th feature.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Processes; all cores.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def command(
    paper: str, data: Path, output: Path, owner: bool, jobs: int | None, as_json: bool
) -> None:
    """Reproduce a paper from end to end. coulom: section 3 of "Computing Elo Ratings of Move
    Patterns in the Game of Go" on its own 652 and 551 games: Table 1, figures 3 and 4.
    """
    if not data.is_dir():
        raise KatachiError(f"{data} is no folder: name the one with the packs of games")
    if output.exists() and not output.is_dir():
        raise KatachiError(f"{output} is a file: name a folder for the results")
    with kernels_ready(talk(), f"reproduce-{paper}"), stages(talk()) as show:
        done = reproduce(data, output, owner=owner, jobs=jobs or default_jobs(), progress=show)
    if as_json:
        click.echo(json.dumps(done.data()))
        return
    out = results()
    out.print(_headline(done))
    out.print()
    out.print(headline_table(done.reports))
    out.print()
    out.print(_table_1(done))
    costs = ", ".join(f"{stage} {seconds:.0f}" for stage, seconds in done.seconds.items())
    out.print(f"\nseconds: {costs}; in all {sum(done.seconds.values()):.0f} (the paper: an hour)")
    out.print(f"the largest process: {done.megabytes:,.0f} MB (the paper: 600)")
    talk().print(f"wrote the models, figures 3 and 4 and report.json to {output}", soft_wrap=True)


def _headline(done: Reproduction) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("", "paper", *done.models):
        table.add_column(name, justify="left" if not name else "right")
    shapes = f"{len(done.shapes):,}"
    table.add_row("shapes", f"{PAPER['shapes']:,}", *[shapes] * len(done.models))
    first: dict[str, Any]
    rows = (("moves found at rank 1", "top1", "{:.2%}"),
            ("mean log-evidence", "mean_log_evidence", "{:.3f}"),
            ("uniform log-evidence", "uniform_log_evidence", "{:.3f}"))  # fmt: skip
    for words, key, form in rows:
        first = PAPER
        ours = [form.format(one[key]) for one in done.reports.values()]
        table.add_row(words, form.format(first[key]), *ours)
    return table


def _table_1(done: Reproduction) -> Table:
    table = Table(box=None, pad_edge=False, title="Table 1: gammas", title_justify="left")
    names = list(done.models)
    for name in ("family", "level", "paper", *names, "wins", "appearances", "sense"):
        table.add_column(name, justify="left" if name in ("family", "level", "sense") else "right")
    levels = {family.name: family.levels for family in COULOM.families}
    before = ""
    for row in done.table:
        family = row["family"]
        ours = [row[name] for name in names]
        senses = {one["agrees"] for one in ours} - {None}
        table.add_row(
            family if family != before else "", Text(levels[family][row["level"] - 1].name),
            f"{row['paper']:.2f}", *(f"{one['gamma']:.2f}" for one in ours),
            f"{ours[0]['wins']:,}", f"{ours[0]['appearances']:,}",
            "" if not senses else "same" if senses == {True} else "differs",
        )  # fmt: skip
        before = family
    return table
