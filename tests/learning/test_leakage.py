"""What a model may know: the last moves, and nothing of the move that is to be predicted."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from katachi.go.board import Board
from katachi.go.points import NONE
from katachi.go.position import Position
from katachi.models.model import Model
from katachi.patterns.describe import describe_position
from tests.trained import ANSWERING, games, trained

Change = Callable[[Board, np.random.Generator], None]


def as_it_was(_board: Board, _rng: np.random.Generator) -> None:
    """The last moves as they were played."""


def removed(board: Board, _rng: np.random.Generator) -> None:
    """No last move is known."""
    board.previous[:] = NONE


def wrong(board: Board, rng: np.random.Generator) -> None:
    """Another stone of the same colour is taken for the last move."""
    last = int(board.previous[0])
    if last > 0:
        others = np.flatnonzero(board.color == board.color[last])
        board.previous[0] = rng.choice(others)


def positions(change: Change) -> list[tuple[Position, int]]:
    """Positions of games that the model has not seen, and the moves that were played there."""
    rng = np.random.default_rng(19)
    found = []
    for game in games(10, 15):
        for number, (colour, move) in enumerate(game.moves):
            position = game.position(number)
            position.to_play(colour)
            change(position.board, rng)
            found.append((position, move))
    return found


def evidence(model: Model, change: Change) -> float:
    """The mean log-evidence."""
    chances = [model.probabilities(position)[move] for position, move in positions(change)]
    return float(np.log(chances).mean())


@pytest.mark.slow
def test_without_the_last_move_what_it_told_is_lost() -> None:
    model = trained(ANSWERING)
    known = evidence(model, as_it_was)
    assert evidence(model, removed) < known - 0.03
    assert evidence(model, wrong) < known - 0.1


@pytest.mark.slow
def test_without_the_last_move_there_is_no_answer() -> None:
    model = trained(ANSWERING)
    answers = {f.name for f in model.features.families if f.dictionary == "answer"}
    assert len(answers) >= 8
    for change, some in ((as_it_was, True), (removed, False)):
        teams = [describe_position(p, model.features) for p, _ in positions(change)[20:40]]
        found = any(answers & team.keys() for one in teams for team in one.values())
        assert found == some
