"""Positions to guess at: where strong players agree, and of the kinds that a student has missed."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from typing import Any, Final

import numpy as np

from katachi.go.points import COLOUR_NAMES, PASS, vertex
from katachi.models.model import Model
from katachi.records.actions import is_move
from katachi.records.corpus import Corpus
from katachi.records.game import Game
from katachi.study.opinion import Opinion
from katachi.study.review import stage_of
from katachi.study.wire import action_name

AGREE: Final = 0.6  # probability of the most usual move, from which on players agree
TRIES: Final = 60  # positions that are looked at for each problem
MOST: Final = 50  # problems of a request


def problems(
    model: Model, games: Corpus, count: int, stage: str, kinds: Collection[str], seed: int
) -> Iterator[dict[str, Any]]:
    """Positions of these games whose played move is the most usual one, with at least AGREE; of a
    stage, or of all if it is "". Half of them are of these kinds, as far as they are found.

    Fewer than `count` come if the games hold few; none twice. The order depends on the seed alone.
    """
    dice = random.Random(seed)
    count = min(count, MOST)
    of_kinds = (count + 1) // 2 if kinds else 0
    free = count - of_kinds
    spare: list[dict[str, Any]] = []
    seen: set[tuple[int, int]] = set()
    sizes = {size for shapes in model.features.dictionaries.values() for size in shapes.sizes}
    for _ in range(TRIES * count if len(games) else 0):
        if of_kinds + free == 0:
            return
        number = dice.randrange(len(games))
        game = games[number]
        moves = np.flatnonzero(is_move(game.actions))
        if not len(moves) or (sizes and game.size not in sizes):
            continue
        at = dice.randrange(len(moves))
        if (number, at) in seen or (stage and stage_of(at + 1, game.size) != stage):
            continue
        seen.add((number, at))
        found = _problem(model, game, at, int(moves[at]))
        if found is None:
            continue
        if found["kind"] in kinds and of_kinds:
            of_kinds -= 1
            yield found
        elif free:
            free -= 1
            yield found
        else:
            spare.append(found)
    yield from spare[: of_kinds + free]


def _problem(model: Model, game: Game, at: int, index: int) -> dict[str, Any] | None:
    """The position before move `at` (from 0), the action of this index; None if it is none."""
    colour, move = game.moves[at]
    position = game.position(at)
    if move == PASS or position.to_move != colour:
        return None
    opinion = Opinion(model, position)
    if opinion.ranked[0] != move or opinion.probability(move) < AGREE:
        return None
    return {
        "size": game.size,
        "komi": game.komi,
        "actions": [action_name(int(action), game.size) for action in game.actions[:index]],
        "colour": COLOUR_NAMES[colour],
        "vertex": vertex(move, game.size),
        "number": at + 1,
        "stage": stage_of(at + 1, game.size),
        "kind": opinion.name(move),
        "probability": opinion.probability(move),
        "black": game.black,
        "white": game.white,
    }
