"""The tree of one thread against its slow twin, node by node, and against numbers of the twin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from katachi.go.points import AREA, BLACK, PASS, WHITE, all_points, vertex
from katachi.go.position import Position
from katachi.models.model import Model
from katachi.search.player import Budget, GameState
from katachi.search.settings import PRESETS, SearchSettings
from katachi.search.tree import NO_CHILDREN, ROOT
from tests.search.twin import (
    EYES,
    FIXED,
    LIGHT,
    Node,
    Twin,
    assert_same_counts,
    assert_same_tree,
    full_model,
    play_on,
    wandered,
    whole,
)
from tests.trained import trained

RAVE = FIXED
UCB = PRESETS["patterns"]
WIDENING = replace(PRESETS["patterns-and-widening"], model_after=-1, expand_after=4)
SETTINGS = {
    "default": SearchSettings(model_after=-1),
    "rave": RAVE,
    "plain": UCB,
    "plain, expanded early": replace(UCB, expand_after=3),
    "journal": WIDENING,
    "workshop": replace(WIDENING, widening="workshop"),
    "widening and rave": replace(RAVE, widening="journal"),
    "fading": replace(RAVE, prior_fades=5.0),
    "bias": replace(RAVE, bias=1.5),
    "forced": replace(RAVE, forced=0.8),
    "forced, with rave alone": replace(RAVE, forced=3.0, prior_even=0.0, prior_won=0.0),
    "bias and ucb": replace(UCB, bias=0.7, expand_after=1),
    "every move": replace(RAVE, children="legal", self_atari="useful"),
    "every move, widened": replace(WIDENING, children="legal", self_atari="useful"),
    "nakade": replace(RAVE, nakade=0.8),
    "sized": replace(RAVE, gammas="sized"),
    "whole answers": replace(RAVE, gammas="balanced", answers="whole", tight=0.2),
    "rave off": replace(RAVE, rave=0.0),
    "rave without prior": replace(RAVE, prior_even=0.0, prior_won=0.0, urgency=0.7, rave=300.0),
    "uniform": replace(RAVE, playouts="uniform"),
    "no-patterns": replace(PRESETS["no-patterns"], expand_after=5),
    "virtual loss": replace(RAVE, virtual_loss=3, expand_after=1),
}


# Few moves are left, among them captures, kos and passes.
ENDGAME = """
. X X O .
X . X O O
X X O . O
O O O O .
. O . O .
"""


def positions() -> dict[str, Position]:
    late = Position.from_diagram(ENDGAME)
    late.play("E1", WHITE)
    late.pass_()
    return {
        "5x5": Position(5),
        "5x5 late": late,
        "7x7": wandered(7, 3, 24),
        "9x9": wandered(9, 5, 31),
    }


@pytest.mark.slow
@pytest.mark.parametrize("where", positions())
@pytest.mark.parametrize("name", SETTINGS)
def test_the_tree_is_the_twins(name: str, where: str) -> None:
    position, settings = positions()[where], SETTINGS[name]
    seed = len(name) + len(where)
    game = GameState(position, komi=0.5 if position.size == 7 else 6.5)
    count = 60 if position.size == 9 else 120
    player, twin = whole(settings, seed), Twin(game, settings, seed)
    tree = player.simulate(game, count)
    nodes = assert_same_tree(tree, twin.run(count))
    assert nodes > len(twin.root.children)
    assert_same_counts(player, twin)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_tree_is_the_twins_in_pieces_too(seed: int) -> None:
    """Asked for a few simulations at a time, and with a whole number as komi: games are drawn."""
    game = GameState(wandered(5, seed, 12), komi=5.0)
    player, twin = whole(RAVE, seed), Twin(game, RAVE, seed)
    for count in (1, 2, 1, 129, 67):
        player.simulate(game, count)
    assert_same_tree(player.tree, twin.run(200))
    assert any(won == 0.5 for _, won in twin.ends)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rave", "journal"])
def test_the_tree_is_the_twins_from_move_to_move(name: str) -> None:
    """What is kept after the most visited move and its answer is what the twin has there."""
    settings = replace(SETTINGS[name], expand_after=2)
    position = wandered(7, 11, 10)
    player, twin = whole(settings, 4), Twin(GameState(position), settings, 4)
    for _ in range(5):
        game = GameState(position)
        player.simulate(game, 150)
        assert_same_tree(player.tree, twin.run(150))
        assert_same_counts(player, twin)
        best = max(twin.root.children, key=lambda child: child.visits)
        position = play_on(position, best.move)
        twin.advance(GameState(position))
        assert twin.root.visits > 0


@pytest.mark.parametrize("moves", ["", "A1", "A1 C1"])
@pytest.mark.parametrize("komi", [-7.5, 0.5])
def test_repeated_positions(moves: str, komi: float) -> None:
    """White's sending two and taking back one, before it begins and in the middle of it."""
    twin = check_repeats(". O . O O", moves, komi)
    if moves:
        assert any(node.forbidden and node.move != PASS for node in nodes_of(twin.root))


