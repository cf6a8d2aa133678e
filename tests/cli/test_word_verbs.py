"""The verbs with a model of words: `train --features words`, `ratings --words`, `explain`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from katachi.evaluation.ratings import ratings_of
from katachi.models.model import load_model
from katachi.patterns.vocabulary.groups import GROUPS, TERMS, WORD_FAMILIES
from katachi.patterns.vocabulary.names import japanese
from tests.cli.test_learning_verbs import katachi, write_games
from tests.trained import LARGEST, WORDY, trained


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("words") / "words.katachi"
    trained(WORDY, 0, 4).save(path)
    return path


@pytest.mark.slow
def test_train(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = write_games(tmp_path / "games", 0, 4)
    path = tmp_path / "my.katachi"
    few = ("--min-candidates", "200", "--tolerance", "1e-9")
    done = katachi(capsys, "train", games, "-o", path, "--features", "words", *few)
    assert (done.code, done.err) == (0, "")
    assert load_model(path).digest == load_model(model).digest
    assert "shape" not in load_model(path).predictor.ratings


def test_the_ratings_of_words(
    model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    done = katachi(capsys, "ratings", model, "--words")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    head = ["group", "word", "Japanese", "Elo", "±", "wins", "appearances"]
    assert lines[0].split() == head
    assert len(lines) == 1 + len(TERMS)
    found = load_model(model)
    rows = [row for family in WORD_FAMILIES for row in ratings_of(found, family.name)]
    titles = {group.family.name: group.family.title for group in GROUPS}
    for line, row in zip(lines[1:], rows, strict=True):
        cells = [
            titles[row.family] if row.number == 1 else "",
            TERMS[row.level].word,
            japanese(row.level),
            f"{row.elo:+.0f}",
            f"{row.error:.0f}",
            f"{row.wins:,}",
            f"{row.appearances:,}",
        ]
        assert re.split(r"\s{2,}", line.strip()) == [cell for cell in cells if cell]


def test_the_ratings_of_words_as_data(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = katachi(capsys, "ratings", model, "--words", "--json")
    assert [row["level"] for row in json.loads(done.out)] == list(TERMS)
    done = katachi(capsys, "ratings", model, "--words", "--family", "word-eye", "--csv")
    assert len(done.out.splitlines()) == 1 + 4
    done = katachi(capsys, "ratings", model, "--words", "--top", "1")
    assert len(done.out.splitlines()) == 1 + 2 * len(GROUPS)


def test_words_of_several_models(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    two = tmp_path / "again.katachi"
    two.write_bytes(model.read_bytes())
    done = katachi(capsys, "ratings", model, two, "--words", "--family", "word-eye")
    assert (done.code, done.err) == (0, "")
    head, *lines = done.out.splitlines()
    assert head.split()[3:] == [model.stem, "played", "again", "played"]
    for line, row in zip(lines, ratings_of(load_model(model), "word-eye"), strict=True):
        cells = re.split(r"\s{2,}", line.strip())
        assert cells[-4:] == [f"{row.elo:+.0f} ±{row.error:.0f}", f"{row.wins:,}"] * 2
    for more in ((), ("--words", "--json"), ("--words", "--top", "3")):
        done = katachi(capsys, "ratings", model, two, *more)
        assert (done.code, done.out) == (2, "")
        assert "several models are compared by their words only" in done.err
    trained(LARGEST).save(two)
    done = katachi(capsys, "ratings", model, two, "--words")
    assert (done.code, done.out) == (2, "")
    assert f"{two} has no word-" in done.err


def test_words_in_an_explanation(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moves = ("--size", "19", "--moves", "Q16", "D4")
    done = katachi(capsys, "explain", "--model", model, *moves)
    assert done.code == 0
    assert "takes the star point of an empty corner" in " ".join(done.out.split())


def test_a_model_without_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "plain.katachi"
    trained(LARGEST).save(path)
    told = "the model has no words: katachi train --features words makes one"
    for more in ((), ("--json",), ("--csv",), ("--family", "border")):
        done = katachi(capsys, "ratings", path, "--words", *more)
        assert (done.code, done.out) == (2, "")
        assert done.err.strip() == f"katachi: {told}"
