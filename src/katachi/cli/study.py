"""`katachi study`: the page in the browser."""

from __future__ import annotations

import socket
import webbrowser
from pathlib import Path

import click

from katachi.cli.options import option
from katachi.cli.positions import read_record, record_options
from katachi.cli.talk import kernels_ready, talk
from katachi.errors import KatachiError
from katachi.go.position import Position
from katachi.models.model import load_model
from katachi.study.collection import Folder
from katachi.study.opinion import Opinion

ADDRESS = "127.0.0.1"
PORT = 8361


@click.command("study", short_help="The page in the browser, to study games with.")
@click.argument(
    "game", type=click.Path(path_type=Path), required=False, metavar="[GAME.sgf | FOLDER]"
)
@option(
    "--port N",
    f"The port of the page; 0 takes any free one (default {PORT}, or a free one if it is taken)",
    click.IntRange(0, 65535),
)
@option("--no-browser", "Do not open a browser: serve the page, and print its address", bool)
@option(
    "--library FILE",
    "A library, made by katachi library build: the page shows games with similar positions",
    Path,
)
@record_options
def command(
    game: Path | None,
    port: int | None,
    no_browser: bool,
    library: Path | None,
    which: int,
    model: Path | None,
) -> None:
    """Study a game, or the games of a folder, in the browser: what strong players would play, and
    why; guess their moves; play against the engine from any position. The page is served to this
    machine only, and loads nothing from others. Ctrl-C ends it.
    """
    import uvicorn

    from katachi.library.file import Library
    from katachi.study.server import study_app
    from katachi.study.similar import warm

    console = talk()
    folder = Folder(game) if game is not None and game.is_dir() else None
    tree = None if game is None or folder is not None else read_record(game, which)
    found = load_model(model)
    if tree is not None:
        found.features.check_size(tree.game.size, str(game))
    shelf = None
    if library is not None:
        shelf = click.get_current_context().with_resource(Library(library))
        with kernels_ready(console, "similar"):
            warm(shelf)
    with kernels_ready(console, "study"):
        sizes = {size for s in found.features.dictionaries.values() for size in s.sizes} or {19}
        Opinion(found, Position(max(sizes))).suggest()
    listener = _listen(port)
    number = listener.getsockname()[1]
    address = f"http://{ADDRESS}:{number}/"
    app = study_app(found, number, tree, folder, shelf)
    config = uvicorn.Config(
        app, log_level="critical", access_log=False, timeout_graceful_shutdown=1
    )

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.stop()  # first of all: the rest waits for what is under way
            await super().shutdown(sockets)

    click.echo(address)
    console.print("the page is there; Ctrl-C ends it")
    if not no_browser:
        webbrowser.open(address)
    try:
        Server(config).run(sockets=[listener])
    except KeyboardInterrupt:
        pass
    finally:
        listener.close()


def _listen(port: int | None) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    for number in (PORT, 0) if port is None else (port,):
        try:
            listener.bind((ADDRESS, number))
            listener.listen()  # before anyone is told: a browser is refused until then
        except OSError as error:
            if number == 0 or port is not None:
                listener.close()
                raise KatachiError(
                    f"port {number} cannot be used: {error.strerror}; choose another by --port"
                ) from None
        else:
            return listener
    raise AssertionError("a free port is found or refused")
