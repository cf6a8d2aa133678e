"""The end of the game: the score, and which stones live."""

from __future__ import annotations

from katachi.errors import KatachiError
from katachi.go.points import vertex
from katachi.gtp.commands import arguments, command
from katachi.gtp.framing import SYNTAX, GtpError
from katachi.gtp.say import say
from katachi.gtp.session import Session
from katachi.search.final import Owners, String, all_strings, dead_strings, seki_strings, without
from katachi.search.final import final_score as score_of

_STATUS = ("alive", "seki", "dead")


@command("final_score")
def final_score(session: Session) -> str:
    """ "B+3.5", "W+0.5" or "0"."""
    lead = score_of(session.position, _owners(session), session.komi, session.rules)
    text = arguments.plain(abs(lead))
    return "0" if text == "0" else f"{'B' if lead > 0 else 'W'}+{text}"


@command("final_status_list", "alive|dead|seki")
def final_status_list(session: Session, status: str) -> str:
    """The strings of this status, one to a line."""
    if status.lower() not in _STATUS:
        raise GtpError(SYNTAX)
    found = _with_status(session, status.lower())
    size = session.position.size
    return "\n".join(" ".join(vertex(p, size) for p in string) for string in found)


def _with_status(session: Session, status: str) -> list[String]:
    position = session.position
    dead = []
    if session.rules != "tromp-taylor":  # where whatever stands at the end lives
        dead = dead_strings(position, _owners(session))
    if status == "dead":
        return dead
    living = without(position, dead)
    seki = seki_strings(living)
    return seki if status == "seki" else [s for s in all_strings(living) if s not in seki]


def _owners(session: Session) -> Owners:
    session.warm_up()
    try:
        return session.player.owners(session.game(session.position.to_move))
    except KatachiError as error:
        say(str(error))
        raise GtpError("cannot score") from None
