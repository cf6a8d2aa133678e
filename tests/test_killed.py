"""kill -9, a worker that dies, two runs at once: see tools/kill.py for many random moments."""

from __future__ import annotations

import errno
import json
import os
import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.folders import alone_in
from katachi.learning.base import Settings
from katachi.learning.train import train
from katachi.patterns import competitions as module
from katachi.patterns.catalogue import PLAYOUT
from katachi.patterns.competitions import describe_corpus, load_competitions
from katachi.patterns.features import Features
from katachi.patterns.shards import shard_folder
from katachi.processes import process_pool
from tests.cli.test_cli import katachi
from tests.interrupt import held
from tests.trained import games
from tools.kill import TRIALS, Place, differences, make_data

FEWER = {"train": range(10), "train-hidden": range(10)}  # games than tools/kill.py has
# Verb → (where it stops by itself: module:function and its how manieth call; what is there then, in
# the folder of its results)
EVENTS: dict[str, tuple[str, int, str]] = {
    "train": ("katachi.learning.journal:Journal.note", 8, "my.katachi.work/fit.journal"),
    "train-hidden": ("katachi.learning.journal:Ring.note", 2, "my.katachi.work/learnt-0.npz"),
    "describe": ("katachi.processes:_Pool.submit", 1, "competitions/shards/00000"),
}


def whole(place: Place) -> dict[str, Any]:
    """The results of a run to the end, in this process."""
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(place.folder)
        patched.setenv("KATACHI_CACHE_DIR", place.environment["KATACHI_CACHE_DIR"])
        done = katachi(*place.arguments)
    assert done.returncode == 0, done.stderr
    return place.results(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("verb", EVENTS)
def test_killed_and_run_again(verb: str, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    trial = replace(TRIALS[verb], games={"games": FEWER.get(verb, TRIALS[verb].games["games"])})
    make_data(trial, data)
    place = Place(tmp_path / "killed", data, trial)
    function, calls, there = EVENTS[verb]
    place.command = [*held(function, calls), *place.arguments]
    assert place.killed((place.out / there).exists), "it was over before"
    wanted = whole(Place(tmp_path / "whole", data, trial))
    assert differences(wanted, whole(place)) == []


def _die(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.slow
def test_a_worker_that_dies() -> None:
    words = "a process at work was ended from outside, perhaps for want of memory"
    with pytest.raises(KatachiError, match=words), process_pool(2) as pool:
        list(pool.map(_die, range(8)))


def test_two_trainings_in_one_folder(tmp_path: Path) -> None:
    settings = Settings(catalogue=PLAYOUT)
    told: list[str] = []

    def second() -> None:
        try:
            train(games(0, 3), settings, tmp_path / "work")
        except KatachiError as error:
            told.append(str(error))

    def meanwhile(stage: str, _done: int, _total: int) -> None:
        if stage == "fitting" and not told:
            thread = threading.Thread(target=second)
            thread.start()
            thread.join()

    first = train(games(0, 3), settings, tmp_path / "work", progress=meanwhile)
    work = tmp_path / "work"
    assert told == [
        f"another training is at work in {work}: wait for its end, or name another folder"
    ]
    assert train(games(0, 3), settings, tmp_path / "alone").digest == first.digest


def test_two_descriptions_in_one_folder(tmp_path: Path) -> None:
    """The lock is asked for before anything is written."""
    with alone_in(tmp_path / "a", "x"):
        told: list[str] = []

        def second() -> None:
            try:
                describe_corpus(games(0, 3), Features(PLAYOUT), tmp_path / "a")
            except KatachiError as error:
                told.append(str(error))

        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
    assert len(told) == 1
    assert "another description is at work in" in told[0]


@pytest.mark.parametrize("left", [".manifest.json.abc.part", "part-abc"])
def test_what_a_killed_description_left(left: str, tmp_path: Path) -> None:
    """Killed before it had a manifest, or while it wrote a shard."""
    features, out = Features(PLAYOUT), tmp_path / "out"
    wanted = describe_corpus(games(0, 3), features, tmp_path / "whole")
    if left.endswith(".part"):
        out.mkdir()
        (out / left).write_bytes(b"{")
    else:
        describe_corpus(games(0, 3), features, out)
        (out / left).mkdir()
        (out / left / "starts.npy").write_bytes(b"half")
    found = describe_corpus(games(0, 3), features, out)
    assert found.manifest == wanted.manifest
    assert sorted(path.name for path in out.iterdir()) == ["manifest.json", "shards"]


@pytest.mark.parametrize("left", ["", ".plan.json.abc.part"])
def test_what_a_killed_training_left(left: str, tmp_path: Path) -> None:
    """Killed before it had written its plan."""
    (tmp_path / "work").mkdir()
    if left:
        (tmp_path / "work" / left).write_bytes(b"{")
    train(games(0, 3), Settings(catalogue=PLAYOUT), tmp_path / "work")


def test_a_full_disk_while_describing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence, and what is done stays; the next run goes on."""
    monkeypatch.setattr(module, "GAMES_PER_SHARD", 1)
    features, out = Features(PLAYOUT), tmp_path / "out"
    plain = Path.write_bytes

    def full(self: Path, data: Any) -> int:
        if shard_folder(out, 0).exists():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))
        return plain(self, data)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        with pytest.raises(KatachiError, match="00001 cannot be written: No space left on device"):
            describe_corpus(games(0, 3), features, out)
    assert sorted(path.name for path in out.iterdir()) == ["manifest.json", "shards"]
    before = shard_folder(out, 0).stat().st_ino
    assert len(describe_corpus(games(0, 3), features, out).shards) == 3
    assert shard_folder(out, 0).stat().st_ino == before


def test_columns_of_wrong_lengths_and_types(tmp_path: Path) -> None:
    out = tmp_path / "out"
    describe_corpus(games(0, 3), Features(PLAYOUT), out)
    shard = shard_folder(out, 0)
    for name in ("starts", "winner", "game", "move", "point", "pass"):
        path = shard / f"{name}.npy"
        whole = path.read_bytes()
        column = np.load(path)
        others: list[Any] = [
            column[:-1],
            np.append(column, column[-1:]),
            column.astype(np.float32),
            column[:, None],
        ]
        for wrong in others:
            np.save(path, wrong)
            with pytest.raises(KatachiError, match=r"00000 is damaged: remove it and describe"):
                load_competitions(out)
        path.write_bytes(whole[:-1])
        with pytest.raises(KatachiError, match="00000 is damaged"):
            load_competitions(out)
        path.write_bytes(whole)
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    changes: list[dict[str, Any]] = [{"shards": "many"}, {"families": 3}, {"families": [{}]}]
    for wrong_manifest in changes:
        (out / "manifest.json").write_text(json.dumps(manifest | wrong_manifest), encoding="utf-8")
        with pytest.raises(KatachiError, match=r"manifest.json is damaged"):
            load_competitions(out)
