"""`Position`: the board for people, with every move named as one likes and every move undone.

Kernels work on `position.board`; programs that need speed use them directly.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.go import points as glossary
from katachi.go.board import (
    Board,
    give_turn,
    is_legal,
    is_suicide,
    legal_points,
    new_board,
    play,
    set_stones,
)
from katachi.go.diagram import draw_diagram, parse_diagram
from katachi.go.ladder import LadderWork, ladder_work, taken_in_ladder
from katachi.go.liberties import liberty_points
from katachi.go.points import BLACK, COLOUR_NAMES, EMPTY, NONE, PASS
from katachi.go.score import area_owners, area_score
from katachi.go.superko import legal_without_repeat, play_all, repeats

# A point, a vertex ("D4", "pass") or (row, col) from the top left.
Place: TypeAlias = int | str | tuple[int, int]


_threads = threading.local()


def _ladder_work() -> LadderWork:
    """This thread's workspace for ladders."""
    if not hasattr(_threads, "ladder"):
        _threads.ladder = ladder_work()
    work: LadderWork = _threads.ladder
    return work


class IllegalMove(KatachiError):
    """A move the rules forbid. `reason` is "occupied", "suicide", "ko" or "superko"."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(text)
        self.reason = reason


class Position:
    """A position and the moves that led to it.

    Attributes to read: `size`, `board` (the kernels' record), `moves` (list of (colour, point)
    since the beginning or the setup). Places are given as point, vertex or (row, col); points come
    back. Raises ValueError for a size outside 2 … 19 and for places outside the board.
    """

    def __init__(self, size: int = 19) -> None:
        self.board: Board = new_board(size)
        self.size = size
        self.moves: list[tuple[int, int]] = []
        self._setup: npt.NDArray[np.uint8] = np.zeros(glossary.AREA, np.uint8)
        self._first = BLACK
        self._hashes: npt.NDArray[np.uint64] = np.zeros(64, np.uint64)  # one to a position …
        self._hashes[0] = self.board.hash  # … and room for more

    # -- made from something -------------------------------------------------------------------

    @classmethod
    def from_stones(
        cls, size: int, colors: npt.NDArray[np.uint8], to_move: int = BLACK
    ) -> Position:
        """The position of these stones (uint8[AREA]). Raises ValueError if one has no liberty."""
        position = cls(size)
        position._setup = colors.copy()
        position._first = to_move
        position._restart()
        return position

    @classmethod
    def from_diagram(cls, text: str, to_move: int = BLACK) -> Position:
        """The position of a text diagram (see `katachi.go.diagram`). Raises ValueError."""
        return cls.from_stones(*parse_diagram(text), to_move=to_move)

    def copy(self) -> Position:
        """An independent copy."""
        twin = Position(self.size)
        twin.board = self.board.copy()
        twin.moves = self.moves.copy()
        twin._setup = self._setup
        twin._first = self._first
        twin._hashes = self._hashes.copy()
        return twin

    # -- played on -----------------------------------------------------------------------------

    def play(self, place: Place, colour: int | None = None, *, superko: bool = False) -> int:
        """Play a move, by default for the side to move; returns the number of stones captured.

        Raises IllegalMove and leaves the position as it was. Positional superko is an offence
        only on request: game servers disagree about it.
        """
        p = self.point(place)
        c = self.to_move if colour is None else colour
        reason = self.why_illegal(p, c, superko=superko)
        if reason:
            name = glossary.vertex(p, self.size)
            raise IllegalMove(f"{COLOUR_NAMES[c]} {name} is illegal: {reason}", reason)
        return self._play(p, c)

    def _play(self, p: int, c: int) -> int:
        taken = int(play(self.board, p, c))
        self._make_room(1)
        self.moves.append((c, p))
        self._hashes[len(self.moves)] = self.board.hash
        return taken

    def play_all(self, colours: Sequence[int], points: Sequence[int]) -> None:
        """Play many moves at once. Raises IllegalMove at the first that is illegal: those before it
        are played. That the points are on the board is not checked.
        """
        self._make_room(len(points))
        each, where = (np.array(numbers, np.int64) for numbers in (colours, points))
        done = int(play_all(self.board, each, where, self._hashes[len(self.moves) + 1 :]))
        self.moves += zip(colours[:done], points[:done], strict=True)
        if done < len(points):
            self.play(points[done], colours[done])  # says what is wrong

    def _make_room(self, count: int) -> None:
        """For the hashes of so many moves more."""
        needed = len(self.moves) + 1 + count
        if needed > len(self._hashes):
            longer = np.zeros(2 * needed, np.uint64)
            longer[: len(self._hashes)] = self._hashes
            self._hashes = longer

    def pass_(self) -> None:
        """The side to move passes."""
        self.play(PASS)

    def to_play(self, colour: int) -> None:
        """Give the turn to a colour, whoever has moved last; no move is played.

        The ko point is forbidden to the colour that lost its stone there, and to no other: who has
        taken a ko may fill it. `undo` forgets who was given the turn.
        """
        give_turn(self.board, colour)

    def undo(self, count: int = 1) -> tuple[int, int]:
        """Take the last `count` moves (1 or more) back, and return the first of them.

        Raises ValueError if there are not so many.
        """
        if not 1 <= count <= len(self.moves):
            raise ValueError("no move to undo")
        before, first = self.moves[:-count], self.moves[-count]
        self._restart()
        self.play_all([colour for colour, _ in before], [p for _, p in before])
        return first

    def _restart(self) -> None:
        if not set_stones(self.board, self._setup):
            raise ValueError("a string in this position has no liberty")
        self.board.to_move = self._first
        self.moves = []
        self._hashes[0] = self.board.hash

    # -- asked about ---------------------------------------------------------------------------

    @property
    def to_move(self) -> int:
        """BLACK or WHITE."""
        return int(self.board.to_move)

    @property
    def ko(self) -> int | None:
        """The point that the side to move may not take back at once."""
        return None if self.board.ko == NONE else int(self.board.ko)

    @property
    def previous(self) -> list[int]:
        """The points of the last moves, latest first, up to four; PASS for a pass."""
        return [int(p) for p in self.board.previous if p != NONE]

    @property
    def beginning(self) -> tuple[int, bytes, int]:
        """(size, stones, side to move) before the first move, to tell whether games began alike."""
        return self.size, self._setup.tobytes(), self._first

    @property
    def history(self) -> npt.NDArray[np.uint64]:
        """The hashes of all positions so far, the present one last."""
        return self._past.copy()

    @property
    def _past(self) -> npt.NDArray[np.uint64]:
        return self._hashes[: len(self.moves) + 1]

    @property
    def colors(self) -> npt.NDArray[np.uint8]:
        """The colours by point, shape (AREA,); a copy."""
        stones: npt.NDArray[np.uint8] = self.board.color.copy()
        return stones

    def point(self, place: Place) -> int:
        """The point of any form of place. Raises ValueError if it is not on this board."""
        if isinstance(place, str):
            return glossary.from_vertex(place, self.size)
        p = glossary.point(*place) if isinstance(place, tuple) else int(place)
        inside = (
            all(0 <= x < self.size for x in place)
            if isinstance(place, tuple)
            else p == PASS or glossary.on_board(p, self.size)
        )
        if not inside:
            raise ValueError(f"{place!r} is not on a {self.size}x{self.size} board")
        return p

    def stone(self, place: Place) -> int:
        """EMPTY, BLACK or WHITE."""
        return int(self.board.color[self._on_board(place)])

    def string(self, place: Place) -> list[int]:
        """The points of the string there, in order; empty where no stone is."""
        p = self._on_board(place)
        if self.board.color[p] == EMPTY:
            return []
        stones = [p]
        while (q := int(self.board.link[stones[-1]])) != p:
            stones.append(q)
        return sorted(stones)

    def liberties(self, place: Place) -> list[int]:
        """The liberties of the string there, in order; empty where no stone is."""
        p = self._on_board(place)
        if self.board.color[p] == EMPTY:
            return []
        out = np.zeros(glossary.MAX_SIZE**2, np.int16)
        return [int(q) for q in out[: liberty_points(self.board, p, out)]]

    def captured(self, colour: int) -> int:
        """Stones of this colour taken so far."""
        return int(self.board.captured[colour])

    def why_illegal(self, place: Place, colour: int | None = None, *, superko: bool = False) -> str:
        """ "occupied", "suicide", "ko", "superko", or "" for a legal move."""
        p = self.point(place)
        c = self.to_move if colour is None else colour
        if is_legal(self.board, p, c):
            return "superko" if superko and repeats(self.board, p, c, self._past) else ""
        if self.board.color[p] != EMPTY:
            return "occupied"
        return "suicide" if is_suicide(self.board, p, c) else "ko"

    def legal_moves(self, colour: int | None = None, *, superko: bool = False) -> list[int]:
        """The legal points in order, then PASS."""
        c = self.to_move if colour is None else colour
        out = np.zeros(glossary.MAX_SIZE**2, np.int16)
        if superko:
            count = legal_without_repeat(self.board, c, self._past, out)
        else:
            count = legal_points(self.board, c, out)
        return [*(int(p) for p in out[:count]), PASS]

    def taken_in_ladder(self, place: Place, first: int) -> bool:
        """Whether the string there is taken in a ladder when colour `first` moves now.

        Raises ValueError where no stone is.
        """
        p = self._on_board(place)
        if self.board.color[p] == EMPTY:
            raise ValueError(f"no stone on {glossary.vertex(p, self.size)}")
        return bool(taken_in_ladder(self.board, p, first, _ladder_work()))

    def score(self) -> int:
        """Black's area minus white's, all stones alive, komi not counted."""
        return int(area_score(self.board))

    def owners(self) -> npt.NDArray[np.uint8]:
        """Who owns each point by area, shape (AREA,)."""
        owners = np.zeros(glossary.AREA, np.uint8)
        area_owners(self.board, owners)
        return owners

    def diagram(self) -> str:
        """The position as text with coordinates."""
        return draw_diagram(self.size, self.board.color)

    def _on_board(self, place: Place) -> int:
        p = self.point(place)
        if p == PASS:
            raise ValueError("a pass has no place on the board")
        return p

    def __str__(self) -> str:
        return self.diagram()

    def __repr__(self) -> str:
        side = COLOUR_NAMES[self.to_move]
        return f"<Position {self.size}x{self.size}, {len(self.moves)} moves, {side} to move>"
