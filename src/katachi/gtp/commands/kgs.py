"""What KGS's client, kgsGtp, says and asks."""

from __future__ import annotations

from typing import Final

from katachi.gtp.commands import arguments, command
from katachi.gtp.commands.moves import played
from katachi.gtp.framing import SYNTAX, Command, GtpError
from katachi.gtp.session import Session
from katachi.search.clock import ABSOLUTE, BYOYOMI, CANADIAN, Control, started

# Their names → ours: AGA's and New Zealand's count area, too
_OURS: Final = {
    "chinese": "chinese",
    "aga": "chinese",
    "new_zealand": "chinese",
    "japanese": "japanese",
}


@command("kgs-rules", "NAME")
def rules(session: Session, name: str) -> None:
    """chinese, aga, new_zealand or japanese."""
    if name.lower() not in _OURS:
        raise GtpError(SYNTAX)
    session.rules = _OURS[name.lower()]


@command("kgs-time_settings", "KIND [MAIN] [TIME] [COUNT]")
def time_settings(session: Session, kind: str, *rest: str) -> None:
    """none | absolute MAIN | canadian MAIN TIME STONES | byoyomi MAIN TIME PERIODS."""
    numbers = {"none": 0, "absolute": 1, "canadian": 3, "byoyomi": 3}
    if numbers.get(kind.lower()) != len(rest):
        raise GtpError(SYNTAX)
    seconds = [arguments.number(text) for text in rest[:2]]
    count = arguments.whole(rest[2]) if len(rest) == 3 else 0
    if any(s < 0 for s in seconds) or (len(rest) == 3 and (count < 1 or seconds[1] <= 0)):
        raise GtpError(SYNTAX)
    control = Control()
    if kind.lower() == "absolute":
        control = Control(ABSOLUTE, seconds[0])
    elif kind.lower() != "none":
        kinds = {"canadian": CANADIAN, "byoyomi": BYOYOMI}
        control = Control(kinds[kind.lower()], seconds[0], seconds[1], count)
    session.clock = started(control)


@command("kgs-genmove_cleanup", "COLOUR")
def genmove_cleanup(session: Session, who: str) -> str:
    """A move that takes dead stones off before it passes."""
    return played(session, arguments.colour(who), cleanup=True)


@command("kgs-game_over")
def game_over(_session: Session) -> None:
    """The game has ended: nothing to do."""


@command("kgs-chat", "game|private NAME MESSAGE …")
def chat(session: Session, asked: Command) -> str:
    """Who we are, and what we thought of the last move."""
    if len(asked.args) < 3 or asked.args[0].lower() not in ("game", "private"):
        raise GtpError(SYNTAX)
    choice = session.last_choice()
    if choice is not None and choice.comment:
        return f"My last move: {choice.comment}"
    return "I am Katachi. I play what strong players usually play, and search from there."
