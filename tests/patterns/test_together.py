"""The families in one kernel: as each of them tells alone."""

from __future__ import annotations

import numpy as np
import pytest

from katachi.go.board import legal_points
from katachi.go.points import PASS
from katachi.patterns.catalogue import EXTENDED
from katachi.patterns.describe import describe
from katachi.patterns.family import Situation
from katachi.patterns.together import TOGETHER, write_together
from katachi.records.bundled import bundled_games

GAMES = bundled_games()


@pytest.mark.parametrize("game", [3, 21, 104, 130])
def test_the_levels_are_those_of_each_family(game: int) -> None:
    situation = Situation()
    candidates = np.zeros(362, np.int16)
    out = np.full((len(TOGETHER), 362), 77, np.uint8)
    rng = np.random.default_rng(game)
    for move in range(0, len(GAMES[game].moves), 4):
        board = GAMES[game].position(move).board
        situation.look(board)
        n = int(legal_points(board, int(board.to_move), candidates)) + 1
        candidates[n - 1] = PASS
        wanted = rng.random(len(TOGETHER)) < 0.8
        before = out.copy()
        write_together(board, candidates, n, wanted, situation.spare, situation.ladder, out)
        alone = describe(situation, TOGETHER)
        for k, family in enumerate(TOGETHER):
            expected = alone[k] if wanted[k] else before[k, :n]
            assert np.array_equal(out[k, :n], expected), family.name
        assert np.array_equal(out[:, n:], before[:, n:])


def test_all_families_of_the_default_model_are_there_in_their_order() -> None:
    families = [f for f in EXTENDED.families if not f.slow]
    assert list(TOGETHER) == families
    assert all(f.dtype == np.uint8 for f in TOGETHER)
