"""Time: what the controller says of the clock, and what the process has used."""

from __future__ import annotations

import time

from katachi.gtp.commands import arguments
from katachi.gtp.framing import Command, GtpError
from katachi.gtp.session import Session
from katachi.search.clock import gtp_control, started


def time_settings(session: Session, command: Command) -> str:
    """time_settings MAIN OVERTIME STONES: in seconds; for both sides, from now on."""
    main, overtime, stones = arguments.arguments(command, 3)
    session.clock = started(
        gtp_control(_seconds(main), _seconds(overtime), arguments.whole(stones))
    )
    return ""


def time_left(session: Session, command: Command) -> str:
    """time_left COLOUR SECONDS STONES: 0 stones in main time."""
    who, seconds, stones = arguments.arguments(command, 3)
    # A clock that is overdrawn has nothing left; some controllers say so with a sign.
    left = max(arguments.number(seconds), 0.0)
    session.clock = session.clock.with_time_left(
        arguments.colour(who), left, arguments.whole(stones)
    )
    return ""


def cputime(_session: Session, _command: Command) -> str:
    """Seconds of processor time that this process has used, all threads together."""
    return f"{time.process_time():.3f}"


def _seconds(text: str) -> float:
    value = arguments.number(text)
    if value < 0:
        raise GtpError(arguments.SYNTAX)
    return value
