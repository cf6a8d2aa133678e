from __future__ import annotations

import json
from pathlib import Path

import pytest

from katachi.errors import KatachiError
from katachi.learning.base import family_names
from katachi.learning.train import train
from katachi.models.model import load_model
from katachi.papers.beyond import ANSWERS, CORPORA, Reproduction, reproduce, reproduce_growth, rows
from katachi.papers.run import Run
from katachi.patterns.catalogue import EXTENDED
from tests.papers.test_coulom import packs
from tests.shared import folder_made_once

pytestmark = pytest.mark.slow

NAMES = ["linear", "+ answers", "+ factors", "+ hidden"]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Reproduction, Path]:
    def make(folder: Path) -> Reproduction:
        run = Run(packs(folder / "data", first=57), folder / "out")  # on 9x9
        return reproduce(run, owner=False, positions_per_game=20)

    folder = tmp_path_factory.mktemp("papers") / "beyond"
    return folder_made_once("beyond", make, folder), folder / "out"


def test_what_is_written(done: tuple[Reproduction, Path]) -> None:
    found, folder = done
    assert sorted(path.name for path in folder.iterdir()) == [
        "beyond-coulom-answers-20.katachi",
        "beyond-coulom-factors-20.katachi",
        "beyond-coulom-hidden-20.katachi",
        "beyond-coulom-linear-20.katachi",
        "beyond-coulom-ranks.png",
        "beyond-coulom.json",
        "beyond-coulom.shapes",
    ]
    told = json.loads((folder / "beyond-coulom.json").read_text())
    assert told == json.loads(json.dumps(found.data()))
    assert [one["name"] for one in told["models"]] == NAMES
    assert load_model(folder / "beyond-coulom-hidden-20.katachi").digest == (
        found.models["+ hidden"].digest
    )


def test_differences_are_those_of_the_reports(done: tuple[Reproduction, Path]) -> None:
    found, _ = done
    assert list(found.compared) == [
        "+ answers - linear",
        "+ factors - + answers",
        "+ hidden - + factors",
        "+ hidden - linear",
    ]
    for name, one in found.compared.items():
        two, first = name.split(" - ", 1)
        for number in ("top1", "mean_log_evidence"):
            gained = found.reports[two][number] - found.reports[first][number]
            assert one[number] == pytest.approx(gained, abs=1e-12)


def test_rows_differ_in_what_they_say() -> None:
    known = family_names(EXTENDED)
    assert set(ANSWERS) <= set(known)
    plans = rows(CORPORA["professionals"], owner=True)
    assert list(plans) == [*NAMES, "+ hidden, owner"]
    assert plans["linear"].without == ANSWERS
    assert not plans["+ answers"].without
    assert [one.owner for one in plans.values()] == [False] * 4 + [True]
    assert {one.min_count for one in plans.values()} == {10}
    assert {one.options.positions_per_game for one in plans.values()} == {80}


def test_models_of_a_run_before_are_taken(done: tuple[Reproduction, Path]) -> None:
    found, folder = done
    before = {path.name: path.stat().st_mtime_ns for path in folder.glob("*.katachi")}
    again = reproduce(Run(folder.parent / "data", folder), owner=False, positions_per_game=20)
    assert {path.name: path.stat().st_mtime_ns for path in folder.glob("*.katachi")} == before
    assert again.reports == found.reports


def test_rows_are_what_training_alone_makes(
    done: tuple[Reproduction, Path], tmp_path: Path
) -> None:
    """Positions are described once for all rows: the row with all features is what `train` makes
    of them, to the last digit.
    """
    found, folder = done
    games = Run(folder.parent / "data", tmp_path).games(CORPORA["coulom"].train)
    plans = rows(CORPORA["coulom"], owner=False, positions_per_game=20)
    alone = train(games, plans["+ hidden"], tmp_path / "work")
    assert alone.digest == found.models["+ hidden"].digest
    kept = found.models["+ answers"]
    assert not kept.features.position_families
    assert "last" not in kept.features.dictionaries
    linear = found.models["linear"]
    assert not set(ANSWERS) & {f.name.split("-")[0] for f in linear.features.families}
    assert set(linear.predictor.ratings) == {f.name for f in linear.features.families}


def test_growth(
    done: tuple[Reproduction, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, folder = done
    games = CORPORA["coulom"]._replace(growth=(3, 20))
    monkeypatch.setitem(CORPORA, "coulom", games)
    run = Run(folder.parent / "data", tmp_path)
    grown = reproduce_growth(run)
    assert list(grown) == ["3 of each game", "20 of each game"]
    assert grown["3 of each game"]["positions"] < grown["20 of each game"]["positions"]
    wanted = found.reports["+ hidden"]
    assert grown["20 of each game"] == wanted | {"positions": grown["20 of each game"]["positions"]}
    assert json.loads((tmp_path / "beyond-coulom-growth.json").read_text()) == json.loads(
        json.dumps(grown)
    )
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("*.katachi")}
    assert set(before) == {"beyond-coulom-hidden-3.katachi", "beyond-coulom-hidden-20.katachi"}
    assert reproduce_growth(run) == grown
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("*.katachi")} == before


def test_games_that_are_missing(tmp_path: Path) -> None:
    with pytest.raises(KatachiError, match=r"kgs-test-551.tar.xz does not exist"):
        reproduce(Run(tmp_path, tmp_path / "out"))
    assert not (tmp_path / "out").exists()
