"""tools/points_lost.py on a bundled game."""

from __future__ import annotations

import pytest

from katachi.records.bundled import bundled_games
from tools.points_lost import leads, points_lost, query


@pytest.mark.slow
def test_the_points_lost_add_up_to_the_change_of_the_lead() -> None:
    queries = [query(0, bundled_games()[0], 4, 30)]
    found = leads(queries)
    assert sorted(found) == [("0", turn) for turn in range(5)]
    lost = points_lost(queries, found)
    signed = [one if turn % 2 == 0 else -one for turn, one in enumerate(lost)]
    assert sum(signed) == pytest.approx(found["0", 0][0] - found["0", 4][0])
    assert any(lost)
