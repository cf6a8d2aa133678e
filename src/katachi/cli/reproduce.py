"""`katachi reproduce`: a paper's experiment, theirs and ours side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from rich.console import RenderableType

from katachi.cli import araki as show_araki
from katachi.cli import beyond as show_beyond
from katachi.cli import coulom as show_coulom
from katachi.cli import stern as show_stern
from katachi.cli.matches import ended_in_order, playing
from katachi.cli.options import FROM_1, jobs_option, json_option, option, output_option
from katachi.cli.talk import kernels_ready, print_parts, stages, talk
from katachi.errors import KatachiError
from katachi.folders import check_folder
from katachi.learning.base import FIXED_MB, MEMORY
from katachi.match.play import Spectator
from katachi.papers import araki, beyond, coulom, stern
from katachi.papers.run import Run, strange_packs
from katachi.papers.table2 import GAMES, KOMI, SIZES, Row, Terms, play_table, rows_of
from katachi.processes import default_jobs

PAPERS = ("coulom", "stern", "araki", "beyond")

QUICK_TERMS = Terms(2, None, 100, 1)
# The options that --quick leaves no choice
QUICK_CHOOSES = (
    *("data", "sizes", "games", "minutes", "simulations", "level"),
    *("growth", "corpus", "positions"),
)

# The table of Coulom's paper that an option is for
_ONLY_FOR = {"data": 1, "owner": 1} | dict.fromkeys(
    ("sizes", "games", "minutes", "simulations", "level"), 2
)
# The papers that an option is for
_WHOSE: dict[str, tuple[str, ...]] = {
    "growth": ("stern", "beyond"),
    "memory": ("stern", "araki"),
    **dict.fromkeys(("table", *_ONLY_FOR), ("coulom",)),
    **dict.fromkeys(("corpus", "positions"), ("beyond",)),
    "data": PAPERS,
    "owner": ("coulom", "beyond"),
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
@option("--owner/--no-owner", "Table 1, beyond: use the 9th feature, the owner", bool, True)
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
@option(
    "--quick",
    "A few bundled games in the place of the packs, to see that everything runs: the numbers mean "
    "nothing. Table 2: two games of 9x9 a row, 100 simulations, GNU Go's level 1",
    bool,
)
@option(
    "--growth",
    "Stern: learn from 5,000, 10,000 … and all 58,816 games instead; beyond: from 10, 40, 80 and "
    "all positions of each game",
    bool,
)
@option(
    "--memory MB",
    "Stern, Araki: drop the rarest patterns so that the rest fit in this memory",
    click.IntRange(FIXED_MB + 200),
    MEMORY,
)
@option(
    "--corpus", "Beyond: the games to learn from and to test on", tuple(beyond.CORPORA), "coulom"
)
@option(
    "--positions-per-game positions N",
    "Beyond: learn from N positions of each game, 0 for all (default 0; professionals: 80)",
    click.IntRange(0),
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
    quick: bool,
    growth: bool,
    memory: int,
    corpus: str,
    positions: int | None,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Reproduce a paper from end to end.

    coulom: "Computing Elo Ratings of Move Patterns in the Game of Go", section 3, on its own 652
    and 551 games: Table 1, figures 3 and 4. With --table 2, section 4: games against GNU Go without
    patterns, with patterns, and with widening.

    stern: "Bayesian Pattern Ranking for Move Prediction in the Game of Go", on 20,000 games of
    professionals, and 500 to test on: figures 2, 3 and 4.

    araki: "Move Prediction in Go with the Maximum Entropy Method", on the same games: Tables I to
    IV, and what each part of it is worth.

    beyond: no paper, but what we add to them: answers to the last move, and features that count
    together, on Coulom's games or on those of professionals, beside the linear model.
    """
    _check_options(ctx, paper, int(table))
    check_folder(output, "the results")
    if table == "2":
        if minutes is not None and simulations is not None:
            raise click.UsageError(
                "--minutes and --simulations exclude each other: choose one", ctx
            )
        terms = Terms(games, minutes, simulations, level)
        rows = rows_of(map(int, sizes) if sizes else SIZES)
        if quick:
            output, terms, rows = output / "quick", QUICK_TERMS, rows_of(SIZES[:1])
        _play(rows, terms, output, jobs or 1, as_json)
        return
    if paper == "beyond" and growth and positions is not None:
        raise click.UsageError("--growth and --positions-per-game exclude each other", ctx)
    if quick:
        data, output = None, output / "quick"
    elif data is None:
        raise click.UsageError(
            "it needs --data, the folder with the packs of games, or --quick", ctx
        )
    else:
        _check_packs(data)
    parts: list[RenderableType]
    found: Any
    with kernels_ready(talk(), f"reproduce-{paper}"), stages(talk()) as show:
        run = Run(data, output, jobs or default_jobs(), show, memory)
        if paper == "coulom":
            tables = coulom.reproduce(run, owner=owner)
            found, parts = tables.data(), show_coulom.shown(tables)
        elif paper == "araki":
            done = araki.reproduce(run)
            found, parts = done.data(), show_araki.shown(done)
        elif paper == "beyond" and growth:
            found = beyond.reproduce_growth(run, corpus)
            parts = [show_beyond.growth(found)]
        elif paper == "beyond":
            added = beyond.reproduce(run, corpus, owner=owner, positions_per_game=positions)
            found, parts = added.data(), show_beyond.shown(added)
        elif growth:
            found = stern.reproduce_growth(run)
            parts = [show_stern.growth(found)]
        else:
            ranked = stern.reproduce(run)
            models = {way: one.data() for way, one in ranked.items()}
            found, parts = {"paper": stern.PAPER, "models": models}, show_stern.shown(ranked)
    if as_json:
        click.echo(json.dumps(found))
        return
    print_parts(parts)
    talk().print(f"the models, the figures and the report are in {output}", soft_wrap=True)


