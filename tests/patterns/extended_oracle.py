"""A second describer of the extended families of strings and liberties: slow, by the definitions.

It shares nothing with Katachi's kernels: the board is sgfmill's, the ladders are read by
`ladder_oracle`. Every move is played on a board of its own and every string looked at before and
after it: which moves can help a string at all is nothing that it knows.
"""

from __future__ import annotations

from katachi.go.points import PASS, point
from tests.go.ladder_oracle import Point, liberties, oracle_takes, string
from tests.patterns.feature_oracle import Here, Move, String, Teams, neighbours, present


def extended_teams(here: Here) -> Teams:
    """Every legal move with its levels. Raises TooLong."""
    threatened = threatened_strings(here)
    teams: Teams = {PASS: {}}
    for move in here.moves:
        levels = {
            "captured": captured_level(here, move),
            "saved": saved_level(here, move),
            "liberties": liberties_level(move),
            "rescue": rescue_level(here, move, threatened),
            "double-atari": double_atari_level(here, move),
            "reduction": reduction_level(here, move),
            "own-strings": contact_level(here, move.place, here.own),
            "opponent-strings": contact_level(here, move.place, here.opponent),
            "eye": eye_level(here, move.place),
        }
        teams[point(*move.place)] = present(levels)
    return teams


def size_class(number: int, classes: list[range]) -> int | None:
    """Which of the classes has this number, from 1; beyond the last one is one more."""
    if number == 0:
        return None
    inside = [i for i, numbers in enumerate(classes, 1) if number in numbers]
    return inside[0] if inside else len(classes) + 1


def left(move: Move, own: String) -> int:
    """The liberties after the move of what an own string has become."""
    return len(liberties(move.after, min(own.stones)))


def caught(here: Here, move: Move, own: String) -> bool:
    """Whether a ladder takes the string after the move, the opponent being first."""
    return oracle_takes(move.after, min(own.stones), here.opponent, move.ko)


def captured_level(here: Here, move: Move) -> int | None:
    rows = move.after.board
    gone = [(row, col) for row, col in here.enemies if rows[row][col] is None]
    return size_class(len(gone), [range(1, 2), range(2, 3), range(3, 4), range(4, 7), range(7, 11)])


def saved_level(here: Here, move: Move) -> int | None:
    saved = [own for own in here.own_in_atari if left(move, own) >= 2]
    stones = sum(len(own.stones) for own in saved)
    level = size_class(stones, [range(1, 2), range(2, 3), range(3, 5), range(5, 9)])
    if level is None:
        return None
    return level + 5 if all(caught(here, move, own) for own in saved) else level


def liberties_level(move: Move) -> int:
    return min(move.liberties, 7)


def threatened_strings(here: Here) -> list[String]:
    """The own strings with two liberties that a ladder takes if the opponent begins."""
    weak = {s for s in here.strings.values() if s.colour == here.own and len(s.liberties) == 2}
    # A ko ban is on the side to move, not on the opponent.
    return [own for own in weak if oracle_takes(here.board, min(own.stones), here.opponent)]


def rescue_level(here: Here, move: Move, threatened: list[String]) -> int | None:
    touched = [
        own
        for own in threatened
        if move.place in own.liberties or any(here.touch(taken, own) for taken in move.taken)
    ]
    if not touched:
        return None
    helped = any(left(move, own) > 1 and not caught(here, move, own) for own in touched)
    return 1 if helped else 2


def double_atari_level(here: Here, move: Move) -> int | None:
    in_atari = {
        frozenset(string(move.after, near))
        for near in neighbours(move.after, move.place)
        if move.after.get(*near) == here.opponent
        and len(liberties(move.after, near)) == 1
        and len(here.strings[near].liberties) == 2
    }
    return 1 if len(in_atari) >= 2 else None


def reduction_level(here: Here, move: Move) -> int | None:
    before = {len(s.liberties) for s in here.near(move.place, here.opponent)}
    if 3 in before:
        return 1
    return 2 if 4 in before else None


def contact_level(here: Here, place: Point, colour: str) -> int | None:
    return len(here.near(place, colour)) or None


def eye_level(here: Here, place: Point) -> int | None:
    board = here.board
    if any(board.get(*near) != here.own for near in neighbours(board, place)):
        return None
    row, col = place
    across = [(row + down, col + right) for down in (-1, 1) for right in (-1, 1)]
    inside = [(r, c) for r, c in across if 0 <= r < board.side and 0 <= c < board.side]
    against = sum(board.get(*corner) == here.opponent for corner in inside)
    return 1 if against <= (1 if len(inside) == 4 else 0) else 2
