"""The commands, by groups; each group is a module, imported when one of its commands comes.

A command is a function of its name (`gg-undo` is `gg_undo`) that takes the session and the command
and returns the text of the reply, or raises GtpError with one of the protocol's error words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Final

from katachi.errors import KatachiError
from katachi.gtp.framing import Command, GtpError, Stream
from katachi.gtp.session import Session, say

# command → the module of this package that has it; in the order of `list_commands`
COMMANDS: Final = {
    "protocol_version": "about",
    "name": "about",
    "version": "about",
    "known_command": "about",
    "list_commands": "about",
    "quit": "about",
    "boardsize": "board",
    "clear_board": "board",
    "komi": "board",
    "get_komi": "board",
    "play": "board",
    "undo": "board",
    "gg-undo": "board",
    "showboard": "board",
    "stop": "about",
    "genmove": "moves",
    "reg_genmove": "moves",
    "clear_cache": "moves",
    "kgs-genmove_cleanup": "kgs",
    "kgs-rules": "kgs",
    "kgs-time_settings": "kgs",
    "kgs-game_over": "kgs",
    "kgs-chat": "kgs",
    "lz-analyze": "analysis",
    "lz-genmove_analyze": "analysis",
    "kata-analyze": "analysis",
    "kata-genmove_analyze": "analysis",
    "analyze": "analysis",
    "genmove_analyze": "analysis",
    "kata-get-rules": "parameters",
    "kata-set-rules": "parameters",
    "kata-get-param": "parameters",
    "kata-set-param": "parameters",
    "kata-list-params": "parameters",
    "gogui-analyze_commands": "gogui",
    "gogui-play_sequence": "gogui",
    "gogui-setup": "gogui",
    "gogui-setup_player": "gogui",
    "gogui-interrupt": "gogui",
    "katachi-probabilities": "gogui",
    "katachi-features": "gogui",
    "katachi-gammas": "gogui",
    "katachi-owner": "gogui",
    "katachi-shape": "gogui",
    "katachi-param": "parameters",
    "gomill-explain_last_move": "gomill",
    "gomill-describe_engine": "gomill",
    "gomill-cpu_time": "gomill",
    "fixed_handicap": "handicap",
    "place_free_handicap": "handicap",
    "set_free_handicap": "handicap",
    "loadsgf": "records",
    "printsgf": "records",
    "time_settings": "timing",
    "time_left": "timing",
    "cputime": "timing",
    "final_score": "scoring",
    "final_status_list": "scoring",
}


def answer(session: Session, command: Command) -> str | Stream:
    """The text of the reply to a command, or a stream of it. Raises GtpError where it fails, for
    whatever reason.

    A user's mistake is told in its own sentence; a fault of the program is named as such, and
    told on stderr, too, but does not end the session.
    """
    module = COMMANDS.get(command.name)
    if module is None:
        raise GtpError("unknown command")
    try:
        home = import_module(f"{__name__}.{module}")
        run: Callable[[Session, Command], str | Stream] = getattr(
            home, command.name.replace("-", "_")
        )
        found = run(session, command)
        return found if isinstance(found, str) else Stream(_to_its_end(found.lines, command))
    except GtpError:
        raise
    except KatachiError as error:
        raise GtpError(_one_line(error)) from None
    except Exception as error:
        raise GtpError(_told(error, command)) from error


def _to_its_end(lines: Iterator[str], command: Command) -> Iterator[str]:
    """The lines of a stream; a mistake or a fault amid them ends it, and is told on stderr."""
    try:
        yield from lines
    except (GtpError, KatachiError) as error:
        say(_one_line(error))
    except Exception as error:
        _told(error, command)


def _told(error: Exception, command: Command) -> str:
    """A fault of the program, told on stderr, as one line."""
    what = f"internal error: {type(error).__name__}: {_one_line(error)}".rstrip(": ")
    say(f"{what} (in {command.name})")
    return what


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:500]
