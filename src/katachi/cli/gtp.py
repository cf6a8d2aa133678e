"""`katachi gtp`: the engine, for programs that speak the Go Text Protocol."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from subprocess import Popen
from typing import TYPE_CHECKING, Any

import click

from katachi import __version__
from katachi.cli.options import FROM_1, model_option, option
from katachi.errors import KatachiError
from katachi.gtp.commands import answer
from katachi.gtp.config import KNOWN, read_config, usual_config
from katachi.gtp.config import show_config as config_text
from katachi.gtp.framing import serve
from katachi.gtp.lines import Lines
from katachi.gtp.log import logged_lines, logged_output, open_log
from katachi.gtp.session import Limits, Session, say

if TYPE_CHECKING:
    from katachi.search.player import Player

# Written out, since nothing heavy may be imported for `--help`; a test compares.
RULES = ("chinese", "japanese", "tromp-taylor")
PLAYERS = ("search", "pattern")

_ONLY_FOR = {
    "temperature": "pattern",
    "threads": "search",
    "memory": "search",
    "settings": "search",
}


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
    held, search = held_settings(config, flags, dict(_setting(text, ctx) for text in settings))
    chosen = {name: value for name, (value, _) in held.items()}
    _check(chosen, held, search, ctx)
    if show_config:
        click.echo(config_text(held, search))
        return 0
    given = {name: value for name, (value, _) in search.items()}
    build: Callable[[], Player]
    if chosen["player"] == "pattern":
        build = partial(_pattern_player, chosen["model"], chosen["temperature"], chosen["seed"])
    else:
        build = partial(_search_player, chosen, given)
    log = None if chosen["log"] is None else open_log(Path(chosen["log"]))
    lines = Lines(sys.stdin.fileno())
    session = Session(
        build,
        kernels=f"gtp-{chosen['player']}",
        compiling=partial(_compiling, chosen["player"]),
        told=partial(_told, chosen["player"]),
        rules=chosen["rules"],
        limits=Limits(chosen["simulations"], chosen["seconds"]),
        may_resign=chosen["resign"],
        thinking=lines.thinking,
        watching=lines.watching,
        ponders=chosen["ponder"],
        about={n: str(chosen[n] or "the usual") for n in ("player", "model", "threads", "seed")},
        rebuild=None if chosen["player"] == "pattern" else partial(_search_player, chosen),
        settings=given,
        version=chosen["override_version"],
    )
    if sys.stdin.isatty():
        say(f"{__version__}, speaking GTP: list_commands says what it knows, quit ends it")
    out: Any = sys.stdout.buffer
    try:
        serve(
            lines if log is None else logged_lines(lines, log),
            out if log is None else logged_output(out, log),
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


def held_settings(
    config: Path | None, flags: dict[str, Any], search: dict[str, str]
) -> tuple[dict[str, tuple[Any, str]], dict[str, tuple[str, str]]]:
    """(option → (what holds, where it is from), the same of the search's settings).

    Raises KatachiError for a file that cannot be used.
    """
    held: dict[str, tuple[Any, str]] = {
        name: (usual, "usual") for name, (_, usual) in KNOWN.items()
    }
    settings: dict[str, tuple[str, str]] = {}
    own = usual_config()
    for path in ([own] if own.is_file() else []) + ([config] if config is not None else []):
        found, more = read_config(path)
        held |= {name: (value, str(path)) for name, value in found.items()}
        settings |= {name: (value, str(path)) for name, value in more.items()}
    given = {name: value for name, value in flags.items() if value is not None}
    held |= {name: (value, "command line") for name, value in given.items()}
    settings |= {name: (value, "command line") for name, value in search.items()}
    return held, settings


def _check(
    chosen: dict[str, Any],
    held: dict[str, tuple[Any, str]],
    search: dict[str, Any],
    ctx: click.Context,
) -> None:
    """Raises for what cannot be: told before any controller waits."""
    if chosen["player"] not in ("search", "pattern"):
        raise KatachiError(f"there is no player {chosen['player']!r}: search or pattern")
    if chosen["rules"] not in RULES:
        raise KatachiError(f"there are no rules {chosen['rules']!r}: {', '.join(RULES)}")
    for name in ("simulations", "seconds", "threads", "memory"):
        if chosen[name] is not None and chosen[name] <= 0:
            raise KatachiError(f"{name} cannot be {chosen[name]}: it is more than 0")
    for name, owner in _ONLY_FOR.items():
        given = bool(search) if name == "settings" else held[name][1] == "command line"
        if chosen["player"] != owner and given:
            option = "--setting" if name == "settings" else f"--{name}"
            raise click.UsageError(f"{option} is for --player {owner}", ctx)
    if search:
        from katachi.search.settings import parse_settings

        parse_settings({name: value for name, (value, _) in search.items()})
    if chosen["model"] is not None and not Path(chosen["model"]).is_file():
        from katachi.models.model import load_model

        load_model(Path(chosen["model"]))  # raises


def _compiling(player: str) -> Popen[bytes] | None:
    from katachi.cli.warming import begin

    return begin("gtp" if player == "search" else "suggest")


def _told(player: str) -> str | None:
    from katachi.cli.warming import sentence

    return sentence(f"gtp-{player}")


def _setting(text: str, ctx: click.Context) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise click.UsageError(f"--setting {text!r} is not NAME=VALUE", ctx)
    return name, value


def _pattern_player(model: Path | str | None, temperature: float, seed: int) -> Player:
    from katachi.models.model import load_model
    from katachi.search.pattern_player import PatternPlayer

    return PatternPlayer(load_model(model), temperature, seed)


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
