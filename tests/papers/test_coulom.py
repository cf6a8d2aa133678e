from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.evaluation.measure import measure
from katachi.evaluation.report import report
from katachi.learning.bradley_terry.learner import fit_model
from katachi.models.model import load_model
from katachi.papers import coulom as module
from katachi.papers import run as run_module
from katachi.papers.coulom import (
    PAPER,
    TABLE_1,
    TEST,
    TRAIN,
    Reproduction,
    agrees,
    compare_table_1,
    reproduce,
)
from katachi.papers.run import Run
from katachi.patterns import competitions as competitions_module
from katachi.patterns.catalogue import COULOM
from katachi.patterns.shapes.harvest import harvest
from katachi.records.read import read_games
from tests.archives import tar_of
from tests.games import bundled_sgfs
from tests.shared import folder_made_once
from tests.trained import trained, with_ratings

pytestmark = pytest.mark.slow


def packs(folder: Path, train: int = 5, test: int = 3, first: int = 67) -> Path:
    """Archives named as the paper's, of bundled games from `first` on; from 67 on 19x19."""
    folder.mkdir()
    sgfs = list(bundled_sgfs().items())[first:]
    for name, some in ((TRAIN, sgfs[:train]), (TEST, sgfs[train : train + test])):
        (folder / name).write_bytes(tar_of(dict(some), "w:xz"))
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return packs(tmp_path_factory.mktemp("coulom") / "data")


@pytest.fixture(scope="module")
def done(data: Path) -> tuple[Reproduction, Path]:
    folder = data.parent / "out"

    def make(out: Path) -> Reproduction:
        return reproduce(Run(data, out), owner=False)

    return folder_made_once("coulom", make, folder), folder


FILES = [
    "coulom-all-radii-no-owner.katachi",
    "coulom-largest-no-owner.katachi",
    "figure-3-stages.png",
    "figure-4-ranks.png",
    "report.json",
]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_is_written(done: tuple[Reproduction, Path]) -> None:
    found, folder = done
    assert names(folder) == FILES
    for name in FILES[2:4]:
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
    assert json.loads((folder / "report.json").read_text()) == json.loads(json.dumps(found.data()))
    for way, model in found.models.items():
        again = load_model(folder / f"coulom-{way}-no-owner.katachi")
        assert again.digest == model.digest
        assert again.features.all_radii == (way == "all-radii")


def test_the_numbers(done: tuple[Reproduction, Path], data: Path) -> None:
    """Against the same steps, one after the other."""
    found, _ = done
    train, test = read_games(data / TRAIN), read_games(data / TEST)
    assert (len(train), len(test)) == (5, 3)
    shapes = harvest(train)
    assert found.shapes.keys.tolist() == shapes.keys.tolist()
    assert shapes.counts.min() >= 625
    assert list(found.models) == ["largest", "all-radii"]
    for way, model in found.models.items():
        assert model.about["games"] == 5
        assert model.about["competitions"] == int(train.moves.sum())
        (measured,) = measure([model], test, cache=False)
        assert found.reports[way] == report(measured)
        assert found.reports[way]["top1"] > 3 * found.reports[way]["uniform_top1"]
    assert "shape" in found.models["largest"].predictor.ratings
    assert "shape-3" in found.models["all-radii"].predictor.ratings
    told = found.data()
    assert told["paper"] == PAPER
    assert told["shapes"]["all"] == len(shapes) == sum(told["shapes"]["per_radius"].values())
    assert [one["name"] for one in told["models"]] == ["largest", "all-radii"]
    assert told["models"][0]["mean_log_evidence"] == found.reports["largest"]["mean_log_evidence"]
    assert list(told["seconds"]) == [
        "read",
        "harvest",
        "describe",
        "fit largest",
        "fit all-radii",
        "measure",
    ]
    assert told["megabytes"] > 50
    assert told["table_1"] == compare_table_1(found.models)


def test_table_1_is_in_the_catalogue() -> None:
    """Its families and levels are those of the catalogue, by the names of the levels."""
    families = {f.name: f for f in COULOM.families}
    assert list(TABLE_1) == [f.name for f in COULOM.families]
    for name, levels in TABLE_1.items():
        assert all(1 <= level <= families[name].size for level in levels)
    words = {
        (name, level): families[name].levels[level - 1].name
        for name, levels in TABLE_1.items()
        for level in levels
    }
    assert "2" in words["distance", 1]
    assert "16" in words["distance", 15]
    assert "17" in words["distance", 16]
    assert "2" in words["distance2", 2]
    assert "17" in words["distance2", 17]


