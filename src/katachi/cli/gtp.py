"""`katachi gtp`: the engine, for programs that speak the Go Text Protocol."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from subprocess import Popen
from typing import TYPE_CHECKING, Any

import click

from katachi import __version__
from katachi.cli.options import FROM_1, model_option, option
from katachi.errors import KatachiError
from katachi.gtp.commands import answer
from katachi.gtp.compiling import Compiling
from katachi.gtp.config import COMMAND_LINE, Config, find_config
from katachi.gtp.framing import serve
from katachi.gtp.lines import Lines
from katachi.gtp.log import LoggedOutput, logged_lines, open_log
from katachi.gtp.say import say
from katachi.gtp.session import Limits, Session

if TYPE_CHECKING:
    from katachi.search.player import Player

# Written out, since nothing heavy may be imported for `--help`; a test compares.
RULES = ("chinese", "japanese", "tromp-taylor")
PLAYERS = ("search", "pattern")

# The player that an option is for
_ONLY_FOR = {"temperature": "pattern", "threads": "search", "memory": "search"}

_EPILOG = """\b
Sabaki     Engines, Manage Engines, Add: path "katachi", arguments "gtp"
GoGui      Program, New Program: "katachi gtp"
Lizzie     engine command: "katachi gtp --override-version 0.17"
LizzieYzy  the same; it takes Katachi for KataGo
kgsGtp     engine=katachi gtp
Where katachi is not found, give its whole path. Before the first game: katachi warm gtp
"""


@click.command("gtp", short_help="The engine, for programs that speak GTP.", epilog=_EPILOG)
@option(
    "--config FILE",
    "A TOML file with these options (default gtp.toml in your configuration folder)",
    Path,
)
@option("--show-config", "Print the settings that hold, and where each is from", bool)
@option(
    "--player",
    "search: tree search; pattern: the model's likeliest move, at once (default search)",
    PLAYERS,
)
@model_option()
@option("--simulations N", "Number of simulations for every move", FROM_1)
@option(
    "--seconds S",
    "Seconds for every move, or less where the clock asks for it",
    click.FloatRange(0, min_open=True),
)
@option("--threads N", "Number of threads that search (default 1)", FROM_1)
@option("--memory MB", "Memory for the tree (default 512)", FROM_1)
@option("--seed N", "Seed of everything random (default 1)", int)
@option("--rules", "How the game is scored (default chinese)", RULES)
@option(
    "--temperature T",
    "Pattern player: draw moves by p^(1/T); 0 plays the likeliest move (default 0)",
    click.FloatRange(0),
)
@option("--resign/--no-resign", "Give up lost games, or play on to the end (default resign)", bool)
@option("--ponder/--no-ponder", "Think on the opponent's time (default no)", bool)
@option("--log FILE", "Write what both sides say to this file", Path)
@option(
    "--override-version TEXT",
    "The answer to the command version, for programs that expect another engine's",
)
@option(
    "--setting settings NAME=VALUE", "A setting of the search; may be given again", multiple=True
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    config: Path | None,
    show_config: bool,
    settings: tuple[str, ...],
    **flags: Any,
) -> int:
    """Play: speak GTP on stdin and stdout, for Sabaki, GoGui, Lizzie and other programs."""
    found = find_config(config, flags, dict(_setting(text, ctx) for text in settings))
    _check(found, ctx)
    if show_config:
        click.echo(found.text())
        return 0
    chosen = found.options
    searches = chosen["player"] == "search"
    log = None if chosen["log"] is None else open_log(Path(chosen["log"]))
    lines = Lines(sys.stdin.fileno())
    session = Session(
        partial(_search_player, chosen, found.search)
        if searches
        else partial(_pattern_player, chosen),
        rebuild=partial(_search_player, chosen) if searches else None,
        settings=found.search,
        compiling=_compiling(chosen["player"]),
        rules=chosen["rules"],
        limits=Limits(chosen["simulations"], chosen["seconds"]),
        may_resign=chosen["resign"],
        thinking=lines.thinking,
        watching=lines.watching,
        ponders=chosen["ponder"],
        about={n: str(chosen[n] or "the usual") for n in ("player", "model", "threads", "seed")},
        version=chosen["override_version"],
    )
    if sys.stdin.isatty():
        say(f"{__version__}, speaking GTP: list_commands says what it knows, quit ends it")
    out = sys.stdout.buffer
    try:
        serve(
            lines if log is None else logged_lines(lines, log),
            out if log is None else LoggedOutput(out, log),
            partial(answer, session),
            idle=lambda command: session.ponder() if "genmove" in command.name else None,
            wake=session.wake,
        )
    except BrokenPipeError:
        # Nobody reads any more. What Python would still flush at its end goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    finally:
        session.end()
        if log is not None:
            log.close()
    return 0


def _check(config: Config, ctx: click.Context) -> None:
    """Raises for what cannot be: told before any controller waits."""
    chosen = config.options
    player = chosen["player"]
    if player not in PLAYERS:
        raise KatachiError(f"there is no player {player!r}: {' or '.join(PLAYERS)}")
    if chosen["rules"] not in RULES:
        raise KatachiError(f"there are no rules {chosen['rules']!r}: {', '.join(RULES)}")
    for name in ("simulations", "seconds", "threads", "memory"):
        if chosen[name] is not None and chosen[name] <= 0:
            raise KatachiError(f"{name} cannot be {chosen[name]}: it is more than 0")
    for name, owner in _ONLY_FOR.items():
        if player != owner and config.source(name) == COMMAND_LINE:
            raise click.UsageError(f"--{name} is for --player {owner}", ctx)
    if config.search:
        if player != "search":
            raise click.UsageError("--setting is for --player search", ctx)
        from katachi.search.settings import parse_settings

        parse_settings(config.search)
    if chosen["model"] is not None and not Path(chosen["model"]).is_file():
        from katachi.models.model import load_model

        load_model(Path(chosen["model"]))  # raises


def _compiling(player: str) -> Compiling:
    kernels = f"gtp-{player}"

    def begin() -> Popen[bytes] | None:
        from katachi.cli.warming import begin

        return begin("gtp" if player == "search" else "suggest")

    def sentence() -> str | None:
        from katachi.cli.warming import sentence

        return sentence(kernels)

    return Compiling(kernels, begin, sentence)


def _setting(text: str, ctx: click.Context) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise click.UsageError(f"--setting {text!r} is not NAME=VALUE", ctx)
    return name, value


def _pattern_player(chosen: dict[str, Any]) -> Player:
    from katachi.models.model import load_model
    from katachi.search.pattern_player import PatternPlayer

    return PatternPlayer(load_model(chosen["model"]), chosen["temperature"], chosen["seed"])


def _search_player(chosen: dict[str, Any], settings: Mapping[str, str]) -> Player:
    from katachi.models.model import load_model
    from katachi.search.engine import search_player

    return search_player(
        load_model(chosen["model"]),
        threads=chosen["threads"],
        memory_mb=chosen["memory"],
        seed=chosen["seed"],
        settings=settings,
    )
