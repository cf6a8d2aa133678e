"""Analysis streams: lines of what the search thinks, until anything is said to it.

lz-…    Leela Zero's: whole numbers, win rates times 10,000
kata-…  KataGo's: numbers with a point, score, owners on demand
…       Sabaki's `analyze`, which it prefers to the others: as Leela Zero's, with scoreLead
All win rates, leads and owners are those of the side to move.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Final

from katachi.analysis.snapshots import Analysis, snapshot, thinking
from katachi.go.points import vertex
from katachi.gtp.commands import arguments
from katachi.gtp.commands.moves import name_of
from katachi.gtp.framing import Command, GtpError, Stream
from katachi.gtp.session import Session
from katachi.search.player import RESIGN, Budget, GameState, to_analyse

INTERVAL: Final = 1.0  # seconds, where none is asked for
SHORTEST: Final = 0.01

_WORDS: Final = (
    "rootinfo",
    "ownership",
    "pvvisits",
    "movesownership",
    "ownershipstdev",
    "movesownershipstdev",
    "pvedgevisits",
)


@dataclass(frozen=True)
class Asked:
    """What an analysis is about."""

    style: str  # "lz", "kata" or "sabaki"
    colour: int
    interval: float = INTERVAL
    least: int = 0  # moves to tell, where there are so many
    most: int = 10**6
    shows: frozenset[str] = frozenset()
    avoid: frozenset[int] = field(default_factory=frozenset)


def lz_analyze(session: Session, command: Command) -> Stream:
    """lz-analyze [COLOUR] [CENTISECONDS] …"""
    return _analysis(session, _asked(session, command, "lz"))


def kata_analyze(session: Session, command: Command) -> Stream:
    """kata-analyze [COLOUR] [CENTISECONDS] …"""
    return _analysis(session, _asked(session, command, "kata"))


def analyze(session: Session, command: Command) -> Stream:
    """analyze [COLOUR] [CENTISECONDS] …"""
    return _analysis(session, _asked(session, command, "sabaki"))


def lz_genmove_analyze(session: Session, command: Command) -> Stream:
    """lz-genmove_analyze [COLOUR] [CENTISECONDS]: the stream of a genmove, then its move."""
    return _genmove(session, _asked(session, command, "lz"))


def kata_genmove_analyze(session: Session, command: Command) -> Stream:
    """kata-genmove_analyze [COLOUR] [CENTISECONDS] …"""
    return _genmove(session, _asked(session, command, "kata"))


def genmove_analyze(session: Session, command: Command) -> Stream:
    """genmove_analyze [COLOUR] [CENTISECONDS] …"""
    return _genmove(session, _asked(session, command, "sabaki"))


def _asked(session: Session, command: Command, style: str) -> Asked:
    """The arguments, in any order after colour and interval. Raises GtpError."""
    words = list(command.args)
    asked = Asked(style, session.position.to_move)
    if words and words[0].lower() in ("b", "w", "black", "white"):
        asked = replace(asked, colour=arguments.colour(words.pop(0)))
    if words and words[0].isascii() and words[0].isdigit():
        asked = replace(asked, interval=_interval(words.pop(0)))
    shows: set[str] = set()
    avoid: set[int] = set()
    allow: set[int] = set()
    while words:
        key = words.pop(0).lower()
        if key in ("interval", "minmoves", "maxmoves", *_WORDS):
            if not words:
                raise GtpError(arguments.SYNTAX)
            value = words.pop(0)
            if key == "interval":
                asked = replace(asked, interval=_interval(value))
            elif key == "minmoves":
                asked = replace(asked, least=arguments.whole(value))
            elif key == "maxmoves":
                asked = replace(asked, most=arguments.whole(value))
            elif value.lower() not in ("true", "false"):
                raise GtpError(arguments.SYNTAX)
            elif value.lower() == "true":
                shows.add(key)
        elif key in ("avoid", "allow"):
            if len(words) < 3:
                raise GtpError(arguments.SYNTAX)
            who, places, until = (words.pop(0) for _ in range(3))
            size = session.position.size
            points = {arguments.move(text, size) for text in places.split(",") if text}
            if arguments.whole(until) > 0 and arguments.colour(who) == asked.colour:
                (avoid if key == "avoid" else allow).update(points)
        else:
            raise GtpError(arguments.SYNTAX)
    if allow:
        legal = set(session.game(asked.colour).position.legal_moves())
        avoid |= legal - allow
    return replace(asked, shows=frozenset(shows), avoid=frozenset(avoid))


def _interval(text: str) -> float:
    return max(arguments.whole(text) / 100, SHORTEST)


def _analysis(session: Session, asked: Asked) -> Stream:
    session.warm_up()
    player = session.searcher
    game = to_analyse(session.game(asked.colour))
    if asked.avoid:
        player.clear()
        player.forbid(game, asked.avoid)

    def lines() -> Iterator[str]:
        with session.watching() as stop:
            at_once = stop.is_set()  # something waits already: one line, and that is all
            if at_once:
                stop.clear()
            with thinking(player, game, stop) as goes_on:
                began = time.monotonic()
                for number in range(1, 10**9):
                    due = began + number * asked.interval - time.monotonic()
                    waited = _wait(goes_on, stop, min(due, 0.05) if at_once else due)
                    told = _told(snapshot(player, game), asked, game)
                    if told and (waited or number == 1):
                        yield told
                    if not waited or at_once:
                        break
        if asked.avoid:
            player.clear()

    return Stream(lines())


def _wait(goes_on: Callable[[float], bool], stop: Event, seconds: float) -> bool:
    """Whether the time has passed without the search having been ended."""
    return not stop.wait(max(seconds, 0.0)) and goes_on(0.0)


def _genmove(session: Session, asked: Asked) -> Stream:
    session.warm_up()
    player = session.searcher
    game = session.game(asked.colour)
    if asked.avoid:
        player.clear()
        player.forbid(game, asked.avoid)
    budget = session.budget(asked.colour)

    def lines() -> Iterator[str]:
        with session.on_the_clock(asked.colour):
            began = time.monotonic()
            usual = budget if budget != Budget() else Budget(player.settings.simulations)
            with session.thinking() as stop, thinking(player, game, stop, usual) as goes_on:
                while goes_on(asked.interval):
                    told = _told(snapshot(player, game), asked, game)
                    if told:
                        yield told
                told = _told(snapshot(player, game), asked, game)
                if told:
                    yield told
            choice = player.decide(game, player.snapshot(game)[0], time.monotonic() - began)
            if choice.move != RESIGN:
                session.position.play(choice.move, asked.colour, superko=True)
        session.remember(choice)
        if asked.avoid:
            player.clear()
        yield f"play {name_of(choice.move, session.position.size)}"

    return Stream(lines())


def _told(found: Analysis, asked: Asked, game: GameState) -> str:
    """One line of the stream; "" where nothing is known yet."""
    size = game.position.size
    some = [line for line in found.lines if line.move not in asked.avoid][: asked.most]
    words = []
    for order, line in enumerate(some):
        moves = " ".join(vertex(p, size) for p in line.moves)
        if asked.style != "kata":
            lead = f"scoreLead {line.lead:.4f} " if asked.style == "sabaki" else ""
            words.append(
                f"info move {vertex(line.move, size)} visits {line.visits} "
                f"winrate {round(1e4 * line.win_rate)} {lead}prior {round(1e4 * line.prior)} "
                f"lcb {round(1e4 * line.lower)} order {order} pv {moves}"
            )
            continue
        words.append(
            f"info move {vertex(line.move, size)} visits {line.visits} "
            f"utility {2 * line.win_rate - 1:.6f} winrate {line.win_rate:.6f} "
            f"scoreMean {line.lead:.4f} scoreStdev {line.deviation:.4f} scoreLead {line.lead:.4f} "
            f"prior {line.prior:.6f} lcb {line.lower:.6f} order {order} pv {moves}"
        )
        if "pvvisits" in asked.shows:
            words[-1] += " pvVisits " + " ".join(map(str, line.visits_of))
    if not words:
        return ""
    if asked.style == "kata" and "rootinfo" in asked.shows:
        words.append(
            f"rootInfo visits {found.visits} utility {2 * found.win_rate - 1:.6f} "
            f"winrate {found.win_rate:.6f} scoreMean {found.lead:.4f} "
            f"scoreStdev {found.deviation:.4f} scoreLead {found.lead:.4f}"
        )
    if asked.style == "kata" and "ownership" in asked.shows:
        words.append("ownership " + " ".join(f"{share:.4f}" for share in found.owners))
    return " ".join(words)