def test_the_table_of_a_model() -> None:
    model = trained()
    rows = compare_table_1({"mine": model})
    wanted = [(f, n, g) for f, levels in TABLE_1.items() for n, g in levels.items() if f != "owner"]
    assert [(row["family"], row["level"], row["paper"]) for row in rows] == wanted
    for row in rows:
        ratings, at = model.predictor.ratings[row["family"]], row["level"] - 1
        assert row["mine"] == {
            "gamma": float(ratings.gamma[at]),
            "wins": int(ratings.wins[at]),
            "appearances": int(ratings.appearances[at]),
            "agrees": agrees(row["paper"], float(ratings.gamma[at])),
        }
    json.dumps(rows)


def test_the_table_has_the_owner_where_a_model_has_it() -> None:
    plain = trained()
    owner = with_ratings(plain, {"owner": plain.predictor.ratings["distance"]})
    rows = compare_table_1({"plain": plain, "owner": owner})
    of_owner = [row for row in rows if row["family"] == "owner"]
    assert [row["level"] for row in of_owner] == list(range(1, 9))
    assert all("plain" not in row and "owner" in row for row in of_owner)
    assert all("plain" in row and "owner" in row for row in rows if row not in of_owner)


@pytest.mark.parametrize(
    ("theirs", "ours", "wanted"),
    [
        (30.68, 1.01, True),
        (30.68, 0.99, False),
        (0.06, 0.99, True),
        (0.06, 1.01, False),
        (2.0, 0.1, None),
        (0.5, 9.0, None),
        (1.02, 5.0, None),
        (2.01, 1.0, False),
        (0.49, 1.0, False),
    ],
)
def test_the_sense_of_a_gamma(theirs: float, ours: float, wanted: bool | None) -> None:
    assert agrees(theirs, ours) is wanted


# Going on, and mistakes.


def never(*_: Any, **__: Any) -> Any:
    raise AssertionError("this was done already")


def test_going_on(
    done: tuple[Reproduction, Path], data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, _ = done
    folder = tmp_path / "out"

    def stop(stage: str, count: int, _total: int) -> None:
        if stage == "fitting all-radii" and count == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce(Run(data, folder, progress=stop), owner=False)
    assert names(folder) == ["coulom-largest-no-owner.katachi", "work-no-owner"]
    fitted: list[bool] = []

    def fit_one(*args: Any, **keywords: Any) -> Any:
        fitted.append(args[1].all_radii)
        return fit_model(*args, **keywords)

    monkeypatch.setattr(run_module, "harvest", never)
    monkeypatch.setattr(competitions_module, "describe_games", never)
    monkeypatch.setattr(module, "fit_model", fit_one)
    again = reproduce(Run(data, folder), owner=False)
    assert fitted == [True]
    assert names(folder) == FILES
    assert again.models["largest"].digest == whole.models["largest"].digest
    for name, ratings in whole.models["all-radii"].predictor.ratings.items():
        found = again.models["all-radii"].predictor.ratings[name]
        np.testing.assert_allclose(np.log(found.gamma), np.log(ratings.gamma), atol=0.1)
    for way, one in whole.reports.items():
        for number in ("top1", "mean_log_evidence"):
            assert again.reports[way][number] == pytest.approx(one[number], abs=2e-3)


def test_other_games_are_not_mixed_up_with_what_is_there(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was left by a run on other games is done anew."""
    folder = tmp_path / "out"

    def stop(stage: str, _count: int, _total: int) -> None:
        if stage == "describing":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce(Run(data, folder, progress=stop), owner=False)
    others = packs(tmp_path / "others", 2, 1, first=100)
    harvested: list[int] = []

    def again(corpus: Any, **keywords: Any) -> Any:
        harvested.append(len(corpus))
        return harvest(corpus, **keywords)

    monkeypatch.setattr(run_module, "harvest", again)
    found = reproduce(Run(others, folder), owner=False)
    assert harvested == [2]
    assert found.models["largest"].about["games"] == 2
    counts = found.models["largest"].predictor.ratings["shape"].appearances
    assert counts.max() > 0


def test_packs_that_are_missing(tmp_path: Path) -> None:
    folder = packs(tmp_path / "data", 2, 1)
    for name in (TEST, TRAIN):
        (folder / name).unlink()
        with pytest.raises(KatachiError, match=f"{name} does not exist: --data names the folder"):
            reproduce(Run(folder, tmp_path / "out"), owner=False)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made(data: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(KatachiError, match="cannot be made: Not a directory"):
        reproduce(Run(data, tmp_path / "file" / "out"), owner=False)
