"""tools/balance_table.py: the features of playouts, the gradient, and the tables we ship."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import katachi
from katachi.go.board import play
from katachi.go.points import AREA, BLACK, PASS, WHITE, all_points
from katachi.go.position import Position
from katachi.models.model import load_model
from katachi.patterns.catalogue import PLAYOUT
from katachi.search.gammas import BALANCED, balance_table, balanced_for, gamma_tables
from katachi.search.sampler import new_sampler, start
from tests.search.test_sampler import GAMMAS, MODEL, weigh
from tests.search.twin import wandered
from tools.balance import Case, loss_by
from tools.balance_table import (
    FEATURES,
    FIRST,
    SIZES,
    add_gradient,
    factors_of,
    found_by,
    logs,
    new_room,
    playout,
    seen,
    table_text,
)

DATA = Path(katachi.__file__).parent / "data"


def level_of(family: str, position: Position, p: int, levels: dict[str, Any]) -> int:
    """The level of the family: the one described, or that of the extension where it is tight."""
    if family != "tight":
        return int(levels[family])
    after = position.board.copy()
    is_tight = not levels["capture"] and not play(after, p, position.to_move)
    is_tight = is_tight and after.liberties[after.head[p]] <= 2
    return int(levels["extension"]) if is_tight else 0


def surprise_of(position: Position, moves: list[int]) -> npt.NDArray[np.float64]:
    """The features of the moves less the expected ones, by the families' own kernels."""
    found = np.zeros(FEATURES)
    for move in moves:
        if move != PASS:
            sampler = new_sampler()
            start(position.board, sampler)
            weights = weigh(position.board, sampler, position.to_move)
            chances = weights / weights.sum()
            points, columns = MODEL.described(position)
            for i, p in enumerate(points):
                if p == PASS or not weights[p]:
                    continue
                more = float(p == move) - chances[p]
                for family in SIZES:
                    if level := level_of(family, position, p, {f: columns[f][i] for f in columns}):
                        found[FIRST[family] + level] += more
        position.play(move)
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_surprise_is_that_of_the_families(seed: int) -> None:
    position = wandered(7, seed, 12)
    room = new_room(seed)
    moves = np.zeros(3 * 49, np.int16)
    count = playout(position.board, room, GAMMAS, seen(), moves)
    assert count > 10
    wanted = surprise_of(position, moves[:count].tolist())
    assert np.abs(wanted).max() > 0.5
    assert room.surprise == pytest.approx(wanted, abs=2e-3)


def cases() -> list[Case]:
    """Half of the board Black's, half White's, from positions in which nothing is settled."""
    owners = np.zeros(AREA, np.uint8)
    for i, p in enumerate(all_points(5)):
        owners[p] = BLACK if i < 12 else WHITE
    return [Case(0, wandered(5, seed, 6).board, owners) for seed in range(4)]


@pytest.mark.slow
def test_steps_along_the_gradient_lower_the_loss() -> None:
    begin = logs(MODEL.predictor.factors)
    told: list[float] = []
    end = found_by(cases(), begin, 60, 1, lambda _step, loss, _found: told.append(loss))
    before, after = (np.mean(loss_by(cases(), gamma_tables(factors_of(x)))) for x in (begin, end))
    assert after < before - 0.03
    assert np.mean(told[:5]) == pytest.approx(before, abs=0.05)


@pytest.mark.slow
def test_level_0_has_no_gradient() -> None:
    """No move has level 0 of a family: it stands for none of its features."""
    gradient = np.zeros(FEATURES)
    moves = np.zeros(75, np.int16)
    case = cases()[0]
    add_gradient(case.board, case.owners, new_room(1), GAMMAS, seen(), moves, 20, gradient)
    assert np.count_nonzero(gradient) > 50
    for family, first in FIRST.items():
        assert gradient[first] == 0, family


def test_tables_are_read_as_they_were_written() -> None:
    light = load_model().playout
    assert light is not None
    fitted = light.predictor.factors
    levels = {family.name: family.size for family in PLAYOUT.families}
    for size in BALANCED:
        table = balance_table(size)
        assert table is not None
        assert {name: len(times) - 1 for name, times in table.items()} == {
            name: levels.get(name, 2) for name in SIZES if name in levels or name in table
        }
        assert all(times.min() > 0 for times in table.values())
        found = balanced_for(size, fitted)
        written = table_text(size, logs(found), fitted).splitlines()[1:]
        again = [line for line in written if line.split(":")[0] in table]
        path = DATA / f"balance-{size}.txt"
        assert path.read_text(encoding="utf-8").splitlines()[1:] == again
    assert balance_table(11) is None
