"""Simulations: select down the tree, expand a leaf, play out, back up (Coulom 2007, section 4.2).

A leaf gets children, weighed by the playout's gammas, after some simulations. The full model, which
is slow, weighs them again when the node has had more. If it is a model that kernels cannot ask (see
katachi.search.prior), `simulate` returns with the position of that node, and is called again
afterwards.
"""

from __future__ import annotations

from typing import Any, Final

from katachi.go.board import copy, play
from katachi.go.kernel import at, inlined, int64, kernel
from katachi.go.points import BLACK, PASS, STRIDE, WHITE
from katachi.go.score import area_owners, settled_owners
from katachi.search.expand import expand
from katachi.search.gammas import PlayoutGammas
from katachi.search.mind import Mind
from katachi.search.playouts import pattern_playout
from katachi.search.prior import weigh
from katachi.search.sampler import start
from katachi.search.select import select
from katachi.search.space import (
    BLACK_WINS,
    BLACKS,
    DEEPEST,
    NODE,
    SIMULATIONS,
    WINNERS,
    SearchSpace,
    Task,
)
from katachi.search.tree import DESCRIBED, FORBIDDEN, NO_CHILDREN, ROOT, SearchTree, set_priors

# Why `simulate` returned
DONE: Final = 0
WANTS_MODEL: Final = 1  # for the node control[NODE], whose position is on the board `work`


# How `_descend` ended
LEAF: Final = 0
STARTED: Final = 1  # at a leaf, too, and the sampler stands where the board does
REPEATED: Final = 2  # a move repeats a position
UNKNOWN: Final = 3  # the node wants the model, which Python asks


@kernel
def simulate(tree: SearchTree, task: Task, space: SearchSpace, mind: Mind, limit: int) -> int:
    """Run up to `limit` simulations of the task. After the first it runs fewer when task.stop[0]
    is set: whoever calls it back again and again must not keep it from going on.

    The full model is `mind`, unless options.asks is set. Returns DONE or WANTS_MODEL.
    """
    options = task.options
    first_mover = int64(task.root.to_move)
    done = 0
    why = DONE
    while done < limit and why == DONE and (done == 0 or task.stop[0] == 0):
        end, depth = _descend(tree, task, space, mind)
        if end == REPEATED or end == UNKNOWN:
            for d in range(depth + 1):
                tree.visits[space.path[d]] -= options.virtual_loss
            if end == UNKNOWN:
                why = WANTS_MODEL
            continue
        total, score = _play_out(space, task.gammas, depth, end == STARTED)
        black = 1.0 if score > options.komi else 0.0 if score < options.komi else 0.5
        _count(space, black)
        _back_up(tree, task, space.path, depth, score, black)
        if options.rave > 0.0:
            _back_up_amaf(tree, space, depth, total, first_mover, black)
        done += 1
    space.counts[SIMULATIONS] += done
    return why


@inlined
def _descend(tree: SearchTree, task: Task, space: SearchSpace, mind: Mind) -> tuple[int, int]:
    """Go down from the root to a leaf, with the board `work`; (how it ended, its depth).

    The way is in `path` and `moves`; its nodes bear the virtual loss.
    """
    options, work = task.options, space.work
    model_after = options.model_after
    copy(work, task.root)
    node = int64(ROOT)
    depth = 0
    end = LEAF
    _enter(tree, space, node, depth, options.virtual_loss)
    while depth < DEEPEST - 1 and work.passes < 2:
        so_far = int64(tree.visits[node]) - options.virtual_loss  # simulations without this one
        if tree.first[node] == NO_CHILDREN:
            # The root is expanded at once.
            if so_far < options.expand_after and node != ROOT:
                break
            start(work, space.sampler)
            end = STARTED
            if not expand(tree, node, task.gammas, space, options):
                break
            if so_far >= options.expand_after and not 0 <= model_after <= so_far:
                break
        if (
            model_after >= 0
            and (node == ROOT or so_far >= model_after)
            and tree.state[node] & DESCRIBED == 0
        ):
            if options.asks:
                space.control[NODE] = node
                end = UNKNOWN
                break
            weigh(mind, work, space.chances)
            set_priors(tree, node, space.chances, options.widens)
        opened = int64(tree.children[node])
        if options.widens:
            opened = _widen(tree, node, task.widths, so_far)
        child = select(tree, node, opened, so_far, options)
        if child < 0:
            break
        p = int64(tree.move[child])
        play(work, p, int64(work.to_move))
        end = LEAF
        if p != PASS and tree.visits[child] == 0 and _repeated(task.history, space, depth + 1):
            tree.state[child] |= FORBIDDEN
            end = REPEATED
            break
        space.moves[depth] = p
        depth += 1
        node = child
        _enter(tree, space, node, depth, options.virtual_loss)
    return end, depth


