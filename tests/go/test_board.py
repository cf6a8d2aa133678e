"""The board's kernels against sgfmill's board, flood fill, and games whose outcome is known."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from katachi.go.board import (
    Board,
    clear,
    copy,
    is_legal,
    is_own_eye,
    new_board,
    new_boards,
    place,
    play,
    set_stones,
)
from katachi.go.diagram import parse_diagram
from katachi.go.liberties import bit_count, lowest_bit
from katachi.go.points import (
    BLACK,
    EMPTY,
    MAX_SIZE,
    MIN_SIZE,
    NONE,
    PASS,
    WALL,
    WHITE,
    all_points,
    from_vertex,
    other,
    point,
    vertex,
)
from tests.go.helpers import (
    ACROSS,
    COLOURS,
    NEAR,
    Move,
    Oracle,
    Seen,
    assert_agrees,
    assert_seen_agrees,
    assert_seen_sound,
    assert_sound,
    bundled_games,
    eye,
    game_moves,
    parse_moves,
    region,
    scattered,
    seen_on,
    snapshot,
    string_at,
    wander,
    wandered,
)
from tests.kept import holds

SIZES = range(MIN_SIZE, MAX_SIZE + 1)


def test_regions_of_the_helper_are_regions() -> None:
    """The flood fill that judges the kernels, on a board small enough to see."""
    b = new_board(3)
    assert set_stones(b, parse_diagram("X X .\nX O .\n. O O")[1])
    colors = b.color.tolist()
    assert region(colors, point(0, 0)) == {point(0, 0), point(0, 1), point(1, 0)}
    assert region(colors, point(0, 2)) == {point(0, 2), point(1, 2)}
    assert string_at(colors, point(1, 1)) == (
        {point(1, 1), point(2, 1), point(2, 2)},
        {point(2, 0), point(1, 2)},
    )


# -- whole games ---------------------------------------------------------------------------------


Told = tuple[int, int, int, Seen]  # a move: colour, point, how many it took; the board after it


def compare(size: int, game: list[Told]) -> None:
    """A game as the kernels played it, and sgfmill."""
    oracle = Oracle(size)
    for colour, p, taken, seen in game:
        assert taken == oracle.play(p, colour)
        assert_seen_agrees(seen, oracle)
        assert_seen_sound(seen)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "number"), [*((9, n) for n in range(6)), *((19, n) for n in range(3))]
)
def test_bundled_game_agrees_with_sgfmill(size: int, number: int) -> None:
    b = new_board(size)
    moves = game_moves(bundled_games(size)[number])
    assert len(moves) > 2 * size
    game = []
    for colour, p in moves:
        assert is_legal(b, p, colour)
        game.append((colour, p, int(play(b, p, colour)), seen_on(b)))
    holds(compare, size, game)


def random_game(size: int, seed: int, length: int) -> list[Told]:
    """A random game, and what the board said after each move."""
    b = new_board(size)
    game, prisoners = [], 0
    for colour, p in wander(b, Random(seed), length):
        taken, prisoners = int(b.captured.sum()) - prisoners, int(b.captured.sum())
        game.append((colour, p, taken, seen_on(b)))
    return game


@settings(max_examples=40)
@given(size=st.integers(2, 9), seed=st.integers(0, 2**32 - 1), length=st.integers(1, 120))
@example(size=2, seed=0, length=120)
def test_random_game_agrees_with_sgfmill(size: int, seed: int, length: int) -> None:
    compare(size, random_game(size, seed, length))


@pytest.mark.slow
@pytest.mark.parametrize(("size", "length"), [(5, 400), (7, 800), (9, 350), (13, 350), (19, 300)])
def test_long_random_game_agrees_with_sgfmill(size: int, length: int) -> None:
    game = random_game(size, size, length)
    holds(compare, size, game)
    movers = [BLACK, *(other(colour) for colour, *_ in game)]
    # The game was worth its time only if it had all of this.
    assert sum(p == PASS for _, p, _, _ in game) > 3
    assert sum(colour != mover for (colour, *_), mover in zip(game, movers, strict=False)) > 20
    assert sum(taken > 0 for _, _, taken, _ in game) > 20
    assert sum(seen.ko != NONE for *_, seen in game) > 3
    assert sum(taken > 3 for _, _, taken, _ in game) > 3 or size == 19


# -- known outcomes ------------------------------------------------------------------------------


class Row(NamedTuple):
    """Moves, and what must come of the last one. `captured`: black stones, white stones."""

    name: str
    moves: str
    diagram: str
    ko: str | None
    captured: tuple[int, int]


ROWS = [
    Row(
        "one stone in the centre, no ko: the capturer has liberties",
        "B C4 W C3 B B3 W pass B D3 W pass B C2",
        """
        . . . . .
        . . X . .
        . X . X .
        . . X . .
        . . . . .
        """,
        None,
        (0, 1),
    ),
    Row(
        "one stone in the corner",
        "W A1 B A2 W pass B B1",
        """
        . . .
        X . .
        . X .
        """,
        None,
        (0, 1),
    ),
    Row(
        "three stones of one string",
        "W A1 B A2 W B1 B B2 W C1 B C2 W pass B D1",
        """
        . . . .
        . . . .
        X X X .
        . . . X
        """,
        None,
        (0, 3),
    ),
    Row(
        "two strings at once, around the last stone",
        "W A1 W C1 B A2 B C2 B D1 B B1",
        """
        . . . .
        . . . .
        X . X .
        . X . X
        """,
        None,
        (0, 2),
    ),
    Row(
        "four strings at once, the last stone in the middle of them",
        "B B3 B C4 B D3 B C2 W C5 W B4 W D4 W A3 W E3 W B2 W D2 W C1 W C3",
        """
        . . O . .
        . O . O .
        O . O . O
        . O . O .
        . . O . .
        """,
        None,
        (4, 0),
    ),
    Row(
        "one string that the last stone touches on two sides",
        "W A1 W B1 W B2 B C1 B C2 B B3 B A3 B A2",
        """
        . . . .
        X X . .
        X . X .
        . . X .
        """,
        None,
        (0, 3),
    ),
    Row(
        "a capture that gives the capturing stone its only liberties is no suicide",
        "W A2 W B1 B A3 B B2 B C1 B A1",
        """
        . . . .
        X . . .
        . X . .
        X . X .
        """,
        None,
        (0, 2),
    ),
    Row(
        "ko in the centre",
        "B C4 W D4 B B3 W E3 B C2 W D2 B D3 W C3",
        """
        . . . . .
        . . X O .
        . X O . O
        . . X O .
        . . . . .
        """,
        "D3",
        (1, 0),
    ),
    Row(
        "ko at the edge",
        "B A1 W D1 B B2 W C2 B C1 W B1",
        """
        . . . .
        . . . .
        . X O .
        X O . O
        """,
        "C1",
        (1, 0),
    ),
    Row(
        "ko in the corner",
        "B A2 W B2 B pass W C1 B B1 W A1",
        """
        . . . .
        . . . .
        X O . .
        O . O .
        """,
        "B1",
        (1, 0),
    ),
    Row(
        "two stones on the smallest board",
        "B A1 W B2 B B1 W A2",
        """
        O O
        . .
        """,
        None,
        (2, 0),
    ),
    Row(
        "one stone taken by a stone that makes a string of two: no ko",
        "W B3 B B4 B A3 B B2 B C4 B C2 B D3 W D4 W E3 W D2 W C3",
        """
        . . . . .
        . X X O .
        X O O . O
        . X X O .
        . . . . .
        """,
        None,
        (1, 0),
    ),
    Row(
        "three strings at once, the last stone at the edge",
        "W A1 W B2 W C1 B A2 B B3 B C2 B D1 B B1",
        """
        . . . .
        . X . .
        X . X .
        . X . X
        """,
        None,
        (0, 3),
    ),
    Row(
        "two stones retaken by one: no ko",
        "W A1 W B1 B A2 B B2 W C2 W D1 B C1 W B1",
        """
        . . . . .
        . . . . .
        . . . . .
        X X O . .
        . O . O .
        """,
        None,
        (1, 2),
    ),
    Row(
        "the whole board but one point",
        "B A1 B A2 B B1 W B2",
        """
        . O
        . .
        """,
        None,
        (3, 0),
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_known_outcome(row: Row) -> None:
    size, colors = parse_diagram(row.diagram)
    b, oracle = new_board(size), Oracle(size)
    for colour, p in parse_moves(row.moves, size):
        assert is_legal(b, p, colour), vertex(p, size)
        play(b, p, colour)
        oracle.play(p, colour)
    points = all_points(size)
    assert b.color[points].tolist() == colors[points].tolist()
    assert b.ko == (NONE if row.ko is None else from_vertex(row.ko, size))
    assert tuple(b.captured[1:]) == row.captured
    # The row itself must be right: sgfmill plays the same moves.
    assert_agrees(b, oracle)
    assert_sound(b)


# (diagram, point, whether it is suicide for Black, for White)
SUICIDES = [
    # a single stone: in a corner, in the centre
    (". X\nX .", "A2", False, True),
    (". . . . .\n. . O . .\n. O . O .\n. . O . .\n. . . . .", "C3", True, False),
    # the last liberty of one string, and of two
    (". O X\nO O X\nX X .", "A3", False, True),
    (". O X\nO X X\nX X .", "A3", False, True),
    (". X O .\nX X O .\nO O O .\n. . . .", "A4", True, False),
    # the same with a spare liberty at B2: Black may play there, White no longer captures
    (". X O .\nX X O .\nO . O .\n. . . .", "A4", False, True),
    # one of two strings has a spare liberty: Black joins both, White takes the other
    (". X . .\nX O . .\nO . . .\n. . . .", "A4", False, False),
]


@pytest.mark.parametrize(("diagram", "name", "black", "white"), SUICIDES)
def test_suicide(diagram: str, name: str, black: bool, white: bool) -> None:
    size, colors = parse_diagram(diagram)
    b = new_board(size)
    assert set_stones(b, colors)
    p = from_vertex(name, size)
    assert is_legal(b, p, BLACK) != black
    assert is_legal(b, p, WHITE) != white
    assert_sound(b)


KO = "B C4 W D4 B B3 W E3 B C2 W D2 B D3 W C3"  # White took D3; see the row "ko in the centre"


def after(text: str, size: int = 5) -> Board:
    b = new_board(size)
    for colour, p in parse_moves(text, size):
        assert is_legal(b, p, colour)
        play(b, p, colour)
    return b


def test_ko_forbids_its_point_to_the_side_to_move_only() -> None:
    b = after(KO)
    d3 = from_vertex("D3", 5)
    assert not is_legal(b, d3, BLACK)
    assert is_legal(b, d3, WHITE)
    assert is_legal(b, from_vertex("A1", 5), BLACK)


@pytest.mark.parametrize("between", ["B A1 W A5", "B pass W pass", "B pass W A5", "W A5", "W pass"])
def test_any_move_lifts_the_ko(between: str) -> None:
    b = after(f"{KO} {between}")
    assert b.ko == NONE
    assert b.to_move == BLACK
    assert is_legal(b, from_vertex("D3", 5), BLACK)


def test_ko_is_taken_back_and_forbidden_to_the_other_side() -> None:
    b = after(f"{KO} B A1 W A5 B D3")
    assert b.ko == from_vertex("C3", 5)
    assert not is_legal(b, from_vertex("C3", 5), WHITE)


def test_memory_of_moves_and_passes() -> None:
    b = new_board(5)
    played: list[Move] = parse_moves("B A1 W B2 B pass B pass W C3 W pass B D4", 5)
    for number, (colour, p) in enumerate(played, 1):
        play(b, p, colour)
        latest = [p for _, p in played[:number]][::-1][:4]
        assert b.previous.tolist() == latest + [NONE] * (4 - len(latest))
        assert b.moves == number
        assert b.passes == {3: 1, 4: 2, 6: 1}.get(number, 0)
        assert b.to_move == other(colour)


def test_place_touches_neither_ko_nor_turn_nor_memory() -> None:
    b = after(KO)
    before = snapshot(b)
    assert place(b, from_vertex("D3", 5), BLACK) == 1
    assert_sound(b)
    now = snapshot(b)
    for field in ("ko", "to_move", "moves", "passes", "previous"):
        assert now[field] == before[field]
    assert now["captured"] == [0, 1, 1]


# -- eyes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 3, 5, 9, 19])
def test_own_eye_by_its_definition(size: int) -> None:
    rng = Random(size)
    b = new_board(size)
    seen: Counter[tuple[int, int, bool]] = Counter()
    for _ in range(4000 // size**2 + 10):
        colour = rng.choice(COLOURS)
        # Mostly stones of one colour, or no point would have four equal neighbours.
        weights = (3, 12, 2) if colour == BLACK else (3, 2, 12)
        set_stones(b, scattered(size, rng, weights))
        colors = b.color.tolist()
        for p in all_points(size):
            if colors[p] == EMPTY:
                for c in COLOURS:
                    is_eye = eye(colors, p, c)
                    assert is_own_eye(b, p, c) == is_eye
                    corners = [colors[q] for q in ACROSS[p]]
                    if {colors[q] for q in NEAR[p]} <= {c, WALL}:
                        seen[corners.count(WALL), corners.count(other(c)), is_eye] += 1
    walls = {2: [3], 3: [0, 2, 3]}.get(size, [0, 2, 3])
    for wall in walls:
        most = 0 if wall else 1
        for hostile in range(4 - wall + 1):
            if hostile <= most + 1:  # more than that is too rare to be asked for
                assert seen[wall, hostile, hostile <= most] > 0


# Is the empty point in the middle of nothing but Black (and walls) an eye of Black?
EYES = [
    ("C3", True, ". . . . .\n. X X X .\n. X . X .\n. X X X .\n. . . . ."),
    ("C3", True, ". . . . .\n. . X . .\n. X . X .\n. . X . .\n. . . . ."),
    ("C3", True, ". . . . .\n. O X . .\n. X . X .\n. X X X .\n. . . . ."),
    ("C3", False, ". . . . .\n. O X . .\n. X . X .\n. X X O .\n. . . . ."),
    ("C3", False, ". . . . .\n. O X O .\n. X . X .\n. O X O .\n. . . . ."),
    ("C3", False, ". . . . .\n. X X X .\n. X . . .\n. X X X .\n. . . . ."),
    ("C3", False, ". . . . .\n. X X X .\n. X . O .\n. X X X .\n. . . . ."),
    ("A3", True, ". . . . .\nX X . . .\n. X . . .\nX X . . .\n. . . . ."),
    ("A3", True, ". . . . .\nX . . . .\n. X . . .\nX . . . .\n. . . . ."),
    ("A3", False, ". . . . .\nX O . . .\n. X . . .\nX X . . .\n. . . . ."),
    ("C1", False, ". . . . .\n. . . . .\n. . . . .\n. O X O .\n. X . X ."),
    ("E5", True, ". . . X .\n. . . X X\n. . . . .\n. . . . .\n. . . . ."),
    ("E5", True, ". . . X .\n. . . . X\n. . . . .\n. . . . .\n. . . . ."),
    ("E5", False, ". . . X .\n. . . O X\n. . . . .\n. . . . .\n. . . . ."),
    ("A1", False, ". . . . .\n. . . . .\n. . . . .\nX . . . .\n. . . . ."),
]


@pytest.mark.parametrize(("name", "expected", "diagram"), EYES)
def test_known_eye(name: str, expected: bool, diagram: str) -> None:
    size, colors = parse_diagram(diagram)
    p = from_vertex(name, size)
    b = new_board(size)
    assert set_stones(b, colors)
    assert is_own_eye(b, p, BLACK) == expected
    assert not is_own_eye(b, p, WHITE)
    reversed_colors = np.choose(colors, (EMPTY, WHITE, BLACK)).astype(np.uint8)
    assert set_stones(b, reversed_colors)
    assert is_own_eye(b, p, WHITE) == expected


# -- stones set, boards cleared and copied -------------------------------------------------------


@settings(max_examples=60)
@given(
    size=st.integers(MIN_SIZE, MAX_SIZE), seed=st.integers(0, 2**32 - 1), length=st.integers(0, 400)
)
def test_set_stones_gives_what_play_gives(size: int, seed: int, length: int) -> None:
    played = wandered(size, seed, length)
    b = wandered(size, seed + 1, 50)  # what stood there before must not matter
    assert set_stones(b, played.color)
    assert_sound(b)
    assert b.color.tolist() == played.color.tolist()
    assert b.hash == played.hash
    fresh = snapshot(new_board(size))
    now = snapshot(b)
    for field in ("to_move", "ko", "passes", "moves", "captured", "previous"):
        assert now[field] == fresh[field]


@pytest.mark.parametrize("size", [2, 3, 4, 9, 19])
def test_set_stones_tells_of_strings_without_liberty(size: int) -> None:
    rng = Random(size)
    answers = set()
    for _ in range(40):
        weights = rng.choice([(1, 1, 1), (1, 6, 6), (6, 1, 1), (1, 20, 20)])
        colors = scattered(size, rng, weights)
        b = new_board(size)
        answer = bool(set_stones(b, colors))
        answers.add(answer)
        assert_sound(b)  # in both cases
        points = all_points(size)
        assert b.color[points].tolist() == colors[points].tolist()
        stones = [p for p in points if colors[p] != EMPTY]
        assert answer == all(b.liberties[b.head[p]] > 0 for p in stones)
    assert answers == {True, False}


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("before", [None, 2, 7, 19])
def test_copy_is_equal_and_independent(size: int, before: int | None) -> None:
    """Whatever the target held: zeros, a smaller or a larger game."""
    original = wandered(size, seed=size, length=2 * size * size)
    target = new_boards(1)[0] if before is None else wandered(before, 1, 2 * before * before)
    copy(target, original)
    expected = snapshot(original)
    assert snapshot(target) == expected
    assert_sound(target)
    # The copy plays on as the original does …
    for colour, p in wander(target, Random(5), 60):
        assert is_legal(original, p, colour)
        play(original, p, colour)
        assert snapshot(target) == snapshot(original)
    # … and neither hears of what happens to the other.
    second = new_board(size)
    copy(second, original)
    expected = snapshot(original)
    for _ in wander(second, Random(6), 60):
        pass
    assert_sound(second)
    assert snapshot(second) != expected
    assert snapshot(original) == expected


def test_clear_forgets_a_larger_and_a_smaller_game() -> None:
    fresh = {size: snapshot(new_board(size)) for size in SIZES}
    b = wandered(19, seed=3, length=600)
    for smaller, larger in pairwise(SIZES):
        for size in (larger, smaller):
            clear(b, size)
            assert snapshot(b) == fresh[size]
            for _ in wander(b, Random(size), 20):
                pass
            assert_sound(b)


@pytest.mark.parametrize("size", [-1, 0, 1, 20, 1000])
def test_new_board_refuses_sizes(size: int) -> None:
    with pytest.raises(ValueError, match=f"board size {size} is not between 2 and 19"):
        new_board(size)


# -- bits ----------------------------------------------------------------------------------------


@given(st.integers(0, 2**64 - 1))
@example(0)
@example(2**64 - 1)
def test_bit_count(x: int) -> None:
    assert bit_count(np.uint64(x)) == x.bit_count()


@given(st.integers(1, 2**64 - 1), st.integers(0, 63))
def test_lowest_bit(x: int, shift: int) -> None:
    y = (x << shift) % 2**64 or 1 << shift
    assert lowest_bit(np.uint64(y)) == (y & -y).bit_length() - 1
