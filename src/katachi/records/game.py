"""`Game`: one record as it was read, and `Notice`: what had to be skipped, cut or mended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from katachi.go.points import PASS
from katachi.go.position import Position
from katachi.printable import one_line
from katachi.records.actions import Actions, canonical, colours_of, is_move, points_of
from katachi.records.walk import Stop, walk

SKIPPED, CUT, MENDED, ODD = "skipped", "cut", "mended", "odd"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about a record that its reader should know.

    `kind` is "skipped" (not read), "cut" (read up to the fault), "mended" (read after repair) or
    "odd" (read as it is); `source` the file, `place` where in it ("" for all of it), `reason` a
    short text that can be counted, `detail` the particulars or "".
    """

    kind: str
    source: str
    place: str
    reason: str
    detail: str = ""

    def __str__(self) -> str:
        place = f", {self.place}" if self.place else ""
        detail = f" ({self.detail})" if self.detail else ""
        return one_line(f"{self.source}{place}: {self.kind}: {self.reason}{detail}")


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """One game. Texts are as the record has them, "" where it has none.

    `actions` is the whole course (see `katachi.records.actions`); every move in it is legal.
    `handicap` is 0 or the stones given (2 and more). `source` says where the record came from.
    """

    size: int
    actions: Actions
    komi: float | None = None
    handicap: int = 0
    rules: str = ""
    black: str = ""
    white: str = ""
    black_rank: str = ""
    white_rank: str = ""
    date: str = ""
    result: str = ""
    event: str = ""
    source: str = ""

    @property
    def moves(self) -> list[tuple[int, int]]:
        """(colour, point) of each move, passes included."""
        played = self.actions[is_move(self.actions)]
        colours, points = colours_of(played).tolist(), points_of(played).tolist()
        return list(zip(colours, points, strict=True))

    @property
    def has_setup(self) -> bool:
        """Whether the record puts or takes stones by hand (handicap included)."""
        setup = ~is_move(self.actions)
        return bool(np.any(points_of(self.actions[setup]) != PASS))

    @property
    def breaks_turn(self) -> int:
        """The number of the first move whose colour is out of turn, 0 if they all alternate."""
        colours = colours_of(self.actions[is_move(self.actions)])
        twice = np.flatnonzero(colours[1:] == colours[:-1])
        return int(twice[0]) + 2 if len(twice) else 0

    @property
    def digest(self) -> int:
        """64 bits that name the course of the game, equal for its 8 symmetric forms."""
        course = bytes([self.size]) + canonical(self.actions, self.size)
        return int.from_bytes(blake2b(course, digest_size=8).digest(), "big")

    def walk(self) -> Iterator[Stop]:
        """The positions of its moves, and the last: see `katachi.records.walk`."""
        return walk(self.actions, self.size)

    def position(self, move: int | None = None) -> Position:
        """The position after `move` moves and whatever setup follows them, or at the end.

        `Position.undo` reaches back to the last setup. Raises ValueError if the game is shorter.
        """
        count = int(np.count_nonzero(is_move(self.actions)))
        wanted = count if move is None else move
        if not 0 <= wanted <= count:
            raise ValueError(f"the game has {count} moves, not {wanted}")
        return next(walk(self.actions, self.size, wanted)).position
