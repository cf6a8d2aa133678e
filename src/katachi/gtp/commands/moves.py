"""The player's moves."""

from __future__ import annotations

from katachi.go.points import vertex
from katachi.gtp.commands import arguments, command
from katachi.gtp.session import Session
from katachi.search.player import RESIGN


@command("genmove", "COLOUR")
def genmove(session: Session, who: str) -> str:
    """A move, which is played; it never repeats a position."""
    return played(session, arguments.colour(who))


def played(session: Session, colour: int, *, cleanup: bool = False) -> str:
    """Choose a move, play it, and name it."""
    session.warm_up()
    with session.on_the_clock(colour):
        choice = session.choose(colour, cleanup=cleanup)
        if choice.move != RESIGN:
            session.position.play(choice.move, colour, superko=True)
    session.remember(choice)
    return name_of(choice.move, session.position.size)


def name_of(move: int, size: int) -> str:
    """A vertex, "pass" or "resign"."""
    return "resign" if move == RESIGN else vertex(move, size)


@command("reg_genmove", "COLOUR")
def reg_genmove(session: Session, who: str) -> str:
    """The move that genmove would make; nothing changes."""
    colour = arguments.colour(who)
    session.warm_up()
    return name_of(session.choose(colour).move, session.position.size)


@command("clear_cache")
def clear_cache(session: Session) -> None:
    """Forget what the player keeps between moves."""
    session.clear_cache()
