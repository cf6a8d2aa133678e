"""Requests to the page's server: methods, paths and bodies, sound and damaged.

An input is one line of JSON (method, path, headers) and then the body. Whatever comes, the answer
is JSON with finite numbers, one of the page's own files or an SGF file, and never status 5xx except
503 for a server that is busy.
"""

from __future__ import annotations

import atexit
import json
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
from anyio.from_thread import BlockingPortal, start_blocking_portal
from starlette.applications import Starlette

from fuzz import damage
from katachi.models.model import load_model
from katachi.study.files import page_files
from katachi.study.server import study_app

ADDRESS: Final = "http://127.0.0.1:80"
NAMES: Final = (
    "open",
    "position",
    "explain",
    "expected",
    "owners",
    "review",
    "play",
    "search",
    "reviewed",
)
_COLUMNS: Final = "ABCDEFGHJKLMNOPQRST"
_PIECES: Final = (
    b'"',
    b"{",
    b"}",
    b"[",
    b"]",
    b"NaN",
    b"Infinity",
    b"-Infinity",
    b"1e999",
    b"-1e999",
    b"null",
    b"true",
    b"9" * 400,
    b"9" * 5000,
    b"\\ud800",
    b"\\u0000",
    b"\xff",
    b'"AB D4",',
    b'"PL W",',
    b'"B pass",',
    b'"W Q16",',
    b"KM[1e999]",
    b"HA[9]",
    b"AB[dd][gg]",
    b"SZ[19]",
    b"(;",
    b")",
    b"LB[aa:A]",
    b"C[",
)


class Inside:
    """A server inside this process: requests to it, from any thread."""

    def __init__(self, app: Starlette, portal: BlockingPortal) -> None:
        self._portal = portal
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        self._client = httpx.AsyncClient(transport=transport, base_url=ADDRESS)

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """The answer to a request, whole."""
        headers = {"host": "127.0.0.1:80"} | more.pop("headers", {})
        asked = partial(self._client.request, method, path, headers=headers, timeout=None, **more)
        return self._portal.call(asked)

    def get(self, path: str) -> httpx.Response:
        """See `ask`."""
        return self.ask("GET", path)

    def post(self, path: str, **more: Any) -> httpx.Response:
        """See `ask`."""
        return self.ask("POST", path, **more)


_open = ExitStack()  # until the process ends
atexit.register(_open.close)


@cache
def _server() -> Inside:
    portal = _open.enter_context(start_blocking_portal())
    return Inside(study_app(load_model(), 80), portal)


