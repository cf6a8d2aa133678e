"""`katachi reproduce --quick`, and packs that are not those of the results."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from katachi.cli import reproduce as verb
from katachi.papers import coulom
from katachi.papers import run as module
from katachi.papers.run import DIGESTS, MORE, TEST, TRAIN, Run, strange_packs
from katachi.papers.table2 import PlayedRow, Row, Terms
from tests.cli.test_cli import katachi, one_sentence


def test_bundled_games_stand_for_the_packs(tmp_path: Path) -> None:
    run = Run(None, tmp_path)
    for train, test in ((TRAIN, TEST), (coulom.TRAIN, coulom.TEST)):
        learnt, tested = run.games(train), run.games(test)
        assert (len(learnt), len(tested)) == module.QUICK
        assert not set(learnt.digest.tolist()) & set(tested.digest.tolist())
        assert set(learnt.size.tolist()) == set(tested.size.tolist()) == {19}
    assert run.scaled(10_000, run.games(TRAIN)) == module.QUICK[0] // 2
    assert Run(tmp_path, tmp_path).scaled(10_000, run.games(TRAIN)) == 10_000


def test_other_packs_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(DIGESTS) == {TRAIN, TEST, MORE, coulom.TRAIN, coulom.TEST}
    assert strange_packs(tmp_path) == []
    (tmp_path / TEST).write_bytes(b"other games")
    assert strange_packs(tmp_path) == [TEST]
    done = katachi("reproduce", "stern", "--data", tmp_path, "-o", tmp_path / "out")
    assert f"{TEST} is not the pack of docs/results" in done.stderr
    monkeypatch.setitem(DIGESTS, TEST, sha256(b"other games").hexdigest())
    assert strange_packs(tmp_path) == []


@pytest.mark.skipif(
    not (Path(__file__).parents[3] / "shared" / "data").exists(), reason="the packs are not here"
)
def test_the_packs_on_this_machine_are_those_of_the_results() -> None:
    assert strange_packs(Path(__file__).parents[3] / "shared" / "data") == []


@pytest.mark.slow
def test_all_of_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "QUICK", (4, 2))
    done = katachi("reproduce", "coulom", "--quick", "--no-owner", "-o", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "moves found at rank 1  34.90%" in done.stdout
    report = json.loads((tmp_path / "quick" / "report.json").read_text())
    assert {one["games"] for one in report["models"]} == {2}


def test_table_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def play(rows: list[Row], terms: Terms, folder: Path, **_: Any) -> list[PlayedRow]:
        asked.extend((rows, terms, folder))
        return []

    monkeypatch.setattr(verb, "play_table", play)
    args = ("reproduce", "coulom", "--table", "2", "--quick", "-o", tmp_path, "--json")
    assert json.loads(katachi(*args).stdout)["rows"] == []
    rows, terms, folder = asked
    assert {row.size for row in rows} == {9}
    assert (terms.games, terms.simulations) == (2, 100)
    assert folder == tmp_path / "quick"


def test_mistakes(tmp_path: Path) -> None:
    for more in (("--data", tmp_path), ("--games", "3", "--table", "2")):
        done = katachi("reproduce", "coulom", "--quick", *more)
        assert f"--quick and {more[0]} exclude each other" in one_sentence(done)
    done = katachi("reproduce", "stern", "--quick", "--growth")
    assert "--quick and --growth exclude each other" in one_sentence(done)
    done = katachi("reproduce", "araki")
    assert "--data, the folder with the packs of games, or --quick" in one_sentence(done)
