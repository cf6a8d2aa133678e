"""The slow twin of `katachi.search.simulate`: nodes are objects, and the rules are plain Python.

Of the project's code it uses the board, the weights of moves and the drawing of one move, each of
which has a twin of its own. Random numbers are drawn in the kernel's order, so that a tree of one
thread must be the same node by node. There is no virtual loss here: in one thread it cannot show.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from katachi.go.board import Board, is_legal, is_own_eye, play
from katachi.go.points import AREA, BLACK, EMPTY, PASS, WALL, WHITE, all_points
from katachi.go.position import Position
from katachi.go.rng import new_rng
from katachi.models.model import Model
from katachi.models.predictor import Predictor, Ratings
from katachi.patterns.catalogue import COULOM
from katachi.patterns.features import Features
from katachi.search.engine import SearchPlayer
from katachi.search.gammas import LARGEST_BOOST, WHOLE_BOOST, playout_gammas, uniform_gammas
from katachi.search.player import Budget, GameState
from katachi.search.sampler import new_sampler, start
from katachi.search.settings import SearchSettings, priors
from katachi.search.tree import DESCRIBED, FORBIDDEN, NO_CHILDREN, SearchTree
from tests.go.helpers import NEAR
from tests.search.test_sampler import some_model, step, weigh

LIGHT = some_model()
# Every setting that matters to the tree is told, so that new defaults change no test.
FIXED = SearchSettings(
    playouts="pattern",
    self_atari="any",
    gammas="fitted",
    nakade=0.0,
    answers="capped",
    tight=1.0,
    children="playout",
    expand_after=2,
    model_after=-1,
    widening="none",
    ucb=0.0,
    rave=1000.0,
    prior_even=10.0,
    prior_won=60.0,
    prior_fades=0.0,
    bias=0.0,
    forced=0.0,
    urgency=1.0,
    virtual_loss=1,
    resign=0.05,
)
DEEPEST_MOVES = 199
PASS_SHARE = 0.35

# Two eyes each, and a place at the bottom left where White can send two stones for one: A1 and B1,
# which Black takes at C1, where White takes back at B1. The last line is the caller's.
EYES = """
. X O . O
X X O O O
. X O O O
X X O O .
"""


@cache
def full_model(owner: bool = False, playout: bool = True) -> Model:
    """A model of Table 1's features but shapes, for any size, with gammas of any size."""
    features = Features(COULOM, owner=owner)
    rng = np.random.default_rng(7)
    ratings = {}
    for family in features.families:
        gamma = np.exp(rng.normal(0, 1, family.size)).astype(np.float32)
        if family.name == "pass":
            gamma[:] = 1e-3
        none = np.zeros(family.size)
        ratings[family.name] = Ratings(
            gamma, none.astype(np.float32), none.astype(np.uint32), none.astype(np.uint32)
        )
    return Model(features, Predictor(ratings), playout=LIGHT if playout else None)


class Whole(SearchPlayer):
    """A player that always uses up its simulations."""

    def _enough(self, *_: Any) -> bool:
        return False

    def simulate(self, game: GameState, count: int) -> SearchTree:
        """Run so many simulations; the tree."""
        self.search(game, Budget(simulations=count))
        return self._tree

    @property
    def tree(self) -> SearchTree:
        """The tree as it stands."""
        return self._tree


def whole(
    settings: SearchSettings, seed: int = 1, model: Model = LIGHT, memory_mb: int = 4
) -> Whole:
    return Whole(model, settings, memory_mb=memory_mb, seed=seed)


def wandered(size: int, seed: int, length: int) -> Position:
    """The position after some random moves by turns, none of which fills an own eye."""
    rng = Random(seed)
    position = Position(size)
    for _ in range(length):
        legal = [
            p
            for p in position.legal_moves(superko=True)
            if p != PASS and not is_own_eye(position.board, p, position.to_move)
        ]
        position.play(rng.choice(legal) if legal else PASS)
    return position


# -- the twin --------------------------------------------------------------------------------------


