"""`Position`: moves, undo, reasons, SGF, and every way to name a place."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import katachi
from katachi.errors import KatachiError
from katachi.go.board import new_board
from katachi.go.points import (
    AREA,
    BLACK,
    EMPTY,
    PASS,
    WALL,
    WHITE,
    all_points,
    from_vertex,
    other,
    vertex,
)
from katachi.go.position import IllegalMove, Place, Position
from tests.go.helpers import (
    COLOURS,
    Oracle,
    any_move,
    assert_sound,
    parse_moves,
    snapshot,
    string_at,
    wandered,
)

KO = "B C4 W D4 B B3 W E3 B C2 W D2 B D3 W C3"  # White took D3


def played(moves: str, size: int = 5) -> Position:
    position = Position(size)
    for colour, p in parse_moves(moves, size):
        position.play(p, colour)
    return position


def vertices(points: list[int], size: int = 5) -> set[str]:
    return {vertex(p, size) for p in points}


def wander(position: Position, rng: Random, length: int) -> None:
    for _ in range(length):
        colour, p = any_move(position.board, rng)
        position.play(p, colour)


# -- playing and taking back ---------------------------------------------------------------------


def test_new_position() -> None:
    position = Position()
    assert position.size == 19
    assert position.to_move == BLACK
    assert position.moves == []
    assert position.previous == []
    assert position.ko is None
    assert position.captured(BLACK) == position.captured(WHITE) == 0
    assert position.colors[all_points(19)].tolist() == [EMPTY] * 361


@pytest.mark.parametrize("size", [-3, 0, 1, 20, 25])
def test_sizes_that_do_not_exist(size: int) -> None:
    with pytest.raises(ValueError, match=f"board size {size} is not between 2 and 19"):
        Position(size)


def test_play_returns_the_stones_captured() -> None:
    position = Position(5)
    assert position.play("A1") == 0
    assert position.play("B1") == 0
    assert position.play("B2") == 0
    assert position.play("A2") == 1
    assert position.captured(BLACK) == 1
    assert position.captured(WHITE) == 0
    assert position.stone("A1") == EMPTY
    assert position.moves == parse_moves("B A1 W B1 B B2 W A2", 5)


def test_play_out_of_turn() -> None:
    position = Position(5)
    position.play("A1", WHITE)
    assert position.to_move == BLACK
    position.play("B1", BLACK)
    position.play("C1", BLACK)
    assert position.to_move == WHITE
    assert position.moves == parse_moves("W A1 B B1 B C1", 5)


def test_previous_goes_back_four_moves() -> None:
    position = Position(5)
    points = [from_vertex(name, 5) for name in ("A1", "B2", "pass", "C3", "D4", "E5")]
    for number, p in enumerate(points, 1):
        position.play(p)
        assert position.previous == points[:number][::-1][:4]


def test_pass() -> None:
    position = played("B A1")
    stones = position.colors.tolist()
    position.pass_()
    assert position.to_move == BLACK
    assert position.moves[-1] == (WHITE, PASS)
    assert position.previous == [PASS, from_vertex("A1", 5)]
    assert position.board.passes == 1
    assert position.play("pass") == 0
    assert position.board.passes == 2
    assert position.colors.tolist() == stones


@settings(max_examples=25)
@given(size=st.integers(2, 9), seed=st.integers(0, 2**32 - 1), length=st.integers(1, 60))
def test_undo_leads_back_through_every_position(size: int, seed: int, length: int) -> None:
    position = Position(size)
    rng = Random(seed)
    stages = []
    for _ in range(length):
        stages.append((snapshot(position.board), position.legal_moves(superko=True)))
        wander(position, rng, 1)
    moves = position.moves.copy()
    while stages:
        assert position.undo() == moves.pop()
        assert (snapshot(position.board), position.legal_moves(superko=True)) == stages.pop()
        assert position.moves == moves
    assert snapshot(position.board) == snapshot(new_board(size))


def test_undo_stops_at_the_setup() -> None:
    position = Position.from_diagram("3 X . .\n2 . O .\n1 . . .", to_move=WHITE)
    start = snapshot(position.board)
    position.play("C3")
    position.play("C1")
    position.undo()
    position.undo()
    assert snapshot(position.board) == start
    assert position.to_move == WHITE
    with pytest.raises(ValueError, match="no move to undo"):
        position.undo()
    assert snapshot(position.board) == start


def test_undo_brings_the_ko_back() -> None:
    position = played(KO + " B A1")
    assert position.ko is None
    position.undo()
    assert position.ko == from_vertex("D3", 5)
    assert position.why_illegal("D3") == "ko"


def test_to_play_moves_the_ban_with_the_turn() -> None:
    """The colour that lost its stone may not take back at once; the other one may fill the ko."""
    position = played(KO)
    banned, ko = position.to_move, position.ko
    assert ko is not None
    assert position.why_illegal(ko) == "ko"
    position.to_play(banned)  # has the turn already: nothing changes
    assert (position.to_move, position.ko) == (banned, ko)
    position.to_play(other(banned))
    assert (position.to_move, position.ko) == (other(banned), None)
    assert ko in position.legal_moves()
    twin = position.copy()
    twin.to_play(banned)  # the ban is back with the turn
    assert (twin.to_move, twin.ko, twin.why_illegal(ko)) == (banned, ko, "ko")
    assert twin.moves == position.moves
    position.play(ko)
    position.to_play(banned)
    assert position.ko is None
    position.undo()
    assert position.ko == ko


@pytest.mark.parametrize("moves", ["", "B C3", "B C3 W pass"])
def test_to_play_without_a_ko(moves: str) -> None:
    position = played(moves)
    for colour in (BLACK, WHITE, WHITE, BLACK):
        position.to_play(colour)
        assert (position.to_move, position.ko) == (colour, None)


def test_many_moves_at_once() -> None:
    one, many = Position(9), Position(9)
    rng = Random(3)
    wander(one, rng, 150)
    many.play_all([c for c, _ in one.moves], [p for _, p in one.moves])
    assert snapshot(many.board) == snapshot(one.board)
    assert (many.moves, many.history.tolist()) == (one.moves, one.history.tolist())
    before = len(many.moves)
    taken = next(p for p in all_points(9) if many.stone(p))
    with pytest.raises(IllegalMove, match="occupied"):
        many.play_all([BLACK, WHITE, BLACK], [PASS, taken, PASS])
    assert len(many.moves) == before + 1
    many.play_all([], [])
    assert len(many.moves) == before + 1


def test_copy_is_independent() -> None:
    position = played(KO)
    twin = position.copy()
    assert repr(twin) == repr(position)
    assert snapshot(twin.board) == snapshot(position.board)
    before = (snapshot(position.board), position.moves.copy(), position.legal_moves(superko=True))
    twin.play("A1")
    assert twin.play("A5") == 0
    assert twin.play("D3") == 1
    assert (snapshot(position.board), position.moves, position.legal_moves(superko=True)) == before
    twin_stones = twin.colors.tolist()
    position.undo()
    position.play("E5")
    assert twin.colors.tolist() == twin_stones
    assert len(twin.moves) == len(before[1]) + 3


def test_copy_undoes_to_the_same_setup() -> None:
    position = Position.from_diagram("3 X . .\n2 . O .\n1 . . .", to_move=WHITE)
    start = snapshot(position.board)
    position.play("C3")
    twin = position.copy()
    twin.undo()
    assert snapshot(twin.board) == start
    assert len(position.moves) == 1


# -- the rules -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "place", "colour", "reason"),
    [
        ("B A1", "A1", BLACK, "occupied"),
        ("B A1", "A1", WHITE, "occupied"),
        ("B A2 W pass B B1", "A1", WHITE, "suicide"),
        ("B A2 W pass B B1", "A1", BLACK, ""),
        (KO, "D3", BLACK, "ko"),
        (KO, "D3", WHITE, ""),
        (KO, "C3", BLACK, "occupied"),
        (KO, "pass", BLACK, ""),
        (KO + " B pass W pass", "D3", BLACK, ""),
    ],
)
def test_why_illegal(moves: str, place: str, colour: int, reason: str) -> None:
    position = played(moves)
    assert position.why_illegal(place, colour) == reason
    assert (position.point(place) in position.legal_moves(colour)) == (reason == "")
    before = snapshot(position.board)
    done = position.moves.copy()
    if reason:
        name = {BLACK: "black", WHITE: "white"}[colour]
        with pytest.raises(IllegalMove) as caught:
            position.play(place, colour)
        assert caught.value.reason == reason
        assert str(caught.value) == f"{name} {place} is illegal: {reason}"
        assert snapshot(position.board) == before
        assert position.moves == done
    else:
        position.play(place, colour)
        assert len(position.moves) == len(done) + 1


def test_illegal_move_is_a_users_mistake() -> None:
    assert issubclass(IllegalMove, KatachiError)
    assert katachi.Position is Position
    assert katachi.IllegalMove is IllegalMove


def test_the_side_to_move_is_the_default() -> None:
    position = played(KO)
    assert position.why_illegal("D3") == position.why_illegal("D3", BLACK) == "ko"
    assert position.legal_moves() == position.legal_moves(BLACK)
    assert position.legal_moves() != position.legal_moves(WHITE)


@pytest.mark.parametrize(("size", "length"), [(3, 60), (6, 120), (9, 120)])
def test_legal_moves_are_in_order_and_end_with_pass(size: int, length: int) -> None:
    position, oracle = Position(size), Oracle(size)
    rng = Random(size)
    for _ in range(length):
        for colour in COLOURS:
            assert position.legal_moves(colour) == [*oracle.legal_points(colour), PASS]
            for p in all_points(size):
                assert (position.why_illegal(p, colour) == "") == oracle.is_legal(p, colour)
        wander(position, rng, 1)
        colour, p = position.moves[-1]
        oracle.play(p, colour)


# -- places --------------------------------------------------------------------------------------

# All the same place on 9x9, and the pass.
NAMES: list[tuple[Any, int]] = [
    ("C7", 63),
    ("c7", 63),
    (63, 63),
    (np.int16(63), 63),
    ((2, 2), 63),
    ("pass", PASS),
    (PASS, PASS),
]


@pytest.mark.parametrize(("place", "p"), NAMES)
def test_places(place: Place, p: int) -> None:
    position = Position(9)
    assert position.point(place) == p
    assert position.why_illegal(place) == ""
    position.play(place)
    assert position.moves == [(BLACK, p)]
    if p != PASS:
        assert position.stone(place) == BLACK
        assert position.string(place) == [p]
        assert position.liberties(place) == [p - 20, p - 1, p + 1, p + 20]
        assert position.taken_in_ladder(place, WHITE) is False


@pytest.mark.parametrize(
    "place",
    ["K1", "A10", "I5", "", "tt", (9, 0), (0, 9), (-1, 0), (0, -1), -1, 1, 20, 30, 201, 420, 5000],
)
def test_places_outside_the_board(place: Place) -> None:
    position = Position(9)
    before = snapshot(position.board)
    for question in (position.point, position.play, position.why_illegal, position.stone):
        with pytest.raises(ValueError, match=r"9x9 board"):
            question(place)
    assert snapshot(position.board) == before


def test_pass_is_no_place_to_look_at() -> None:
    position = Position(9)
    for question in (position.stone, position.string, position.liberties):
        with pytest.raises(ValueError, match="a pass has no place on the board"):
            question("pass")


# -- looking -------------------------------------------------------------------------------------


def test_string_and_liberties_of_a_shape() -> None:
    position = Position.from_diagram(
        """
        5 X X . . .
        4 O X . O .
        3 O O X O .
        2 . . . . .
        1 . . . . X
        """
    )
    assert vertices(position.string("A5")) == {"A5", "B5", "B4"}
    assert vertices(position.liberties("B4")) == {"C5", "C4"}
    assert vertices(position.string("B3")) == {"A4", "A3", "B3"}
    assert vertices(position.liberties("A4")) == {"A2", "B2"}
    assert position.string("E5") == position.liberties("E5") == []
    assert position.stone("E5") == EMPTY
    assert position.stone("D3") == WHITE


@pytest.mark.parametrize("size", [2, 5, 9, 19])
def test_string_and_liberties_by_flood_fill(size: int) -> None:
    position = Position(size)
    wander(position, Random(size), 2 * size * size)
    colors = position.colors.tolist()
    for p in all_points(size):
        if colors[p] == EMPTY:
            assert position.string(p) == position.liberties(p) == []
        else:
            stones, liberties = string_at(colors, p)
            assert position.string(p) == sorted(stones)
            assert position.liberties(p) == sorted(liberties)


def test_colors_are_a_copy() -> None:
    position = played("B A1")
    colors = position.colors
    assert colors.shape == (AREA,)
    assert colors[PASS] == WALL
    colors[:] = WHITE
    assert position.stone("A1") == BLACK
    assert position.stone("B1") == EMPTY


def test_score_and_owners() -> None:
    position = Position.from_diagram(
        """
        5 . X . O .
        4 X X . O .
        3 . X . O .
        2 X X . O O
        1 . X . O .
        """
    )
    owners = position.owners()
    assert owners.shape == (AREA,)
    assert position.score() == 10 - 10
    assert [owners[position.point(name)] for name in ("A5", "C3", "E1", "B1")] == [
        BLACK,
        EMPTY,
        WHITE,
        BLACK,
    ]
    position.play("C3")
    assert position.score() == 11 - 10
    assert Position(9).score() == 0


def test_no_ladder_where_no_stone_is() -> None:
    with pytest.raises(ValueError, match="no stone on C3"):
        Position(9).taken_in_ladder("C3", BLACK)


def test_text() -> None:
    position = played("B A1 W C3", 3)
    assert str(position) == position.diagram()
    assert str(position).splitlines() == [
        "   A B C",
        " 3 . . O 3",
        " 2 . . . 2",
        " 1 X . . 1",
        "   A B C",
    ]
    assert repr(position) == "<Position 3x3, 2 moves, black to move>"
    position.pass_()
    assert repr(position) == "<Position 3x3, 3 moves, white to move>"


# -- made from stones and diagrams ---------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 3, 9, 13, 19])
def test_from_stones_is_the_board_reached_by_play(size: int) -> None:
    b = wandered(size, seed=size, length=size * size)
    position = Position.from_stones(size, b.color, WHITE)
    assert_sound(position.board)
    assert position.colors.tolist() == b.color.tolist()
    assert position.board.hash == b.hash
    assert position.to_move == WHITE
    assert position.moves == []
    assert position.captured(BLACK) == position.captured(WHITE) == 0
    again = Position.from_diagram(str(position), WHITE)
    assert snapshot(again.board) == snapshot(position.board)


def test_from_stones_keeps_its_own_stones() -> None:
    colors = Position(5).colors
    colors[from_vertex("C3", 5)] = BLACK
    position = Position.from_stones(5, colors)
    colors[from_vertex("A1", 5)] = WHITE
    position.play("B2")
    position.undo()
    assert position.stone("A1") == EMPTY
    assert position.stone("C3") == BLACK
    assert position.to_move == BLACK


@pytest.mark.parametrize("diagram", ["X X\nX X", "X O\nO .", "O X .\nX . .\n. . ."])
def test_stones_without_liberty_are_refused(diagram: str) -> None:
    with pytest.raises(ValueError, match="a string in this position has no liberty"):
        Position.from_diagram(diagram)


def test_bad_diagram() -> None:
    with pytest.raises(ValueError, match="line 2"):
        Position.from_diagram(". .\n. ?")


def test_superko_counts_the_setup() -> None:
    """White takes back into the very position that was set up."""
    position = Position.from_diagram(
        """
        4 . X O .
        3 X O . O
        2 . X O .
        1 . . . .
        """
    )
    position.play("C3")
    assert position.why_illegal("B3") == "ko"
    position.play("pass")
    position.play("pass")
    assert position.why_illegal("B3") == ""
    assert position.why_illegal("B3", superko=True) == "superko"
