"""The pattern player: the model's likeliest moves, under the rules."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.go.board import copy, is_own_eye, new_board
from katachi.go.playout import playout
from katachi.go.points import BLACK, PASS, WHITE, all_points
from katachi.go.position import Position
from katachi.go.rng import new_rng
from katachi.models.predictor import Predictor
from katachi.search.pattern_player import OWNER_PLAYOUTS, PatternPlayer
from katachi.search.player import Budget, GameState, Player
from tests.trained import games, trained

NO_LIMIT = Budget()


def player(temperature: float = 0.0, seed: int = 1) -> PatternPlayer:
    return PatternPlayer(trained(), temperature, seed)


def play_out(one: Player, two: Player, most: int = 200) -> Position:
    """A game between two players, to two passes; every move is checked."""
    position = Position(9)
    turn = {BLACK: one, WHITE: two}
    for _ in range(most):
        colour = position.to_move
        choice = turn[colour].choose(GameState(position), NO_LIMIT)
        assert position.why_illegal(choice.move, superko=True) == ""
        if choice.move != PASS:
            assert not is_own_eye(position.board, choice.move, colour)
        assert choice.line == (choice.move,)
        assert choice.win_rate is None
        position.play(choice.move, superko=True)
        if position.board.passes >= 2:
            break
    return position


def test_it_plays_the_likeliest_move() -> None:
    for position in (game.position(n) for game in games() for n in (0, 10, 20)):
        chances = trained().probabilities(position)
        before = position.board.copy()
        choice = player().choose(GameState(position), NO_LIMIT)
        assert position.board == before
        best = max(chances, key=lambda p: chances[p])
        if best != PASS and not is_own_eye(position.board, best, position.to_move):
            assert choice.move == best
            assert "number 1" in choice.comment


def test_games_end_and_are_the_same_for_a_seed() -> None:
    first = play_out(player(1.0, 3), player(0.5, 4))
    assert first.board.passes == 2
    assert play_out(player(1.0, 3), player(0.5, 4)).moves == first.moves
    assert play_out(player(1.0, 5), player(0.5, 4)).moves != first.moves
    best = play_out(player(), player())
    assert play_out(player(0, 7), player(0, 8)).moves == best.moves


def test_temperature() -> None:
    """Drawn as often as p^(1/T) says."""
    position = next(iter(games())).position(10)
    chances = trained().probabilities(position)
    for temperature in (1.0, 2.0):
        powers = {p: c ** (1 / temperature) for p, c in chances.items() if p != PASS}
        total = sum(powers.values())
        drawn = player(temperature)
        count = 300
        seen = Counter(drawn.choose(GameState(position), NO_LIMIT).move for _ in range(count))
        for p, power in powers.items():
            expected = count * power / total
            assert abs(seen[p] - expected) < 5 * max(expected, 1) ** 0.5
    cold = player(1e-300).choose(GameState(position), NO_LIMIT).move
    assert cold == max(chances, key=chances.__getitem__)


def test_other_boards_are_refused() -> None:
    with pytest.raises(KatachiError, match="on 19x19, but the shapes were harvested on 9x9"):
        player().choose(GameState(Position(19)), NO_LIMIT)


# Black is far ahead; the white stone in its area is dead.
WON = """
. X . X . X O . O
X X X X X X O O .
X X X X X X O O O
. O . X . X O . O
X X X X X X O O .
X X X X X X O O O
. X . X . X O O .
X X X X X X O O O
X X . X . X O . O
"""


def test_it_passes_after_a_pass_if_it_is_ahead() -> None:
    position = Position.from_diagram(WON, to_move=WHITE)
    position.pass_()
    assert player().choose(GameState(position), NO_LIMIT).move == PASS
    assert player().choose(GameState(position, cleanup=True), NO_LIMIT).move != PASS
    # Black's area is 54 - 27. By Tromp-Taylor the dead stone lives: 51 - 28.
    wants = PatternPlayer(_Wants(position.point("A6")))  # type: ignore[arg-type]
    for komi, chinese, tromp_taylor in ((20.5, 1, 1), (24.5, 1, 0), (28.5, 0, 0)):
        for rules, passes in (("chinese", chinese), ("tromp-taylor", tromp_taylor)):
            found = wants.choose(GameState(position, komi, rules), NO_LIMIT).move
            assert found == (PASS if passes else position.point("A6"))
    # Without the opponent's pass it plays what is likely.
    fresh = Position.from_diagram(WON, to_move=BLACK)
    assert wants.choose(GameState(fresh), NO_LIMIT).move == fresh.point("A6")


def test_nothing_else_left() -> None:
    """White has eyes only, and Black nowhere to go."""
    text = """
    . O . O O O O O O
    O O O O O O O O O
    O O O O O O O O O
    O O O O O O O O O
    O O O O O O O O O
    O O O O O O O O O
    O O O O O O O O O
    O O O O O O O O O
    O O O O O O O O O
    """
    for colour in (BLACK, WHITE):
        position = Position.from_diagram(text, to_move=colour)
        assert player().choose(GameState(position), NO_LIMIT).move == PASS
        assert player(2.0).choose(GameState(position, cleanup=True), NO_LIMIT).move == PASS


def test_it_does_not_repeat_a_position() -> None:
    """A pass lifts the ban of a ko, but the position would still be an old one."""
    position = Position.from_diagram(
        """
        . . X O . . . . .
        . X O . O . . . .
        . . X O . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    )
    position.play("D8", BLACK)  # takes C8
    position.play("pass", WHITE)
    assert position.stone("C8") == 0

    chosen = PatternPlayer(_Wants(position.point("C8")))  # type: ignore[arg-type]
    game = GameState(position)
    position.board.to_move = WHITE
    assert position.why_illegal("C8", WHITE) == ""
    assert position.why_illegal("C8", WHITE, superko=True) == "superko"
    assert chosen.choose(game, NO_LIMIT).move != position.point("C8")