def generate(rng: Random) -> bytes:
    """One request."""
    name = rng.choice(NAMES)
    method, path = "POST", f"/api/{name}"
    if rng.random() < 0.08:
        method = rng.choice(("GET", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"))
    if rng.random() < 0.08:
        path = rng.choice(
            (
                "/",
                "/api/start",
                "/api/sample",
                "/app.js",
                "/api/",
                "/api/nothing",
                "/../x",
                "/%00",
                "/%ff",
                "/api/play?x=1",
                "/" + "a" * 3000,
            )
        )
    headers = {}
    if rng.random() < 0.05:
        headers[rng.choice(("origin", "host", "content-length", "sec-fetch-site"))] = rng.choice(
            ("", "null", "x", "-1", "9" * 30, "9" * 5000, ADDRESS, "same-origin")
        )
    body = _sgf(rng) if name in ("open", "reviewed") else _body(rng)
    if rng.random() < 0.4:
        body = damage(body, rng, _PIECES)
    return json.dumps([method, path, headers]).encode() + b"\n" + body


def _vertex(rng: Random, size: int) -> str:
    if rng.random() < 0.05:
        return rng.choice(("pass", "PASS", "", "Z99", "I9", "A0", "D4 ", "４", "a" * 300))
    return f"{_COLUMNS[rng.randrange(min(size, 19))]}{1 + rng.randrange(min(size, 19))}"


def _body(rng: Random) -> bytes:
    size: Any = rng.choice((9, 9, 9, 13, 19, 2, 5))
    actions: list[Any] = []
    if rng.random() < 0.3:  # a handicap game, or a problem
        actions += [
            f"{rng.choice(('AB', 'AB', 'AW', 'AE'))} {_vertex(rng, size)}"
            for _ in range(rng.randrange(8))
        ]
    for number in range(rng.choice((0, 1, 3, 8, 20))):
        actions.append(f"{'BW'[number % 2]} {_vertex(rng, size)}")
    if rng.random() < 0.3:
        actions.append(f"PL {rng.choice('BW')}")
    data: dict[str, Any] = {
        "size": size,
        "komi": rng.choice((6.5, 7.5, 0, -5, None)),
        "actions": actions,
        "vertex": _vertex(rng, size),
        "played": rng.choice((None, _vertex(rng, size))),
        "strength": rng.choice(("pattern", "pattern", "200")),
        "visitor": rng.choice(("a", "b", "c", "d", "e")),
        "moves": [_vertex(rng, size) for _ in range(rng.choice((0, 1, 1, 2, 11)))],
        "simulations": rng.choice((50, 50, 50, 49)),
        "positions": [
            [rng.randrange(4), rng.choice("BWBWX"), rng.choice((None, _vertex(rng, size)))]
            for _ in range(rng.choice((0, 1, 2)))
        ],
    }
    odd: tuple[Any, ...] = (
        None,
        True,
        -1,
        0,
        1,
        20,
        10**30,
        10**400,
        1.5,
        float("nan"),
        float("inf"),
        -0.0,
        "",
        "9",
        "\ud800",
        "x" * 500,
        [],
        [[]],
        {},
        {"a": 1},
        _deep(rng),
        [0],
        ["B D4"] * 6000,
        ["B pass", "W pass"] * 20,
    )
    while rng.random() < 0.3:
        data[rng.choice(tuple(data))] = rng.choice(odd)
    if actions and rng.random() < 0.1:
        actions[rng.randrange(len(actions))] = rng.choice(odd)
    return json.dumps(data if rng.random() < 0.98 else rng.choice(odd)).encode()


def _deep(rng: Random) -> Any:
    found: Any = 1
    for _ in range(rng.choice((10, 300, 900))):
        found = [found] if rng.random() < 0.5 else {"a": found}
    return found


def _sgf(rng: Random) -> bytes:
    size = rng.choice((9, 9, 13, 19, 5))

    def place() -> str:
        return chr(97 + rng.randrange(size)) + chr(97 + rng.randrange(size))

    root = f"SZ[{size}]"
    if rng.random() < 0.4:
        root += "AB" + "".join(f"[{place()}]" for _ in range(1 + rng.randrange(5)))
    if rng.random() < 0.3:
        root += f"HA[{rng.choice(('0', '2', '9', '-1', '9' * 50, 'x'))}]"
    if rng.random() < 0.5:
        root += f"KM[{rng.choice(('6.5', '650', 'inf', 'nan', '1e999', '9' * 400, '-7', 'x'))}]"
    text = f"(;{root}"
    open_ = 1
    for number in range(rng.choice((1, 4, 12, 30))):
        text += f";{'BW'[number % 2]}[{place() if rng.random() < 0.95 else ''}]"
        if rng.random() < 0.1:
            text += f"LB[{place()}:{rng.choice(('A', 'B', 'x', ''))}]C[{rng.choice(('a', '😀'))}]"
        if rng.random() < 0.05:
            text += "("
            open_ += 1
    return (text + ")" * open_).encode()


def check(data: bytes, folder: Path) -> None:  # noqa: ARG001
    """Ask a server in this process."""
    head, _, body = data.partition(b"\n")
    method, path, headers = json.loads(head)
    found = _server().ask(method, path, content=body, headers=headers)
    status, kind = found.status_code, found.headers.get("content-type", "")
    assert status < 500 or status == 503, (status, found.text[:300])
    if status in (429, 503):
        assert found.headers["retry-after"].isdigit()
    if method in ("HEAD", "OPTIONS") or not found.content:
        return
    if kind == "application/json":
        answers = [found.content]
    elif kind == "application/x-ndjson":
        answers = found.content.splitlines()
    else:
        own = kind == "application/x-go-sgf" or kind in {k for _, k in page_files().values()}
        assert own, kind
        assert status == 200, status
        return
    for answer in answers:
        told = json.loads(answer, parse_constant=_refused)
        assert isinstance(told, dict)
        assert status == 200 or 0 < len(told["error"]) < 1000


def _refused(name: str) -> float:
    raise AssertionError(f"{name} in the answer: no JSON")
