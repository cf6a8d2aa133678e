"""Simulations: down the tree, a playout, and back up (Coulom 2007, section 4.2).

Which child is searched: see `_select`. A leaf gets children, weighed by the playout's gammas, after
some simulations; the full model, which is slow, weighs them again when the node has had more. If it
is one that kernels cannot ask (see `katachi.search.prior`), `simulate` returns with the position of
that node, and is called again afterwards.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from katachi.go.board import Board, copy, play
from katachi.go.kernel import at, inlined, int64, kernel
from katachi.go.points import AREA, BLACK, EMPTY, PASS, STRIDE, WALL, WHITE
from katachi.go.score import area_owners
from katachi.search.playouts import pattern_playout
from katachi.search.prior import weigh
from katachi.search.sampler import start, weigh_all
from katachi.search.tree import DESCRIBED, FORBIDDEN, NO_CHILDREN, ROOT, Tree, set_priors

# Why `simulate` returned
DONE: Final = 0
WANTS_MODEL: Final = 1  # for the node control[NODE], whose position is on the board `work`

# What is in `options`, by number
EXPAND_AFTER, MODEL_AFTER, WIDENS, UCB, RAVE, EVEN, WON, FADES = range(8)
BIAS, URGENCY, LOSS, KOMI, ASKS = range(8, 13)
OPTIONS: Final = 13
# What is in `control`, of which each thread has its own: the part of the tree that is left to it,
# the node that wants the model, and whether that part was too small
NEXT, END, NODE, FULL = range(4)
CONTROL: Final = 4
# What is in `counts`, before the points: simulations; wins of Black
SIMULATIONS, BLACK_WINS = range(2)

DEEPEST: Final = 200  # moves in the tree
LONGEST: Final = DEEPEST + 4 * 361
PASS_SHARE: Final = 0.35  # passing is thought of when fewer points than this can be played on


@inlined
def _select(
    order: Any,
    state: Any,
    visits: Any,
    wins: Any,
    amaf_visits: Any,
    amaf_wins: Any,
    prior: Any,
    lean: Any,
    first: int,
    opened: int,
    here: int,
    options: Any,
) -> int:
    """The child to be searched, of the `opened` best; -1 if none may be.

    n and w are a child's simulations and wins together with the prior ones: `even` simulations,
    half of them won, and lean·`won` won ones, fewer the more it has of its own (`fades`): where the
    mover is losing, won ones that stay would hide every other move behind the expected one. Its
    value is
        (1 - β)·w/n + β·AMAF + ucb·sqrt(log N / n) + bias·p·sqrt(N) / (1 + visits)
    with β = r / (r + n + r·n / rave), r the number of AMAF's simulations (Gelly and Silver 2007;
    this form is Coulom's, as later programs have it).
    """
    ucb, rave, even, won = options[UCB], options[RAVE], options[EVEN], options[WON]
    fades, bias, urgency = options[FADES], options[BIAS], options[URGENCY]
    log = math.log(here + 1.0)
    root = math.sqrt(here + 1.0)
    best = -1
    highest = -1e300
    for i in range(opened):
        child = first + int64(order[at(first + i)])
        if state[at(child)] & FORBIDDEN:
            continue
        leaning = won * float(lean[at(child)])
        if fades > 0.0:
            leaning *= fades / (fades + float(visits[at(child)]))
        n = float(visits[at(child)]) + even + leaning
        if n > 0.0:
            value = (float(wins[at(child)]) + 0.5 * even + leaning) / n
            r = float(amaf_visits[at(child)])
            if rave > 0.0 and r > 0.0:
                beta = r / (r + n + r * n / rave)
                value += beta * (float(amaf_wins[at(child)]) / r - value)
            if ucb > 0.0:
                value += ucb * math.sqrt(log / n)
        else:
            # Among moves without any, the model's order decides.
            value = urgency + 1e-3 * float(prior[at(child)])
        if bias > 0.0:
            value += bias * float(prior[at(child)]) * root / (1.0 + float(visits[at(child)]))
        if value > highest:
            highest = value
            best = child
    return best


@kernel
def expand(
    tree: Tree,
    node: int,
    b: Board,
    s: Any,
    shape: Any,
    boost: Any,
    self_atari: int,
    weights: Any,
    sort: bool,
    control: Any,
) -> bool:
    """Give the node children: every move that playouts may make here, and PASS. The sampler must
    have been started on the board. False, and nothing done, if there is no room for them.
    """
    c = int64(b.to_move)
    total = weigh_all(b, s, shape, boost, self_atari, c, weights)
    side = int64(b.side)
    n = 1
    largest = int64(0)
    for row in range(1, side + 1):
        for col in range(1, side + 1):
            weight = weights[at(row * STRIDE + col)]
            if weight > 0:
                n += 1
                largest = max(largest, weight)
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
            if weight > 0:
                tree.move[i] = p
                tree.prior[i] = weight / total
                tree.lean[i] = math.sqrt(weight / largest)
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
    if n > 1 and b.passes == 0 and n > PASS_SHARE * side * side:
        tree.state[i] = FORBIDDEN
    if sort:
        best = np.argsort(-tree.prior[first : first + n], kind="mergesort")
        for j in range(n):
            tree.order[first + j] = best[j]
    tree.children[node] = n
    tree.first[node] = first  # last, since other threads look at it
    return True


@kernel
def _repeated(history: Any, length: int, path: Any, depth: int, now: Any) -> bool:
    """Whether the stones stand as they stood before, in the game or on the path."""
    for i in range(length):
        if history[i] == now:
            return True
    for i in range(depth):
        if path[i] == now:
            return True
    return False


@kernel
def _owners(b: Board, owners: Any) -> int:
    """Write who owns each point (int8[AREA]) where no two empty points touch; the score."""
    score = 0
    for row in range(1, int64(b.side) + 1):
        for col in range(1, int64(b.side) + 1):
            p = row * STRIDE + col
            reach = int64(b.color[at(p)])
            if reach == EMPTY:
                for d in (-STRIDE, -1, 1, STRIDE):
                    k = int64(b.color[at(p + d)])
                    if k != WALL:
                        reach |= k
            if reach == BLACK:
                score += 1
            elif reach == WHITE:
                score -= 1
            else:
                reach = EMPTY
            owners[at(p)] = reach
    return score


@kernel
def simulate(
    tree: Tree,
    base: Board,
    work: Board,
    s: Any,
    shape: Any,
    boost: Any,
    self_atari: int,
    options: Any,
    widths: Any,
    history: Any,
    rng: Any,
    moves: Any,
    path: Any,
    hashes: Any,
    played: Any,
    owners: Any,
    weights: Any,
    counts: Any,
    control: Any,
    stop: Any,
    mind: Any,
    chances: Any,
    limit: int,
) -> int:
    """Run up to `limit` simulations from the position `base`, the root's; after the first, fewer
    when stop[0] is set: whoever calls it back again and again must not keep it from going on.

    The full model is `mind`, which is asked by way of `chances` (float64[AREA]), unless
    options[ASKS] is set.

    Returns DONE or WANTS_MODEL. counts: [SIMULATIONS], [BLACK_WINS], then by point how often it was
    Black's, and how often the winner's, at [2 + point] and [2 + AREA + point].
    """
    visits = tree.visits
    first_mover = int64(base.to_move)
    points = int64(base.side) * int64(base.side)
    expand_after = int64(options[EXPAND_AFTER])
    if expand_after == 0:
        expand_after = points
    model_after = int64(options[MODEL_AFTER])
    widens = options[WIDENS] > 0.0
    loss = int64(options[LOSS])
    komi = options[KOMI]
    done = 0
    while done < limit and (done == 0 or stop[0] == 0):
        copy(work, base)
        node = int64(ROOT)
        path[0] = node
        hashes[0] = work.hash
        visits[node] += loss
        depth = 0
        ready = False  # whether the sampler stands where the board does
        fault = False
        wants = False
        while depth < DEEPEST - 1 and work.passes < 2:
            if tree.first[node] == NO_CHILDREN:
                # Its simulations so far, this one not counted; the root is expanded at once.
                so_far = int64(visits[node]) - loss
                if so_far < expand_after and node != ROOT:
                    break
                start(work, s)
                ready = True
                if not expand(
                    tree, node, work, s, shape, boost, self_atari, weights, widens, control
                ):
                    break
                if so_far < expand_after:
                    ready = False  # goes on down
                elif not (0 <= model_after <= so_far):
                    break
            if (
                model_after >= 0
                and (node == ROOT or int64(visits[node]) - loss >= model_after)
                and tree.state[node] & DESCRIBED == 0
            ):
                if options[ASKS] > 0.0:
                    wants = True
                    break
                weigh(mind, work, chances)
                set_priors(tree, node, chances, widens)
            n = int64(tree.children[node])
            if widens:
                opened = int64(tree.opened[node])
                while opened < n and widths[opened] <= visits[node] - loss:
                    opened += 1
                tree.opened[node] = opened
                n = opened
            child = _select(
                tree.order,
                tree.state,
                visits,
                tree.wins,
                tree.amaf_visits,
                tree.amaf_wins,
                tree.prior,
                tree.lean,
                int64(tree.first[node]),
                n,
                int64(visits[node]) - loss,
                options,
            )
            if child < 0:
                break
            p = int64(tree.move[child])
            play(work, p, int64(work.to_move))
            ready = False
            if (
                p != PASS
                and visits[child] == 0
                and _repeated(history, len(history), hashes, depth + 1, work.hash)
            ):
                tree.state[child] |= FORBIDDEN
                fault = True
                break
            moves[depth] = p
            depth += 1
            node = child
            path[depth] = node
            hashes[depth] = work.hash
            visits[node] += loss
        if fault or wants:
            for d in range(depth + 1):
                visits[path[d]] -= loss
            if wants:
                control[NODE] = node
                counts[SIMULATIONS] += done
                return WANTS_MODEL
            continue
        total = depth
        if work.passes < 2:
            if not ready:
                start(work, s)
            total = pattern_playout(work, s, shape, boost, self_atari, rng, moves, depth)
            score = _owners(work, owners) if work.passes >= 2 else area_owners(work, owners)
        else:
            score = area_owners(work, owners)
        black = 1.0 if score > komi else 0.0 if score < komi else 0.5
        winner = BLACK if score > komi else WHITE
        if black == 1.0:
            counts[BLACK_WINS] += 1
        for row in range(1, int64(base.side) + 1):
            for col in range(1, int64(base.side) + 1):
                p = row * STRIDE + col
                owner = int64(owners[at(p)])
                counts[at(2 + p)] += int64(owner == BLACK)
                counts[at(2 + AREA + p)] += int64(owner == winner)
        # Back up. The player to move at depth d made the move into the node at depth d + 1.
        for d in range(depth + 1):
            node = int64(path[d])
            visits[node] -= loss - 1
            mover = first_mover if d % 2 == 1 else 3 - first_mover
            tree.wins[node] += black if mover == BLACK else 1.0 - black
            tree.scores[node] += score
            tree.squares[node] += score * score
        if options[RAVE] > 0.0:
            # From the last move to the first, so that the first player on a point counts.
            for row in range(1, int64(base.side) + 1):
                for col in range(1, int64(base.side) + 1):
                    played[at(row * STRIDE + col)] = 0
            for d in range(total - 1, -1, -1):
                mover = first_mover if d % 2 == 0 else 3 - first_mover
                played[at(int64(moves[d]))] = mover
                if d <= depth:
                    node = int64(path[d])
                    first = int64(tree.first[node])
                    if first != NO_CHILDREN:
                        won = black if mover == BLACK else 1.0 - black
                        played[PASS] = 0
                        for child in range(first, first + int64(tree.children[node])):
                            if played[at(int64(tree.move[at(child)]))] == mover:
                                tree.amaf_visits[at(child)] += 1.0
                                tree.amaf_wins[at(child)] += won
        done += 1
    counts[SIMULATIONS] += done
    return DONE
