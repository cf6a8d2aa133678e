from __future__ import annotations

from typing import Any

import pytest
from rich.console import Console
from rich.table import Table

from katachi.evaluation.report import differences, report
from katachi.evaluation.tables import (
    calibration_table,
    difference_table,
    headline_table,
    stage_table,
)
from tests.papers.synthetic import measured_of, plays


def lines(table: Table) -> list[str]:
    console = Console(width=80, highlight=False)
    with console.capture() as capture:
        console.print(table)
    return [line.rstrip() for line in capture.get().splitlines()]


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    return report(measured_of(plays(1, moves=(40, 60))), resamples=100)


def invented(told: dict[str, Any]) -> dict[str, Any]:
    """A report with numbers that can be read off in a table."""
    shares = {"top1": 0.349, "top5": 0.6666, "top10": 0.75, "top20": 1.0}
    uniform = {f"uniform_{name}": share / 10 for name, share in shares.items()}
    bands = {f"{name}_interval": [share - 0.01, share + 0.012] for name, share in shares.items()}
    evidence = {
        "mean_log_evidence": -2.69,
        "mean_log_evidence_interval": [-2.7, -2.6822],
        "uniform_log_evidence": -5.49,
        "games": 551,
        "moves": 115_832,
    }
    return told | shares | uniform | bands | evidence


def test_headlines_begin_with_uniform(told: dict[str, Any]) -> None:
    table = lines(headline_table({"paper": invented(told), "[b]again[/b]": invented(told)}))
    assert table[0].split() == [
        "model",
        "top",
        "1",
        "%",
        "top",
        "5",
        "%",
        "top",
        "10",
        "%",
        "top",
        "20",
        "%",
        "log-evidence",
    ]
    assert table[1].split() == ["uniform", "3.5", "6.7", "7.5", "10.0", "-5.490"]
    row = ["34.9", "±1.1", "66.7", "±1.1", "75.0", "±1.1", "100.0", "±1.1", "-2.690", "±0.009"]
    assert table[2].split() == ["paper", *row]
    assert table[3].split() == ["[b]again[/b]", *row]
    assert "551 games, 115,832 moves" in table[4]


def test_other_moves_have_their_own_uniform(told: dict[str, Any]) -> None:
    table = lines(headline_table({"one": told, "two": invented(told)}))
    assert [line.split("  ")[0] for line in table[1:5]] == [
        "uniform (one)",
        "uniform (two)",
        "one",
        "two",
    ]
    assert "games," not in table[5]


def test_stages(told: dict[str, Any]) -> None:
    first, second = told["stages"]
    open_one = second | {"first": 331, "last": None, "mean_log_evidence_interval": None}
    table = lines(stage_table({"m": told | {"stages": [first, open_one]}, "n": told}))
    assert len(table) == 1 + 4 + 1
    low, high = first["top1_interval"]
    assert table[1].split()[:4] == [
        "m",
        "1–30",
        str(first["moves"]),
        f"{first['uniform_log_evidence']:.3f}",
    ]
    assert table[1].split()[-2:] == [f"{100 * first['top1']:.1f}", f"±{50 * (high - low):.1f}"]
    assert table[2].split()[0] == "331…"
    assert table[2].count("±") == 1
    assert table[3].startswith("n")


def test_calibration(told: dict[str, Any]) -> None:
    line = {
        "low": 0.0001,
        "high": 0.001,
        "candidates": 12_345,
        "predicted": 0.00051234,
        "played": 0.0006,
        "played_interval": [0.0004, 0.00081],
    }
    lonely = line | {"low": 0.9, "high": 1.0, "played_interval": None}
    table = lines(calibration_table({"m": told | {"calibration": [line, lonely]}}))
    assert table[1].split() == ["m", "0.01–0.1", "12,345", "0.0512", "0.06", "0.04–0.081"]
    assert table[2].split() == ["90–100", "12,345", "0.0512", "0.06"]


def test_differences() -> None:
    a, b = (measured_of(plays(1, sharpness=s)) for s in (1, 2))
    gained = differences(a, b, resamples=100) | {"top5": 0.01234, "top5_interval": [-0.001, 0.02]}
    table = lines(difference_table({"b - a": gained}))
    assert len(table) == 6
    assert table[1].split()[:6] == ["b", "-", "a", "top", "1", "%"]
    assert table[2].split() == ["top", "5", "%", "+1.23", "-0.10", "…", "+2.00"]
    assert table[5].split()[:2] == ["log-evidence", f"{gained['mean_log_evidence']:+.4f}"]
    alone = measured_of(plays(1, games=1))
    assert "…" not in "".join(lines(difference_table({"x": differences(alone, alone)})))


@pytest.mark.parametrize("make", [headline_table, stage_table, calibration_table])
def test_one_game_is_shown_without_intervals(make: Any) -> None:
    told = report(measured_of(plays(1, games=1)))
    shown = lines(make({"m": told}))
    assert len(shown) > 1
    assert not any("±" in line for line in shown if "half" not in line)


@pytest.mark.parametrize("make", [headline_table, stage_table, calibration_table])
def test_tables_fit_into_80_columns(make: Any, told: dict[str, Any]) -> None:
    assert not any("…" in line for line in lines(make({"a model of some kind": told})))
