"""Few simulations follow the prior; many follow themselves."""

from __future__ import annotations

import math

import numpy as np
import pytest

from katachi.go.points import PASS, from_vertex, vertex
from katachi.go.position import Position
from katachi.models.model import load_model
from katachi.search.engine import search_player
from katachi.search.found import leaders, searched, weights
from katachi.search.player import Budget, GameState
from katachi.search.tree import FORBIDDEN, ROOT, SearchTree, new_tree

WON = 120.0
NOTHING = np.zeros(2 + 2 * 441, np.int64)


def tree_of(*children: tuple[str, int, float, float]) -> SearchTree:
    """A root with children: (vertex or pass, visits, win rate, lean)."""
    tree = new_tree(1000)
    tree.first[ROOT], tree.children[ROOT] = 1, len(children)
    for i, (name, visits, rate, lean) in enumerate(children, 1):
        tree.move[i] = PASS if name == "pass" else from_vertex(name, 9)
        tree.visits[i], tree.wins[i], tree.lean[i] = visits, visits * rate, lean
        tree.prior[i] = lean * lean * 0.9
    tree.visits[ROOT] = sum(visits for _, visits, _, _ in children)
    return tree


def best(tree: SearchTree) -> list[str]:
    found = searched(tree, NOTHING, GameState(Position(9)), WON)
    return [vertex(move, 9) for move, *_ in found.moves]


def test_a_tiny_prior_needs_more_visits() -> None:
    absurd, usual = ("H8", 135, 0.585, 0.0), ("G4", 113, 0.442, 1.0)
    assert best(tree_of(absurd, usual)) == ["G4", "H8"]
    assert best(tree_of(("H8", 1350, 0.585, 0.0), ("G4", 1130, 0.442, 1.0))) == ["H8", "G4"]


def test_the_rest_is_in_the_order_of_visits() -> None:
    tree = tree_of(
        ("A1", 50, 0.5, 0.1),
        ("B2", 60, 0.5, 0.0),
        ("C3", 10, 0.5, 1.0),
        ("D4", 5, 0.5, 0.9),
        ("E5", 0, 0.0, 1.0),
    )
    assert best(tree) == ["C3", "B2", "A1", "D4"]  # E5 has none


def test_a_pass_counts_by_its_visits() -> None:
    tree = tree_of(("A1", 50, 0.5, 0.0), ("pass", 60, 0.5, 1.0), ("C3", 40, 0.5, 0.5))
    assert weights(tree, WON).tolist() == [50, 60, 100]
    assert best(tree) == ["C3", "pass", "A1"]
    tree = tree_of(("A1", 50, 0.5, 0.0), ("pass", 160, 0.5, 0.0), ("C3", 40, 0.5, 0.5))
    assert best(tree) == ["pass", "C3", "A1"]  # the next is what is played where a pass loses


def test_forbidden_moves_are_left_out() -> None:
    tree = tree_of(("A1", 50, 0.5, 1.0), ("B2", 60, 0.5, 0.0))
    tree.state[1] |= FORBIDDEN
    assert best(tree) == ["B2"]


def test_the_leaders_are_those_of_the_choice() -> None:
    tree = tree_of(("H8", 135, 0.585, 0.0), ("G4", 113, 0.442, 1.0))
    first, second, agreed, rate = leaders(tree, WON)
    assert (first, second) == (233, 135)
    assert not agreed
    assert rate == pytest.approx(0.442, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("opening", "seed"), [("", 100), ("Q16", 101), ("K10", 105), ("Q16 D16 Q4 D4", 106)]
)
def test_openings_of_some_hundred_simulations(opening: str, seed: int) -> None:
    """On 19x19 with 350 simulations, one of twenty moves had a prior below 0.001."""
    player = search_player(load_model(), memory_mb=64, seed=seed)
    position = Position(19)
    for name in opening.split():
        position.play(name)
    logs = []
    while len(position.moves) < 7:
        game = GameState(position.copy())
        found = player.search(game, Budget(simulations=350))
        choice = player.decide(game, found, 0.0)
        prior = next(p for move, _, _, p in found.moves if move == choice.move)
        assert prior >= 0.001, (len(position.moves), vertex(choice.move, 19))
        assert choice.line[0] == choice.move
        logs.append(math.log(prior))
        position.play(choice.move)
    assert sum(logs) / len(logs) > -2.5


def test_the_comment_tells_the_moves_simulations_and_all() -> None:
    player = search_player(load_model(), memory_mb=16)
    game = GameState(Position(9))
    found = player.search(game, Budget(simulations=200))
    choice = player.decide(game, found, 0.0)
    visits = next(n for move, n, _, _ in found.moves if move == choice.move)
    assert visits < 200
    words = f"{vertex(choice.move, 9)} wins {choice.win_rate:.1%} of its {visits} simulations, "
    assert choice.comment.startswith(words + f"{found.visits} in all")
