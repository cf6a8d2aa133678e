"""`katachi reproduce beyond`: the rows, what each adds, and the papers' numbers."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table

from katachi.cli.tables import costs, percent, plain_table
from katachi.evaluation.tables import Reports, difference_table, headline_table
from katachi.papers.beyond import Reproduction
from katachi.papers.numbers import RANKS


def shown(done: Reproduction) -> list[RenderableType]:
    """The models, what each has more than the one before, the papers, and what it cost."""
    papers = [(name, percent(found[1], 1)) for name, found in RANKS.items()]
    return [
        headline_table(done.reports),
        difference_table(done.compared),
        plain_table(
            ["paper", "top 1"], papers, title="What papers report, each on its own test games"
        ),
        "\n".join(f"{name}: {costs(one.about['seconds'])}" for name, one in done.models.items()),
    ]


def growth(found: Reports) -> Table:
    """How the prediction grows with the number of positions."""
    return headline_table(
        {f"{one['positions']:,} positions ({words})": one for words, one in found.items()}
    )
