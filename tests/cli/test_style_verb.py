"""katachi style: what it prints, and one sentence for each mistake."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from katachi import KatachiError
from katachi.cli.missing import check_named
from katachi.cli.positions import read_record
from katachi.models.predictor import Ratings
from katachi.patterns.catalogue import PLAYOUT
from katachi.patterns.features import Features
from katachi.records.read import read_games
from katachi.records.sgf import parse_games
from katachi.styles.fit import fit
from katachi.styles.readable import READABLE
from tests.archives import zip_of
from tests.cli.test_cli import katachi, one_sentence
from tests.games import bundled_sgfs
from tests.styles.games import NAMES, renamed, small_sgfs
from tests.trained import trained

FLAT = {
    family.name: Ratings(
        *(np.ones(family.size, kind) for kind in ("f4", "f4", "u4", "u4"))  # of no matter what
    )
    for family in PLAYOUT.families
}
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
    monkeypatch.setattr("katachi.styles.style.SURE", 1.01)  # whatever it is, it is told
    page = tmp_path / "report.html"
    text = run(games, "--player", NAMES[0], "--html", page)
    assert text.startswith(f"{NAMES[0]}: 12 games, ")
    assert "Habits, most telling first" in text
    assert "--move" in text
    data = json.loads(run(games, "--player", NAMES[0], "--json"))
    rows = list(csv.DictReader(io.StringIO(run(games, "--player", NAMES[0], "--csv"))))
    every = [*data["differences"], *data["shapes"]]
    assert [row["feature"] for row in rows] == [one["feature"] for one in every]
    assert [row["picture"] for row in rows] == [one["picture"].replace("\n", "/") for one in every]
    assert (data["errors"], data["shape_errors"]) == ("full Hessian", "full Hessian")
    assert f"Of {len(data['shapes'])} shapes, at {data['shape_moves']} of the moves" in text
    shape = data["shapes"][0]
    assert all(f"        {row}\n" in text for row in shape["picture"].split("\n"))
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
    shape = json.loads(run(games, *common, "--shape", ".../.*./..X", "--json"))
    assert [row["feature"] for row in shape] == [".../.*./..X"] * 3
    assert sum(row["played"] for row in shape) > 0
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
        (("--by", "year", "--shape", "..*"), "'..*' is no shape: draw a circle"),
        (
            ("--by", "year", "--shape", ".../.*./...", "--feature", "hane"),
            "give --feature, or --sh",
        ),
        (("--html", "/nowhere/report.html"), "/nowhere"),
        (("--phase", "opening"), "are too few to tell a style"),
    ],
)
def test_mistakes(games: Path, more: tuple[str, ...], sentence: str) -> None:
    base = () if "--against" in more else ("--against", games.parent / "base.katachi")
    done = katachi("style", games, *base, "--jobs", "1", "--no-cache", *more)
    assert sentence in one_sentence(done)


def test_nothing_to_read(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = katachi("style", tmp_path / "empty", "--no-cache")
    assert str(tmp_path / "empty") in one_sentence(done)


def test_games_of_several_sizes(games: Path) -> None:
    large = next(sgf for sgf in bundled_sgfs().values() if b"SZ[19]" in sgf)
    (games / "large.sgf").write_bytes(renamed(large, 0))
    base = ("--against", games.parent / "base.katachi", "--jobs", "1", "--no-cache")
    done = katachi("style", games, "--player", NAMES[0], *base)
    assert "of several sizes (9x9, 19x19): choose by --size" in one_sentence(done)


def test_a_base_that_cannot_be_read(games: Path) -> None:
    light = replace(trained(), features=Features(PLAYOUT))
    light = replace(light, predictor=replace(light.predictor, ratings=FLAT))
    light.save(games.parent / "light.katachi")
    base = ("--against", games.parent / "light.katachi", "--jobs", "1", "--no-cache")
    sentence = one_sentence(katachi("style", games, "--player", NAMES[0], *base))
    assert "features playout has other levels of capture and extension than a person" in sentence


def test_an_example_in_an_archive_is_opened_by_its_name(tmp_path: Path) -> None:
    """katachi study GAME --move N, with GAME as the report has it."""
    first, second = small_sgfs(2)
    path = tmp_path / "games.zip"
    path.write_bytes(zip_of({"some/a.sgf": first, "some/b.sgf": second}))
    source = read_games([path])[1].source
    assert source == f"{path}:some/b.sgf"
    check_named("study", [source])
    record = read_record(Path(source))
    assert record.game.moves == parse_games(second, "b.sgf")[0][0].moves
    assert record.game.moves != read_record(Path(f"{path}:some/a.sgf")).game.moves
    with pytest.raises(KatachiError, match=r"games.zip holds no some/c.sgf: name a file of it"):
        read_record(Path(f"{path}:some/c.sgf"))
    with pytest.raises(KatachiError, match=r"no.zip:a.sgf does not exist: name an SGF file"):
        check_named("study", [f"{tmp_path}/no.zip:a.sgf"])
