"""A second describer of moves to hold the first against: slow, written from the definitions.

It shares nothing with Katachi's kernels: the board is sgfmill's, the ladders are read by
`ladder_oracle`, the past is replayed. What the definitions say in two ways it says in the other
way than the kernels do: a string is *newly* in atari if it had more liberties before the previous
move, and a move gives atari if a string it touches has one liberty on the board after it.

Places are (row, col), colours sgfmill's "b" and "w"; teams come back by Katachi's points.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple, TypeAlias

from sgfmill.boards import Board
from sgfmill.common import opponent_of

from katachi.go.points import BLACK, PASS, WHITE, all_points, point, row_col
from katachi.go.position import Position
from tests.go.ladder_oracle import Ko, Point, liberties, oracle_takes, quick_copy, string
from tests.go.ladder_oracle import neighbours as beside

Teams: TypeAlias = dict[int, dict[str, int]]  # point or PASS → family → level

SGF_COLOURS = {BLACK: "b", WHITE: "w"}
DISTANCES = {d: number for number, d in enumerate(range(2, 17), 1)}
DISTANCES2 = {d: number for number, d in enumerate([0, *range(2, 17)], 1)}


class Game:
    """A game on sgfmill's board, with all that the features ask of its past."""

    def __init__(self, size: int, stones: Mapping[int, int] | None = None, turn: int = BLACK):
        """Setup stones are given as point → colour."""
        self.board = Board(size)
        for p, colour in (stones or {}).items():
            row, col = row_col(p)
            self.board.board[row][col] = SGF_COLOURS[colour]  # not by `play`, which captures
        self.turn = SGF_COLOURS[turn]
        self.ko: Ko = None  # forbidden to `turn`
        self.before: Board | None = None  # the board before the last move
        self.moves: list[Point | None] = []  # None is a pass

    def play(self, p: int, colour: int) -> None:
        """Play a legal move or PASS."""
        self.before, self.board = self.board, quick_copy(self.board)
        place = None if p == PASS else row_col(p)
        self.ko = None if place is None else self.board.play(*place, SGF_COLOURS[colour])
        self.turn = opponent_of(SGF_COLOURS[colour])
        self.moves.append(place)

    def back(self, count: int) -> Point | None:
        """The place of the move `count` moves ago, 1 for the last; None if a pass or no move."""
        return self.moves[-count] if len(self.moves) >= count else None

    def took(self) -> bool:
        """Whether the last move took stones."""
        if self.before is None:
            return False
        now = set(self.board.list_occupied_points())
        return not now.issuperset(self.before.list_occupied_points())


def replay(position: Position) -> Game:
    """The game that led to this position, from its setup stones on."""
    setup = {p: int(position._setup[p]) for p in all_points(position.size) if position._setup[p]}
    game = Game(position.size, setup, position._first)
    for colour, p in position.moves:
        game.play(p, colour)
    return game


def coulom_teams(here: Here) -> Teams:
    """Every legal move with its levels of COULOM, without owner and shape. Raises TooLong."""
    game = here.game
    teams: Teams = {PASS: {"pass": pass_level(game)}}
    for move in here.moves:
        levels = {
            "capture": capture_level(here, move),
            "extension": extension_level(here, move),
            "self-atari": self_atari_level(move),
            "atari": atari_level(here, move),
            "border": border_level(game.board.side, move.place),
            "distance": distance_level(game.back(1), move.place),
            "distance2": distance2_level(game.back(2), move.place),
        }
        teams[point(*move.place)] = present(levels)
    return teams


def playout_teams(here: Here) -> Teams:
    """Every legal move with its levels of PLAYOUT, without shape3."""
    teams: Teams = {PASS: {"pass": pass_level(here.game)}}
    for move in here.moves:
        levels = {
            "capture": light_capture_level(here, move),
            "extension": light_extension_level(here, move),
            "self-atari": self_atari_level(move),
            "contiguity": contiguity_level(here.game.back(1), move.place),
            "fight": fight_level(here, move.place),
        }
        teams[point(*move.place)] = present(levels)
    return teams


def present(levels: dict[str, int | None]) -> dict[str, int]:
    return {family: level for family, level in levels.items() if level is not None}


# -- strings and moves ---------------------------------------------------------------------------


class String(NamedTuple):
    """Connected stones of one colour."""

    colour: str
    stones: frozenset[Point]
    liberties: frozenset[Point]


class Move:
    """What a move does."""

    def __init__(self, here: Here, place: Point) -> None:
        self._here = here
        self.place = place
        self.taken: list[String] = []
        self.liberties = 0  # of the string it makes; 0 is suicide
        around = neighbours(here.board, place)
        if not any(near in here.strings for near in around):
            self.liberties = len(around)  # a stone alone: it need not be played to know
            return
        after = self.after
        enemies = here.near(place, here.opponent)
        self.taken = [s for s in enemies if after.get(*min(s.stones)) is None]
        # sgfmill plays suicide, and removes the stones.
        if after.get(*place) is not None:
            self.liberties = len(liberties(after, place))

    @cached_property
    def _played(self) -> tuple[Board, Ko]:
        after = quick_copy(self._here.board)
        return after, after.play(*self.place, self._here.own)

    @property
    def after(self) -> Board:
        """The board after it."""
        return self._played[0]

    @property
    def ko(self) -> Ko:
        """What is forbidden to the opponent after it."""
        return self._played[1]


