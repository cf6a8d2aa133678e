"""Samples against positions described one by one, and their first moves found plainly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from katachi.go.points import PASS
from katachi.learning.maxent.samples import FAMILY_NAMES, GAMES, Samples, make_samples
from katachi.patterns.catalogue import ARAKI
from katachi.patterns.describe import describe_position
from katachi.patterns.features import Features
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.harvest import harvest
from katachi.patterns.shapes.largest import SHAPES, Follower
from katachi.patterns.shapes.templates import STERN_TEMPLATES
from katachi.patterns.shards import shard_folder
from katachi.records.corpus import Corpus, join
from tests.patterns.test_largest import odd_game
from tests.trained import games


def pattern(team: dict[str, int]) -> int:
    """The number of a team's pattern, from 1."""
    first = {"pass": 0, "no-shape": SHAPES - 1, "shape": SHAPES}
    (found,) = [first[name] + level for name, level in team.items() if name in first]
    return found


@pytest.fixture(scope="module")
def shapes() -> Shapes:
    return harvest(games(0, 20), templates=STERN_TEMPLATES, rule="played", min_count=2)


@pytest.fixture(scope="module")
def frequency(shapes: Shapes) -> np.ndarray:
    # With ties on purpose
    return np.random.default_rng(3).integers(1, 40, SHAPES + len(shapes)) / 40.5


def corpus() -> Corpus:
    return join([games(20, 22), odd_game()])


@pytest.mark.parametrize("most", [0, 3, 20])
def test_against_descriptions(
    most: int, shapes: Shapes, frequency: np.ndarray, tmp_path: Path
) -> None:
    some = corpus()
    samples = make_samples(some, shapes, frequency, most, tmp_path / "samples")
    assert len(samples) == 1
    shard = samples.shard(0, range(len(FAMILY_NAMES)))
    before = samples.of_positions(0)
    features = Features(ARAKI, {"shape": shapes})
    number, missed = 0, 0
    for g in range(2):  # the odd game sets stones amid the moves: below
        past: list[int] = []
        for moves, (_, played) in enumerate(some[g].moves):
            teams = describe_position(some[g].position(moves), features)
            order = sorted((frequency[pattern(team) - 1] for team in teams.values()), reverse=True)
            least = order[most - 1] if 0 < most < len(order) else 0.0
            first = {p for p, team in teams.items() if frequency[pattern(team) - 1] >= least}
            missed += played not in first
            wanted = [
                (pattern(team), *(team.get(name, 0) for name in FAMILY_NAMES[1:]), p == played)
                for p, team in sorted(teams.items(), key=lambda item: (item[0] == PASS, item[0]))
                if p in first or p == played
            ]
            a, b = shard.starts[number : number + 2]
            rows = zip(*(column[a:b].tolist() for column in shard.columns), strict=True)
            won = int(shard.winner[number])
            assert [(*row, i == won) for i, row in enumerate(rows)] == wanted
            assert before[number].tolist() == [*[*past[::-1], 0, 0, 0, 0][:4], 1]
            past.append(pattern(teams[played]))
            number += 1
    found, positions = samples.missed()
    assert positions == len(shard.winner) == int(some.moves.sum())
    if most == 0:
        assert found == missed == 0
    else:
        assert found >= missed > 0


def test_an_odd_game(shapes: Shapes) -> None:
    """Stones put amid the moves end the memory of those before, as on the board."""
    game = odd_game()
    found = Follower(shapes).candidates(game, range(1))
    for i in range(len(found.winner)):
        position = game[0].position(i)
        previous = position.previous
        told = [p for p in found.previous[i].tolist() if p >= 0]
        assert told == previous
        assert (found.before[i] >= 0).sum() == len(previous)


def test_going_on(shapes: Shapes, frequency: np.ndarray, tmp_path: Path) -> None:
    """A shard that is there is not made again; threads make the same."""
    some = join([games(0, 20)] * 6)
    assert GAMES < len(some) < 2 * GAMES
    one = make_samples(some, shapes, frequency, 5, tmp_path / "one")
    two = make_samples(some, shapes, frequency, 5, tmp_path / "two", jobs=2)
    assert len(one) == len(two) == 2
    for n in range(2):
        a, b = (samples.shard(n, range(len(FAMILY_NAMES))) for samples in (one, two))
        assert np.array_equal(a.starts, b.starts)
        assert np.array_equal(a.winner, b.winner)
        assert np.array_equal(one.of_positions(n), two.of_positions(n))
        for x, y in zip(a.columns, b.columns, strict=True):
            assert np.array_equal(x, y)
    kept = shard_folder(tmp_path / "one", 0).stat().st_ino
    for path in shard_folder(tmp_path / "one", 1).iterdir():
        path.unlink()
    shard_folder(tmp_path / "one", 1).rmdir()
    told: list[tuple[str, int, int]] = []
    make_samples(
        some, shapes, frequency, 5, tmp_path / "one", progress=lambda *news: told.append(news)
    )
    assert told == [("ranking by frequency", len(some), len(some))]
    assert shard_folder(tmp_path / "one", 0).stat().st_ino == kept


def test_some_families(shapes: Shapes, frequency: np.ndarray, tmp_path: Path) -> None:
    whole = make_samples(corpus(), shapes, frequency, 3, tmp_path)
    part = Samples(whole.shards, whole.kinds, FAMILY_NAMES[:2], history=False)
    assert len(part.levels) == 2
    assert list(part.position_levels) == [1]
    assert part.of_positions(0).tolist() == [[1]] * len(part.shard(0, ()).winner)
    assert np.array_equal(part.shard(0, [1]).columns[0], whole.shard(0, [1]).columns[0])
