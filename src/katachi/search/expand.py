"""Giving a node of the tree its children."""

from __future__ import annotations

import math
from typing import Final

from katachi.go.board import Board, is_legal, is_own_eye
from katachi.go.kernel import at, inlined, int64, kernel
from katachi.go.points import EMPTY, PASS, STRIDE
from katachi.search.gammas import PlayoutGammas
from katachi.search.playouts import weigh_all
from katachi.search.space import END, FULL, NEXT, Options, SearchSpace
from katachi.search.tree import FORBIDDEN, NO_CHILDREN, SearchTree, sort_children

PASS_SHARE: Final = 0.35  # passing is thought of when fewer points than this can be played on


@inlined
def _is_move(b: Board, p: int, c: int) -> bool:
    """Whether colour c may play on p, and it is no own eye."""
    return b.color[at(p)] == EMPTY and is_legal(b, p, c) and not is_own_eye(b, p, c)


@kernel
def expand(
    tree: SearchTree, node: int, gammas: PlayoutGammas, space: SearchSpace, options: Options
) -> bool:
    """Give the node, whose position is on the board `work`, children: every move that playouts may
    make there, with options.every_move every other legal move that fills no own eye, and PASS. The
    sampler must have been started on the board. Where the search widens, they are put into the
    order of their priors. False, and nothing done, if there is no room for them.
    """
    b, control, weights = space.work, space.control, space.weights
    total = weigh_all(b, space.sampler, gammas, int64(b.to_move), weights)
    side = int64(b.side)
    mover = int64(b.to_move)
    n = 1
    useful = 1  # moves of playouts, and PASS
    largest = int64(0)
    for row in range(1, side + 1):
        for col in range(1, side + 1):
            p = row * STRIDE + col
            weight = weights[at(p)]
            if weight > 0:
                n += 1
                useful += 1
                largest = max(largest, weight)
            elif options.every_move and _is_move(b, p, mover):
                weights[at(p)] = -1
                n += 1
    first = control[NEXT]
    if first + n > control[END]:
        control[FULL] = 1
        return False
    control[NEXT] = first + n
    i = first
    for row in range(1, side + 1):
        for col in range(1, side + 1):
            p = row * STRIDE + col
            weight = weights[at(p)]
            if weight != 0:
                weight = max(weight, 0)
                tree.move[i] = p
                tree.prior[i] = weight / total if weight else 0.0
                tree.lean[i] = math.sqrt(weight / largest) if weight else 0.0
                i += 1
    tree.move[i] = PASS
    tree.prior[i] = 0.0
    tree.lean[i] = 0.0
    for j in range(first, first + n):
        tree.state[j] = 0
        tree.children[j] = 0
        tree.opened[j] = 0
        tree.order[j] = j - first
        tree.first[j] = NO_CHILDREN
        tree.visits[j] = 0
        tree.wins[j] = 0.0
        tree.amaf_visits[j] = 0.0
        tree.amaf_wins[j] = 0.0
        tree.scores[j] = 0.0
        tree.squares[j] = 0.0
    if useful > 1 and b.passes == 0 and useful > PASS_SHARE * side * side:
        tree.state[i] = FORBIDDEN
    if options.widens:
        sort_children(tree, first, n)
    tree.children[node] = n
    tree.first[node] = first  # last, since other threads look at it
    return True
