"""The tree's arrays: what is kept of them, how much memory they take, and their priors."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from katachi.go.points import AREA, PASS
from katachi.go.position import Position
from katachi.search.player import Budget, GameState
from katachi.search.settings import SearchSettings
from katachi.search.tree import (
    DESCRIBED,
    NO_CHILDREN,
    NODE_BYTES,
    ROOT,
    SearchTree,
    child_of,
    clear_node,
    keep,
    line,
    new_tree,
    set_priors,
)
from tests.search.twin import FIXED, LIGHT, Whole, full_model, play_on, wandered, whole

SETTINGS = replace(FIXED, expand_after=1, model_after=2, widening="journal")
STATISTICS = [name for name in SearchTree._fields if name not in ("first",)]


def grown(count: int = 600) -> SearchTree:
    return whole(SETTINGS, 3, full_model()).simulate(GameState(wandered(5, 1, 4)), count)


def contents(tree: SearchTree, node: int) -> dict[tuple[int, ...], tuple[Any, ...]]:
    """Of the tree under a node: moves from there → all that the node holds, but for its place."""
    columns = {name: column.tolist() for name, column in tree._asdict().items()}
    found = {}
    todo: list[tuple[int, tuple[int, ...]]] = [(node, ())]
    for place, path in todo:  # grows on the way
        found[path] = tuple(columns[name][place] for name in STATISTICS)
        first = columns["first"][place]
        if first != NO_CHILDREN:
            children = range(first, first + columns["children"][place])
            todo += [(child, (*path, columns["move"][child])) for child in children]
    return found


def most_visited(tree: SearchTree, node: int = ROOT) -> int:
    first, n = int(tree.first[node]), int(tree.children[node])
    return first + int(np.argmax(tree.visits[first : first + n]))


def test_all_under_a_node_is_kept() -> None:
    tree = grown()
    for node in (ROOT, most_visited(tree), most_visited(tree, most_visited(tree))):
        before = contents(tree, node)
        spare = new_tree(len(tree.move))
        for column in spare:
            column[:] = 77  # whatever was there
        used = keep(tree, spare, node, len(tree.move))
        assert used == len(before) > 10
        assert contents(spare, ROOT) == before
        assert contents(tree, node) == before  # which is left as it was


def test_a_leaf_is_kept_as_a_root_without_children() -> None:
    tree, spare = grown(3), new_tree(1000)
    first, n = int(tree.first[ROOT]), int(tree.children[ROOT])
    leaf = next(c for c in range(first, first + n) if tree.first[c] == NO_CHILDREN)
    assert keep(tree, spare, leaf, 1000) == 1
    assert contents(spare, ROOT) == contents(tree, leaf)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_what_is_beyond_loses_its_children_not_its_simulations(share: float) -> None:
    tree = grown()
    whole_tree = contents(tree, ROOT)
    most, spare = int(share * len(whole_tree)), new_tree(len(tree.move))
    used = keep(tree, spare, ROOT, most)
    found = contents(spare, ROOT)
    assert len(found) == used <= most
    # The slow twin: level by level, as long as all children of a node find room.
    want: dict[tuple[int, ...], tuple[Any, ...]] = {(): whole_tree[()]}
    room = most - 1
    at = {name: i for i, name in enumerate(STATISTICS)}
    todo: list[tuple[int, ...]] = [()]
    lost = 0
    by_parent: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for path in whole_tree:
        if path:
            by_parent.setdefault(path[:-1], []).append(path)
    for path in todo:  # grows on the way
        children = by_parent.get(path, [])
        if len(children) <= room:
            room -= len(children)
            want |= {child: whole_tree[child] for child in children}
            todo += children
        else:
            bare = list(want[path])
            bare[at["children"]] = bare[at["opened"]] = 0
            bare[at["state"]] &= ~DESCRIBED
            want[path] = tuple(bare)
            lost += 1
    assert found == want
    assert lost > 0
    assert set(found) < set(whole_tree)


def test_child_of() -> None:
    tree = grown(60)
    first, n = int(tree.first[ROOT]), int(tree.children[ROOT])
    for child in range(first, first + n):
        assert child_of(tree, ROOT, int(tree.move[child])) == child
    assert tree.move[first + n - 1] == PASS
    stone = next(p for p in range(AREA) if p not in tree.move[first : first + n])
    assert child_of(tree, ROOT, stone) is None
    assert child_of(new_tree(1000), ROOT, PASS) is None


def small() -> SearchTree:
    """A root with five children, the last of them PASS."""
    tree = new_tree(1000)
    moves = [21, 22, 41, 42, PASS]
    tree.first[ROOT], tree.children[ROOT] = 1, len(moves)
    tree.move[1:6] = moves
    tree.order[1:6] = range(5)
    tree.first[1:6] = NO_CHILDREN
    return tree


def test_priors_by_hand() -> None:
    tree = small()
    chances = np.zeros(AREA)
    chances[[21, 22, 41, 42, PASS]] = 0.1, 0.4, 0.1, 0.025, 0.3
    set_priors(tree, ROOT, chances, True)
    assert tree.prior[1:6] == pytest.approx([0.1, 0.4, 0.1, 0.025, 0.3])
    assert tree.lean[1:6] == pytest.approx([0.5, 1, 0.5, 0.25, math.sqrt(0.75)])
    assert tree.order[1:6].tolist() == [1, 4, 0, 2, 3]  # equals in the order of the board
    assert tree.state[ROOT] == DESCRIBED
    set_priors(tree, ROOT, chances[::-1] * 0, False)
    assert not tree.lean[1:6].any()
    assert tree.order[1:6].tolist() == [1, 4, 0, 2, 3]  # not asked for


def test_a_likely_pass_leans_no_more_than_the_likeliest_move() -> None:
    tree = small()
    chances = np.zeros(AREA)
    chances[[21, 22, 41, 42, PASS]] = 0.05, 0.05, 0.0125, 0.0, 0.8
    set_priors(tree, ROOT, chances, True)
    assert tree.lean[1:6] == pytest.approx([1, 1, 0.5, 0, 1])
    assert tree.order[1:6].tolist() == [4, 0, 1, 2, 3]


def test_priors_of_a_model_in_a_search() -> None:
    """The root's moves have the model's probabilities, in their order."""
    model, position = full_model(), wandered(7, 2, 8)
    tree = whole(SETTINGS, 1, model).simulate(GameState(position), 10)
    first, n = int(tree.first[ROOT]), int(tree.children[ROOT])
    chances = model.probabilities(position)
    moves, priors = tree.move[first : first + n].tolist(), tree.prior[first : first + n].tolist()
    found = dict(zip(moves, priors, strict=True))
    assert found == {p: pytest.approx(chances[p]) for p in found}
    ordered = tree.prior[first + tree.order[first : first + n]]
    assert np.all(np.diff(ordered) <= 0)
    assert sorted(tree.order[first : first + n]) == list(range(n))
    largest = max(chances[p] for p in found if p != PASS)
    assert tree.lean[first : first + n] == pytest.approx(
        [math.sqrt(min(1, chances[int(p)] / largest)) for p in tree.move[first : first + n]]
    )


def test_line() -> None:
    tree = grown()
    nodes = line(tree, ROOT)
    assert nodes[0] == most_visited(tree)
    assert nodes[1] == most_visited(tree, most_visited(tree))
    assert line(tree, ROOT, 1) == nodes[:1]
    assert line(new_tree(1000), ROOT) == []


# -- memory ---------------------------------------------------------------------------------------


def test_bytes_of_a_node() -> None:
    tree = new_tree(1000)
    assert sum(column.itemsize for column in tree) == NODE_BYTES
    assert all(len(column) == 1000 for column in tree)
    assert len(new_tree(5).move) == 1000  # the least
    tree.visits[7] = tree.first[7] = 3
    clear_node(tree, 7)
    assert (tree.visits[7], tree.first[7]) == (0, NO_CHILDREN)


def memory(player: Whole) -> int:
    """Of both trees, the one searched and the spare one."""
    return sum(column.nbytes for tree in (player._tree, player._kept.spare) for column in tree)


@pytest.mark.parametrize("megabytes", [1, 3, 16])
def test_memory_is_what_the_setting_says(megabytes: int) -> None:
    player = Whole(LIGHT, SearchSettings(), memory_mb=megabytes)
    assert 0.99 * megabytes * 2**20 < memory(player) <= megabytes * 2**20


@pytest.mark.parametrize("threads", [1, 2])
def test_the_search_goes_on_when_memory_is_full(threads: int) -> None:
    settings = replace(FIXED, expand_after=1)
    player = Whole(LIGHT, settings, threads=threads, memory_mb=1)
    position = Position(9)
    assert not player.full
    for _ in range(4):
        before = player.tree.visits[ROOT] if position.moves else 0
        choice = player.choose(GameState(position), Budget(simulations=700))
        assert choice.simulations == 700
        assert player.full
        assert memory(player) <= 2**20
        tree = player.tree
        assert tree.visits[ROOT] >= 600
        assert before == 0 or tree.visits[ROOT] > 0
        reached = contents(tree, ROOT)
        assert len(reached) <= len(tree.move)
        assert position.why_illegal(choice.move, superko=True) == ""
        position = play_on(position, choice.move)
    player.clear()
    assert not player.full
    player.simulate(GameState(Position(9)), 20)
    assert not player.full
