"""Coulom's Figures 3 and 4, with the papers' numbers drawn in."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from itertools import count, cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from katachi.errors import KatachiError
from katachi.evaluation.report import STAGE_MOVES, uniforms
from katachi.folders import check_file, write_whole
from katachi.papers import numbers as papers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Reports = dict[str, dict[str, Any]]

RANKS_SHOWN: Final = 60
_SIZE: Final = (9.6, 5.4)  # inches
_LONGEST_NAME: Final = 40
# Okabe and Ito's colours, which colour-blind readers tell apart; line and marker differ too.
COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_LINES: Final = ("-", "--", "-.", (0, (1, 1)), (0, (6, 2, 1, 2, 1, 2)))
_MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X")
GREY: Final = "#6b6b6b"
INK: Final = "#333333"
_PAPER_MARKERS: Final = ("*", "D", "o", "s", "^", "v")
_PAPER_LINES: Final = ((0, (4, 2)), (0, (1, 2)))


def plot_stages(reports: Reports, path: Path) -> None:
    """Figure 3: mean log-evidence per stage of the game, one line per model, into a file.

    Bands are the 95 % intervals. The kind of file follows the ending of its name. Raises
    KatachiError if the file cannot be written; it is whole or not there.
    """
    figure, (axes,) = canvas(("Mean log-evidence per stage of the game",), _SIZE)
    for style, (name, one) in zip(_styles(), reports.items(), strict=False):
        stages = one["stages"]
        places = [_middle(stage) for stage in stages]
        means = [stage["mean_log_evidence"] for stage in stages]
        axes.plot(places, means, label=_label(name), zorder=3, **style)
        bands = [
            stage["mean_log_evidence_interval"] or [mean, mean]
            for stage, mean in zip(stages, means, strict=True)
        ]
        lows, highs = zip(*bands, strict=True)
        axes.fill_between(places, lows, highs, color=style["color"], alpha=0.18, linewidth=0)
    for dash, (name, one) in zip(cycle(_LINES), uniforms(reports).items(), strict=False):
        places = [_middle(stage) for stage in one["stages"]]
        means = [stage["uniform_log_evidence"] for stage in one["stages"]]
        axes.plot(places, means, label=_label(name), color=GREY, linewidth=1.6, linestyle=dash)
    for dots, (name, value) in zip(_PAPER_LINES, papers.LOG_EVIDENCE.items(), strict=True):
        label = f"{name}: {value}".replace("-", "−")
        axes.axhline(value, label=label, color=INK, linewidth=1.1, linestyle=dots)
    _stage_ticks(axes, [stage for one in reports.values() for stage in one["stages"]])
    axes.set_xlabel(f"move (each point: the mean over an interval of {STAGE_MOVES} moves)")
    axes.set_ylabel("mean log-evidence")
    _legend(axes)
    write_figure(figure, path)


def plot_ranks(reports: Reports, path: Path) -> None:
    """Figure 4: the share of moves found within the n best, one line per model, into a file.

    Files and errors as in `plot_stages`.
    """
    figure, (axes,) = canvas(("Finding the move played within the n best",), _SIZE)
    for style, (name, one) in zip(_styles(), reports.items(), strict=False):
        ranks = range(1, RANKS_SHOWN + 1)
        shares = one["curve"][:RANKS_SHOWN]
        style |= {"markevery": (4, 5), "markersize": 3.5}
        axes.plot(
            ranks, shares, label=f"{_label(name)}: {100 * shares[0]:.1f} % first", zorder=3, **style
        )
    for marker, (name, points) in zip(_PAPER_MARKERS, papers.RANKS.items(), strict=True):
        axes.plot(
            list(points),
            list(points.values()),
            label=f"{name}: {100 * points[1]:g} % first",
            linestyle="none",
            marker=marker,
            markersize=11 if marker == "*" else 6.5,
            markerfacecolor="none",
            markeredgecolor=INK,
            markeredgewidth=1.1,
            zorder=4,
            clip_on=False,
        )
    others = [(rank, share) for rank, shares in papers.ARAKI_OTHERS.items() for share in shares]
    shown = [(rank, share) for rank, share in others if rank <= RANKS_SHOWN]
    axes.plot(
        *zip(*shown, strict=True),
        label=papers.ARAKI_OTHERS_NAME,
        linestyle="none",
        marker="_",
        markersize=6,
        markeredgecolor=GREY,
        markeredgewidth=0.8,
        zorder=2,
        clip_on=False,
    )
    axes.set_xlim(0, RANKS_SHOWN + 1)
    axes.set_xticks([1, 5, *range(10, RANKS_SHOWN + 1, 10)])
    axes.set_ylim(0, 1)
    axes.set_yticks([i / 10 for i in range(11)])
    axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    axes.set_xlabel("n best estimated moves")
    axes.set_ylabel("share of moves found within the n best")
    _legend(axes)
    write_figure(figure, path)


def canvas(titles: tuple[str, ...], inches: tuple[float, float]) -> tuple[Figure, list[Axes]]:
    """A figure with a panel to each title, side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=inches, dpi=150, layout="constrained", facecolor="white")
    panels = figure.subplots(1, len(titles), squeeze=False)[0].tolist()
    for axes, title in zip(panels, titles, strict=True):
        axes.set_title(title, loc="left", fontsize=13, pad=10)
        axes.grid(color="#e4e4e4", linewidth=0.8)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(which="both", length=0)
    return figure, panels


