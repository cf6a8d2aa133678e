"""Several threads at one player: snapshots of one moment, and who may search."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from katachi.analysis.snapshots import snapshot
from katachi.errors import KatachiError
from katachi.go.points import AREA, PASS, all_points
from katachi.search.engine import SearchPlayer
from katachi.search.gate import Gate
from katachi.search.player import Budget, GameState
from tests.search.twin import FIXED, LIGHT, full_model, wandered

LAST_GUARD = 600.0  # seconds, against a hang only


@contextmanager
def busy_machine(loops: int = 2) -> Iterator[None]:
    """Threads that want the processor, too."""
    end = threading.Event()

    def turn() -> None:
        while not end.is_set():
            sum(range(2000))

    threads = [threading.Thread(target=turn, daemon=True) for _ in range(loops)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        end.set()
        for thread in threads:
            thread.join(LAST_GUARD)


@contextmanager
def searching(player: SearchPlayer, game: GameState, budget: Budget) -> Iterator[threading.Event]:
    """Another thread searches the game, again and again; its event ends that."""
    stop = threading.Event()
    failed: list[BaseException] = []
    player.search(game, Budget(simulations=1))

    def work() -> None:
        try:
            while not stop.is_set():
                player.search(game, budget, stop)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield stop
    finally:
        stop.set()
        thread.join(LAST_GUARD)
        assert not thread.is_alive()
        assert not failed, failed


def assert_possible(player: SearchPlayer, game: GameState) -> int:
    """Everything that is told is possible, and fits together; the root's visits."""
    found = snapshot(player, game)
    area = game.position.size**2
    most = area + abs(game.komi)
    assert np.all(np.abs(found.owners) <= 1), found.owners
    assert abs(found.lead) <= most
    assert 0 <= found.deviation <= area
    assert 0 <= found.win_rate <= 1
    assert found.lines
    assert found.visits >= 1
    for line in found.lines:
        assert 0 <= line.win_rate <= 1
        assert line.lower <= line.win_rate
        assert 0 <= line.prior <= 1
        assert abs(line.lead) <= most
        assert 0 <= line.deviation <= area
        assert 0 < line.visits <= found.visits
        assert line.moves[0] == line.move
        assert line.visits_of[0] == line.visits
        assert list(line.visits_of) == sorted(line.visits_of, reverse=True)
    return found.visits


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("size", "komi"), [(2, 0.0), (3, -7.5), (5, 24.5), (7, 0.5), (9, 6.5), (13, -150.0), (19, 361)]
)
def test_every_number_of_a_snapshot_is_possible(size: int, komi: float, threads: int) -> None:
    """While threads search, in one long search and in many short ones, on a busy machine."""
    game = GameState(wandered(size, 3, size * size // 4), komi)
    player = SearchPlayer(LIGHT, FIXED, threads=threads, memory_mb=8)
    with busy_machine(), searching(player, game, Budget(simulations=300)):
        for _ in range(30):
            assert_possible(player, game)


def test_one_threads_snapshots_fit_exactly() -> None:
    """Every simulation of the root but those that made its children is one of a child, and the
    points add up to the score: no thread is in the midst of one.
    """
    game = GameState(wandered(7, 3, 9), 0.5)
    player = SearchPlayer(LIGHT, FIXED, memory_mb=8)
    with searching(player, game, Budget(simulations=10**6)):
        for _ in range(100):
            found, lines = player.snapshot(game)
            assert sum(visits for _, visits, _, _ in found.moves) == found.visits
            wins = sum(visits * rate for _, visits, rate, _ in found.moves)
            assert wins == pytest.approx(found.visits * found.win_rate)
            total = sum(
                visits * lead
                for (_, visits, _, _), (lead, _) in zip(found.moves, found.leads, strict=True)
            )
            assert total == pytest.approx(found.visits * found.lead, rel=1e-3, abs=1.0)
            assert [line[0] for line in lines] == [move[:2] for move in found.moves[: len(lines)]]
            share = found.black * found.simulations
            assert share == pytest.approx(np.round(share), abs=1e-6)


def test_looks_change_nothing_of_a_seeded_search() -> None:
    game, budget = GameState(wandered(7, 1, 8), 6.5), Budget(simulations=1500)
    quiet = SearchPlayer(LIGHT, FIXED, memory_mb=8).search(game, budget)
    player = SearchPlayer(LIGHT, FIXED, memory_mb=8)
    found = []
    thread = threading.Thread(target=lambda: found.append(player.search(game, budget)))
    thread.start()
    while thread.is_alive():
        player.snapshot(game)
    thread.join(LAST_GUARD)
    assert found[0].moves == quiet.moves
    assert found[0].simulations == quiet.simulations
    assert np.array_equal(found[0].black, quiet.black)


def test_looks_one_after_another_leave_time_to_search() -> None:
    """A reader that never pauses must not stop the search: each of its looks finds more."""
    game = GameState(wandered(5, 1, 6), 0.5)
    player = SearchPlayer(LIGHT, FIXED, memory_mb=8)
    with searching(player, game, Budget(simulations=10**6)):
        seen = [player.snapshot(game)[0].visits]
        while seen[-1] <= seen[0] + 100:
            seen.append(player.snapshot(game)[0].visits)
            assert len(seen) < 1_000_000, "the search stands still"
    assert seen == sorted(seen)


def test_a_model_that_python_asks_is_looked_at_too() -> None:
    game = GameState(wandered(5, 1, 6), 0.5)
    player = SearchPlayer(full_model(owner=True), FIXED, threads=2, memory_mb=8)
    with searching(player, game, Budget(simulations=200)):
        for _ in range(30):
            assert_possible(player, game)


def test_without_a_search_nobody_owns_anything() -> None:
    game = GameState(wandered(5, 1, 6), 0.5)
    player = SearchPlayer(LIGHT, FIXED, memory_mb=8)
    found, lines = player.snapshot(game)
    assert (found.moves, found.simulations, found.visits, lines) == ([], 0, 0, [])
    assert np.all(found.black[all_points(5)] == 0.5)
    assert np.all(found.criticality == np.zeros(AREA))


# -- two threads that both want to search ------------------------------------------------------

USES: dict[str, Callable[[SearchPlayer, GameState], object]] = {
    "search": lambda player, game: player.search(game, Budget(simulations=50)),
    "choose": lambda player, game: player.choose(game, Budget(simulations=50)),
    "owners": lambda player, game: player.owners(game),
    "forbid": lambda player, game: player.forbid(game, [PASS]),
    "clear": lambda player, _game: player.clear(),
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("use", USES)
def test_another_thread_is_refused(use: str, threads: int) -> None:
    """It crashed the interpreter: the tree was thrown away under the kernels' feet."""
    game = GameState(wandered(5, 1, 6), 0.5)
    player = SearchPlayer(LIGHT, FIXED, threads=threads, memory_mb=8)
    with searching(player, game, Budget(longest=LAST_GUARD)) as stop:
        while player.snapshot(game)[0].visits < 50:
            pass
        for _ in range(20):
            with pytest.raises(KatachiError, match="searches already in another thread"):
                USES[use](player, game)
        assert_possible(player, game)
        stop.set()
    USES[use](player, game)  # now it may
    assert player.choose(game, Budget(simulations=50)).simulations >= 1


def test_many_threads_at_once() -> None:
    """Whatever each of them does, the process lives, and somebody has searched."""
    game = GameState(wandered(7, 1, 6), 0.5)
    player = SearchPlayer(LIGHT, FIXED, threads=2, memory_mb=8)
    done: list[str] = []
    odd: list[BaseException] = []
    together = threading.Barrier(6)

    def work(name: str) -> None:
        together.wait(LAST_GUARD)
        for _ in range(60):
            try:
                if name == "snapshot":
                    player.snapshot(game)
                else:
                    USES[name](player, game)
                done.append(name)
            except KatachiError:
                pass
            except BaseException as error:
                odd.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in [*USES, "snapshot"]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LAST_GUARD)
    assert not odd
    assert len(set(done)) > 1
    assert player.choose(game, Budget(simulations=50)).simulations >= 1


def test_the_gate_after_a_fault() -> None:
    """Whoever fails inside leaves it open."""
    gate = Gate()
    for inside in (gate.alone, gate.searching, gate.looking):
        with pytest.raises(ZeroDivisionError), inside():
            1 / 0  # noqa: B018
    with gate.alone(), gate.searching():
        assert gate.stop[0] == 0
    with gate.looking(), gate.looking():
        assert gate.stop[0] == 1
    assert gate.stop[0] == 0
    gate.ended = True
    with gate.looking():
        pass
    assert gate.stop[0] == 1
