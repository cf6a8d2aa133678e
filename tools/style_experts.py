"""Do ratings of style agree with experts' judgement of professionals?

    python -m tools.style_experts STYLES.csv GAMES… [--base FILE] [--most N] [--plot FILE]

STYLES.csv has a row to each player: name, number of experts, territoriality from 1 (moyo) to 10
(territory), its standard deviation. The statistic was fixed before it was looked at: in moves 1 to
50, how much more readily than the base expects he plays on the fourth line or higher than on the
third or lower; the base is learnt from games in which none of the players is, and kept in FILE,
from which it is taken where it is there. Prints a row to each player, and Spearman's correlation
with the 95 % interval by drawing players again.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patheffects import withStroke
from scipy.stats import spearmanr

from katachi.models.model import load_model
from katachi.papers.plots import COLOURS, INK, canvas, write_figure
from katachi.records.read import read_games
from katachi.styles.gather import PHASES
from katachi.styles.groups import GroupRow, compare
from katachi.styles.others import learnt_from
from katachi.styles.players import Groups, names_of
from katachi.styles.readable import HIGH

RESAMPLES = 10_000


def experts(path: Path) -> dict[str, tuple[float, float]]:
    """Player → (territoriality, standard error of the experts' mean)."""
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {
        row["player"]: (float(row["territoriality"]), float(row["sd"]) / int(row["n"]) ** 0.5)
        for row in rows
    }


def interval(ours: Any, theirs: Any) -> tuple[float, float]:
    """The 95 % percentile interval of Spearman's correlation, players drawn again."""
    rng = np.random.default_rng(1)
    found: list[float] = []
    while len(found) < RESAMPLES:
        some = rng.integers(0, len(ours), len(ours))
        if len(set(some.tolist())) > 2:
            found.append(float(spearmanr(ours[some], theirs[some]).statistic))
    low, high = np.quantile(found, (0.025, 0.975))
    return float(low), float(high)


def name_points(axes: Any, points: list[tuple[str, float, float]]) -> None:
    """Write the names beside the points, each where it covers no other name and no point; a thin
    line leads to it where that is farther away.
    """
    renderer = FigureCanvasAgg(axes.figure).get_renderer()  # type: ignore[no-untyped-call]
    axes.figure.draw_without_rendering()
    to_pixels, pixel = axes.transData.transform, axes.figure.dpi / 72
    places = [to_pixels((x, y)) for _, x, y in points]
    taken = [(x - 4 * pixel, y - 4 * pixel, x + 4 * pixel, y + 4 * pixel) for x, y in places]
    frame = axes.get_window_extent()
    for (name, *at), place in zip(points, places, strict=True):
        text = axes.annotate(
            name,
            at,
            (0, 0),
            textcoords="offset points",
            fontsize=8,
            va="center",
            path_effects=[withStroke(linewidth=2.5, foreground="white")],
            arrowprops={"arrowstyle": "-", "color": INK, "linewidth": 0.4},
        )
        size = text.get_window_extent(renderer)
        half = size.height / 2
        for away in range(6, 90, 4):
            found = False
            for angle in (30, 150, 330, 210, *range(0, 360, 20)):
                dx, dy = away * np.cos(np.radians(angle)), away * np.sin(np.radians(angle))
                left = place[0] + dx * pixel - (size.width if dx < -1 else 0)
                middle = place[1] + dy * pixel
                box = (left, middle - half, left + size.width, middle + half)
                inside = frame.x0 < box[0] and box[2] < frame.x1 and frame.y0 < box[1]
                if inside and box[3] < frame.y1 and not any(_meet(box, other) for other in taken):
                    text.set_position((dx, dy))
                    text.set_ha("right" if dx < -1 else "left")
                    found = True
                    break
            if found:
                if away < 12:
                    text.arrow_patch.set_visible(False)
                taken.append(box)
                break


def _meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def plot(rows: list[GroupRow], judged: dict[str, tuple[float, float]], path: Path) -> None:
    figure, (axes,) = canvas(("The fourth line and higher, and experts' judgement",), (9.6, 6.4))
    for row in rows:
        x, wide = judged[row.group]
        axes.errorbar(
            x, row.elo, 1.96 * row.error, 1.96 * wide, "o", color=COLOURS[0], ecolor="#a9cbe0"
        )
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_xlabel("experts: 1 moyo … 10 territory (bars: 1.96 standard errors of their mean)")
    axes.set_ylabel("Elo of the fourth line and higher, moves 1 to 50 (95 % intervals)")
    name_points(axes, [(row.group, judged[row.group][0], row.elo) for row in rows])
    write_figure(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("styles", type=Path)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--base", type=Path, default=Path("others.katachi"))
    parser.add_argument("--most", type=int)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    judged = experts(options.styles)
    players = list(judged)
    corpus = read_games(options.paths, jobs=options.jobs)
    names = names_of(corpus)
    theirs = np.array([any(name in judged for name in pair) for pair in names])
    if not options.base.exists():
        learnt_from(corpus.take(~theirs), jobs=options.jobs).save(options.base)
    base = load_model(options.base)
    corpus = corpus.take(theirs)
    number = {name: n for n, name in enumerate(players)}
    of = np.array(
        [[number.get(n, -1) for n in p] for p, t in zip(names, theirs, strict=True) if t], np.int32
    )
    first, last = PHASES["opening"]
    rows = compare(
        corpus,
        Groups(players, of),
        base,
        HIGH,
        first=first,
        last=last,
        most=options.most,
        jobs=options.jobs,
    )
    print("| player | experts | δ in Elo | error | δ in log γ | moves |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for row in sorted(rows, key=lambda row: -row.elo):
        score = judged[row.group][0]
        log = row.elo * np.log(10) / 400
        print(
            f"| {row.group} | {score} | {row.elo:+.1f} | {row.error:.1f} | {log:+.3f} | "
            f"{row.moves:,} |"
        )
    ours = np.array([row.elo for row in rows])
    scores = np.array([judged[row.group][0] for row in rows])
    found = spearmanr(ours, scores)
    low, high = interval(ours, scores)
    print(
        f"\nSpearman's correlation {found.statistic:.3f} [{low:.3f}, {high:.3f}], "
        f"p = {found.pvalue:.2g}, {len(rows)} players"
    )
    if options.plot is not None:
        plot(rows, judged, options.plot)


if __name__ == "__main__":
    main()