def _styles() -> Iterator[dict[str, Any]]:
    """A style per line, without end: colours and lines both change, and repeat apart."""
    for i in count():
        yield {
            "color": COLOURS[i % len(COLOURS)],
            "linestyle": _LINES[i % len(_LINES)],
            "marker": _MARKERS[i % len(_MARKERS)],
            "markersize": 4.5,
            "linewidth": 2,
        }


def _stage_ticks(axes: Axes, stages: list[dict[str, Any]]) -> None:
    """Lines where stages meet, every second one named; the open stage by its first move."""
    end = max((stage["first"] + STAGE_MOVES - 1 for stage in stages), default=STAGE_MOVES)
    opened = {_middle(stage): stage["first"] for stage in stages if stage["last"] is None}
    moves = range(0, end + 1, STAGE_MOVES)
    hidden = {end} if opened else set()
    named = [str(m) if m % (2 * STAGE_MOVES) == 0 and m not in hidden else "" for m in moves]
    axes.set_xlim(0, end)
    axes.set_xticks(moves, named)
    axes.set_xticks(list(opened), [f"{first}…" for first in opened.values()], minor=True)


def _middle(stage: dict[str, Any]) -> float:
    """The middle of a stage; the open one is drawn as if it were of 30 moves."""
    return float(stage["first"] + (STAGE_MOVES - 1) / 2)


def _label(name: str) -> str:
    """A name as matplotlib shows it letter by letter: no formulas, no hidden entries, not long."""
    short = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
    shown = short.replace("$", r"\$")
    return f" {shown}" if shown.startswith("_") else shown


def _legend(axes: Axes) -> None:
    axes.legend(
        loc="upper left",
        bbox_to_anchor=(1.01, 1),
        frameon=False,
        fontsize=9,
        borderaxespad=0,
        handlelength=3,
        labelspacing=0.7,
    )


def check_picture(path: Path) -> None:
    """Raises KatachiError if this file is none that we can draw a picture into."""
    from matplotlib.figure import Figure

    if path.suffix.lower().removeprefix(".") not in Figure().canvas.get_supported_filetypes():
        raise KatachiError(f"{path} is no kind of picture we can draw: end its name in .png")
    check_file(path)


def write_figure(figure: Figure, path: Path) -> None:
    """Write a figure, whole or not at all; errors as in `plot_stages`."""
    check_picture(path)
    picture = BytesIO()
    figure.savefig(picture, format=path.suffix.lower().removeprefix("."))
    write_whole(path, picture.getvalue())