@dataclass(eq=False)
class Node:
    """A move and the position after it; the wins are those of the player who made the move."""

    move: int = PASS
    prior: float = 0.0
    lean: float = 0.0
    forbidden: bool = False
    described: bool = False
    visits: int = 0
    wins: float = 0.0
    amaf_visits: int = 0
    amaf_wins: float = 0.0
    scores: list[int] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    opened: int = 0


Stones = bytes


class Twin:
    """A search of one thread from a position."""

    def __init__(
        self,
        game: GameState,
        settings: SearchSettings,
        seed: int = 1,
        light: Model = LIGHT,
        model: Model | None = None,
    ) -> None:
        self.game = game
        self.settings = settings
        self.model = model
        pattern = settings.playouts == "pattern"
        any_string = settings.self_atari == "any"
        self.gammas = uniform_gammas()
        if pattern:
            size = game.position.size if settings.gammas == "sized" else None
            most = WHOLE_BOOST if settings.answers == "whole" else LARGEST_BOOST
            balanced = settings.gammas != "fitted"
            self.gammas = playout_gammas(
                light, any_string, balanced, size, most=most, tight=settings.tight
            )
            self.gammas = self.gammas._replace(nakade=settings.nakade)
        self.rng = new_rng(seed)
        self.root = Node()
        # (owner by point, Black's share of the win) of each simulation
        self.ends: list[tuple[dict[int, int], float]] = []

    def advance(self, game: GameState) -> None:
        """Go on from the position after one more move, with what is known of it."""
        move = game.position.moves[-1][1]
        self.root = next(child for child in self.root.children if child.move == move)
        self.game = game
        self.ends = []

    def run(self, count: int) -> Node:
        """So many simulations; the root."""
        self._before = stones_of_game(self.game.position)
        done = 0
        while done < count:
            done += self._simulation()
        return self.root

    def _simulation(self) -> bool:
        """One simulation; False if it found a move that repeats a position instead."""
        s, root = self.settings, self.root
        board = self.game.position.board.copy()
        size = int(board.side)
        expand_after = s.expand_after or size * size
        path = [root]
        moves: list[int] = []
        seen = list(self._before)
        while len(moves) < DEEPEST_MOVES and board.passes < 2:
            node = path[-1]
            if not node.children:
                if node.visits < expand_after and node is not root:
                    break
                self._expand(node, board)
                asked = self.model is not None and 0 <= s.model_after <= node.visits
                if node.visits >= expand_after and not asked:
                    break
            if (
                self.model is not None
                and s.model_after >= 0
                and not node.described
                and (node is root or node.visits >= s.model_after)
            ):
                self._describe(node, board)
            child = self._select(node)
            if child is None:
                break
            play(board, child.move, int(board.to_move))
            stones = bytes(board.color)
            if child.move != PASS and stones in seen:
                child.forbidden = True
                return False
            seen.append(stones)
            moves.append(child.move)
            path.append(child)
        ended = None
        if board.passes < 2:
            moves += self._playout(board)
        else:
            ended = owners_of(board)
            board.passes = 0
            self._playout(board)
        self._back_up(path, moves, owners_of(board), ended)
        return True

    def _expand(self, node: Node, board: Board) -> None:
        colour, size = int(board.to_move), int(board.side)
        sampler = new_sampler()
        start(board, sampler)
        weights = weigh(board, sampler, colour, self.gammas)
        points = [p for p in all_points(size) if weights[p] > 0]
        total, largest = sum(int(weights[p]) for p in points), max([0, *map(int, weights)])
        for p in all_points(size):
            if p in points:
                lean = math.sqrt(int(weights[p]) / largest)
                node.children.append(Node(p, rounded(int(weights[p]) / total), rounded(lean)))
            elif self._is_wanted(board, p):
                node.children.append(Node(p))
        node.children.append(Node(PASS))
        # A pass is thought of after a pass, or when few moves of playouts are left.
        many = len(points) + 1 > PASS_SHARE * size * size and bool(points)
        node.children[-1].forbidden = board.passes == 0 and many
        node.order = list(range(len(node.children)))
        self._sort(node)

    def _is_wanted(self, board: Board, p: int) -> bool:
        """Whether a move that playouts do not make is in the tree."""
        colour = int(board.to_move)
        legal = board.color[p] == EMPTY and is_legal(board, p, colour)
        return self.settings.children == "legal" and legal and not is_own_eye(board, p, colour)

    def _describe(self, node: Node, board: Board) -> None:
        assert self.model is not None
        position = Position(int(board.side))
        position.board = board.copy()
        chances = self.model.probabilities(position)
        largest = max((chances[c.move] for c in node.children if c.move != PASS), default=0.0)
        for child in node.children:
            child.prior = rounded(chances[child.move])
            share = min(child.prior / largest, 1.0) if largest else 0.0
            child.lean = rounded(math.sqrt(share))
        node.described = True
        self._sort(node)

    def _sort(self, node: Node) -> None:
        if self.settings.widening != "none":
            order = range(len(node.children))
            node.order = sorted(order, key=lambda i: (-node.children[i].prior, i))

    def _select(self, node: Node) -> Node | None:
        allowed = [node.children[i] for i in node.order]
        if self.settings.widening != "none":
            node.opened = min(len(allowed), openings(self.settings.widening, node.visits))
            allowed = allowed[: node.opened]
        allowed = [child for child in allowed if not child.forbidden]
        return max(allowed, key=lambda child: self._value(child, node.visits), default=None)

    def _value(self, child: Node, parent_visits: int) -> float:
        s = self.settings
        even, won = priors(s, self.game.position.size)
        ahead = won * child.lean
        if s.prior_fades > 0:
            ahead *= s.prior_fades / (s.prior_fades + child.visits)
        n = child.visits + even + ahead
        if n > 0:
            value = (child.wins + 0.5 * even + ahead) / n
            if s.rave > 0 and child.amaf_visits > 0:
                r = child.amaf_visits
                beta = r / (r + n + r * n / s.rave)
                value += beta * (child.amaf_wins / r - value)
            if s.ucb > 0:
                value += s.ucb * math.sqrt(math.log(parent_visits + 1) / n)
        else:
            value = s.urgency + 1e-3 * child.prior
        if s.bias > 0:
            value += s.bias * child.prior * math.sqrt(parent_visits + 1) / (1 + child.visits)
        if (child.visits + 1) ** 2 <= s.forced * child.prior * parent_visits:
            value += 1e9
        return value

    def _playout(self, board: Board) -> list[int]:
        sampler = new_sampler()
        moves: list[int] = []
        start(board, sampler)
        while board.passes < 2 and len(moves) < 3 * int(board.side) ** 2:
            moves.append(int(step(board, sampler, self.gammas, self.rng)))
        return moves

    def _back_up(
        self,
        path: list[Node],
        moves: list[int],
        owners: dict[int, int],
        ended: dict[int, int] | None,
    ) -> None:
        """`ended`: who owned what where two passes ended the game in the tree."""
        colours = list((ended or owners).values())
        score = colours.count(BLACK) - colours.count(WHITE)
        lead = score - self.game.komi
        black = 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
        self.ends.append((owners, black))
        mover = self.game.position.to_move
        for depth, node in enumerate(path):
            won = black if mover == BLACK else 1 - black
            node.visits += 1
            node.scores.append(score)
            node.wins += 1 - won  # it is the opponent who moved to this node
            if self.settings.rave > 0 and node.children:
                first: dict[int, int] = {}  # who was the first on a point, from here on
                for i, p in enumerate(moves[depth:]):
                    first.setdefault(p, mover if i % 2 == 0 else 3 - mover)
                for child in node.children:
                    if child.move != PASS and first.get(child.move) == mover:
                        child.amaf_visits += 1
                        child.amaf_wins += won
            mover = 3 - mover