def test_repeated_positions_by_moves_that_take_nothing() -> None:
    check_repeats("O . . O O", "B1 C1 B1 pass", -7.5)


def check_repeats(bottom: str, moves: str, komi: float) -> Twin:
    position = Position.from_diagram(EYES + bottom, to_move=WHITE)
    for name in moves.split():
        position.play(name)
    # By these rules the search thinks of a pass that may lose, as the twin does.
    game = GameState(position, komi, "tromp-taylor")
    player, twin = whole(RAVE, 1), Twin(game, RAVE, 1)
    tree = player.simulate(game, 200)
    assert_same_tree(tree, twin.run(200))
    return twin


MODELS = {
    "after 2": replace(RAVE, model_after=2),
    "after 9": replace(RAVE, model_after=9, bias=1.0),
    "before there are children": replace(RAVE, model_after=1, expand_after=4),
    "patterns-and-widening": PRESETS["patterns-and-widening"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("size", [5, 9])
def test_the_tree_is_the_twins_with_a_model(name: str, size: int) -> None:
    model = full_model()
    check_model(model, MODELS[name], wandered(size, 2, size * 2))


@pytest.mark.slow
def test_the_tree_is_the_twins_with_a_trained_model() -> None:
    model = replace(trained(), playout=LIGHT)
    check_model(model, MODELS["after 2"], wandered(9, 8, 17))


def check_model(model: Model, settings: SearchSettings, position: Position) -> None:
    game, count = GameState(position), 150
    player, twin = whole(settings, 6, model), Twin(game, settings, 6, model=model)
    tree = player.simulate(game, count)
    assert_same_tree(tree, twin.run(count))
    described = [node for node in nodes_of(twin.root) if node.described]
    assert len(described) > (1 if settings.expand_after == 0 and position.size == 5 else 0)
    assert_same_counts(player, twin)


def nodes_of(root: Node) -> list[Node]:
    found = [root]
    for node in found:  # grows on the way
        found += node.children
    return found


def test_a_board_of_a_size_unknown_to_the_shapes_is_searched_without_the_model() -> None:
    """The trained model's shapes are of 9x9."""
    model = replace(trained(), playout=LIGHT)
    game = GameState(wandered(7, 1, 9))
    settings = replace(RAVE, model_after=2)
    tree = whole(settings, 3, model).simulate(game, 100)
    assert_same_tree(tree, Twin(game, settings, 3).run(100))


# -- what the simulations say of the points ---------------------------------------------------


def test_owners_and_criticality_from_every_single_simulation() -> None:
    game = GameState(wandered(7, 9, 20), komi=2.5)
    player, twin = whole(RAVE, 2), Twin(game, RAVE, 2)
    found = player.search(game, Budget(simulations=300))
    twin.run(300)
    black_wins = np.array([won for _, won in twin.ends])
    assert 0.02 < black_wins.mean() < 0.98
    for p in range(AREA):
        black = np.array([owners.get(p) == BLACK for owners, _ in twin.ends])
        white = np.array([owners.get(p) == WHITE for owners, _ in twin.ends])
        assert found.black[p] == pytest.approx(black.mean())
        if p not in all_points(7):
            assert found.criticality[p] == 0
        elif np.all(black | white):  # where it is nobody's, the engine counts it as White's
            # Of two coins with the same mean: twice their covariance
            covariance = np.mean(black * black_wins) - black.mean() * black_wins.mean()
            assert found.criticality[p] == pytest.approx(2 * covariance, abs=1e-9)
    moves = sorted((c.move, c.visits, c.wins / c.visits) for c in twin.root.children if c.visits)
    assert sorted(move[:2] for move in found.moves) == [move[:2] for move in moves]
    rates = {move: rate for move, _, rate, _ in found.moves}
    assert rates == pytest.approx({move: rate for move, _, rate in moves})
    visits = [v for _, v, _, _ in found.moves[1:]]
    assert visits == sorted(visits, reverse=True)
    worth = {c.move: c.visits + RAVE.prior_won * c.lean for c in twin.root.children if c.visits}
    assert found.moves[0][0] == max(worth, key=lambda move: worth[move])
    assert found.visits == 300
    scores = {c.move: np.array(c.scores) for c in twin.root.children if c.visits}
    sign = 1 if game.position.to_move == BLACK else -1
    for (move, *_), (lead, deviation) in zip(found.moves, found.leads, strict=True):
        assert lead == pytest.approx(sign * (scores[move].mean() - game.komi))
        assert deviation == pytest.approx(scores[move].std(), abs=1e-3)
    assert found.lead == pytest.approx(sign * (np.mean(twin.root.scores) - game.komi))
    assert found.deviation == pytest.approx(np.std(twin.root.scores), abs=1e-3)
    assert found.win_rate == pytest.approx(1 - twin.root.wins / twin.root.visits)


# -- golden trees -----------------------------------------------------------------------------

GENTLE = replace(FIXED, rave=3500.0, prior_won=30.0)
FIGHT = """
. . X . .
. X O X .
. . O X .
. O . O .
. . . . .
"""
CORNER = """
. . O . . . .
X . O . . . .
. X O . X . .
O O O . . . .
. . . . X . .
. X . X . . .
. . . . . . .
"""

GOLDEN_POSITIONS = {
    "5x5, the start": (Position(5), GENTLE, 0.5),
    "5x5, a fight": (Position.from_diagram(FIGHT), GENTLE, 0.5),
    "7x7, UCB": (
        Position.from_diagram(CORNER),
        replace(GENTLE, rave=0.0, ucb=0.5, prior_even=1.0, prior_won=2.0),
        6.5,
    ),
}
# Visits of the root's moves after 250 simulations with seed 2007, moves without any left out.
# Written by the twin: python -m tests.search.test_simulate prints them.
GOLDEN = {
    "5x5, the start": """
        B5 7 C5 1 B4 6 C4 16 D4 30 B3 99 C3 48 D3 16 B2 15 C2 6 D2 5 B1 1
    """,
    "5x5, a fight": """
        A3 20 B3 83 A2 12 C2 52 E2 39 A1 5 B1 27 C1 1 D1 9 E1 2
    """,
    "7x7, UCB": """
        A7 10 B7 9 D7 4 E7 7 F7 11 G7 5 B6 4 D6 4 E6 12 F6 3 G6 14 A5 4 D5 7 F5 11 G5 4
        D4 3 E4 4 F4 6 G4 6 A3 8 B3 9 C3 15 D3 3 F3 4 G3 4 A2 12 C2 5 E2 9 F2 5 G2 7 A1
        4 B1 5 C1 4 D1 5 E1 13 F1 6 G1 4
    """,
}


@pytest.mark.parametrize("name", GOLDEN_POSITIONS)
def test_golden_tree(name: str) -> None:
    position, settings, komi = GOLDEN_POSITIONS[name]
    tree = whole(settings, 2007).simulate(GameState(position, komi), 250)
    first, n = int(tree.first[ROOT]), int(tree.children[ROOT])
    assert first != NO_CHILDREN
    found = {
        vertex(int(tree.move[i]), position.size): int(tree.visits[i])
        for i in range(first, first + n)
        if tree.visits[i]
    }
    words = GOLDEN[name].split()
    assert found == dict(zip(words[::2], map(int, words[1::2]), strict=True))
    assert sum(found.values()) == 250


def print_golden() -> None:
    for name, (position, settings, komi) in GOLDEN_POSITIONS.items():
        root = Twin(GameState(position, komi), settings, 2007).run(250)
        moves = [c for c in root.children if c.visits]
        print(name, *(f"{vertex(c.move, position.size)} {c.visits}" for c in moves))


if __name__ == "__main__":
    print_golden()
