"""Go problems with proved answers; the format is told at the head of `problems.txt`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from katachi.go.points import BLACK, PASS, WHITE, from_vertex, other, point, row_col
from katachi.go.position import Position

TABLE: Final = Path(__file__).with_name("problems.txt")
CATEGORIES: Final = ("capture", "ladder", "snapback", "eyes", "nakade", "semeai", "ko", "seki")
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


def load_problems() -> list[Problem]:
    """The problems of the table, in its order."""
    return parse_problems(TABLE.read_text(encoding="utf-8"))


def parse_problems(text: str) -> list[Problem]:
    """The problems of a text. Raises ValueError or KeyError where it is wrong."""
    blocks = (block.splitlines() for block in text.split("\n\n"))
    without_comments = ([line for line in block if not line.startswith("#")] for block in blocks)
    return [_parse(lines) for lines in without_comments if lines]


def _parse(lines: list[str]) -> Problem:
    fields = dict(line.split(": ", 1) for line in lines if ": " in line)
    diagram = "\n".join(line for line in lines if ": " not in line)
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
    if fields:
        raise ValueError(f"{problem.name}: unknown {', '.join(fields)}")
    if problem.category not in CATEGORIES:
        raise ValueError(f"{problem.name}: unknown category {problem.category}")
    if PASS in problem.answers or not problem.answers:
        raise ValueError(f"{problem.name}: the answers are points")
    return problem


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