@inlined
def _enter(tree: SearchTree, space: SearchSpace, node: int, depth: int, loss: int) -> None:
    """Note that the simulation is at this node now, with its position on the board `work`."""
    space.path[depth] = node
    space.hashes[depth] = space.work.hash
    tree.visits[node] += loss


@inlined
def _widen(tree: SearchTree, node: int, widths: Any, so_far: int) -> int:
    """Open the children that the node's simulations so far allow; how many are open."""
    opened = int64(tree.opened[node])
    while opened < tree.children[node] and widths[opened] <= so_far:
        opened += 1
    tree.opened[node] = opened
    return opened


@inlined
def _repeated(history: Any, space: SearchSpace, depth: int) -> bool:
    """Whether the stones stand as they stood before, in the game or on the way down."""
    now = space.work.hash
    for i in range(len(history)):
        if history[i] == now:
            return True
    for i in range(depth):
        if space.hashes[i] == now:
            return True
    return False


@inlined
def _play_out(
    space: SearchSpace, gammas: PlayoutGammas, depth: int, started: bool
) -> tuple[int, int]:
    """Play on from the leaf, where the sampler may have been started; (moves from the root, Black's
    score without komi). Who owns each point is in `owners`.

    Two passes in the tree end the game: it is scored as it stands. Who owns what is all the same
    told by playing on, or dead stones would pass for living ones.
    """
    work = space.work
    over = work.passes >= 2
    score = 0
    if over:
        score = area_owners(work, space.owners)
        work.passes = 0
    if not started:
        start(work, space.sampler)
    total = pattern_playout(work, space.sampler, gammas, space.rng, space.moves, depth)
    if work.passes >= 2:
        owned = settled_owners(work, space.owners)
    else:
        owned = area_owners(work, space.owners)
    if over:
        return depth, score
    return total, owned


@inlined
def _count(space: SearchSpace, black: float) -> None:
    """Count who won, and who owned each point. A draw is no win of Black's."""
    counts = space.counts
    winner = BLACK if black == 1.0 else WHITE
    if winner == BLACK:
        counts[BLACK_WINS] += 1
    for row in range(1, int64(space.work.side) + 1):
        for col in range(1, int64(space.work.side) + 1):
            p = row * STRIDE + col
            owner = int64(space.owners[at(p)])
            counts[at(BLACKS + p)] += int64(owner == BLACK)
            counts[at(WINNERS + p)] += int64(owner == winner)


@inlined
def _back_up(tree: SearchTree, task: Task, path: Any, depth: int, score: int, black: float) -> None:
    """Add the simulation, of which Black won `black` (0, 0.5 or 1), to the nodes on its way down,
    and take back their virtual loss.
    """
    first_mover = int64(task.root.to_move)
    # The player to move at depth d made the move into the node at depth d + 1.
    for d in range(depth + 1):
        node = int64(path[d])
        mover = first_mover if d % 2 == 1 else 3 - first_mover
        tree.visits[node] -= task.options.virtual_loss - 1
        tree.wins[node] += black if mover == BLACK else 1.0 - black
        tree.scores[node] += score
        tree.squares[node] += score * score


@inlined
def _back_up_amaf(
    tree: SearchTree, space: SearchSpace, depth: int, total: int, first_mover: int, black: float
) -> None:
    """Add the simulation, of `total` moves, to every move that the player to move at a node on its
    way down was the first to play, then or later.
    """
    moves, played = space.moves, space.played
    for row in range(1, int64(space.work.side) + 1):
        for col in range(1, int64(space.work.side) + 1):
            played[at(row * STRIDE + col)] = 0
    # From the last move to the first, so that the first player on a point counts.
    for d in range(total - 1, -1, -1):
        mover = first_mover if d % 2 == 0 else 3 - first_mover
        played[at(int64(moves[d]))] = mover
        if d <= depth:
            node = int64(space.path[d])
            first = int64(tree.first[node])
            if first != NO_CHILDREN:
                won = black if mover == BLACK else 1.0 - black
                played[PASS] = 0
                for child in range(first, first + int64(tree.children[node])):
                    if played[at(int64(tree.move[at(child)]))] == mover:
                        tree.amaf_visits[at(child)] += 1.0
                        tree.amaf_wins[at(child)] += won
