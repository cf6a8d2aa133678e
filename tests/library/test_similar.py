"""What a library finds, beside pictures compared in plain Python."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from katachi.errors import KatachiError
from katachi.go.points import COLOUR_NAMES, NONE, PASS, row_col
from katachi.go.symmetry import point_tables
from katachi.library.build import build_library
from katachi.library.file import Library
from katachi.library.keys import RADII
from katachi.library.postings import BOARD_MOVES
from katachi.library.similar import Next, Occurred, similar
from katachi.records.actions import COLOUR_SHIFT, POINT_BITS
from katachi.records.bundled import bundled_games
from katachi.records.corpus import Corpus, corpus_of
from katachi.records.game import Game
from katachi.records.sgf import parse_games
from tests.library.oracle import Move, Pictures, moves_of, occurred

# Stones put before, a capture, a pass, a ko, a colour that plays twice, no result; the last game
# begins with the stones of the first after its capture
ODD = """(;SZ[9]PB[A]PW[B]RE[B+2]AB[cc][gg]HA[2];W[ai];B[ah];W[ee];B[bi];W[ef];B[fe];W[];B[gc])
(;SZ[9]PB[A]PW[A]RE[0];B[ed];W[fd];B[dc];W[gc];B[fb];W[eb];B[ec];W[fc];B[dd];W[];B[gg];W[gf])
(;SZ[9]PB[C];B[ee];B[cc];W[cd];B[dc];W[de])
(;SZ[9]PB[D]AB[ah][bi][cc][gg]AW[ee];W[ef];B[fe];W[bc];B[bd];W[cb])"""


def turned_game(game: Game, symmetry: int, exchanged: bool) -> Game:
    """The same game in another form."""
    points = point_tables(game.size)[symmetry, game.actions & POINT_BITS].astype(np.uint16)
    actions = (game.actions & np.uint16(0xFFFF ^ POINT_BITS)) | points
    if exchanged:
        actions = actions ^ np.uint16(3 << COLOUR_SHIFT)
        other = {"B": "W", "W": "B"}
        result = other.get(game.result[:1], game.result[:1]) + game.result[1:]
        return replace(game, actions=actions, result=result, black=game.white, white=game.black)
    return replace(game, actions=actions)


@cache
def games() -> Corpus:
    """Beginnings of bundled games, one of them also in another form, and odd ones."""
    small = [game for game in bundled_games() if game.size == 9][:5]
    short = [
        replace(game, actions=game.actions[:24], black=f"P{i}") for i, game in enumerate(small)
    ]
    odd, _ = parse_games(ODD.encode(), "odd.sgf")
    return corpus_of([*short, turned_game(short[1], 6, True), *odd])


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    path = tmp_path_factory.mktemp("library") / "games.library"
    build_library(games(), path, jobs=2)
    return Library(path)


@pytest.fixture(scope="module")
def pictures() -> Pictures:
    return Pictures([moves_of(game, number) for number, game in enumerate(games())])


def expect_same(found: Occurred, asked: Move, pictures: Pictures, drop: bool) -> int:
    """Compare with the oracle; returns the number of places."""
    told = occurred(asked, pictures, found.radius)
    if drop and len(told.places) == 1:  # kept only where it occurs twice
        assert found.places == 0
        return 0
    assert found.places == len(told.places)
    assert found.games == len({game for game, _ in told.places})
    times: Counter[tuple[frozenset[tuple[int, int]], str]] = Counter()
    at_once, won, decided = times.copy(), times.copy(), times.copy()
    black = white = 0
    for (points, same, once, win, loss), count in told.following.items():
        nobody = found.radius is not None and not points
        colour = "" if nobody else COLOUR_NAMES[asked.colour if same else 3 - asked.colour]
        key = points, colour
        times[key] += count
        at_once[key] += once * count
        won[key] += (win if same else loss) * count
        decided[key] += (win + loss) * count
        black += count * (win if asked.colour == 1 else loss)
        white += count * (loss if asked.colour == 1 else win)
    assert (found.black_won, found.white_won) == (black, white)
    assert len(found.next) == len(times)
    for one in found.next:
        key = key_of(one, set(times))
        numbers = one.times, one.at_once, one.won, one.decided
        assert numbers == (times[key], at_once[key], won[key], decided[key]), one
    assert {(place.black, place.number) for place in found.named} <= {
        (games()[game].black, number) for game, number in told.places
    }
    return found.places


def key_of(
    one: Next, known: set[tuple[frozenset[tuple[int, int]], str]]
) -> tuple[frozenset[tuple[int, int]], str]:
    """Which of the oracle's classes of equal points a move is of."""
    if one.point in (NONE, PASS):
        return frozenset(), one.colour
    return next(key for key in known if row_col(one.point) in key[0] and key[1] == one.colour)


