"""The commands, by groups; each group is a module, imported when one of its commands comes.

A command is a function of its name (`gg-undo` is `gg_undo`) that takes the session and the command
and returns the text of the reply, or raises GtpError with one of the protocol's error words.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final

from katachi.errors import KatachiError
from katachi.gtp.framing import Command, GtpError
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
    "genmove": "moves",
    "reg_genmove": "moves",
    "gomill-explain_last_move": "moves",
    "clear_cache": "moves",
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


def answer(session: Session, command: Command) -> str:
    """The text of the reply to a command. Raises GtpError where it fails, for whatever reason.

    A user's mistake is told in its own sentence; a fault of the program is named as such, and
    told on stderr, too, but does not end the session.
    """
    module = COMMANDS.get(command.name)
    if module is None:
        raise GtpError("unknown command")
    try:
        home = import_module(f"{__name__}.{module}")
        run: Callable[[Session, Command], str] = getattr(home, command.name.replace("-", "_"))
        return run(session, command)
    except GtpError:
        raise
    except KatachiError as error:
        raise GtpError(_one_line(error)) from None
    except Exception as error:
        what = f"internal error: {type(error).__name__}: {_one_line(error)}".rstrip(": ")
        say(f"{what} (in {command.name})")
        raise GtpError(what) from error


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:500]
