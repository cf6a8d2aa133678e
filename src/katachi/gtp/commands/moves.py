"""The player's moves."""

from __future__ import annotations

from katachi.go.points import vertex
from katachi.gtp.commands import arguments
from katachi.gtp.framing import Command
from katachi.gtp.session import Session
from katachi.search.player import RESIGN


def genmove(session: Session, command: Command) -> str:
    """genmove COLOUR: a move, which is played; it never repeats a position."""
    (who,) = arguments.arguments(command, 1)
    colour = arguments.colour(who)
    session.warm_up()
    with session.on_the_clock(colour):
        move = session.choose(colour).move
        if move == RESIGN:
            return "resign"
        session.position.play(move, colour, superko=True)
    return vertex(move, session.position.size)


def reg_genmove(session: Session, command: Command) -> str:
    """reg_genmove COLOUR: the move that genmove would make; nothing changes."""
    (who,) = arguments.arguments(command, 1)
    colour = arguments.colour(who)
    session.warm_up()
    move = session.choose(colour).move
    return "resign" if move == RESIGN else vertex(move, session.position.size)


def clear_cache(session: Session, _command: Command) -> str:
    """Forget what the player keeps between moves."""
    session.clear_cache()
    return ""
