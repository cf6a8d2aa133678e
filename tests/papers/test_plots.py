from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from subprocess import run
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import imread

from katachi.errors import KatachiError
from katachi.evaluation.report import report
from katachi.papers import numbers as papers
from katachi.papers import plots
from katachi.papers.plots import plot_ranks, plot_stages
from tests.papers.synthetic import Play, measured_of, plays

PLOTS = pytest.mark.parametrize("plot", [plot_stages, plot_ranks])


@pytest.fixture(scope="module")
def reports() -> dict[str, dict[str, Any]]:
    some = plays(1, games=4, moves=(100, 110), candidates=lambda _: 20)

    def model(wrong: int) -> dict[str, Any]:  # of so many moves in 10 it has no idea
        guessed = [
            Play(p.game, p.move, p.probabilities[1:] + p.probabilities[:1], p.played)
            if p.move % 10 < wrong
            else p
            for p in some
        ]
        return report(measured_of(guessed), resamples=50)

    return {"one": model(0), "other $x_1$": model(4), "_third": model(8)}


def colours(path: Path) -> dict[str, int]:
    """How many points there are of each colour."""
    red, green, blue = np.moveaxis((imread(path) * 255).round().astype(int), 2, 0)[:3]
    found, counts = np.unique(red << 16 | green << 8 | blue, return_counts=True)
    return {f"#{rgb:06X}": count for rgb, count in zip(found, counts.tolist(), strict=True)}


@PLOTS
def test_a_plot_is_a_png_with_a_line_in_each_colour(
    plot: Any, reports: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "figure.png"
    path.write_text("an older file")
    plot(reports, path)
    assert path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    height, width = imread(path).shape[:2]
    assert (width, height) == (1440, 810)
    drawn = colours(path)
    for colour in plots.COLOURS[:3]:
        assert drawn.get(colour, 0) > 500, colour
    assert plots.COLOURS[3] not in drawn
    assert drawn["#FFFFFF"] > width * height / 2
    assert [file.name for file in tmp_path.iterdir()] == ["figure.png"]
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask(tmp_path)


def _umask(folder: Path) -> int:
    path = folder / "probe"
    path.touch()
    mode = path.stat().st_mode & 0o777
    path.unlink()
    return 0o666 & ~mode


def drawn_axes(
    plot: Any, reports: dict[str, Any], path: Path, monkeypatch: pytest.MonkeyPatch
) -> Axes:
    figures: list[Figure] = []
    monkeypatch.setattr(plots, "write_figure", lambda figure, _: figures.append(figure))
    plot(reports, path)
    return figures[0].axes[0]


def labelled(axes: Axes) -> dict[str, Any]:
    return {str(line.get_label()): line for line in axes.get_lines()}


def test_stages_are_at_their_middle_with_their_bands(
    reports: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    axes = drawn_axes(plot_stages, reports, Path("x.png"), monkeypatch)
    lines = labelled(axes)
    stages = reports["one"]["stages"]
    assert list(lines["one"].get_xdata())[:2] == [15.5, 45.5]
    assert list(lines["one"].get_ydata()) == [stage["mean_log_evidence"] for stage in stages]
    assert list(lines["uniform"].get_ydata()) == [s["uniform_log_evidence"] for s in stages]
    assert len(axes.collections) == len(reports)
    edges = np.asarray(axes.collections[0].get_paths()[0].vertices)[:, 1]
    ends = [end for stage in stages for end in stage["mean_log_evidence_interval"]]
    assert set(ends) <= set(edges.tolist())
    levels = [float(np.asarray(line.get_ydata())[0]) for line in axes.get_lines()[-2:]]
    assert levels == list(papers.LOG_EVIDENCE.values())
    legend = axes.get_legend()
    assert legend is not None
    shown = [text.get_text() for text in legend.get_texts()]
    assert shown[:4] == ["one", r"other \$x_1\$", " _third", "uniform"]
    assert shown[4:] == [
        "Coulom 2007, whole games: −2.69",
        "Coulom 2007, uniform, whole games: −5.49",
    ]


def test_the_open_stage_is_named_by_its_first_move(monkeypatch: pytest.MonkeyPatch) -> None:
    told = report(measured_of(plays(1, games=2, moves=(340, 340), candidates=lambda _: 3)))
    axes = drawn_axes(plot_stages, {"m": told}, Path("x.png"), monkeypatch)
    assert axes.get_xlim() == (0, 360)
    assert [t.get_text() for t in axes.get_xticklabels(minor=True)] == ["331…"]
    named = [t.get_text() for t in axes.get_xticklabels() if t.get_text()]
    assert named == ["0", "60", "120", "180", "240", "300"]


def test_ranks_and_every_number_of_the_papers(
    reports: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    axes = drawn_axes(plot_ranks, reports, Path("x.png"), monkeypatch)
    lines = labelled(axes)
    share = reports["one"]["top1"]
    mine = lines[f"one: {100 * share:.1f} % first"]
    assert list(mine.get_xdata()) == list(range(1, 61))
    assert list(mine.get_ydata()) == reports["one"]["curve"][:60]
    points = {
        (float(x), float(y))
        for line in axes.get_lines()
        if line.get_linestyle() == "None"
        for x, y in zip(np.asarray(line.get_xdata()), np.asarray(line.get_ydata()), strict=True)
    }
    told = {point for one in papers.RANKS.values() for point in one.items()}
    others = {(r, y) for r, shares in papers.ARAKI_OTHERS.items() for y in shares if r <= 60}
    assert points == told | others
    assert "Coulom 2007: 34.9 % first" in lines
    assert "Stern et al. 2005: 26 % first" in lines


@pytest.mark.slow
@PLOTS
def test_one_game_many_models_and_long_names(
    plot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = report(measured_of(plays(2, games=1)))
    other = report(measured_of(plays(3, games=1)))
    many = {f"{'long name ' * 9}{i}": told for i in range(9)} | {"other": other}
    axes = drawn_axes(plot, many, tmp_path / "x.png", monkeypatch)
    styles = {(style["color"], style["linestyle"]) for style in islice(plots._styles(), 35)}
    assert len(styles) == 35
    assert all(len(name) < 65 for name in labelled(axes))
    monkeypatch.undo()
    plot(many, tmp_path / "x.png")
    plot({}, tmp_path / "y.png")
    assert len(colours(tmp_path / "x.png")) > 7


@PLOTS
def test_what_cannot_be_written_is_said(
    plot: Any, reports: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(KatachiError, match="does not exist"):
        plot(reports, tmp_path / "nowhere" / "x.png")
    for name in ("x.docx", "x"):
        with pytest.raises(KatachiError, match=r"end its name in \.png"):
            plot(reports, tmp_path / name)
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(KatachiError, match="cannot be written"):
        plot(reports, tmp_path / "folder.png")

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Figure, "savefig", interrupted)
    (tmp_path / "x.png").write_text("an older file")
    with pytest.raises(KeyboardInterrupt):
        plot(reports, tmp_path / "x.png")
    assert (tmp_path / "x.png").read_text() == "an older file"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["folder.png", "x.png"]


def test_matplotlib_is_only_loaded_to_plot() -> None:
    code = (
        "import sys, katachi.papers.plots, katachi.evaluation.tables;"
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert run([sys.executable, "-c", code], check=False).returncode == 0
