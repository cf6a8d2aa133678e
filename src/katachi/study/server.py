"""The server of the page: it knows nothing between two requests but the engines' trees.

    GET  /, /NAME             the page's own files, read once at the start; no other file is ever
                              opened but those of a folder that was named at the start
    GET  /api/start           the game that the server was started with, or null
    GET  /api/library         the games of the folder that the server was started with
    GET  /api/sample          a bundled game
    POST /api/open            the bytes of an SGF file → its tree, and all games of several
    POST /api/read            the text of one game → its tree
    POST /api/listed          a number of the library → the tree of that game
    POST /api/position        a position → how usual its moves are
    POST /api/explain         a position and a vertex → the features of that move
    POST /api/owners          a position → who is likely to own each point
    POST /api/review          a game → a line of JSON for each move, then one for the players
    POST /api/similar         a position → where it occurred in the library that was given
    POST /api/problems        how many, of which stage and kinds → a line for each position to guess
    POST /api/play            a position and a strength → lines of thinking, then the move
    POST /api/count           a game that is over, and its dead stones, or null → the score
    POST /api/search          positions of a game → a line for each that the pool has searched
    POST /api/expected        a position and moves → those, and what is likely to follow
    POST /api/reviewed        the bytes of an SGF file → the same with a review in it

A mistake is answered with status 400 and {"error": one sentence}. Who asks the engine while it is
at work for him is told so by 429, and by 503 if it is for too many others; both say in Retry-After
after how many seconds to ask again. No request waits for another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from katachi import __version__
from katachi.errors import KatachiError
from katachi.go.points import COLOUR_NAMES, vertex
from katachi.library.file import Library
from katachi.models.model import Model
from katachi.records.bundled import bundled_games
from katachi.records.game import Game
from katachi.records.record import Record, parse_tree
from katachi.records.write import to_sgf
from katachi.study import asked, similar
from katachi.study.annotate import annotate
from katachi.study.collection import Folder, others
from katachi.study.counting import asked_terms, counted_as_asked
from katachi.study.files import page_files
from katachi.study.guard import HOSTS, Guard
from katachi.study.levels import levels
from katachi.study.opinion import Explained, Opinion
from katachi.study.opponents import STRENGTHS, Opponents
from katachi.study.pool import DEPTHS, Pool
from katachi.study.problems import problems
from katachi.study.replies import data_reply, failure, mistake
from katachi.study.review import Reviewed, players, review_moves, unusual
from katachi.study.searched import terms_of
from katachi.study.streams import Lines, LinesResponse, Stream
from katachi.study.wire import from_json, game_of, point_of, record_data, text_in

MOST_NODES: Final = 20_000
SQUARES: Final = 0.0005  # probability from which on a move is told
SAMPLE: Final = 100  # of the bundled games


def study_app(
    model: Model,
    port: int,
    start: Record | None = None,
    folder: Folder | None = None,
    library: Library | None = None,
) -> Starlette:
    """The application, for a server on this port of the loopback address.

    `app.state.stop()` ends all that it is doing, so that the process can end: nothing is answered
    after that.
    """
    study = _Study(model, start, folder, library)
    routes = [
        Route("/api/start", study.start, methods=["GET"]),
        Route("/api/library", study.library, methods=["GET"]),
        Route("/api/sample", study.sample, methods=["GET"]),
        *(
            Route(f"/api/{answer.__name__}", study.post(answer), methods=["POST"])
            for answer in study.answers()
        ),
        Route("/{name}", study.file, methods=["GET"]),
        Route("/", study.file, methods=["GET"]),
    ]
    hosts = frozenset(f"{host}:{port}" for host in HOSTS)
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Guard, hosts=hosts)],
        exception_handlers={404: _missing, 405: _missing},
    )
    app.state.stop = study.stop
    return app


def _sample() -> Response:
    game = bundled_games()[SAMPLE]
    return data_reply(record_data(parse_tree(to_sgf(game), "a game of GNU Go")))


async def _missing(_request: Request, _error: Exception) -> Response:
    return mistake("there is nothing here", 404)


class _Study:
    """What the routes share."""

    def __init__(
        self, model: Model, start: Record | None, folder: Folder | None, library: Library | None
    ) -> None:
        self._model = model
        self._folder = folder
        self._start = None if start is None else record_data(start)
        self._library = library
        self._files = page_files()
        self._opponents = Opponents(model)
        self._pool = Pool(model)

    async def file(self, request: Request) -> Response:
        """One of the page's own files, by its name."""
        name = request.path_params.get("name", "index.html")
        if name not in self._files:
            return mistake("there is nothing here", 404)
        content, kind = self._files[name]
        return Response(content, media_type=kind)

    async def start(self, _request: Request) -> Response:
        """What the page begins with."""
        return data_reply(
            {
                "version": __version__,
                "strengths": STRENGTHS,
                "levels": levels(STRENGTHS),
                "depths": DEPTHS,
                "game": self._start,
                "library": self._folder is not None,
                "similar": None if self._library is None else _told_of(self._library),
                "model": {
                    "games": self._model.about.get("games"),
                    "method": self._model.predictor.learner,
                },
            }
        )

    async def library(self, _request: Request) -> Response:
        """The games of the folder."""
        return data_reply({"games": [] if self._folder is None else self._folder.listed})

    async def sample(self, _request: Request) -> Response:
        """A game to look at."""
        return await run_sync(_sample, abandon_on_cancel=True)

    def answers(self) -> list[Callable[[bytes], Any]]:
        """What makes the answer to a request's body: JSON, bytes, or lines of JSON. Each has the
        name of its request.
        """
        here = [self.position, self.explain, self.expected, self.owners, self.similar, self.count]
        whole = [self.open, self.read, self.listed, self.review, self.problems, self.reviewed]
        return [*here, *whole, self.play, self.search]

    def post(self, answer: Callable[[bytes], Any]) -> Callable[[Request], Any]:
        """A route that answers in a thread, and tells mistakes."""

        async def respond(request: Request) -> Response:
            stream = None
            try:
                body = await request.body()
                # In a thread that nobody waits for if the server ends
                found = await run_sync(_made, answer, body, abandon_on_cancel=True)
                if isinstance(found, Response):
                    return found
                stream = Stream(found)
                # The first line before the status: it may say that there is nothing to come
                return LinesResponse(await stream.step(), stream)
            except BaseException as error:
                if stream is not None:
                    stream.close()
                if not isinstance(error, Exception):
                    raise
                return failure(error)

        return respond

    def stop(self) -> None:
        """End what is under way."""
        self._opponents.stop()
        self._pool.stop()

    def open(self, body: bytes) -> dict[str, Any]:
        """The tree of an SGF file; of several games the first, and all of them as SGF."""
        return record_data(_tree(body)) | {"others": others(body)}

    def read(self, body: bytes) -> dict[str, Any]:
        """The tree of one game's text."""
        return record_data(_tree(text_in(_object(body), "sgf").encode()))

    def listed(self, body: bytes) -> dict[str, Any]:
        """The tree of a game of the folder."""
        number = _object(body).get("number")
        if self._folder is None or not isinstance(number, int):
            raise KatachiError("there is no such list: load the page again")
        return record_data(_small(self._folder.game(number)))

    def position(self, body: bytes) -> dict[str, Any]:
        """How usual the moves of a position are; of `played`, if it is told, in particular."""
        data, game = _request(body)
        position = game.position()
        opinion = Opinion(self._model, position)
        found: dict[str, Any] = {
            "to_move": COLOUR_NAMES[position.to_move],
            "legal": len(opinion.points),
            "moves": [_told(opinion, one) for one in opinion.suggest()],
            "squares": {
                vertex(p, game.size): round(chance, 5)
                for p, chance in opinion.probabilities.items()
                if chance >= SQUARES
            },
        }
        if data.get("played") is not None:
            found["played"] = self._explained(opinion, text_in(data, "played"))
        return found

    def explain(self, body: bytes) -> dict[str, Any]:
        """The features of one move; the reason compares it with the move `beside`, if that is told,
        else with the most usual.
        """
        data, game = _request(body)
        opinion = Opinion(self._model, game.position())
        beside = point_of(text_in(data, "beside"), opinion.size) if data.get("beside") else None
        return self._explained(opinion, text_in(data, "vertex"), beside)

    def _explained(self, opinion: Opinion, name: str, beside: int | None = None) -> dict[str, Any]:
        return _told(opinion, opinion.explain(point_of(name, opinion.size)), beside)

    def owners(self, body: bytes) -> dict[str, Any]:
        """Who is likely to own each point."""
        _, game = _request(body)
        return {"owners": self._opponents.owners(terms_of(game.position(), game.komi))}

    def similar(self, body: bytes) -> dict[str, Any]:
        """Where a position occurred in the library."""
        if self._library is None:
            raise KatachiError("there is no library: start katachi study with --library FILE")
        data, game = _request(body)
        return similar.asked(self._library, game, data)

    def review(self, body: bytes) -> Lines:
        """Every move of a game, as it is done; then the players."""
        _, game = _request(body)
        self._model.features.check_size(game.size, "the game")

        def lines() -> Lines:
            moves = []
            for one in self._reviewed(game):
                moves.append(one)
                yield one.data()
            yield {
                "players": players(moves, game.size),
                "unusual": [m.number for m in unusual(moves)],
            }

        return lines()

    def problems(self, body: bytes) -> Lines:
        """Positions to guess at, of the folder's games or of the bundled ones."""
        data = _object(body)
        count, seed, kinds = data.get("count"), data.get("seed"), data.get("kinds")
        if not isinstance(count, int) or not isinstance(seed, int) or not isinstance(kinds, list):
            raise KatachiError("the request asks for no problems: load the page again")
        stage, wanted = text_in(data, "stage"), {str(kind)[:64] for kind in kinds[:64]}
        games = bundled_games() if self._folder is None else self._folder.games

        def lines() -> Lines:
            for one in problems(self._model, games, count, stage, wanted, seed):
                self._go_on()
                yield one
            yield {"end": True}

        return lines()

    def play(self, body: bytes) -> Lines:
        """The engine's move, and what it thinks before it."""
        data, game = _request(body)
        strength, visitor = text_in(data, "strength"), text_in(data, "visitor")[:64]
        return self._opponents.think(visitor, strength, asked_terms(data, game))

    def count(self, body: bytes) -> dict[str, Any]:
        """The score of a game that is over; if nobody names dead stones, the judge does."""
        data, game = _request(body)
        return counted_as_asked(data, asked_terms(data, game), self._opponents.judged)

    def search(self, body: bytes) -> Lines:
        """What a light search says of positions of a game, each as it is done."""
        data, game = _request(body)
        return asked.searched(self._pool, self._model, game, data)

    def expected(self, body: bytes) -> dict[str, Any]:
        """What is likely to follow."""
        data, game = _request(body)
        return asked.line(self._model, game, data)

    def reviewed(self, body: bytes) -> bytes:
        """A file with a review in it."""
        tree = _tree(body)
        return annotate(tree, list(self._reviewed(tree.game)))

    def _reviewed(self, game: Game) -> Iterator[Reviewed]:
        for one in review_moves(self._model, game):
            self._go_on()
            yield one

    def _go_on(self) -> None:
        if self._opponents.stopped:
            raise KatachiError("the server has ended: start katachi study again")


