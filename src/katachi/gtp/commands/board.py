"""The board and the moves on it: what a controller sets and sees."""

from __future__ import annotations

from katachi.go.points import BLACK, COLOUR_NAMES, MAX_SIZE, MIN_SIZE, WHITE, vertex
from katachi.go.position import IllegalMove, Position
from katachi.gtp.commands import arguments
from katachi.gtp.framing import Command, GtpError
from katachi.gtp.session import Session


def boardsize(session: Session, command: Command) -> str:
    """boardsize SIZE: an empty board of this size."""
    (text,) = arguments.arguments(command, 1)
    size = arguments.whole(text)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise GtpError("unacceptable size")
    session.restart(Position(size))
    return ""


def clear_board(session: Session, _command: Command) -> str:
    """Begin another game on the empty board."""
    session.restart(Position(session.position.size))
    return ""


def komi(session: Session, command: Command) -> str:
    """komi POINTS: any number."""
    (text,) = arguments.arguments(command, 1)
    session.komi = arguments.number(text)
    return ""


def get_komi(session: Session, _command: Command) -> str:
    """The komi as it is."""
    return arguments.plain(session.komi)


def play(session: Session, command: Command) -> str:
    """play COLOUR VERTEX: in turn or not; a repeated position is allowed."""
    who, where = arguments.arguments(command, 2)
    colour, p = arguments.colour(who), arguments.move(where, session.position.size)
    try:
        session.position.play(p, colour)
    except IllegalMove:
        raise GtpError(arguments.ILLEGAL) from None
    return ""


def undo(session: Session, _command: Command) -> str:
    """Take back the last move."""
    _take_back(session, 1)
    return ""


def gg_undo(session: Session, command: Command) -> str:
    """gg-undo [N]: take back N moves, all or none."""
    args = arguments.arguments(command, 0, 1)
    _take_back(session, arguments.whole(args[0]) if args else 1)
    return ""


def _take_back(session: Session, count: int) -> None:
    position = session.position
    if count > len(position.moves):
        raise GtpError("cannot undo")
    if count:
        position.undo(count)


def showboard(session: Session, _command: Command) -> str:
    """The diagram, and what it does not show."""
    position = session.position
    lines = ["", position.diagram()]
    if position.moves:
        colour, p = position.moves[-1]
        lines.append(f"Last move: {COLOUR_NAMES[colour]} {vertex(p, position.size)}")
    lines += [
        f"To move: {COLOUR_NAMES[position.to_move]}",
        f"Captured by black (X): {position.captured(WHITE)}, "
        f"by white (O): {position.captured(BLACK)}",
        f"Komi: {arguments.plain(session.komi)}, rules: {session.rules}",
    ]
    return "\n".join(lines)
