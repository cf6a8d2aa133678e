"""What KGS's client, kgsGtp, says and asks."""

from __future__ import annotations

from typing import Final

from katachi.gtp.commands import arguments
from katachi.gtp.commands.moves import played
from katachi.gtp.framing import Command, GtpError
from katachi.gtp.session import Session
from katachi.search.clock import ABSOLUTE, BYOYOMI, CANADIAN, Control, started

# Their names → ours: AGA's and New Zealand's count area, too
RULES: Final = {
    "chinese": "chinese",
    "aga": "chinese",
    "new_zealand": "chinese",
    "japanese": "japanese",
}


def kgs_rules(session: Session, command: Command) -> str:
    """kgs-rules NAME: chinese, aga, new_zealand or japanese."""
    (name,) = arguments.arguments(command, 1)
    if name.lower() not in RULES:
        raise GtpError(arguments.SYNTAX)
    session.rules = RULES[name.lower()]
    return ""


def kgs_time_settings(session: Session, command: Command) -> str:
    """kgs-time_settings none | absolute MAIN | canadian MAIN TIME STONES | byoyomi MAIN TIME
    PERIODS.
    """
    kind, *rest = arguments.arguments(command, 1, 4)
    numbers = {"none": 0, "absolute": 1, "canadian": 3, "byoyomi": 3}
    if numbers.get(kind.lower()) != len(rest):
        raise GtpError(arguments.SYNTAX)
    seconds = [arguments.number(text) for text in rest[:2]]
    count = arguments.whole(rest[2]) if len(rest) == 3 else 0
    if any(s < 0 for s in seconds) or (len(rest) == 3 and (count < 1 or seconds[1] <= 0)):
        raise GtpError(arguments.SYNTAX)
    control = Control()
    if kind.lower() == "absolute":
        control = Control(ABSOLUTE, seconds[0])
    elif kind.lower() != "none":
        kinds = {"canadian": CANADIAN, "byoyomi": BYOYOMI}
        control = Control(kinds[kind.lower()], seconds[0], seconds[1], count)
    session.clock = started(control)
    return ""


def kgs_genmove_cleanup(session: Session, command: Command) -> str:
    """kgs-genmove_cleanup COLOUR: a move that takes dead stones off before it passes."""
    (who,) = arguments.arguments(command, 1)
    return played(session, arguments.colour(who), cleanup=True)


def kgs_game_over(_session: Session, _command: Command) -> str:
    """The game has ended: nothing to do."""
    return ""


def kgs_chat(session: Session, command: Command) -> str:
    """kgs-chat game|private NAME MESSAGE: who we are, and what we thought of the last move."""
    if len(command.args) < 3 or command.args[0].lower() not in ("game", "private"):
        raise GtpError(arguments.SYNTAX)
    choice = session.last_choice()
    if choice is not None and choice.comment:
        return f"My last move: {choice.comment}"
    return "I am Katachi. I play what strong players usually play, and search from there."
