"""The families of moves against a table found by hand and against a slow second describer."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest

from katachi.go.diagram import parse_diagram
from katachi.go.points import (
    AREA,
    BLACK,
    PASS,
    WHITE,
    all_points,
    from_vertex,
    other,
    point,
    row_col,
    vertex,
)
from katachi.go.position import Position
from katachi.go.symmetry import SYMMETRIES, transform
from katachi.patterns.catalogue import COULOM, PLAYOUT
from katachi.patterns.describe import describe_position
from katachi.patterns.features import Features
from tests.go.helpers import Move, any_move, bundled_games, game_moves
from tests.go.ladder_oracle import TooLong
from tests.kept import holds
from tests.patterns.feature_oracle import Game, Here, Teams, coulom_teams, playout_teams, replay

TABLE = Path(__file__).with_name("positions.txt")
COLOURS = {"black": BLACK, "white": WHITE, "B": BLACK, "W": WHITE}

# Families and numbers of levels, of what this file checks
CATALOGUES = {"expect": COULOM, "playout": PLAYOUT}
ORACLES: dict[str, Callable[[Here], Teams]] = {"expect": coulom_teams, "playout": playout_teams}
Levels: TypeAlias = dict[str, dict[str, int]]  # keyword of a table → family → how many
LEVELS: Levels = {
    "expect": {
        "pass": 2,
        "capture": 5,
        "extension": 2,
        "self-atari": 1,
        "atari": 3,
        "border": 4,
        "distance": 16,
        "distance2": 17,
    },
    "playout": {
        "pass": 2,
        "capture": 5,
        "extension": 2,
        "self-atari": 1,
        "contiguity": 1,
        "fight": 4,
    },
}
Found: TypeAlias = dict[str, Teams]  # catalogue → what the kernels say
TACTICS = ("capture", "extension", "self-atari", "atari", "fight")  # a diagram for each expectation
UNCHECKED = {"shape", "shape3", "owner"}


class Expectation(NamedTuple):
    """That a move has this level of a family, or none."""

    catalogue: str  # "expect" or "playout"
    move: int
    family: str
    level: int | None


class Diagram(NamedTuple):
    """One block of the table: stones, moves to play from there, what is expected then."""

    name: str
    size: int
    colors: npt.NDArray[np.uint8]
    turn: int
    plays: list[tuple[int, int]]
    expectations: list[Expectation]
    illegal: list[int]


# -- the table ---------------------------------------------------------------------------------


def parse_diagrams(text: str, levels: Levels = LEVELS) -> list[Diagram]:
    """The diagrams of a table; its format is told at the head of `positions.txt`."""
    blocks = (block.splitlines() for block in text.split("\n\n"))
    without_comments = ([line for line in block if not line.startswith("#")] for block in blocks)
    return [parse_block(lines, levels) for lines in without_comments if lines]


def parse_block(lines: list[str], levels: Levels = LEVELS) -> Diagram:
    """One block without its comments. Raises ValueError or KeyError where it is wrong."""
    said = [tuple(line.split(": ", 1)) for line in lines if ": " in line]
    once = {key: value for key, value in said if key not in levels}
    if len(once) != sum(key not in levels for key, _ in said):
        raise ValueError(f"{once['name']}: something is said twice")
    name = once.pop("name")
    drawn = "\n".join(line for line in lines if ": " not in line)
    size, colors = int(once.pop("size", 0)), np.zeros(AREA, np.uint8)
    if size and drawn:
        raise ValueError(f"{name}: a size and a diagram")
    if drawn:
        size, colors = parse_diagram(drawn)
    plays = [play.split() for play in once.pop("play", "").split(", ") if play]
    diagram = Diagram(
        name=name,
        size=size,
        colors=colors,
        turn=COLOURS[once.pop("turn", "black")],
        plays=[(COLOURS[colour], from_vertex(place, size)) for colour, place in plays],
        expectations=list(
            chain.from_iterable(
                parse_expectations(key, value, size, levels[key])
                for key, value in said
                if key in levels
            )
        ),
        illegal=[from_vertex(place, size) for place in once.pop("illegal", "").split()],
    )
    if once:
        raise ValueError(f"{name}: unknown {', '.join(once)}")
    moves = [(e.catalogue, e.move, e.family) for e in diagram.expectations]
    if not moves or len(set(moves)) != len(moves):
        raise ValueError(f"{name}: nothing is expected, or something twice")
    return diagram


def parse_expectations(
    catalogue: str, text: str, size: int, families: dict[str, int]
) -> Iterator[Expectation]:
    """Those of `D4 E5 capture 1, atari -`. Raises ValueError."""
    first, *others = text.split(", ")
    *places, family, level = first.split()
    if not places:
        raise ValueError(f"{text}: of which move?")
    for words in [(family, level), *(pair.split() for pair in others)]:
        family, level = words
        number = None if level == "-" else int(level)
        levels = families.get(family, 0)
        # A family that the catalogue does not have would be absent for ever.
        if levels == 0 or number not in (None, *range(1, levels + 1)):
            raise ValueError(f"{text}: no such feature as {family} {level}")
        for place in places:
            yield Expectation(catalogue, from_vertex(place, size), family, number)


DIAGRAMS = parse_diagrams(TABLE.read_text(encoding="utf-8"))
each_diagram = pytest.mark.parametrize("diagram", DIAGRAMS, ids=[d.name for d in DIAGRAMS])


def turned(p: int, size: int, symmetry: int) -> int:
    return p if p == PASS else point(*transform(*row_col(p), size, symmetry))


def position_of(diagram: Diagram, symmetry: int = 0, exchanged: bool = False) -> Position:
    """The diagram's position, turned and mirrored, with the colours exchanged if wanted."""

    def side(colour: int) -> int:
        return other(colour) if exchanged else colour

    colors = np.zeros(AREA, np.uint8)
    for p in all_points(diagram.size):
        if diagram.colors[p]:
            colors[turned(p, diagram.size, symmetry)] = side(int(diagram.colors[p]))
    position = Position.from_stones(diagram.size, colors, side(diagram.turn))
    for colour, p in diagram.plays:
        position.play(turned(p, diagram.size, symmetry), side(colour))
    return position


