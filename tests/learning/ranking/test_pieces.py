"""Games as pieces of teams: the same ones however many work, no more than are asked for."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.learning.base import Settings
from katachi.learning.ranking.filtering import Positions
from katachi.learning.ranking.positions import merged, pieces
from katachi.patterns.catalogue import CONTEXT
from katachi.patterns.competitions import describe_games
from katachi.patterns.features import Features
from tests.trained import games, trained

pytestmark = pytest.mark.slow


def nested() -> Features:
    return trained(Settings("ranking", all_radii=True), 0, 10).features


def contextual() -> Features:
    return trained(Settings("ranking", catalogue=CONTEXT), 0, 10).features


@pytest.fixture(params=[nested, contextual], ids=["followed", "described"])
def features(request: pytest.FixtureRequest) -> Features:
    found: Features = request.param()
    return found


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("katachi.learning.ranking.positions.GAMES", 2)
    monkeypatch.setattr("katachi.learning.ranking.positions.FEW_GAMES", 2)


def told(teams: Positions) -> list[tuple[int, list[tuple[tuple[int, ...], int]]]]:
    """Of each position the team that was played, by its place, and all teams with their times."""
    found = []
    for i, winner in enumerate(teams.winner.tolist()):
        part = slice(teams.starts[i], teams.starts[i + 1])
        rows = [tuple(row) for row in teams.members[part].tolist()]
        found.append((winner, list(zip(rows, teams.times[part].tolist(), strict=True))))
    return found


@pytest.mark.parametrize("jobs", [1, 2])
def test_pieces_come_in_order(features: Features, jobs: int) -> None:
    corpus = games(10, 17)
    found = list(pieces(corpus, features, 2, jobs))
    assert len(found) == 3  # games 2 and 3, 4 and 5, 6
    for number, teams in enumerate(found):
        some = range(2 + 2 * number, min(4 + 2 * number, len(corpus)))
        assert len(teams.winner) == sum(int(corpus.moves[g]) for g in some)
        described = merged(describe_games(corpus, some, features), features)
        if features.catalogue is CONTEXT:
            assert told(teams) == told(described)
        else:  # numbered otherwise: see tests/patterns/test_largest.py
            assert np.array_equal(np.sort(teams.times), np.sort(described.times))


def test_who_stops_taking_ends_the_work(features: Features) -> None:
    some = pieces(games(10, 17), features, 0, 2)
    assert len(list(islice(some, 2))) == 2
    some.close()  # type: ignore[attr-defined]
    assert list(some) == []


def test_boards_of_another_size() -> None:
    with pytest.raises(KatachiError, match=r"is on 19x19, but the shapes were harvested on 9x9"):
        next(pieces(games(66, 69), contextual(), 0, 1))
