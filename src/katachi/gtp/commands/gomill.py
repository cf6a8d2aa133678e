"""What gomill's match tools ask: why a move, which engine, how much time."""

from __future__ import annotations

from katachi import __version__
from katachi.errors import KatachiError
from katachi.go.points import PASS
from katachi.gtp.framing import Command
from katachi.gtp.session import Session
from katachi.search.player import RESIGN


def gomill_explain_last_move(session: Session, _command: Command) -> str:
    """What the player thought of the move it has just made, and the features that make it usual:
    nothing if the last was another's.
    """
    choice = session.last_choice()
    if choice is None:
        return ""
    lines = [choice.comment]
    position = session.position.copy()
    if choice.move not in (RESIGN, PASS) and position.moves:
        from katachi.study.annotate import percent
        from katachi.study.opinion import Opinion

        colour, move = position.undo()
        position.to_play(colour)
        try:
            one = Opinion(session.model, position).explain(move)
        except KatachiError:  # a player without a model, or another board than it knows
            return lines[0]
        lines.append(f"{one.vertex} {one.why}: {percent(one.probability)}, number {one.rank}")
        lines += [f"{group.elo:+.0f} {group.title}: {group.sentence}" for group in one.groups]
    return "\n".join(line for line in lines if line)


def gomill_describe_engine(session: Session, _command: Command) -> str:
    """Version, player, model, settings and seed, a line to each."""
    lines = [f"Katachi {__version__}"]
    lines += [f"{name}: {value}" for name, value in session.about.items()]
    lines += [f"{name}: {value}" for name, value in session.settings.items()]
    return "\n".join([*lines, f"rules: {session.rules}"])


def gomill_cpu_time(_session: Session, _command: Command) -> str:
    """Seconds of processor time that this process has used."""
    import time

    return f"{time.process_time():.3f}"
