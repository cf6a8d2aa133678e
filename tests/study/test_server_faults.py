"""Faults that visitors have met: handicap games, odd komi, many requests at once, and Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any

import anyio
import anyio.lowlevel
import httpx
import numpy as np
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from starlette.applications import Starlette
from starlette.types import Message

from fuzz.page import Inside
from katachi.errors import KatachiError
from katachi.go.position import Position
from katachi.models.model import Model, load_model
from katachi.records.record import parse_tree
from katachi.search.engine import SearchPlayer
from katachi.search.found import Searched
from katachi.search.player import Budget, GameState
from katachi.study import opponents
from katachi.study.opponents import SEARCHES, Busy, Opponents
from katachi.study.server import study_app
from katachi.study.streams import Lines, Stream
from katachi.study.wire import record_data, to_json

GUARD = 600.0  # seconds, against a hang


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model()


@pytest.fixture
def client(model: Model) -> Iterator[Inside]:
    with start_blocking_portal() as portal:
        yield Inside(study_app(model, 80), portal)


def position(actions: list[str], size: int = 9, **more: Any) -> dict[str, Any]:
    return {"size": size, "komi": 6.5, "actions": actions, **more}


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


# -- numbers that go to JSON -------------------------------------------------------------------


def refused(name: str) -> float:
    raise AssertionError(f"{name} is no JSON")


@pytest.mark.parametrize(
    "sgf",
    [
        b"(;SZ[9]AB[dd][gg];W[ee];B[ed])",  # a handicap game without HA
        b"(;SZ[9]HA[2]AB[dd][gg];W[ee];B[ed])",
        b"(;SZ[9]KM[" + b"9" * 400 + b"];B[ee])",
        b"(;SZ[9]KM[inf];B[ee])",
        b"(;SZ[9]KM[nan];B[ee])",
        b"(;SZ[9]KM[5000];B[ee])",
        b"(;SZ[9]KM[-1e300];B[ee])",
    ],
)
def test_odd_headers_can_be_studied(client: Inside, sgf: bytes) -> None:
    found = client.post("/api/open", content=sgf)
    assert found.status_code == 200, found.text
    tree = json.loads(found.text, parse_constant=refused)
    assert isinstance(tree["handicap"], int)
    actions = [action for node in tree["nodes"] for action in node["actions"]]
    asked = {"size": tree["size"], "komi": tree["komi"], "actions": actions}
    assert client.post("/api/position", json=asked).status_code == 200
    reviewed = client.post("/api/review", json=asked)
    assert reviewed.status_code == 200
    for line in reviewed.text.splitlines():
        json.loads(line, parse_constant=refused)


def test_a_komi_that_cannot_be_used_is_told() -> None:
    tree = parse_tree(b"(;SZ[9];B[ee])", "x")
    told = record_data(replace(tree, game=replace(tree.game, komi=float("inf"))))
    assert told["komi"] is None
    assert any("komi" in notice for notice in told["notices"])


def test_to_json() -> None:
    data = {
        "a": np.int64(3),
        "b": (np.float32(0.5), float("inf"), np.float64("nan")),
        "c": "\ud800",
        "d": np.bool_(True),
        "e": None,
    }
    assert json.loads(to_json(data)) == {
        "a": 3,
        "b": [0.5, None, None],
        "c": "\ud800",
        "d": True,
        "e": None,
    }


@pytest.mark.parametrize(
    "body",
    [
        b'{"size": 9, "actions": [], "komi": ' + b"9" * 4000 + b"}",
        b'{"size": 9, "actions": [], "komi": ' + b"[" * 800 + b"]" * 800 + b"}",
        b'{"size": ' + b"[" * 800 + b"]" * 800 + b', "actions": []}',
        b'{"size": 9, "actions": ["B \\ud800"]}',
        b'{"size": 9, "actions": [], "vertex": "\\ud800"}',
        b'{"size": 9, "actions": [], "vertex": ' + b"[" * 800 + b"]" * 800 + b"}",
        b'{"size": 9, "actions": [], "vertex": "A' + b"9" * 5000 + b'"}',
        b'{"size": 9, "actions": [], "strength": ["200"]}',
        b'{"size": 9, "actions": [], "strength": "\\ud800"}',
        b'{"size": 9, "actions": [], "strength": "200", "visitor": {"a": 1}}',
    ],
)
def test_wrong_types_are_told(client: Inside, body: bytes) -> None:
    for name in ("explain", "play"):
        found = client.post(f"/api/{name}", content=body)
        assert found.status_code == 400, found.text
        assert 0 < len(found.json()["error"]) < 300


def test_a_length_of_many_digits(client: Inside) -> None:
    found = client.post("/api/open", content=b"x", headers={"content-length": "9" * 5000})
    assert found.status_code == 413


# -- what the engine says -------------------------------------------------------------------------


def test_a_win_rate_is_told_with_its_simulations(client: Inside) -> None:
    """The rate is of those simulations that began with the move, which are fewer than all."""
    asked = position(["B E5", "W C7"], strength="3000", visitor="a")
    *_, last = lines(client.post("/api/play", json=asked).text)
    (row,) = [m for m in last["moves"] if m["vertex"] == last["move"]]
    done = last["simulations"]
    assert 200 < done <= 3000
    assert row["visits"] < done
    assert row["win_rate"] == last["win_rate"]
    wanted = f"wins {row['win_rate']:.1%} of {row['visits']:,} of {done:,} simulations"
    assert wanted in last["comment"]
    assert last["comment"].startswith(f"Black {last['move']} ")


@pytest.mark.slow
def test_all_simulations_are_run(client: Inside) -> None:
    """Slices end early where one move is far ahead: what is told are those that were run."""
    asked = position(["B E5"], strength="10000", visitor="a")
    found = lines(client.post("/api/play", json=asked).text)
    done = [line["simulations"] for line in found]
    assert done == sorted(set(done))
    assert done[-1] == 10_000
    assert f"of {found[-1]['moves'][0]['visits']:,} of 10,000 simulations" in found[-1]["comment"]


def test_a_pass_has_no_win_rate_of_another_move(model: Model) -> None:
    """Every stone is settled and White has passed: Black passes, too, and says why."""
    black = [f"B {c}{n}" for n in (5, 4) for c in "ABCDEFGHJ"]
    white = [f"W {c}{n}" for n in (6, 7) for c in "ABCDEFGHJ"]
    moves = [one for pair in zip(black, white, strict=True) for one in pair]
    game = Position(9)
    for one in moves:
        colour, place = one.split()
        game.play(place, {"B": 1, "W": 2}[colour])
    game.play("E2", 1)
    game.pass_()
    *_, last = Opponents(model).think("a", "3000", GameState(game, komi=0.5))
    assert last["move"] == "pass"
    if last["win_rate"] is None:
        assert last["comment"].startswith("Black passes: ")
    else:  # the pass itself was searched, and is what the rate is of
        assert last["comment"].startswith("Black pass wins ")


@pytest.mark.parametrize("strength", ["pattern", "200"])
def test_a_game_that_is_over(client: Inside, strength: str) -> None:
    asked = position(["B E5", "W pass", "B pass"], strength=strength, visitor="a")
    found = client.post("/api/play", json=asked)
    assert found.status_code == 400
    assert "the game is over" in found.json()["error"]


# -- many at once ------------------------------------------------------------------------------


class Held:
    """Searches that go on until they are let go of."""

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


def test_sixty_at_once_of_one_visitor(client: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    """One is answered, the others are told to come again, at once; and the server lives on."""
    held = Held(monkeypatch)
    asked = position(["B E5"], strength="200", visitor="same")
    with ThreadPoolExecutor(61) as pool:
        first = pool.submit(client.post, "/api/play", json=asked)
        assert held.begun.acquire(timeout=GUARD)
        others = [pool.submit(client.post, "/api/play", json=asked) for _ in range(60)]
        for other in others:  # while the first is held
            found = other.result(GUARD)
            assert found.status_code == 429
            assert found.headers["retry-after"] == "1"
            assert "still thinks" in found.json()["error"]
        assert client.post("/api/position", json=position([])).status_code == 200
        held.go.set()
        assert "move" in lines(first.result(GUARD).text)[-1]
    assert client.post("/api/play", json=asked).status_code == 200


def test_too_many_visitors(model: Model) -> None:
    engines = Opponents(model)
    game = GameState(Position(9), komi=6.5)
    under_way = [engines.think(str(n), "200", game) for n in range(SEARCHES)]
    for one in under_way:
        next(one)
    with pytest.raises(Busy) as told:
        next(engines.think("another", "200", game))
    assert not told.value.own
    with pytest.raises(Busy) as told:
        next(engines.think("0", "200", game))
    assert told.value.own
    under_way[0].close()
    last = list(engines.think("another", "200", game))[-1]
    assert "move" in last
    for one in under_way:
        one.close()
    assert len(engines._seats) == opponents.PLAYERS  # trees are not kept for all
    kept = {id(seat.searcher) for seat in engines._seats.values()} | set(map(id, engines._free))
    assert len(kept) == opponents.PLAYERS + 1  # one is for whoever comes next
    for number in range(20):  # each visitor is new: no other player is made for any
        next(engines.think(f"new {number}", "200", game)).clear()
        found = {id(seat.searcher) for seat in engines._seats.values()}
        assert found | set(map(id, engines._free)) == kept


def test_a_player_used_again_plays_the_same(model: Model) -> None:
    engines = Opponents(model)
    game = GameState(Position(9), komi=6.5)
    found = [list(engines.think(str(n), "200", game)) for n in range(6)]
    assert all(one == found[0] for one in found)


def test_owners_of_two_at_once(client: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(client.post, "/api/owners", json=position(["B E5"]))
        assert held.begun.acquire(timeout=GUARD)
        second = client.post("/api/owners", json=position(["B E5"]))
        assert (second.status_code, second.headers["retry-after"]) == (503, "1")
        held.go.set()
        assert len(first.result(GUARD).json()["owners"]) == 81


def test_a_failure_lets_go(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that fails, or whose maker does, is not at work for ever."""
    engines = Opponents(model)
    game = GameState(Position(9), komi=6.5)

    def fail(*_args: Any, **_more: Any) -> None:
        raise KatachiError("no")

    with monkeypatch.context() as patched:
        patched.setattr(opponents, "Searcher", fail)
        for _ in range(2):
            with pytest.raises(KatachiError, match="no"):
                list(engines.think("a", "200", game))
            with pytest.raises(KatachiError, match="no"):
                engines.owners(game)
    assert "move" in list(engines.think("a", "200", game))[-1]


