"""GoGui's extensions, and what Katachi shows through them."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from katachi.go.points import PASS, all_points, row_col, vertex
from katachi.go.position import IllegalMove, Position
from katachi.gtp.commands import arguments, command
from katachi.gtp.framing import ILLEGAL, SYNTAX, Command, GtpError
from katachi.gtp.session import Session
from katachi.study.annotate import percent
from katachi.study.opinion import SHAPE, Explained, Opinion

_RADIUS = re.compile(r"radius (\d+)")

SHOWN: Final = 0.001  # probability from which on a move is shown

_COMMANDS: Final = (
    "gfx/Usual moves/katachi-probabilities",
    "string/Features of a move/katachi-features %p",
    "string/Gammas of a move/katachi-gammas %p",
    "gfx/Owners/katachi-owner",
    "gfx/Shape of a move/katachi-shape %p",
    "string/Why the last move/gomill-explain_last_move",
    "string/Engine/gomill-describe_engine",
    "param/Settings/katachi-param",
)


@command("gogui-analyze_commands")
def analyze_commands(_session: Session) -> str:
    """The commands of GoGui's window "Analyze", as type/label/command."""
    return "\n".join(_COMMANDS)


@command("gogui-interrupt")
def interrupt(_session: Session) -> None:
    """That it is known tells GoGui that the comment "# interrupt" ends the thinking."""


@command("gogui-play_sequence", "COLOUR VERTEX COLOUR VERTEX …")
def play_sequence(session: Session, asked: Command) -> None:
    """All of these moves, or none."""
    size = session.position.size
    moves = [(arguments.colour(who), arguments.move(where, size)) for who, where in _pairs(asked)]
    done = 0
    try:
        for colour, p in moves:
            session.position.play(p, colour)
            done += 1
    except IllegalMove:
        if done:
            session.position.undo(done)
        raise GtpError(ILLEGAL) from None


@command("gogui-setup", "COLOUR VERTEX …")
def setup(session: Session, asked: Command) -> None:
    """Stones that stand from the beginning; the game begins anew.

    The colour may be empty, which takes a stone away.
    """
    position = session.position
    colors = position.colors
    for who, where in _pairs(asked):
        p = arguments.move(where, position.size)
        if p == PASS:
            raise GtpError(SYNTAX)
        colors[p] = 0 if who.lower() in ("e", "empty") else arguments.colour(who)
    _restart(session, colors, position.to_move)


@command("gogui-setup_player", "COLOUR")
def setup_player(session: Session, who: str) -> None:
    """Whose turn it is."""
    _restart(session, session.position.colors, arguments.colour(who))


def _pairs(asked: Command) -> list[tuple[str, str]]:
    if len(asked.args) % 2:
        raise GtpError(SYNTAX)
    return list(zip(asked.args[::2], asked.args[1::2], strict=True))


def _restart(session: Session, colors: np.ndarray, to_move: int) -> None:
    try:
        position = Position.from_stones(session.position.size, colors, to_move)
    except ValueError:
        raise GtpError("a string would have no liberty") from None
    session.restart(position)


@command("katachi-probabilities")
def probabilities(session: Session) -> str:
    """How usual each move is: as influence, the first of them numbered; and the first in words."""
    opinion = _opinion(session)
    size = opinion.size
    usual = [p for p in opinion.ranked if opinion.probability(p) >= SHOWN and p != PASS]
    lines = []
    if usual:
        shares = " ".join(f"{vertex(p, size)} {opinion.probability(p):.3f}" for p in usual)
        labels = " ".join(f"{vertex(p, size)} {n}" for n, p in enumerate(usual[:9], 1))
        lines += [f"INFLUENCE {shares}", f"LABEL {labels}"]
    first = opinion.explain(opinion.ranked[0])
    lines.append(f"TEXT {first.vertex} {percent(first.probability)}: {first.why}")
    return "\n".join(lines)


@command("katachi-features", "VERTEX")
def features(session: Session, where: str) -> str:
    """The features of a move, in words, the strongest first."""
    one = _explained(session, where)
    lines = [f"{one.vertex}: {percent(one.probability)}, number {one.rank}"]
    lines += [f"{group.elo:+5.0f}  {group.sentence}" for group in one.groups]
    return "\n".join(lines)


@command("katachi-gammas", "VERTEX")
def gammas(session: Session, where: str) -> str:
    """Every feature with its level, gamma and Elo; the product last."""
    one = _explained(session, where)
    lines = []
    for group in one.groups:
        for member, title in zip(group.members, group.titles, strict=True):
            lines.append(f"{member.gamma:10.4g} {member.elo:+7.1f}  {title}: {member.level}")
    return "\n".join([*lines, f"{one.gamma:10.4g}          the product"])


@command("katachi-owner")
def owner(session: Session) -> str:
    """How likely each point ends as whose: 1 Black's, -1 White's."""
    session.warm_up()
    position = session.position
    found = session.player.owners(session.game(position.to_move))
    shares = " ".join(
        f"{vertex(p, position.size)} {2 * float(found[p]) - 1:.2f}"
        for p in all_points(position.size)
    )
    return f"INFLUENCE {shares}"


@command("katachi-shape", "VERTEX")
def shape(session: Session, where: str) -> str:
    """The points of the largest known shape around a move, marked."""
    one = _explained(session, where)
    size = session.position.size
    shapes = [m for group in one.groups if group.title == SHAPE for m in group.members]
    if not shapes:
        return f"TEXT {one.vertex} makes no shape that is known"
    radius = max(int(found[1]) for m in shapes if (found := _RADIUS.search(m.level)))
    row, col = row_col(one.move)
    near = []
    for p in all_points(size):
        dy, dx = (abs(a - b) for a, b in zip(row_col(p), (row, col), strict=True))
        # The metric of the papers' circles (katachi.patterns.shapes.templates)
        if p != one.move and dx + dy + max(dx, dy) <= radius:
            near.append(vertex(p, size))
    total = sum(m.elo for m in shapes)
    words = f"{len(shapes)} known shapes, up to radius {radius}, together {total:+.0f} Elo"
    return f"COLOR #a0c0ff {' '.join(near)}\nTEXT {words}"


def _opinion(session: Session) -> Opinion:
    session.warm_up()
    return Opinion(session.model, session.game(session.position.to_move).position)


def _explained(session: Session, where: str) -> Explained:
    move = arguments.move(where, session.position.size)
    opinion = _opinion(session)
    if move not in opinion.points:
        raise GtpError(ILLEGAL)
    return opinion.explain(move)
