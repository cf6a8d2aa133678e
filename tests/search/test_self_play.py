"""Whole games between two players: they end by themselves, by the rules, within the memory."""

from __future__ import annotations

import pytest

from katachi.go.points import BLACK, PASS, WHITE, other
from katachi.go.position import Position
from katachi.search.engine import SearchPlayer
from katachi.search.player import RESIGN, Budget, GameState
from katachi.search.settings import SearchSettings
from tests.go.helpers import Oracle
from tests.search.twin import LIGHT, full_model, stones_of_game

MEMORY = 2


def memory(player: SearchPlayer) -> int:
    return sum(column.nbytes for tree in (player._tree, player._kept.spare) for column in tree)


def play_game(
    one: SearchPlayer, two: SearchPlayer, size: int, rules: str = "chinese", simulations: int = 60
) -> tuple[Position, int | None]:
    """The last position of a game, and who resigned."""
    position, oracle = Position(size), Oracle(size)
    turn = {BLACK: one, WHITE: two}
    seen = {bytes(position.board.color)}
    while position.board.passes < 2:
        assert len(position.moves) < 3 * size * size
        colour = position.to_move
        game = GameState(position, 6.5, rules)
        choice = turn[colour].choose(game, Budget(simulations=simulations))
        assert memory(turn[colour]) <= MEMORY * 2**20
        if choice.move == RESIGN:
            assert choice.win_rate is not None
            assert choice.win_rate < 0.05
            return position, colour
        if choice.move != PASS:
            assert oracle.is_legal(choice.move, colour)
        oracle.play(choice.move, colour)
        position.play(choice.move)
        assert position.board.color.tolist() == oracle.colors()
        stones = bytes(position.board.color)
        assert choice.move == PASS or stones not in seen
        seen.add(stones)
    return position, None


def light(seed: int) -> SearchPlayer:
    return SearchPlayer(LIGHT, SearchSettings(), memory_mb=MEMORY, seed=seed)


def full(seed: int) -> SearchPlayer:
    return SearchPlayer(full_model(), SearchSettings(), memory_mb=MEMORY, seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_games_end(seed: int) -> None:
    rules = ("chinese", "japanese", "tromp-taylor")[seed % 3]
    position, resigned = play_game(light(seed), light(seed + 50), 9, rules)
    assert position.board.passes == 2 or resigned
    assert len(position.moves) > 20
    assert len(stones_of_game(position)) == len(position.moves) + 1


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 7, 13])
def test_games_on_other_boards_end(size: int) -> None:
    position, resigned = play_game(light(1), light(2), size, simulations=120 if size < 9 else 60)
    assert position.board.passes == 2 or resigned


def test_a_game_with_a_model_ends() -> None:
    position, resigned = play_game(full(1), full(2), 5)
    assert position.board.passes == 2 or resigned


@pytest.mark.slow
def test_the_stronger_wins() -> None:
    """Ten times the simulations win most games, with either colour."""
    wins = 0
    for seed in range(4):
        colour = BLACK if seed % 2 else WHITE
        players = {colour: light(seed), other(colour): light(seed + 9)}
        position = Position(7)
        while position.board.passes < 2:
            mover = position.to_move
            budget = Budget(simulations=300 if mover == colour else 10)
            choice = players[mover].choose(GameState(position, 6.5, may_resign=False), budget)
            position.play(choice.move)
        lead = position.score() - 6.5
        wins += (lead > 0) == (colour == BLACK)
    assert wins >= 3
