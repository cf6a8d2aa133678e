"""bench/ranking.py does what it measures, for every kind of team."""

from __future__ import annotations

from bench.ranking import features_of, speeds
from tests.trained import games


def test_speeds() -> None:
    corpus = games(0, 6)
    ways = features_of(corpus)
    found = {way: speeds(corpus, features, range(2), 1) for way, features in ways.items()}
    assert {way: list(told) for way, told in found.items()} == {
        "largest": ["follow", "learn", "describe"],
        "all-radii": ["follow", "learn", "describe"],
        "context": ["learn", "describe"],
    }
    assert all(speed > 0 for told in found.values() for speed in told.values())