class Here:
    """A position: its strings and legal moves, found once."""

    def __init__(self, game: Game):
        self.game = game
        self.board = game.board
        self.own = game.turn
        self.opponent = opponent_of(game.turn)
        self.strings: dict[Point, String] = {}
        stones = self.board.list_occupied_points()
        self.enemies = [stone for colour, stone in stones if colour == self.opponent]
        for _, stone in stones:
            if stone not in self.strings:
                found = self._string(stone)
                self.strings.update(dict.fromkeys(found.stones, found))
        own = {s for s in self.strings.values() if s.colour == self.own}
        self.own_in_atari = {s for s in own if len(s.liberties) == 1}
        self.newly_in_atari = {s for s in self.own_in_atari if _had_more_liberties(game, s)}
        previous = game.back(1)
        self.last = None if previous is None else self.strings[previous]  # its string
        self.last_took = game.took()
        free = [place for place in self.board.board_points if self.board.get(*place) is None]
        moves = [Move(self, place) for place in free if place != game.ko]
        self.moves = [move for move in moves if move.liberties]

    def _string(self, stone: Point) -> String:
        stones = frozenset(string(self.board, stone))
        around = {near for s in stones for near in neighbours(self.board, s)}
        free = frozenset(near for near in around if self.board.get(*near) is None)
        return String(self.board.get(*stone), stones, free)

    def near(self, place: Point, colour: str) -> list[String]:
        """The strings of this colour that touch a point, each once."""
        around = [self.strings.get(near) for near in neighbours(self.board, place)]
        return [s for s in dict.fromkeys(around) if s is not None and s.colour == colour]

    def touch(self, one: String, two: String) -> bool:
        return any(near in two.stones for s in one.stones for near in neighbours(self.board, s))

    def could_escape(self, taken: String) -> bool:
        """Whether a ladder does not take this string of the opponent's if the opponent begins."""
        # A ko ban is on the side to move, not on the opponent.
        return not oracle_takes(self.board, min(taken.stones), self.opponent)


def _had_more_liberties(game: Game, string_now: String) -> bool:
    if game.before is None:
        return False
    return len(liberties(game.before, min(string_now.stones))) > len(string_now.liberties)


def neighbours(board: Board, place: Point) -> tuple[Point, ...]:
    return beside(board.side, place)


# -- families ------------------------------------------------------------------------------------


def pass_level(game: Game) -> int:
    return 2 if game.moves and game.moves[-1] is None else 1


def capture_level(here: Here, move: Move) -> int | None:
    if not move.taken:
        return None
    if any(here.touch(taken, own) for taken in move.taken for own in here.newly_in_atari):
        return 1
    if here.last_took and here.last in move.taken:
        return 2
    touches_last = here.last in here.near(move.place, here.opponent)
    if touches_last and any(taken != here.last for taken in move.taken):
        return 3
    return 4 if any(here.could_escape(taken) for taken in move.taken) else 5


def light_capture_level(here: Here, move: Move) -> int | None:
    if not move.taken:
        return None
    if any(here.touch(taken, own) for taken in move.taken for own in here.own_in_atari):
        return 1
    if here.last in move.taken:
        return 2 if here.last_took else 3
    return 4 if any(len(taken.stones) >= 3 for taken in move.taken) else 5


def saved_strings(here: Here, move: Move) -> list[String]:
    """The own strings newly in atari whose last liberty the move is."""
    return [s for s in here.newly_in_atari if move.place in s.liberties]


def extension_level(here: Here, move: Move) -> int | None:
    if not saved_strings(here, move):
        return None
    return 2 if oracle_takes(move.after, move.place, here.opponent, move.ko) else 1


def light_extension_level(here: Here, move: Move) -> int | None:
    saved = saved_strings(here, move)
    return None if not saved else 2 if max(len(s.stones) for s in saved) >= 3 else 1


def self_atari_level(move: Move) -> int | None:
    return 1 if not move.taken and move.liberties == 1 else None


def atari_level(here: Here, move: Move) -> int | None:
    left = [
        near
        for near in neighbours(here.board, move.place)
        if here.board.get(*near) == here.opponent  # else there is none after it, either
        and move.after.get(*near) == here.opponent
        and len(liberties(move.after, near)) == 1
    ]
    if not left:
        return None
    if any(oracle_takes(move.after, near, here.opponent, move.ko) for near in left):
        return 1
    return 3 if here.game.ko is None else 2


def border_level(size: int, place: Point) -> int | None:
    row, col = place
    line = 1 + min(row, col, size - 1 - row, size - 1 - col)
    return line if line <= 4 else None


def distance(one: Point, two: Point) -> int:
    dx, dy = abs(one[0] - two[0]), abs(one[1] - two[1])
    return dx + dy + max(dx, dy)


def distance_level(from_place: Point | None, place: Point) -> int | None:
    if from_place is None:
        return None
    return DISTANCES.get(distance(from_place, place), 16)


def distance2_level(from_place: Point | None, place: Point) -> int | None:
    if from_place is None:
        return None
    return DISTANCES2.get(distance(from_place, place), 17)


def contiguity_level(from_place: Point | None, place: Point) -> int | None:
    if from_place is None:
        return None
    return 1 if max(abs(from_place[0] - place[0]), abs(from_place[1] - place[1])) == 1 else None


def fight_level(here: Here, place: Point) -> int | None:
    previous = here.game.back(1)
    if previous is None:
        return None
    for level, strings in ((1, here.near(previous, here.own)), (3, [here.strings[previous]])):
        found = [s for s in strings if len(s.liberties) == 2 and place in s.liberties]
        if found:
            return level + (max(len(s.stones) for s in found) >= 3)
    return None