def versions(diagram: Diagram) -> Iterator[tuple[int, Position]]:
    """(symmetry, position) of the 16 positions that a diagram is."""
    for symmetry in range(SYMMETRIES):
        for exchanged in (False, True):
            yield symmetry, position_of(diagram, symmetry, exchanged)


def kernel_teams(position: Position, catalogue: str) -> Teams:
    """What the kernels say, without the families that this file does not check."""
    teams = describe_position(position, Features(CATALOGUES[catalogue]))
    return {
        p: {family: level for family, level in team.items() if family not in UNCHECKED}
        for p, team in teams.items()
    }


def wrong(diagram: Diagram, teams: dict[str, Teams], symmetry: int = 0) -> list[str]:
    """The expectations that these teams of both catalogues do not meet, in words."""
    found = []
    for catalogue, move, family, level in diagram.expectations:
        team = teams[catalogue].get(turned(move, diagram.size, symmetry))
        got = "illegal" if team is None else team.get(family)
        if got != level:
            name = vertex(move, diagram.size)
            found.append(f"{catalogue}: {name} {family} {level}, not {got}")
    for p in diagram.illegal:
        if any(turned(p, diagram.size, symmetry) in team for team in teams.values()):
            found.append(f"{vertex(p, diagram.size)} should be illegal")
    return found


def test_the_table_is_large() -> None:
    names = [diagram.name for diagram in DIAGRAMS]
    assert len(names) >= 60
    assert len(set(names)) == len(names)
    assert {diagram.size for diagram in DIAGRAMS} >= {3, 4, 5, 7, 9, 13, 19}


def test_every_level_is_expected_six_times() -> None:
    times: Counter[tuple[str, str, int | None]] = Counter()
    diagrams: Counter[tuple[str, str, int | None]] = Counter()
    for diagram in DIAGRAMS:
        kinds = [(e.catalogue, e.family, e.level) for e in diagram.expectations]
        times.update(kinds)
        diagrams.update(set(kinds))
    for catalogue, families in LEVELS.items():
        for family, count in families.items():
            for level in range(1, count + 1):
                feature = (catalogue, family, level)
                assert times[feature] >= 6, feature
                assert diagrams[feature] >= 6 or family not in TACTICS, feature
            absent = (catalogue, family, None)
            assert times[absent] >= 6 or family == "pass", absent


@each_diagram
def test_expectations(diagram: Diagram) -> None:
    for symmetry, position in versions(diagram):
        teams = {catalogue: kernel_teams(position, catalogue) for catalogue in CATALOGUES}
        assert wrong(diagram, teams, symmetry) == [], position


@each_diagram
def test_the_oracle_meets_the_expectations(diagram: Diagram) -> None:
    here = Here(replay(position_of(diagram)))
    teams = {catalogue: oracle(here) for catalogue, oracle in ORACLES.items()}
    assert wrong(diagram, teams) == [], position_of(diagram)


@each_diagram
def test_the_oracle_describes_all_candidates_the_same(diagram: Diagram) -> None:
    position = position_of(diagram)
    assert not compare_one(replay(position), said_of(position, Counter()))


BLOCK = ["name: x", "play: B A1", "expect: B2 A2 distance 1, atari -", "..", ".."]


def test_a_block_is_read() -> None:
    diagram = parse_block(BLOCK)
    assert diagram.plays == [(BLACK, from_vertex("A1", 2))]
    assert diagram.expectations[0] == ("expect", from_vertex("B2", 2), "distance", 1)
    assert diagram.expectations[-1] == ("expect", from_vertex("A2", 2), "atari", None)