@pytest.mark.slow
def test_finds_what_pictures_find(library: Library, pictures: Pictures) -> None:
    """Every move of all games, in a form of which the library does not know that it is its own:
    without the last move, so that the game is another.
    """
    corpus = games()
    compared = 0
    for number, game in enumerate(corpus):
        asked = replace(game, actions=game.actions[:-1])
        for move in pictures.corpus[number][:-1]:
            for radius in RADII[:: 2 if move.number % 2 else 1]:
                found = similar(asked, move.number, library, radius=radius)
                assert found.board is not None
                if move.number % 2:
                    compared += expect_same(found.board, move, pictures, drop=False)
                if found.move is not None:
                    drop = radius != RADII[0]
                    compared += expect_same(found.move, move, pictures, drop)
                    assert found.move.places or drop  # the move itself, if nothing else
                else:
                    assert move.point is None
    assert compared > 2 * corpus.moves.sum()


@given(data=st.data())
def test_any_form_of_a_game_finds_the_same(library: Library, data: st.DataObject) -> None:
    """Turned, mirrored, colours exchanged: the same places, and the same moves, turned."""
    corpus = games()
    game = corpus[data.draw(st.integers(0, len(corpus) - 1))]
    cut = data.draw(st.integers(1, len(game.actions) - 1))
    asked = replace(game, actions=game.actions[:cut])
    if not asked.moves:
        return
    number = data.draw(st.integers(1, len(asked.moves) + 1))
    symmetry, exchanged = data.draw(st.integers(0, 7)), data.draw(st.booleans())
    one = similar(asked, number, library, least=2)
    two = similar(turned_game(asked, symmetry, exchanged), number, library, least=2)
    images = point_tables(9)[symmetry]
    for a, b in ((one.board, two.board), (one.last, two.last), (one.move, two.move)):
        assert (a is None) == (b is None)
        if a is None or b is None:
            continue
        assert (a.places, a.games, a.radius, a.tried) == (b.places, b.games, b.radius, b.tried)
        wins = (b.white_won, b.black_won) if exchanged else (b.black_won, b.white_won)
        assert (a.black_won, a.white_won) == wins
        assert sorted(n.times for n in a.next) == sorted(n.times for n in b.next)
        unique = {int(images[n.point]) for n in a.next if n.point > 0}
        assert len(unique) == len({n.point for n in b.next if n.point > 0})


def test_the_largest_radius_with_enough_places_is_taken(library: Library) -> None:
    game = games()[0]
    asked = replace(game, actions=game.actions[:12])
    for number in range(1, 12):
        for least in (1, 2, 5, 10_000):
            found = similar(asked, number, library, least=least).move
            assert found is not None
            assert found.radius is not None
            *before, last = found.tried.items()
            assert last == (found.radius, found.places)
            assert all(places < least for _, places in before)
            assert found.places >= least or found.radius == min(RADII)
            assert list(found.tried) == sorted(found.tried, reverse=True)
            places = list(found.tried.values())
            assert places == sorted(places)  # circles are nested


def test_the_game_itself_does_not_count(library: Library) -> None:
    game = games()[0]
    other = replace(game, actions=game.actions[:-1])
    for number in (4, 9, 15):
        mine, others = (similar(g, number, library, radius=4).move for g in (game, other))
        assert mine is not None
        assert others is not None
        assert mine.places < others.places
        assert game.black not in [place.black for place in mine.named]


def test_ends_and_passes(library: Library) -> None:
    game = games()[-4]  # with two handicap stones, and a pass as move 7
    first = similar(game, 1, library)
    assert (first.to_move, first.played, first.last) == ("white", "A1", None)
    at_pass = similar(game, 7, library)
    assert (at_pass.played, at_pass.move) == ("pass", None)
    assert similar(game, 8, library).last is None
    end = similar(game, len(game.moves) + 1, library)
    assert (end.played, end.move) == (None, None)
    assert end.last is not None
    for wrong in (0, -1, len(game.moves) + 2):
        with pytest.raises(KatachiError, match=f"has 8 moves, none of number {wrong}"):
            similar(game, wrong, library)
    with pytest.raises(KatachiError, match="no shapes of radius 5: choose from 4, 6"):
        similar(game, 1, library, radius=5)
    big = next(game for game in bundled_games() if game.size == 19)
    with pytest.raises(KatachiError, match=r"is on 19x19, and .* is a library of 9x9"):
        similar(big, 1, library)


def test_long_games_have_no_whole_board(library: Library) -> None:
    actions = np.full(BOARD_MOVES + 1, 1 << COLOUR_SHIFT, np.uint16)
    game = Game(9, actions)
    assert similar(game, BOARD_MOVES, library).board is not None
    assert similar(game, BOARD_MOVES + 1, library).board is None
