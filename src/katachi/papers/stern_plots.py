"""Figures 3 and 4 of Stern 2005, and the growth with the number of games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from katachi.papers.plots import COLOURS, GREY, INK, canvas, write_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Rows = list[dict[str, Any]]

_SIZES: Final = ("none", *(f"T{a}" for a in range(1, 9)))


def plot_figure_3(figures: dict[str, Rows], path: Path) -> None:
    """Rank error by phase, pattern sizes by phase, rank error by size: three panels, as in the
    paper. Boxes are quartiles, whiskers the 5th and 95th percentile. Files and errors as in
    katachi.papers.plots.
    """
    figure, (left, centre, right) = canvas(
        ("Rank error by phase", "Pattern sizes by phase", "Rank error by pattern size"), (15, 5)
    )
    phases = figures["phases"]
    names = [
        f"{row['first']}–{row['last']}" if row["last"] else f"{row['first']}…" for row in phases
    ]
    _boxes(left, phases, names)
    left.set_xlabel("move")
    left.set_ylabel("rank of the move played / legal moves")
    bottom = [0.0] * len(phases)
    shades = _shades(len(_SIZES))
    for a, size in enumerate(_SIZES):
        shares = [row["sizes"][a] for row in phases]
        centre.bar(
            range(len(phases)), shares, bottom=bottom, width=0.85, label=size, color=shades[a]
        )
        bottom = [b + s for b, s in zip(bottom, shares, strict=True)]
    centre.set_xticks(range(len(phases)), names, rotation=60, ha="right")
    centre.set_xlabel("move")
    centre.set_ylabel("share of the moves played")
    centre.legend(
        loc="upper left",
        bbox_to_anchor=(1.0, 1),
        frameon=False,
        fontsize=8,
        title="largest\nknown",
        title_fontsize=8,
        reverse=True,
    )
    sizes = figures["sizes"]
    _boxes(right, sizes, [_SIZES[row["size"]] for row in sizes])
    right.set_xlabel("largest known pattern of the move played")
    write_figure(figure, path)


def plot_figure_4(means: Rows, path: Path) -> None:
    """Rank error by the mean μ of the pattern of the move played."""
    figure, (axes,) = canvas(("Rank error by the mean score of the pattern played",), (9.6, 5.4))
    names = [_interval(row["low"], row["high"]) for row in means]
    _boxes(axes, means, names)
    axes.axhline(0.5, color=INK, linewidth=1, linestyle=(0, (1, 2)))
    zero = sum(1 for row in means if row["high"] is not None and row["high"] <= 0)
    axes.axvline(zero + 0.5, color=INK, linewidth=1, linestyle=(0, (1, 2)))
    axes.set_xlabel("μ (dotted: the mean of the prior, and the rank error of chance)")
    axes.set_ylabel("rank of the move played / legal moves")
    write_figure(figure, path)


def plot_growth(rows: Rows, path: Path) -> None:
    """The share of moves found first, and the log-evidence, by the number of games."""
    figure, (left, right) = canvas(("Moves found first", "Mean log-evidence"), (11, 4.6))
    for axes, name, scale in ((left, "top1", 100.0), (right, "mean_log_evidence", 1.0)):
        games = [row["games"] for row in rows]
        values = [scale * row[name] for row in rows]
        ends = [[scale * e for e in row[f"{name}_interval"]] for row in rows]
        spread = [
            [v - e[0] for v, e in zip(values, ends, strict=True)],
            [e[1] - v for v, e in zip(values, ends, strict=True)],
        ]
        axes.errorbar(games, values, yerr=spread, color=COLOURS[0], marker="o", capsize=3)
        axes.set_xscale("log")
        axes.set_xticks(games, [f"{g:,}" for g in games])
        axes.minorticks_off()
        axes.set_xlabel("games learnt from")
    left.set_ylabel("% of 500 games' moves")
    left.axhline(26, color=GREY, linestyle="--", linewidth=1.2)
    left.annotate(
        "Stern 2005, 22,000 games",
        (rows[-1]["games"], 26),
        color=GREY,
        fontsize=8,
        ha="right",
        xytext=(0, -11),
        textcoords="offset points",
    )
    write_figure(figure, path)


def _boxes(axes: Axes, rows: Rows, names: list[str]) -> None:
    """Box plots, each as wide as the square root of its moves."""
    most = max(row["moves"] for row in rows)
    stats = [
        {
            "whislo": row["p5"],
            "q1": row["q1"],
            "med": row["median"],
            "q3": row["q3"],
            "whishi": row["p95"],
            "fliers": [],
        }
        for row in rows
    ]
    widths = [0.15 + 0.7 * (row["moves"] / most) ** 0.5 for row in rows]
    axes.bxp(
        stats,
        positions=range(1, len(rows) + 1),
        widths=widths,
        showfliers=False,
        patch_artist=True,
        boxprops={"facecolor": "#cfe3f1", "edgecolor": COLOURS[0]},
        medianprops={"color": COLOURS[1], "linewidth": 2},
        whiskerprops={"color": GREY},
        capprops={"color": GREY},
    )
    axes.set_xticks(range(1, len(rows) + 1), names, rotation=60, ha="right")
    axes.set_ylim(0, 1)


def _interval(low: float | None, high: float | None) -> str:
    if low is None:
        return f"< {high:g}"
    return f"{low:g} … {high:g}" if high is not None else f"≥ {low:g}"


def _shades(count: int) -> list[Any]:
    from matplotlib import colormaps

    return [colormaps["viridis"](1 - i / (count - 1)) for i in range(count)]
