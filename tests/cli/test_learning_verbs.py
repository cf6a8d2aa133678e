"""`train`, `evaluate`, `ratings` and `reproduce`: what they print, and what they say of mistakes.

Most of it in this process, which is faster; what is asked of a program, in one of its own.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from katachi.cli import main
from katachi.evaluation.measure import measure
from katachi.evaluation.ratings import Rating, ratings_of
from katachi.evaluation.report import TOPS, differences, report
from katachi.learning.base import LEARNERS, Settings
from katachi.learning.bradley_terry.learner import LEARNER, BradleyTerryOptions
from katachi.learning.train import train
from katachi.models.model import FORMAT, load_model
from katachi.papers.coulom import TEST, TRAIN
from katachi.records.read import read_games
from tests.archives import tar_of
from tests.games import beginning, bundled_sgfs
from tests.interrupt import held, interrupted, own_cache
from tests.trained import ALL_RADII, LARGEST, PAIRED, trained


class Done(NamedTuple):
    code: int
    out: str
    err: str  # but for the line about kernels


def words_of(err: str) -> str:
    lines = err.splitlines(keepends=True)
    return "".join(line for line in lines if "compiling kernels" not in line)


def katachi(capsys: pytest.CaptureFixture[str], *args: Any) -> Done:
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return Done(ended.value.code, out, words_of(err))


def write_games(folder: Path, first: int, last: int) -> Path:
    folder.mkdir(parents=True)
    for name, data in list(bundled_sgfs().items())[first:last]:
        (folder / name).write_bytes(data)
    return folder


class Place(NamedTuple):
    """Files that no test changes."""

    games: Path  # ten on 9x9
    others: Path  # four more
    large: Path  # one on 19x19
    single: Path  # one on 9x9
    model: Path  # of the ten, the largest shape
    radii: Path  # all radii
    paired: Path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    root = tmp_path_factory.mktemp("verbs")
    found = Place(
        write_games(root / "games", 0, 10),
        write_games(root / "others", 20, 24),
        write_games(root / "large", 67, 68),
        write_games(root / "single", 0, 1),
        root / "largest.katachi",
        root / "radii.katachi",
        root / "paired.katachi",
    )
    for settings, path in (
        (LARGEST, found.model),
        (ALL_RADII, found.radii),
        (PAIRED, found.paired),
    ):
        trained(settings).save(path)
    return found


# train


@pytest.mark.slow
def test_train(place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "my.katachi"
    args = ["train", place.games, "-o", path, "--min-candidates", "200", "--tolerance", "1e-9"]
    done = katachi(capsys, *args)
    assert (done.code, done.err) == (0, "")
    model = load_model(path)
    assert model.digest == trained(LARGEST).digest
    about = model.about
    assert f"10 games, {about['competitions']:,} competitions of" in done.out
    assert f"shapes: {len(model.features.dictionaries['shape'])} shape" in done.out
    assert f"{about['gammas']:,} gammas in {about['iterations']} iterations" in done.out
    assert f"wrote {path}" in done.out
    assert about["names"] == ["games"]
    assert [p.name for p in tmp_path.iterdir()] == ["my.katachi"]  # the work is removed


@pytest.mark.slow
def test_train_with_playout_gammas(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The light model is learnt from boards of several sizes, and goes into the other's file."""
    light, path = tmp_path / "playout.katachi", tmp_path / "my.katachi"
    both = [place.games, place.large]
    done = katachi(capsys, "train", *both, "--features", "playout", "--any-size", "-o", light)
    assert (done.code, done.err) == (0, "")
    assert load_model(light).about["sizes"] == [9, 19]
    args = ["train", place.games, "-o", path, "--min-candidates", "200", "--tolerance", "1e-9"]
    done = katachi(capsys, *args, "--playout", light)
    assert (done.code, done.err) == (0, "")
    model = load_model(path)
    assert model.digest == trained(LARGEST).digest
    assert model.playout is not None
    assert model.playout.digest == load_model(light).digest


