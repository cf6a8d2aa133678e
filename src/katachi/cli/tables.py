"""Tables of results for the terminal; a paper's numbers beside ours."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from rich.console import RenderableType
from rich.table import Table

from katachi.match.statistics import Tally


def plain_table(
    columns: Iterable[str],
    rows: Iterable[Sequence[RenderableType]],
    *,
    title: str | None = None,
    left: int = 1,
) -> Table:
    """A table without lines; the first `left` columns are words, the others numbers."""
    table = Table(box=None, pad_edge=False, title=title, title_justify="left")
    for i, name in enumerate(columns):
        table.add_column(
            name, justify="left" if i < left else "right", no_wrap=i >= left, overflow="fold"
        )
    for row in rows:
        table.add_row(*row)
    return table


def found_within(title: str, ranks: Sequence[int], columns: Mapping[str, Sequence[float]]) -> Table:
    """How many moves are found within each rank, a column for each of the paper's settings and
    ours; what is not told is left empty.
    """
    rows = [
        [str(rank), *(percent(shares[i]) if i < len(shares) else "" for shares in columns.values())]
        for i, rank in enumerate(ranks)
    ]
    return plain_table(["within", *columns], rows, title=title)


def percent(share: float, digits: int = 2) -> str:
    """A share of 1, as 12.34 %."""
    return f"{100 * share:.{digits}f} %"


def costs(seconds: Mapping[str, float]) -> str:
    """What each part of the work took."""
    return ", ".join(f"{name} {value:.0f} s" for name, value in seconds.items())


def csv_text(fields: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV below the names of their fields, each line with its end."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([fields, *rows])
    return text.getvalue()


def rate_cells(tally: Tally) -> tuple[str, str]:
    """The win rate and its interval, "62.0 %" and "51.2–71.8"; both "" without games."""
    if tally.rate is None:
        return "", ""
    low, high = tally.interval
    return percent(tally.rate, 1), f"{100 * low:.1f}–{100 * high:.1f}"
