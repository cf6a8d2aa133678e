"""The end of the game: which strings are dead, and the score, from who owns the points.

`owners` is what `Player.owners` returns: how likely each point ends as Black's, by point.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from katachi.go.board import NEIGHBOURS
from katachi.go.points import BLACK, EMPTY, WHITE, all_points, other
from katachi.go.position import Position

Owners = npt.NDArray[np.float64]
String = list[int]  # its points, in order

SURE: Final = 0.7  # share of simulations that makes an open point somebody's


def all_strings(position: Position) -> list[String]:
    """Every string, each as its points, in the order of their first points."""
    seen: set[int] = set()
    strings = []
    for p in all_points(position.size):
        if p not in seen and (string := position.string(p)):
            seen.update(string)
            strings.append(string)
    return strings


def dead_strings(position: Position, owners: Owners) -> list[String]:
    """The strings whose points are more likely to end as the opponent's, on average, and that are
    not in a seki: simulations play on there, and break it.
    """
    found = []
    for string in all_strings(position):
        black = float(np.mean(owners[string]))
        if (black if position.stone(string[0]) == BLACK else 1 - black) < 0.5:
            found.append(string)
    return [string for string in found if not _in_seki(position, string, found)]


def _in_seki(position: Position, string: String, weak: list[String]) -> bool:
    """Whether this one of the weak strings would be in a seki with the others taken off."""
    if len(position.liberties(string[0])) > 2:
        return False  # nor with fewer stones around it
    after = without(position, [one for one in weak if one is not string])
    return _is_seki(after, string, after.owners())


def without(position: Position, strings: Iterable[String]) -> Position:
    """The stones that are left when these strings are taken off. Prisoners are not counted."""
    colors = position.colors
    for string in strings:
        colors[string] = EMPTY
    return Position.from_stones(position.size, colors, position.to_move)


def seki_strings(position: Position) -> list[String]:
    """The strings in a seki, on a board without dead stones: those of which neither side can fill
    any liberty without putting itself in atari, and of which a liberty belongs to nobody.

    Larger sekis, where some liberty can be filled safely, are not known: their strings just live.
    Nor are stones inside a single string, which may be there to kill it.
    """
    owners = position.owners()
    return [string for string in all_strings(position) if _is_seki(position, string, owners)]


def _is_seki(position: Position, string: String, owners: npt.NDArray[np.uint8]) -> bool:
    """See `seki_strings`; `owners` are those of the position."""
    liberties = position.liberties(string[0])
    # Of three liberties its owner can always fill one: two are left.
    if len(liberties) != 2 or all(owners[p] != EMPTY for p in liberties):
        return False
    if any(_safe(position, p, c) for p in liberties for c in (BLACK, WHITE)):
        return False
    foe = other(position.stone(string[0]))
    beside = {p + d for p in liberties for d in NEIGHBOURS}
    attackers = {min(position.string(q)) for q in beside if position.board.color[q] == foe}
    return all(_held(position, position.string(q), string) for q in attackers)


def _held(position: Position, attacker: String, string: String) -> bool:
    """Whether an attacker of the string is in the seki, too: it can get no more liberties, and has
    other enemies than this string, so that it does not stand in its eye.
    """
    colour = position.stone(attacker[0])
    if any(_safe(position, p, colour) for p in position.liberties(attacker[0])):
        return False
    around = {p + d for p in attacker for d in NEIGHBOURS}
    return any(position.board.color[q] == other(colour) and q not in string for q in around)


def _safe(position: Position, p: int, colour: int) -> bool:
    """Whether a stone of this colour on p is legal and its string not in atari afterwards."""
    after = position.copy()
    if after.why_illegal(p, colour):
        return False
    after.play(p, colour)
    return len(after.liberties(p)) > 1


def final_score(
    position: Position, owners: Owners, komi: float, rules: str, *, closed: bool = False
) -> float:
    """Black's points minus White's and komi, by one of `katachi.search.player.RULES`.

    chinese: area, dead stones taken off. japanese: territory, prisoners and dead stones; the
    eyes of strings in a seki do not count. tromp-taylor: area, and no stone is dead.

    Where a border is open, so that empty points reach both colours, each is whose it surely becomes
    (SURE); not by tromp-taylor. `closed`: it is nobody's, as the rules have it if nobody plays on.
    """
    if rules == "tromp-taylor":
        return position.score() - komi
    dead = dead_strings(position, owners)
    after = without(position, dead)
    beyond = 0 if closed else _beyond_borders(after, owners)
    if rules != "japanese":
        return after.score() + beyond - komi
    taken = {c: position.captured(c) for c in (BLACK, WHITE)}
    for string in dead:
        taken[position.stone(string[0])] += len(string)
    return _territory(after) + beyond + taken[WHITE] - taken[BLACK] - komi


def open_points(position: Position, owners: Owners) -> list[int]:
    """The empty points that reach both colours, dead stones taken off."""
    return _open_points(without(position, dead_strings(position, owners)))


def _open_points(position: Position) -> list[int]:
    return [
        p
        for region, border in empty_regions(position)
        if len({position.stone(q) for q in border}) == 2
        for p in region
    ]


def _beyond_borders(position: Position, owners: Owners) -> int:
    """Black's points minus White's among the open ones, on a board without dead stones. One that
    touches both colours is nobody's: whoever fills it gains a stone, not what it surrounds.
    """
    score = 0
    for p in _open_points(position):
        if not {BLACK, WHITE} <= {int(position.board.color[p + d]) for d in NEIGHBOURS}:
            score += int(owners[p] > SURE) - int(owners[p] < 1 - SURE)
    return score


def _territory(position: Position) -> int:
    """Black's surrounded empty points minus White's, without those that only a seki surrounds."""
    seki = {p for string in seki_strings(position) for p in string}
    score = 0
    for region, border in empty_regions(position):
        colours = {position.stone(p) for p in border}
        if len(colours) == 1 and not border <= seki:
            score += len(region) if colours == {BLACK} else -len(region)
    return score


def empty_regions(position: Position) -> list[tuple[list[int], set[int]]]:
    """The connected regions of empty points, each with the stones around it."""
    colors = position.board.color
    seen: set[int] = set()
    regions = []
    for start in all_points(position.size):
        if colors[start] != EMPTY or start in seen:
            continue
        region, border = [start], set()
        seen.add(start)
        for p in region:  # grows on the way
            for q in (p + d for d in NEIGHBOURS):
                if colors[q] in (BLACK, WHITE):
                    border.add(q)
                elif colors[q] == EMPTY and q not in seen:
                    seen.add(q)
                    region.append(q)
        regions.append((region, border))
    return regions
