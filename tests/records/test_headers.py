from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from katachi.go.points import BLACK, WHITE
from katachi.records import headers


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("6.5", 6.5),
        ("0", 0),
        ("-13", -13),
        ("7", 7),
        ("", None),
        ("none", None),
        ("750", 7.5),
        ("650", 6.5),
        ("550", 5.5),
        ("375", 7.5),
        ("3.75", 7.5),
        ("325", 6.5),
        ("5,5", 5.5),
        ("komi 6.5", 6.5),
        ("0.5", 0.5),
        ("-50", -50),
        ("2.75", 5.5),
        ("+5.5", 5.5),
    ],
)
def test_komi(text: str, points: float | None) -> None:
    assert headers.komi(text)[0] == points


def test_komi_says_how_it_was_read() -> None:
    assert headers.komi("6.5")[1] == ""
    assert headers.komi("750")[1] == "komi in hundredths"
    assert headers.komi("375")[1] == "komi in Chinese stones"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("9p", "9p"),
        ("6d", "6d"),
        ("6d?", "6d"),
        ("7D*", "7d"),
        ("3 dan", "3d"),
        ("1 kyu", "1k"),
        ("18k", "18k"),
        ("9段", "9d"),
        ("P9段", "9p"),
        ("P 3段", "3p"),
        ("5级", "5k"),
        ("12級", "12k"),
        ("", "?"),
        ("?", "?"),
        ("Honinbo", "?"),
        ("NR", "?"),
        ("40k", "30k"),
        ("10d", "9d"),
    ],
)
def test_rank(text: str, name: str) -> None:
    assert headers.rank_name(headers.rank(text)) == name


def test_ranks_are_ordered() -> None:
    ranks = ["30k", "2k", "1k", "1d", "6d", "9d", "1p", "9p"]
    assert sorted(ranks, key=headers.rank) == ranks


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("2006-01-31", "2006-01-31"),
        ("1966-03-09,10", "1966-03-09"),
        ("1950", "1950"),
        ("1950-00-00", "1950"),
        ("2006-01", "2006-01"),
        ("2017/9/21", "2017-09-21"),
        ("0000-00-00", "?"),
        ("", "?"),
        ("unknown", "?"),
        ("Published 1928-10-10", "1928-10-10"),
        ("2006年1月31日", "2006-01-31"),
        ("1975-99-99", "1975"),
        ("123456", "?"),
    ],
)
def test_date(text: str, name: str) -> None:
    assert headers.date_name(headers.date(text)) == name


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("B+R", BLACK),
        ("W+Resign", WHITE),
        ("b+3.5", BLACK),
        ("W+", WHITE),
        ("W+T", WHITE),
        ("Jigo", headers.DRAW),
        ("draw", headers.DRAW),
        ("0", headers.DRAW),
        ("Void", 0),
        ("?", 0),
        ("", 0),
        ("X+F", 0),
        ("黑中盘胜", BLACK),
        ("白勝", WHITE),
        ("White wins", WHITE),
        ("Unfinished", 0),
        ("W+ (but Black does not lose)", WHITE),
        ("和棋", headers.DRAW),
    ],
)
def test_winner(text: str, who: int) -> None:
    assert headers.winner(text) == who


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("", (19, 19)),
        ("9", (9, 9)),
        ("13:13", (13, 13)),
        ("19:9", (19, 9)),
        (" 15 ", (15, 15)),
        ("19x19", (19, 19)),
        ("nineteen", (0, 0)),
        ("-5", (0, 0)),
        ("9999", (0, 0)),
    ],
)
def test_board_size(text: str, size: tuple[int, int]) -> None:
    assert headers.board_size(text) == size


@given(st.text())
def test_no_header_raises(text: str) -> None:
    headers.komi(text)
    headers.board_size(text)
    assert -30 <= headers.rank(text) <= 19
    assert headers.winner(text) in (0, BLACK, WHITE, headers.DRAW)
    headers.date_name(headers.date(text))
