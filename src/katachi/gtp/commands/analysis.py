"""Analysis streams: lines of what the search thinks, until anything is said to it.

lz-…    Leela Zero's: whole numbers, win rates times 10,000
kata-…  KataGo's: numbers with a point, score, owners on demand
…       Sabaki's `analyze`, which it prefers to the others: as Leela Zero's, with scoreLead
All win rates, leads and owners are those of the side to move.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from threading import Event
from typing import Final

from katachi.analysis.snapshots import Analysis, snapshot, thinking
from katachi.go.points import vertex
from katachi.gtp.commands import arguments, command
from katachi.gtp.commands.moves import name_of
from katachi.gtp.framing import SYNTAX, Command, GtpError, Stream
from katachi.gtp.session import Session
from katachi.search.engine import SearchPlayer
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
class Wanted:
    """What an analysis is about."""

    style: str  # "lz", "kata" or "sabaki"
    colour: int
    interval: float = INTERVAL
    most: int = 10**6  # moves in a line
    shows: frozenset[str] = frozenset()
    avoid: frozenset[int] = frozenset()


def _wanted(session: Session, asked: Command, style: str) -> Wanted:
    """The arguments, in any order after colour and interval. Raises GtpError."""
    words = list(asked.args)
    wanted = Wanted(style, session.position.to_move)
    if words and words[0].lower() in ("b", "w", "black", "white"):
        wanted = replace(wanted, colour=arguments.colour(words.pop(0)))
    if words and words[0].isascii() and words[0].isdigit():
        wanted = replace(wanted, interval=_interval(words.pop(0)))
    shows: set[str] = set()
    avoid: set[int] = set()
    allow: set[int] = set()
    while words:
        key = words.pop(0).lower()
        if key in ("interval", "minmoves", "maxmoves", *_WORDS):
            if not words:
                raise GtpError(SYNTAX)
            value = words.pop(0)
            if key == "interval":
                wanted = replace(wanted, interval=_interval(value))
            elif key == "minmoves":
                arguments.whole(value)  # all moves with visits are told anyhow
            elif key == "maxmoves":
                wanted = replace(wanted, most=arguments.whole(value))
            elif value.lower() not in ("true", "false"):
                raise GtpError(SYNTAX)
            elif value.lower() == "true":
                shows.add(key)
        elif key in ("avoid", "allow"):
            if len(words) < 3:
                raise GtpError(SYNTAX)
            who, places, until = (words.pop(0) for _ in range(3))
            size = session.position.size
            points = {arguments.move(text, size) for text in places.split(",") if text}
            if arguments.whole(until) > 0 and arguments.colour(who) == wanted.colour:
                (avoid if key == "avoid" else allow).update(points)
        else:
            raise GtpError(SYNTAX)
    if allow:
        legal = set(session.game(wanted.colour).position.legal_moves())
        avoid |= legal - allow
    return replace(wanted, shows=frozenset(shows), avoid=frozenset(avoid))


def _interval(text: str) -> float:
    return max(arguments.whole(text) / 100, SHORTEST)


def analyze(session: Session, asked: Command, *, style: str) -> Stream:
    """What the search thinks, until anything is said to it."""
    wanted = _wanted(session, asked, style)
    session.warm_up()
    player = session.searcher
    game = to_analyse(session.game(wanted.colour))
    _forbid(player, game, wanted.avoid)

    def lines() -> Iterator[str]:
        with session.watching() as stop:
            at_once = stop.is_set()  # something waits already: one line, and that is all
            if at_once:
                stop.clear()
            with thinking(player, game, stop) as goes_on:
                began = time.monotonic()
                for number in range(1, 10**9):
                    due = began + number * wanted.interval - time.monotonic()
                    waited = _wait(goes_on, stop, min(due, 0.05) if at_once else due)
                    line = _line(snapshot(player, game), wanted, game.position.size)
                    if line and (waited or number == 1):
                        yield line
                    if not waited or at_once:
                        break
        if wanted.avoid:
            player.clear()

    return Stream(lines())


def _forbid(player: SearchPlayer, game: GameState, moves: frozenset[int]) -> None:
    if moves:
        player.clear()
        player.forbid(game, moves)


def _wait(goes_on: Callable[[float], bool], stop: Event, seconds: float) -> bool:
    """Whether the time has passed without the search having been ended."""
    return not stop.wait(max(seconds, 0.0)) and goes_on(0.0)


def genmove_analyze(session: Session, asked: Command, *, style: str) -> Stream:
    """The same for the time of a genmove, then its move."""
    wanted = _wanted(session, asked, style)
    session.warm_up()
    player = session.searcher
    game = session.game(wanted.colour)
    _forbid(player, game, wanted.avoid)
    budget = session.budget(wanted.colour)

    def lines() -> Iterator[str]:
        with session.on_the_clock(wanted.colour):
            began = time.monotonic()
            usual = budget if budget != Budget() else Budget(player.settings.simulations)
            with session.thinking() as stop, thinking(player, game, stop, usual) as goes_on:
                going = True
                while going:
                    going = goes_on(wanted.interval)
                    if line := _line(snapshot(player, game), wanted, game.position.size):
                        yield line
            choice = player.decide(game, player.snapshot(game)[0], time.monotonic() - began)
            if choice.move != RESIGN:
                session.position.play(choice.move, wanted.colour, superko=True)
        session.remember(choice)
        if wanted.avoid:
            player.clear()
        yield f"play {name_of(choice.move, game.position.size)}"

    return Stream(lines())


def _line(found: Analysis, wanted: Wanted, size: int) -> str:
    """One line of the stream; "" where nothing is known yet."""
    some = [line for line in found.lines if line.move not in wanted.avoid][: wanted.most]
    words = []
    for order, line in enumerate(some):
        moves = " ".join(vertex(p, size) for p in line.moves)
        if wanted.style != "kata":
            lead = f"scoreLead {line.lead:.4f} " if wanted.style == "sabaki" else ""
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
        if "pvvisits" in wanted.shows:
            words[-1] += " pvVisits " + " ".join(map(str, line.visits_of))
    if not words:
        return ""
    if wanted.style == "kata" and "rootinfo" in wanted.shows:
        words.append(
            f"rootInfo visits {found.visits} utility {2 * found.win_rate - 1:.6f} "
            f"winrate {found.win_rate:.6f} scoreMean {found.lead:.4f} "
            f"scoreStdev {found.deviation:.4f} scoreLead {found.lead:.4f}"
        )
    if wanted.style == "kata" and "ownership" in wanted.shows:
        words.append("ownership " + " ".join(f"{share:.4f}" for share in found.owners))
    return " ".join(words)


for _style, _prefix in (("lz", "lz-"), ("kata", "kata-"), ("sabaki", "")):
    for _run, _name in ((analyze, "analyze"), (genmove_analyze, "genmove_analyze")):
        command(f"{_prefix}{_name}", "[COLOUR] [CENTISECONDS] …")(partial(_run, style=_style))
