"""Styles and groups in the terminal, and groups as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from katachi.cli.tables import plain_table
from katachi.papers.plots import COLOURS, INK, canvas, write_figure
from katachi.styles.differences import WITHIN_95
from katachi.styles.groups import GroupRow
from katachi.styles.style import Style
from katachi.styles.words import heading, notes, sentence, split_differences

SHOWN: Final = 5  # examples of each difference


def show_style(out: Console, styles: list[Style], top: int) -> None:
    """Print each style in sentences, and beside each other where there are several."""
    for number, style in enumerate(styles):
        if number:
            out.print()
        out.print(Text(heading(style), style="bold"), soft_wrap=True)
        for note in notes(style):
            out.print(note, soft_wrap=True)
        for title, differences in split_differences(style, top):
            out.print(f"\n{title}")
            for one in differences:
                out.print(f"  {sentence(one)}", soft_wrap=True)
                for row in one.picture.split("\n") if one.picture else ():
                    out.print(Text(f"        {row}"))
                for example in one.examples[:SHOWN]:
                    out.print(
                        f"      {example.source} --move {example.move}: {example.played} "
                        f"({100 * example.played_chance:.1f} %), the base expected "
                        f"{example.expected} ({100 * example.expected_chance:.1f} %)",
                        soft_wrap=True,
                    )
    if len(styles) > 1:
        out.print()
        out.print(_phases(styles, top))


def _phases(styles: list[Style], top: int) -> Table:
    """The same differences side by side: those that are sure in one phase at least."""
    names = list(
        dict.fromkeys(
            (one.family, one.feature) for style in styles for one in style.sure[: 2 * top]
        )
    )
    rows = []
    for family, feature in names:
        cells = [f"{family} {feature}"]
        for style in styles:
            found = [d for d in style.differences if (d.family, d.feature) == (family, feature)]
            cells.append("".join(f"{d.elo:+.0f} ± {WITHIN_95 * d.error:.0f}" for d in found))
        rows.append(cells)
    return plain_table(["Elo", *(style.phase for style in styles)], rows)


def group_table(rows: list[GroupRow]) -> Table:
    """A row to each feature of each group."""
    cells = [
        (
            row.group,
            row.feature,
            f"{row.elo:+.0f} ± {WITHIN_95 * row.error:.0f}",
            f"{row.p:.2g}",
            f"{row.moves:,}",
            f"{row.played:,}",
            f"{row.expected:,.0f}",
        )
        for row in rows
    ]
    columns = ["group", "feature", "Elo", "p", "moves", "played", "expected"]
    table = plain_table(columns, cells, left=2)
    table.caption = Text("± is half of the 95 % interval", justify="left")
    return table


def plot_groups(rows: list[GroupRow], path: Path) -> None:
    """A line to each feature through the groups, with its 95 % ribbon.

    Raises KatachiError if the file cannot be written; it is whole or not there.
    """
    groups = list(dict.fromkeys(row.group for row in rows))
    features = list(dict.fromkeys((row.feature, row.sentence) for row in rows))
    title = f"A move that {features[0][1]}" if len(features) == 1 else "Differences by group"
    figure, (axes,) = canvas((title,), (max(7.0, 0.5 * len(groups) + 3), 5))
    for number, (feature, _) in enumerate(features):
        own = [row for row in rows if row.feature == feature]
        x = [groups.index(row.group) for row in own]
        colour = COLOURS[number % len(COLOURS)]
        axes.plot(x, [row.elo for row in own], "o-", color=colour, label=feature, markersize=4)
        axes.fill_between(
            x,
            [row.elo - WITHIN_95 * row.error for row in own],
            [row.elo + WITHIN_95 * row.error for row in own],
            color=colour,
            alpha=0.2,
            linewidth=0,
        )
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_xticks(range(len(groups)), groups, rotation=60 if len(groups) > 8 else 0)
    axes.set_ylabel("Elo, beside the base (ribbon: 95 %)")
    if len(features) > 1:
        axes.legend(frameon=False, fontsize=9)
    write_figure(figure, path)