@pytest.mark.parametrize(
    ("said", "mistake", "words"),
    [
        ("play:", "plya:", "unknown plya"),
        ("expect:", "exptec:", "unknown exptec"),
        ("play: B A1", "name: y", "said twice"),
        ("play: B A1", "size: 2", "a size and a diagram"),
        ("B2 A2", "B2 B2", "something twice"),
        ("B2 A2 ", "", "of which move"),
        ("distance 1", "distance 17", "no such feature as distance 17"),
        ("distance 1", "distance 0", "no such feature as distance 0"),
        ("distance 1", "dsitance -", "no such feature as dsitance -"),
        ("atari -", "contiguity 1", "no such feature as contiguity 1"),
        ("atari -", "B1 atari -", "too many"),
    ],
)
def test_a_table_with_a_mistake_is_not_read(said: str, mistake: str, words: str) -> None:
    assert any(said in line for line in BLOCK)
    with pytest.raises(ValueError, match=words):
        parse_block([line.replace(said, mistake) for line in BLOCK])


# -- kernels and oracle -------------------------------------------------------------------------


def compare(games: list[tuple[int, list[Move], dict[int, Found]]], patience: int = 0) -> None:
    """Games of a size and moves: what the kernels said after so many moves, and the oracle."""
    too_long = 0
    for size, moves, found in games:
        game = Game(size)
        for number, (colour, p) in enumerate([*moves, (BLACK, PASS)]):
            if number in found:
                too_long += compare_one(game, found[number])
            game.play(p, colour)
    assert too_long <= patience


def compare_one(game: Game, found: Found) -> bool:
    """Whether the oracle takes too long to compare: the kernel may have given up."""
    here = Here(game)
    for catalogue, oracle in ORACLES.items():
        try:
            expected = oracle(here)
        except TooLong:
            return True
        teams = found[catalogue]
        assert teams == expected, difference(game, catalogue, teams, expected)
    return False


def difference(game: Game, catalogue: str, teams: Teams, expected: Teams) -> str:
    """The position, and each move that is described in two ways."""
    size = game.board.side
    rows = ["".join({"b": "X", "w": "O"}.get(c, ".") for c in row) for row in game.board.board]
    said = [f"{game.turn} to move after {game.moves[-2:]}, ko {game.ko}", *rows, catalogue]
    for p in sorted(teams.keys() | expected.keys()):
        if teams.get(p) != expected.get(p):
            said.append(f"{vertex(p, size)}: kernels {teams.get(p)}, oracle {expected.get(p)}")
    return "\n".join(said)


def said_of(position: Position, seen: Counter[object]) -> Found:
    """What the kernels say of a position, by catalogue; counts the features that were there."""
    before = position.board.tobytes()
    found = {catalogue: kernel_teams(position, catalogue) for catalogue in CATALOGUES}
    assert position.board.tobytes() == before
    for catalogue, teams in found.items():
        for team in teams.values():
            seen.update((catalogue, *feature) for feature in team.items())
    return found


def rarest(seen: Counter[object]) -> int:
    """How often the rarest level of pass and tactics was met."""
    return min(
        seen[catalogue, family, level]
        for catalogue, families in LEVELS.items()
        for family, count in families.items()
        for level in range(1, count + 1)
        if family == "pass" or family in TACTICS
    )


@pytest.mark.slow
@pytest.mark.parametrize(("size", "first"), [(9, 0), (9, 10), (19, 0), (19, 10)])
def test_bundled_games_are_described_like_the_oracle(size: int, first: int) -> None:
    every = {9: 9, 19: 30}[size]
    seen: Counter[object] = Counter()
    games = []
    for text in bundled_games(size)[first : first + 10]:
        position, moves = Position(size), game_moves(text)
        found = {}
        for number, (colour, p) in enumerate(moves):
            second = position.moves[-2][1] if number > 1 else PASS  # a stone just taken is rare
            gone = second != PASS and not position.stone(second)
            if number % every == 0 or (gone and number % 3 == 0):
                found[number] = said_of(position, seen)
            position.play(p, colour)
        games.append((size, moves, found))
    holds(compare, games)
    assert size == 9 or all(seen["expect", "distance", level] for level in range(1, 17))
    if (size, first) == (19, 10):
        assert all(seen["expect", "distance2", level] for level in range(1, 18))


@pytest.mark.slow
@pytest.mark.parametrize(("size", "games"), [(5, 80), (6, 60), (7, 50), (8, 30), (9, 24)])
def test_lively_games_are_described_like_the_oracle(size: int, games: int) -> None:
    """Random games with many captures and kos, now and then a pass or a move out of turn."""
    rng = random.Random(f"features {size}")
    seen: Counter[object] = Counter()
    told = []
    for _ in range(games):
        position = Position(size)
        found = {}
        for number in range(1, 2 * size * size + 1):
            colour, p = any_move(position.board, rng)
            taken = position.play(p, colour)
            if taken or rng.random() < 0.1:
                found[number] = said_of(position, seen)
                seen["ko"] += position.ko is not None
        told.append((size, position.moves, found))
    holds(compare, told, 5)
    assert seen["ko"] >= 30
    assert rarest(seen) >= 10
