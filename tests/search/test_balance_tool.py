"""tools/balance.py: whose the points are at the end, and how far playouts are from that."""

from __future__ import annotations

import numpy as np
import pytest

from katachi.go.points import BLACK, EMPTY, WHITE
from katachi.models.model import load_model
from katachi.search.gammas import BALANCE, SHAPE_POWER
from tests.trained import games
from tools.balance import APART, STAGES, Case, cases_of, counted, loss

GAME = 67  # the first on 19x19


def test_games_that_were_counted() -> None:
    """On 19x19 only, and long enough for all stages."""
    for game in games(GAME - 2, GAME + 6):
        wanted = None
        if game.size == 19 and len(game.moves) >= STAGES[-1]:
            wanted = float(game.result[2:]) * (1 if game.result[0] == "B" else -1)
        assert counted(game) == wanted


@pytest.mark.slow
@pytest.mark.needs("gnugo")
def test_the_loss_is_of_the_owners() -> None:
    game = games(GAME, GAME + 1)[0]
    cases = cases_of(game)
    assert [case.stage for case in cases] == list(STAGES)
    owners = cases[0].owners
    lead = int((owners == BLACK).sum()) - int((owners == WHITE).sum())
    assert game.komi is not None
    assert abs(lead - game.komi - (counted(game) or 0.0)) <= APART
    light = load_model().playout
    assert light is not None
    one = cases[-1:]
    (right,) = loss(one, light, dict(BALANCE), SHAPE_POWER)
    # Of the other side's, every point would be wrong; where nothing is known, the loss is log 2.
    others = np.where(owners == EMPTY, EMPTY, BLACK + WHITE - owners).astype(np.uint8)
    (wrong,) = loss([Case(STAGES[-1], one[0].board, others)], light, dict(BALANCE), SHAPE_POWER)
    assert right < np.log(2) < wrong
    assert loss(one, light, {}, 1.0) != [right]  # other gammas, other playouts
