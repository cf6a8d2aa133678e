"""`katachi reproduce`: a paper's experiment, theirs and ours side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from rich.console import Console
from rich.table import Table
from rich.text import Text

from katachi.cli.araki import araki
from katachi.cli.matches import ended_in_order, playing, rate_text
from katachi.cli.options import FROM_1, jobs_option, json_option, option, output_option
from katachi.cli.stern import stern
from katachi.cli.talk import kernels_ready, results, stages, talk
from katachi.errors import KatachiError
from katachi.evaluation.tables import headline_table
from katachi.learning.base import FIXED_MB, MEMORY
from katachi.match.play import Progress as MatchProgress
from katachi.match.settings import SIDES
from katachi.papers.coulom import PAPER, Reproduction, reproduce
from katachi.papers.table2 import GAMES, KOMI, SIZES, PlayedRow, Row, Terms, play_table, rows_of
from katachi.patterns.catalogue import COULOM
from katachi.processes import default_jobs

PAPERS = ("coulom", "stern", "araki")

_ONLY_FOR = {
    "data": 1,
    "owner": 1,
    "sizes": 2,
    "games": 2,
    "minutes": 2,
    "simulations": 2,
    "level": 2,
}
# The papers that an option is for
_WHOSE = {
    **dict.fromkeys(
        ("table", "owner", "sizes", "games", "minutes", "simulations", "level"), ("coulom",)
    ),
    "growth": ("stern",),
    "memory": ("stern", "araki"),
}


@click.command("reproduce", short_help="A paper's tables, theirs and ours side by side.")
@click.argument("paper", type=click.Choice(PAPERS))
@option(
    "--table",
    "Coulom: table 1, how well moves are predicted, or table 2, games against GNU Go",
    ("1", "2"),
    "1",
)
@option("--data DIR", "The folder with the packs of games; only table 2 needs none", Path)
@output_option(
    "Folder for the models, the figures and report.json, or for the matches of table 2",
    default=Path("reproduced"),
)
@option("--owner/--no-owner", "Table 1: use the 9th feature, the owner", bool, True)
@option(
    "--size sizes",
    "Table 2: size of the board; may be given again (default both)",
    tuple(map(str, SIZES)),
    multiple=True,
)
@option("--games N", "Table 2: number of games for each row", int, GAMES)
@option(
    "--minutes M",
    "Table 2: our time for a game (default the paper's: 1.5 on 9x9, 32 on 19x19)",
    float,
)
@option("--simulations N", "Table 2: simulations for each of our moves, instead of a clock", FROM_1)
@option("--level N", "Table 2: GNU Go's level (default the paper's: 10 on 9x9, 8 on 19x19)", FROM_1)
@option("--growth", "Stern: learn from 5,000, 10,000 … and all 58,816 games instead", bool)
@option(
    "--memory MB",
    "Stern, Araki: drop the rarest patterns so that the rest fit in this memory",
    click.IntRange(FIXED_MB + 200),
    MEMORY,
)
@jobs_option("Number of processes (default all cores); table 2: of games at a time (default 1)")
@json_option("everything")
@click.pass_context
def command(
    ctx: click.Context,
    paper: str,
    table: str,
    data: Path | None,
    output: Path,
    owner: bool,
    sizes: tuple[str, ...],
    games: int,
    minutes: float | None,
    simulations: int | None,
    level: int | None,
    growth: bool,
    memory: int,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Reproduce a paper from end to end. coulom: section 3 of "Computing Elo Ratings of Move
    Patterns in the Game of Go" on its own 652 and 551 games: Table 1, figures 3 and 4; by --table 2
    section 4: without patterns, with them, and with widening against GNU Go. stern: "Bayesian
    Pattern Ranking for Move Prediction in the Game of Go" on 20,000 games of professionals, and 500
    to test on: figures 2, 3 and 4. araki: "Move Prediction in Go with the Maximum Entropy Method"
    on the same games: Tables I to IV, and what each part of it is worth.
    """
    for name, papers in _WHOSE.items():
        given = ctx.get_parameter_source(name) is not ParameterSource.DEFAULT
        if given and paper not in papers:
            option = "--size" if name == "sizes" else f"--{name}"
            raise click.UsageError(f"{option} is for reproduce {' or '.join(papers)}", ctx)
    if output.exists() and not output.is_dir():
        raise KatachiError(f"{output} is a file: name a folder for the results")
    if paper == "araki":
        araki(_packs(data, ctx), output, memory, jobs or default_jobs(), as_json)
        return
    if paper == "stern":
        stern(_packs(data, ctx), output, memory, growth, jobs or default_jobs(), as_json)
        return
    for name, other in _ONLY_FOR.items():
        given = ctx.get_parameter_source(name) is not ParameterSource.DEFAULT
        if given and int(table) != other:
            option = "--size" if name == "sizes" else f"--{name}"
            raise click.UsageError(f"{option} is for --table {other}", ctx)
    if table == "1":
        _first(paper, data, output, owner, jobs, as_json, ctx)
        return
    if minutes is not None and simulations is not None:
        raise click.UsageError("--minutes and --simulations exclude each other: choose one", ctx)
    rows = rows_of(map(int, sizes) if sizes else SIZES)
    terms = Terms(games, minutes, simulations, level)
    _second(rows, terms, output, jobs or 1, as_json)


