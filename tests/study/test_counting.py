"""The end of a game on the page: dead stones, points and the result, against slow twins."""

from __future__ import annotations

from random import Random
from typing import Any

import httpx
import pytest
from sgfmill.boards import Board

from katachi.errors import KatachiError
from katachi.go.points import BLACK, EMPTY, WHITE, all_points, row_col
from katachi.go.position import Position
from katachi.records.bundled import bundled_games
from katachi.records.game import Game
from katachi.search.final import Owners, all_strings, seki_strings, without
from katachi.search.player import GameState
from katachi.study.counting import asked_terms, counted, counted_as_asked, strings_at
from katachi.study.levels import levels
from katachi.study.opponents import STRENGTHS
from tests.study.server import Served

NAMES = {BLACK: "black", WHITE: "white"}

# Black has the left and White the right; White's B3 and Black's E3 are dead.
SPLIT = """
. . X O .
. . X O .
. O X O X
. . X O .
. . X O .
"""


def split() -> Position:
    return Position.from_diagram(SPLIT)


@pytest.mark.parametrize(
    ("rules", "dead", "black", "white", "result"),
    [
        # 15 and 10 points of area; territory: 10 + 1 prisoner, 5 + 1
        ("chinese", ["B3", "E3"], {"points": 15}, {"points": 10}, "B+4.5"),
        (
            "japanese",
            ["B3", "E3"],
            {"points": 10, "prisoners": 1},
            {"points": 5, "prisoners": 1},
            "B+4.5",
        ),
        # B3 lives: what it touches is nobody's
        ("chinese", ["E3"], {"points": 5}, {"points": 11}, "W+6.5"),
        ("japanese", ["E3"], {"points": 0, "prisoners": 0}, {"points": 5, "prisoners": 1}, "W+6.5"),
        ("tromp-taylor", [], {"points": 6}, {"points": 6}, "W+0.5"),
    ],
)
def test_a_board_that_can_be_counted_by_hand(
    rules: str, dead: list[str], black: dict[str, int], white: dict[str, int], result: str
) -> None:
    game = GameState(split(), 0.5, rules)
    found = counted(game, strings_at(game, [game.position.point(name) for name in dead]))
    assert (found["black"], found["white"], found["result"]) == (black, white, result)
    assert sorted(found["dead"]) == sorted(dead)
    if "B3" in dead:
        assert found["owners"]["B3"] == "black"
        assert found["owners"]["A1"] == "black"
    assert ("E3" in found["owners"]) is (rules != "tromp-taylor")
    assert "C1" not in found["owners"]  # a living stone is no square


def test_a_draw_is_0() -> None:
    game = GameState(split(), 0, "tromp-taylor")
    assert counted(game, [])["result"] == "0"


def territory(stones: dict[tuple[int, int], int], size: int) -> dict[int, int]:
    """Surrounded points of each colour by plain flood fill."""
    points = {BLACK: 0, WHITE: 0}
    seen: set[tuple[int, int]] = set()
    for start in ((r, c) for r in range(size) for c in range(size)):
        if start in seen or start in stones:
            continue
        region, waiting, border = {start}, [start], set()
        while waiting:
            r, c = waiting.pop()
            for near in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if not (0 <= near[0] < size and 0 <= near[1] < size) or near in region:
                    continue
                if near in stones:
                    border.add(stones[near])
                else:
                    region.add(near)
                    waiting.append(near)
        seen |= region
        if len(border) == 1:
            points[border.pop()] += len(region)
    return points


