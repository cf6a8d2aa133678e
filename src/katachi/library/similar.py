"""`similar`: where a shape or a position of a game occurred in a library, and what was played next.

Three things are asked of the position before a move: the whole board; the shape around the last
move, with what was played next in it; and the shape around the move itself, with the answers.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.go.points import AREA, BLACK, COLOUR_NAMES, NONE, PASS, other, point, row_col, vertex
from katachi.go.symmetry import SYMMETRIES, point_tables
from katachi.library.file import Library
from katachi.library.keys import (
    BOARD,
    CENTRE,
    CIRCLES,
    LEVELS,
    RADII,
    Found,
    keys_of,
    turned_offsets,
)
from katachi.library.postings import CHECK_BITS, DRAWN, LOST, WON, Unpacked, unpack
from katachi.patterns.shapes.templates import offsets
from katachi.records.game import Game

LEAST: Final = 10  # places that are enough for a radius to be chosen
GAMES: Final = 20  # that are named
NAMES: Final = 3  # players of a move that are named


@dataclass(frozen=True)
class Next:
    """A move that was played next: `point` is NONE where nobody played there any more.

    Moves that are equal by a symmetry of the shape count as one. `colour` is that of the asked
    position; `at_once` counts the times when it was the very next move of the game. `won` of
    `decided` games were won by who played it; `players` are those who played it most often.
    """

    point: int
    vertex: str
    colour: str
    times: int
    at_once: int
    won: int
    decided: int
    players: list[tuple[str, int]]


@dataclass(frozen=True)
class Place:
    """A game in which it occurred: at move `number`; what was played next is a vertex of the asked
    position. `exchanged`: Black there is White here.
    """

    black: str
    white: str
    black_rank: str
    white_rank: str
    date: str
    event: str
    result: str
    source: str
    moves: int
    number: int
    next: str
    exchanged: bool


@dataclass(frozen=True)
class Occurred:
    """Where one thing occurred. `radius` is None of the whole board; `tried` has the places at each
    radius that was looked at, in that order. `black_won` and `white_won` count places, in the
    colours of the asked position. There is one of `named` for each game, latest first.
    """

    what: str  # "board", "last" or "move"
    vertex: str  # the middle of the shape
    radius: int | None
    tried: dict[int, int]
    places: int
    games: int
    black_won: int
    white_won: int
    drawn: int
    next: list[Next]
    named: list[Place]


@dataclass(frozen=True)
class Similar:
    """The answer for the position before move `number`. Where there is no last move, or no move, or
    it is a pass, that part is None; the board is None in games longer than a library keeps them.
    """

    number: int
    to_move: str
    played: str | None
    board: Occurred | None
    last: Occurred | None
    move: Occurred | None

    def data(self) -> dict[str, Any]:
        """As JSON takes it."""
        return asdict(self)


def similar(
    game: Game,
    number: int,
    library: Library | str | Path,
    *,
    radius: int | None = None,
    least: int = LEAST,
    games: int = GAMES,
    itself: Game | None = None,
) -> Similar:
    """Where the position before move `number` (from 1), and the shapes around the last move and
    around this move, occurred in a library. The game `itself` does not count: this one, if no
    other is given.

    Of the radii the largest is taken that has at least so many places, or else the smallest;
    `radius` chooses one. At most so many `games` are named. Raises KatachiError for a number that
    the game does not have, a board of another size, a radius that the library does not have, and
    what `Library` raises.
    """
    if not isinstance(library, Library):
        with Library(library) as opened:
            return similar(
                game, number, opened, radius=radius, least=least, games=games, itself=itself
            )
    if game.size != library.about.size:
        size, own = (f"{n}x{n}" for n in (game.size, library.about.size))
        raise KatachiError(
            f"the game is on {size}, and {library.path} is a library of {own}: name another"
        )
    if radius is not None and radius not in RADII:
        known = ", ".join(map(str, RADII))
        raise KatachiError(f"a library has no shapes of radius {radius}: choose from {known}")
    moves = game.moves
    if not 1 <= number <= len(moves) + 1:
        raise KatachiError(f"the game has {len(moves)} moves, none of number {number}")
    asked = _Asked(library, game, _keys(game, number), radius, least, games)
    asked.leave_out(itself or game)
    index = number - 1
    to_move = moves[index][0] if index < len(moves) else game.position().to_move
    played = moves[index][1] if index < len(moves) else None
    return Similar(
        number,
        COLOUR_NAMES[to_move],
        None if played is None else vertex(played, game.size),
        asked.board(index) if index < library.about.board_moves else None,
        asked.circle(index - 1, "last") if index and moves[index - 1][1] != PASS else None,
        asked.circle(index, "move") if played not in (None, PASS) else None,
    )


def _keys(game: Game, number: int) -> Found:
    """The keys of the game; of one more move, a pass, if the position after the last is asked."""
    actions = game.actions
    if number == len(game.moves) + 1:
        from katachi.records.actions import move_action

        turn = move_action(game.position().to_move, PASS)
        actions = np.append(actions, np.uint16(turn))
    return keys_of(actions, game.size)


class _Asked:
    """One question: what is looked up for each part of it."""

    def __init__(
        self, library: Library, game: Game, found: Found, radius: int | None, least: int, most: int
    ) -> None:
        self.library = library
        self.size = game.size
        self.found = found
        self.radius = radius
        self.least = least
        self.most = most
        self.own: npt.NDArray[np.int64] = np.empty(0, np.int64)

    def leave_out(self, game: Game) -> None:
        """This game does not count."""
        digests = self.library.column("digests", "<u8")
        self.own = np.flatnonzero(digests == np.uint64(game.digest))

    def board(self, row: int) -> Occurred:
        """Where the whole board before this move occurred."""
        found = self._look(row, BOARD)
        images = point_tables(self.size)
        point_of = _turned_back(images, _symmetries(self.found, row, BOARD))
        points = [int(p) for p in point_of]
        return self._told("board", row, BOARD, found, {}, points)

    def circle(self, row: int, what: str) -> Occurred:
        """Where the shape around this move occurred."""
        levels = range(LEVELS - 1, -1, -1)
        if self.radius is not None:
            levels = range(RADII.index(self.radius), RADII.index(self.radius) - 1, -1)
        tried: dict[int, int] = {}
        for level in levels:
            found = self._look(row, level)
            tried[RADII[level]] = len(found.game)
            if len(found.game) >= self.least:
                break
        back = _turned_back(turned_offsets(), _symmetries(self.found, row, level))
        around = _points_around(int(self.found.points[row]), self.size)
        return self._told(what, row, level, found, tried, [around[k] for k in back.tolist()])

    def _look(self, row: int, column: int) -> Unpacked:
        """The places under the key of this row and column, but those in the game itself."""
        key = int(self.found.keys[row, column].astype(np.int64))
        values = self.library.postings(column, key)
        found = unpack(values, column)
        most = AREA if column == BOARD else CENTRE + 1
        with self.library.reading():
            if np.any(found.game >= self.library.about.games) or np.any(found.following >= most):
                raise ValueError("a posting is none")
        right = found.check == int(self.found.stones[row, column]) & CHECK_BITS
        keep = right & ~np.isin(found.game, self.own)
        return found if keep.all() else Unpacked._make(field[keep] for field in found)

    def _told(
        self,
        what: str,
        row: int,
        column: int,
        found: Unpacked,
        tried: dict[int, int],
        points: list[int],
    ) -> Occurred:
        """`points` has the asked position's point for everything that `following` can be."""
        mover = int(self.found.colours[row])
        whole = column == BOARD
        to_point = np.array([*points, NONE], np.int64)  # the last for -1
        following = to_point[found.following]
        won = int(np.count_nonzero(found.outcome == WON))
        lost = int(np.count_nonzero(found.outcome == LOST))
        p = int(self.found.points[row])
        return Occurred(
            what=what,
            vertex="" if whole else vertex(p, self.size),
            radius=None if whole else RADII[column],
            tried=tried,
            places=len(found.game),
            games=len(np.unique(found.game)),
            black_won=won if mover == BLACK else lost,
            white_won=lost if mover == BLACK else won,
            drawn=int(np.count_nonzero(found.outcome == DRAWN)),
            next=self._next(found, following, mover),
            named=self._named(found, following, mover),
        )

    def _next(self, found: Unpacked, following: npt.NDArray[np.int64], mover: int) -> list[Next]:
        sides = self.library.column("players", "<u4").reshape(-1, 2)
        code = 2 * (following + 1) + (found.same & (following != NONE))
        told = []
        for one in np.unique(code).tolist():
            here = code == one
            p, same = one // 2 - 1, bool(one % 2)
            outcome = found.outcome[here]
            names = sides[found.game[here], (found.white[here] == same).astype(int)]
            colour = mover if same else other(mover)
            told.append(
                Next(
                    point=p,
                    vertex="" if p == NONE else vertex(p, self.size),
                    colour="" if p == NONE else COLOUR_NAMES[colour],
                    times=int(here.sum()),
                    at_once=int(np.count_nonzero(found.later[here] == 1)),
                    won=int(np.count_nonzero(outcome == (WON if same else LOST))),
                    decided=int(np.count_nonzero((outcome == WON) | (outcome == LOST))),
                    players=[] if p == NONE else self._frequent(names),
                )
            )
        return sorted(told, key=lambda n: (n.point == NONE, -n.times, n.point, n.colour))

    def _frequent(self, numbers: npt.NDArray[Any]) -> list[tuple[str, int]]:
        """The names that are there most often; who is not named is left out."""
        found, counts = np.unique(numbers, return_counts=True)
        order = np.argsort(-counts, kind="stable")[: NAMES + 1]
        names = self.library.names(found[order].tolist())
        told = [(names[int(found[i])], int(counts[i])) for i in order]
        return [(name, count) for name, count in told if name][:NAMES]

    def _named(self, found: Unpacked, following: npt.NDArray[np.int64], mover: int) -> list[Place]:
        _, first = np.unique(found.game, return_index=True)
        dates = self.library.column("dates", "<i4")[found.game[first]]
        chosen = first[np.argsort(-dates, kind="stable")[: self.most]]
        games = self.library.games(found.game[chosen].tolist())
        return [
            Place(
                **games[int(found.game[i])],
                number=int(found.number[i]),
                next="" if following[i] == NONE else vertex(int(following[i]), self.size),
                exchanged=bool(found.white[i]) == (mover == BLACK),
            )
            for i in chosen
        ]


def _symmetries(found: Found, row: int, column: int) -> list[int]:
    """The symmetries that give the key."""
    turns = int(found.turns[row, column])
    return [s for s in range(SYMMETRIES) if turns >> s & 1]


def _turned_back(images: npt.NDArray[np.int16], symmetries: list[int]) -> npt.NDArray[np.int64]:
    """Where everything was before these symmetries moved it; of several places, which the shape's
    own symmetry makes equal, the first.
    """
    back = [np.argsort(images[s], kind="stable") for s in symmetries]
    least: npt.NDArray[np.int64] = np.min(back, axis=0)
    return least


def _points_around(p: int, size: int) -> list[int]:
    """[offset] → its point, CENTRE among them; NONE for one that is off the board."""
    row, col = row_col(p)
    around = [
        point(row + dy, col + dx) if 0 <= row + dy < size and 0 <= col + dx < size else NONE
        for dy, dx, _ in offsets(CIRCLES)
    ]
    assert len(around) == CENTRE
    return [*around, p]
