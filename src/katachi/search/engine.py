"""The player that searches: start reading here.

`SearchPlayer.choose` runs simulations, each of which selects its way down the tree, expands a leaf,
plays out and backs up (`simulate`). The tree is kept from move to move (`kept`). The full model
(`prior`) is asked about the nodes that matter. At last the player decides about passing (`ending`)
and resigning. Then read:

    tree, space      the arrays: the tree, and what the kernels of a search are given
    simulate         one simulation; select, expand and playouts are its parts
    gammas, sampler  what playouts draw by, and how the weights of all points are kept up;
                     boosts are what the previous move adds
    found            what came out, and when it is enough
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board
from katachi.go.points import BLACK, PASS, other, vertex
from katachi.models.model import Model
from katachi.search.ending import (
    has_dead,
    loses_as_it_stands,
    may_want_to_pass,
    wants_to_pass,
    wins_as_it_stands,
)
from katachi.search.found import Searched, is_enough, searched
from katachi.search.gammas import gammas_by_size, gammas_for
from katachi.search.gate import Gate
from katachi.search.judge import Judge
from katachi.search.kept import KeptTree
from katachi.search.mind import can_weigh
from katachi.search.player import RESIGN, Budget, Choice, GameState
from katachi.search.settings import SearchSettings, parse_settings, priors
from katachi.search.space import BLACKS, FULL, NODE, SIMULATIONS, WINNERS, Task, options_for
from katachi.search.tree import (
    FORBIDDEN,
    NODE_BYTES,
    ROOT,
    SearchTree,
    child_of,
    forbid_child,
    line,
    set_priors,
)
from katachi.search.widening import thresholds
from katachi.search.worker import Worker

SLICE: Final = 128  # simulations between two looks at the clock
SURE: Final = 100  # simulations before it may resign
OWNER_BUDGET: Final = Budget(simulations=1000)  # to tell who owns what in the midst of a game
JUDGING: Final = 0.5  # of the longest time for a move: more is not spent on judging
LEAST_NODES: Final = 1000  # of each thread, so that it can give the root children


def search_player(
    model: Model,
    *,
    threads: int = 1,
    memory_mb: int = 512,
    seed: int = 1,
    settings: Mapping[str, str] | None = None,
) -> SearchPlayer:
    """A player that searches with this model, with settings as text (`parse_settings`).

    Raises KatachiError if the model has no playout gammas, or for settings that do not exist.
    """
    return SearchPlayer(
        model, parse_settings(settings or {}), threads=threads, memory_mb=memory_mb, seed=seed
    )


class SearchPlayer:
    """A tree search with one model. One thread and a seed give the same moves every time, as long
    as the budget is in simulations.

    One thread at a time may use it; another gets a KatachiError. Only `snapshot`, `line` and `full`
    may be asked meanwhile.
    """

    def __init__(
        self,
        model: Model,
        settings: SearchSettings,
        *,
        threads: int = 1,
        memory_mb: int = 512,
        seed: int = 1,
    ) -> None:
        self.settings = settings
        self.model = model
        self._gammas = gammas_by_size(model, settings)
        self._judge = Judge(self._gammas)
        light = model.features.catalogue.name == "playout"
        self._model = None if light or settings.model_after < 0 else model
        self._kept = KeptTree(max(memory_mb * 2**20 // (2 * NODE_BYTES), LEAST_NODES * threads))
        self._widths = thresholds(settings.widening)
        self._seed = seed
        self._threads = threads
        self._gate = Gate()
        self._lock = Lock()  # of what is left to do
        self._begin()

    def _begin(self) -> None:
        self._workers = [Worker(self._seed + 1_000_003 * i) for i in range(self._threads)]
        self._left = 0
        self._size = 0
        self._weighs = self._asks = False  # whether there is a full model, and Python asks it
        self._kept.forget()

    def clear(self) -> None:
        """Forget the tree, and begin again with the seed."""
        with self._gate.alone(), self._gate.searching():
            self._begin()

    # -- choosing ------------------------------------------------------------------------------

    def choose(self, game: GameState, budget: Budget, stop: Event | None = None) -> Choice:
        """See katachi.search.player.Player."""
        began = time.monotonic()
        with self._gate.alone():
            found = self.search(game, budget, stop)
            spent = time.monotonic() - began
            left = None if budget.limit is None else budget.limit - spent
            return self.decide(game, found, spent, left)

    def decide(
        self, game: GameState, found: Searched, seconds: float, left: float | None = None
    ) -> Choice:
        """The move to play after a search of this game that took so long; its tree must still be
        there. `left`: seconds that may be spent on judging whether the game is over.
        """
        position = game.position
        with self._gate.alone():
            black = self._judged(game, found, left)
        best, visits, rate = self._best(game, found, black)
        moves = tuple(p for p, _ in self.line(best))
        comment = (
            f"{vertex(best, position.size)} wins {rate:.1%} of its {visits} simulations, "
            f"{found.visits} in all; "
            f"expected {' '.join(vertex(p, position.size) for p in moves)}"
        )
        move = best
        if best == PASS or (black is not None and wants_to_pass(game, black, best)):
            move = PASS
        elif (
            game.may_resign
            and not game.cleanup
            and found.simulations >= SURE
            and rate < self.settings.resign
        ):
            move = RESIGN
        return Choice(move, rate, found.simulations, seconds, moves, comment)

    def _best(
        self, game: GameState, found: Searched, black: npt.NDArray[np.float64] | None
    ) -> tuple[int, int, float]:
        """(the best move, its visits and its win rate); a pass that loses is left for the next."""
        moves = found.moves
        if not moves:
            return PASS, found.visits, found.win_rate
        if moves[0][0] == PASS and not (black is not None and wins_as_it_stands(game, black)):
            if len(moves) > 1:
                moves = moves[1:]
            elif black is not None and loses_as_it_stands(game, black):
                return PASS, moves[0][1], 0.0  # whatever the tree says, where all stones live
        return moves[0][:3]

    def _judged(
        self, game: GameState, found: Searched, left: float | None
    ) -> npt.NDArray[np.float64] | None:
        """Who owns what, if a pass comes into question and there is time to judge, else None."""
        best = found.moves[0][0] if found.moves else PASS
        if best != PASS and not may_want_to_pass(game, found.black, best):
            return None
        if game.rules == "tromp-taylor":
            return found.black  # nobody's opinion counts
        return self._judge.owners(game.position, left)

    def _must_play(self, game: GameState, budget: Budget, stop: Event | None) -> bool:
        """Whether passing is out of the question: it would end a game that is not surely won, or,
        in a cleanup, leave dead stones of the opponent.

        The tree would not see that: in it two passes end the game with all stones alive.
        """
        if game.rules == "tromp-taylor":
            return False
        if game.position.board.passes != 1 and not game.cleanup:
            return False
        longest = None if budget.limit is None else JUDGING * budget.limit
        black = self._judge.owners(game.position, longest, stop)
        if black is None:
            return True
        if game.cleanup:
            return has_dead(game, black, other(game.position.to_move))
        return not wins_as_it_stands(game, black)

    def owners(self, game: GameState) -> npt.NDArray[np.float64]:
        """See katachi.search.player.Player. The same for the same stones, whatever was asked
        before.
        """
        with self._gate.alone():
            owners = self._judge.owners(game.position)
        assert owners is not None  # there was time
        return owners

    def search(self, game: GameState, budget: Budget, stop: Event | None = None) -> Searched:
        """Simulate within the budget, and say what came out."""
        with self._gate.alone():
            began = time.monotonic()
            if budget == Budget():
                budget = Budget(simulations=self.settings.simulations)
            self._gate.ended = False
            must_play = self._must_play(game, budget, stop)
            # With the first simulation, so that nobody who looks finds none, and whatever the clock
            # says there is a move to play.
            with self._gate.searching():
                self._take_over(game)
                for worker in self._workers:
                    worker.begin()
                self._left = 10**12 if budget.simulations is None else budget.simulations
                self._task = Task(
                    self._kept.root,
                    game.position.history,
                    gammas_for(self._gammas, game.position.size),
                    options_for(self.settings, game, weighs=self._weighs, asks=self._asks),
                    self._widths,
                    self._gate.stop,
                )
                worker = self._workers[0]
                target = self._take(worker, 1)
                while worker.done < target:
                    self._piece(worker, target)
                passing = child_of(self._tree, ROOT, PASS)
                if must_play and passing is not None and self._tree.children[ROOT] > 1:
                    forbid_child(self._tree, passing)
            if self._threads == 1:
                self._one(self._workers[0], budget, began, stop)
            else:
                self._many(budget, began, stop)
            with self._gate.looking():
                return self._found(game)

    def snapshot(
        self, game: GameState, most: int = 10
    ) -> tuple[Searched, list[list[tuple[int, int]]]]:
        """(what the simulations under way say so far, the expected line of each of its `most` first
        moves): to be asked from another thread while `search` runs for the same game. All of it is
        of one moment.
        """
        with self._gate.looking():
            found = self._found(game)
            return found, [self._line(move) for move, *_ in found.moves[:most]]

    def line(self, move: int) -> list[tuple[int, int]]:
        """(move, its visits) of the expected line, if it is this one that is played at the root."""
        with self._gate.looking():
            return self._line(move)

    def _line(self, move: int) -> list[tuple[int, int]]:
        node = child_of(self._tree, ROOT, move)
        found: list[tuple[int, int]] = []
        for following in [] if node is None else [node, *line(self._tree, node)]:
            visits = int(self._tree.visits[following])
            # Threads may have lost some of the visits above (see katachi.search.found).
            least = min(visits, found[-1][1]) if found else visits
            found.append((int(self._tree.move[following]), least))
        return found

    def forbid(self, game: GameState, moves: Collection[int]) -> None:
        """Think of this game without these moves at its root, until `clear`."""
        after = self.settings.expand_after or game.position.size**2
        with self._gate.alone():
            self.search(game, Budget(simulations=after + 2))
            with self._gate.searching():
                for move in moves:
                    child = child_of(self._tree, ROOT, move)
                    if child is not None:
                        self._tree.state[child] |= FORBIDDEN

    def _one(self, worker: Worker, budget: Budget, began: float, stop: Event | None) -> None:
        self._some(worker, SLICE - 1)
        while not self._enough(budget, began, stop) and self._left > 0:
            self._some(worker, SLICE)

    def _many(self, budget: Budget, began: float, stop: Event | None) -> None:
        def work(worker: Worker) -> None:
            while not self._gate.ended and self._left > 0:
                self._some(worker, SLICE)

        with ThreadPoolExecutor(len(self._workers)) as pool:
            running = [pool.submit(work, worker) for worker in self._workers]
            try:
                while not all(one.done() for one in running):
                    if self._enough(budget, began, stop):
                        break
                    time.sleep(0.002)
            finally:
                self._gate.ended = True  # on Ctrl-C, too: the pool waits for its threads
            for one in running:
                one.result()

    def _some(self, worker: Worker, most: int) -> None:
        """Run some simulations in this thread."""
        target = self._take(worker, most)
        while not self._gate.ended and worker.done < target:
            with self._gate.searching():
                self._piece(worker, target)

    def _take(self, worker: Worker, most: int) -> int:
        """Take up to `most` simulations of those that are left; how many the worker then has."""
        with self._lock:
            take = min(most, self._left)
            self._left -= take
        return worker.done + take

    def _piece(self, worker: Worker, target: int) -> None:
        """Simulate until the target or a call back, or until a node wants the model, which is then
        asked.
        """
        if worker.simulate(self._tree, self._task, target):
            assert worker.prior is not None
            board = worker.space.work
            owned = self._owned(board) if worker.prior.wants_owned else None
            node = int(worker.space.control[NODE])
            set_priors(self._tree, node, worker.prior(board, owned), self._task.options.widens)

    def _owned(self, board: Board) -> npt.NDArray[np.float64] | None:
        """How likely each point ends as the mover's, by the simulations so far."""
        counts = self._sums()
        if counts[SIMULATIONS] < 1:
            return None
        share: npt.NDArray[np.float64] = counts[BLACKS:WINNERS] / counts[SIMULATIONS]
        return share if int(board.to_move) == BLACK else 1.0 - share

    def _enough(self, budget: Budget, began: float, stop: Event | None) -> bool:
        """Whether the search should end now."""
        if stop is not None and stop.is_set():
            return True
        done, spent = sum(w.done for w in self._workers), time.monotonic() - began
        return is_enough(self._tree, self._task.options.prior_won, budget, done, spent)

    # -- the tree ------------------------------------------------------------------------------

    @property
    def _tree(self) -> SearchTree:
        return self._kept.tree

    def _take_over(self, game: GameState) -> None:
        """Make the position the root, and keep what is known about it."""
        size = game.position.size
        if self._size != size:
            self._size = size
            model = self._model
            if model is not None:
                known = all(size in s.sizes for s in model.features.dictionaries.values())
                model = model if known else None
            self._weighs = model is not None
            self._asks = model is not None and not can_weigh(model)
            for worker in self._workers:
                worker.think_with(model, size)
        self._kept.take_over(game, [worker.space for worker in self._workers])

    @property
    def full(self) -> bool:
        """Whether a thread has run out of memory for new nodes; the search goes on without."""
        return any(bool(w.space.control[FULL]) for w in self._workers)

    def _found(self, game: GameState) -> Searched:
        won = priors(self.settings, game.position.size)[1]
        return searched(self._tree, self._sums(), game, won)

    def _sums(self) -> npt.NDArray[np.int64]:
        """The counts (see `space`) of all threads, each as it last came back."""
        sums: npt.NDArray[np.int64] = np.sum([w.published for w in self._workers], axis=0)
        return sums
