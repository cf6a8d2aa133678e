"""What the server says of a game's positions and of likely lines, and what it refuses."""

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
from typing import Any

import httpx
import pytest
from anyio.from_thread import start_blocking_portal

from fuzz.page import Inside
from katachi.go.points import vertex
from katachi.models.model import Model, load_model
from katachi.study import pool
from katachi.study.expected import expected
from katachi.study.pool import DEPTHS
from katachi.study.server import study_app
from katachi.study.wire import game_of
from tests.study.test_measured import GUARD, Held

ACTIONS = ["B E5", "W C7", "AB G7", "W G3"]
POSITIONS = [[0, "B", "E5"], [1, "W", "C7"], [3, "W", "G3"], [4, "B", None]]


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model()


@pytest.fixture
def client(model: Model) -> Iterator[Inside]:
    app = study_app(model, 80)
    with start_blocking_portal() as portal:
        yield Inside(app, portal)
    app.state.stop()


def asked(**more: Any) -> dict[str, Any]:
    game = {"size": 9, "komi": 6.5, "actions": ACTIONS}
    return game | {"positions": POSITIONS, "simulations": 50, "visitor": "a"} | more


def lines(text: str) -> list[dict[str, Any]]:
    """All but the signs of life."""
    found = [json.loads(line) for line in text.splitlines()]
    return [line for line in found if "wait" not in line]


def test_positions_of_a_game(client: Inside) -> None:
    assert client.get("/api/start").json()["depths"] == list(DEPTHS)
    head, *found, tail = lines(client.post("/api/search", json=asked()).text)
    assert (head, tail) == ({"of": 4, "simulations": 50}, {"end": True})
    by = {one["place"]: one for one in found}
    assert sorted(by) == [0, 1, 2, 3]
    for place, (_, turn, played) in enumerate(POSITIONS):
        one = by[place]
        assert one["to_move"] == {"B": "black", "W": "white"}[str(turn)]
        assert one["visits"] == 50
        assert (one["apart"] is None) == (played in (None, one["best"]))
        assert 0 < len(one["moves"]) <= 5
    # Black has three stones, White one: also where the record says who moves
    assert by[2]["lead"] > by[1]["lead"]


def test_likely_lines(client: Inside, model: Model) -> None:
    wanted = expected(model, game_of(asked()).position(), [])
    for count in (1, 3):
        moves = [vertex(p, 9) for p in wanted[:count]]
        found = client.post("/api/expected", json=asked(moves=moves)).json()
        assert found == {"line": [vertex(p, 9) for p in wanted]}


@pytest.mark.parametrize(
    ("name", "more", "words"),
    [
        ("search", {"simulations": 49}, "50, 200, 1000 simulations: choose one"),
        ("search", {"simulations": True}, "choose one"),
        ("search", {"simulations": "50"}, "choose one"),
        ("search", {"simulations": [50]}, "choose one"),
        ("search", {"positions": None}, "names no positions"),
        ("search", {"positions": []}, "names no positions"),
        ("search", {"positions": [[0, "B", None]] * 6000}, "names no positions"),
        ("search", {"positions": [[5, "B", None]]}, "a position that is none"),
        ("search", {"positions": [[-1, "B", None]]}, "a position that is none"),
        ("search", {"positions": [[True, "B", None]]}, "a position that is none"),
        ("search", {"positions": [[0, "X", None]]}, "a position that is none"),
        ("search", {"positions": [[0, "B"]]}, "a position that is none"),
        ("search", {"positions": [[0, "B", "Z9"]]}, "is no vertex"),
        ("search", {"positions": ["0"]}, "a position that is none"),
        ("search", {"visitor": 7}, "visitor must be a text"),
        ("search", {"size": 11}, "11x11"),
        ("search", {"actions": ["B E5", "W E5"]}, "E5"),
        ("expected", {}, "1 to 10 moves"),
        ("expected", {"moves": []}, "1 to 10 moves"),
        ("expected", {"moves": ["A1"] * 11}, "1 to 10 moves"),
        ("expected", {"moves": ["E5"]}, "illegal: occupied"),
        ("expected", {"moves": [7]}, "is no vertex"),
        ("expected", {"moves": ["A1"], "size": 11}, "11x11"),
    ],
)
def test_wrong_requests(client: Inside, name: str, more: dict[str, Any], words: str) -> None:
    found = client.post(f"/api/{name}", json=asked(**more))
    assert found.status_code == 400, found.text
    assert words in found.json()["error"]


def test_many_at_once(client: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty others: each is told at once, positions are answered meanwhile, and all goes on."""
    held = Held(monkeypatch)
    monkeypatch.setattr(pool, "GAMES", 1)
    with ThreadPoolExecutor(61) as threads:
        first = threads.submit(client.post, "/api/search", json=asked())
        assert held.begun.acquire(timeout=GUARD)
        for name, status in (("a", 429), ("b", 503)):
            body = asked(visitor=name)
            others = [threads.submit(client.post, "/api/search", json=body) for _ in range(30)]
            for other in others:  # while the first is held
                found = other.result(GUARD)
                assert (found.status_code, found.headers["retry-after"]) == (status, "1")
        assert client.post("/api/position", json=asked()).status_code == 200
        moves = asked(moves=["A1"])
        assert client.post("/api/expected", json=moves).status_code == 200
        held.go.set()
        assert lines(first.result(GUARD).text)[-1] == {"end": True}
    assert client.post("/api/search", json=asked(visitor="b")).status_code == 200


def test_the_end_of_the_server_ends_it(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)
    app = study_app(model, 80)
    with start_blocking_portal() as portal, ThreadPoolExecutor(1) as threads:
        client = Inside(app, portal)
        found = threads.submit(client.post, "/api/search", json=asked())
        assert held.begun.acquire(timeout=GUARD)
        app.state.stop()
        held.go.set()
        assert lines(found.result(GUARD).text) == [{"of": 4, "simulations": 50}]
        late = client.post("/api/search", json=asked())
        assert (late.status_code, "has ended" in late.text) == (400, True)


ENDLESS = """
import sys
import katachi.study.asked as asked
from katachi.cli import main
from katachi.search.engine import SearchPlayer
asked.DEPTHS = (10**9,)
whole = SearchPlayer.search
def search(player, game, budget, stop=None):
    print("searching", flush=True)
    return whole(player, game, budget, stop)
SearchPlayer.search = search
sys.argv = ["katachi", "study", "--no-browser", "--port", "0"]
main()
"""


@pytest.mark.slow
def test_ctrl_c_while_the_pool_is_at_work() -> None:
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
            with suppress(httpx.HTTPError):  # it is cut off
                body = asked(simulations=10**9)
                httpx.post(f"{address}api/search", json=body, timeout=GUARD, trust_env=False)

        visitor = threading.Thread(target=ask, daemon=True)
        visitor.start()
        assert process.stdout.readline().startswith("searching")
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=GUARD)
        assert process.returncode == 0, err
        assert "Traceback" not in err
        visitor.join(GUARD)
    finally:
        process.kill()
        process.communicate()
