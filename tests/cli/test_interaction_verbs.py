"""`train --method factors` and `hidden`, and what is done with their models."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from katachi.learning.interactions.predictor import HiddenPredictor
from katachi.models.model import load_model
from tests.cli.test_learning_verbs import katachi, write_games
from tests.trained import FACTORS, HIDDEN, trained

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("interactions")
    write_games(root / "games", 0, 10)
    write_games(root / "new", 10, 12)
    trained(FACTORS).save(root / "factors.katachi")
    trained(HIDDEN).save(root / "hidden.katachi")
    return root


def test_train(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.katachi"
    run = partial(katachi, capsys, "train", "-o", path)
    few = ["--min-candidates", "300", "--field", "12", "--positions-per-game", "40"]
    for name in FACTORS.without:
        few += ["--without", name]
    done = run(place / "games", "--method", "factors", "--rank", "4", *few)
    assert (done.code, done.err) == (0, "learning from 40 positions of each game "
                                        "(--positions-per-game)\n")  # fmt: skip
    assert load_model(path).digest == trained(FACTORS).digest
    for words in ("gammas and", "by the gammas alone", "learn ", f"wrote {path}"):
        assert words in done.out
    assert [p.name for p in tmp_path.iterdir()] == ["a.katachi"]
    more = ["--units", "3", "--epochs", "1", "--rate", "0.3", "--embedding-prior", "2"]
    more += ["--stored", "float16", "--prior", "2", "--json"]
    told = json.loads(run(place / "new", "--method", "hidden", *few, *more).out)
    options = told["settings"]["options"]
    assert (options["units"], options["epochs"], options["rate"]) == (3, 1, 0.3)
    assert (options["embedding_prior"], options["prior"]) == (2.0, [2.0, 2.0])
    found = load_model(path).predictor
    assert isinstance(found, HiddenPredictor)
    assert str(found.features.values.dtype) == "float16"


@pytest.mark.parametrize("name", ["factors", "hidden"])
def test_its_models(place: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    model = place / f"{name}.katachi"
    shown = katachi(capsys, "ratings", model)
    assert shown.code == 0
    assert "is on the third line" in shown.out
    told = katachi(capsys, "evaluate", model, "default", place / "new", "--json")
    assert [one["name"] for one in json.loads(told.out)["models"]] == [name, "default"]
    where = ("--model", model, "--moves", "E5 C3 E3", "--size", "9")
    for verb, words in (("suggest", "takes the 3-3 point"), ("explain", "Together: ")):
        done = katachi(capsys, verb, *where, *(["D4"] if verb == "explain" else []))
        assert (done.code, done.err) == (0, "")
        assert words in done.out
    explained = json.loads(katachi(capsys, "explain", *where, "D4", "--json").out)
    together = explained["move"]["groups"][-1]
    assert together["title"] == "Together"
    assert sum(m["elo"] for m in together["members"]) == pytest.approx(together["elo"])


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--rank", "4"), "--rank is for --method factors"),
        (("--method", "factors", "--units", "4"), "--units is for --method hidden"),
        (("--method", "ranking", "--epochs", "4"), "--epochs is for --method factors or hidden"),
        (("--method", "hidden", "--rate", "-1"), "rate -1.0 is not between 0 and a million"),
        (("--method", "hidden", "--units", "0"), "0"),
        (("--method", "factors", "--pair", "a*b"), "--pair is for --method bradley-terry"),
        (("--method", "factors", "--continue", "default"), "is for --method ranking or frequency"),
        (("--method", "factors", "--prior", "-1"), "prior"),
    ],
    ids=str,
)
def test_mistakes(
    place: Path,
    tmp_path: Path,
    args: tuple[str, ...],
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = katachi(capsys, "train", place / "games", "-o", tmp_path / "a.katachi", *args)
    assert done.code == 2
    assert words in " ".join(done.err.split())
    assert list(tmp_path.iterdir()) == []
