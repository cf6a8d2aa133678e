"""Records made to hurt: long, deep, swollen, with numbers that no game has."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from katachi.go.points import PASS
from katachi.records.corpus import corpus_of
from katachi.records.game import Notice
from katachi.records.read import read_games
from katachi.records.record import parse_tree
from katachi.records.sgf import parse_games
from katachi.records.summary import summarize
from katachi.records.write import to_sgf
from tests.records.growth import seconds

SOUND = b"(;SZ[9];B[aa];W[bb])"


def read(path: Path) -> tuple[list[str], list[Notice]]:
    corpus = read_games(path, cache=False)
    return [Path(game.source).name for game in corpus], corpus.notices


def grows_linearly(work: Callable[[int], object], small: int) -> bool:
    """Whether eight times as much takes far less than 64 times the processor's time, in the best of
    three trials.
    """
    work(10)
    limit = 24 * seconds(work, small) + 1.0
    return any(seconds(work, 8 * small, 1) < limit for _ in range(3))


MADE: dict[str, Callable[[int], bytes]] = {
    "spaces in a move": lambda n: b"x(;SZ[9];B[" + b" " * n + b"!];W[aa])",
    "spaces in a setup": lambda n: b"x(;SZ[9]AB[ " + b" " * n + b"!];W[aa])",
    "spaces in headers": lambda n: b"(;SZ[9]BR[" + b" " * n + b"x]WR[x" + b" " * n + b"];W[aa])",
    "open brackets": lambda n: b"(;SZ[9];B[aa]" + b"[" * n,
    "open parentheses": lambda n: b"(;SZ[9];B[aa]" + b"(;W[]" * n + b")" * n,
    "names": lambda n: b"x(;SZ[9]" + b"A " * n + b";B[aa])",
    "stray brackets": lambda n: b"x(;SZ[9]C[" + b"]x " * n + b"];B[aa])",
    "games": lambda n: b"(;SZ[9];B[aa])" * (n // 4),
    "games without moves": lambda n: b"(;)" * n,
    "areas": lambda n: b"(;SZ[19]AB" + b"[aa:ss]" * n + b";B[aa])",
    "setups": lambda n: b"(;SZ[19]" + b";AB[dd]" * (n // 8) + b";B[aa])",
    "escapes": lambda n: b"(;SZ[9]PB[" + b"\\\\" * n + b"];B[aa])",
    "digits": lambda n: b"(;SZ[9]KM[" + b"9" * n + b"]DT[" + b"9" * n + b"];B[aa])",
    "bytes of no text": lambda n: b"(;SZ[9]PB[" + b"\xff\x41" * n + b"];B[aa])",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", MADE)
def test_games_are_read_in_linear_time(what: str) -> None:
    assert grows_linearly(lambda n: parse_games(MADE[what](n)), 3000)


@pytest.mark.slow
@pytest.mark.parametrize(
    "made",
    [
        lambda n: b"(;SZ[9]" + b";B[]" * n + b"(;W[])" * n + b")",
        lambda n: b"(;SZ[9]" + b";B[](;W[];AB[aa])" * n + b")",
        lambda n: b"(;SZ[9];B[]" + b"(;W[];B[]" * n + b"(;W[]))" * n + b")",
        lambda n: b"(;SZ[9]" + b"(;B[aa]" * n + b")" * n + b")",
    ],
)
def test_trees_are_read_and_written_in_linear_time(made: Callable[[int], bytes]) -> None:
    assert grows_linearly(lambda n: parse_tree(made(n)).to_sgf(), 1000)


@pytest.mark.slow
def test_a_position_after_many_moves_takes_linear_time() -> None:
    def work(n: int) -> None:
        (game,), _ = parse_games(b"(;SZ[9]" + b";B[];W[]" * (n // 2) + b")")
        assert len(game.position().moves) == n // 2 * 2

    assert grows_linearly(work, 2500)


@pytest.mark.slow
def test_many_moves_back_take_linear_time() -> None:
    def work(n: int) -> None:
        (game,), _ = parse_games(b"(;SZ[9];AB[aa]" + b";B[];W[]" * n + b")")
        position = game.position()
        position.undo(2 * n - 1)
        assert position.moves == [(1, PASS)]
        assert len(position.history) == 2

    assert grows_linearly(work, 1500)


# -- numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "komi", "handicap"),
    [
        (b"HA[" + b"9" * 5000 + b"]", None, 0),
        (b"HA[" + b"0" * 5000 + b"2]", None, 0),  # beyond what is read of a header
        (b"HA[400]", None, 0),
        (b"HA[0002]", None, 2),
        (b"HA[\xd9\xa2]", None, 0),  # a digit, but not of ASCII
        (b"KM[" + b"9" * 400 + b"]", None, 0),
        (b"KM[-" + b"9" * 400 + b"]", None, 0),
        (b"KM[" + b"9" * 5000 + b"]", None, 0),
        (b"KM[1e999]", 1.0, 0),
        (b"KM[0." + b"0" * 400 + b"1]", 0.0, 0),
        (b"KM[-0]", 0.0, 0),
        (b"KM[12345]", None, 0),
        (b"KM[nan]", None, 0),
        (b"KM[inf]", None, 0),
    ],
)
def test_numbers_are_finite_and_bounded(
    headers: bytes, komi: float | None, handicap: int, tmp_path: Path
) -> None:
    (tmp_path / "a.sgf").write_bytes(b"(;SZ[9]" + headers + b";B[aa];W[bb])")
    (tmp_path / "b.sgf").write_bytes(SOUND)
    corpus = read_games(tmp_path, cache=False)
    assert [Path(game.source).name for game in corpus] == ["a.sgf", "b.sgf"]
    (game,), _ = parse_games((tmp_path / "a.sgf").read_bytes())
    for one in (game, corpus[0]):
        assert (one.komi, one.handicap) == (komi, handicap)
    json.dumps(summarize(corpus), allow_nan=False)


def test_komi_out_of_range_is_told() -> None:
    (game,), (notice,) = parse_games(b"(;SZ[9]KM[" + b"9" * 400 + b"];B[aa])", "f")
    assert game.komi is None
    assert (notice.kind, notice.reason) == ("mended", "komi out of range")
    assert len(str(notice)) < 200


@pytest.mark.parametrize("komi", ["7.5", "6.35", "-13", "99.99", "0.01", "375", "0"])
def test_komi_stays_the_same_when_kept_and_written(komi: str) -> None:
    (game,), _ = parse_games(f"(;SZ[9]KM[{komi}];B[aa])".encode())
    (again,), _ = parse_games(to_sgf(game))
    assert game.komi == again.komi == corpus_of([game])[0].komi
    assert game.komi is not None
    assert math.isfinite(game.komi)


@pytest.mark.parametrize(
    ("text", "stones"),
    [
        (b"(;AB[dd][pp];W[qd])", 2),
        (b"(;AB[dd];W[qd])", 0),
        (b"(;AB[dd][pp];B[qd])", 0),
        (b"(;AB[dd][pp]AW[cc];W[qd])", 0),
        (b"(;AB[dd][dd];W[qd])", 0),
        (b"(;AB[aa:cc];W[qd])", 9),
        (b"(;HA[3];W[qd])", 3),
        (b"(;HA[2]AB[dd][pp];W[qd])", 2),
        (b"(;AB[aa:sr];W[ss])", 342),
    ],
)
def test_what_a_game_says_is_plain_data(text: bytes, stones: int) -> None:
    """An ordinary handicap game without HA had a number of numpy's, which JSON does not take."""
    (game,), _ = parse_games(text)
    assert game.handicap == stones
    for one in (game, parse_tree(text).game, corpus_of([game])[0]):
        assert type(one.handicap) is int
        assert one.handicap == stones
        json.dumps([one.size, one.komi, one.handicap, one.moves, one.breaks_turn, one.digest])
    nodes = parse_tree(text).nodes
    assert all(type(action) is int for node in nodes for action in node.actions)


