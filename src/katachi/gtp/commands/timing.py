"""Time: what the controller says of the clock, and what the process has used."""

from __future__ import annotations

import time

from katachi.gtp.commands import arguments, command
from katachi.gtp.framing import SYNTAX, GtpError
from katachi.gtp.session import Session
from katachi.search.clock import gtp_control, started


@command("time_settings", "MAIN OVERTIME STONES")
def time_settings(session: Session, main: str, overtime: str, stones: str) -> None:
    """In seconds; for both sides, from now on."""
    session.clock = started(
        gtp_control(_seconds(main), _seconds(overtime), arguments.whole(stones))
    )


@command("time_left", "COLOUR SECONDS STONES")
def time_left(session: Session, who: str, seconds: str, stones: str) -> None:
    """What a side has left; 0 stones in main time."""
    # A clock that is overdrawn has nothing left; some controllers say so with a sign.
    left = max(arguments.number(seconds), 0.0)
    session.clock = session.clock.with_time_left(
        arguments.colour(who), left, arguments.whole(stones)
    )


@command("cputime")
@command("gomill-cpu_time")
def cputime(_session: Session) -> str:
    """Seconds of processor time that this process has used, all threads together."""
    return f"{time.process_time():.3f}"


def _seconds(text: str) -> float:
    value = arguments.number(text)
    if value < 0:
        raise GtpError(SYNTAX)
    return value
