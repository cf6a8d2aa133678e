"""The commands, by groups; each group is a module, imported when one of its commands comes.

A command is a function that takes the session and its arguments and returns the text of the reply
(None for an empty one) or a Stream, or raises GtpError with one of the protocol's error words. To
add one: write the function with its `@command(…)`, put the name in GROUPS, and tell of it in
docs/gtp.md and in a transcript.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeVar

from katachi.errors import KatachiError
from katachi.gtp.framing import SYNTAX, Command, GtpError, Stream
from katachi.gtp.say import say
from katachi.gtp.session import Session

# (module of this package, its commands), in the order of `list_commands`
GROUPS: Final = (
    ("about", "protocol_version name version known_command list_commands quit"),
    ("board", "boardsize clear_board komi get_komi play undo gg-undo showboard"),
    ("about", "stop"),
    ("moves", "genmove reg_genmove clear_cache"),
    ("kgs", "kgs-genmove_cleanup kgs-rules kgs-time_settings kgs-game_over kgs-chat"),
    ("analysis", "lz-analyze lz-genmove_analyze kata-analyze kata-genmove_analyze"),
    ("analysis", "analyze genmove_analyze"),
    ("parameters", "kata-get-rules kata-set-rules"),
    ("parameters", "kata-get-param kata-set-param kata-list-params"),
    ("gogui", "gogui-analyze_commands gogui-play_sequence gogui-setup gogui-setup_player"),
    ("gogui", "gogui-interrupt katachi-probabilities katachi-features katachi-gammas"),
    ("gogui", "katachi-owner katachi-shape"),
    ("parameters", "katachi-param"),
    ("gomill", "gomill-explain_last_move gomill-describe_engine"),
    ("timing", "gomill-cpu_time"),
    ("handicap", "fixed_handicap place_free_handicap set_free_handicap"),
    ("records", "loadsgf printsgf"),
    ("timing", "time_settings time_left cputime"),
    ("scoring", "final_score final_status_list"),
)
COMMANDS: Final = {name: module for module, names in GROUPS for name in names.split()}

R = TypeVar("R", bound=Callable[..., str | Stream | None])


class Registered(NamedTuple):
    """The function of a command, and what it takes (see `command`)."""

    run: Callable[..., str | Stream | None]
    takes: str


REGISTERED: Final[dict[str, Registered]] = {}  # of the modules imported so far


def command(name: str, takes: str = "") -> Callable[[R], R]:
    """Register a function as the command of this name.

    `takes` names the arguments: "COLOUR VERTEX" are two; "[N]" may be left out. The function gets
    the session and the arguments as text; another number of them is a syntax error. A command that
    takes none ignores what comes. With "…" at the end the function gets the Command, and looks at
    the arguments itself.
    """

    def register(run: R) -> R:
        REGISTERED[name] = Registered(run, takes)
        return run

    return register


def answer(session: Session, asked: Command) -> str | Stream:
    """The text of the reply to a command, or a stream of it. Raises GtpError where it fails, for
    whatever reason.

    A user's mistake is told in its own sentence; a fault of the program is named as such, and
    told on stderr, too, but does not end the session.
    """
    if asked.name not in COMMANDS:
        raise GtpError("unknown command")
    try:
        import_module(f"{__name__}.{COMMANDS[asked.name]}")
        run, takes = REGISTERED[asked.name]
        found = run(session, *_arguments(asked, takes))
        if isinstance(found, Stream):
            return Stream(_to_its_end(found.lines, asked))
        return found or ""
    except GtpError:
        raise
    except KatachiError as error:
        raise GtpError(_one_line(error)) from None
    except Exception as error:
        raise GtpError(_fault(error, asked)) from error


def _arguments(asked: Command, takes: str) -> tuple[Any, ...]:
    if takes.endswith("…"):
        return (asked,)
    words = takes.split()
    least = sum(not word.startswith("[") for word in words)
    if words and not least <= len(asked.args) <= len(words):
        raise GtpError(SYNTAX)
    return asked.args if words else ()


def _to_its_end(lines: Iterator[str], asked: Command) -> Iterator[str]:
    """The lines of a stream; a mistake or a fault amid them ends it, and is told on stderr."""
    try:
        yield from lines
    except (GtpError, KatachiError) as error:
        say(_one_line(error))
    except Exception as error:
        _fault(error, asked)


def _fault(error: Exception, asked: Command) -> str:
    """A fault of the program, told on stderr, as one line."""
    what = f"internal error: {type(error).__name__}: {_one_line(error)}".rstrip(": ")
    say(f"{what} (in {asked.name})")
    return what


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:500]
