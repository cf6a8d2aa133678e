"""Light searches of positions: what they say, how sure it is, and the pool that runs them."""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from katachi.go.points import BLACK, PASS, WHITE, from_vertex, vertex
from katachi.go.position import IllegalMove, Position
from katachi.models.model import Model, load_model
from katachi.search.engine import SearchPlayer, search_player
from katachi.search.found import Searched, lead_error, rate_error
from katachi.search.player import Budget, GameState
from katachi.search.tree import ROOT
from katachi.study import pool as pools
from katachi.study.expected import expected
from katachi.study.measured import Measured, measure
from katachi.study.opponents import Busy
from katachi.study.pool import GAMES, Job, Pool
from katachi.study.streams import Lines

GUARD = 600.0  # seconds, against a hang
MOVES = ("E5", "C7", "G7", "G3", "C3", "E3")


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model()


@pytest.fixture(scope="module")
def player(model: Model) -> SearchPlayer:
    return search_player(model, memory_mb=8)


def at(number: int) -> GameState:
    """The game after so many of MOVES."""
    position = Position(9)
    for name in MOVES[:number]:
        position.play(name)
    return GameState(position, komi=6.5)


def measured(player: SearchPlayer, game: GameState, played: str | None, count: int) -> Measured:
    move = None if played is None else from_vertex(played, 9)
    found = measure(player, game, move, count, threading.Event())
    assert found is not None
    return found


# -- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize("visits", [2, 7, 200])
def test_errors_are_those_of_a_sample(visits: int) -> None:
    """Against the textbook: the standard error of the mean of a sample, by all its values."""
    rng = np.random.default_rng(visits)
    scores = rng.integers(-80, 80, visits).astype(float)
    wanted = float(np.std(scores, ddof=1) / math.sqrt(visits))
    assert lead_error(float(np.std(scores)), visits) == pytest.approx(wanted)
    for won in range(1, visits):
        share = won / visits
        assert rate_error(share, visits) == pytest.approx(math.sqrt(share * (1 - share) / visits))


def test_errors_of_almost_nothing() -> None:
    assert lead_error(0.0, 1) == math.inf
    for visits in (1, 3, 50):
        for rate in (0.0, 1.0):
            # As if half a simulation of one more had gone the other way
            wanted = 0.5 / math.sqrt((visits + 1) * visits)
            assert rate_error(rate, visits) == pytest.approx(wanted)


def test_a_measure_is_what_its_simulations_say(player: SearchPlayer) -> None:
    """The tree's own sums, taken apart here, for either side to move."""
    for number, colour in ((2, BLACK), (3, WHITE)):
        found = measured(player, at(number), None, 60)
        tree = player._kept.tree
        visits = int(tree.visits[ROOT])
        assert (found.whole.visits, visits) == (60, 60)
        mean = float(tree.scores[ROOT]) / visits
        squares = float(tree.squares[ROOT]) / visits
        assert found.whole.lead == pytest.approx(mean - 6.5)
        spread = math.sqrt((squares - mean**2) / (visits - 1))
        assert found.whole.lead_error == pytest.approx(spread)
        # The root's wins are those of who made the move to it
        before = float(tree.wins[ROOT]) / visits
        assert found.whole.win_rate == pytest.approx(before if colour == WHITE else 1 - before)
        assert sum(one.visits for _, one in found.moves) <= 60
        assert all(one.line[:1] in ((move,), ()) for move, one in found.moves)


def test_the_better_move_is_searched_apart(player: SearchPlayer) -> None:
    """By as many simulations, from the position after it, and by no other."""
    game = at(4)
    best = measured(player, game, None, 50).best
    name = vertex(best, 9)
    assert measured(player, game, name, 50).apart is None
    other = next(v for v in ("A1", "J9") if v != name)
    found = measured(player, game, other, 50)
    assert (found.best, found.apart is not None) == (best, True)
    after = game.position.copy()
    after.play(best)
    alone = measured(player, GameState(after, game.komi), None, 50).whole
    assert found.apart is not None
    assert found.apart.line[0] == best
    for part in ("visits", "win_rate", "rate_error", "lead", "lead_error"):
        assert getattr(found.apart, part) == getattr(alone, part)
    assert measured(player, game, other, 50) == found  # and always the same


