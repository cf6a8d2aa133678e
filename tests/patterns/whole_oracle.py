"""A second describer of whole positions, and of a move's offsets and contacts: slow, by the
definitions, on sgfmill's board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from katachi.go.points import PASS, point
from tests.go.ladder_oracle import Point, liberties
from tests.patterns.feature_oracle import Here, String, Teams, distance, present

# Written out: the tables are not to believe the families.
OFFSETS = [
    *(tuple(map(int, (low, high))) for high in range(9) for low in range(high + 1)),
    "9-12",
    "≥ 13",
]
SIZES = {"1": range(1, 2), "2": range(2, 3), "3-4": range(3, 5), "5-8": range(5, 9)}
LEGAL = (10, 25, 50, 100, 150, 200, 250, 300)


def whole_levels(here: Here) -> dict[str, int]:
    """Family of the position → level, 0 for none."""
    game, board = here.game, here.board
    last, second, third = (game.back(n) for n in (1, 2, 3))
    ended = None if last is None or here.strings[last].colour == here.own else here.strings[last]
    beside = here.near(last, here.own) if last is not None and ended is not None else set()
    weakest = min(beside, key=lambda s: (len(s.liberties), -len(s.stones)), default=None)
    return {
        "stage": stage_level(board.side, len(game.moves)),
        "legal-moves": 1 + sum(len(here.moves) > most for most in LEGAL),
        "ko": int(game.ko is not None),
        "taken": taken_level(here),
        "own-ataris": atari_level(here, here.own),
        "opponent-ataris": atari_level(here, here.opponent),
        "last-line": line_level(here),
        "last-offset": offset_level(last, second),
        "last-offset2": offset_level(last, third),
        "last-liberties": liberties_level(ended),
        "last-size": size_level(ended),
        "weakest-liberties": liberties_level(weakest),
        "weakest-size": size_level(weakest),
        "local": local_level(last, second, third),
    }


def stage_level(size: int, moves: int) -> int:
    return 1 + sum(361 * moves >= 25 * k * size * size for k in range(1, 12))


def taken_level(here: Here) -> int:
    before = here.game.before
    if before is None:
        return 0
    gone = [s for _, s in before.list_occupied_points() if here.board.get(*s) is None]
    return next(
        (k for k, numbers in enumerate(((0,), (1,), (2,), (3, 4, 5))) if len(gone) in numbers), 4
    )


def atari_level(here: Here, colour: str) -> int:
    strings = {s for s in here.strings.values() if s.colour == colour}
    return min(3, sum(len(liberties(here.board, min(s.stones))) == 1 for s in strings))


def line_level(here: Here) -> int:
    if not here.game.moves:
        return 7
    last, side = here.game.moves[-1], here.board.side
    if last is None:
        return 6
    return next(line for line in range(1, 6) if line == 5 or _on_line(last, line, side))


def _on_line(place: Point, line: int, side: int) -> bool:
    return any(x in (line - 1, side - line) for x in place)


def offset_level(place: Point | None, other: Point | None) -> int:
    if place is None or other is None:
        return 0
    low, high = sorted(abs(a - b) for a, b in zip(place, other, strict=True))
    if high > 8:
        return OFFSETS.index("9-12" if high <= 12 else "≥ 13") + 1
    return OFFSETS.index((low, high)) + 1


def liberties_level(string: String | None) -> int:
    return 0 if string is None else min(len(string.liberties), 6)


def size_level(string: String | None) -> int:
    if string is None:
        return 0
    inside = [k for k, sizes in enumerate(SIZES.values(), 1) if len(string.stones) in sizes]
    return inside[0] if inside else 5


def local_level(last: Point | None, second: Point | None, third: Point | None) -> int:
    if last is None or second is None or third is None:
        return 0
    near = (distance(last, second) <= 9, distance(second, third) <= 9)
    return [(True, True), (True, False), (False, True), (False, False)].index(near) + 1


# -- of candidates -------------------------------------------------------------------------------


def small_teams(here: Here) -> Teams:
    """Every legal move with its offsets and contacts."""
    teams: Teams = {PASS: {}}
    for move in here.moves:
        place = move.place
        own, theirs = (here.near(place, colour) for colour in (here.own, here.opponent))
        levels = {
            "offset": offset_level(place, here.game.back(1)),
            "offset2": offset_level(place, here.game.back(2)),
            "own-weakest": extreme(min, map(liberties_level, own)),
            "opponent-weakest": extreme(min, map(liberties_level, theirs)),
            "own-largest": extreme(max, map(size_level, own)),
            "opponent-largest": extreme(max, map(size_level, theirs)),
            "contact": contact_level(here, place),
        }
        teams[point(*place)] = present({name: level or None for name, level in levels.items()})
    return teams


def extreme(which: Callable[[list[int]], int], levels: Iterable[int]) -> int:
    """The least or the greatest of these; 0 if there is none."""
    found = list(levels)
    return which(found) if found else 0


def contact_level(here: Here, place: Point) -> int:
    """3 for being diagonal to the last move's string, 6 for touching it; 1 and 2 for one's own."""
    total = 0
    for back, colour, worth in ((1, here.opponent, 3), (2, here.own, 1)):
        stone = here.game.back(back)
        string = None if stone is None else here.strings.get(stone)
        if string is None or string.colour != colour:
            continue
        steps = {(abs(place[0] - row), abs(place[1] - col)) for row, col in string.stones}
        if steps & {(0, 1), (1, 0)}:
            total += 2 * worth
        elif (1, 1) in steps:
            total += worth
    return total
