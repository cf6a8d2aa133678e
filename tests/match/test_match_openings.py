"""The first moves of the games: random ones and recorded ones, the same for a pair."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from katachi.errors import KatachiError
from katachi.go.points import all_points, from_vertex, row_col
from katachi.go.position import Position
from katachi.match.openings import Openings, random_opening
from katachi.match.settings import MatchSettings


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