class _Wants:
    """A model in name: all of its mind is on one point."""

    predictor = Predictor({})

    def __init__(self, p: int) -> None:
        self.p = p

    def probabilities(self, position: Position) -> dict[int, float]:
        return {q: 1.0 if q == self.p else 1e-9 for q in position.legal_moves()}


def test_owners() -> None:
    position = Position.from_diagram(WON)
    position.pass_()
    position.pass_()  # the end of the game does not keep it from playing on
    owners = player().owners(GameState(position))
    assert owners.shape == (421,)
    left = [p for p in all_points(9) if (p - 1) % 20 < 5]
    right = [p for p in all_points(9) if (p - 1) % 20 > 5]
    assert owners[left].min() > 0.9
    assert owners[right].max() < 0.1
    assert (player().owners(GameState(position)) == owners).all()
    early = GameState(Position(9))
    assert (player(0, 1).owners(early) != player(0, 2).owners(early)).any()


def test_owners_are_counted_as_a_person_would() -> None:
    """The slow twin: the same playouts, looked at point by point."""
    game = next(iter(games()))
    position = game.position(30)
    owners = player(0, 5).owners(GameState(position))
    rng = new_rng(5 ^ int(position.board.hash))
    black = dict.fromkeys(all_points(9), 0.0)
    for colour in (BLACK, WHITE):
        start = Position.from_stones(9, position.colors, colour)
        for _ in range(OWNER_PLAYOUTS // 2):
            work = new_board(9)
            copy(work, start.board)
            playout(work, rng)
            for p in black:
                near = {int(work.color[p + d]) for d in (-20, -1, 1, 20)} - {0, 3}
                seen = {int(work.color[p])} if work.color[p] else near
                black[p] += 0.5 if len(seen) != 1 else float(seen == {BLACK})
    for p, count in black.items():
        assert owners[p] == pytest.approx(count / OWNER_PLAYOUTS)
    assert np.std(owners[all_points(9)]) > 0.1