def test_train_with_everything(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, work = tmp_path / "my.katachi", tmp_path / "here"
    done = katachi(
        capsys,
        "train",
        place.games,
        place.others,
        "-o",
        path,
        "--features",
        "extended",
        "--shapes",
        "largest",
        "--min-count",
        "9",
        "--min-candidates",
        "900",
        "--owner",
        "--positions-per-game",
        "3",
        "--prior",
        "2.5",
        "--pair",
        "border*distance",
        "--pair",
        "capture*atari",
        "--without",
        "shape-marked",
        "--without",
        "eye",
        "--fit",
        "mm",
        "--tolerance",
        "1e-4",
        "--seed",
        "5",
        "--work",
        work,
        "--keep-work",
        "--json",
        "--jobs",
        "1",
        "--size",
        "9",
        "--even",
        "--min-moves",
        "28",
    )
    assert done.code == 0, done.err
    assert done.err.strip() == "fitting on 3 positions of each game (--positions-per-game)"
    data = json.loads(done.out)
    assert data["model"] == str(path)
    settings = data["settings"]
    assert settings == {
        **settings,
        "catalogue": "extended",
        "all_radii": False,
        "min_count": 9,
        "min_candidates": 900,
        "owner": True,
        "without": ["shape-marked", "eye"],
        "seed": 5,
        "options": {
            **settings["options"],
            "positions_per_game": 3,
            "prior": [2.5, 2.5],
            "pairs": ["border*distance", "capture*atari"],
            "fit": "mm",
            "tolerance": 1e-4,
        },
    }
    assert data["names"] == ["games", "others"]
    assert data["competitions"] == 3 * data["games"]
    assert 2 < data["games"] < 14  # --min-moves
    model = load_model(path)
    assert {"owner", "shape-played", "shape-liberties"} < set(model.predictor.ratings)
    assert not {"shape-marked", "eye"} & set(model.predictor.ratings)
    assert [pair.name for pair in model.predictor.pairs] == ["border*distance", "capture*atari"]
    assert json.loads(json.dumps(dict(model.about))) == {
        k: v for k, v in data.items() if k != "model"
    }
    assert (work / "plan.json").exists()


def test_what_is_not_converged_is_told(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    @dataclass(frozen=True)
    class Few(BradleyTerryOptions):
        max_iterations: int = 3

    monkeypatch.setitem(LEARNERS, "bradley-terry", replace(LEARNER, options=Few))
    args = ["train", place.single, place.others, "-o", tmp_path / "a.katachi"]
    done = katachi(capsys, *args, "--features", "playout")
    assert done.code == 0
    assert done.err.strip() == "not converged after 3 iterations"


# evaluate


def test_evaluate_as_json(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    done = katachi(
        capsys, "evaluate", place.model, place.radii, place.others, "--json", "--resamples", "50"
    )
    assert (done.code, done.err) == (0, "")
    data = json.loads(done.out)
    corpus = read_games(place.others)
    measured = measure([trained(LARGEST), trained(ALL_RADII)], corpus, cache=False)
    assert set(data) == {"games", "moves", "uniform_log_evidence", "models", "differences"}
    assert (data["games"], data["moves"]) == (4, int(corpus.moves.sum()))
    assert [one["name"] for one in data["models"]] == ["largest", "radii"]
    for one, found in zip(data["models"], measured, strict=True):
        wanted = report(found, resamples=50, seed=1)
        assert one == {"name": one["name"], **json.loads(json.dumps(wanted))}
        assert data["uniform_log_evidence"] == one["uniform_log_evidence"]
        assert one["uniform_log_evidence"] < one["mean_log_evidence"] < 0
        for key in (*(f"top{k}" for k in TOPS), "mean_log_evidence", "uniform_log_evidence"):
            low, high = one[f"{key}_interval"]
            assert low <= one[key] <= high
        assert 0 < one["top1"] < one["top5"] < one["top10"] < one["top20"] < 1
        assert (one["games"], one["moves"]) == (data["games"], data["moves"])
        assert sum(stage["moves"] for stage in one["stages"]) == data["moves"]
    (difference,) = data["differences"]
    assert difference.pop("name") == "radii - largest"
    wanted = differences(*measured, resamples=50, seed=1)
    assert difference == json.loads(json.dumps(wanted))
    gained = data["models"][1]["top1"] - data["models"][0]["top1"]
    assert difference["top1"] == pytest.approx(gained, abs=1e-12)
    low, high = difference["mean_log_evidence_interval"]
    assert low <= difference["mean_log_evidence"] <= high


@pytest.mark.slow
def test_evaluate_as_tables_with_plots(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    plots = tmp_path / "deep" / "plots"
    args = ["evaluate", place.others, place.paired, place.model, "--resamples", "20"]
    done = katachi(capsys, *args, "--plots", plots)
    assert (done.code, done.err) == (0, "")
    (found,) = measure([trained(PAIRED)], read_games(place.others), cache=False)
    assert f"{report(found)['mean_log_evidence']:.3f}"[1:] in done.out
    for word in ("paired", "largest", "uniform", "largest - paired"):
        assert word in done.out
    assert sorted(p.name for p in plots.iterdir()) == ["figure-3-stages.png", "figure-4-ranks.png"]
    for path in plots.iterdir():
        assert path.read_bytes().startswith(b"\x89PNG")
    again = katachi(capsys, *args, "--plots", plots)  # a folder that is there already
    assert again.out == done.out


def test_evaluate_keeps_nothing_without_a_cache(
    place: Place, corpus_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["evaluate", place.model, place.others, "--json"]
    one = katachi(capsys, *args, "--no-cache")
    assert not (corpus_cache / "measured").exists()
    two = katachi(capsys, *args)
    assert list((corpus_cache / "measured").rglob("*.npz"))
    assert one.out == two.out


def test_models_of_one_name_are_told_apart(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / place.model.name
    other.write_bytes(place.radii.read_bytes())
    args = [place.others, place.model, other]
    data = json.loads(katachi(capsys, "evaluate", *args, "--json", "--resamples", "10").out)
    assert [one["name"] for one in data["models"]] == [str(place.model), str(other)]
    a, b = (one["mean_log_evidence"] for one in data["models"])
    assert a != b


# ratings


def rows_of(place: Place, *names: str) -> list[Rating]:
    model = load_model(place.paired)
    return [row for name in names for row in ratings_of(model, name)]


def test_ratings_as_json_and_csv(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    model = load_model(place.paired)
    wanted = rows_of(place, *model.predictor.ratings)
    done = katachi(capsys, "ratings", place.paired, "--json")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == [row._asdict() for row in wanted]
    done = katachi(capsys, "ratings", place.paired, "--csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert len(rows) == len(wanted) == len(done.out.splitlines()) - 1
    for row, rating in zip(rows, wanted, strict=True):
        assert list(row) == list(Rating._fields)
        assert (row["family"], row["level"]) == (rating.family, rating.level)
        assert float(row["gamma"]) == rating.gamma
        assert float(row["elo"]) == pytest.approx(400 * math.log10(rating.gamma), abs=1e-9)
        assert row["drawing"] == rating.drawing.replace("\n", "/")


def test_ratings_of_a_family(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["ratings", place.paired, "--family", "border"]
    data = json.loads(katachi(capsys, *args, "--json").out)
    assert data == [row._asdict() for row in rows_of(place, "border")]
    top = json.loads(katachi(capsys, *args, "--json", "--top", "1").out)
    by_gamma = sorted(data, key=lambda row: -row["gamma"])
    assert top == [by_gamma[0], by_gamma[-1]]
    many = json.loads(katachi(capsys, *args, "--json", "--top", "3").out)
    assert many == by_gamma


def test_ratings_as_a_table(
    place: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    done = katachi(capsys, "ratings", place.paired)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].split()[:7] == ["family", "level", "gamma", "Elo", "±", "wins", "appearances"]
    cells = [re.split(r"\s{2,}", line.strip()) for line in lines]
    at = 1
    for i, row in enumerate(
        rows_of(place, "pass", "capture", "extension", "self-atari", "atari", "border", "distance")
    ):
        numbers = [
            f"{row.gamma:.3g}",
            f"{row.elo:+.0f}",
            f"{row.error:.0f}",
            f"{row.wins:,}",
            f"{row.appearances:,}",
        ]
        head = [row.family] if row.number == 1 else []
        while len(cells[at]) == 1:  # the rest of a long sentence
            at += 1
        assert cells[at][:-1] == [*head, row.level, *numbers], i
        assert row.sentence.startswith(cells[at][-1])
        at += 1
    shapes = rows_of(place, "shape-3")
    best = max(shapes, key=lambda row: row.gamma)
    assert f"shape-3: the strongest of {len(shapes)}" in done.out
    assert f"{best.elo:+.0f} ±{best.error:.0f}" in done.out
    assert best.drawing.splitlines()[0] in done.out
    one = katachi(capsys, "ratings", place.paired, "--family", "border")
    assert "strongest" not in one.out
    assert len(one.out.splitlines()) == 1 + len(rows_of(place, "border"))
    drawn = katachi(capsys, "ratings", place.paired, "--family", "shape-3", "--top", "2")
    assert drawn.out.count("*") == 4
    assert "gamma" not in drawn.out


def test_long_families_are_cut_short(
    place: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setattr("katachi.cli.ratings.LISTED", 6)
    done = katachi(capsys, "ratings", place.paired, "--family", "distance")
    lines = done.out.splitlines()
    assert len(lines) == 1 + 6 + 1
    assert "(10 more between)" in lines[4]
    gammas = [float(re.split(r"\s{2,}", line.strip())[-6]) for line in [*lines[1:4], *lines[5:]]]
    assert gammas == sorted(gammas, reverse=True)
    every = sorted(float(f"{row.gamma:.3g}") for row in rows_of(place, "distance"))
    assert gammas == [*every[:-4:-1], *every[2::-1]]


# reproduce


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packs")
    sgfs = list(bundled_sgfs().items())[67:]
    for name, some in ((TRAIN, sgfs[:3]), (TEST, sgfs[3:5])):
        (folder / name).write_bytes(tar_of(dict(some), "w:xz"))
    return folder


@pytest.mark.slow
def test_reproduce(
    packs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    args = ["reproduce", "coulom", "--data", packs, "-o", tmp_path / "out", "--no-owner"]
    done = katachi(capsys, *args)
    assert done.code == 0, done.err
    *notes, last = done.err.splitlines()
    assert [note.split(" is not the pack of ")[0] for note in notes] == [
        "kgs-train-652.tar.xz",
        "kgs-test-551.tar.xz",
    ]
    assert last.startswith("the models, the figures and the report are in ")
    for word in (
        "16,780",
        "34.90%",
        "-2.690",
        "largest",
        "all-radii",
        "Table 1",
        "same",
        "seconds: read",
        "30.68",
    ):
        assert word in done.out, word
    assert "9 more" not in done.out
    again = katachi(capsys, *args, "--json")
    data = json.loads(again.out)
    assert [one["name"] for one in data["models"]] == ["largest", "all-radii"]
    assert data == json.loads((tmp_path / "out" / "report.json").read_text())
    assert data["table_1"][0]["paper"] == 0.17


# Mistakes.


def one_sentence(done: Done) -> str:
    assert done.code == 2, (done.out, done.err)
    assert done.out == ""
    lines = done.err.splitlines()
    assert len(lines) == 1, done.err
    assert lines[0].startswith("katachi: ")
    return lines[0]


def files(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*")}


TRAINING: list[tuple[list[Any], str]] = [
    (["{games}", "--size", "13"], "no game is left by the filters (10 x another board size)"),
    (["{single}"], "one game is too few to learn from"),
    (
        ["{games}", "{large}"],
        "boards of several sizes (10 on 9x9, 1 on 19x19): choose by --size, "
        "or take all of them by --any-size",
    ),
    (["{games}", "--playout", "{model}"], "was not trained with --features playout"),
    (["{games}", "--playout", "{here}/none.katachi"], "none.katachi does not exist: make it by"),
    (["{games}", "--playout", "{here}/cut.katachi"], "cut.katachi is no model, or cut short"),
    (["{games}", "{large}", "--size", "19"], "one game is too few"),
    (["{single}", "--positions-per-game", "3"], "one game is too few"),
    (["{here}/none"], "does not exist"),
    (["{games}", "--pair", "border"], "'border' is no pair of families"),
    (["{games}", "--pair", "border*bordr"], "have no 'bordr' for 'border*bordr'"),
    (["{games}", "--pair", "border*pass", "--pair", "border*pass"], "named twice"),
    (["{games}", "--without", "bordr"], "have no 'bordr' to leave out"),
    (["{games}", "--prior", "0"], "a prior of 0 wins and 0 losses does not hold the ratings"),
    (["{games}", "--prior", "-1"], "a prior of -1 wins"),
    (["{games}", "--prior", "nan"], "a prior of nan wins"),
    (["{games}", "--prior", "0", "--positions-per-game", "2"], "a prior of 0 wins"),
    (["{games}", "--prior", "one"], "'one' is not a valid float"),
    (["{games}", "--tolerance", "-1"], "a tolerance of -1.0 cannot be reached"),
    (["{games}", "--features", "coulmb"], "'coulmb' is not one of 'coulom', 'extended', 'playout'"),
    (["{games}", "--shapes", "all"], "'all' is not one of"),
    (["{games}", "--fit", "slow"], "'slow' is not one of"),
    (["{games}", "--min-count", "0"], "0 is not in the range"),
    (["{games}", "--positions-per-game", "-1"], "-1 is not in the range"),
    (["{games}", "--seed", "-1"], "-1 is not in the range"),
    (["{games}", "--jobs", "0"], "0 is not in the range"),
    ([], "missing argument 'PATH…'"),
    (["{games}", "--work", "{here}/file"], "file is a file: it must be a folder to work in"),
    (["{games}", "--work", "{here}/file/x"], "cannot be made: Not a directory"),
    (["{games}", "--work", "{here}/full"], "full holds the work of another training: remove it"),
    (["{games}", "-o", "{here}/no/my.katachi"], "no does not exist: make it, or name another"),
    (["{games}", "-o", "{here}/full"], "full is a folder: name a file for the model"),
    (["{games}", "-o", "{here}/file/my.katachi"], "does not exist"),
]

EVALUATING: list[tuple[list[Any], str]] = [
    (["{model}"], "no games to measure on"),
    ([], "missing argument 'PATH…'"),
    (["{model}", "{others}", "--size", "13"], "no game is left by the filters"),
    (["{model}", "{large}"], "is on 19x19, but the shapes were harvested on 9x9"),
    (["{model}", "{radii}", "{others}", "{large}"], "is on 19x19"),
    (["{here}/none.katachi", "{others}"], "none.katachi does not exist: make it by katachi train"),
    (["{model}", "{model}", "{others}"], "is named twice: name each model once"),
    (["{model}", "{here}/none"], "none does not exist"),
    (["{here}/cut.katachi", "{others}"], "cut.katachi is no model, or cut short"),
    (["{here}/old.katachi", "{others}"], "old.katachi is katachi-model-0, not katachi-model-3"),
    (["{here}/shapes.katachi", "{others}"], "shapes.katachi is katachi-shapes-3, not"),
    (["{here}/junk.katachi", "{others}"], "junk.katachi is no model, or cut short"),
    (["{here}/folder.katachi", "{others}"], "folder.katachi is a folder, not a model"),
    (["{model}", "{others}", "--plots", "{here}/file"], "file is a file: name a folder"),
    (["{model}", "{others}", "--plots", "{here}/file/x"], "cannot be made: Not a directory"),
    (["{model}", "{others}", "--resamples", "1"], "1 is not in the range"),
]

SHOWING: list[tuple[list[Any], str]] = [
    (["{here}/none.katachi"], "does not exist"),
    (["{here}/cut.katachi"], "is no model, or cut short"),
    (["{here}/old.katachi"], "is katachi-model-0, not katachi-model-3: train it again"),
    (["{here}/folder.katachi"], "is a folder, not a model"),
    (["{here}/shapes.katachi", "--json"], "is katachi-shapes-3, not"),
    (["{model}", "--family", "bordr"], "the model has no family 'bordr': it has pass, capture,"),
    (["{model}", "--family", "bordr", "--csv"], "the model has no family 'bordr'"),
    (["{model}", "--family", "bordr", "--top", "2"], "the model has no family 'bordr'"),
    (["{model}", "--top", "0"], "0 is not in the range"),
    (["{model}", "{model}"], "several models are compared by their words only: give --words"),
]

REPRODUCING: list[tuple[list[Any], str]] = [
    (["coulom"], "it needs --data, the folder with the packs of games, or --quick (see katachi"),
    (["coulom", "--table", "1", "--json"], "it needs --data"),
    (["coulmb", "--data", "{here}"], "'coulmb' is not one of"),
    (["coulom", "--data", "{here}/none"], "none is no folder: name the one with the packs"),
    (["coulom", "--data", "{here}"], "kgs-train-652.tar.xz does not exist: --data names"),
    (["coulom", "--data", "{packs}", "-o", "{here}/file"], "file is a file: name a folder"),
    (["coulom", "--data", "{packs}", "-o", "{here}/file/x"], "cannot be made: Not a directory"),
]


@pytest.fixture
def names(place: Place, packs: Path, tmp_path: Path) -> dict[str, Path]:
    """The files of `place`, and a folder with things to stumble over."""
    here = tmp_path / "here"
    (here / "full").mkdir(parents=True)
    (here / "full" / "mine.txt").write_text("mine")
    (here / "file").write_text("mine")
    (here / "folder.katachi").mkdir()
    whole = place.model.read_bytes()
    (here / "cut.katachi").write_bytes(whole[:-100])
    (here / "old.katachi").write_bytes(whole.replace(FORMAT.encode(), b"katachi-model-0"))
    (here / "junk.katachi").write_bytes(Random(1).randbytes(5000))
    trained().features.dictionaries["shape"].save(here / "shapes.katachi")
    return {**place._asdict(), "here": here, "packs": packs}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        *((["train", "-o", "{here}/my.katachi", *args], words) for args, words in TRAINING),
        *((["evaluate", *args], words) for args, words in EVALUATING),
        *((["ratings", *args], words) for args, words in SHOWING),
        *((["reproduce", *args], words) for args, words in REPRODUCING),
    ],
)
def test_mistakes(
    names: dict[str, Path], args: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files(names["here"])
    sentence = one_sentence(katachi(capsys, *(arg.format(**names) for arg in args)))
    assert words in sentence
    assert files(names["here"]) == before  # nothing is left behind


@pytest.mark.slow
def test_the_work_of_another_training(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is kept for who made it; the same run goes on there."""
    path, work = tmp_path / "my.katachi", tmp_path / "my.katachi.work"
    settings = Settings(min_candidates=200, min_count=None)
    train(read_games(place.games), settings, work)
    before = files(tmp_path)
    args = ["train", place.games, "-o", path, "--min-candidates"]
    sentence = one_sentence(katachi(capsys, *args, "201"))
    assert f"{work} holds the work of another training: remove it, or name another" in sentence
    assert files(tmp_path) == before
    assert katachi(capsys, *args, "200").code == 0
    assert [p.name for p in tmp_path.iterdir()] == ["my.katachi"]


# In processes of their own.


def run(*args: Any, env: dict[str, str] | None = None) -> Done:
    done = subprocess.run(
        [sys.executable, "-m", "katachi", *map(str, args)],
        capture_output=True,
        text=True,
        env=os.environ | (env or {}),
        check=False,
    )
    return Done(done.returncode, done.stdout, words_of(done.stderr))


@pytest.mark.slow
def test_as_a_stranger_uses_it(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "my.katachi"
    done = run("train", place.games, "-o", path, "--features", "playout", "--json")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["games"] == 10
    done = run("evaluate", path, place.others, "--json", "--plots", tmp_path / "plots")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["models"][0]["name"] == "my"
    assert len(list((tmp_path / "plots").iterdir())) == 2
    done = run("ratings", path)
    assert (done.code, done.err) == (0, "")
    assert "this move …" in done.out
    path.write_bytes(path.read_bytes()[:-1])
    assert "cut short" in one_sentence(katachi(capsys, "evaluate", path, place.others))
    assert "one game is too few" in one_sentence(run("train", place.single, "-o", path))


@pytest.mark.slow
def test_ctrl_c_while_training(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A real interrupt, with a worker beside: shards stay whole, and the next run goes on."""
    games = tmp_path / "games"
    games.mkdir()
    for copy in range(4):
        for name, data in list(bundled_sgfs().items())[:40]:
            (games / f"{copy}-{name}").write_bytes(beginning(data, 10))
    environment = own_cache(tmp_path)
    path, work = tmp_path / "my.katachi", tmp_path / "my.katachi.work"
    rest = ["train", str(games), "-o", str(path), "--json"]
    rest += ["--jobs", "2", "--min-candidates", "2000"]
    shards = work / "competitions" / "shards"
    program = held("katachi.processes:_Pool.submit", 2)  # the first shard is made without it
    interrupted([*program, *rest], environment, lambda: len(list(shards.glob("*"))) >= 2)
    made = {shard.name: shard.stat().st_ino for shard in shards.iterdir()}
    assert len(made) == 2
    assert not path.exists()
    assert not list(work.rglob("part-*"))
    kept = (work / "shape.shapes").read_bytes()
    again = json.loads(katachi(capsys, *rest, "--keep-work").out)
    assert again["games"] == 160
    assert (work / "shape.shapes").read_bytes() == kept
    assert {n: (shards / n).stat().st_ino for n in made} == made  # not made again
    assert load_model(path).about["converged"]
    last = json.loads(katachi(capsys, *rest).out)
    assert last["competitions"] == again["competitions"]
    assert not work.exists()
