"""A position as its player sees it, for the slow teller of words: on sgfmill's board."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import product

from sgfmill.boards import Board

from tests.go.ladder_oracle import Point, liberties, neighbours, quick_copy
from tests.go.ladder_oracle import string as stones_of
from tests.patterns.feature_oracle import Here, Move, String

OWN, THEIRS, FREE, OFF = "XO.#"
STRAIGHT = ((-1, 0), (0, -1), (0, 1), (1, 0))
SLANTED = ((-1, -1), (-1, 1), (1, -1), (1, 1))
AROUND = STRAIGHT + SLANTED
Step = tuple[int, int]


def plus(place: Point, *steps: Step) -> Point:
    row, col = place
    for down, right in steps:
        row += down
        col += right
    return row, col


def times(step: Step, number: int) -> Step:
    return step[0] * number, step[1] * number


def sideways(step: Step) -> tuple[Step, Step]:
    """The two steps at right angles to a straight one."""
    return (step[1], step[0]), (-step[1], -step[0])


class View:
    """A position as its player sees it, with what words ask of it."""

    def __init__(self, here: Here) -> None:
        self.here = here
        self.size: int = here.board.side
        last = here.game.back(1)
        standing = last is not None and here.board.get(*last) == here.opponent
        self.last = last if standing else None
        signs = {None: FREE, here.own: OWN, here.opponent: THEIRS}
        self._signs = {q: signs[here.board.get(*q)] for q in here.board.board_points}

    def __getitem__(self, place: Point) -> str:
        return self._signs.get(place, OFF)

    def string(self, place: Point) -> String:
        return self.here.strings[place]

    def beside(self, place: Point, what: str) -> list[Point]:
        return [plus(place, d) for d in STRAIGHT if self[plus(place, d)] == what]

    def around(self, place: Point, what: str) -> list[Point]:
        return [plus(place, d) for d in AROUND if self[plus(place, d)] == what]

    def corners(self, place: Point, what: str) -> list[Point]:
        return [plus(place, d) for d in SLANTED if self[plus(place, d)] == what]

    def touched(self, place: Point, side: str) -> set[String]:
        return {self.string(q) for q in self.beside(place, side)}

    def lines(self, place: Point) -> dict[Step, int]:
        """The line of a place from each side, by the step towards that side."""
        row, col = place
        return {
            (-1, 0): row + 1,
            (1, 0): self.size - row,
            (0, -1): col + 1,
            (0, 1): self.size - col,
        }

    def lowest(self, place: Point) -> int:
        return min(self.lines(place).values())

    def both_lines(self, place: Point) -> tuple[int, int]:
        """The lines from the nearest sides, one way and the other."""
        lines = self.lines(place)
        return min(lines[-1, 0], lines[1, 0]), min(lines[0, -1], lines[0, 1])

    def if_played(self, place: Point, side: str) -> set[Point]:
        """The liberties of what a stone there would belong to, if it took nothing."""
        found = set(self.beside(place, FREE))
        for string in self.touched(place, side):
            found |= string.liberties
        return found - {place}

    def is_cutting_point(self, place: Point, side: str) -> bool:
        enemy = THEIRS if side == OWN else OWN
        stones = self.beside(place, side)
        for one, two in product(stones, repeat=2):
            if self.string(one) == self.string(two):
                continue
            opposite = (one[0] + two[0], one[1] + two[1]) == (2 * place[0], 2 * place[1])
            other = one[0] + two[0] - place[0], one[1] + two[1] - place[1]
            if opposite or self[other] == enemy:
                return True
        return False

    @cached_property
    def corner_size(self) -> int:
        return min(7, self.size // 2)

    def corner(self, place: Point) -> list[Point] | None:
        """All points of the corner that a place is in."""
        if max(self.both_lines(place)) > self.corner_size:
            return None
        row, col = place
        rows = range(self.size)[: self.corner_size]
        cols = rows
        if row >= self.corner_size:
            rows = range(self.size)[-self.corner_size :]
        if col >= self.corner_size:
            cols = range(self.size)[-self.corner_size :]
        return list(product(rows, cols))

    def corner_stones(self, place: Point) -> tuple[list[Point], list[Point]] | None:
        """The own and the opponent's stones of the corner that a place is in."""
        inside = self.corner(place) if self.size >= 9 else None
        if inside is None:
            return None
        return [q for q in inside if self[q] == OWN], [q for q in inside if self[q] == THEIRS]

    @cached_property
    def chases(self) -> list[tuple[String, list[set[Point]]]]:
        """The own strings that a chase takes in six steps or more, and the points of each step."""
        own = {s for s in self.here.strings.values() if s.colour == self.here.own}
        found = []
        for string in own:
            if len(string.liberties) <= 2:
                steps = chase(self.here.board, min(string.stones))
                if steps is not None and len(steps) >= 6:
                    found.append((string, steps))
        return found


Word = Callable[[View, Move], bool]


# -- chases --------------------------------------------------------------------------------------


def chase(board: Board, stone: Point) -> list[set[Point]] | None:
    """The points of each step of the chase of a string, if it is taken."""
    prey = board.get(*stone)
    hunter = "w" if prey == "b" else "b"
    board = quick_copy(board)
    steps: list[set[Point]] = []

    def after_run(way: Point) -> set[Point]:
        """The liberties of the string if it runs there, taking nothing."""
        tried = quick_copy(board)
        tried.board[way[0]][way[1]] = prey
        return liberties(tried, way)

    while len(steps) < 80:
        ways = sorted(liberties(board, stone))
        step: set[Point] = set()
        if len(ways) == 2:
            left = [len(after_run(ways[1]) - {ways[0]}), len(after_run(ways[0]) - {ways[1]})]
            if max(left) <= 1:
                return [*steps, set(ways)]
            if left[0] == left[1]:
                left = [2 - line_of(board, way) for way in ways] if left[0] == 2 else [3, 3]
            if left[0] == left[1] or min(left) >= 3:
                return None
            taken = ways.pop(left.index(min(left)))
            step.add(taken)
            board.play(*taken, hunter)
            if board.get(*taken) is None:
                return None
        if liberties(board, stone) != set(ways) or len(ways) != 1:
            return None
        if any_atari(board, stone, hunter):
            return None
        (run,) = ways
        before = len(board.list_occupied_points())
        open_ways = after_run(run)
        steps.append(step | {run})
        tried = quick_copy(board)
        tried.play(*run, prey)
        if tried.get(*run) is not None and len(tried.list_occupied_points()) != before + 1:
            return None  # it takes a stone
        if len(open_ways) <= 1:
            return steps
        if len(open_ways) >= 3:
            return None
        board = tried
    return None


def line_of(board: Board, place: Point) -> int:
    (row, col), size = place, int(board.side)
    return min(row + 1, size - row, col + 1, size - col)


def any_atari(board: Board, stone: Point, hunter: str) -> bool:
    """Whether a stone of the hunter's that touches this string is in atari."""
    near = {q for s in stones_of(board, stone) for q in neighbours(board.side, s)}
    return any(board.get(*q) == hunter and len(liberties(board, q)) == 1 for q in near)
