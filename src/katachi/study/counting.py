"""The end of a game on the page: dead stones, what each side has, and the result.

The judge proposes which stones are dead; the student corrects that, string by string. An empty
point that reaches both colours is nobody's: nobody plays on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from katachi.errors import KatachiError
from katachi.go.points import BLACK, COLOUR_NAMES, EMPTY, PASS, WHITE, all_points, other, vertex
from katachi.go.position import Position
from katachi.records.game import Game
from katachi.search.final import Owners, String, dead_strings, empty_regions, seki_strings, without
from katachi.search.player import RULES, GameState
from katachi.study.searched import terms_of
from katachi.study.wire import point_of


def asked_terms(data: dict[str, Any], game: Game) -> GameState:
    """The position of a request, with its `rules` (default chinese); `cleanup` says that dead
    stones are disputed. Raises KatachiError for rules that there are not.
    """
    rules = data.get("rules") or "chinese"
    if rules not in RULES:
        raise KatachiError(f"{rules!r:.20} are no rules: {', '.join(RULES)}")
    terms = terms_of(game.position(), game.komi)
    return replace(terms, rules=rules, cleanup=data.get("cleanup") is True)


def counted_as_asked(
    data: dict[str, Any], game: GameState, judged: Callable[[Position], Owners]
) -> dict[str, Any]:
    """What `counted` says with the stones that the request names as `dead`; where it is null, those
    that `judged`, which gives owners, finds dead. Raises KatachiError for a wrong request.
    """
    dead = data.get("dead")
    if game.rules == "tromp-taylor":
        return counted(game, [])
    if dead is None:
        return counted(game, dead_strings(game.position, judged(game.position)))
    if not isinstance(dead, list):
        raise KatachiError("the request names no dead stones: load the page again")
    points = [point_of(str(name), game.position.size) for name in dead]
    return counted(game, strings_at(game, points))


def strings_at(game: GameState, points: Iterable[int]) -> list[String]:
    """The strings that have a stone on these points, each once.

    Raises KatachiError for a point without a stone.
    """
    position = game.position
    found: dict[int, String] = {}
    for p in points:
        string = [] if p == PASS else position.string(p)
        if not string:
            name = vertex(p, position.size)
            raise KatachiError(f"no stone stands on {name}, so none can be dead there")
        found[string[0]] = string
    return list(found.values())


def surrounded(position: Position) -> dict[int, int]:
    """The empty points that stones of one colour surround, each with that colour, on a board
    without dead stones; without those that only a seki surrounds.
    """
    seki = {p for string in seki_strings(position) for p in string}
    found: dict[int, int] = {}
    for region, border in empty_regions(position):
        colours = {position.stone(p) for p in border}
        if len(colours) == 1 and not border <= seki:
            found |= dict.fromkeys(region, colours.pop())
    return found


def counted(game: GameState, dead: list[String]) -> dict[str, Any]:
    """What each side has by the game's rules if these strings are dead, as JSON.

    `dead` are their vertices. `owners` says whose each point is that counts and has no living stone
    ("black" or "white"). `black` and `white` have their `points` (area, or territory) and, by
    territory, their `prisoners` (those taken before, and the dead). By tromp-taylor no stone is
    dead: `dead` must be empty there. `result` is that of SGF.
    """
    position, size = game.position, game.position.size
    after = without(position, dead)
    told: dict[str, Any] = {}
    if game.rules == "japanese":
        owners = surrounded(after)
        sums = {}
        for colour in (BLACK, WHITE):
            points = sum(owner == colour for owner in owners.values())
            fallen = sum(len(s) for s in dead if position.stone(s[0]) == other(colour))
            prisoners = position.captured(other(colour)) + fallen
            told[COLOUR_NAMES[colour]] = {"points": points, "prisoners": prisoners}
            sums[colour] = points + prisoners
    else:
        whole = after.owners()
        owners = {p: int(whole[p]) for p in all_points(size) if whole[p] != EMPTY}
        sums = {c: sum(owner == c for owner in owners.values()) for c in (BLACK, WHITE)}
        told = {COLOUR_NAMES[colour]: {"points": sums[colour]} for colour in sums}
    margin = sums[BLACK] - sums[WHITE] - game.komi
    return told | {
        "dead": [vertex(p, size) for string in dead for p in string],
        "owners": {
            vertex(p, size): COLOUR_NAMES[owner]
            for p, owner in owners.items()
            if after.stone(p) == EMPTY
        },
        "rules": game.rules,
        "komi": game.komi,
        "result": "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}",
    }
