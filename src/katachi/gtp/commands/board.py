"""The board and the moves on it: what a controller sets and sees."""

from __future__ import annotations

from katachi.go.points import BLACK, COLOUR_NAMES, MAX_SIZE, MIN_SIZE, WHITE, vertex
from katachi.go.position import IllegalMove, Position
from katachi.gtp.commands import arguments, command
from katachi.gtp.framing import ILLEGAL, GtpError
from katachi.gtp.session import Session


@command("boardsize", "SIZE")
def boardsize(session: Session, text: str) -> None:
    """An empty board of this size."""
    size = arguments.whole(text)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise GtpError("unacceptable size")
    session.restart(Position(size))


@command("clear_board")
def clear_board(session: Session) -> None:
    """Begin another game on the empty board."""
    session.restart(Position(session.position.size))


@command("komi", "POINTS")
def komi(session: Session, points: str) -> None:
    """Any number."""
    session.komi = arguments.number(points)


@command("get_komi")
def get_komi(session: Session) -> str:
    """The komi as it is."""
    return arguments.plain(session.komi)


@command("play", "COLOUR VERTEX")
def play(session: Session, who: str, where: str) -> None:
    """A move, in turn or not; a repeated position is allowed."""
    colour, p = arguments.colour(who), arguments.move(where, session.position.size)
    try:
        session.position.play(p, colour)
    except IllegalMove:
        raise GtpError(ILLEGAL) from None


@command("undo")
def undo(session: Session) -> None:
    """Take back the last move."""
    gg_undo(session)


@command("gg-undo", "[N]")
def gg_undo(session: Session, number: str = "1") -> None:
    """Take back N moves, all or none."""
    position, count = session.position, arguments.whole(number)
    if count > len(position.moves):
        raise GtpError("cannot undo")
    if count:
        position.undo(count)


@command("showboard")
def showboard(session: Session) -> str:
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
