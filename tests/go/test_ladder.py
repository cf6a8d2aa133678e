"""The ladder reader against diagrams read by hand, against a slow second reader, and its limits."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from sgfmill.ascii_boards import render_board
from sgfmill.boards import Board

from katachi.go.diagram import parse_diagram
from katachi.go.ladder import ladder_work, taken_in_ladder
from katachi.go.points import (
    AREA,
    BLACK,
    PASS,
    WHITE,
    all_points,
    from_vertex,
    other,
    point,
    row_col,
)
from katachi.go.position import Position
from katachi.go.symmetry import SYMMETRIES, transform
from tests.go.ladder_oracle import Point, TooLong, oracle_takes
from tests.kept import holds

TABLE = Path(__file__).with_name("ladders.txt")
COLOURS = {"black": BLACK, "white": WHITE, "B": BLACK, "W": WHITE}
ORACLE_COLOURS = {BLACK: "b", WHITE: "w"}
BOTH = (True, False)

WORK = ladder_work()


class Ladder(NamedTuple):
    """One diagram of the table: stones, moves to play from there, the question, the answer."""

    name: str
    size: int
    colors: npt.NDArray[np.uint8]
    plays: list[tuple[int, int]]
    prey: int
    first: int
    taken: bool


class Question(NamedTuple):
    """Whether the string at `prey` is taken when `first` moves now."""

    position: Position
    prey: int
    first: int


# -- the table ---------------------------------------------------------------------------------


def parse_ladders(text: str) -> list[Ladder]:
    """The diagrams of a table; its format is told at the head of `ladders.txt`."""
    blocks = (block.splitlines() for block in text.split("\n\n"))
    without_comments = ([line for line in block if not line.startswith("#")] for block in blocks)
    return [parse_ladder(lines) for lines in without_comments if lines]


def parse_ladder(lines: list[str]) -> Ladder:
    """One block without its comments. Raises ValueError or KeyError where it is wrong."""
    fields = dict(line.split(": ", 1) for line in lines if ": " in line)
    size, colors = parse_diagram("\n".join(line for line in lines if ": " not in line))
    plays = [play.split() for play in fields.pop("play", "").split(", ") if play]
    ladder = Ladder(
        name=fields.pop("name"),
        size=size,
        colors=colors,
        plays=[(COLOURS[colour], from_vertex(vertex, size)) for colour, vertex in plays],
        prey=from_vertex(fields.pop("prey"), size),
        first=COLOURS[fields.pop("first")],
        taken={"yes": True, "no": False}[fields.pop("taken")],
    )
    if fields:
        raise ValueError(f"{ladder.name}: unknown {', '.join(fields)}")
    return ladder


LADDERS = parse_ladders(TABLE.read_text(encoding="utf-8"))
each_ladder = pytest.mark.parametrize("ladder", LADDERS, ids=[ladder.name for ladder in LADDERS])


def question(ladder: Ladder, symmetry: int = 0, exchanged: bool = False) -> Question:
    """The diagram's question, turned and mirrored, and with the colours exchanged if wanted."""

    def place(p: int) -> int:
        return point(*transform(*row_col(p), ladder.size, symmetry))

    def side(colour: int) -> int:
        return other(colour) if exchanged else colour

    colors = np.zeros(AREA, np.uint8)
    for p in all_points(ladder.size):
        if ladder.colors[p]:
            colors[place(p)] = side(int(ladder.colors[p]))
    position = Position.from_stones(ladder.size, colors)
    for colour, p in ladder.plays:
        position.play(place(p), side(colour))
    return Question(position, place(ladder.prey), side(ladder.first))


def versions(ladder: Ladder) -> Iterator[Question]:
    """The 16 questions that a diagram is."""
    for symmetry in range(SYMMETRIES):
        for exchanged in (False, True):
            yield question(ladder, symmetry, exchanged)


def answer(asked: Question, work: Any = WORK) -> bool:
    """What the kernel says."""
    return bool(taken_in_ladder(asked.position.board, asked.prey, asked.first, work))


def oracle_answer(asked: Question) -> bool:
    """What the second reader says. Raises TooLong."""
    position, prey, first = asked
    # The ko ban is the side to move's, and the question may be about the other one.
    banned = position.ko if first == position.to_move else None
    ko = None if banned is None else row_col(banned)
    return oracle_takes(oracle_board(position), row_col(prey), ORACLE_COLOURS[first], ko)