def test_all_simulations_are_run(player: SearchPlayer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a search ends early, since no other move can become the best."""
    whole = SearchPlayer.search

    def early(
        player: SearchPlayer, game: GameState, budget: Budget, stop: threading.Event | None = None
    ) -> Searched:
        assert budget.simulations is not None
        return whole(player, game, Budget(simulations=min(budget.simulations, 20)), stop)

    monkeypatch.setattr(SearchPlayer, "search", early)
    assert measured(player, at(2), None, 50).whole.visits == 50


def test_games_that_are_over_and_stopped(player: SearchPlayer) -> None:
    position = at(6).position
    position.pass_()
    position.pass_()
    found = measured(player, GameState(position, komi=6.5), None, 50)
    assert found.whole.visits == 50
    assert PASS not in found.whole.line
    stopped = threading.Event()
    stopped.set()
    assert measure(player, at(2), None, 50, stopped) is None


# -- likely lines --------------------------------------------------------------------------------


def test_the_likeliest_line(model: Model) -> None:
    """Move by move, as the model ranks all legal moves of each position, replayed from nothing."""
    for begin in (("D5",), ("D5", "C5", "D6")):
        game = at(4).position
        found = expected(model, game, [from_vertex(name, 9) for name in begin])
        assert [vertex(p, 9) for p in found[: len(begin)]] == list(begin)
        assert len(found) == 8
        for number in range(len(begin), 8):
            now = at(4).position
            for p in found[:number]:
                now.play(p)
            chances = model.probabilities(now)
            assert chances[found[number]] == max(chances.values())
        assert game.moves == at(4).position.moves  # left as it was


def test_a_line_that_cannot_be_played(model: Model) -> None:
    with pytest.raises(IllegalMove, match="E5 is illegal: occupied"):
        expected(model, at(4).position, [from_vertex("E5", 9)])


def test_a_line_ends_with_a_pass_and_repeats_nothing(
    model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a model that likes what was not to be: a pass, or a ko taken back."""

    def passing(_model: Model, _position: Position) -> dict[int, float]:
        return {from_vertex("A1", 9): 0.4, PASS: 0.6}

    monkeypatch.setattr(Model, "probabilities", passing)
    assert expected(model, at(4).position, [from_vertex("D5", 9)]) == [from_vertex("D5", 9)]
    colors = Position(5).colors
    for colour, names in ((BLACK, "B3 A2 B1"), (WHITE, "C3 D2 C1 B2")):
        for name in names.split():
            colors[from_vertex(name, 5)] = colour
    ko = Position.from_stones(5, colors, BLACK)
    wanted = [from_vertex(name, 5) for name in ("C2", "B2", "E5")]

    def retakes(_model: Model, position: Position) -> dict[int, float]:
        legal = [p for p in (*wanted, PASS) if not position.why_illegal(p)]
        return {p: 1.0 / (2 + i) for i, p in enumerate(legal)}

    monkeypatch.setattr(Model, "probabilities", retakes)
    found = [vertex(p, 5) for p in expected(model, ko, wanted[:1])]
    assert found[:2] == ["C2", "E5"]  # not B2, which would take the ko back


# -- the pool ------------------------------------------------------------------------------------


def test_signs_of_life(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """They come while no position is done: so a visitor who has gone is noticed."""
    monkeypatch.setattr(pools, "PULSE", 0.0)
    pool = Pool(model, threads=0)
    stream = pool.search("a", 50, jobs())
    assert [next(stream) for _ in range(3)][1:] == [{"wait": True}] * 2
    stream.close()
    assert next(pool.search("a", 50, jobs())) == {"of": 7, "simulations": 50}


@pytest.fixture
def pool(model: Model) -> Iterator[Pool]:
    found = Pool(model, threads=2)
    yield found
    found.stop()
    for thread in found._threads:
        thread.join(GUARD)
        assert not thread.is_alive()


def jobs(count: int = len(MOVES)) -> list[Job]:
    played = [*MOVES, None]
    return [
        Job(n, at(n), None if played[n] is None else from_vertex(str(played[n]), 9))
        for n in range(count + 1)
    ]


def told(stream: Lines) -> list[dict[str, Any]]:
    """All lines but the signs of life."""
    return [line for line in stream if "wait" not in line]


def test_a_whole_game(pool: Pool, player: SearchPlayer, model: Model) -> None:
    """Every position once, as a search by itself says it, whichever thread has searched it."""
    head, *found, tail = told(pool.search("a", 50, jobs()))
    assert head == {"of": 7, "simulations": 50}
    assert tail == {"end": True}
    assert sorted(one["place"] for one in found) == list(range(7))
    for one in found:
        job = jobs()[one["place"]]
        alone = measure(player, job.game, job.played, 50, threading.Event())
        assert alone is not None
        assert one == {"place": job.place} | alone.data(model, job.game.position)
        usual = model.probabilities(job.game.position)
        for move in one["moves"]:
            assert move["probability"] == usual[from_vertex(move["vertex"], 9)]
        assert (one["apart"] is None) == (job.played is None or alone.best == job.played)


class Held:
    """Searches of the pool that wait until they are let go of."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go = threading.Event()
        self.begun = threading.Semaphore(0)
        whole = SearchPlayer.search

        def search(
            player: SearchPlayer,
            game: GameState,
            budget: Budget,
            stop: threading.Event | None = None,
        ) -> Searched:
            self.begun.release()
            assert self.go.wait(GUARD)
            return whole(player, game, budget, stop)

        monkeypatch.setattr(SearchPlayer, "search", search)


def test_who_stops_is_searched_for_no_more(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)
    first = pool.search("a", 50, jobs())
    next(first)
    for _ in range(2):
        assert held.begun.acquire(timeout=GUARD)
    first.close()  # while two of the positions are searched
    held.go.set()
    assert [one["place"] for one in told(pool.search("a", 50, jobs(0)))[1:-1]] == [0]
    begun = 0
    while held.begun.acquire(blocking=False):
        begun += 1
    assert begun <= 2  # those of the new request, and none of the five that were left


def test_visitors_take_turns(pool: Pool) -> None:
    """Whose games are longer does not keep others waiting."""
    streams = [pool.search(str(n), 50, jobs()) for n in range(GAMES)]
    for stream in streams:
        next(stream)
    for name, own in (("0", True), ("another", False)):
        with pytest.raises(Busy) as busy:
            next(pool.search(name, 50, jobs()))
        assert busy.value.own == own
    served = [sorted(one["place"] for one in stream if "place" in one) for stream in streams]
    assert served == [list(range(7))] * GAMES
    assert next(pool.search("another", 50, jobs())) == {"of": 7, "simulations": 50}


def test_the_order_of_turns(model: Model) -> None:
    pool = Pool(model, threads=0)  # nobody takes them but we
    streams = [pool.search(name, 50, jobs()) for name in "abc"]
    for stream in streams:
        next(stream)
    names = {id(work): name for name, work in pool._works.items()}
    order = []
    for _ in range(7):
        taken = pool._next()
        assert taken is not None
        order.append((names[id(taken[0])], taken[1].place))
    turns = [(name, n // 3) for n, name in zip(range(7), itertools.cycle("abc"), strict=False)]
    assert order == turns
    pool.stop()
    assert [list(stream) for stream in streams] == [[], [], []]


def test_a_search_that_fails_is_told(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: Any, **_more: Any) -> None:
        raise ZeroDivisionError("no")

    with monkeypatch.context() as patched:
        patched.setattr(SearchPlayer, "search", fail)
        with pytest.raises(ZeroDivisionError, match="no"):
            list(pool.search("a", 50, jobs()))
    assert {"end": True} in list(pool.search("a", 50, jobs(0)))
