"""Go problems with proved answers, and settled positions with a proved winner; the formats are told
at the heads of `problems.txt` and `settled.txt`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from katachi.go.points import BLACK, PASS, WHITE, from_vertex, other, point, row_col
from katachi.go.position import Position

TABLE: Final = Path(__file__).with_name("problems.txt")
SETTLED: Final = Path(__file__).with_name("settled.txt")
CATEGORIES: Final = (
    "capture",
    "ladder",
    "snapback",
    "throw-in",
    "eyes",
    "nakade",
    "bent four",
    "self-atari",
    "under the stones",
    "semeai",
    "ko",
    "double ko",
    "seki",
)
_COLOURS: Final = {"black": BLACK, "white": WHITE}


@dataclass(frozen=True)
class Problem:
    """A position, and all moves that win it for the side to move.

    Black wins if his area is larger than White's by more than `komi`. Outside the region, which
    holds stones and empty points, everything is settled.
    """

    name: str
    category: str
    komi: float
    to_move: int
    answers: frozenset[int]
    why: str
    region: frozenset[int]
    diagram: str
    plays: tuple[int, ...] = ()  # from the diagram, before the side to move is to find the answer

    @property
    def size(self) -> int:
        """The side of the board."""
        return self.setup().size

    def setup(self) -> Position:
        """The position of the diagram."""
        first = self.to_move if len(self.plays) % 2 == 0 else other(self.to_move)
        return Position.from_diagram(self.diagram, first)

    def position(self) -> Position:
        """The position to be solved."""
        position = self.setup()
        for p in self.plays:
            position.play(p)
        return position


@dataclass(frozen=True)
class Settled:
    """A position that the same side wins whoever moves. Komi and region: see `Problem`."""

    name: str
    category: str
    komi: float
    winner: int
    why: str
    region: frozenset[int]
    diagram: str

    @property
    def size(self) -> int:
        """The side of the board."""
        return self.position(BLACK).size

    def position(self, to_move: int) -> Position:
        """The position with this side to move."""
        return Position.from_diagram(self.diagram, to_move)


def load_problems() -> list[Problem]:
    """The problems of the table, in its order."""
    return parse_problems(TABLE.read_text(encoding="utf-8"))


def load_settled() -> list[Settled]:
    """The settled positions of their table, in its order."""
    return parse_settled(SETTLED.read_text(encoding="utf-8"))


def parse_problems(text: str) -> list[Problem]:
    """The problems of a text. Raises ValueError or KeyError where it is wrong."""
    return [_problem(*block) for block in _blocks(text)]


def parse_settled(text: str) -> list[Settled]:
    """The settled positions of a text. Raises ValueError or KeyError where it is wrong."""
    return [_settled(*block) for block in _blocks(text)]


def _blocks(text: str) -> Iterator[tuple[dict[str, str], str]]:
    """The fields and the diagram of each block."""
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if lines:
            fields = dict(line.split(": ", 1) for line in lines if ": " in line)
            yield fields, "\n".join(line for line in lines if ": " not in line)


def _problem(fields: dict[str, str], diagram: str) -> Problem:
    size = Position.from_diagram(diagram).size
    problem = Problem(
        name=fields.pop("name"),
        category=fields.pop("category"),
        komi=float(fields.pop("komi")),
        to_move=_COLOURS[fields.pop("to move")],
        answers=frozenset(from_vertex(v, size) for v in fields.pop("answers").split()),
        why=fields.pop("why"),
        region=_region(fields.pop("region"), size),
        diagram=diagram,
        plays=tuple(from_vertex(v, size) for v in fields.pop("play", "").split()),
    )
    _check(problem, fields)
    if PASS in problem.answers or not problem.answers:
        raise ValueError(f"{problem.name}: the answers are points")
    return problem


def _settled(fields: dict[str, str], diagram: str) -> Settled:
    settled = Settled(
        name=fields.pop("name"),
        category=fields.pop("category"),
        komi=float(fields.pop("komi")),
        winner=_COLOURS[fields.pop("winner")],
        why=fields.pop("why"),
        region=_region(fields.pop("region"), Position.from_diagram(diagram).size),
        diagram=diagram,
    )
    _check(settled, fields)
    return settled


def _check(one: Problem | Settled, left: dict[str, str]) -> None:
    """Raise ValueError if fields are left, or the category is unknown."""
    if left:
        raise ValueError(f"{one.name}: unknown {', '.join(left)}")
    if one.category not in CATEGORIES:
        raise ValueError(f"{one.name}: unknown category {one.category}")


def _region(text: str, size: int) -> frozenset[int]:
    """The points of "A1-C2 E5": rectangles by two opposite corners, and single points."""
    points: set[int] = set()
    for part in text.split():
        first, _, last = part.partition("-")
        row, col = row_col(from_vertex(first, size))
        end_row, end_col = row_col(from_vertex(last or first, size))
        for r in range(min(row, end_row), max(row, end_row) + 1):
            points |= {point(r, c) for c in range(min(col, end_col), max(col, end_col) + 1)}
    return frozenset(points)
