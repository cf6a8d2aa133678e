"""Positional superko against a set of all boards seen, on boards where repetition is common."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from katachi.go.board import copy, is_legal, new_board, play
from katachi.go.points import BLACK, PASS, WHITE, all_points, from_vertex
from katachi.go.position import IllegalMove, Position
from katachi.go.superko import hash_after, legal_without_repeat, repeats
from tests.go.helpers import COLOURS, Oracle, parse_moves, wander
from tests.kept import holds


@pytest.mark.parametrize(
    ("size", "length"), [(2, 60), (3, 120), (5, 200), (7, 200), (9, 150), (19, 250)]
)
def test_hash_after_is_the_hash_after_playing(size: int, length: int) -> None:
    b, trial = new_board(size), new_board(size)
    most = 0
    for number, _ in enumerate(wander(b, Random(size), length)):
        if size == 19 and number % 10:
            continue  # 19x19 would take long, and changes slowly
        for colour in COLOURS:
            assert hash_after(b, PASS, colour) == b.hash
            for p in all_points(size):
                if is_legal(b, p, colour):
                    copy(trial, b)
                    most = max(most, play(trial, p, colour))
                    assert hash_after(b, p, colour) == trial.hash
    assert most > 1


@pytest.mark.parametrize(
    "moves",
    [
        # One stone takes four strings, and one string that it touches on three sides.
        "B B3 B C4 B D3 B C2 W C5 W B4 W D4 W A3 W E3 W B2 W D2 W C1 W C3",
        "B B3 B B4 B C4 B D4 B D3 B E4 W B5 W C5 W D5 W E5 W A4 W A3 W E3 W B2 W D2 W C2 W C3",
    ],
)
def test_hash_after_a_capture_on_several_sides(moves: str) -> None:
    *before, (colour, p) = parse_moves(moves, 5)
    b = new_board(5)
    for c, q in before:
        play(b, q, c)
    expected = hash_after(b, p, colour)
    assert play(b, p, colour) >= 4
    assert b.hash == expected


def test_equal_stones_hash_alike_whoever_moves() -> None:
    """The hash is of the stones alone, so that superko is positional."""
    one, two = Position(5), Position(5)
    for vertex in ("A1", "B2", "C3"):
        one.play(vertex)
    for colour, vertex in ((BLACK, "C3"), (BLACK, "A1"), (WHITE, "B2")):
        two.play(vertex, colour)
    assert one.board.hash == two.board.hash
    assert one.to_move != two.to_move
    two.play("E5")
    assert one.board.hash != two.board.hash


# -- the oracle: every board seen, as a tuple ----------------------------------------------------


def unrepeated(oracle: Oracle, colour: int, seen: set[tuple[int, ...]]) -> list[int]:
    """The legal points that make no board of `seen`, by playing each."""
    points = []
    for p in oracle.legal_points(colour):
        trial = oracle.copy()
        trial.play(p, colour)
        if tuple(trial.colors()) not in seen:
            points.append(p)
    return points


class Said(NamedTuple):
    """What the kernels say of a position, of the other side's moves and of those of the side to
    move: the legal ones, those without repetition, and why not, of each legal one. The move then.
    """

    legal: list[list[int]]
    free: list[list[int]]
    reasons: list[list[str]]
    move: int


def compare(size: int, game: list[Said]) -> None:
    oracle = Oracle(size)
    seen = {tuple(oracle.colors())}
    for said in game:
        mover = oracle.to_move
        for number, colour in enumerate((3 - mover, mover)):
            legal = oracle.legal_points(colour)
            free = unrepeated(oracle, colour, seen)
            assert said.legal[number] == [*legal, PASS]
            assert said.free[number] == [*free, PASS]
            assert said.reasons[number] == ["" if p in free else "superko" for p in legal]
        oracle.play(said.move, mover)
        seen.add(tuple(oracle.colors()))


def random_game(size: int, seed: int, length: int, *, obey: bool) -> tuple[list[Said], int, int]:
    """A random game that obeys superko, or else rather breaks it where it can; how many moves
    superko forbade to the side to move, and how often it was broken.
    """
    rng = Random(seed)
    position = Position(size)
    seen = {position.colors.tobytes()}
    forbidden = broken = 0
    game = []
    for _ in range(length):
        sides = (3 - position.to_move, position.to_move)
        legal = [position.legal_moves(colour) for colour in sides]
        free = [position.legal_moves(colour, superko=True) for colour in sides]
        reasons = [
            [position.why_illegal(p, colour, superko=True) for p in points[:-1]]
            for colour, points in zip(sides, legal, strict=True)
        ]
        here, allowed = legal[1][:-1], free[1][:-1]
        choice = allowed if obey else sorted(set(here) - set(allowed)) or here
        forbidden += len(here) - len(allowed)
        p = rng.choice(choice) if choice else PASS
        game.append(Said(legal, free, reasons, p))
        position.play(p)
        now = position.colors.tobytes()
        broken += p != PASS and now in seen
        seen.add(now)
    return game, forbidden, broken


@pytest.mark.slow
@pytest.mark.parametrize(("size", "games", "length"), [(2, 20, 20), (3, 20, 60), (4, 10, 150)])
def test_random_games_against_all_boards_seen(size: int, games: int, length: int) -> None:
    forbidden = broken = 0
    for seed in range(games):
        game, stopped, repeated = random_game(size, seed, length, obey=True)
        holds(compare, size, game)
        assert repeated == 0
        forbidden += stopped
        game, _, repeated = random_game(size, seed, length, obey=False)
        holds(compare, size, game)
        broken += repeated
    # Nothing was tested unless repetition really came up.
    assert forbidden > 1
    assert broken > 10


# -- known cycles --------------------------------------------------------------------------------


def assert_forbidden_last(position: Position, moves: str, size: int) -> None:
    """The moves are legal, but the last one, by simple ko legal too, repeats a position."""
    *before, (colour, p) = parse_moves(moves, size)
    for c, q in before:
        assert position.why_illegal(q, c, superko=True) == ""
        position.play(q, c, superko=True)
    assert position.to_move == colour
    assert p in position.legal_moves()
    assert p not in position.legal_moves(superko=True)
    assert position.why_illegal(p) == ""
    assert position.why_illegal(p, superko=True) == "superko"
    stones = position.colors.tolist()
    with pytest.raises(IllegalMove, match="superko") as caught:
        position.play(p, superko=True)
    assert caught.value.reason == "superko"
    assert position.colors.tolist() == stones
    position.play(p)  # nobody asked for superko


def test_send_two_return_one() -> None:
    position = Position.from_diagram(
        """
        5 . . . . .
        4 . . . . .
        3 X X O . .
        2 X X O O .
        1 . O . O .
        """,
        to_move=WHITE,
    )
    start = position.colors.tolist()
    assert_forbidden_last(position, "W A1 B C1 W B1", 5)
    assert position.colors.tolist() == start
    assert position.to_move == BLACK  # positional superko: who moves does not matter


def test_cycle_on_the_smallest_board() -> None:
    assert_forbidden_last(Position(2), "B A2 W B2 B A1 W B1 B A2 W A1 B A2", 2)


def test_triple_ko() -> None:
    """Three kos, each taken in turn: the sixth capture makes the first position again."""
    position = Position.from_diagram(
        """
        . X O . . . . . .
        X . X O . . . . .
        . X O . . . . . .
        . X O . . . . . .
        X O . O . . . . .
        . X O . . . . . .
        . X O . . . . . .
        X O . O . . . . .
        . X O . . . . . .
        """
    )
    # Black holds the first ko (its stone C8), White the others (its stones B5 and B2).
    assert_forbidden_last(position, "B C5 W B8 B C2 W B5 B C8 W B2", 9)


def test_history_is_what_counts() -> None:
    """Without the earlier position the same move on the same board is free."""
    position = Position.from_diagram("3 X X .\n2 . O O\n1 . . .", to_move=BLACK)
    b = position.board
    p = from_vertex("C3", 3)
    after = hash_after(b, p, BLACK)
    out = np.zeros(361, np.int16)
    empty = np.zeros(0, np.uint64)
    other_hashes = np.array([after + np.uint64(1), after ^ np.uint64(1 << 63)], np.uint64)
    for history in (empty, other_hashes):
        assert not repeats(b, p, BLACK, history)
        assert p in out[: legal_without_repeat(b, BLACK, history, out)]
    for numbers in ([after, 1, 2], [1, after, 2], [1, 2, after]):
        hashes = np.array(numbers, np.uint64)
        assert repeats(b, p, BLACK, hashes)
        assert p not in out[: legal_without_repeat(b, BLACK, hashes, out)]
        assert not repeats(b, PASS, BLACK, hashes)


def test_pass_never_repeats() -> None:
    position = Position(3)
    for _ in range(4):
        assert PASS in position.legal_moves(superko=True)
        position.play(PASS, superko=True)
    assert position.to_move == BLACK


def test_undo_forgets_the_position_it_leaves() -> None:
    position = Position(5)
    position.play("C3")
    position.undo()
    assert position.why_illegal("C3", superko=True) == ""
