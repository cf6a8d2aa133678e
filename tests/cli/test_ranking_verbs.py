"""`train --method`, `--continue` and `reproduce stern` from the command line."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from katachi.learning.base import Settings
from katachi.models.model import load_model
from katachi.papers.run import MORE, TEST, TRAIN
from tests.archives import tar_of
from tests.cli.test_learning_verbs import Done, katachi, write_games
from tests.games import beginning, bundled_sgfs
from tests.interrupt import held, interrupted, own_cache
from tests.trained import trained


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("ranking")
    write_games(root / "games", 0, 10)
    write_games(root / "new", 10, 16)
    trained(Settings("ranking")).save(root / "ranking.katachi")
    trained().save(root / "elo.katachi")
    return root


def sentence(done: Done) -> str:
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("katachi: ")
    assert done.err.count("\n") == 1
    return done.err


@pytest.mark.slow
def test_train_by_ranking(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.katachi"
    done = katachi(capsys, "train", place / "games", "--method", "ranking", "-o", path)
    assert (done.code, done.err) == (0, "")
    model = load_model(path)
    assert model.digest == load_model(place / "ranking.katachi").digest
    assert "T1 " in done.out
    assert "each played 2 times or more" in done.out
    assert "beta 1.25; log-evidence while learning -" in done.out
    assert f"wrote {path}" in done.out
    assert [p.name for p in tmp_path.iterdir()] == ["a.katachi"]
    shown = katachi(capsys, "ratings", path)
    assert shown.code == 0
    assert "e^mean" in shown.out
    assert "makes no shape that is known" in shown.out
    told = katachi(capsys, "evaluate", path, place / "elo.katachi", place / "new", "--json")
    assert [one["name"] for one in json.loads(told.out)["models"]] == ["a", "elo"]


@pytest.mark.slow
def test_other_ways(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = partial(katachi, capsys, "train", place / "games", "-o", tmp_path / "a.katachi", "--json")
    for args, wanted in (
        (("--method", "frequency"), ("frequency", "stern", False, 0.0)),
        (("--method", "ranking", "--shapes", "all-radii"), ("ranking", "stern", True, 2.0)),
        (("--method", "ranking", "--beta", "0.7"), ("ranking", "stern", False, 0.7)),
        (("--method", "ranking", "--features", "playout"), ("ranking", "playout", False, 2.0)),
        (("--method", "ranking", "--features", "context"), ("ranking", "context", True, 3.0)),
    ):
        done = run(*args)
        assert done.code == 0, done.err
        model = load_model(tmp_path / "a.katachi")
        features = model.features
        beta = getattr(model.predictor, "beta", 0.0)
        told = (model.predictor.learner, features.catalogue.name, features.all_radii, beta)
        assert told == wanted
        assert json.loads(done.out)["games"] == 10


@pytest.mark.slow
def test_going_on_with_new_games(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "more.katachi"
    old = place / "ranking.katachi"
    run = partial(katachi, capsys, "train", "--method", "ranking", "-o", path, "--continue")
    assert run(old, place / "new").code == 0
    before, after = load_model(old), load_model(path)
    assert len(after.features.dictionaries["shape"]) > len(before.features.dictionaries["shape"])
    assert "exactly these games" in sentence(run(old, place / "games"))
    assert "exactly these games" in sentence(run(path, place / "games"))
    assert "bradley-terry does not go on by ranking" in sentence(
        run(place / "elo.katachi", place / "new")
    )
    assert "does not exist" in sentence(run(place / "none.katachi", place / "new"))
    cut = tmp_path / "cut.katachi"
    cut.write_bytes(old.read_bytes()[:-10])
    assert "cut short" in sentence(run(cut, place / "new"))
    for option in (("--beta", "3"), ("--features", "coulom"), ("--shapes", "all-radii")):
        assert f"{option[0]} stays as it is" in sentence(run(old, place / "new", *option))
    assert load_model(path).digest == after.digest  # nothing was lost by any of these


def test_options_that_are_for_another_method(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = partial(katachi, capsys, "train", place / "games", "-o", tmp_path / "a.katachi")
    ranking = ("--method", "ranking")
    for args, words in (
        ((*ranking, "--prior", "2"), "--prior is for --method bradley-terry"),
        ((*ranking, "--field", "32"), "--field is for --method bradley-terry"),
        ((*ranking, "--fit", "mm"), "--fit is for --method bradley-terry"),
        (("--beta", "1"), "--beta is for --method ranking"),
        (("--method", "frequency", "--beta", "1"), "--beta is for --method ranking"),
        (("--continue", place / "elo.katachi"), "--continue is for --method ranking or frequency"),
        ((*ranking, "--beta", "-1"), "a beta of -1.0 is not between 0.001 and 1000"),
        (("--method", "rankin"), "rankin"),
        (("--method", "frequency", "--features", "coulom"), "is for --features stern"),
        ((*ranking, "--memory", "5"), "5"),
    ):
        assert words in sentence(run(*args))
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_ctrl_c_while_learning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A real interrupt: the next run goes on, and comes to the same model."""
    games = tmp_path / "games"
    games.mkdir()
    for copy in range(2):
        for name, data in list(bundled_sgfs().items())[:67]:
            (games / f"{copy}-{name}").write_bytes(beginning(data))
    environment = own_cache(tmp_path)
    path, work = tmp_path / "my.katachi", tmp_path / "my.katachi.work"
    rest = ["train", str(games), "-o", str(path), "--json", "--method", "ranking", "--jobs", "2"]
    program = held("katachi.learning.ranking.learn:learn", 2)
    interrupted([*program, *rest], environment, (work / "shape.shapes").exists)
    assert not path.exists()
    kept = (work / "shape.shapes").stat().st_ino
    assert json.loads(katachi(capsys, *rest, "--keep-work").out)["games"] == 134
    assert (work / "shape.shapes").stat().st_ino == kept
    model = load_model(path)
    assert katachi(capsys, *rest, "--work", tmp_path / "other", "--jobs", 1).code == 0
    assert load_model(path).digest == model.digest


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packs")
    sgfs = list(bundled_sgfs().items())[67:]
    for name, some in ((TRAIN, sgfs[:5]), (MORE, sgfs[5:8]), (TEST, sgfs[8:10])):
        (folder / name).write_bytes(tar_of(dict(some), "w:xz"))
    return folder


