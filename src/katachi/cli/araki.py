"""`katachi reproduce araki`: the tables, the paper's numbers beside ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from katachi.cli.talk import kernels_ready, results, stages, talk
from katachi.evaluation.tables import headline_table
from katachi.papers.araki import DEVELOP, FEW, Reproduction, reproduce
from katachi.papers.numbers import ARAKI_AMOUNTS, ARAKI_GAMES, ARAKI_RANKS, ARAKI_WIDTHS, RANKS


def araki(data: Path, output: Path, memory: int, jobs: int, as_json: bool) -> None:
    """Run the reproduction and print it."""
    with kernels_ready(talk(), "reproduce-araki"), stages(talk()) as show:
        done = reproduce(data, output, memory_mb=memory, jobs=jobs, progress=show)
    if as_json:
        click.echo(json.dumps(done.data()))
        return
    out = results()
    for part in (
        _widths(done),
        _amounts(done),
        _growth(done),
        _comparison(done),
        _parts(done),
        headline_table(done.comparison),
        _cost(done),
    ):
        out.print(part)
        out.print()
    out.print(f"the models and the figure are in {output}", soft_wrap=True)


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def _table(title: str, *names: str) -> Table:
    table = Table(box=None, pad_edge=False, title=title, title_justify="left")
    for i, name in enumerate(names):
        table.add_column(name, justify="right" if i else "left", no_wrap=True)
    return table


def _widths(done: Reproduction) -> Table:
    table = _table(
        f"Table I: width of the constraints; {FEW:,} games, {DEVELOP} of the others to develop on",
        "width",
        "paper",
        "first",
        "95 %",
        "log-evidence",
        "weights",
    )
    for width, one in done.widths.items():
        low, high = one["top1_interval"]
        table.add_row(
            f"{width:.1f}",
            _percent(ARAKI_WIDTHS[width]),
            _percent(one["top1"]),
            f"{100 * low:.2f}–{100 * high:.2f}",
            f"{one['mean_log_evidence']:.3f}",
            f"{one['weights']:,}",
        )
    return table


def _ranks(one: dict[str, Any]) -> list[float]:
    return [one["curve"][rank - 1] for rank in ARAKI_RANKS]


def _amounts(done: Reproduction) -> Table:
    columns = [f"{most} {whose}" for most in done.amounts for whose in ("paper", "ours")]
    table = _table("Table II: moves ranked anew; the same games", "within", *columns)
    for i, rank in enumerate(ARAKI_RANKS):
        cells = []
        for most, one in done.amounts.items():
            cells += [_percent(ARAKI_AMOUNTS[most][i]), _percent(_ranks(one)[i])]
        table.add_row(str(rank), *cells)
    return table


def _growth(done: Reproduction) -> Table:
    columns = [f"{games:,} {whose}" for games in done.growth for whose in ("paper", "ours")]
    table = _table("Table III: games to learn from", "within", *columns)
    for i, rank in enumerate(ARAKI_RANKS[:4]):
        cells = []
        for games, one in done.growth.items():
            theirs = ARAKI_GAMES[games]
            cells += [_percent(theirs[i]) if i < len(theirs) else "", _percent(_ranks(one)[i])]
        table.add_row(str(rank), *cells)
    return table


def _comparison(done: Reproduction) -> Table:
    names = ("maxent paper", "maxent", "Stern paper", "ranking", "frequency")
    table = _table("Table IV: 20,000 games", "within", *names)
    stern = tuple(RANKS["Stern et al. 2005"].values())
    ours = [_ranks(done.comparison[name]) for name in ("maxent", "ranking", "frequency")]
    for i, rank in enumerate(ARAKI_RANKS[:4]):
        table.add_row(
            str(rank),
            _percent(ARAKI_GAMES[20_000][i]),
            _percent(ours[0][i]),
            _percent(stern[i]),
            *(_percent(one[i]) for one in ours[1:]),
        )
    return table


def _parts(done: Reproduction) -> Table:
    table = _table(
        f"What each part is worth; {FEW:,} games, those of Table I",
        "model, features, moves",
        *(str(rank) for rank in ARAKI_RANKS[:5]),
        "log-evidence",
        "weights",
    )
    for name, one in done.parts.items():
        weights = "" if one["weights"] is None else f"{one['weights']:,}"
        table.add_row(
            name,
            *(_percent(share) for share in _ranks(one)[:5]),
            f"{one['mean_log_evidence']:.3f}",
            weights,
        )
    return table


def _cost(done: Reproduction) -> str:
    seconds = ", ".join(f"{name} {value:.0f} s" for name, value in done.seconds.items())
    return (
        f"20,000 games: {seconds} (the paper: 8.75 days); the largest process of the whole run "
        f"{done.megabytes:,.0f} MB (the paper: 16 GB)"
    )