def _told_of(library: Library) -> dict[str, Any]:
    return {"games": library.about.games, "size": library.about.size}


def _told(opinion: Opinion, one: Explained, beside: int | None = None) -> dict[str, Any]:
    """A move as JSON, with why it is less usual than the move `beside`, or the most usual."""
    other = opinion.ranked[0] if beside is None else beside
    return one.data() | {"reason": opinion.compare(one.move, other)}


def _made(answer: Callable[[bytes], Any], body: bytes) -> Response | Lines:
    """The response of an answer, or the lines that it will be made of."""
    found = answer(body)
    if isinstance(found, bytes):
        return Response(found, media_type="application/x-go-sgf")
    if isinstance(found, dict):
        return data_reply(found)
    lines: Lines = found
    return lines


def _tree(body: bytes) -> Record:
    return _small(parse_tree(body, "the game"))


def _small(tree: Record) -> Record:
    if len(tree.nodes) > MOST_NODES:
        raise KatachiError(f"the game has more than {MOST_NODES:,} moves in all its variations")
    return tree


def _object(body: bytes) -> dict[str, Any]:
    data = from_json(body)
    if not isinstance(data, dict):
        raise KatachiError("the request is no object: load the page again")
    return data


def _request(body: bytes) -> tuple[dict[str, Any], Game]:
    data = from_json(body)
    return data, game_of(data)
