"""What `similar` must find, in plain Python: pictures of stones on sgfmill's board, compared with
each other in all 8 symmetries. No keys, no tables, no offsets of the product.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import NamedTuple

from sgfmill import boards

from katachi.records import headers
from katachi.records.actions import COLOUR_SHIFT, POINT_BITS, SETUP
from katachi.records.game import Game

Offset = tuple[int, int]
Picture = frozenset[tuple[Offset, str]]
COLOURS = {1: "b", 2: "w"}
TURNS: list[Callable[[Offset], Offset]] = [
    lambda o: (o[0], o[1]),
    lambda o: (o[1], -o[0]),
    lambda o: (-o[0], -o[1]),
    lambda o: (-o[1], o[0]),
    lambda o: (o[0], -o[1]),
    lambda o: (-o[0], o[1]),
    lambda o: (o[1], o[0]),
    lambda o: (-o[1], -o[0]),
]


def away(o: Offset) -> int:
    """The papers' distance."""
    dy, dx = abs(o[0]), abs(o[1])
    return dy + dx + max(dy, dx)


class Move(NamedTuple):
    """A move, and the stones before it as its player sees them, from the middle of `centre`."""

    game: int
    number: int
    colour: int
    point: Offset | None
    stones: dict[Offset, str]  # (row, col) → "own" or "his"
    size: int
    winner: int

    def picture(self, radius: int | None) -> Picture:
        """The circle around the point, with what is beyond the edge; None: the whole board, seen
        from its middle, in halves of a point.
        """
        if radius is None:
            middle = self.size - 1
            return frozenset(
                ((2 * y - middle, 2 * x - middle), who) for (y, x), who in self.stones.items()
            )
        assert self.point is not None
        row, col = self.point
        seen = []
        for dy in range(-radius, radius + 1):
            for dx in range(-radius, radius + 1):
                y, x = row + dy, col + dx
                if not 0 < away((dy, dx)) <= radius:
                    continue
                if not (0 <= y < self.size and 0 <= x < self.size):
                    seen.append(((dy, dx), "edge"))
                elif (y, x) in self.stones:
                    seen.append(((dy, dx), self.stones[y, x]))
        return frozenset(seen)


def moves_of(game: Game, number: int) -> list[Move]:
    """All moves of a game, replayed on sgfmill's board."""
    board = boards.Board(game.size)
    found: list[Move] = []
    winner = headers.winner(game.result)
    for action in game.actions.tolist():
        p, colour = action & POINT_BITS, action >> COLOUR_SHIFT & 3
        where = (p // 20 - 1, p % 20 - 1) if p else None
        if action & SETUP:
            if where is not None:
                board.apply_setup(*([where] if c == colour else [] for c in (1, 2, 0)))
            continue
        stones = {
            at: "own" if c == COLOURS[colour] else "his" for c, at in board.list_occupied_points()
        }
        found.append(Move(number, len(found) + 1, colour, where, stones, game.size, winner))
        if where is not None:
            board.play(*where, COLOURS[colour])
    return found


def turned(picture: Picture, turn: int) -> Picture:
    return frozenset((TURNS[turn](o), who) for o, who in picture)


class Expected(NamedTuple):
    """How often it occurred, in which (game, move), and what was played next: all points that are
    equal, whether by the colour of the asked move's player → (times, at once, won, lost by him).
    """

    places: set[tuple[int, int]]
    following: Counter[tuple[frozenset[Offset], bool, bool, int, int]]


class Pictures:
    """All pictures of a corpus."""

    def __init__(self, corpus: list[list[Move]]) -> None:
        self.corpus = corpus
        self._moves: dict[int | None, dict[Picture, list[Move]]] = {}

    def like(self, mine: Picture, radius: int | None) -> list[Move]:
        """The moves whose picture is this one, in any form."""
        if radius not in self._moves:
            found: dict[Picture, list[Move]] = defaultdict(list)
            self._moves[radius] = found
            for game in self.corpus:
                for move in game:
                    if radius is None or move.point is not None:
                        found[move.picture(radius)].append(move)
        forms = {turned(mine, turn) for turn in range(8)}
        return [move for form in forms for move in self._moves[radius].get(form, [])]


def occurred(asked: Move, pictures: Pictures, radius: int | None) -> Expected:
    """Where the picture of this move is in the corpus."""
    mine = asked.picture(radius)
    hits = pictures.like(mine, radius)
    following: Counter[tuple[frozenset[Offset], bool, bool, int, int]] = Counter()
    for hit in hits:
        points: set[Offset] = set()
        turns = [turn for turn in range(8) if turned(hit.picture(radius), turn) == mine]
        same, at_once = True, True
        if radius is None:
            if hit.point is not None:
                middle = hit.size - 1
                o = (2 * hit.point[0] - middle, 2 * hit.point[1] - middle)
                images = [TURNS[turn](o) for turn in turns]
                points = {((y + middle) // 2, (x + middle) // 2) for y, x in images}
        else:
            assert hit.point is not None
            assert asked.point is not None
            same = False
            at_once = False
            for later in pictures.corpus[hit.game][hit.number :][:255]:
                if later.point is None:
                    continue
                o = (later.point[0] - hit.point[0], later.point[1] - hit.point[1])
                if away(o) <= radius:
                    images = [TURNS[turn](o) for turn in turns]
                    points = {(asked.point[0] + y, asked.point[1] + x) for y, x in images}
                    same = later.colour == hit.colour
                    at_once = later.number == hit.number + 1
                    break
        won = int(hit.winner == hit.colour)
        lost = int(hit.winner == 3 - hit.colour)
        following[frozenset(points), same, at_once, won, lost] += 1
    return Expected({(hit.game, hit.number) for hit in hits}, following)