def rounded(x: float) -> float:
    """As the tree keeps it."""
    return float(np.float32(x))


def openings(schedule: str, simulations: int) -> int:
    """How many moves a node with so many simulations may search, by the papers' formulas."""
    n, threshold = 1, 40.0
    while threshold <= simulations:
        n += 1
        # The journal's t_n opens move n + 1, the workshop's 40 · 1.4^(n-2) move n.
        threshold = threshold + 40 * 1.4 ** (n - 1) if schedule == "journal" else threshold * 1.4
    return n


def stones_of_game(position: Position) -> list[Stones]:
    """The stones of every position of the game so far, by playing it again."""
    size, setup, first = position.beginning
    again = Position.from_stones(size, np.frombuffer(setup, np.uint8), first)
    found = [bytes(again.board.color)]
    for colour, p in position.moves:
        again.play(p, colour)
        found.append(bytes(again.board.color))
    return found


def owners_of(board: Board) -> dict[int, int]:
    """Who owns each point by area: stones, and empty regions that reach one colour."""
    colors = board.color.tolist()
    owners: dict[int, int] = {}
    for p in all_points(int(board.side)):
        if p in owners:
            continue
        if colors[p] != EMPTY:
            owners[p] = colors[p]
            continue
        region, reached, todo = {p}, set(), [p]
        while todo:
            for q in NEAR[todo.pop()]:
                if colors[q] == EMPTY and q not in region:
                    region.add(q)
                    todo.append(q)
                elif colors[q] not in (EMPTY, WALL):
                    reached.add(colors[q])
        owners |= dict.fromkeys(region, reached.pop() if len(reached) == 1 else EMPTY)
    return owners