# -- limits ------------------------------------------------------------------------------------


def test_more_moves_than_a_corpus_can_count(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_bytes(b"(;SZ[9]" + b";B[];W[]" * 33_000 + b")")
    (tmp_path / "b.sgf").write_bytes(SOUND)
    corpus = read_games(tmp_path, cache=False)
    assert corpus.moves.tolist() == [65_535, 2]
    (notice,) = corpus.notices
    assert (notice.kind, notice.place) == ("cut", "move 65536")
    assert notice.reason == "more than 65,535 moves and setup stones"


def test_as_many_moves_as_it_can_count() -> None:
    (game,), notices = parse_games(b"(;SZ[9]" + b";B[]" * 65_535 + b")")
    assert len(game.actions) == 65_535
    assert {notice.kind for notice in notices} == {"odd"}


def test_setup_stones_count_too() -> None:
    (game,), notices = parse_games(b"(;SZ[19]" + b";AB[aa:sr]" * 300 + b";B[ss])")
    assert len(game.actions) == 342 * (65_535 // 342)
    assert [n.reason for n in notices] == ["more than 65,535 moves and setup stones"]


def test_a_node_that_names_the_whole_board_again_and_again() -> None:
    """A few letters for 361 points: the work must not follow."""
    games, (notice,) = parse_games(b"(;SZ[19];B[aa];AB" + b"[bb:ss]" * 100_000 + b";W[ab])", "f")
    assert [len(game.moves) for game in games] == [1]
    assert (notice.kind, notice.reason) == ("cut", "more than 65,535 moves and setup stones")


def test_a_stone_given_twice_in_a_node_counts_once() -> None:
    (game,), notices = parse_games(b"(;SZ[9]AB[aa:bb][aa][ab];W[ee])")
    assert len(game.actions) == 5
    assert game.handicap == 4
    assert notices == []


def test_a_tree_too_large_is_cut_in_a_corpus_and_refused_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from katachi.errors import KatachiError
    from katachi.records import grammar

    monkeypatch.setattr(grammar, "MAX_NODES", 1000)
    monkeypatch.setattr(grammar, "MAX_VALUES", 10_000)
    text = b"(;SZ[9];B[aa];W[bb]" + b"(;B[cc])" * 1000 + b")(;SZ[9];B[dd])"
    games, notices = parse_games(text, "f")
    assert [len(game.moves) for game in games] == [3, 1]
    assert [(n.kind, n.reason) for n in notices] == [("cut", "more than 200,000 nodes in one game")]
    with pytest.raises(KatachiError, match="more than 200,000 nodes in one game"):
        parse_tree(text, "f")
    values = b"(;SZ[9];B[aa]LB" + b"[]" * 10_010 + b";W[bb])(;SZ[9];B[dd])"
    games, notices = parse_games(values, "f")
    assert [len(game.moves) for game in games] == [1, 1]
    assert [(n.kind, n.reason) for n in notices] == [
        ("cut", "more than 1,000,000 values in one game")
    ]


def test_a_file_of_too_many_games_is_read_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    from katachi.records import sgf

    monkeypatch.setattr(sgf, "MAX_GAMES", 50)
    games, notices = parse_games(b"(;SZ[2];B[aa])" * 60, "f")
    assert len(games) == 50
    assert [(n.kind, n.place, n.reason) for n in notices] == [
        ("skipped", "game 51", "more than 50,000 games in one file")
    ]


def test_what_is_skipped_in_one_file_is_told_in_part() -> None:
    games, notices = parse_games(b"(;)" * 5_000 + SOUND, "f")
    assert len(games) == 1
    assert len(notices) == 1_001
    assert notices[-1].detail == "4,000 games"


def test_a_file_of_too_many_nodes_is_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    from katachi.errors import KatachiError
    from katachi.records import record

    monkeypatch.setattr(record, "MAX_FILE_NODES", 100)
    with pytest.raises(KatachiError, match="more than 100 nodes"):
        parse_tree(SOUND * 50, "f")


def test_a_tree_of_too_many_stones_stops_there(monkeypatch: pytest.MonkeyPatch) -> None:
    from katachi.records import record

    monkeypatch.setattr(record, "MAX_TREE_ACTIONS", 1_000)
    found = parse_tree(b"(;SZ[19];B[ss]" + b"(;AB[aa:sr];W[])" * 5 + b")")
    faults = [node.fault for node in found.nodes]
    assert faults[:4] == [""] * 4
    assert all("moves and setup stones" in fault for fault in faults[6:])


def test_long_headers_are_cut_and_told() -> None:
    text = b"(;SZ[9]CA[UTF-8]PB[" + b"n" * 100_000 + b"]PW[" + "李".encode() * 900 + b"];B[aa])"
    (game,), (notice,) = parse_games(text, "f")
    assert game.black == "n" * 1000
    assert game.white == "李" * 900
    assert (notice.kind, notice.place) == ("mended", "PB")
    assert notice.reason == "header of more than 1,000 characters"
    for bad in (
        b"GM[" + b"x" * 10**6 + b"]",
        b"SZ[" + b"9" * 10**6 + b"]",
        b"AB[" + b"x" * 10**6 + b"]",
        b";B[" + b"x" * 10**6 + b"]",
    ):
        _, notices = parse_games(b"(;" + bad + b";B[aa])", "f")
        assert all(len(str(notice)) < 300 for notice in notices)


# -- names -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("corpus_cache")
def test_a_name_that_is_no_utf8(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    folder = os.fsencode(tmp_path / "games")
    for name in (b"a\xff.sgf", b"b.sgf"):
        Path(os.fsdecode(folder + b"/" + name)).write_bytes(SOUND)
    Path(os.fsdecode(folder + b"/c\xfe.sgf")).write_bytes(b"hello")
    for _ in range(2):  # the second time from the cache
        corpus = read_games(tmp_path / "games")
        assert [Path(game.source).name for game in corpus] == [r"a\xff.sgf", "b.sgf"]
        (notice,) = corpus.notices
        assert Path(notice.source).name == r"c\xfe.sgf"
        json.dumps([str(notice), summarize(corpus)], ensure_ascii=False).encode()


def test_the_games_of_a_file_know_their_encoding() -> None:
    """Written back, every game says UTF-8: readers look at the first only."""
    text = b"(;SZ[9]CA[GBK];B[aa])(;SZ[9]PB[" + "聂卫平".encode("gbk") + b"];B[ee])"
    tree = parse_tree(text, "f", 2)
    assert tree.game.black == "聂卫平"
    assert parse_tree(tree.to_sgf(), "f", 2).game.black == "聂卫平"


def test_a_tree_is_written_in_the_order_of_its_properties() -> None:
    """A node with two moves, White's first, is the same game when it is read again."""
    tree = parse_tree(b"(;SZ[9]AB[dd]FF[3];W[aa]B[bb]h[x];B[cc])")
    again = parse_tree(tree.to_sgf())
    assert again.game.moves == tree.game.moves
    assert [n.properties for n in again.nodes] == [n.properties for n in tree.nodes]
    assert "" not in tree.nodes[1].properties  # a name of small letters only


def test_control_characters_far_in_a_file_are_replaced() -> None:
    text = b"(;SZ[9]C[" + b"x" * 5000 + b"\x00]PB[a\x01b\x1bc];B[aa])"
    (game,), (notice,) = parse_games(text, "f")
    assert game.black == "a\N{REPLACEMENT CHARACTER}b\x1bc"
    assert notice.reason == "control characters in the text"
    assert parse_games(to_sgf(game))[0][0].black == game.black
