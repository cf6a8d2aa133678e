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
        choice = session.choose(colour)
        if choice.move != RESIGN:
            session.position.play(choice.move, colour, superko=True)
    session.remember(choice)
    return "resign" if choice.move == RESIGN else vertex(choice.move, session.position.size)


def reg_genmove(session: Session, command: Command) -> str:
    """reg_genmove COLOUR: the move that genmove would make; nothing changes."""
    (who,) = arguments.arguments(command, 1)
    colour = arguments.colour(who)
    session.warm_up()
    move = session.choose(colour).move
    return "resign" if move == RESIGN else vertex(move, session.position.size)


def gomill_explain_last_move(session: Session, _command: Command) -> str:
    """What the player thought of the move it has just made: nothing if the last was another's."""
    return session.explain()


def clear_cache(session: Session, _command: Command) -> str:
    """Forget what the player keeps between moves."""
    session.clear_cache()
    return ""
