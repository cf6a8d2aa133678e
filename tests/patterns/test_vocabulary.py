"""The words of the vocabulary against pictures judged by hand, and against a slow second teller."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import pytest

from katachi.go.points import AREA, BLACK, PASS, WHITE, from_vertex, other, point, row_col, vertex
from katachi.go.position import Position
from katachi.go.symmetry import SYMMETRIES, transform
from katachi.patterns.catalogue import BUILT_IN, WORDS
from katachi.patterns.describe import describe
from katachi.patterns.situation import Situation
from katachi.patterns.vocabulary.groups import GROUPS, TERMS, WORD_FAMILIES
from tests.go.helpers import Move, any_move, bundled_games, game_moves
from tests.go.ladder_oracle import TooLong
from tests.kept import holds
from tests.patterns import vocabulary_oracle
from tests.patterns.feature_oracle import Game, Here, Teams, replay
from tests.patterns.vocabulary_oracle import word_teams

TABLE = Path(__file__).with_name("vocabulary_positions.txt")
GROUP_OF = {term.key: group for group in GROUPS for term in group.terms}
SITUATION = Situation()  # used over and over, as in a worker
HEAD = re.compile(r"\d+ [A-T]\d+")


class Picture(NamedTuple):
    """A position, and the moves that a word fits, and does not."""

    key: str
    size: int
    stones: dict[int, int]
    plays: list[tuple[int, int]]
    yes: list[int]
    no: list[int]


# -- the pictures --------------------------------------------------------------------------------


def read_pictures(text: str) -> list[Picture]:
    """All pictures of the table; its head tells the format. Raises ValueError."""
    found: list[Picture] = []
    key, lines = "", list[str]()
    for line in [*text.splitlines(), "== "]:
        if line.startswith("#") or not line:
            continue
        if line.startswith("== ") or HEAD.fullmatch(line):
            if lines:
                found.append(read_picture(key, lines))
            lines = [] if line.startswith("== ") else [line]
            key = line[3:] if line.startswith("== ") else key
        else:
            lines.append(line)
    return found


def read_picture(key: str, lines: list[str]) -> Picture:
    size, corner = int(lines[0].split()[0]), lines[0].split()[1]
    places: dict[str, list[int]] = defaultdict(list)
    rows = [line for line in lines[1:] if ":" not in line]
    bottom, left = row_col(from_vertex(corner, size))
    for up, row in enumerate(reversed(rows)):
        for right, sign in enumerate(row):
            places[sign].append(point(bottom - up, left + right))
    for line in lines[1:]:
        if ":" in line:
            sign, named = line.split(": ")
            sign = {"yes": "y", "no": "n"}.get(sign, sign)
            places[sign] += [from_vertex(name, size) for name in named.split()]
    if len(places["1"]) > 1 or len(places["2"]) > 1 or set(places) - set(".XOyn12k"):
        raise ValueError(f"{key}: {lines}")
    plays = [(BLACK, p) for p in places["2"]] + [(WHITE, p) for p in places["1"]]
    stones = dict.fromkeys([*places["X"], *places["k"]], BLACK) | dict.fromkeys(places["O"], WHITE)
    return Picture(key, size, stones, plays, places["y"], places["n"])


PICTURES = read_pictures(TABLE.read_text(encoding="utf-8"))


def turned(p: int, size: int, symmetry: int) -> int:
    return point(*transform(*row_col(p), size, symmetry))


def position_of(picture: Picture, symmetry: int = 0, exchanged: bool = False) -> Position:
    """The position with Black to move; turned, and with the colours exchanged, if wanted."""

    def side(colour: int) -> int:
        return other(colour) if exchanged else colour

    colors = np.zeros(AREA, np.uint8)
    for p, colour in picture.stones.items():
        colors[turned(p, picture.size, symmetry)] = side(colour)
    first = picture.plays[0][0] if picture.plays else BLACK
    position = Position.from_stones(picture.size, colors, side(first))
    for colour, p in picture.plays:
        position.play(turned(p, picture.size, symmetry), side(colour))
    return position


def kernel_teams(position: Position, keys: tuple[str, ...] = tuple(TERMS)) -> dict[int, set[str]]:
    """The words of every candidate, of the groups of these words."""
    families = tuple(dict.fromkeys(GROUP_OF[key].family for key in keys))
    SITUATION.look(position.board)
    found: dict[int, set[str]] = {int(p): set() for p in SITUATION.candidates[: SITUATION.count]}
    for family, column in zip(families, describe(SITUATION, families), strict=True):
        for words, level in zip(found.values(), column.tolist(), strict=True):
            if level:
                words.add(family.levels[level - 1].name)
    return found


def wrong(picture: Picture, found: dict[int, set[str]], symmetry: int = 0) -> list[str]:
    """The moves of a picture of which something else is found."""
    told = []
    for p, fits in [*((p, True) for p in picture.yes), *((p, False) for p in picture.no)]:
        words = found.get(turned(p, picture.size, symmetry))
        if words is None or (picture.key in words) != fits:
            told.append(f"{vertex(p, picture.size)}: {words}")
    return told


@pytest.mark.parametrize("key", TERMS)
def test_every_word_has_many_pictures(key: str) -> None:
    """Different under symmetries and the exchange of colours; three at least are drawn."""
    pictures = [picture for picture in PICTURES if picture.key == key]
    for moves, least in (([p.yes for p in pictures], 3), ([p.no for p in pictures], 3)):
        assert sum(map(len, moves)) >= least
        seen = {
            (picture.size, position_of(picture, symmetry).board.color.tobytes(), turned_move)
            for picture, places in zip(pictures, moves, strict=True)
            for p in places
            for symmetry in range(SYMMETRIES)
            for turned_move in [turned(p, picture.size, symmetry)]
        }
        assert 2 * len(seen) >= 16  # and with the colours exchanged as many again


def test_the_table_knows_all_words() -> None:
    assert {picture.key for picture in PICTURES} == set(TERMS)


@pytest.mark.parametrize("key", TERMS)
def test_pictures(key: str) -> None:
    for picture in PICTURES:
        if picture.key == key:
            for symmetry in range(SYMMETRIES):
                for exchanged in (False, True):
                    position = position_of(picture, symmetry, exchanged)
                    found = kernel_teams(position, (key,))
                    assert wrong(picture, found, symmetry) == [], position.diagram()


@pytest.mark.parametrize("key", TERMS)
def test_the_slow_teller_judges_the_pictures_the_same(key: str) -> None:
    words = list(vocabulary_oracle.GROUPS[GROUP_OF[key].family.name])
    for picture in PICTURES:
        if picture.key == key:
            position = position_of(picture)
            teams = word_teams(
                Here(replay(position)), (GROUP_OF[key].family.name,), {*picture.yes, *picture.no}
            )
            found = {p: {words[level - 1] for level in team.values()} for p, team in teams.items()}
            assert wrong(picture, found) == [], position.diagram()


# -- kernels and slow teller ---------------------------------------------------------------------


Told: TypeAlias = tuple[int, list[Move], dict[int, set[str]]]


def compare(positions: list[Told], patience: int) -> None:
    """Sizes, the moves played, what the kernels said of every candidate then; and the teller."""
    too_long = 0
    for size, moves, found in positions:
        game = Game(size)
        for colour, p in moves:
            game.play(p, colour)
        try:
            expected = slow_words(word_teams(Here(game)))
        except TooLong:
            too_long += 1  # the kernel may have given up: no comparison
            continue
        assert found[PASS] == set()
        assert found == expected, difference(game, found, expected)
    assert too_long <= patience


def said_of(position: Position, seen: Counter[str]) -> dict[int, set[str]]:
    """All words of every candidate; counts them."""
    before = position.board.tobytes()
    found = kernel_teams(position)
    assert position.board.tobytes() == before
    for words in found.values():
        seen.update(words)
    return found


def slow_words(teams: Teams) -> dict[int, set[str]]:
    names = {group: list(words) for group, words in vocabulary_oracle.GROUPS.items()}
    return {p: {names[g][level - 1] for g, level in team.items()} for p, team in teams.items()}


def difference(game: Game, one: dict[int, set[str]], two: dict[int, set[str]]) -> str:
    rows = ["".join({"b": "X", "w": "O"}.get(c, ".") for c in row) for row in game.board.board]
    said = [f"{game.turn} to move after {game.moves[-2:]}, ko {game.ko}", *rows]
    for p in sorted(one.keys() | two.keys()):
        if one.get(p) != two.get(p):
            name = vertex(p, game.board.side)
            said.append(f"{name}: kernels {one.get(p)}, slow {two.get(p)}")
    return "\n".join(said)


@pytest.mark.slow
def test_bundled_games_are_told_the_same() -> None:
    """One position of each of 40 games: later and later ones."""
    seen: Counter[str] = Counter()
    games = [(9, text) for text in bundled_games(9)[:20]]
    games += [(19, text) for text in bundled_games(19)[:20]]
    told = []
    for number, (size, text) in enumerate(games):
        position = Position(size)
        moves = game_moves(text)
        for colour, p in moves[: 3 + (len(moves) - 4) * (number % 20) // 19]:
            position.play(p, colour)
        told.append((size, position.moves, said_of(position, seen)))
    holds(compare, told, 1)
    assert len(seen) >= 70


@pytest.mark.slow
def test_random_positions_are_told_the_same() -> None:
    """300 positions of random games with captures and kos, a pass or a move out of turn now and
    then, on boards of all kinds of sizes.
    """
    rng = random.Random("words")
    seen: Counter[str] = Counter()
    told = []
    for size, games in ((2, 5), (3, 5), (5, 80), (7, 120), (9, 70), (10, 10), (13, 7), (19, 3)):
        for _ in range(games):
            position = Position(size)
            for _ in range(rng.randrange(2, 3 * size * size // 2)):
                colour, p = any_move(position.board, rng)
                position.play(p, colour)
            told.append((size, position.moves, said_of(position, seen)))
    assert len(told) == 300
    holds(compare, told, 5)
    assert len(seen) >= 55


@pytest.mark.parametrize(("size", "number"), [(9, 3), (9, 40), (19, 2), (19, 9), (19, 31)])
def test_neither_colour_nor_symmetry_makes_a_difference(size: int, number: int) -> None:
    moves = game_moves(bundled_games(size)[number])
    for count in (len(moves) // 8, len(moves) // 3, 3 * len(moves) // 4):
        plain = kernel_teams(played(size, moves[:count], 0, False))
        for symmetry in range(SYMMETRIES):
            for exchanged in (False, True):
                found = kernel_teams(played(size, moves[:count], symmetry, exchanged))
                assert found == {
                    p if p == PASS else turned(p, size, symmetry): words
                    for p, words in plain.items()
                }


def played(size: int, moves: list[tuple[int, int]], symmetry: int, exchanged: bool) -> Position:
    position = Position(size)
    for colour, p in moves:
        place = p if p == PASS else turned(p, size, symmetry)
        position.play(place, other(colour) if exchanged else colour)
    return position


# -- the list ------------------------------------------------------------------------------------


def test_the_groups_and_their_order() -> None:
    named = {group.family.name: [term.key for term in group.terms] for group in GROUPS}
    assert named == {name: list(words) for name, words in vocabulary_oracle.GROUPS.items()}
    assert list(TERMS) == [key for keys in named.values() for key in keys]
    assert len(TERMS) == 89


def test_a_term_is_told_in_plain_words() -> None:
    for key, term in TERMS.items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", key)
        assert term.word
        assert term.sentence[0].islower()
        assert not term.sentence.endswith(".")
        assert not term.definition.endswith(".")
    assert len({term.sentence for term in TERMS.values()}) == len(TERMS)
    assert len({term.word for term in TERMS.values()}) == len(TERMS)


def test_only_the_catalogue_of_words_has_them() -> None:
    for catalogue in BUILT_IN:
        has = [family for family in catalogue.families if family in WORD_FAMILIES]
        assert has == (list(WORD_FAMILIES) if catalogue is WORDS else [])


@cache
def empty(size: int) -> dict[int, set[str]]:
    return kernel_teams(Position(size))


@pytest.mark.parametrize("size", range(2, 20))
def test_an_empty_board(size: int) -> None:
    words = Counter(word for found in empty(size).values() for word in found)
    corners = {"star-point": 4, "three-four": 8 if size > 7 else 4, "three-three": 4}
    expected = corners if size >= 9 else {}
    if size >= 13:
        expected |= {"five-four": 8, "five-three": 8}
    if size >= 9 and size % 2:
        expected |= {"centre": 1}
    assert words == expected
