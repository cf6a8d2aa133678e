"""A learner and a family of one's own, as docs/design.md shows them, through all verbs."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

import katachi
from katachi.cli import main
from katachi.go.points import PASS
from katachi.learning.base import LEARNERS
from katachi.models.predictor import RESTORERS
from katachi.patterns.catalogue import CATALOGUES
from tests.games import bundled_sgfs

PAGE = Path(__file__).parent.parent / "docs" / "design.md"


def code() -> str:
    """All that the two sections of the page show, in order."""
    text = PAGE.read_text(encoding="utf-8")
    sections = [
        text.split(f"\n## {title}\n")[1].split("\n## ")[0]
        for title in ("A family of your own", "A learner of your own")
    ]
    return "\n\n".join(re.findall(r"```python\n(.*?)```", "\n".join(sections), re.DOTALL))


@pytest.fixture
def registered() -> Iterator[None]:
    """The code of the page was run, as if it were imported."""
    registries: list[dict[str, Any]] = [LEARNERS, RESTORERS, CATALOGUES]
    known = [(registry, dict(registry)) for registry in registries]
    exec(compile(code(), str(PAGE), "exec", dont_inherit=True), {"__name__": "mine"})
    yield
    for registry, before in known:
        registry.clear()
        registry.update(before)


def ended(code: int, *args: Any) -> tuple[str, str]:
    """(stdout, stderr) of a verb that ends with this code."""
    out, err = TextIOWrapper(BytesIO(), "utf-8"), StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as end:
        main([str(arg) for arg in args])
    assert end.value.code == code, err.getvalue()
    out.seek(0)
    return out.read(), err.getvalue()


def run(*args: Any) -> str:
    return ended(0, *args)[0]


def refused(*args: Any) -> str:
    return ended(2, *args)[1]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    for name, sgf in list(bundled_sgfs().items())[:12]:
        (folder / name).write_bytes(sgf)
    return folder


@pytest.mark.slow
@pytest.mark.usefixtures("registered")
def test_through_all_verbs(games: Path, tmp_path: Path) -> None:
    path, mine = tmp_path / "my.katachi", tmp_path / "mine.py"
    train = ["train", games, "-o", path, "--method", "counting", "--features", "mine", "--jobs", 1]
    help_text = " ".join(run("train", "--help").split())
    assert "For counting: how often each level was played, and not, before the first" in help_text
    assert "|counting]" in help_text.replace("| ", "|")
    assert "|mine]" in help_text.replace("| ", "|")
    assert "a start of -1.0 is too small: give 1" in refused(*train, "--start", "-1")
    assert "--start is for --method counting" in refused("train", games, "-o", path, "--start", "2")
    assert "--prior is for --method bradley-terry" in refused(*train, "--prior", "2")
    about = json.loads(run(*train, "--start", "2", "--json"))
    assert about["settings"]["options"] == {"start": 2.0}
    assert (about["settings"]["learner"], about["settings"]["catalogue"]) == ("counting", "mine")

    model = katachi.load_model(path)
    assert model.predictor.learner == "counting"
    found = model.predictor.ratings["middle"]
    won, lost = found.wins + 2.0, found.appearances - found.wins + 2.0
    usual = about["competitions"] / about["candidates"]
    assert found.gamma == pytest.approx(won / lost / usual, rel=1e-6)
    assert int(found.wins.sum()) < about["competitions"]  # but passes

    report = json.loads(run("evaluate", path, games, "--jobs", 1, "--json"))
    (measured,) = report["models"]
    assert measured["top1"] > 1 / 50
    rows = json.loads(run("ratings", path, "--json"))
    assert {row["level"] for row in rows if row["family"] == "middle"} == {"near", "far"}
    asked = ["--moves", "E5 C3", "--size", 9, "--model", path, "--json"]
    moves = json.loads(run("suggest", *asked))["moves"]
    position = katachi.Position(9)
    for vertex in ("E5", "C3"):
        position.play(vertex)
    chances = model.probabilities(position)
    assert math.fsum(chances.values()) == pytest.approx(1)
    for move in moves:
        assert chances[position.point(move["vertex"])] == pytest.approx(move["probability"])
    told = json.loads(run("explain", "D5", *asked))["move"]
    titles = {group["title"]: group["sentence"] for group in told["groups"]}
    assert titles["Middle"] == "is near the middle"

    mine.write_text(code())
    done = subprocess.run(
        [sys.executable, mine, "gtp", "--player", "pattern", "--model", path],
        input="boardsize 9\nplay b E5\nplay w C3\ngenmove b\nquit\n",
        capture_output=True,
        text=True,
        check=True,
    )
    likeliest = max(chances, key=chances.__getitem__)
    assert done.stdout.split("\n\n")[3] == f"= {moves[0]['vertex']}"
    assert position.point(moves[0]["vertex"]) == likeliest != PASS


@pytest.mark.usefixtures("registered")
def test_what_is_not_registered_is_refused(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "my.katachi"
    train = ["train", games, "-o", path, "--jobs", 1, "--method", "counting"]
    run(*train, "--features", "playout")
    before = katachi.load_model(path).digest
    learner, restore = LEARNERS.pop("counting"), RESTORERS.pop("counting")
    words = "was learnt by the method 'counting', which this program does not have: register it in"
    with pytest.raises(katachi.KatachiError, match=words):
        katachi.load_model(path)
    assert "'counting' is not one of" in refused(*train)
    with pytest.raises(katachi.KatachiError, match="there is no learner 'counting': it is one of"):
        katachi.Settings("counting")
    assert isinstance(learner, katachi.Learner)
    assert callable(restore)
    katachi.register_learner(learner, restore)
    assert katachi.load_model(path).digest == before


def test_options_of_another_learner() -> None:
    with pytest.raises(katachi.KatachiError, match="RankingOptions are not the options of maxent"):
        katachi.Settings("maxent", katachi.RankingOptions())
