"""The rules as GNU Go 3.8 knows them, asked over GTP along whole games.

GNU Go's defaults are the board's rules: suicide is forbidden, and so is taking back a simple ko at
once, to that side only; any other move or pass lifts the ko. Nothing had to be adapted.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from random import Random

import pytest

from katachi.go.points import BLACK, PASS, WHITE, from_vertex, handicap_points, vertex
from katachi.go.position import Position
from tests.go.helpers import COLOURS, Move, any_move, bundled_games, game_moves

pytestmark = pytest.mark.needs("gnugo")

NAMES = {BLACK: "black", WHITE: "white"}


class GnuGo:
    """A GNU Go process that is asked one command at a time."""

    def __init__(self, program: str) -> None:
        self.process = subprocess.Popen(
            [program, "--mode", "gtp", "--level", "0"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, command: str) -> str | None:
        """The answer, or None if the command failed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) != "\n":
            assert line, "GNU Go is gone"
            lines.append(line)
        answer = "".join(lines).strip()
        return answer[1:].strip() if answer.startswith("=") else None

    def points(self, command: str, size: int) -> set[int]:
        answer = self.ask(command)
        assert answer is not None
        return {from_vertex(name, size) for name in answer.split()}

    def close(self) -> None:
        self.process.communicate("quit\n", timeout=600)


@pytest.fixture
def engine(gnugo: str) -> Iterator[GnuGo]:
    engine = GnuGo(gnugo)
    yield engine
    engine.close()


def assert_agrees(engine: GnuGo, position: Position) -> None:
    """Stones, prisoners, and the legality of every point for both colours."""
    for colour in COLOURS:
        name, size = NAMES[colour], position.size
        stones = {p for p, c in enumerate(position.colors) if c == colour}
        assert engine.points(f"list_stones {name}", size) == stones
        # What GTP calls the captures of a colour are the stones that it has taken.
        assert engine.ask(f"captures {name}") == str(position.captured(3 - colour))
        assert engine.points(f"all_legal {name}", size) == set(position.legal_moves(colour)) - {
            PASS
        }


def start(engine: GnuGo, size: int) -> Position:
    assert engine.ask(f"boardsize {size}") == ""
    assert engine.ask("clear_board") == ""
    return Position(size)


def play(engine: GnuGo, position: Position, move: Move) -> None:
    colour, p = move
    position.play(p, colour)
    assert engine.ask(f"play {NAMES[colour]} {vertex(p, position.size)}") == ""


@pytest.mark.parametrize(("size", "number"), [(9, 20), (9, 21), (19, 7)])
def test_bundled_games(engine: GnuGo, size: int, number: int) -> None:
    position = start(engine, size)
    for move in game_moves(bundled_games(size)[number]):
        play(engine, position, move)
        assert_agrees(engine, position)
    assert len(position.moves) > 2 * size


@pytest.mark.slow
@pytest.mark.parametrize(("size", "length"), [(5, 600), (7, 600), (9, 500), (13, 350)])
def test_random_games(engine: GnuGo, size: int, length: int) -> None:
    rng = Random(size)
    position = start(engine, size)
    kos = taken = 0
    for _ in range(length):
        before = position.captured(BLACK) + position.captured(WHITE)
        play(engine, position, any_move(position.board, rng))
        taken += position.captured(BLACK) + position.captured(WHITE) > before
        kos += position.ko is not None
        assert_agrees(engine, position)
    assert taken > 20
    assert kos > 1


def test_illegal_moves_are_refused(engine: GnuGo) -> None:
    """Not only listed: GNU Go refuses to play what we refuse."""
    position = start(engine, 5)
    for name in ("C4", "D4", "B3", "E3", "C2", "D2", "D3", "C3"):
        play(engine, position, (position.to_move, from_vertex(name, 5)))
    assert position.why_illegal("D3") == "ko"
    assert engine.ask("play black D3") is None
    assert position.why_illegal("C4") == "occupied"
    assert engine.ask("play black C4") is None
    for name in ("A2", "E5", "B1", "E1"):
        play(engine, position, (position.to_move, from_vertex(name, 5)))
    assert position.why_illegal("A1", WHITE) == "suicide"
    assert engine.ask("play white A1") is None
    play(engine, position, (BLACK, from_vertex("D3", 5)))
    assert_agrees(engine, position)


@pytest.mark.parametrize("size", range(5, 20))
def test_fixed_handicap(engine: GnuGo, size: int) -> None:
    for stones in range(2, 10):
        start(engine, size)
        answer = engine.ask(f"fixed_handicap {stones}")
        if answer is None:
            with pytest.raises(ValueError, match="no fixed handicap"):
                handicap_points(size, stones)
        else:
            spots = handicap_points(size, stones)
            assert {from_vertex(name, size) for name in answer.split()} == set(spots)
            assert len(spots) == stones
