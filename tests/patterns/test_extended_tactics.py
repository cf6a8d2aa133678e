"""The extended families of strings and liberties against a table and a slow second describer."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from katachi.go.board import Board
from katachi.go.points import AREA, BLACK, PASS, WHITE
from katachi.go.position import Position
from katachi.patterns.describe import describe
from katachi.patterns.families import strings
from katachi.patterns.situation import Situation
from tests.go.helpers import Move, any_move, bundled_games, game_moves
from tests.go.ladder_oracle import TooLong
from tests.kept import holds
from tests.patterns.extended_oracle import extended_teams
from tests.patterns.feature_oracle import Game, Here, Teams, replay
from tests.patterns.test_features import (
    Diagram,
    difference,
    parse_diagrams,
    position_of,
    versions,
    wrong,
)

FAMILIES = (
    strings.CAPTURED,
    strings.SAVED,
    strings.LIBERTIES,
    strings.RESCUE,
    strings.DOUBLE_ATARI,
    strings.REDUCTION,
    strings.OWN_STRINGS,
    strings.OPPONENT_STRINGS,
    strings.EYE,
)
# Written out: the table is not to believe the families.
LEVELS = {
    "captured": 6,
    "saved": 10,
    "liberties": 7,
    "rescue": 2,
    "double-atari": 1,
    "reduction": 2,
    "own-strings": 4,
    "opponent-strings": 4,
    "eye": 2,
}
TABLE = Path(__file__).with_name("extended_positions.txt")
DIAGRAMS = parse_diagrams(TABLE.read_text(encoding="utf-8"), {"expect": LEVELS})
each_diagram = pytest.mark.parametrize("diagram", DIAGRAMS, ids=[d.name for d in DIAGRAMS])

SITUATION = Situation()  # used over and over, as in a worker


def kernel_teams(position: Position) -> Teams:
    """What the kernels say of every candidate."""
    SITUATION.look(position.board)
    teams: Teams = {int(p): {} for p in SITUATION.candidates[: SITUATION.count]}
    for family, out in zip(FAMILIES, describe(SITUATION, FAMILIES), strict=True):
        for team, level in zip(teams.values(), out.tolist(), strict=True):
            if level:
                team[family.name] = level
    return teams


# -- the table ---------------------------------------------------------------------------------


def test_families() -> None:
    assert {family.name: len(family.levels) for family in FAMILIES} == LEVELS
    for family in FAMILIES:
        assert len(set(family.levels)) == len(family.levels)
        assert family.title


def test_the_table_is_large() -> None:
    names = [diagram.name for diagram in DIAGRAMS]
    assert len(names) >= 50
    assert len(set(names)) == len(names)
    assert {diagram.size for diagram in DIAGRAMS} >= {2, 3, 5, 6, 7, 9, 13, 19}


def test_every_level_is_expected_six_times() -> None:
    times = Counter((e.family, e.level) for d in DIAGRAMS for e in d.expectations)
    for family, count in LEVELS.items():
        for level in (None, *range(1, count + 1)):
            # No level of liberties is only the pass's: there are two of them.
            least = 2 if family == "liberties" and level is None else 6
            assert times[family, level] >= least, (family, level)


@each_diagram
def test_expectations(diagram: Diagram) -> None:
    for symmetry, position in versions(diagram):
        teams = {"expect": kernel_teams(position)}
        assert wrong(diagram, teams, symmetry) == [], position


@each_diagram
def test_the_oracle_meets_the_expectations(diagram: Diagram) -> None:
    teams = {"expect": extended_teams(Here(replay(position_of(diagram))))}
    assert wrong(diagram, teams) == [], position_of(diagram)


@each_diagram
def test_the_oracle_describes_all_candidates_the_same(diagram: Diagram) -> None:
    position = position_of(diagram)
    assert not compare_one(replay(position), said_of(position, Counter()))


# -- kernels and oracle --------------------------------------------------------------------------


def compare(games: list[tuple[int, list[Move], dict[int, Teams]]], patience: int = 0) -> None:
    """Games of a size and moves: what the kernels said after so many moves, and the oracle."""
    too_long = 0
    for size, moves, found in games:
        game = Game(size)
        for number, (colour, p) in enumerate([*moves, (BLACK, PASS)]):
            if number in found:
                too_long += compare_one(game, found[number])
            game.play(p, colour)
    assert too_long <= patience


def compare_one(game: Game, teams: Teams) -> bool:
    """Whether the oracle takes too long to compare: the kernel may have given up."""
    try:
        expected = extended_teams(Here(game))
    except TooLong:
        return True
    assert teams == expected, difference(game, "extended", teams, expected)
    assert teams[PASS] == {}
    return False


def said_of(position: Position, seen: Counter[object]) -> Teams:
    """What the kernels say of every candidate; counts the features that were there."""
    before = position.board.tobytes()
    teams = kernel_teams(position)
    assert position.board.tobytes() == before
    for team in teams.values():
        seen.update(team.items())
    return teams


def missing(seen: Counter[object], least: int) -> list[tuple[str, int]]:
    """The levels that were met less often than that."""
    return [
        (family, level)
        for family, count in LEVELS.items()
        for level in range(1, count + 1)
        if seen[family, level] < least
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("size", "every"), [(9, 8), (19, 28)])
def test_bundled_games_are_described_like_the_oracle(size: int, every: int) -> None:
    seen: Counter[object] = Counter()
    games = []
    for start, text in enumerate(bundled_games(size)[:15]):
        position, moves = Position(size), game_moves(text)
        found = {}
        for number, (colour, p) in enumerate(moves):
            if number % every == start % every:
                found[number] = said_of(position, seen)
            position.play(p, colour)
        games.append((size, moves, found))
    holds(compare, games)
    assert seen["rescue", 1] >= 10
    assert size == 9 or (seen["rescue", 2] >= 30 and seen["saved", 6] >= 30)


def large_atari(board: Board) -> bool:
    """Whether there are three stones or more in atari, of either side."""
    heads = (board.color == BLACK) | (board.color == WHITE)
    heads &= board.head == np.arange(AREA)
    return bool((heads & (board.liberties == 1) & (board.stones >= 3)).any())


@pytest.mark.slow
def test_lively_games_are_described_like_the_oracle() -> None:
    """Random games with many captures and kos, now and then a pass or a move out of turn."""
    rng = random.Random("extended")
    seen: Counter[object] = Counter()
    told = []
    for size, games in ((5, 60), (7, 66), (9, 30), (13, 2)):
        for _ in range(games):
            position = Position(size)
            found = {}
            for number in range(1, 2 * size * size + 1):
                colour, p = any_move(position.board, rng)
                position.play(p, colour)
                if rng.random() < (0.5 if large_atari(position.board) else 0.05):
                    found[number] = said_of(position, seen)
                    seen["ko"] += position.ko is not None
            told.append((size, position.moves, found))
    holds(compare, told, 5)
    assert seen["ko"] >= 30
    assert missing(seen, 2) == []
