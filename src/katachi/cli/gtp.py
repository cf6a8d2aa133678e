"""`katachi gtp`: the engine, for programs that speak the Go Text Protocol."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from katachi import __version__
from katachi.gtp.commands import answer
from katachi.gtp.framing import serve
from katachi.gtp.lines import Lines
from katachi.gtp.session import Limits, Session, say

if TYPE_CHECKING:
    from katachi.search.player import Player

# Written out, since nothing heavy may be imported for `--help`; a test compares.
RULES = ("chinese", "japanese", "tromp-taylor")

_ONLY_FOR = {"temperature": "pattern", "threads": "search", "memory": "search",
             "settings": "search"}  # fmt: skip


@click.command("gtp", short_help="The engine, for programs that speak GTP.")
@click.option(
    "--player",
    type=click.Choice(["search", "pattern"]),
    default="search",
    show_default=True,
    help="search: tree search; pattern: the model's likeliest move, at once.",
)
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The model; without it, the one that comes with Katachi.",
)
@click.option(
    "--simulations", type=click.IntRange(1), metavar="N", help="Simulations for every move."
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    metavar="S",
    help="Seconds for every move, or less where the clock asks for it.",
)
@click.option(
    "--threads", type=click.IntRange(1), metavar="N", help="Threads that search.  [default: 1]"
)
@click.option(
    "--memory",
    type=click.IntRange(1),
    metavar="MB",
    help="Memory for the tree.  [default: 512]",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, metavar="N", help="Of everything random."
)
@click.option(
    "--rules",
    type=click.Choice(RULES),
    default=RULES[0],
    show_default=True,
    help="How the game is scored.",
)
@click.option(
    "--temperature",
    type=click.FloatRange(0),
    metavar="T",
    help="Of the pattern player: 0 plays the likeliest move, else moves are drawn by p^(1/T).",
)
@click.option("--no-resign", is_flag=True, help="Play on to the end.")
@click.option(
    "--setting",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the search; may be given again.",
)
@click.pass_context
def command(
    ctx: click.Context,
    player: str,
    model: Path | None,
    simulations: int | None,
    seconds: float | None,
    threads: int | None,
    memory: int | None,
    seed: int,
    rules: str,
    temperature: float | None,
    no_resign: bool,
    settings: tuple[str, ...],
) -> int:
    """Play: speak GTP on stdin and stdout, for Sabaki, GoGui, Lizzie and other programs."""
    for name, owner in _ONLY_FOR.items():
        if player != owner and ctx.params[name] not in (None, ()):
            option = "--setting" if name == "settings" else f"--{name}"
            raise click.UsageError(f"{option} is for --player {owner}", ctx)
    given = dict(_setting(text, ctx) for text in settings)
    if given:
        from katachi.search.settings import parse_settings

        parse_settings(given)  # raises: told before any controller waits
    if model is not None and not model.is_file():
        from katachi.learning.model import load_model

        load_model(model)  # raises: told before any controller waits
    build: Callable[[], Player]
    if player == "pattern":
        build = partial(_pattern_player, model, temperature or 0.0, seed)
    else:
        build = partial(_search_player, model, threads or 1, memory or 512, seed, given)
    lines = Lines(sys.stdin.fileno())
    session = Session(
        build,
        kernels=f"gtp-{player}",
        rules=rules,
        limits=Limits(simulations, seconds),
        may_resign=not no_resign,
        thinking=lines.thinking,
    )
    if sys.stdin.isatty():
        say(f"{__version__}, speaking GTP: list_commands says what it knows, quit ends it")
    try:
        serve(lines, sys.stdout.buffer, partial(answer, session))
    except BrokenPipeError:
        # Nobody reads any more. What Python would still flush at its end goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    return 0


def _setting(text: str, ctx: click.Context) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise click.UsageError(f"--setting {text!r} is not NAME=VALUE", ctx)
    return name, value


def _pattern_player(model: Path | None, temperature: float, seed: int) -> Player:
    from katachi.learning.model import load_model
    from katachi.search.pattern_player import PatternPlayer

    return PatternPlayer(load_model(model), temperature, seed)


def _search_player(
    model: Path | None, threads: int, memory: int, seed: int, settings: dict[str, str]
) -> Player:
    from katachi.learning.model import load_model
    from katachi.search.engine import search_player

    return search_player(
        load_model(model), threads=threads, memory_mb=memory, seed=seed, settings=settings
    )
