"""`katachi reproduce stern`: the figures as tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from katachi.cli.talk import kernels_ready, results, stages, talk
from katachi.evaluation.tables import headline_table
from katachi.papers.stern import PAPER, Ranked, reproduce, reproduce_growth


def stern(data: Path, output: Path, memory: int, growth: bool, jobs: int, as_json: bool) -> None:
    """Run the reproduction and print it."""
    with kernels_ready(talk(), "reproduce-stern"), stages(talk()) as show:
        if growth:
            rows = reproduce_growth(data, output, memory_mb=memory, jobs=jobs, progress=show)
        else:
            done = reproduce(data, output, memory_mb=memory, jobs=jobs, progress=show)
    if growth:
        if as_json:
            click.echo(json.dumps(rows))
        else:
            results().print(_growth(rows))
        return
    if as_json:
        models = {way: one.data() for way, one in done.items()}
        click.echo(json.dumps({"paper": PAPER, "models": models}))
        return
    out = results()
    paper = done["largest"]
    for part in (
        _headline(done),
        headline_table({way: one.report for way, one in done.items()}),
        _phases(paper),
        _sizes(paper),
        _boxes("mean of its pattern", _means(paper), paper.figures["means"]),
        *(f"{way}: {_cost(one)}" for way, one in done.items()),
    ):
        out.print(part)
        out.print()
    out.print(f"the models and the figures are in {output}", soft_wrap=True)


def _headline(done: dict[str, Ranked]) -> Table:
    """Figure 2 at the ranks that the paper tells."""
    table = Table(
        box=None,
        pad_edge=False,
        title="Figure 2: the move played is among the n best",
        title_justify="left",
    )
    table.add_column("")
    for name in ("first", "5", "10", "20", "first, moves 1–30", "games", "patterns"):
        table.add_column(name, justify="right")
    for way, one in done.items():
        patterns = sum(map(len, one.model.features.dictionaries.values()))
        opening = one.figures["phases"][0]["top1"]
        ours = [one.report[name] for name in ("top1", "top5", "top10", "top20")]
        table.add_row(
            way,
            *(f"{100 * x:.1f} %" for x in (*ours, opening)),
            f"{one.model.about['games']:,}",
            f"{patterns:,}",
        )
    theirs = [PAPER[name] for name in ("top1", "top5", "top10", "top20", "first_30_moves")]
    rates = [f"{100 * x:.0f} %" for x in theirs]
    table.add_row(
        "paper", *rates[:4], f"about {rates[4]}", f"{PAPER['games']:,}", f"{PAPER['patterns']:,}"
    )
    return table


def _phases(done: Ranked) -> Table:
    rows = done.figures["phases"]
    names = [f"{row['first']}–{row['last'] or ''}" for row in rows]
    return _boxes("move", names, rows, title="Figure 3, left: rank error by phase")


def _means(done: Ranked) -> list[str]:
    names = []
    for row in done.figures["means"]:
        low = "" if row["low"] is None else f"{row['low']:g}"
        high = "" if row["high"] is None else f"{row['high']:g}"
        names.append(f"{low} … {high}".strip())
    return names


def _sizes(done: Ranked) -> Table:
    """Figure 3, right and centre: a row to a size, its box and its share in each phase."""
    phases = done.figures["phases"]
    table = Table(
        box=None,
        pad_edge=False,
        title_justify="left",
        title="Figure 3, right and centre: rank error by the largest known pattern; its "
        "share (%) of the moves of each phase",
    )
    table.add_column("size")
    for name in ("moves", "first", "q1", "median", "q3", *(str(row["first"]) for row in phases)):
        table.add_column(name, justify="right")
    for row in done.figures["sizes"]:
        a = row["size"]
        table.add_row(
            f"T{a}" if a else "none",
            f"{row['moves']:,}",
            f"{100 * row['top1']:.1f} %",
            *(f"{row[name]:.3f}" for name in ("q1", "median", "q3")),
            *(f"{100 * phase['sizes'][a]:.0f}" for phase in phases),
        )
    return table


def _boxes(
    first: str,
    names: list[str],
    rows: list[dict[str, Any]],
    title: str = "Figure 4: rank error by the mean of the pattern played",
) -> Table:
    table = Table(box=None, pad_edge=False, title=title, title_justify="left")
    table.add_column(first)
    for name in ("moves", "first", "5 %", "q1", "median", "q3", "95 %"):
        table.add_column(name, justify="right")
    for name, row in zip(names, rows, strict=True):
        table.add_row(
            name,
            f"{row['moves']:,}",
            f"{100 * row['top1']:.1f} %",
            *(f"{row[part]:.3f}" for part in ("p5", "q1", "median", "q3", "p95")),
        )
    return table


def _cost(done: Ranked) -> str:
    seconds = ", ".join(f"{name} {value:.0f} s" for name, value in done.seconds.items())
    return f"beta {done.beta:g}; {seconds}; {done.megabytes:,.0f} MB"


def _growth(rows: list[dict[str, Any]]) -> Table:
    table = Table(
        box=None, pad_edge=False, title="Growth with the number of games", title_justify="left"
    )
    for name in (
        "games",
        "moves",
        "patterns",
        "played",
        "first",
        "95 %",
        "5",
        "10",
        "20",
        "log-evidence",
        "harvest",
        "learn",
        "measure",
        "MB",
    ):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        low, high = row["top1_interval"]
        seconds = [f"{row['seconds'][name]:,.0f} s" for name in ("harvest", "learn", "measure")]
        table.add_row(
            f"{row['games']:,}",
            f"{row['moves']:,}",
            f"{row['patterns']:,}",
            f"≥ {row['min_count']}",
            f"{100 * row['top1']:.2f} %",
            f"{100 * low:.2f}–{100 * high:.2f}",
            *(f"{100 * row[name]:.1f} %" for name in ("top5", "top10", "top20")),
            f"{row['mean_log_evidence']:.3f}",
            *seconds,
            f"{row['megabytes']:,.0f}",
        )
    return table