@pytest.mark.slow
def test_reproduce_stern(packs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    run = partial(katachi, capsys, "reproduce", "stern", "-o", out)
    done = run("--data", packs)
    *notes, last = done.err.splitlines()
    assert done.code == 0
    assert all(" is not the pack of docs/results" in note for note in notes)
    assert last.startswith("the models, the figures and the report are in ")
    for words in (
        "Figure 2",
        "Figure 3, left",
        "Figure 3, right and centre",
        "Figure 4",
        "paper",
        "largest",
        "all-radii",
        "context",
        "26 %",
        "about 50 %",
        "T3",
        "beta 2;",
        "beta 3;",
    ):
        assert words in done.out
    told = json.loads(run("--data", packs, "--json").out)
    assert set(told["models"]) == {"largest", "all-radii", "context"}
    assert f"{100 * told['models']['largest']['report']['top5']:.1f} %" in done.out
    grown = run("--data", packs, "--growth", "--memory", "900")
    assert grown.code == 0
    assert "Growth with the number of games" in grown.out


def test_reproduce_stern_mistakes(
    packs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = partial(katachi, capsys, "reproduce")
    for args, words in (
        (("stern",), "it needs --data"),
        (("stern", "--data", tmp_path / "no"), "is no folder"),
        (("stern", "--data", tmp_path), "does not exist: --data names the folder"),
        (("stern", "--data", packs, "--table", "2"), "--table is for reproduce coulom"),
        (("stern", "--data", packs, "--games", "3"), "--games is for reproduce coulom"),
        (("coulom", "--data", packs, "--growth"), "--growth is for reproduce stern or beyond"),
        (("stern", "--data", packs, "-o", packs / TRAIN), "is a file"),
        (("sterm", "--data", packs), "sterm"),
    ):
        assert words in sentence(run(*args))
