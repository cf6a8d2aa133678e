"""What words are worth, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from katachi.evaluation.ratings import Rating
from katachi.papers.plots import COLOURS, INK, canvas, write_figure
from katachi.patterns.vocabulary.groups import TERMS
from katachi.styles.differences import WITHIN_95

_LINE: Final = 0.24  # inches for each word


def draw_words(rows: Sequence[Rating], path: Path) -> None:
    """The Elo of each word with its 95 % interval, the strongest on top, into a file.

    Raises KatachiError if the file cannot be written; it is whole or not there.
    """
    title = "What words of Go players are worth"
    figure, (axes,) = canvas((title,), (9, _LINE * len(rows) + 1.2))
    places = range(len(rows), 0, -1)
    axes.axvline(0, color=INK, linewidth=1)
    axes.errorbar(
        [row.elo for row in rows],
        places,
        xerr=[WITHIN_95 * row.error for row in rows],
        fmt="o",
        color=COLOURS[0],
        markersize=4,
        linewidth=1.4,
    )
    axes.set_yticks(places, [TERMS[row.level].word for row in rows])
    axes.set_ylim(0.3, len(rows) + 0.7)
    axes.set_xlabel("Elo, with 95 % intervals: ← played less readily · played more readily →")
    write_figure(figure, path)
