"""Distances to older moves, along chains, and lines by stage: pictures, oracle, properties."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from katachi.go.board import Board, new_board, play
from katachi.go.diagram import parse_diagram
from katachi.go.points import AREA, BLACK, EMPTY, PASS, WHITE, all_points, other, point, row_col
from katachi.go.position import Position
from katachi.go.symmetry import SYMMETRIES, transform
from katachi.patterns.describe import describe
from katachi.patterns.families.distance import (
    CHAIN,
    CHAIN2,
    DISTANCE,
    DISTANCE2,
    DISTANCE3,
    DISTANCE4,
)
from katachi.patterns.families.position import BORDER
from katachi.patterns.families.position import LINE_STAGE as STAGE
from katachi.patterns.family import Family
from katachi.patterns.situation import Situation
from tests.go.helpers import (
    NEAR,
    Move,
    any_move,
    bundled_games,
    game_moves,
    parse_moves,
    scattered,
    wander,
    wandered,
)
from tests.go.ladder_oracle import Point, string
from tests.kept import holds
from tests.patterns.feature_oracle import Game, distance, neighbours, replay

TABLE = Path(__file__).with_name("distance_pictures.txt")

Levels: TypeAlias = dict[int, int]  # candidate → level, 0 if none

FAMILIES = {family.name: family for family in (DISTANCE3, DISTANCE4, CHAIN, CHAIN2, STAGE)}
LABELS = {name: [level.name for level in family.levels] for name, family in FAMILIES.items()}
KNOWN = {family.name: family for family in (DISTANCE, DISTANCE2)}
BACK = {"distance": 1, "distance2": 2, "distance3": 3, "distance4": 4, "chain": 1, "chain2": 2}


def levels(board: Board, family: Family) -> Levels:
    """What the kernel writes. The pass has no level."""
    situation = Situation()
    situation.look(board)
    before = board.tobytes()
    (out,) = describe(situation, (family,))
    assert board.tobytes() == before
    candidates = situation.candidates[: situation.count].tolist()
    found = dict(zip(candidates, out.tolist(), strict=True))
    assert found.pop(PASS) == 0
    assert max(found.values(), default=0) <= len(family.levels)
    return found


def level_of(family: Family, d: int) -> int:
    """The level whose name is this distance, or the last: "≥ 10"."""
    return level_named([level.name for level in family.levels], d)


def level_named(names: list[str], d: int) -> int:
    if str(d) in names:
        return names.index(str(d)) + 1
    assert d >= int(names[-1].removeprefix("≥ "))
    return len(names)


def turned(p: int, size: int, symmetry: int) -> int:
    return p if p == PASS else point(*transform(*row_col(p), size, symmetry))


def test_names_and_numbers_of_levels() -> None:
    names = {name: [level.name for level in family.levels] for name, family in FAMILIES.items()}
    older = ["0", *(str(d) for d in range(2, 17)), "≥ 17"]
    assert names["distance3"] == names["distance4"] == older
    assert names["chain"] == [*(str(d) for d in range(1, 10)), "≥ 10"]
    assert names["chain2"] == ["0", *names["chain"]]
    assert len(names["line-stage"]) == 48
    assert names["line-stage"][:2] == ["1, moves 0 – 29", "2, moves 0 – 29"]
    assert names["line-stage"][5:7] == ["≥ 6, moves 0 – 29", "1, moves 30 – 59"]
    assert names["line-stage"][-1] == "≥ 6, moves ≥ 210"
    for family in FAMILIES.values():
        assert len({level.name for level in family.levels}) == len(family.levels)
        assert len({level.sentence for level in family.levels}) == len(family.levels)
        for level in family.levels:
            assert level.sentence[0].islower()
            assert not level.sentence.endswith(".")
    # what was there before the third and fourth came is as it was
    assert [level.name for level in DISTANCE.levels] == older[1:]
    assert [level.name for level in DISTANCE2.levels] == older
    assert DISTANCE2.levels[1].sentence == "touches the move before the last"


# -- pictures ------------------------------------------------------------------------------------


class Picture(NamedTuple):
    """A position and what candidates of some families have there, sign by sign."""

    name: str
    size: int
    colors: dict[int, int]
    plays: list[Move]
    drawn: dict[str, dict[int, str]]  # family → point → sign


def parse_pictures(text: str) -> list[Picture]:
    """Those of a table; its format is told at the head of `distance_pictures.txt`."""
    blocks = text.strip().split("\n\n")
    return [parse_picture(block) for block in blocks if "name:" in block]


def parse_picture(block: str) -> Picture:
    said: dict[str, str] = {}
    rows: dict[str, list[str]] = {}
    key = ""
    for line in block.splitlines():
        if line.startswith("#"):
            continue
        if ":" in line:
            key, _, rest = line.partition(":")
            assert key not in said, block
            said[key] = rest.strip()
            rows[key] = []
        else:
            rows[key].append(line)
    size = int(said.get("size", 0))
    colors = np.zeros(AREA, np.uint8)
    if not size:
        size, colors = parse_diagram("\n".join(rows["stones"]))
    drawn = {}
    for family in said.keys() - {"name", "play", "size", "stones"}:
        assert family in FAMILIES | KNOWN, family
        assert [len(row) for row in rows[family]] == [size] * size, (said["name"], family)
        drawn[family] = {
            point(r, c): sign for r, row in enumerate(rows[family]) for c, sign in enumerate(row)
        }
    assert drawn, said["name"]
    stones = {p: int(colors[p]) for p in all_points(size) if colors[p] != EMPTY}
    return Picture(said["name"], size, stones, parse_moves(said["play"], size), drawn)


def versions(picture: Picture) -> Iterator[tuple[int, bool, Position]]:
    """(symmetry, whether colours are exchanged, position) of the 16 that a picture is."""
    for symmetry in range(SYMMETRIES):
        for exchanged in (False, True):
            colors = np.zeros(AREA, np.uint8)
            for p, colour in picture.colors.items():
                colors[turned(p, picture.size, symmetry)] = other(colour) if exchanged else colour
            position = Position.from_stones(picture.size, colors)
            for colour, p in picture.plays:
                side = other(colour) if exchanged else colour
                position.play(turned(p, picture.size, symmetry), side)
            yield symmetry, exchanged, position


def meant(family: Family, sign: str) -> int:
    """The level of a sign."""
    if sign == "-":
        return 0
    if sign == "+":
        assert family.levels[-1].name.startswith("≥ ")
        return len(family.levels)
    return [level.name for level in family.levels].index(str(int(sign, 36))) + 1


DRAWN = parse_pictures(TABLE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("picture", DRAWN, ids=[picture.name for picture in DRAWN])
def test_pictures(picture: Picture) -> None:
    for symmetry, exchanged, position in versions(picture):
        for name, signs in picture.drawn.items():
            family = (FAMILIES | KNOWN)[name]
            found = levels(position.board, family)
            for p, sign in signs.items():
                q = turned(p, picture.size, symmetry)
                if sign in "XO":
                    stone = position.stone(q)
                    assert stone == (BLACK if (sign == "X") != exchanged else WHITE), (name, p)
                elif sign == "*":
                    assert position.stone(q) == EMPTY
                    assert q not in found
                else:
                    assert found[q] == meant(family, sign), (name, row_col(p), sign, str(position))


def test_every_level_is_drawn_six_times() -> None:
    assert len({picture.name for picture in DRAWN}) == len(DRAWN)
    times: Counter[tuple[str, int]] = Counter()
    for picture in DRAWN:
        for name, signs in picture.drawn.items():
            family = (FAMILIES | KNOWN)[name]
            times.update(
                (name, meant(family, sign)) for sign in signs.values() if sign not in "XO*"
            )
    for name, family in FAMILIES.items():
        for level in range(len(family.levels) + 1):
            assert family is STAGE or times[name, level] >= 6, (name, level)


# Moves played and the stage, by the definition: 9x9 has 361 / 81 = 4.457 moves to one, 13x13 2.136.
STAGES = {
    9: [
        (0, 0),
        (6, 0),
        (7, 1),
        (13, 1),
        (14, 2),
        (20, 2),
        (21, 3),
        (26, 3),
        (27, 4),
        (33, 4),
        (34, 5),
        (40, 5),
        (41, 6),
        (47, 6),
        (48, 7),
        (200, 7),
    ],
    13: [
        (0, 0),
        (14, 0),
        (15, 1),
        (28, 1),
        (29, 2),
        (42, 2),
        (43, 3),
        (56, 3),
        (57, 4),
        (70, 4),
        (71, 5),
        (84, 5),
        (85, 6),
        (98, 6),
        (99, 7),
        (300, 7),
    ],
    19: [
        (0, 0),
        (29, 0),
        (30, 1),
        (59, 1),
        (60, 2),
        (89, 2),
        (90, 3),
        (119, 3),
        (120, 4),
        (149, 4),
        (150, 5),
        (179, 5),
        (180, 6),
        (209, 6),
        (210, 7),
        (500, 7),
    ],
}
LINES = {
    9: [
        "111111111",
        "122222221",
        "123333321",
        "123444321",
        "123454321",
        "123444321",
        "123333321",
        "122222221",
        "111111111",
    ],
    13: [
        "1111111111111",
        "1222222222221",
        "1233333333321",
        "1234444444321",
        "1234555554321",
        "1234566654321",
        "1234566654321",
        "1234566654321",
        "1234555554321",
        "1234444444321",
        "1233333333321",
        "1222222222221",
        "1111111111111",
    ],
    19: [
        "1111111111111111111",
        "1222222222222222221",
        "1233333333333333321",
        "1234444444444444321",
        "1234555555555554321",
        *["1234566666666654321"] * 9,
        "1234555555555554321",
        "1234444444444444321",
        "1233333333333333321",
        "1222222222222222221",
        "1111111111111111111",
    ],
}


@pytest.mark.parametrize("size", STAGES)
def test_lines_and_stages(size: int) -> None:
    """One move on the board, the others are passes: they count, too."""
    lines = {
        point(r, c): int(sign) for r, row in enumerate(LINES[size]) for c, sign in enumerate(row)
    }
    assert len(lines) == size * size
    times: Counter[int] = Counter()
    corner = (size - 4, 3)
    for symmetry in range(SYMMETRIES):
        for first in (BLACK, WHITE):
            board = new_board(size)
            stages = dict(STAGES[size])
            for moves in range(max(stages) + 1):
                if moves in stages:
                    found = levels(board, STAGE)
                    assert len(found) == size * size - (moves > 0)
                    for p, level in found.items():
                        assert level == stages[moves] * 6 + lines[p], (moves, row_col(p))
                    times.update(found.values())
                colour = first if moves % 2 == 0 else other(first)
                place = point(*transform(*corner, size, symmetry)) if moves == 0 else PASS
                play(board, place, colour)
    expected = [level for level in range(1, 49) if size > 9 or level % 6]
    assert sorted(times) == expected
    # those of one symmetry and one order of colours; 9x9 has one point on the fifth line
    assert min(times.values()) / (2 * SYMMETRIES) >= (2 if size == 9 else 6)


def test_stages_begin_at_setup_stones() -> None:
    """Stones of a setup are not moves."""
    colors = scattered(19, random.Random(1), (30, 1, 1))
    position = Position.from_stones(19, colors)
    assert set(levels(position.board, STAGE).values()) == {1, 2, 3, 4, 5, 6}


# -- oracle --------------------------------------------------------------------------------------

Node: TypeAlias = frozenset[Point]


def chain_graph(game: Game) -> dict[Node, set[Node]]:
    """Strings and single empty points, and which of them touch."""
    board = game.board
    node_of: dict[Point, Node] = {}
    for place in board.board_points:
        if board.get(*place) is None:
            node_of[place] = frozenset([place])
        elif place not in node_of:
            stones = frozenset(string(board, place))
            node_of.update(dict.fromkeys(stones, stones))
    graph: dict[Node, set[Node]] = {node: set() for node in node_of.values()}
    for place, node in node_of.items():
        for near in neighbours(board, place):
            if node_of[near] != node:
                graph[node].add(node_of[near])
    return graph


def steps_from(graph: dict[Node, set[Node]], start: Point) -> dict[Point, int]:
    """How many steps each point is away from the node of `start`."""
    front = {node for node in graph if start in node}
    found: dict[Node, int] = {}
    steps = 0
    while front:
        found |= dict.fromkeys(front, steps)
        front = {near for node in front for near in graph[node]} - found.keys()
        steps += 1
    return {place: steps for node, steps in found.items() for place in node}


def stage_level(game: Game, place: Point) -> int:
    size, moves = game.board.side, len(game.moves)
    row, col = place
    line = 1 + min(row, col, size - 1 - row, size - 1 - col)
    stage = sum(361 * moves >= 30 * k * size * size for k in range(1, 8))
    return int(6 * stage + min(line, 6))


def oracle_levels(game: Game) -> dict[str, Levels]:
    """Of every empty point, for every family."""
    board = game.board
    empty = [place for place in board.board_points if board.get(*place) is None]
    graph = chain_graph(game)
    found: dict[str, Levels] = {}
    for name, names in LABELS.items():
        start = game.back(BACK[name]) if name in BACK else None
        if name not in BACK:
            told = {place: stage_level(game, place) for place in empty}
        elif start is None:
            told = dict.fromkeys(empty, 0)
        elif name.startswith("chain"):
            steps = steps_from(graph, start)
            told = {place: level_named(names, steps[place]) for place in empty}
        else:
            told = {place: level_named(names, distance(start, place)) for place in empty}
        found[name] = {point(*place): level for place, level in told.items()}
    return found


Told: TypeAlias = tuple[int, list[Move], dict[int, dict[str, Levels]]]


def compare(games: list[Told]) -> None:
    """Games of a size and moves: what the kernels said after so many moves, and the oracle."""
    for size, moves, found in games:
        game = Game(size)
        for number, (colour, p) in enumerate([*moves, (BLACK, PASS)]):
            if number in found:
                compare_one(game, found[number])
            game.play(p, colour)


def compare_one(game: Game, said: dict[str, Levels]) -> None:
    expected = oracle_levels(game)
    for name, found in said.items():
        wrong = {row_col(p): (found[p], expected[name][p]) for p in found}
        wrong = {place: pair for place, pair in wrong.items() if pair[0] != pair[1]}
        rows = ["".join({"b": "X", "w": "O"}.get(c, ".") for c in row) for row in game.board.board]
        assert not wrong, "\n".join([f"{name} {game.moves[-4:]} {wrong}", *rows])


def said_of(position: Position, seen: Counter[object]) -> dict[str, Levels]:
    """What the kernels say of a position; counts the levels that were there, and more."""
    told = {name: levels(position.board, family) for name, family in FAMILIES.items()}
    for name, found in told.items():
        seen.update((name, level) for level in found.values())
    last = [p for _, p in position.moves[-4:]]
    seen["passes"] += PASS in last
    seen["in ko"] += position.ko is not None
    for back in (2, 3, 4):
        p = last[-back] if len(last) >= back else PASS
        seen["taken", back] += p != PASS and not position.stone(p)
        seen["played again", back] += p != PASS and p in last[1 - back :]
    return told


@pytest.mark.parametrize("picture", DRAWN, ids=[picture.name for picture in DRAWN])
def test_the_oracle_describes_the_pictures_the_same(picture: Picture) -> None:
    _, _, position = next(versions(picture))
    compare_one(replay(position), said_of(position, Counter()))


@pytest.mark.slow
@pytest.mark.parametrize("size", [9, 19])
def test_bundled_games_are_described_like_the_oracle(size: int) -> None:
    seen: Counter[object] = Counter()
    games = []
    for index, text in enumerate(bundled_games(size)[:15]):
        position, moves = Position(size), game_moves(text)
        found = {}
        for number, (colour, p) in enumerate(moves):
            if number % 15 == index % 15:
                found[number] = said_of(position, seen)
            position.play(p, colour)
        found[len(moves)] = said_of(position, seen)
        games.append((size, moves, found))
    holds(compare, games)
    if size == 19:
        for name, family in FAMILIES.items():
            first = 2 if family.levels[0].name == "0" else 1  # a stone just taken is rare
            for level in range(first, len(family.levels) + 1):
                assert seen[name, level] >= 6, (name, level)


def lively_move(position: Position, rng: random.Random) -> Move:
    """As `any_move`, but points of stones just taken are often played again."""
    again = [p for p in position.previous if p != PASS and position.why_illegal(p) == ""]
    if again and rng.random() < 0.4:
        return position.to_move, rng.choice(again)
    return any_move(position.board, rng)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "games"), [(2, 60), (4, 80), (5, 40), (7, 20), (9, 16), (13, 2), (19, 1)]
)
def test_lively_games_are_described_like_the_oracle(size: int, games: int) -> None:
    """Random games with many captures and kos, now and then a pass or a move out of turn."""
    rng = random.Random(f"extended distances {size}")
    seen: Counter[object] = Counter()
    told = []
    for _ in range(games):
        position = Position(size)
        found = {}
        for number in range(1, 2 * size * size + 1):
            colour, p = lively_move(position, rng)
            if position.play(p, colour) or rng.random() < 0.1:
                found[number] = said_of(position, seen)
        told.append((size, position.moves, found))
    holds(compare, told)
    if 4 <= size <= 9:
        assert min(seen["passes"], seen["in ko"]) >= 10
        assert min(seen["taken", back] for back in (2, 3, 4)) >= 10
        assert min(seen["played again", back] for back in (3, 4)) >= 3
        assert min(seen[name, 1] for name in ("distance3", "distance4", "chain2")) >= 10


# -- properties ----------------------------------------------------------------------------------

SIZES = st.integers(2, 19)
SEEDS = st.integers(0, 2**32)
lively = given(size=SIZES, seed=SEEDS, share=st.floats(0, 1.5))
few = settings(max_examples=60)


def game_board(size: int, seed: int, share: float) -> Board:
    return wandered(size, seed, int(share * size * size))


def manhattan(p: int, q: int) -> int:
    (row, col), (r, c) = row_col(p), row_col(q)
    return abs(row - r) + abs(col - c)


@few
@lively
def test_chains_only_shorten_the_way(size: int, seed: int, share: float) -> None:
    board = game_board(size, seed, share)
    for family, back in ((CHAIN, 0), (CHAIN2, 1)):
        last = int(board.previous[back])
        found = levels(board, family)
        if last <= PASS:
            assert not any(found.values())
            continue
        for p, level in found.items():
            assert 0 < level <= level_of(family, manhattan(p, last))
            # A step more or less to a neighbour
            assert all(abs(level - found[q]) <= 1 for q in NEAR[p] if q in found)


@few
@lively
def test_one_step_is_a_liberty(size: int, seed: int, share: float) -> None:
    board = game_board(size, seed, share)
    last = int(board.previous[0])
    assume(last > PASS)
    colors = board.color.tolist()
    todo, stones = [last], {last}
    while todo:
        near = [q for q in NEAR[todo.pop()] if colors[q] == colors[last] and q not in stones]
        stones.update(near)
        todo += near
    found = levels(board, CHAIN)
    for p, level in found.items():
        assert (level == 1) == bool(stones.intersection(NEAR[p]))


@few
@given(size=SIZES, seed=SEEDS, sparse=st.integers(1, 12))
def test_without_chains_it_is_the_way_of_a_rook(size: int, seed: int, sparse: int) -> None:
    """On a board of single stones; the two last moves may take some."""
    rng = random.Random(seed)
    colors = scattered(size, rng, (sparse, 1, 1))
    for p in all_points(size):
        if colors[p] and colors[p] in (colors[q] for q in NEAR[p]):
            colors[p] = EMPTY
    try:
        position = Position.from_stones(size, colors)
    except ValueError:
        assume(False)
    for _ in range(2):
        mover = position.to_move
        single = [
            p
            for p in position.legal_moves()
            if p != PASS and not any(position.board.color[q] == mover for q in NEAR[p])
        ]
        assume(single)
        position.play(rng.choice(single))
    for family, back in ((CHAIN, 0), (CHAIN2, 1)):
        last = int(position.board.previous[back])
        for p, level in levels(position.board, family).items():
            assert level == level_of(family, manhattan(p, last))


@few
@lively
def test_symmetries_and_colours(size: int, seed: int, share: float) -> None:
    one, two = new_board(size), new_board(size)
    symmetry, exchanged = seed % SYMMETRIES, seed // SYMMETRIES % 2
    for colour, p in wander(one, random.Random(seed), int(share * size * size)):
        play(two, turned(p, size, symmetry), other(colour) if exchanged else colour)
    for family in FAMILIES.values():
        found = {turned(p, size, symmetry): level for p, level in levels(one, family).items()}
        assert found == levels(two, family)


@few
@lively
def test_a_pass_makes_every_move_one_older(size: int, seed: int, share: float) -> None:
    board = game_board(size, seed, share)
    after = board.copy()
    play(after, PASS, int(board.to_move))

    older = [DISTANCE, DISTANCE2, *FAMILIES.values()][:4]
    for new, old in [*zip(older[1:], older, strict=False), (CHAIN2, CHAIN)]:
        before, now = levels(board, old), levels(after, new)
        shift = len(new.levels) - len(old.levels)
        for p in before.keys() & now.keys():
            assert now[p] == (before[p] + shift if before[p] else 0)
    assert not any(levels(after, CHAIN).values())


@few
@lively
def test_lines_are_those_of_the_border(size: int, seed: int, share: float) -> None:
    board = game_board(size, seed, share)
    lines = levels(board, BORDER)
    found = levels(board, STAGE)
    assert len({(level - 1) // 6 for level in found.values()}) <= 1
    for p, level in found.items():
        line = (level - 1) % 6 + 1
        assert (line if line <= 4 else 0) == lines[p]
