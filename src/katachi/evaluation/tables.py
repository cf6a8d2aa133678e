"""Reports as tables for the terminal."""

from __future__ import annotations

from typing import Any

from rich.table import Table
from rich.text import Text

from katachi.evaluation.report import COMPARED, TOPS, uniforms

Reports = dict[str, dict[str, Any]]

_NOTE = "± is half of the 95 % interval, by resampling games"


def headline_table(reports: Reports) -> Table:
    """A row for each model, first one for uniform probability: how many moves in 100 were found
    within the 1, 5, 10, 20 best, and the mean log-evidence.
    """
    table = _table("model", *(f"top {k} %" for k in TOPS), "log-evidence")
    for name, one in uniforms(reports).items():
        shares = [f"{100 * one[f'uniform_top{k}']:.1f}" for k in TOPS]
        table.add_row(Text(name), *shares, f"{one['uniform_log_evidence']:.3f}")
    for name, one in reports.items():
        shares = [_share(one, f"top{k}") for k in TOPS]
        table.add_row(Text(name), *shares, _mean(one, "mean_log_evidence"))
    counts = {f"{one['games']:,} games, {one['moves']:,} moves" for one in reports.values()}
    _caption(table, *(counts if len(counts) == 1 else ()), _NOTE)
    return table


def stage_table(reports: Reports) -> Table:
    """A row for each stage of each model: mean log-evidence, and moves found at rank 1."""
    table = _table("model", "stage", "moves", "uniform", "log-evidence", "top 1 %")
    for name, one in reports.items():
        for i, stage in enumerate(one["stages"]):
            last = "…" if stage["last"] is None else f"–{stage['last']}"
            table.add_row(
                Text(name if i == 0 else ""),
                f"{stage['first']}{last}",
                f"{stage['moves']:,}",
                f"{stage['uniform_log_evidence']:.3f}",
                _mean(stage, "mean_log_evidence"),
                _share(stage, "top1"),
            )
    _caption(table, _NOTE)
    return table


def calibration_table(reports: Reports) -> Table:
    """A row for each range of predicted probabilities of each model, all in %: the mean that was
    predicted, the share that was played, and its 95 % interval.
    """
    table = _table("model", "range %", "candidates", "predicted %", "played %", "95 % interval")
    for name, one in reports.items():
        for i, line in enumerate(one["calibration"]):
            interval = line["played_interval"]
            table.add_row(
                Text(name if i == 0 else ""),
                f"{100 * line['low']:g}–{100 * line['high']:g}",
                f"{line['candidates']:,}",
                f"{100 * line['predicted']:.3g}",
                f"{100 * line['played']:.3g}",
                "" if interval is None else f"{100 * interval[0]:.3g}–{100 * interval[1]:.3g}",
            )
    return table


def difference_table(compared: Reports) -> Table:
    """A row for each number of each comparison (name → what `differences` gave): how much more
    the second model has, shares in percentage points, and the 95 % interval.
    """
    table = _table("models", "number", "difference", "95 % interval")
    table.columns[1].justify = "left"
    for name, one in compared.items():
        for i, key in enumerate(COMPARED):
            title = f"top {key[3:]} %" if key.startswith("top") else "log-evidence"
            scale, digits = (100, 2) if key.startswith("top") else (1, 4)
            interval = one[f"{key}_interval"]
            ends = [f"{scale * end:+.{digits}f}" for end in interval or ()]
            table.add_row(
                Text(name if i == 0 else ""),
                title,
                f"{scale * one[key]:+.{digits}f}",
                " … ".join(ends),
            )
    return table


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for i, name in enumerate(columns):
        table.add_column(name, justify="right" if i else "left", no_wrap=i > 0)
    return table


def _caption(table: Table, *notes: str) -> None:
    table.caption = Text("; ".join(notes), justify="left")


def _share(one: dict[str, Any], key: str) -> str:
    return _plus_minus(one, key, 100, 1)


def _mean(one: dict[str, Any], key: str) -> str:
    return _plus_minus(one, key, 1, 3)


def _plus_minus(one: dict[str, Any], key: str, scale: int, digits: int) -> str:
    value, interval = f"{scale * one[key]:.{digits}f}", one[f"{key}_interval"]
    if interval is None:
        return value
    return f"{value} ±{scale * (interval[1] - interval[0]) / 2:.{digits}f}"
