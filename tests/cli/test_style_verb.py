"""katachi style: what it prints, and one sentence for each mistake."""

from __future__ import annotations

import csv
import io
import json
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from katachi.styles.fit import fit
from katachi.styles.readable import READABLE
from tests.cli.test_cli import katachi, one_sentence
from tests.styles.games import NAMES, small_sgfs
from tests.trained import trained

HELD = partial(fit, tau=np.full(len(READABLE), 0.3))  # is fitted in no time


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    for number, sgf in enumerate(small_sgfs(18)):
        (folder / f"{number:02}.sgf").write_bytes(sgf)
    trained().save(tmp_path / "base.katachi")
    return folder


def run(games: Path, *more: str | Path) -> str:
    base = ("--against", games.parent / "base.katachi", "--jobs", "1", "--no-cache")
    done = katachi("style", games, *base, *more)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_sentences_json_csv_and_a_page_agree(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("katachi.styles.style.fit", HELD)
    page = tmp_path / "report.html"
    text = run(games, "--player", NAMES[0], "--html", page)
    assert text.startswith(f"{NAMES[0]}: 12 games, ")
    assert "Habits, most telling first" in text
    assert "--move" in text
    data = json.loads(run(games, "--player", NAMES[0], "--json"))
    rows = list(csv.DictReader(io.StringIO(run(games, "--player", NAMES[0], "--csv"))))
    assert [row["feature"] for row in rows] == [one["feature"] for one in data["differences"]]
    assert float(rows[0]["elo"]) == data["differences"][0]["elo"]
    best = next(one for one in data["differences"] if one["q"] < 0.05 and one["elo"] > 0)
    assert f"{best['elo']:+.0f} ± " in text
    assert f"The style of {NAMES[0]}" in page.read_text(encoding="utf-8")


@pytest.mark.slow
def test_phases_side_by_side(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("katachi.styles.style.LEAST_MOVES", 20)
    monkeypatch.setattr("katachi.styles.style.OPPONENTS", 20)
    monkeypatch.setattr("katachi.styles.style.fit", HELD)
    text = run(games, "--phase", "each", "--most", "60")
    for phase in ("opening", "middle", "end"):
        assert re.search(rf"^{NAMES[0]}, {phase}: 12 games, [2-6]\d moves", text, re.MULTILINE)
    assert re.search(r"^Elo +opening +middle +end", text, re.MULTILINE)


def test_groups_with_a_plot(games: Path, tmp_path: Path) -> None:
    plot = tmp_path / "lines.svg"
    common = ("--by", "player", "--most", "50", "--moves", "1-40")
    text = run(games, *common, "--feature", "line", "--plot", plot)
    assert all(name in text for name in NAMES)
    assert b"<svg" in plot.read_bytes()
    rows = json.loads(run(games, *common, "--json"))
    assert [row["feature"] for row in rows] == ["high"] * 3
    assert run(games, *common, "--csv").startswith("group,feature,sentence,elo,error,p,moves,")


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--player", "Honinbo Dosako"), "did you mean 'Honinbo Dosaku'"),
        (("--player", NAMES[0], "--feature", "hane"), "--feature is for --by"),
        (("--by", "year", "--html", "x.html"), "--html is not for --by"),
        (("--by", "year", "--feature", "hanne"), "did you mean 'hane'"),
        (("--by", "year", "--moves", "50-1"), "--moves 50-1 is no range of moves"),
        (("--by", "year", "--against", "others"), "groups are compared with one base"),
        (("--phase", "opening"), "are too few to tell a style"),
    ],
)
def test_mistakes(games: Path, more: tuple[str, ...], sentence: str) -> None:
    base = () if "--against" in more else ("--against", games.parent / "base.katachi")
    done = katachi("style", games, *base, "--jobs", "1", "--no-cache", *more)
    assert sentence in one_sentence(done)
