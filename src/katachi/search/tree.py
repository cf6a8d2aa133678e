"""The search tree, in flat arrays.

A node is a move and the position after it; its wins are those of the player who made the move. The
children of a node stand side by side. Node 0 is the root, whose move means nothing.

Memory is bounded: `new_tree` has room for a number of nodes, and threads take blocks of it, each
from a part of its own, so that they need no lock. What is left of the last search is moved to the
front (`keep`), and the rest forgotten.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import int64, kernel
from katachi.go.points import PASS

ROOT: Final = 0
NO_CHILDREN: Final = -1  # in `first`

# Bits of `state`
FORBIDDEN: Final = 1  # repeats a position, or a pass that is not to be thought of yet
DESCRIBED: Final = 2  # the full model has weighed the children


class SearchTree(NamedTuple):
    """One entry to a node in each array."""

    move: npt.NDArray[np.int16]
    state: npt.NDArray[np.uint8]
    children: npt.NDArray[np.int16]  # how many
    opened: npt.NDArray[np.int16]  # of them, how many widening lets in
    order: npt.NDArray[np.int16]  # [first + i] which child is the i-th best of the model
    first: npt.NDArray[np.int32]  # the first child, or NO_CHILDREN
    visits: npt.NDArray[np.int32]  # simulations
    wins: npt.NDArray[np.float32]
    amaf_visits: npt.NDArray[np.float32]
    amaf_wins: npt.NDArray[np.float32]
    prior: npt.NDArray[np.float32]  # probability by the model
    lean: npt.NDArray[np.float32]  # sqrt(prior / largest prior among the siblings)
    scores: npt.NDArray[np.float32]  # sum over simulations of Black's area less White's, no komi,
    squares: npt.NDArray[np.float32]  # and of its square


NODE_BYTES: Final = 2 + 1 + 2 + 2 + 2 + 4 + 4 + 7 * 4


def new_tree(nodes: int) -> SearchTree:
    """A tree with room for so many nodes, at least 1000: a root without children."""
    nodes = max(nodes, 1000)
    types = (np.int16, np.uint8, np.int16, np.int16, np.int16, np.int32, np.int32)
    tree = SearchTree(
        *(np.zeros(nodes, t) for t in types),  # type: ignore[arg-type]
        *(np.zeros(nodes, np.float32) for _ in range(7)),
    )
    clear_node(tree, ROOT)
    return tree


def clear_node(tree: SearchTree, node: int) -> None:
    """Make it a node without simulations or children."""
    for column in tree:
        column[node] = 0
    tree.first[node] = NO_CHILDREN


def children_of(tree: SearchTree, node: int) -> slice:
    """Where the children of the node are, in each array; an empty slice if it has none."""
    first = max(int(tree.first[node]), 0)
    return slice(first, first + int(tree.children[node]))


def child_of(tree: SearchTree, node: int, move: int) -> int | None:
    """The child for this move, or None."""
    children = children_of(tree, node)
    found = np.flatnonzero(tree.move[children] == move)
    return children.start + int(found[0]) if len(found) else None


def forbid_child(tree: SearchTree, child: int) -> None:
    """Forbid a child of the root, and take back what its simulations said there."""
    visits = int(tree.visits[child])
    tree.visits[ROOT] -= visits
    tree.wins[ROOT] -= visits - tree.wins[child]
    tree.scores[ROOT] -= tree.scores[child]
    tree.squares[ROOT] -= tree.squares[child]
    for column in (tree.visits, tree.wins, tree.scores, tree.squares):
        column[child] = 0
    for column in (tree.amaf_visits, tree.amaf_wins):
        column[child] = 0
    tree.state[child] |= FORBIDDEN


@kernel
def keep(tree: SearchTree, spare: SearchTree, node: int, most: int) -> int:
    """Copy the tree under `node` to the front of `spare`, where it is the root; returns how many
    nodes it has.

    Level by level, and no more than `most` nodes: what is beyond loses its children, not its
    simulations.
    """
    _copy_node(tree, node, spare, 0)
    used = 1
    done = 0
    while done < used:
        first = int64(spare.first[done])
        if first != NO_CHILDREN:
            n = int64(spare.children[done])
            if used + n > most:
                spare.first[done] = NO_CHILDREN
                spare.children[done] = 0
                spare.opened[done] = 0
                spare.state[done] &= ~DESCRIBED & 255
            else:
                spare.first[done] = used
                for i in range(n):
                    _copy_node(tree, first + i, spare, used + i)
                used += n
        done += 1
    return used


@kernel
def _copy_node(tree: SearchTree, node: int, to: SearchTree, place: int) -> None:
    to.move[place] = tree.move[node]
    to.state[place] = tree.state[node]
    to.children[place] = tree.children[node]
    to.opened[place] = tree.opened[node]
    to.order[place] = tree.order[node]
    to.first[place] = tree.first[node]
    to.visits[place] = tree.visits[node]
    to.wins[place] = tree.wins[node]
    to.amaf_visits[place] = tree.amaf_visits[node]
    to.amaf_wins[place] = tree.amaf_wins[node]
    to.prior[place] = tree.prior[node]
    to.lean[place] = tree.lean[node]
    to.scores[place] = tree.scores[node]
    to.squares[place] = tree.squares[node]


@kernel
def set_priors(tree: SearchTree, node: int, probability: Any, sort: bool) -> None:
    """Give the children of `node` the probabilities by point (float64[AREA]), and their order."""
    first = int64(tree.first[node])
    n = int64(tree.children[node])
    largest = 0.0
    for i in range(first, first + n):
        p = probability[tree.move[i]]
        tree.prior[i] = p
        if tree.move[i] != PASS:
            largest = max(largest, p)
    for i in range(first, first + n):
        share = tree.prior[i] / largest if largest > 0 else 0.0
        tree.lean[i] = np.sqrt(min(share, 1.0))
    if sort:
        sort_children(tree, first, n)
    tree.state[node] |= DESCRIBED


@kernel
def sort_children(tree: SearchTree, first: int, n: int) -> None:
    """Put the n nodes from `first` on into the order of their priors, equals as they stand."""
    best = np.argsort(-tree.prior[first : first + n], kind="mergesort")
    for i in range(n):
        tree.order[first + i] = best[i]


def line(tree: SearchTree, node: int, most: int = 12) -> list[int]:
    """The most visited nodes from `node` on, which is left out."""
    nodes: list[int] = []
    while len(nodes) < most and tree.children[node] > 0:
        children = children_of(tree, node)
        node = children.start + int(np.argmax(tree.visits[children]))
        if tree.visits[node] < 2:
            break
        nodes.append(node)
    return nodes
