"""What every player can do: choose a move within a budget, and say who owns the board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Event
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from katachi.go.position import Position

RESIGN: Final = -2  # as a choice, beside points and PASS
RULES: Final = ("chinese", "japanese", "tromp-taylor")


@dataclass(frozen=True)
class Budget:
    """How long a player may think about one move: whatever is reached first ends it.

    All None means the player's own default, which is finite.
    """

    simulations: int | None = None
    seconds: float | None = None  # to aim at; less if the answer cannot change any more
    longest: float | None = None  # never to be exceeded, whatever the position asks for

    @property
    def limit(self) -> float | None:
        """The seconds that are never exceeded."""
        return self.seconds if self.longest is None else self.longest


@dataclass(frozen=True)
class Choice:
    """A move (point, PASS or RESIGN), and what the player thought of it."""

    move: int
    win_rate: float | None = None  # for the side that moves, 0 … 1; None if it did not search
    simulations: int = 0
    seconds: float = 0.0
    line: tuple[int, ...] = ()  # the expected continuation, beginning with the move
    comment: str = ""  # for people: SGF comments and stderr


@dataclass(frozen=True)
class GameState:
    """A position and the terms on which it is played."""

    position: Position
    komi: float = 7.5
    rules: str = "chinese"  # one of RULES
    cleanup: bool = False  # dead stones are disputed: take them off the board before passing
    may_resign: bool = True


def resumed(game: GameState) -> GameState:
    """The same stones with nobody having passed: after two passes there is nothing to search."""
    position = game.position
    stones = Position.from_stones(position.size, position.colors, position.to_move)
    return replace(game, position=stones)


def to_analyse(game: GameState) -> GameState:
    """The game itself; where it has ended by two passes, as if it went on."""
    return resumed(game) if game.position.board.passes >= 2 else game


class Player(Protocol):
    """Anything that plays."""

    def choose(self, game: GameState, budget: Budget, stop: Event | None = None) -> Choice:
        """A legal move for the side to move that repeats no position; `stop` ends the thinking.

        Raises KatachiError if it cannot play on such a board. The position is left as it is.
        """
        ...

    def owners(self, game: GameState) -> npt.NDArray[np.float64]:
        """How likely each point ends as Black's, by point, shape (AREA,): for dead stones."""
        ...

    def clear(self) -> None:
        """Forget everything kept between moves."""
        ...
