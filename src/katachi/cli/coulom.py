"""`katachi reproduce coulom`: Tables 1 and 2, the paper's numbers beside ours."""

from __future__ import annotations

from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from katachi.cli.tables import percent, plain_table, rate_cells
from katachi.evaluation.tables import headline_table
from katachi.match.settings import SIDES
from katachi.papers.coulom import PAPER, Reproduction
from katachi.papers.table2 import KOMI, PlayedRow, Row
from katachi.patterns.catalogue import COULOM


def shown(done: Reproduction) -> list[RenderableType]:
    """Table 1, the numbers of section 3, and what it cost."""
    costs = ", ".join(f"{stage} {seconds:.0f}" for stage, seconds in done.seconds.items())
    return [
        _headline(done),
        headline_table(done.reports),
        _table_1(done),
        f"seconds: {costs}; in all {sum(done.seconds.values()):.0f} (the paper: an hour)\n"
        f"the largest process: {done.megabytes:,.0f} MB (the paper: 600)",
    ]


def _headline(done: Reproduction) -> Table:
    shapes = f"{len(done.shapes):,}"
    rows = [["shapes", f"{PAPER['shapes']:,}", *[shapes] * len(done.models)]]
    paper: dict[str, Any] = PAPER
    for words, key, form in (
        ("moves found at rank 1", "top1", "{:.2%}"),
        ("mean log-evidence", "mean_log_evidence", "{:.3f}"),
        ("uniform log-evidence", "uniform_log_evidence", "{:.3f}"),
    ):
        rows.append([words, *(form.format(one[key]) for one in (paper, *done.reports.values()))])
    return plain_table(["", "paper", *done.models], rows)


def _table_1(done: Reproduction) -> Table:
    levels = {family.name: family.levels for family in COULOM.families}
    rows = []
    before = ""
    for row in done.table:
        family = row["family"]
        ours = [row[name] for name in done.models]
        senses = {one["agrees"] for one in ours} - {None}
        sense = "same" if senses == {True} else "differs"
        rows.append(
            (
                family if family != before else "",
                Text(levels[family][row["level"] - 1].name),
                f"{row['paper']:.2f}",
                *(f"{one['gamma']:.2f}" for one in ours),
                f"{ours[0]['wins']:,}",
                f"{ours[0]['appearances']:,}",
                sense if senses else "",
            )
        )
        before = family
    columns = ("family", "level", "paper", *done.models, "wins", "appearances", "sense")
    table = plain_table(columns, rows, title="Table 1: gammas", left=2)
    table.columns[-1].justify = "left"
    return table


# -- table 2 -------------------------------------------------------------------------------------


def engine_words(row: Row) -> str:
    """The engine of a row, in words."""
    return row.preset.replace("-", " ")


def shown_games(played: list[PlayedRow]) -> list[RenderableType]:
    """Table 2, and the games that were lost by a fault."""
    rows = []
    for one in played:
        tally, paper = one.result.tally(), one.paper
        time = f"{one.simulations:,} sim." if one.minutes is None else f"{one.minutes:g} min"
        theirs = ["", "", "", ""]
        if paper is not None:
            rate, minutes = percent(paper.rate, 1), f"{paper.minutes:g} min"
            theirs = [rate, minutes, str(paper.level), str(paper.games)]
        board = f"{one.row.size}x{one.row.size}"
        numbers = (time, str(one.level), str(tally.games), *rate_cells(tally), *theirs)
        rows.append((board, engine_words(one.row), *numbers))
    columns = ["board", "engine", "time", "level", "games", "wins", "95 %"]
    columns += ["paper", "its time", "its level", "its games"]
    title = f"Table 2: against {played[0].result.engines['B'].title}, komi {KOMI}"
    lines = ["default is our own engine; the paper's games were against GNU Go 3.6"]
    for one in played:
        for side, name in zip(SIDES, ("Katachi", "GNU Go"), strict=True):
            faults = ", ".join(f"{n} by {reason}" for reason, n in one.faults(side).items())
            if faults:
                lines.append(f"{one.row.name}: {name} lost {faults}")
    return [plain_table(columns, rows, title=title, left=2), "\n".join(lines)]