def test_who_goes_away_in_the_middle_lets_go() -> None:
    """The generator is closed, whether its step runs at that moment or not."""
    closed = threading.Event()
    reached = threading.Event()
    go = threading.Event()

    def work() -> Lines:
        try:
            yield {"a": 1}
            reached.set()
            assert go.wait(GUARD)
            yield {"b": 2}
        finally:
            closed.set()

    stream = Stream(work())
    assert stream._step() == {"a": 1}
    stream.close()
    assert closed.is_set()

    closed.clear()
    stream = Stream(work())
    stream._step()
    thread = threading.Thread(target=stream._step)
    thread.start()
    assert reached.wait(GUARD)
    stream.close()
    go.set()
    thread.join(GUARD)
    assert closed.is_set()


def begun(app: Starlette, portal: BlockingPortal, body: bytes, gone: int) -> list[Message]:
    """What is sent to a visitor who asks for a move and goes away after so many messages; with
    -1 in the middle of the request.
    """
    head = {
        "type": "http",
        "method": "POST",
        "path": "/api/play",
        "raw_path": b"/api/play",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1:80")],
        "http_version": "1.1",
        "scheme": "http",
        "root_path": "",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
    }
    sent: list[Message] = []

    async def run() -> None:
        left = anyio.Event()
        waiting = [{"type": "http.request", "body": body, "more_body": gone < 0}]

        async def receive() -> Message:
            if waiting:
                return waiting.pop()
            if gone >= 0:
                await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            sent.append(message)
            if len(sent) >= gone:
                left.set()
                await anyio.lowlevel.checkpoint()

        with anyio.fail_after(GUARD):
            await app(head, receive, send)

    portal.call(run)
    return sent