def oracle_board(position: Position) -> Board:
    """The same stones on a board of sgfmill's."""
    stones: dict[int, list[Point]] = {BLACK: [], WHITE: []}
    for p in all_points(position.size):
        if position.stone(p):
            stones[position.stone(p)].append(row_col(p))
    board = Board(position.size)
    assert board.apply_setup(stones[BLACK], stones[WHITE], [])
    return board


def test_the_table_is_large_and_balanced() -> None:
    names = [ladder.name for ladder in LADDERS]
    assert len(names) >= 80
    assert len(set(names)) == len(names)
    assert {ladder.size for ladder in LADDERS} >= {2, 3, 4, 5, 6, 7, 9, 13, 19}
    # Who moves first does not give the answer away.
    kinds = Counter(
        (ladder.taken, ladder.colors[ladder.prey] == ladder.first) for ladder in LADDERS
    )
    assert min(kinds[taken, prey] for taken in BOTH for prey in BOTH) >= 10


@each_ladder
def test_ladder(ladder: Ladder) -> None:
    assert [answer(asked) for asked in versions(ladder)] == [ladder.taken] * 16


@each_ladder
def test_the_oracle_reads_the_same(ladder: Ladder) -> None:
    assert oracle_answer(question(ladder)) is ladder.taken


def test_a_table_with_a_mistake_is_not_read() -> None:
    block = ["name: x", "prey: A1", "first: black", "taken: no", "..", "X."]
    assert parse_ladder(block).prey == from_vertex("A1", 2)
    with pytest.raises(ValueError, match="unknown frist"):
        parse_ladder([*block, "frist: white"])
    with pytest.raises(KeyError):
        parse_ladder([line.replace("no", "maybe") for line in block])


# -- the method of Position --------------------------------------------------------------------


def test_position_asks_by_vertex() -> None:
    position = Position.from_diagram(".O.\nOX.\n...")
    position.play("C2", WHITE)
    assert position.taken_in_ladder("B2", WHITE)
    assert position.taken_in_ladder((1, 1), WHITE)


def test_position_refuses_an_empty_point() -> None:
    with pytest.raises(ValueError, match="no stone on B2"):
        Position(3).taken_in_ladder("B2", BLACK)


# -- random positions --------------------------------------------------------------------------


def played(size: int, rng: random.Random) -> Position:
    """A position of random legal moves, from the opening to long after a sensible end."""
    position = Position(size)
    for _ in range(rng.randint(size, 2 * size * size)):
        moves = [p for p in position.legal_moves() if p != PASS]
        if not moves:
            break
        position.play(rng.choice(moves))
    return position


def scattered(size: int, rng: random.Random) -> Position:
    """A position of a few stones strewn at random: ladders run far in it."""
    while True:
        colors = np.zeros(AREA, np.uint8)
        black, white = rng.uniform(0.02, 0.3), rng.uniform(0.02, 0.3)
        for p in all_points(size):
            draw = rng.random()
            colors[p] = BLACK if draw < black else WHITE if draw < black + white else 0
        try:
            return Position.from_stones(size, colors)
        except ValueError:
            continue  # a string without a liberty


def with_ko(size: int, rng: random.Random) -> Position:
    """A position of random legal moves, the last of which has taken a ko."""
    position = played(size, rng)
    while position.ko is None:
        position.play(rng.choice(position.legal_moves()))
    return position


def strings(position: Position, rng: random.Random) -> Iterator[tuple[int, int]]:
    """(any one stone, number of liberties) of each string."""
    for p in all_points(position.size):
        string = position.string(p)
        if string and string[0] == p:
            yield rng.choice(string), len(position.liberties(p))


class Reading(NamedTuple):
    """A question in the oracle's words, and the kernel's answer."""

    size: int
    stones: bytes  # by row and column: EMPTY, BLACK or WHITE
    prey: Point
    first: str
    ko: Point | None
    taken: bool


def compare(readings: list[Reading], patience: int) -> None:
    """The kernel's answers and the oracle's, which may take too long for so many."""
    too_long = 0
    for reading in readings:
        size, stones, prey, first, ko, taken = reading
        board = Board(size)
        places = [(row, col) for row in range(size) for col in range(size)]
        black, white = ([s for s, c in zip(places, stones, strict=True) if c == n] for n in (1, 2))
        assert board.apply_setup(black, white, [])
        try:
            expected = oracle_takes(board, prey, first, ko)
        except TooLong:
            too_long += 1  # the kernel may have given up: no comparison
            continue
        assert taken is expected, (render_board(board), reading)
    assert too_long <= patience