def test_against_slow_twins_with_any_stones_dead() -> None:
    """sgfmill's area and a plain flood fill, with random strings of real games taken off."""
    rng = Random(5)
    games = bundled_games()
    territories = 0
    for number in range(0, 60, 3):
        position = games[number].position()
        dead = [string for string in all_strings(position) if rng.random() < 0.3]
        off = {p for string in dead for p in string}
        stones = {
            row_col(p): position.stone(p)
            for p in all_points(position.size)
            if position.stone(p) != EMPTY and p not in off
        }
        board = Board(position.size)
        for (row, col), colour in stones.items():
            board.board[row][col] = "b" if colour == BLACK else "w"
        found = counted(GameState(position, 6.5), dead)
        assert found["black"]["points"] - found["white"]["points"] == board.area_score()
        if seki_strings(without(position, dead)):
            continue
        territories += 1
        found = counted(GameState(position, 6.5, "japanese"), dead)
        wanted = territory(stones, position.size)
        assert {c: found[NAMES[c]]["points"] for c in wanted} == wanted
        for colour, foe in ((BLACK, WHITE), (WHITE, BLACK)):
            fallen = sum(len(s) for s in dead if position.stone(s[0]) == foe)
            assert found[NAMES[colour]]["prisoners"] == position.captured(foe) + fallen
    assert territories > 5


def nobody(_position: Position) -> Owners:
    raise AssertionError("the judge was asked")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"rules": "mine"}, "are no rules: chinese, japanese, tromp-taylor"),
        ({"rules": ["chinese"]}, "are no rules"),
        ({"dead": "B3"}, "names no dead stones"),
        ({"dead": ["A1"]}, "no stone stands on A1"),
        ({"dead": ["pass"]}, "no stone stands on pass"),
        ({"dead": ["Z9"]}, "is no vertex"),
        ({"dead": [{}]}, "is no vertex"),
    ],
)
def test_wrong_requests(asked: dict[str, Any], words: str) -> None:
    empty = Game(size=5, actions=bundled_games()[0].actions[:0], komi=0.5)

    def answer() -> dict[str, Any]:
        terms = asked_terms(asked, empty)
        return counted_as_asked(asked, GameState(split(), terms.komi, terms.rules), nobody)

    with pytest.raises(KatachiError, match=words):
        answer()


def test_the_judge_is_asked_only_where_nobody_says_what_is_dead() -> None:
    game = GameState(split(), 0.5)
    assert counted_as_asked({"dead": ["B3"]}, game, nobody)["dead"] == ["B3"]
    terms = GameState(split(), 0.5, "tromp-taylor")
    assert counted_as_asked({"dead": ["B3"]}, terms, nobody)["dead"] == []


@pytest.mark.slow
def test_the_server_counts_a_finished_game(server: Served) -> None:
    """Black holds all of a board with two eyes' worth of room; a white stone in it is dead."""
    actions = [f"B {c}5" for c in "ABCDEFGHJ"]
    actions = [x for pair in zip(actions, ["W pass"] * 9, strict=True) for x in pair]
    actions += ["B C3", "W G7", "B G3", "W C7", "B E4", "W E7", "B pass", "W pass"]
    asked = {"size": 9, "actions": actions, "komi": 7.5}
    with httpx.Client(base_url=server.address, timeout=600) as client:
        found = client.post("/api/count", json=asked | {"dead": ["G7", "C7", "E7"]}).json()
        assert found["result"] == "B+73.5"
        assert found["owners"]["E7"] == "black"
        judged = client.post("/api/count", json=asked | {"dead": None}).json()
        assert set(judged["dead"]) <= {"G7", "C7", "E7"}  # what the judge says is its own matter
        assert judged["owners"]["A1"] == "black"
        wrong = client.post("/api/count", json=asked | {"dead": ["A1"]})
        assert (wrong.status_code, "no stone stands on A1" in wrong.text) == (400, True)


def test_levels_say_only_what_was_measured() -> None:
    found = levels(STRENGTHS)
    assert [one["name"] for one in found] == list(STRENGTHS)
    measured = [one for one in found if "elo" in one]
    for one in measured:
        assert one["low"] <= one["elo"] <= one["high"]
        assert one["games"] >= 20
        assert one["beside"] in ("GNU Go level 10", *STRENGTHS)
