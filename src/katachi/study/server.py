"""The server of the page: it knows nothing between two requests but the engines' trees.

    GET  /, /NAME             the page's own files, read once at the start; no other file is ever
                              opened
    GET  /api/start           the game that the server was started with, or null
    GET  /api/sample          a bundled game
    POST /api/open            the bytes of an SGF file → its tree
    POST /api/position        a position → how usual its moves are
    POST /api/explain         a position and a vertex → the features of that move
    POST /api/owners          a position → who is likely to own each point
    POST /api/review          a game → a line of JSON for each move, then one for the players
    POST /api/play            a position and a strength → lines of thinking, then the move
    POST /api/reviewed        the bytes of an SGF file → the same with a review in it

A mistake is answered with status 400 and {"error": one sentence}.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from katachi import __version__
from katachi.errors import KatachiError
from katachi.go.points import COLOUR_NAMES, from_vertex, vertex
from katachi.learning.model import Model
from katachi.records.bundled import bundled_games
from katachi.records.game import Game
from katachi.records.tree import Tree, parse_tree
from katachi.records.write import to_sgf
from katachi.search.player import Game as Terms
from katachi.study.annotate import annotate
from katachi.study.engines import STRENGTHS, Engines
from katachi.study.guard import HOSTS, Guard, TooLarge
from katachi.study.opinion import Opinion, differences
from katachi.study.review import players, review, review_moves, unusual
from katachi.study.wire import game_of, tree_data

KINDS: Final = {
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
}  # fmt: skip
MOST_NODES: Final = 20_000
SQUARES: Final = 0.0005  # probability from which on a move is told
SAMPLE: Final = 100  # of the bundled games


def page_files() -> dict[str, tuple[bytes, str]]:
    """Name → (content, type) of all that the page is made of."""
    found = {}
    for path in (files("katachi") / "study" / "page").iterdir():
        kind = path.name.rpartition(".")[2]
        if kind in KINDS:
            found[path.name] = (path.read_bytes(), KINDS[kind])
    return found


def study_app(model: Model, port: int, start: Tree | None = None) -> Starlette:
    """The application, for a server on this port of the loopback address."""
    study = _Study(model, start)
    routes = [
        Route("/api/start", study.start, methods=["GET"]),
        Route("/api/sample", study.sample, methods=["GET"]),
        *(
            Route(f"/api/{name}", study.post(answer), methods=["POST"])
            for name, answer in study.answers().items()
        ),
        Route("/{name}", study.file, methods=["GET"]),
        Route("/", study.file, methods=["GET"]),
    ]
    hosts = frozenset(f"{host}:{port}" for host in HOSTS)
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, hosts=hosts)],
        exception_handlers={404: _missing, 405: _missing},
    )


async def _missing(_request: Request, _error: Exception) -> Response:
    return JSONResponse({"error": "there is nothing here"}, 404)


class _Study:
    """What the routes share."""

    def __init__(self, model: Model, start: Tree | None) -> None:
        self._model = model
        self._start = None if start is None else tree_data(start)
        self._files = page_files()
        self._engines = Engines(model)

    async def file(self, request: Request) -> Response:
        """One of the page's own files, by its name."""
        name = request.path_params.get("name", "index.html")
        if name not in self._files:
            return JSONResponse({"error": "there is nothing here"}, 404)
        content, kind = self._files[name]
        return Response(content, media_type=kind)

    async def start(self, _request: Request) -> Response:
        """What the page begins with."""
        return JSONResponse(
            {"version": __version__, "strengths": STRENGTHS, "game": self._start,
             "model": {"games": self._model.about.get("games"), "method": self._model.method}}
        )  # fmt: skip

    async def sample(self, _request: Request) -> Response:
        """A game to look at."""
        game = bundled_games()[SAMPLE]
        return JSONResponse(tree_data(parse_tree(to_sgf(game), "a game of GNU Go")))

    def answers(self) -> dict[str, Callable[[bytes], Any]]:
        """Name → what makes the answer to a request's body: JSON, bytes, or lines of JSON."""
        return {
            "open": self.open,
            "position": self.position,
            "explain": self.explain,
            "owners": self.owners,
            "review": self.review,
            "play": self.play,
            "reviewed": self.reviewed,
        }

    def post(self, answer: Callable[[bytes], Any]) -> Callable[[Request], Any]:
        """A route that answers in a thread, and tells mistakes."""

        async def respond(request: Request) -> Response:
            try:
                body = await request.body()
                found = await run_in_threadpool(answer, body)
            except TooLarge as error:
                return JSONResponse({"error": str(error)}, 413)
            except KatachiError as error:
                return JSONResponse({"error": str(error)}, 400)
            except Exception:
                traceback.print_exc(file=sys.stderr)
                return JSONResponse({"error": "something went wrong: see the terminal"}, 500)
            if isinstance(found, bytes):
                return Response(found, media_type="application/x-go-sgf")
            if isinstance(found, dict):
                return JSONResponse(found)
            return StreamingResponse(_lines(found), media_type="application/x-ndjson")

        return respond

    def open(self, body: bytes) -> dict[str, Any]:
        """The tree of an SGF file."""
        return tree_data(_tree(body))

    def position(self, body: bytes) -> dict[str, Any]:
        """How usual the moves of a position are; of `played`, if it is told, in particular."""
        data, game = _told(body)
        position = game.position()
        opinion = Opinion(self._model, position)
        found: dict[str, Any] = {
            "to_move": COLOUR_NAMES[position.to_move],
            "legal": len(opinion.points),
            "moves": [one.data() for one in opinion.suggest()],
            "squares": {
                vertex(p, game.size): round(chance, 5)
                for p, chance in opinion.probabilities.items()
                if chance >= SQUARES
            },
        }
        if data.get("played") is not None:
            found["played"] = self._explained(opinion, data["played"])
        return found

    def explain(self, body: bytes) -> dict[str, Any]:
        """The features of one move."""
        data, game = _told(body)
        return self._explained(Opinion(self._model, game.position()), data.get("vertex"))

    def _explained(self, opinion: Opinion, name: Any) -> dict[str, Any]:
        try:
            move = from_vertex(str(name), opinion.size)
        except ValueError as error:
            raise KatachiError(str(error)) from None
        one = opinion.explain(move)
        best = opinion.ranked[0]
        reason = "" if one.rank == 1 else differences(one, opinion.explain(best))
        return one.data() | {"reason": reason}

    def owners(self, body: bytes) -> dict[str, Any]:
        """Who is likely to own each point."""
        _, game = _told(body)
        return {"owners": self._engines.owners(_terms(game))}

    def review(self, body: bytes) -> Iterator[dict[str, Any]]:
        """Every move of a game, as it is done; then the players."""
        _, game = _told(body)
        self._model.features.check_size(game.size, "the game")

        def lines() -> Iterator[dict[str, Any]]:
            moves = []
            for one in review_moves(self._model, game):
                moves.append(one)
                yield one.data()
            yield {
                "players": players(moves, game.size),
                "unusual": [m.number for m in unusual(moves)],
            }

        return lines()

    def play(self, body: bytes) -> Iterator[dict[str, Any]]:
        """The engine's move, and what it thinks before it."""
        data, game = _told(body)
        strength, visitor = str(data.get("strength")), str(data.get("visitor"))[:64]
        if strength not in STRENGTHS:
            raise KatachiError(f"{strength!r:.20} is no strength: {', '.join(STRENGTHS)}")
        return self._engines.think(visitor, strength, _terms(game))

    def reviewed(self, body: bytes) -> bytes:
        """A file with a review in it."""
        tree = _tree(body)
        return annotate(tree, review(self._model, tree.game))


def _lines(found: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    try:
        for one in found:
            yield json.dumps(one).encode() + b"\n"
    except KatachiError as error:
        yield json.dumps({"error": str(error)}).encode() + b"\n"


def _tree(body: bytes) -> Tree:
    tree = parse_tree(body, "the game")
    if len(tree.nodes) > MOST_NODES:
        raise KatachiError(f"the game has more than {MOST_NODES:,} moves in all its variations")
    return tree


def _told(body: bytes) -> tuple[dict[str, Any], Game]:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise KatachiError("the request is no JSON: load the page again") from None
    return data, game_of(data)


def _terms(game: Game) -> Terms:
    return Terms(game.position(), komi=7.5 if game.komi is None else game.komi)
