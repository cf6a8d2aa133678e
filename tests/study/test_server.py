"""The server by itself: what it answers, what it refuses, and what it never gives away."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import httpx
import pytest

from katachi.go.points import from_vertex
from katachi.models.model import load_model
from katachi.records.sgf import parse_games
from katachi.study.files import page_files
from katachi.study.guard import LARGEST
from katachi.study.wire import action_name, action_of
from tests.games import bundled_sgfs
from tests.study.server import Served, served

pytestmark = pytest.mark.slow

GAME = next(iter(bundled_sgfs().values()))


@pytest.fixture
def client(server: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, timeout=600, trust_env=False) as found:
        yield found


def position(actions: list[str], size: int = 9, **more: Any) -> dict[str, Any]:
    return {"size": size, "komi": 6.5, "actions": actions, **more}


def test_the_pages_files(client: httpx.Client) -> None:
    for name, (content, kind) in page_files().items():
        found = client.get(f"/{name}")
        assert (found.status_code, found.content) == (200, content)
        assert found.headers["content-type"] == kind
    root = client.get("/")
    assert root.content == page_files()["index.html"][0]
    policy = root.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in root.text.replace("http-equiv", "")  # nothing from elsewhere
    for name, (content, _) in page_files().items():
        text = content.decode().replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in text, name
        assert "https:" not in text, name


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml",
        "/..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/app.py",
        "/etc/passwd",
        "//etc/passwd",
        "/page/app.js",
        "/.git",
        "/server.py",
        "/api",
        "/api/nothing",
        "/index.html/../../x",
        "/%00",
    ],
)
def test_nothing_else_is_served(server: Served, path: str) -> None:
    host, _, port = server.address.removeprefix("http://").rstrip("/").partition(":")
    connection = HTTPConnection(host, int(port), timeout=600)  # sends the path as it is
    connection.putrequest("GET", path, skip_host=False)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    assert answer.status == 404
    assert json.loads(body) == {"error": "there is nothing here"}


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Host": "127.0.0.1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_foreign_requests(client: httpx.Client, headers: dict[str, str]) -> None:
    found = client.post("/api/position", json=position([]), headers=headers)
    assert found.status_code == 403
    assert "its own" in found.json()["error"]
    if "Host" in headers:
        assert client.get("/", headers=headers).status_code == 403


def test_its_own_page(client: httpx.Client, server: Served) -> None:
    headers = {"Origin": server.address.rstrip("/"), "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/position", json=position([]), headers=headers).status_code == 200


def test_start_and_open(client: httpx.Client) -> None:
    start = client.get("/api/start").json()
    assert start["strengths"][0] == "pattern"
    opened = client.post("/api/open", content=GAME).json()
    assert opened["nodes"] == start["game"]["nodes"]
    (game,), _ = parse_games(GAME)
    moves = [a for node in opened["nodes"] for a in node["actions"]]
    assert [action_of(a, game.size) for a in moves] == game.actions.tolist()
    assert client.get("/api/sample").json()["size"] == 19


def test_position_and_explain(client: httpx.Client) -> None:
    asked = position(["B E5", "W C7", "PL B"], played="G7")
    found = client.post("/api/position", json=asked).json()
    (game,), _ = parse_games(b"(;SZ[9];B[ee];W[cc])")
    chances = load_model().probabilities(game.position())
    assert found["to_move"] == "black"
    assert found["legal"] == len(chances)
    for name, chance in found["squares"].items():
        assert chance == pytest.approx(chances[from_vertex(name, 9)], abs=1e-5)
    assert found["moves"][0]["probability"] == pytest.approx(max(chances.values()))
    assert found["played"]["vertex"] == "G7"
    one = client.post("/api/explain", json=asked | {"vertex": "G7"}).json()
    assert one == found["played"]


def test_review_and_reviewed(client: httpx.Client) -> None:
    (game,), _ = parse_games(GAME)
    actions = [action_name(int(a), game.size) for a in game.actions]
    found = client.post("/api/review", json=position(actions, game.size))
    lines = [json.loads(line) for line in found.text.splitlines()]
    assert [line["number"] for line in lines[:-1]] == list(range(1, len(game.moves) + 1))
    assert lines[-1]["players"].keys() == {"black", "white"}
    reviewed = client.post("/api/reviewed", content=GAME)
    (again,), _ = parse_games(reviewed.content)
    assert again.actions.tolist() == game.actions.tolist()
    assert b"--- Katachi" in reviewed.content


def test_play_and_owners(client: httpx.Client) -> None:
    asked = position(["B E5", "W C7"])
    owners = client.post("/api/owners", json=asked).json()["owners"]
    assert len(owners) == 81
    assert all(0 <= share <= 1 for share in owners.values())
    for strength in ("pattern", "200"):
        found = client.post("/api/play", json=asked | {"strength": strength, "visitor": "a"})
        lines = [json.loads(line) for line in found.text.splitlines()]
        assert "move" in lines[-1]
        done = [line["simulations"] for line in lines[:-1]]
        assert done == sorted(done)
        assert bool(done) == (strength == "200")
        if done:
            visits = [sum(m["visits"] for m in line["moves"]) for line in lines[:-1]]
            assert visits == sorted(visits)  # the tree is kept from slice to slice


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("open", b"", "empty file"),
        ("open", b"(;SZ[9];B[", "no moves"),
        ("open", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary data"),
        ("open", b"(;SZ[25];B[aa])", "board size out of range"),
        ("open", b"hello", "no game record"),
        ("position", b"no json", "no JSON"),
        ("position", b"[1]", "no position"),
        ("position", b"{}", "sizes 2 to 19"),
        ("position", b'{"size": 25, "actions": []}', "a board of size 25"),
        ("position", b'{"size": true, "actions": []}', "a board of size True"),
        ("position", b'{"size": 11, "actions": []}', "11x11"),
        ("position", b'{"size": 9, "actions": ["B Z9"]}', "is no vertex"),
        ("position", b'{"size": 9, "actions": ["X D4"]}', "nothing that can be done"),
        ("position", b'{"size": 9, "actions": [7]}', "is no vertex"),
        ("position", b'{"size": 9, "actions": ["B D4", "W D4"]}', "white D4: move on a stone"),
        ("position", b'{"size": 9, "actions": [], "komi": "x"}', "a komi of"),
        ("position", b'{"size": 9, "actions": [], "komi": 1e999}', "a komi of"),
        ("position", b'{"size": 9, "actions": [], "played": "Q16"}', "is no vertex of a 9x9"),
        ("explain", b'{"size": 9, "actions": ["B D4"], "vertex": "D4"}', "no legal move"),
        ("explain", b'{"size": 9, "actions": []}', "is no vertex"),
        ("play", b'{"size": 9, "actions": [], "strength": "9999999"}', "is no strength"),
        ("review", b'{"size": 11, "actions": ["B D4"]}', "11x11"),
        ("reviewed", b"x", "no game record"),
    ],
)
def test_mistakes(client: httpx.Client, path: str, body: bytes, words: str) -> None:
    found = client.post(f"/api/{path}", content=body)
    assert found.status_code == 400, found.text
    assert words in found.json()["error"]
    assert "Traceback" not in found.text


def test_too_much(client: httpx.Client) -> None:
    """50 MB are refused, whether they are announced or come in pieces."""
    large = b"(;SZ[9]" + b";B[aa]" * (50_000_000 // 6) + b")"
    found = client.post("/api/open", content=large)
    assert found.status_code == 413
    assert "more than 5 MB" in found.json()["error"]

    def pieces() -> Iterator[bytes]:
        for at in range(0, LARGEST + 200_000, 100_000):
            yield large[at : at + 100_000]

    found = client.post("/api/open", content=pieces())
    assert found.status_code == 413
    many = json.dumps(position(["B pass"] * 6000)).encode()
    assert "too long" in client.post("/api/position", content=many).json()["error"]
    assert client.get("/api/start").status_code == 200  # and it goes on


def test_ten_at_once(server: Served) -> None:
    """Ten visitors, each with a game of its own: nobody gets another's answer."""
    wrong: list[str] = []

    def visit(number: int) -> None:
        corner = f"{'ABCDEFGHJ'[number % 9]}{1 + number % 9}"
        with httpx.Client(base_url=server.address, timeout=600, trust_env=False) as own:
            for step in range(8):
                actions = [f"B {corner}"] if step % 2 else []
                found = own.post("/api/position", json=position(actions)).json()
                if found.get("legal") != 82 - len(actions):
                    wrong.append(f"{number}: {found}"[:200])
                opened = own.post("/api/open", content=GAME)
                if opened.status_code != 200:
                    wrong.append(opened.text[:200])
                if step == 3:
                    asked = position(actions, strength="200", visitor=str(number))
                    last = own.post("/api/play", json=asked).text.splitlines()[-1]
                    if "move" not in json.loads(last):
                        wrong.append(last)

    threads = [threading.Thread(target=visit, args=(n,)) for n in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_sixty_visitors_at_once(server: Served) -> None:
    """Whoever cannot be served at once is told to come again; the server lives on."""
    together = threading.Barrier(60)
    found: list[tuple[str, int]] = []
    over = position(["B E5", "W pass", "B pass"])

    def visit(number: int) -> None:
        with httpx.Client(base_url=server.address, timeout=600, trust_env=False) as own:
            together.wait(600)
            asked = position([f"B {'ABCDEFGHJ'[number % 9]}{1 + number // 9}"])
            found.append(("start", own.get("/api/start").status_code))
            found.append(("position", own.post("/api/position", json=asked).status_code))
            asked |= {"strength": "50", "visitor": f"one of sixty {number}"}
            for name, data in (("play", asked), ("count", over)):
                answer = own.post(f"/api/{name}", json=data)
                found.append((name, answer.status_code))
                if answer.status_code == 503:
                    assert answer.headers["retry-after"] == "1"

    threads = [threading.Thread(target=visit, args=(n,)) for n in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = Counter(found)
    assert (counts["start", 200], counts["position", 200]) == (60, 60)
    for name in ("play", "count"):
        assert counts[name, 200] > 0
        assert counts[name, 200] + counts[name, 503] == 60
    with httpx.Client(base_url=server.address, timeout=600, trust_env=False) as own:
        assert own.post("/api/position", json=position([])).status_code == 200


def test_ctrl_c_ends_it() -> None:
    with served() as server:
        assert httpx.get(server.address, timeout=600, trust_env=False).status_code == 200
        code, err = server.interrupt()
    assert code == 0
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("read", []),
        ("read", {"sgf": 7}),
        ("read", {"sgf": "(;SZ[9]"}),
        ("listed", {"number": 0}),  # there is no folder
        ("listed", "0"),
        ("problems", {}),
        ("problems", {"count": 1, "seed": "1", "kinds": []}),
        ("problems", {"count": 1, "seed": 1, "kinds": "all"}),
    ],
)
def test_wrong_requests_for_games(client: httpx.Client, name: str, data: Any) -> None:
    found = client.post(f"/api/{name}", json=data)
    assert found.status_code == 400
    assert ": " in found.json()["error"]


def test_no_folder_has_no_games(client: httpx.Client) -> None:
    assert client.get("/api/library").json() == {"games": []}
    assert client.get("/api/start").json()["library"] is False
