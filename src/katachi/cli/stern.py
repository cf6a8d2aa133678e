"""`katachi reproduce stern`: the figures as tables."""

from __future__ import annotations

from typing import Any

from rich.console import RenderableType
from rich.table import Table

from katachi.cli.tables import costs, percent, plain_table
from katachi.evaluation.tables import headline_table
from katachi.papers.stern import PAPER, Ranked

Rows = list[dict[str, Any]]

_RANKS = ("top1", "top5", "top10", "top20")


def shown(done: dict[str, Ranked]) -> list[RenderableType]:
    """The figures, and what each model cost."""
    figures = done["largest"].figures
    phases = [f"{row['first']}–{row['last'] or ''}" for row in figures["phases"]]
    means = [f"{_end(row['low'])} … {_end(row['high'])}".strip() for row in figures["means"]]
    return [
        _figure_2(done),
        headline_table({way: one.report for way, one in done.items()}),
        _boxes("Figure 3, left: rank error by phase", "move", phases, figures["phases"]),
        _sizes(figures),
        _boxes(
            "Figure 4: rank error by the mean of the pattern played",
            "mean of its pattern",
            means,
            figures["means"],
        ),
        *(
            f"{way}: beta {one.beta:g}; {costs(one.seconds)}; {one.megabytes:,.0f} MB"
            for way, one in done.items()
        ),
    ]


def _figure_2(done: dict[str, Ranked]) -> Table:
    """Figure 2 at the ranks that the paper tells."""
    rows = []
    for way, one in done.items():
        patterns = sum(map(len, one.model.features.dictionaries.values()))
        opening = one.figures["phases"][0]["top1"]
        shares = [percent(x, 1) for x in (*(one.report[name] for name in _RANKS), opening)]
        rows.append((way, *shares, f"{one.model.about['games']:,}", f"{patterns:,}"))
    theirs = [percent(PAPER[name], 0) for name in (*_RANKS, "first_30_moves")]
    known = f"{PAPER['games']:,}", f"{PAPER['patterns']:,}"
    rows.append(("paper", *theirs[:4], f"about {theirs[4]}", *known))
    columns = ("", "first", "5", "10", "20", "first, moves 1–30", "games", "patterns")
    return plain_table(columns, rows, title="Figure 2: the move played is among the n best")


def _end(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _sizes(figures: dict[str, Rows]) -> Table:
    """Figure 3, right and centre: a row to a size, its box and its share in each phase."""
    phases = figures["phases"]
    rows = [
        (
            f"T{row['size']}" if row["size"] else "none",
            f"{row['moves']:,}",
            percent(row["top1"], 1),
            *(f"{row[name]:.3f}" for name in ("q1", "median", "q3")),
            *(f"{100 * phase['sizes'][row['size']]:.0f}" for phase in phases),
        )
        for row in figures["sizes"]
    ]
    title = (
        "Figure 3, right and centre: rank error by the largest known pattern; its share (%) of "
        "the moves of each phase"
    )
    firsts = (str(row["first"]) for row in phases)
    columns = ("size", "moves", "first", "q1", "median", "q3", *firsts)
    return plain_table(columns, rows, title=title)


def _boxes(title: str, first: str, names: list[str], found: Rows) -> Table:
    rows = [
        (
            name,
            f"{row['moves']:,}",
            percent(row["top1"], 1),
            *(f"{row[part]:.3f}" for part in ("p5", "q1", "median", "q3", "p95")),
        )
        for name, row in zip(names, found, strict=True)
    ]
    columns = (first, "moves", "first", "5 %", "q1", "median", "q3", "95 %")
    return plain_table(columns, rows, title=title)


def growth(found: Rows) -> Table:
    """How the prediction grows with the number of games."""
    columns = "games moves patterns played first 95_% 5 10 20 log-evidence harvest learn measure MB"
    rows = []
    for row in found:
        low, high = row["top1_interval"]
        rows.append(
            (
                f"{row['games']:,}",
                f"{row['moves']:,}",
                f"{row['patterns']:,}",
                f"≥ {row['min_count']}",
                percent(row["top1"]),
                f"{100 * low:.2f}–{100 * high:.2f}",
                *(percent(row[name], 1) for name in _RANKS[1:]),
                f"{row['mean_log_evidence']:.3f}",
                *(f"{row['seconds'][name]:,.0f} s" for name in ("harvest", "learn", "measure")),
                f"{row['megabytes']:,.0f}",
            )
        )
    names = [name.replace("_", " ") for name in columns.split()]
    return plain_table(names, rows, title="Growth with the number of games", left=0)
