"""What gomill's match tools ask: why a move, and which engine."""

from __future__ import annotations

from katachi import __version__
from katachi.errors import KatachiError
from katachi.go.points import PASS
from katachi.gtp.commands import command
from katachi.gtp.session import Session
from katachi.search.player import RESIGN


@command("gomill-explain_last_move")
def explain_last_move(session: Session) -> str:
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


@command("gomill-describe_engine")
def describe_engine(session: Session) -> str:
    """Version, player, model, settings and seed, a line to each."""
    lines = [f"Katachi {__version__}"]
    lines += [f"{name}: {value}" for name, value in session.about.items()]
    lines += [f"{name}: {value}" for name, value in session.settings.items()]
    return "\n".join([*lines, f"rules: {session.rules}"])
