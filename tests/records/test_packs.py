"""The packs of real games beside the project, where they are; skipped elsewhere."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from bench.records import replay_all
from katachi.go.board import new_board
from katachi.processes import default_jobs
from katachi.records.actions import FINE
from katachi.records.corpus import Corpus
from katachi.records.read import read_games
from katachi.records.summary import summarize
from tests.records.oracle import first_fault

DATA = Path(__file__).parents[3] / "shared" / "data"


def pack(name: str, jobs: int = 1) -> Corpus:
    path = DATA / f"{name}.tar.xz"
    if not path.exists():
        pytest.skip(f"{name} is not beside the project")
    return read_games(path, jobs=jobs)


@pytest.mark.parametrize(
    ("name", "games", "moves", "passes"),
    [("kgs-train-652", 652, 131_939, 393), ("kgs-test-551", 551, 115_832, 346)],
)
def test_the_games_of_coulom(name: str, games: int, moves: int, passes: int) -> None:
    summary = summarize(pack(name))
    assert (summary["games"], summary["moves"], summary["passes"]) == (games, moves, passes)
    assert summary["skipped"] == summary["cut"] == summary["odd"] == {}


@pytest.mark.parametrize(
    ("name", "games", "moves"), [("games-9x9", 496, 22_821), ("games-13x13", 105, 10_797)]
)
def test_small_boards(name: str, games: int, moves: int) -> None:
    corpus = pack(name)
    assert (len(corpus), int(corpus.moves.sum())) == (games, moves)
    assert not [n for n in corpus.notices if n.kind in ("skipped", "cut")]


# Category → the reason that must be told for every file of it, or None where a reader should see
# nothing special.
TOLD = {
    "damaged-utf8-no-CA": "damaged UTF-8 text",
    "declared-utf8-but-invalid": "damaged UTF-8 text",
    "illegal-ko": "ko retaken at once",
    "komi-in-hundredths": "komi in",
    "leading-junk": "no opening parenthesis",
    "no-opening-parenthesis": "no opening parenthesis",
    "unclosed": "no closing parenthesis",
    "utf8-without-CA": "read as UTF-8",
    "very-short": "no moves",
}


def test_malformed_records() -> None:
    corpus = pack("malformed-sgf")
    told = defaultdict(list)
    for notice in corpus.notices:
        told[Path(notice.source).stem].append(notice)
    read = {Path(game.source).stem for game in corpus}
    skipped = {name for name, notices in told.items() if any(n.kind == "skipped" for n in notices)}
    assert len(read | skipped) == 187
    assert not read & skipped
    # All that a Go viewer would show is read: only 21x21 and records without a move are not.
    assert skipped == {"unusual-size-01", *(f"very-short-0{i}" for i in range(1, 6))}
    for name, reason in TOLD.items():
        members = [m for m in read | skipped if re.sub(r"-\d+$", "", m) == name]
        assert members
        for member in members:
            assert any(reason in n.reason for n in told[member]), member
    for game in corpus:
        assert game.komi is None or abs(game.komi) <= 8
        if not game.has_setup:
            assert first_fault(game) == ""
    handicaps = {Path(g.source).stem: g.handicap for g in corpus}
    assert handicaps["handicap-without-setup-02"] == 4
    assert handicaps["handicap-without-setup-01"] == 0  # HA[1]


@pytest.mark.slow
def test_twenty_thousand_games_replay() -> None:
    corpus = pack("pro-train-20000", default_jobs())
    assert (len(corpus), int(corpus.moves.sum())) == (20_000, 4_237_781)
    assert not [n for n in corpus.notices if n.kind in ("skipped", "cut")]
    faults = np.zeros(len(corpus), np.uint8)
    done = replay_all(new_board(19), corpus.actions, corpus.starts, corpus.size, faults)
    assert (faults == FINE).all()
    assert done == len(corpus.actions) == 4_237_781
    assert len(np.unique(corpus.digest)) == 20_000  # the pack holds no game twice
    # Nor is one of its games, turned or not, among those that models of it are tested on.
    for name in ("pro-test-500", "kgs-test-551"):
        assert not np.isin(pack(name).digest, corpus.digest).any()
    assert not np.isin(pack("kgs-test-551").digest, pack("kgs-train-652").digest).any()
