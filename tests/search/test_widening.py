"""Progressive widening: its thresholds, and trees that grow by them, simulation by simulation."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from katachi.go.points import PASS
from katachi.go.position import Position
from katachi.search.player import GameState
from katachi.search.sampler import new_sampler, start
from katachi.search.settings import PRESETS
from katachi.search.tree import FORBIDDEN, NO_CHILDREN, ROOT, SearchTree
from katachi.search.widening import MOST_MOVES, thresholds
from tests.search.test_sampler import weigh
from tests.search.twin import openings, wandered, whole

PLAIN = PRESETS["patterns"]
WIDENING = replace(PRESETS["patterns-and-widening"], model_after=-1)


def test_the_journals_recursion() -> None:
    t = [0.0]  # t_0
    for n in range(MOST_MOVES - 1):
        t.append(t[n] + 40 * 1.4**n)
    assert thresholds("journal") == pytest.approx(t, rel=1e-12)
    assert t[:5] == pytest.approx([0, 40, 96, 174.4, 284.16])
    assert thresholds("journal")[:5] == pytest.approx([0, 40, 96, 174.4, 284.16])


def test_the_workshops_formula() -> None:
    found = thresholds("workshop")
    assert found[0] == 0
    assert len(found) == MOST_MOVES
    for n in range(2, MOST_MOVES + 1):
        assert found[n - 1] == pytest.approx(40 * 1.4 ** (n - 2), rel=1e-12)
    assert found[1:5] == pytest.approx([40, 56, 78.4, 109.76])


def test_no_schedule() -> None:
    assert not thresholds("none").any()
    assert len(thresholds("none")) == MOST_MOVES
    with pytest.raises(ValueError, match=r"'late' is none of none, journal, workshop"):
        thresholds("late")


def best_moves(position: Position) -> list[int]:
    """The moves by their weights, the heaviest first; PASS, which has none, comes last."""
    sampler = new_sampler()
    start(position.board, sampler)
    weights = weigh(position.board, sampler, position.to_move)
    found = np.flatnonzero(weights).tolist()
    return [*sorted(found, key=lambda p: (-np.float32(weights[p] / weights.sum()), p)), PASS]


def root_moves(tree: SearchTree) -> list[tuple[int, int]]:
    """(move, visits) of the root's moves, in the order of the prior."""
    first, n = int(tree.first[ROOT]), int(tree.children[ROOT])
    children = [first + int(i) for i in tree.order[first : first + n]]
    return [(int(tree.move[c]), int(tree.visits[c])) for c in children]


@pytest.mark.parametrize("schedule", ["journal", "workshop"])
def test_moves_open_exactly_at_their_thresholds(schedule: str) -> None:
    position = wandered(7, 4, 11)
    order = best_moves(position)
    player = whole(replace(WIDENING, widening=schedule), 8)
    limits = thresholds(schedule)
    begun: dict[int, int] = {}  # move → number of the simulation that was its first
    for k in range(1, 401):
        tree = player.simulate(GameState(position), 1)
        assert tree.visits[ROOT] == k
        n = openings(schedule, k - 1)
        assert n == np.count_nonzero(limits <= k - 1)
        assert tree.opened[ROOT] == n
        moves = root_moves(tree)
        assert [move for move, _ in moves] == order
        visited = [move for move, visits in moves if visits]
        assert visited == order[:n]  # none beyond, and each new one at once
        for move in visited:
            begun.setdefault(move, k)
    # A move is searched once its threshold is reached by the simulations before.
    want = [math.ceil(limit) + 1 for limit in limits if limit <= 399]
    assert list(begun.values()) == want
    assert want[:3] == ([1, 41, 97] if schedule == "journal" else [1, 41, 57])


def test_without_widening_every_move_is_tried_at_once() -> None:
    position = wandered(7, 4, 11)
    player = whole(PLAIN, 8)
    moves = len(best_moves(position)) - 1
    tree = player.simulate(GameState(position), moves)
    assert [visits for move, visits in root_moves(tree) if move != PASS] == [1] * moves


def test_every_node_opens_by_its_own_simulations() -> None:
    position, settings = wandered(5, 6, 6), replace(WIDENING, expand_after=3)
    tree = whole(settings, 2).simulate(GameState(position), 1500)
    checked = 0
    for node, depth in inner_nodes(tree):
        visits, n = int(tree.visits[node]), int(tree.children[node])
        passed_by = visits if depth == 0 else visits - 4  # without those that ended here
        if passed_by == 0:
            continue
        opened = min(n, openings("journal", visits - 1))
        assert tree.opened[node] == opened
        first = int(tree.first[node])
        order = tree.order[first : first + n]
        assert not tree.visits[first + order[opened:]].any()
        inside = tree.visits[first + order[:opened]]
        if not np.any(tree.state[first + order[:opened]] & FORBIDDEN):
            assert inside.all()
            assert inside.sum() == passed_by
            checked += 1
    assert checked > 20


def test_a_node_waits_for_as_many_simulations_as_the_board_has_points() -> None:
    tree = whole(PLAIN, 5).simulate(GameState(Position(5)), 3000)
    waiting = grown = 0
    for node, depth in inner_nodes(tree):
        first, n = int(tree.first[node]), int(tree.children[node])
        children = range(first, first + n)
        simulations = int(tree.visits[node])
        if depth:
            # The 26th made the children, and was played out from here like the 25 before.
            assert simulations >= 26
            assert tree.visits[first : first + n].sum() == simulations - 26
            grown += 1
        for child in children:
            if tree.first[child] == NO_CHILDREN:
                assert tree.visits[child] <= 25
                waiting += tree.visits[child] > 0
    assert waiting > 100
    assert grown > 10


def inner_nodes(tree: SearchTree) -> list[tuple[int, int]]:
    """(node, depth) of every node with children."""
    found = [(ROOT, 0)]
    for node, depth in found:  # grows on the way
        first = int(tree.first[node])
        children = range(first, first + int(tree.children[node]))
        found += [(c, depth + 1) for c in children if tree.first[c] != NO_CHILDREN]
    return found