# -- compared --------------------------------------------------------------------------------------


def assert_same_tree(tree: SearchTree, root: Node) -> int:
    """Every node of the twin is in the tree, with the same of everything; returns how many."""
    columns = {name: column.tolist() for name, column in tree._asdict().items()}
    todo = [(0, root)]
    for place, node in todo:  # grows on the way
        found = {name: column[place] for name, column in columns.items()}
        if place != 0:
            assert found["move"] == node.move
            assert bool(found["state"] & FORBIDDEN) == node.forbidden
        assert bool(found["state"] & DESCRIBED) == node.described
        assert found["visits"] == node.visits
        assert found["children"] == len(node.children)
        assert found["opened"] == node.opened
        exact = (node.wins, node.amaf_visits, node.amaf_wins)
        assert (found["wins"], found["amaf_visits"], found["amaf_wins"]) == pytest.approx(exact)
        squares = sum(score * score for score in node.scores)
        assert (found["scores"], found["squares"]) == pytest.approx((sum(node.scores), squares))
        if place != 0:
            assert (found["prior"], found["lean"]) == pytest.approx((node.prior, node.lean))
        first = found["first"]
        assert (first == NO_CHILDREN) == (not node.children)
        if node.children:
            n = len(node.children)
            assert columns["order"][first : first + n] == node.order
            todo += [(first + i, child) for i, child in enumerate(node.children)]
    return len(todo)


def assert_same_counts(player: SearchPlayer, twin: Twin) -> None:
    """Simulations, Black's wins, and by point how often it was Black's and the winner's."""
    counts = player._sums()
    simulations, wins, black, winners = (
        counts[0],
        counts[1],
        counts[2 : 2 + AREA],
        counts[2 + AREA :],
    )
    ends = twin.ends
    assert simulations == len(ends)
    assert wins == sum(won == 1 for _, won in ends)
    points = all_points(twin.game.position.size)
    for p in points:
        assert black[p] == sum(owners[p] == BLACK for owners, _ in ends)
        assert winners[p] == sum(
            owners[p] == (BLACK if won == 1 else WHITE) for owners, won in ends
        )
    assert black.sum() == black[points].sum()
    assert winners.sum() == winners[points].sum()


def play_on(position: Position, move: int) -> Position:
    """The position after one more move."""
    after = position.copy()
    after.play(move)
    return after