def _check_packs(data: Path) -> None:
    """Say which packs are other ones. Raises KatachiError if there is no folder of packs."""
    if not data.is_dir():
        raise KatachiError(f"{data} is no folder: name the one with the packs of games")
    for name in strange_packs(data):
        talk().print(
            f"{name} is not the pack of docs/results (its sha256 is another one): the numbers "
            "will not be comparable",
            soft_wrap=True,
        )


def _check_options(ctx: click.Context, paper: str, table: int) -> None:
    """Raises UsageError for an option that is for another paper, or for the other table."""
    for parameter in ctx.command.params:
        name = parameter.name or ""
        if ctx.get_parameter_source(name) is ParameterSource.DEFAULT:
            continue
        papers = _WHOSE.get(name, PAPERS)
        if paper not in papers:
            words = f"reproduce {' or '.join(papers)}"
        elif paper == "coulom" and _ONLY_FOR.get(name, table) != table:
            words = f"--table {_ONLY_FOR[name]}"
        else:
            continue
        raise click.UsageError(f"{parameter.opts[0]} is for {words}", ctx)
    if ctx.params["quick"]:
        for name in QUICK_CHOOSES:
            if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT:
                option = next(p.opts[0] for p in ctx.command.params if p.name == name)
                raise click.UsageError(f"--quick and {option} exclude each other", ctx)


def _play(rows: list[Row], terms: Terms, output: Path, jobs: int, as_json: bool) -> None:
    console = talk()

    @contextmanager
    def watch(row: Row) -> Iterator[Spectator]:
        console.print(f"{row.size}x{row.size}, {show_coulom.engine_words(row)}:")
        with playing(console) as show:
            yield show

    with kernels_ready(console, "match"), ended_in_order():
        played = play_table(rows, terms, output, jobs=jobs, watch=watch)
    if as_json:
        click.echo(json.dumps({"komi": KOMI, "rows": [one.data() for one in played]}, indent=1))
    else:
        print_parts(show_coulom.shown_games(played))
        console.print(f"the matches are in {output}", soft_wrap=True)
