"""`train --method maxent`, what is done with its models, and `reproduce araki`."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

import pytest

from katachi.models.model import load_model
from katachi.papers import araki as module
from katachi.papers.run import TEST, TRAIN
from katachi.records.read import read_games
from tests.archives import tar_of
from tests.cli.test_learning_verbs import katachi, write_games
from tests.cli.test_ranking_verbs import sentence
from tests.games import bundled_sgfs
from tests.interrupt import held, interrupted, own_cache
from tests.learning.maxent.test_entropy import MAXENT
from tests.trained import trained


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("maxent")
    write_games(root / "games", 0, 10)
    write_games(root / "new", 10, 12)
    trained(MAXENT).save(root / "maxent.katachi")
    return root


def test_train(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.katachi"
    run = partial(katachi, capsys, "train", place / "games", "--method", "maxent", "-o", path)
    done = run("--rerank", "6")
    assert (done.code, done.err) == (0, "")
    assert load_model(path).digest == load_model(place / "maxent.katachi").digest
    for words in (
        "T1 ",
        "each played 2 times or more",
        "width 0.9; ",
        "weights, and",
        "were not among the first 6",
        f"wrote {path}",
    ):
        assert words in done.out
    assert [p.name for p in tmp_path.iterdir()] == ["a.katachi"]
    told = json.loads(run("--rerank", "0", "--width", "2", "--seed", "5", "--json").out)
    assert (told["width"], told["settings"]["seed"]) == (2.0, 5)
    assert load_model(path).predictor.is_product


def test_its_models(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = katachi(capsys, "ratings", place / "maxent.katachi")
    assert shown.code == 0
    for words in ("coordinates", "is on a 3-4 point", "relative1", "the strongest of"):
        assert words in shown.out
    told = katachi(capsys, "evaluate", place / "maxent.katachi", "default", place / "new", "--json")
    assert [one["name"] for one in json.loads(told.out)["models"]] == ["maxent", "default"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--width", "1"), "--width is for --method maxent"),
        (("--rerank", "20"), "--rerank is for --method maxent"),
        (("--method", "maxent", "--width", "-1"), "a width of -1.0 is not between 0 and"),
        (("--method", "maxent", "--width", "nan"), "a width of nan is not between 0 and"),
        (("--method", "maxent", "--rerank", "1"), "1 moves cannot be ranked anew"),
        (("--method", "maxent", "--rerank", "-4"), "-4"),
        (("--method", "maxent", "--features", "coulom"), "not coulom: leave out --features"),
        (("--method", "maxent", "--shapes", "all-radii"), "leave out --shapes"),
        (("--method", "maxent", "--without", "shape"), "cannot leave out 'shape'"),
        (("--method", "maxent", "--beta", "1"), "--beta is for --method ranking"),
        (("--method", "maxent", "--prior", "1"), "--prior is for --method bradley-terry"),
        (("--method", "maxent", "--owner"), "--owner is for --method bradley-terry or ranking"),
        (("--method", "maxent", "--continue", __file__), "is for --method ranking or frequency"),
        (("--method", "maxnet"), "maxnet"),
    ],
)
def test_mistakes(
    place: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    args: tuple[str, ...],
    words: str,
) -> None:
    run = partial(katachi, capsys, "train", place / "games", "-o", tmp_path / "a.katachi")
    assert words in sentence(run(*args))
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_ctrl_c_while_fitting(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A real interrupt: the next run goes on with the samples that are there."""
    games = tmp_path / "games"
    games.mkdir()
    for name, data in list(bundled_sgfs().items())[:40]:
        (games / name).write_bytes(data)
    environment = own_cache(tmp_path)
    path, work = tmp_path / "my.katachi", tmp_path / "my.katachi.work"
    rest = ["train", str(games), "-o", str(path), "--json"]
    rest += ["--method", "maxent", "--jobs", "2", "--tolerance", "1e-7"]
    program = held("katachi.learning.maxent.fit:loss", 8)
    interrupted([*program, *rest], environment, (work / "weights-3.npz").exists)
    assert not path.exists()
    kept = (work / "samples" / "shards" / "00000").stat().st_ino
    told = json.loads(katachi(capsys, *rest, "--keep-work").out)
    assert (told["games"], told["converged"]) == (40, True)
    assert (work / "samples" / "shards" / "00000").stat().st_ino == kept


@pytest.mark.slow
@pytest.mark.needs("gnugo")
def test_a_game_against_gnu_go(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Araki 2007, IV-D: the likeliest moves over GTP; the game is recorded."""
    own = f"{sys.executable} -m katachi gtp --player pattern --model {place / 'maxent.katachi'}"
    done = katachi(
        capsys,
        "match",
        own,
        "gnugo --mode gtp --level 1 --chinese-rules",
        "--games",
        "2",
        "--size",
        "9",
        "--komi",
        "6.5",
        "-o",
        tmp_path / "match",
    )
    assert done.code == 0, done.err
    corpus = read_games([tmp_path / "match"])
    assert len(corpus) == 2
    model = load_model(place / "maxent.katachi")
    game = corpus[0]
    ours = 0 if "Katachi" in game.black else 1
    position = game.position(ours)
    chances = model.probabilities(position)
    assert chances[game.moves[ours][1]] == max(chances.values())


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Archives named as ours, of few bundled games on 19x19, and so few of them learnt from."""
    folder = tmp_path_factory.mktemp("packs")
    sgfs = list(bundled_sgfs().items())[67:]
    for name, some in ((TRAIN, sgfs[:12]), (TEST, sgfs[12:14])):
        (folder / name).write_bytes(tar_of(dict(some), "w:xz"))
    for name, value in (
        ("FEW", 8),
        ("DEVELOP", 2),
        ("GROWTH", (5_000, 20_000)),
        ("WIDTHS", (0.0, 0.9)),
        ("AMOUNTS", (20, 40)),
    ):
        monkeypatch.setattr(module, name, value)
    return folder


@pytest.mark.slow
def test_reproduce(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    run = partial(katachi, capsys, "reproduce", "araki", "-o", out, "--data", small)
    done = run()
    *notes, last = done.err.splitlines()
    assert done.code == 0
    assert all(" is not the pack of docs/results" in note for note in notes)
    assert last.startswith("the models, the figures and the report are in ")
    for words in (
        "Table I: ",
        "Table II: ",
        "Table III: ",
        "Table IV: ",
        "28.24 %",
        "69.11 %",
        "33.94 %",
        "81.00 %",
        "bradley-terry, all features, all legal moves",
        "8.75 days",
    ):
        assert words in done.out
    told = json.loads(run("--json").out)
    assert f"{100 * told['widths']['0.9']['top1']:.2f} %" in done.out
    assert told["comparison"].keys() == {"maxent", "ranking", "frequency"}
    assert told["growth"]["20000"]["games"] == 2
    assert (out / "araki-ranks.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((out / "araki.json").read_text()) == told


def test_reproduce_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = partial(katachi, capsys, "reproduce", "araki")
    for args, words in (
        ((), "it needs --data"),
        (("--data", tmp_path), "does not exist: --data names the folder"),
        (("--data", tmp_path, "--growth"), "--growth is for reproduce stern or beyond"),
        (("--data", tmp_path, "--table", "2"), "--table is for reproduce coulom"),
    ):
        assert words in sentence(run(*args))
