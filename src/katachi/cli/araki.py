"""`katachi reproduce araki`: the tables, the paper's numbers beside ours."""

from __future__ import annotations

from typing import Any

from rich.console import RenderableType
from rich.table import Table

from katachi.cli.tables import costs, found_within, percent, plain_table
from katachi.evaluation.tables import headline_table
from katachi.papers.araki import DEVELOP, FEW, Reproduction
from katachi.papers.numbers import ARAKI_AMOUNTS, ARAKI_GAMES, ARAKI_RANKS, ARAKI_WIDTHS, RANKS


def shown(done: Reproduction) -> list[RenderableType]:
    """The tables, and what it cost."""
    amounts, growth = (
        {
            f"{key:,} {whose}": shares
            for key, one in ours.items()
            for whose, shares in (("paper", theirs[key]), ("ours", _ranks(one)))
        }
        for ours, theirs in ((done.amounts, ARAKI_AMOUNTS), (done.growth, ARAKI_GAMES))
    )
    comparison = {
        "maxent paper": ARAKI_GAMES[20_000],
        "maxent": _ranks(done.comparison["maxent"]),
        "Stern paper": tuple(RANKS["Stern et al. 2005"].values()),
        "ranking": _ranks(done.comparison["ranking"]),
        "frequency": _ranks(done.comparison["frequency"]),
    }
    return [
        _widths(done),
        found_within("Table II: moves ranked anew; the same games", ARAKI_RANKS, amounts),
        found_within("Table III: games to learn from", ARAKI_RANKS[:4], growth),
        found_within("Table IV: 20,000 games", ARAKI_RANKS[:4], comparison),
        _parts(done),
        headline_table(done.comparison),
        f"20,000 games: {costs(done.seconds)} (the paper: 8.75 days); the largest process of the "
        f"whole run {done.megabytes:,.0f} MB (the paper: 16 GB)",
    ]


def _ranks(one: dict[str, Any]) -> list[float]:
    return [one["curve"][rank - 1] for rank in ARAKI_RANKS]


def _widths(done: Reproduction) -> Table:
    rows = []
    for width, one in done.widths.items():
        low, high = one["top1_interval"]
        rows.append(
            (
                f"{width:.1f}",
                percent(ARAKI_WIDTHS[width]),
                percent(one["top1"]),
                f"{100 * low:.2f}–{100 * high:.2f}",
                f"{one['mean_log_evidence']:.3f}",
                f"{one['weights']:,}",
            )
        )
    title = (
        f"Table I: width of the constraints; {FEW:,} games, {DEVELOP} of the others to develop on"
    )
    columns = ("width", "paper", "first", "95 %", "log-evidence", "weights")
    return plain_table(columns, rows, title=title)


def _parts(done: Reproduction) -> Table:
    ranks = ARAKI_RANKS[:5]
    rows = [
        (
            name,
            *(percent(share) for share in _ranks(one)[: len(ranks)]),
            f"{one['mean_log_evidence']:.3f}",
            "" if one["weights"] is None else f"{one['weights']:,}",
        )
        for name, one in done.parts.items()
    ]
    columns = ("model, features, moves", *map(str, ranks), "log-evidence", "weights")
    title = f"What each part is worth; {FEW:,} games, those of Table I"
    return plain_table(columns, rows, title=title)
