"""The queries of KataGo's analysis protocol, checked field by field."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event
from typing import Any, Final

from katachi.analysis.rules import rules_named
from katachi.errors import KatachiError
from katachi.go.points import BLACK, MAX_SIZE, MIN_SIZE, PASS, WHITE, from_vertex
from katachi.go.position import IllegalMove, Position
from katachi.search.player import GameState, to_analyse

VISITS: Final = 500  # where a query names none
MOST_VISITS: Final = 10_000_000
MOST_TURNS: Final = 2000

KNOWN: Final = {
    "id",
    "moves",
    "initialStones",
    "initialPlayer",
    "rules",
    "komi",
    "boardXSize",
    "boardYSize",
    "analyzeTurns",
    "maxVisits",
    "includeOwnership",
    "includePolicy",
    "includePVVisits",
    "priority",
    "priorities",
    "reportDuringSearchEvery",
    "overrideSettings",
    "avoidMoves",
    "allowMoves",
    "includeMovesOwnership",
    "includeOwnershipStdev",
    "includeMovesOwnershipStdev",
    "includeNoResultValue",
    "rootPolicyTemperature",
    "rootFpuReductionMax",
    "analysisPVLen",
    "whiteHandicapBonus",
    "firstReportDuringSearchAfter",
}
_COLOURS: Final = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_SIDES: Final = ("BLACK", "WHITE", "SIDETOMOVE")


class BadQuery(Exception):
    """A query that cannot be answered: which field, and why."""

    def __init__(self, name: str, words: str) -> None:
        super().__init__(words)
        self.name = name


@dataclass(frozen=True)
class Query:
    """One turn of a query."""

    id: str
    turn: int
    game: GameState
    visits: int
    ownership: bool
    policy: bool
    line_visits: bool
    side: str  # whose win rates are told
    every: float | None  # seconds between reports while it is worked on
    avoid: frozenset[int]
    ended: Event = field(default_factory=Event)


def queries_of(data: dict[str, Any]) -> list[tuple[int, Query]]:
    """(priority, query) of every turn that is asked for. Raises BadQuery."""
    size = _whole(data, "boardXSize", None, MIN_SIZE, MAX_SIZE)
    if _whole(data, "boardYSize", None, MIN_SIZE, MAX_SIZE) != size:
        raise BadQuery("boardYSize", "Must be the same as boardXSize: boards are square")
    try:
        rules = rules_named(data.get("rules", "tromp-taylor"))
    except KatachiError as error:
        raise BadQuery("rules", str(error)) from None
    stones, moves = (_moves(data, name, size) for name in ("initialStones", "moves"))
    positions = _positions(size, stones, moves, data)
    turns = data.get("analyzeTurns", [len(moves)])
    inside = _all_whole(turns) and all(0 <= t <= len(moves) for t in turns)
    if not inside or not 1 <= len(turns) <= MOST_TURNS:  # none would have no answer at all
        raise BadQuery("analyzeTurns", "Must be a list of turns between 0 and the number of moves")
    visits = _whole(data, "maxVisits", VISITS, 1, MOST_VISITS)
    priorities = data.get("priorities", [_whole(data, "priority", 0, -(10**9), 10**9)] * len(turns))
    if not _all_whole(priorities) or len(priorities) != len(turns):
        raise BadQuery("priorities", "Must be a list of whole numbers, one to each turn")
    komi, every, side = _komi(data, rules), _every(data), _side(data)
    shows = {name: _flag(data, f"include{name}") for name in ("Ownership", "Policy", "PVVisits")}
    found = []
    for turn, priority in zip(turns, priorities, strict=True):
        position = positions[turn]
        avoid = _avoided(data, position)
        game = to_analyse(GameState(position, komi, rules))
        query = Query(
            data["id"],
            turn,
            game,
            visits,
            shows["Ownership"],
            shows["Policy"],
            shows["PVVisits"],
            side,
            every,
            avoid,
        )
        found.append((priority, query))
    return found


def _komi(data: dict[str, Any], rules: str) -> float:
    komi = data.get("komi", 6.5 if rules == "japanese" else 7.5)
    if isinstance(komi, bool) or not isinstance(komi, int | float) or not abs(komi) <= 361:
        raise BadQuery("komi", "Must be a number between -361 and 361")
    if komi * 2 != int(komi * 2):
        raise BadQuery("komi", "Must be a whole or half number")
    return float(komi)


def _every(data: dict[str, Any]) -> float | None:
    every = data.get("reportDuringSearchEvery")
    if every is None:
        return None
    if isinstance(every, bool) or not isinstance(every, int | float) or not 0.001 <= every <= 1e6:
        raise BadQuery("reportDuringSearchEvery", "Must be a number of seconds, more than 0")
    return float(every)


def _side(data: dict[str, Any]) -> str:
    settings = data.get("overrideSettings", {})
    if not isinstance(settings, dict):
        raise BadQuery("overrideSettings", "Must be an object")
    side = str(settings.get("reportAnalysisWinratesAs", "BLACK")).upper()
    if side not in _SIDES:
        raise BadQuery("overrideSettings", f"reportAnalysisWinratesAs is one of {_SIDES}")
    return side


def _positions(
    size: int, stones: list[tuple[int, int]], moves: list[tuple[int, int]], data: dict[str, Any]
) -> list[Position]:
    """The position of every turn."""
    first = data.get("initialPlayer")
    if first is not None and str(first).lower() not in _COLOURS:
        raise BadQuery("initialPlayer", "Must be B or W")
    begins = BLACK if first is None else _COLOURS[str(first).lower()]
    if first is None and moves:
        begins = moves[0][0]
    elif first is None and stones and all(colour == BLACK for colour, _ in stones):
        begins = WHITE
    colors = Position(size).colors
    for colour, p in stones:
        if p == PASS:
            raise BadQuery("initialStones", "A pass is no stone")
        colors[p] = colour
    try:
        position = Position.from_stones(size, colors, begins)
    except ValueError as error:
        raise BadQuery("initialStones", f"Illegal stones: {error}") from None
    found = [position.copy()]
    for number, (colour, p) in enumerate(moves):
        try:
            position.play(p, colour)
        except IllegalMove as error:
            raise BadQuery("moves", f"Illegal move {number}: {error}") from None
        copy = position.copy()
        if number + 1 < len(moves):
            copy.to_play(moves[number + 1][0])
        found.append(copy)
    return found


def _moves(data: dict[str, Any], name: str, size: int) -> list[tuple[int, int]]:
    given = data.get(name, [] if name == "initialStones" else None)
    words = "Must be a list of pairs of a player, B or W, and a location such as Q16"
    if not isinstance(given, list) or len(given) > MOST_TURNS:
        raise BadQuery(name, words)
    found = []
    for pair in given:
        whole = isinstance(pair, list) and len(pair) == 2 and all(isinstance(w, str) for w in pair)
        if not whole or pair[0].lower() not in _COLOURS:
            raise BadQuery(name, words)
        try:
            found.append((_COLOURS[pair[0].lower()], from_vertex(pair[1], size)))
        except ValueError:
            raise BadQuery(name, f"Could not parse location: {pair[1][:20]}") from None
    return found


def _avoided(data: dict[str, Any], position: Position) -> frozenset[int]:
    avoid: set[int] = set()
    for name in ("avoidMoves", "allowMoves"):
        given = data.get(name, [])
        for each in given if isinstance(given, list) else [None]:
            if not isinstance(each, dict) or not isinstance(each.get("moves"), list):
                raise BadQuery(name, "Must be a list of objects with player, moves, untilDepth")
            player = str(each.get("player", "")).lower()
            if player not in _COLOURS:
                raise BadQuery(name, "player must be B or W")
            try:
                points = {from_vertex(str(m), position.size) for m in each["moves"]}
            except ValueError as error:
                raise BadQuery(name, str(error)) from None
            if _COLOURS[player] == position.to_move:
                legal = set(position.legal_moves())
                avoid |= points if name == "avoidMoves" else legal - points
    return frozenset(avoid)


def _whole(data: dict[str, Any], name: str, usual: int | None, least: int, most: int) -> int:
    value = data.get(name, usual)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadQuery(name, f"Must be a whole number from {least} to {most}")
    return value


def _all_whole(given: Any) -> bool:
    return isinstance(given, list) and all(
        isinstance(n, int) and not isinstance(n, bool) for n in given
    )


def _flag(data: dict[str, Any], name: str) -> bool:
    value = data.get(name, False)
    if not isinstance(value, bool):
        raise BadQuery(name, "Must be true or false")
    return value
