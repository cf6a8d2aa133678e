"""The walk through a game: its positions, in one pass, against the slow way."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from katachi.go.board import new_board
from katachi.go.points import BLACK, EMPTY, MAX_SIZE, NONE, PASS, WHITE, from_vertex
from katachi.go.position import IllegalMove, Position
from katachi.records.actions import COLOUR_SHIFT, POINT_BITS, SETUP, move_action, setup_action
from katachi.records.game import Game
from katachi.records.sgf import parse_games
from katachi.records.walk import walk, walk_board
from tests.games import bundled_sgfs

KO = "AB[ab][ba][bc][cb]AW[bd][cc][db][ca]"
GAMES = [
    next(iter(bundled_sgfs().values())),
    b"(;SZ[9]AB[dd][gg];W[ee];B[ed])",
    b"(;SZ[9]PL[W];W[ee];B[ed];B[aa];W[bb])",
    b"(;SZ[9];B[ee];W[cc]AB[aa][bb];B[gg];W[gc];AE[aa];W[aa])",
    b"(;SZ[9];B[ee];W[cc];AB[aa][bb];PL[W])",
    b"(;SZ[9];B[ee];PL[B]PL[W];PL[B])",
    f"(;SZ[5]{KO};W[bb];W[dd];B[cb])".encode(),  # a ko whose ban ends with the turn
    f"(;SZ[5]{KO};W[bb];B[ee];W[ed];B[cb])".encode(),
    f"(;SZ[5]{KO};W[bb];PL[W];W[cb])".encode(),  # who has taken the ko fills it
    f"(;SZ[5]{KO};W[bb];PL[W];PL[B])".encode(),  # and the ban is back with the turn
    # a setup that is legal as a whole only
    b"(;SZ[3];B[aa];AB[ba][ca][ab][bb][cb][ac][bc][cc];AE[aa][bb];B[bb])",
    b"(;SZ[9];B[];W[];B[ee])",
]


def slow(game: Game, wanted: int) -> Position:
    """The position after so many moves, told in the other way: move by move, each setup by its
    stones, and the turn at last.
    """
    position, stones, done = Position(game.size), None, 0
    turn = BLACK
    for action in game.actions.tolist():
        colour, p = action >> COLOUR_SHIFT & 3, action & POINT_BITS
        if not action & SETUP:
            if done == wanted:
                turn = colour
                break
            if stones is not None:
                position, stones = Position.from_stones(game.size, stones, colour), None
            position.play(p, colour)
            turn, done = 3 - colour, done + 1
        elif p == PASS:
            turn = colour
        else:
            stones = position.colors if stones is None else stones
            stones[p] = colour
    if stones is not None:
        position = Position.from_stones(game.size, stones, turn)
    if position.to_move != turn:
        position.board.to_move, position.board.ko = turn, NONE  # the ban was for the other colour
    return position


def told(position: Position) -> tuple[object, ...]:
    ways = position.colors.tolist(), position.to_move, position.ko, position.previous
    return *ways, position.moves.copy(), position.beginning, position.history.tolist()


@pytest.mark.parametrize("sgf", GAMES)
def test_the_positions_of_the_record(sgf: bytes) -> None:
    (game,), _ = parse_games(sgf)
    *stops, (last, turn, none) = [
        (told(s.position), s.colour, s.point) for s in walk(game.actions, game.size)
    ]
    assert [(colour, p) for _, colour, p in stops] == game.moves
    assert none == NONE
    for number, (found, colour, _) in enumerate(stops):
        assert found == told(slow(game, number)) == told(game.position(number))
        assert found[1] == colour
    assert last == told(slow(game, len(game.moves))) == told(game.position())
    assert last[1] == turn
    for first in range(len(game.moves) + 1):
        later = [told(s.position) for s in walk(game.actions, game.size, first)]
        assert later == [found for found, _, _ in stops[first:]] + [last]


@pytest.mark.parametrize("sgf", GAMES)
def test_no_game_is_cut(sgf: bytes) -> None:
    assert not [notice for notice in parse_games(sgf)[1] if notice.kind == "cut"]


@pytest.mark.parametrize("sgf", GAMES)
def test_on_a_board(sgf: bytes) -> None:
    (game,), _ = parse_games(sgf)
    board = new_board(MAX_SIZE)
    number = 0
    for number, (colour, p) in enumerate(walk_board(board, game.actions, game.size), 1):
        wanted = game.position(number - 1)
        assert (colour, p) == game.moves[number - 1]
        assert board.color.tolist() == wanted.colors.tolist()
        assert (board.to_move, board.moves) == (colour, number - 1)
        assert (board.ko if board.ko != NONE else None) == wanted.ko
    assert number == len(game.moves)


def test_a_long_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each move is played once, and setup does not begin from the beginning again."""
    (game,), _ = parse_games(b"(;SZ[9]" + b";B[];W[];AB[ee]" * 500 + b")")
    count: Counter[str] = Counter()
    play, from_stones = Position.play, Position.from_stones

    def played(self: Position, *args: int, **more: bool) -> int:
        count["play"] += 1
        return play(self, *args, **more)

    def put(*args: object) -> Position:
        count["from_stones"] += 1
        return from_stones(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(Position, "play", played)
    monkeypatch.setattr(Position, "from_stones", put)
    for _ in game.walk():
        pass
    assert count == {"play": 1000, "from_stones": 500}


def test_a_game_that_breaks_the_rules() -> None:
    d4 = from_vertex("D4", 9)
    actions = np.array([move_action(BLACK, d4), move_action(WHITE, d4)], np.uint16)
    game = Game(9, actions)
    with pytest.raises(IllegalMove, match="white D4 is illegal: occupied"):
        game.position()
    with pytest.raises(IllegalMove, match="white D4 is illegal: occupied"):
        list(game.walk())
    assert game.position(1).moves == [(BLACK, d4)]
    alone = np.array([setup_action(WHITE, 21), setup_action(BLACK, 22)], np.uint16)
    stones = np.concatenate([alone, np.array([setup_action(BLACK, 41)], np.uint16)])
    with pytest.raises(ValueError, match="no liberty"):
        Game(2, stones).position()
    assert Game(2, alone).position().stone(21) == WHITE
    assert Game(2, np.array([setup_action(EMPTY, 21)], np.uint16)).position().stone(21) == EMPTY