def _packs(data: Path | None, ctx: click.Context) -> Path:
    if data is None:
        raise click.UsageError("it needs --data, the folder with the packs of games", ctx)
    if not data.is_dir():
        raise KatachiError(f"{data} is no folder: name the one with the packs of games")
    return data


def _first(
    paper: str,
    data: Path | None,
    output: Path,
    owner: bool,
    jobs: int | None,
    as_json: bool,
    ctx: click.Context,
) -> None:
    data = _packs(data, ctx)
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
    rows = (
        ("moves found at rank 1", "top1", "{:.2%}"),
        ("mean log-evidence", "mean_log_evidence", "{:.3f}"),
        ("uniform log-evidence", "uniform_log_evidence", "{:.3f}"),
    )
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
            family if family != before else "",
            Text(levels[family][row["level"] - 1].name),
            f"{row['paper']:.2f}",
            *(f"{one['gamma']:.2f}" for one in ours),
            f"{ours[0]['wins']:,}",
            f"{ours[0]['appearances']:,}",
            "" if not senses else "same" if senses == {True} else "differs",
        )
        before = family
    return table


# -- table 2 -------------------------------------------------------------------------------------


def _second(rows: list[Row], terms: Terms, output: Path, jobs: int, as_json: bool) -> None:
    console = talk()

    @contextmanager
    def watch(row: Row) -> Iterator[MatchProgress]:
        console.print(f"{row.size}x{row.size}, {_words(row)}:")
        with playing(console) as show:
            yield show

    with kernels_ready(console, "match"), ended_in_order():
        played = play_table(rows, terms, output, jobs=jobs, watch=watch)
    if as_json:
        click.echo(json.dumps({"komi": KOMI, "rows": [one.data() for one in played]}, indent=1))
    else:
        _show_table_2(results(), played)
        console.print(f"the matches are in {output}", soft_wrap=True)


def _words(row: Row) -> str:
    return row.preset.replace("-", " ")


def _show_table_2(out: Console, played: list[PlayedRow]) -> None:
    title = f"Table 2: against {played[0].result.engines['B'].title}, komi {KOMI}"
    table = Table(box=None, pad_edge=False, title=title, title_justify="left")
    for i, name in enumerate(
        (
            "board",
            "engine",
            "time",
            "level",
            "games",
            "wins",
            "95 %",
            "paper",
            "its time",
            "its level",
            "its games",
        )
    ):
        table.add_column(name, justify="left" if i < 2 else "right", no_wrap=True)
    for one in played:
        tally, paper = one.result.tally(), one.paper
        rate, _, interval = rate_text(tally).partition(" (")
        time = f"{one.simulations:,} sim." if one.minutes is None else f"{one.minutes:g} min"
        theirs = ["", "", "", ""]
        if paper is not None:
            theirs = [
                f"{100 * paper.rate:.1f} %",
                f"{paper.minutes:g} min",
                str(paper.level),
                str(paper.games),
            ]
        table.add_row(
            f"{one.row.size}x{one.row.size}",
            _words(one.row),
            time,
            str(one.level),
            str(tally.games),
            rate,
            interval.rstrip(")"),
            *theirs,
        )
    out.print(table)
    out.print("default is our own engine; the paper's games were against GNU Go 3.6")
    for one in played:
        for side, name in zip(SIDES, ("Katachi", "GNU Go"), strict=True):
            faults = ", ".join(f"{n} by {reason}" for reason, n in one.faults(side).items())
            if faults:
                out.print(f"{one.row.name}: {name} lost {faults}")
