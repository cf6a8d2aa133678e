from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.evaluation.measure import calibration_bin
from katachi.evaluation.measured import BINS, CALIBRATION_EDGES, Measured, join
from tests.papers.synthetic import bin_of, measured_of, plays

EDGES = np.array(CALIBRATION_EDGES)


def assert_same(a: Measured, b: Measured) -> None:
    for field in fields(Measured):
        x, y = getattr(a, field.name), getattr(b, field.name)
        assert x.dtype == y.dtype, field.name
        np.testing.assert_allclose(x, y, rtol=1e-12, err_msg=field.name)


def test_bins_are_closed_below_and_the_last_one_above() -> None:
    for i, edge in enumerate(EDGES):
        assert calibration_bin(edge, EDGES) == min(i, BINS - 1)
        if i:
            assert calibration_bin(np.nextafter(edge, 0), EDGES) == i - 1
    assert calibration_bin(1 + 1e-12, EDGES) == BINS - 1
    points = np.random.default_rng(1).random(500) ** 4
    assert [calibration_bin(p, EDGES) for p in points] == [bin_of(p) for p in points]


def test_rows_number_the_games_without_gaps() -> None:
    some = plays(3)
    games = sorted({play.game for play in some})
    assert games[1] - games[0] > 1  # there are gaps
    assert measured_of(some).row.tolist() == [games.index(play.game) for play in some]
    assert measured_of(some[:0]).row.tolist() == []


@pytest.mark.parametrize("inside", [False, True], ids=["between games", "inside a game"])
def test_parts_join_to_the_whole(inside: bool) -> None:
    some = plays(4, games=6)
    cut = next(i for i, play in enumerate(some) if play.game == 3 * 2 + 1) + 2 * inside
    parts = [measured_of(some[:cut]), measured_of(some[cut:cut]), measured_of(some[cut:])]
    assert_same(join(parts), measured_of(some))
    assert_same(join(parts[2:]), parts[2])


def test_nothing_and_disorder_do_not_join() -> None:
    with pytest.raises(KatachiError, match="no games"):
        join([])
    some = measured_of(plays(5, games=2))
    with pytest.raises(ValueError, match="out of order"):
        join([some, some])
