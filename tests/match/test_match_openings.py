"""The first moves of the games: random ones and recorded ones, the same for a pair."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sgfmill.boards import Board

from katachi.errors import KatachiError
from katachi.go.points import PASS, all_points, from_vertex, row_col
from katachi.go.position import Position
from katachi.match.openings import Openings, random_opening
from katachi.match.settings import BALANCED, MatchSettings
from katachi.models.model import load_model
from katachi.search.engine import search_player
from tools.make_openings import candidate, rate, same_under_symmetry


@pytest.mark.parametrize("size", [5, 7, 9, 19])
def test_random_openings(size: int) -> None:
    settings = MatchSettings(size=size, random_opening=4)
    found = [random_opening(settings, pair) for pair in range(12)]
    assert found == [random_opening(settings, pair) for pair in range(12)]
    assert len(set(found)) > 9
    assert random_opening(replace(settings, seed=2), 0) != found[0]
    edge = 2 if size >= 9 else 1
    for opening in found:
        position = Position(size)
        for p in opening:
            assert position.play(p) == 0
            assert all(edge <= x < size - edge for x in row_col(p))
        stones = [p for p in all_points(size) if position.stone(p)]
        assert len(stones) == 4
        assert all(len(position.liberties(p)) > 1 for p in stones)


def test_random_openings_begin_alike_however_long() -> None:
    short = random_opening(MatchSettings(random_opening=3), 5)
    assert random_opening(MatchSettings(random_opening=6), 5)[:3] == short


def test_on_tiny_boards_the_edge_is_played_too() -> None:
    assert len(random_opening(MatchSettings(size=3, random_opening=3), 0)) == 3
    settings = MatchSettings(size=5, random_opening=8)
    assert all(len(random_opening(settings, pair)) == 8 for pair in range(10))


def test_a_pair_of_games_has_one_opening() -> None:
    openings = Openings(MatchSettings(random_opening=4))
    for number in range(1, 20, 2):
        assert openings.of(number) == openings.of(number + 1)
        assert openings.of(number) != openings.of(number + 2)
    assert openings.digest == ""
    assert Openings(MatchSettings()).of(7) == ()


def vertices(text: str) -> tuple[int, ...]:
    return tuple(from_vertex(word, 9) for word in text.split())


def recorded(tmp_path: Path, text: str, opening_moves: int | None = None) -> Openings:
    path = tmp_path / "openings.sgf"
    path.write_text(text, encoding="utf-8")
    return Openings(MatchSettings(openings=str(path), opening_moves=opening_moves))


def test_recorded_openings(tmp_path: Path) -> None:
    games = (
        "(;SZ[9];B[ee];W[ec])"
        "(;SZ[13];B[ee];W[ec])"  # another board
        "(;SZ[9]AB[aa];W[ec])"  # setup
        "(;SZ[9];B[ee];W[gc];B[])"  # ends before the pass
        "(;SZ[9];B[ee];B[gc])"  # out of turn
        "(;SZ[9];W[ee];B[gc])"  # white first
        "(;SZ[9];B[ee];W[ec])"  # again
    )
    openings = recorded(tmp_path, games)
    assert openings.recorded == [vertices("E5 E7"), vertices("E5 G7")]
    assert [openings.of(n) for n in (1, 2)] == [vertices("E5 E7")] * 2
    assert openings.of(4) == vertices("E5 G7")
    assert openings.of(5) == vertices("E5 E7")  # from the beginning again
    shorter = recorded(tmp_path, games, opening_moves=1)
    assert shorter.recorded == [vertices("E5")]
    assert len({openings.digest, shorter.digest, ""}) == 3


def test_records_without_an_opening(tmp_path: Path) -> None:
    with pytest.raises(KatachiError, match="holds no opening for a 9x9 board"):
        recorded(tmp_path, "(;SZ[13];B[ee])")
    with pytest.raises(KatachiError, match="no/such/path"):
        Openings(MatchSettings(openings="no/such/path"))


def test_a_whole_game_is_no_opening(tmp_path: Path) -> None:
    rows = "".join(f";B[{c}c];W[{c}g]" for c in "abcdefghi")
    rows += "".join(f";B[{c}a];W[{c}i]" for c in "abcdefghi")
    rows += ";B[ee];W[ce];B[ge];W[eh];B[hb]"
    game = f"(;SZ[9]{rows})"
    with pytest.raises(KatachiError, match="41 moves, a whole game"):
        recorded(tmp_path, game)
    assert len(recorded(tmp_path, game, opening_moves=12).recorded[0]) == 12


# -- the balanced ones ---------------------------------------------------------------------------

LENGTHS = {9: (4, 8), 13: (8, 12), 19: (12, 20)}


def forms(opening: tuple[int, ...], size: int) -> set[frozenset[tuple[int, int, bool]]]:
    """The stones after an opening in all symmetries, colours exchanged or not, by sgfmill."""
    board = Board(size)
    for number, p in enumerate(opening):
        row, col = row_col(p)
        board.play(row, col, "bw"[number % 2])
    stones = {(row, col, colour == "b") for colour, (row, col) in board.list_occupied_points()}
    found = set()
    for exchanged in (False, True):
        turned = {(row, col, black != exchanged) for row, col, black in stones}
        for _ in range(4):
            turned = {(col, size - 1 - row, black) for row, col, black in turned}
            found.add(frozenset(turned))
            found.add(frozenset((row, size - 1 - col, black) for row, col, black in turned))
    return found


@pytest.mark.parametrize("size", LENGTHS)
def test_balanced_openings(size: int) -> None:
    openings = Openings(MatchSettings(size=size, openings=BALANCED))
    assert len(openings.recorded) == 100
    assert openings.digest
    assert openings.of(3) == openings.of(4) == openings.recorded[1]
    seen: set[frozenset[tuple[int, int, bool]]] = set()
    for opening in openings.recorded:
        assert LENGTHS[size][0] <= len(opening) <= LENGTHS[size][1]
        position = Position(size)
        for p in opening:
            position.play(p)  # raises IllegalMove
        mine = forms(opening, size)
        assert not mine & seen
        seen |= mine
    assert {len(opening) for opening in openings.recorded} == set(
        range(LENGTHS[size][0], LENGTHS[size][1] + 1)
    )


@pytest.mark.parametrize("size", [2, 11, 18])
def test_other_boards_have_no_balanced_openings(size: int) -> None:
    with pytest.raises(KatachiError, match=f"no balanced openings for {size}x{size}, only for 9x9"):
        Openings(MatchSettings(size=size, openings=BALANCED))
    with pytest.raises(KatachiError, match="are played to their end"):
        MatchSettings(openings=BALANCED, opening_moves=3)


def test_a_path_of_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("balanced").write_text("(;SZ[9];B[ee];W[ec])", encoding="utf-8")
    assert Openings(MatchSettings(openings="./balanced")).recorded == [vertices("E5 E7")]
    assert len(Openings(MatchSettings(openings=BALANCED)).recorded) == 100


@pytest.mark.slow
def test_the_tool_draws_the_same_moves_again() -> None:
    model = load_model()
    found = [candidate(model, 9, number).moves for number in (1, 2, 3)]
    assert found == [candidate(model, 9, number).moves for number in (1, 2, 3)]
    assert len({tuple(moves) for moves in found}) == 3
    for moves in found:
        assert 4 <= len(moves) <= 8
        assert PASS not in [p for _, p in moves]
    player = search_player(model, memory_mb=8)
    rates = [rate(player, candidate(model, 9, 1), 50) for _ in range(2)]
    assert rates[0] == rates[1]
    assert 0 < rates[0] < 1


def test_the_tool_knows_the_same_stones() -> None:
    one, two = Position(9), Position(9)
    for word in ["C3", "G7", "E5", "C7"]:
        one.play(from_vertex(word, 9))
    for word in ["G3", "C7", "G7", "E5"]:  # turned, colours exchanged, another order
        two.play(from_vertex(word, 9))
    assert same_under_symmetry(one) == same_under_symmetry(two)
    two.play(from_vertex("A1", 9))
    assert same_under_symmetry(one) != same_under_symmetry(two)
