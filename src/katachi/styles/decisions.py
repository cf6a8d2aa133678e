"""`Decisions`: the positions in which a group moved, as the fit of differences sees them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.styles.passes import merge_equal

Array = npt.NDArray[Any]
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Piece:
    """Some decisions; the candidates starts[j] … starts[j + 1] are those of decision j."""

    starts: Array  # int64[c + 1]
    winner: Array  # int64[c]: which of its candidates was played, from 0
    offset: Array  # float64[n]: the base's log-chance
    seats: Array  # int16[n, families]: the feature of each family, -1 for none
    game: Array  # int32[c]: game in the corpus
    move: Array  # int32[c]: moves before it
    group: Array  # int32[c]
    evidence: Array  # float64[c]: the base's log-chance of the move that was played

    def take(self, chosen: Array) -> Piece:
        """The decisions of a mask."""
        lengths = np.diff(self.starts)
        rows = np.repeat(chosen, lengths)
        starts = np.concatenate([[0], np.cumsum(lengths[chosen])])
        return Piece(
            starts,
            self.winner[chosen],
            self.offset[rows],
            self.seats[rows],
            self.game[chosen],
            self.move[chosen],
            self.group[chosen],
            self.evidence[chosen],
        )

    def __len__(self) -> int:
        return len(self.winner)


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions in pieces, and how many features each family has: their numbers follow each other,
    family after family.
    """

    pieces: Sequence[Piece]
    sizes: tuple[int, ...] = field(default=())

    @property
    def first(self) -> Array:
        """[family + 1] where the features of each begin."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    @property
    def count(self) -> int:
        """How many decisions there are."""
        return sum(len(piece) for piece in self.pieces)

    def of(self, chosen: Callable[[Piece], Array]) -> Decisions:
        """Those that a function chooses, by a mask for each piece."""
        some = [piece.take(chosen(piece)) for piece in self.pieces]
        return Decisions([piece for piece in some if len(piece)], self.sizes)

    def column(self, name: str) -> Array:
        """game, move, group or evidence of all of them, piece after piece."""
        return np.concatenate([getattr(piece, name) for piece in self.pieces] or [np.zeros(0)])


def merged(starts: Array, winner: Array, chances: Vector, seats: Array) -> tuple[Array, ...]:
    """(starts, winner, log-chance, seats) with candidates of a decision that have the same features
    as one. `winner` counts from 0, in each decision, before and after.
    """
    n = len(chances)
    most = int(np.diff(starts).max()) if len(winner) else 1
    slots = np.full(1 << (2 * most).bit_length(), -1, np.int64)
    leader, kept = np.empty(n, np.int64), np.empty(n, np.int64)
    strength = np.array(chances, np.float64)
    count = merge_equal(starts, seats, strength, leader, slots, kept)
    kept = kept[:count]
    begins = np.concatenate([leader[starts[:-1]], [count]]).astype(np.int64)
    # A chance of nothing at all, which rounding may give, is still a chance.
    offset = np.log(np.maximum(strength[kept], np.finfo(np.float64).tiny))
    return begins, leader[starts[:-1] + winner] - begins[:-1], offset, seats[kept]
