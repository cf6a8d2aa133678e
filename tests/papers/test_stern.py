from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.evaluation.measure import measure
from katachi.evaluation.report import expected_rank, report
from katachi.learning.ranking.learner import usual_beta
from katachi.learning.ranking.predictor import HighestScore
from katachi.learning.train import train
from katachi.models.model import load_model
from katachi.papers import run as run_module
from katachi.papers import stern as module
from katachi.papers.run import MORE, TEST, TRAIN, Run
from katachi.papers.stern import PAPER, Ranked, figures_of, reproduce, reproduce_growth
from katachi.patterns.catalogue import CONTEXT, STERN
from katachi.patterns.describe import describe_position
from katachi.records.read import read_games
from tests.archives import tar_of
from tests.games import bundled_sgfs
from tests.shared import folder_made_once

pytestmark = pytest.mark.slow

FILES = [
    "figure-2-ranks.png",
    "figure-3.png",
    "figure-4.png",
    "report.json",
    "stern-all-radii.katachi",
    "stern-context.katachi",
    "stern-largest.katachi",
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Archives named as ours, of bundled games on 19x19."""
    folder = tmp_path_factory.mktemp("stern") / "data"
    folder.mkdir()
    sgfs = list(bundled_sgfs().items())[67:]
    for name, some in ((TRAIN, sgfs[:9]), (MORE, sgfs[9:14]), (TEST, sgfs[14:17])):
        (folder / name).write_bytes(tar_of(dict(some), "w:xz"))
    return folder


@pytest.fixture(scope="module")
def done(data: Path) -> tuple[dict[str, Ranked], Path]:
    folder = data.parent / "out"
    return folder_made_once("stern", lambda out: reproduce(Run(data, out)), folder), folder


def test_what_is_written(done: tuple[dict[str, Ranked], Path]) -> None:
    found, folder = done
    assert sorted(path.name for path in folder.iterdir()) == FILES
    for name in FILES[:3]:
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
    written = json.loads((folder / "report.json").read_text())
    assert written["paper"] == PAPER
    for way, one in found.items():
        assert written["models"][way] == json.loads(json.dumps(one.data()))
        again = load_model(folder / f"stern-{way}.katachi")
        assert again.digest == one.model.digest
        assert isinstance(again.predictor, HighestScore)
        assert again.features.all_radii == (way != "largest")
        assert again.features.catalogue is (CONTEXT if way == "context" else STERN)
        assert again.predictor.beta == usual_beta(again.features)


@pytest.mark.parametrize("way", ["largest", "all-radii", "context"])
def test_the_figures(done: tuple[dict[str, Ranked], Path], data: Path, way: str) -> None:
    """Against every move described and ranked by itself."""
    one = done[0][way]
    test = read_games(data / TEST)
    (measured,) = measure([one.model], test, cache=False)
    assert one.report == report(measured)
    rank_error = expected_rank(measured) / measured.candidates
    shapes = one.model.features.dictionaries["shape"]
    row = 0
    by_size: dict[int, list[float]] = {}
    by_phase: dict[int, list[float]] = {}
    means = []
    for game in test:
        for number, (_, move) in enumerate(game.moves):
            team = describe_position(game.position(number), one.model.features)[move]
            error = float(rank_error[row])
            row += 1
            if "pass" in team:
                continue
            size = 0
            for family in one.model.features.families:
                if family.dictionary == "shape" and family.name in team:
                    shape = family.first + team[family.name] - 1
                    size = max(size, int(shapes.rings[shape]) + 1)
            by_size.setdefault(size, []).append(error)
            by_phase.setdefault(min(number // 30, 11), []).append(error)
            means.append(
                sum(
                    float(np.log(one.model.predictor.ratings[name].gamma[level - 1]))
                    for name, level in team.items()
                )
            )
    assert [(r["size"], r["moves"]) for r in one.figures["sizes"]] == [
        (size, len(errors)) for size, errors in sorted(by_size.items())
    ]
    for found in one.figures["sizes"]:
        assert found["median"] == pytest.approx(np.median(by_size[found["size"]]))
    for phase, found in zip(sorted(by_phase), one.figures["phases"], strict=True):
        assert found["first"] == 30 * phase + 1
        assert found["q3"] == pytest.approx(np.percentile(by_phase[phase], 75))
        assert sum(found["sizes"]) == pytest.approx(1)
    assert sum(r["moves"] for r in one.figures["means"]) == len(means)
    for found in one.figures["means"]:
        low = -np.inf if found["low"] is None else found["low"]
        high = np.inf if found["high"] is None else found["high"]
        assert found["moves"] == sum(low <= mean < high for mean in means)


def never(*_: Any, **__: Any) -> Any:
    raise AssertionError


class Stopped(Exception):
    pass


def test_going_on(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was learnt before an interrupt is not learnt again, and the result is the same."""

    def stop(stage: str, _done: int, _total: int) -> None:
        if stage == "measuring":
            raise Stopped

    with pytest.raises(Stopped):
        reproduce(Run(data, tmp_path, progress=stop))
    learn = train
    ways: list[tuple[str, bool | None]] = []

    def one_more(corpus: Any, settings: Any, *args: Any, **keywords: Any) -> Any:
        ways.append((settings.catalogue.name, settings.all_radii))
        return learn(corpus, settings, *args, **keywords)

    monkeypatch.setattr(run_module, "train", one_more)
    found = reproduce(Run(data, tmp_path))
    assert ways == [("stern", True), ("context", True)]
    monkeypatch.setattr(run_module, "train", never)
    again = reproduce(Run(data, tmp_path))
    assert {w: m.model.digest for w, m in again.items()} == {
        w: m.model.digest for w, m in found.items()
    }


def test_growth(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GROWTH", (4, 9, 900))
    rows = reproduce_growth(Run(data, tmp_path))
    assert [row["games"] for row in rows] == [4, 9, 14]
    assert rows[0]["patterns"] < rows[1]["patterns"] < rows[2]["patterns"]
    assert rows[0]["moves"] < rows[1]["moves"] < rows[2]["moves"]
    train = read_games(data / TRAIN)
    assert rows[1]["moves"] == int(train.moves.sum())
    (measured,) = measure([load_model(tmp_path / "growth-14.katachi")], read_games(data / TEST))
    assert rows[2]["top5"] == report(measured)["top5"]
    assert (tmp_path / "growth.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((tmp_path / "growth.json").read_text()) == rows
    monkeypatch.setattr(run_module, "train", never)
    assert reproduce_growth(Run(data, tmp_path)) == rows  # from what is there
    with pytest.raises(AssertionError):
        reproduce_growth(Run(data, tmp_path, memory_mb=900))  # what is there is of another memory


def test_figures_of_a_model_that_knows_little(data: Path) -> None:
    """No known pattern at most points: they have a size of their own."""
    from dataclasses import replace

    from katachi.learning.base import Settings
    from tests.trained import trained

    model = trained(Settings("ranking", min_count=15), 67, 70)
    test = read_games(data / TEST)
    (measured,) = measure([model], test, cache=False)
    figures = figures_of(replace(model), test, measured)
    assert figures["sizes"][0]["size"] == 0
    assert figures["sizes"][0]["moves"] > 50


def test_packs_that_are_missing(data: Path, tmp_path: Path) -> None:
    with pytest.raises(KatachiError, match=r"pro-test-500.*does not exist: --data"):
        reproduce(Run(tmp_path, tmp_path / "out"))
    some = tmp_path / "some"
    some.mkdir()
    for name in (TRAIN, TEST):
        (some / name).write_bytes((data / name).read_bytes())
    with pytest.raises(KatachiError, match=r"pro-more.* does not exist"):
        reproduce_growth(Run(some, tmp_path / "out"))
