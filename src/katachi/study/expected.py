"""What is likely to follow a move: the model's likeliest reply, and the reply to that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from katachi.go.points import PASS
from katachi.go.position import Position
from katachi.models.model import Model

LONGEST: Final = 10  # moves of a line
USUAL: Final = 8


def expected(
    model: Model, position: Position, begin: Sequence[int], most: int = USUAL
) -> list[int]:
    """The moves of `begin`, and from there on always the likeliest that repeats no position, until
    there are `most`, or passing is the likeliest. The position is left as it is.

    Raises IllegalMove if a move of `begin` cannot be played, and KatachiError on a board size that
    the model does not know.
    """
    found = []
    now = position.copy()
    for move in begin:
        now.play(move)
        found.append(move)
    while len(found) < most:
        move = _likeliest(model, now)
        if move == PASS:
            break
        now.play(move)
        found.append(move)
    return found


def _likeliest(model: Model, position: Position) -> int:
    chances = model.probabilities(position)
    ranked = sorted(chances, key=lambda p: -chances[p])
    return next(p for p in ranked if p == PASS or not position.why_illegal(p, superko=True))