def read(position: Position, rng: random.Random, seen: Counter[Any]) -> Iterator[Reading]:
    """Ask the kernel about every string, either colour first, and count what was asked."""
    before = position.board.tobytes()
    stones = bytes(position.stone(p) for p in all_points(position.size))
    for prey, liberties in strings(position, rng):
        for first in (BLACK, WHITE):
            taken = answer(Question(position, prey, first))
            if liberties > 2:
                assert not taken
                continue
            banned = position.ko if first == position.to_move else None
            ko = None if banned is None else row_col(banned)
            colour = ORACLE_COLOURS[first]
            yield Reading(position.size, stones, row_col(prey), colour, ko, taken)
            seen[liberties, first == position.stone(prey), taken] += 1
            seen["ko"] += position.ko is not None
    assert position.board.tobytes() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "size", "positions"),
    [
        (played, 5, 240),
        (played, 7, 170),
        (played, 9, 120),
        (with_ko, 7, 110),
        (scattered, 9, 150),
        (scattered, 13, 80),
    ],
)
def test_random_positions_are_read_like_the_oracle(make: Any, size: int, positions: int) -> None:
    rng = random.Random(f"{make.__name__} {size}")
    seen: Counter[Any] = Counter()
    readings = [r for _ in range(positions) for r in read(make(size, rng), rng, seen)]
    holds(compare, readings, positions // 100)
    # The comparison means something: both answers to each kind of question, many times.
    assert min(seen[2, prey_first, taken] for prey_first in BOTH for taken in BOTH) >= 30
    assert min(seen[1, True, taken] for taken in BOTH) >= 30
    assert seen[1, False, True] >= 30  # and False only where a ko forbids the capture
    assert make is not with_ko or seen["ko"] >= 1000


# -- the workspace -----------------------------------------------------------------------------


def test_the_workspace_is_used_in_any_order() -> None:
    questions = [(ladder, asked) for ladder in LADDERS for asked in versions(ladder)]
    random.Random(1).shuffle(questions)
    work = ladder_work()
    for ladder, asked in questions:
        assert answer(asked, work) is ladder.taken, ladder.name


@pytest.mark.parametrize("rubbish", [0x00, 0x55, 0xFF])
def test_what_the_workspace_held_does_not_matter(rubbish: int) -> None:
    for ladder in LADDERS:
        work = ladder_work()
        for array in work:
            array.view(np.uint8)[...] = rubbish
        assert answer(question(ladder), work) is ladder.taken, ladder.name


@each_ladder
def test_the_board_is_unchanged(ladder: Ladder) -> None:
    asked = question(ladder)
    before = asked.position.board.tobytes()
    answer(asked)
    assert asked.position.board.tobytes() == before


# -- the limits --------------------------------------------------------------------------------

# Black's string has two liberties, and White takes and is taken for ever.
TRIPLE_KO = """
    . . . . . . .
    . . . . . . .
    . . . O . . .
    . . O . O . .
    O O X O X O O
    O X X X X X O
    X . X X X . X
"""

# The same with a fourth and a fifth ko, which White holds: Black has a choice at each turn.
FIVE_KOS = """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . O . O . O . . .
    . . O . O . O . O . .
    O O X O X O X O X O O
    O X X X X X X X X X O
    X . X X X X X X X . X
"""


def answer_in_time(asked: Question, seconds: float) -> bool:
    """The kernel's answer; fails if there is none after `seconds`.

    In a thread, which a kernel leaves free to run: a reading without end cannot be interrupted,
    only left behind.
    """
    said: list[bool] = []
    work = ladder_work()
    reader = threading.Thread(target=lambda: said.append(answer(asked, work)), daemon=True)
    reader.start()
    reader.join(seconds)
    if not said:
        pytest.fail(f"no answer within {seconds} s")
    return said[0]


@pytest.mark.parametrize("first", [BLACK, WHITE])
@pytest.mark.parametrize(("diagram", "prey"), [(TRIPLE_KO, "D2"), (FIVE_KOS, "E2")])
def test_a_reading_that_goes_round_in_circles_ends_as_escaped(
    diagram: str, prey: str, first: int
) -> None:
    answer(question(LADDERS[0]))  # compiled before the clock runs
    position = Position.from_diagram(diagram)
    asked = Question(position, position.point(prey), first)
    assert len(position.liberties(prey)) == 2
    assert answer_in_time(asked, 10) is False
    assert oracle_answer(asked) is False
