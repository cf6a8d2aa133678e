"""The largest shapes through games, against positions described one by one."""

from __future__ import annotations

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.learning.ranking.positions import merged
from katachi.patterns.catalogue import STERN
from katachi.patterns.competitions import describe_games
from katachi.patterns.features import Features
from katachi.patterns.shapes.harvest import harvest, least_count, sieve_bits_for
from katachi.patterns.shapes.largest import Follower
from katachi.patterns.shapes.templates import MARKED_CIRCLES, STERN_TEMPLATES
from katachi.records.corpus import Corpus, corpus_of
from katachi.records.sgf import parse_games
from tests.trained import games

SETUP = b"(;GM[1]FF[4]SZ[9]AB[cc][gg]AW[cg];W[ee];B[ed];B[dd];W[];B[fe]AE[cc]AB[ab];W[aa];B[ba])"


def odd_game() -> Corpus:
    """Handicap, two moves in a row, a pass, stones put and taken in the middle, a capture."""
    found, _ = parse_games(SETUP, "odd.sgf")
    return corpus_of(found)


@pytest.mark.parametrize("first", [0, 67])
def test_against_descriptions(first: int) -> None:
    corpus = games(first, first + 6)
    shapes = harvest(corpus, templates=STERN_TEMPLATES, rule="played", min_count=2)
    features = Features(STERN, {"shape": shapes})
    check(corpus, features, Follower(shapes))


def test_an_odd_game() -> None:
    corpus = odd_game()
    assert len(corpus) == 1
    shapes = harvest(games(0, 20), templates=STERN_TEMPLATES, rule="played", min_count=2)
    check(corpus, Features(STERN, {"shape": shapes}), Follower(shapes))


def check(corpus: Corpus, features: Features, follower: Follower) -> None:
    columns = describe_games(corpus, range(len(corpus)), features)
    plain = merged(columns, features)
    found = follower.games(corpus, range(len(corpus)))
    again = follower.games(corpus, range(len(corpus)))  # nothing is left from the run before
    for name in found._fields:
        assert np.array_equal(getattr(found, name), getattr(again, name))
    sizes = set()
    for i in range(len(plain.winner)):
        a, b = slice(*plain.starts[i : i + 2]), slice(*found.starts[i : i + 2])
        kinds = plain.members[a].max(axis=1)
        assert np.sum(plain.members[a] >= 0) == len(kinds)  # exactly one to a move
        wanted = dict(zip(kinds.tolist(), plain.times[a].tolist(), strict=True))
        assert dict(zip(found.kinds[b, 0].tolist(), found.times[b].tolist(), strict=True)) == wanted
        winner = plain.members[plain.starts[i] + plain.winner[i]].max()
        assert found.kinds[found.starts[i] + found.winner[i], 0] == winner
        sizes |= set(kinds.tolist())
    assert len(sizes) > 20


def test_nested_shapes_against_descriptions() -> None:
    corpus = games(67, 70)
    shapes = harvest(corpus, templates=STERN_TEMPLATES, rule="played", min_count=2)
    features = Features(STERN, {"shape": shapes}, all_radii=True)
    plain = merged(describe_games(corpus, range(3), features), features)
    found = Follower(shapes, nested=True).games(corpus, range(3))
    assert np.array_equal(plain.starts, found.starts)
    for i in range(len(plain.winner)):
        a = slice(*plain.starts[i : i + 2])
        rows = [sorted(k for k in row if k >= 0) for row in plain.members[a].tolist()]
        told = [sorted(k for k in row if k >= 0) for row in found.kinds[a].tolist()]
        assert sorted(rows) == sorted(told)
        winner = plain.members[plain.starts[i] + plain.winner[i]]
        mine = found.kinds[found.starts[i] + found.winner[i]]
        assert sorted(winner[winner >= 0]) == sorted(mine[mine >= 0])


def test_shapes_that_see_more_are_refused() -> None:
    shapes = harvest(games(0, 2), templates=MARKED_CIRCLES, rule="played", min_count=2)
    with pytest.raises(KatachiError, match="not followed"):
        Follower(shapes)


def test_no_more_shapes_than_wanted() -> None:
    corpus = games(0, 20)
    every = harvest(corpus, templates=STERN_TEMPLATES, rule="played", min_count=2)
    some = harvest(corpus, templates=STERN_TEMPLATES, rule="played", min_count=2, most=100)
    assert len(some) <= 100 < len(every)
    assert np.array_equal(every.keep(some.min_count).keys, some.keys)
    assert np.array_equal(every.keep(some.min_count).pictures, some.pictures)
    assert len(every.keep(some.min_count - 1)) > 100


def test_least_count() -> None:
    counts = np.array([1, 5, 2, 2, 3, 9])
    assert [least_count(counts, 2, most) for most in (6, 5, 4, 3, 2, 1)] == [2, 2, 3, 3, 4, 6]


def test_the_sieve_grows_with_the_games_and_keeps_to_the_memory() -> None:
    small, large = games(0, 10), games(0, 60)
    few, many = (sieve_bits_for(c, STERN_TEMPLATES, 4000, 1) for c in (small, large))
    assert 16 <= few <= many
    emitted = 8 * int(large.moves.sum())
    assert 2 * emitted <= 2**many <= 4 * emitted
    assert 2 ** sieve_bits_for(large, STERN_TEMPLATES, 1, 2) * 2 * 2 <= 2**20 / 4
