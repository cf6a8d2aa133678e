"""`PatternPlayer`: plays what a model finds likeliest, without any search."""

from __future__ import annotations

import math
from random import Random
from threading import Event
from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.go.board import copy, is_own_eye, new_board
from katachi.go.playout import playout
from katachi.go.points import AREA, BLACK, EMPTY, PASS, WHITE, other, vertex
from katachi.go.position import Position
from katachi.go.rng import new_rng
from katachi.go.score import area_owners
from katachi.models.model import Model
from katachi.search.ending import wins_as_it_stands
from katachi.search.final import dead_strings
from katachi.search.player import Budget, Choice, GameState

OWNER_PLAYOUTS: Final = 400  # for owners, half of them with each side to begin


class PatternPlayer:
    """Plays the likeliest move that repeats no position and fills no own eye.

    With a `temperature` T > 0 it draws a move instead, with chances that go as p^(1/T); the same
    seed and the same games give the same moves. It never resigns, and no budget matters to it.
    """

    def __init__(self, model: Model, temperature: float = 0.0, seed: int = 1) -> None:
        self.model = model
        self.temperature = temperature
        self._seed = seed
        self._random = Random(seed)

    def choose(
        self,
        game: GameState,
        budget: Budget,  # noqa: ARG002
        stop: Event | None = None,  # noqa: ARG002
    ) -> Choice:
        """A move of the side to move: see the class. Passes where that is likeliest or all that
        is left, or after the opponent's pass where it is ahead.

        Raises KatachiError on a board size that the model's shapes do not know.
        """
        position = game.position
        chances = self.model.probabilities(position)
        if self._may_stop(game):
            return self._choice(position, PASS, chances)
        colour = position.to_move
        wanted = {
            p: chances[p]
            for p in position.legal_moves(superko=True)
            if p == PASS or not is_own_eye(position.board, p, colour)
        }
        if len(wanted) > 1 and game.cleanup and self._dead_of(game, other(colour)):
            del wanted[PASS]
        best = max(wanted, key=wanted.__getitem__)
        if best != PASS and self.temperature > 0:
            best = self._draw({p: chance for p, chance in wanted.items() if p != PASS})
        return self._choice(position, best, chances)

    def owners(self, game: GameState) -> npt.NDArray[np.float64]:
        """How likely each point ends as Black's, by uniform playouts; 0.5 where it is nobody's."""
        position = game.position
        start, work = new_board(position.size), new_board(position.size)
        rng = new_rng(self._seed ^ int(position.board.hash))
        ends = np.zeros(AREA, np.uint8)
        black, nobody = np.zeros(AREA), np.zeros(AREA)
        for colour in (BLACK, WHITE):
            # From the stones alone: a game that both sides have passed would not be played out.
            copy(start, Position.from_stones(position.size, position.colors, colour).board)
            for _ in range(OWNER_PLAYOUTS // 2):
                copy(work, start)
                playout(work, rng)
                area_owners(work, ends)
                black += ends == BLACK
                nobody += ends == EMPTY
        chances: npt.NDArray[np.float64] = (black + nobody / 2) / OWNER_PLAYOUTS
        return chances

    def clear(self) -> None:
        """Nothing is kept between moves."""

    def _may_stop(self, game: GameState) -> bool:
        """Whether the opponent has passed and we are ahead, so that the game may end here."""
        position = game.position
        if game.cleanup or position.moves[-1:] != [(other(position.to_move), PASS)]:
            return False
        return wins_as_it_stands(game, self.owners(game))

    def _dead_of(self, game: GameState, colour: int) -> bool:
        dead = dead_strings(game.position, self.owners(game))
        return any(game.position.stone(string[0]) == colour for string in dead)

    def _draw(self, chances: dict[int, float]) -> int:
        # By logarithms, relative to the largest: no temperature makes all of them 0.
        top = max(chances.values())
        weights = [math.exp(math.log(p / top) / self.temperature) for p in chances.values()]
        return self._random.choices(list(chances), weights)[0]

    def _choice(self, position: Position, move: int, chances: dict[int, float]) -> Choice:
        rank = 1 + sum(chance > chances[move] for chance in chances.values())
        comment = f"{vertex(move, position.size)}: {chances[move]:.1%}, number {rank}"
        if self.model.predictor.is_score:
            mean, deviation = self.model.scores(position)[move]
            comment += f", score {mean:+.2f} ± {deviation:.2f}"
        return Choice(move, line=(move,), comment=comment)
