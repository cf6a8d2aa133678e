"""A position as sentences see it: strings with their liberties, and what a move changes."""

from __future__ import annotations

from functools import cached_property
from typing import Final, NamedTuple

from katachi.go.board import DIAGONALS, NEIGHBOURS, Board
from katachi.go.points import EMPTY, PASS, STRIDE, WALL, vertex
from katachi.go.position import Position

_NUMBERS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


class String(NamedTuple):
    """Connected stones of one colour, and their liberties."""

    colour: int
    stones: frozenset[int]
    liberties: frozenset[int]


class Seen:
    """A position, for its side to move. `last` is the opponent's last move, if that stands on the
    board, else PASS.
    """

    def __init__(self, position: Position) -> None:
        self.board: Board = position.board.copy()  # the position may be played on
        self.moves = tuple(position.moves)
        self.size = position.size
        self.mover = position.to_move
        self.color: list[int] = position.colors.tolist()
        self.recent = position.previous  # the latest first
        last = self.recent[0] if self.recent else PASS
        self.last = last if self.color[last] == 3 - self.mover else PASS
        self._strings: dict[int, String] = {}

    def string(self, p: int) -> String:
        """The string of the stone on p."""
        if p not in self._strings:
            found = self._follow(p)
            self._strings |= dict.fromkeys(found.stones, found)
        return self._strings[p]

    def _follow(self, p: int) -> String:
        color, colour = self.color, self.color[p]
        stones, liberties, left = {p}, set(), [p]
        while left:
            s = left.pop()
            for d in NEIGHBOURS:
                q = s + d
                if color[q] == EMPTY:
                    liberties.add(q)
                elif color[q] == colour and q not in stones:
                    stones.add(q)
                    left.append(q)
        return String(colour, frozenset(stones), frozenset(liberties))

    def beside(self, p: int, colour: int) -> list[int]:
        """The stones of this colour that touch p, or, of EMPTY, the empty points."""
        return [p + d for d in NEIGHBOURS if self.color[p + d] == colour]

    def corners(self, p: int, colour: int) -> list[int]:
        """The stones of this colour diagonal to p."""
        return [p + d for d in DIAGONALS if self.color[p + d] == colour]

    def strings_beside(self, p: int, colour: int) -> list[int]:
        """A stone of each string of this colour that touches p, one that touches it."""
        stones = {self.string(s): s for s in reversed(self.beside(p, colour))}
        return sorted(stones.values())

    @cached_property
    def endangered(self) -> list[int]:
        """A stone of each own string that the last move put in atari, one beside it."""
        if self.last == PASS:
            return []
        near = self.strings_beside(self.last, self.mover)
        return [s for s in near if len(self.string(s).liberties) == 1]

    def lines(self, p: int) -> tuple[int, int]:
        """(the line of p from the nearer of left and right, from the nearer of top and bottom)."""
        row, col = p // STRIDE, p % STRIDE
        return min(col, self.size + 1 - col), min(row, self.size + 1 - row)

    def name(self, p: int) -> str:
        """ "D4"."""
        return vertex(p, self.size)

    def told(self, stone: int) -> str:
        """The string of a stone in words: "D4", "the two stones at D4"."""
        count = len(self.string(stone).stones)
        return (
            self.name(stone) if count == 1 else f"the {number(count)} stones at {self.name(stone)}"
        )

    def all_told(self, stones: list[int], most: int = 2) -> str:
        """Several strings in words, of many only the largest."""
        large = sorted(stones, key=lambda s: (-len(self.string(s).stones), s))[:most]
        return both([self.told(s) for s in large])

    def cuts(self, p: int, colour: int) -> list[int]:
        """Two stones of different strings of this colour that the empty point p would connect or
        cut, if it is a cutting point of theirs (docs/vocabulary.md); else none.
        """
        for d in NEIGHBOURS:
            if self.color[p + d] != colour:
                continue
            one = self.string(p + d)
            if self.color[p - d] == colour and self.string(p - d) is not one:
                return [p + d, p - d]
            side = 1 if abs(d) == STRIDE else STRIDE
            for v in (-side, side):
                between = self.color[p + d + v] == 3 - colour
                if between and self.color[p + v] == colour and self.string(p + v) is not one:
                    return [p + d, p + v]
        return []


class After(NamedTuple):
    """What a move does to strings: a stone stands for each."""

    taken: list[int]
    joined: list[int]  # own strings that it touches
    liberties: frozenset[int]  # of its own string, after it
    stones: int  # of that
    atari: list[int]  # the opponent's strings that it leaves one liberty
    saved: list[int]  # own strings that had one liberty, and have two or more
    left: list[int]  # own strings that the last move put in atari, and that still are


def after(seen: Seen, p: int) -> After:
    """What the legal move p, no pass, changes."""
    mover = seen.mover
    theirs = seen.strings_beside(p, 3 - mover)
    taken = [s for s in theirs if len(seen.string(s).liberties) == 1]
    freed = frozenset(q for s in taken for q in seen.string(s).stones)
    joined = seen.strings_beside(p, mover)
    own = {p}.union(*(seen.string(s).stones for s in joined))
    liberties = set(seen.beside(p, EMPTY)).union(*(seen.string(s).liberties for s in joined)) - {p}
    liberties |= {q for q in freed if any(q + d in own for d in NEIGHBOURS)}
    atari = [s for s in theirs if len(seen.string(s).liberties) == 2]
    relieved = [
        s
        for s in seen.endangered
        if s in own or any(q + d in freed for q in seen.string(s).stones for d in NEIGHBOURS)
    ]
    return After(
        taken,
        joined,
        frozenset(liberties),
        len(own),
        atari,
        [s for s in joined if len(seen.string(s).liberties) == 1 and len(liberties) > 1],
        [s for s in seen.endangered if s not in relieved or (s in own and len(liberties) == 1)],
    )


def number(count: int) -> str:
    """A number in words up to twelve."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def both(words: list[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def is_wall(seen: Seen, p: int) -> bool:
    """Whether p is beyond the edge."""
    return not 0 <= p < len(seen.color) or seen.color[p] == WALL