@pytest.mark.parametrize("gone", [-1, 1, 2, 3])
def test_a_visitor_who_goes_away(
    model: Model, gone: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """The player is free again, and nothing is said about it on the terminal."""
    app = study_app(model, 80)
    asked = position(["B E5"], strength="3000", visitor="a")
    with start_blocking_portal() as portal:
        client = Inside(app, portal)
        begun(app, portal, json.dumps(asked).encode(), gone)
        # What was under way may go on for a moment; nobody but time ends it
        while (found := client.post("/api/play", json=asked)).status_code == 429:
            pass
        assert found.status_code == 200
        assert "move" in lines(found.text)[-1]
    assert capfd.readouterr().err == ""


# -- Ctrl-C ---------------------------------------------------------------------------------------

ENDLESS = """
import sys
import katachi.study.opponents as engines
from katachi.cli import main
from katachi.search.engine import SearchPlayer
engines.STRENGTHS = (*engines.STRENGTHS, "1000000000000")
whole = SearchPlayer.search
def search(player, game, budget, stop=None):
    print("searching", flush=True)
    return whole(player, game, budget, stop)
SearchPlayer.search = search
sys.argv = ["katachi", "study", "--no-browser", "--port", "0"]
main()
"""


@pytest.mark.slow
def test_ctrl_c_while_a_search_without_end_runs() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", ENDLESS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://"), process.communicate()

        def ask() -> None:
            asked = position(["B E5"], strength="1000000000000", visitor="a")
            with suppress(httpx.HTTPError):  # it is cut off
                httpx.post(f"{address}api/play", json=asked, timeout=GUARD, trust_env=False)

        visitor = threading.Thread(target=ask, daemon=True)
        visitor.start()
        assert process.stdout.readline() == "searching\n"
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=GUARD)
        assert process.returncode == 0, err
        assert "Traceback" not in err
        visitor.join(GUARD)
    finally:
        process.kill()
        process.communicate()
