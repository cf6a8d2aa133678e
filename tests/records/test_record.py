"""SGF trees: variations, comments, faults, and writing back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf

from katachi.errors import KatachiError
from katachi.go.points import from_vertex
from katachi.records.actions import POINT_BITS, is_move
from katachi.records.record import parse_tree, path_actions
from katachi.records.sgf import parse_games
from katachi.records.values import raw_text, text_of
from tests.games import bundled_sgfs

BRANCHED = rb"""(;FF[4]GM[1]SZ[9]KM[6.5]PB[A]C[root \] and \\ more]
;B[ee]C[first]LB[aa:x];W[cc](;B[gg];W[cg])(;B[gc]N[other](;W[dd])(;W[ff];B[ff];W[aa])))"""


def test_variations() -> None:
    tree = parse_tree(BRANCHED, "a.sgf")
    assert [node.parent for node in tree.nodes] == [-1, 0, 1, 2, 3, 2, 5, 5, 7, 8]
    assert tree.nodes[2].children == [3, 5]
    assert tree.nodes[0].comment == "root ] and \\ more"
    assert [n.number for n in tree.main_line] == [0, 1, 2, 3, 4]
    assert len(tree.game.moves) == 4
    for node in tree.nodes[8:]:  # a move on a stone, and what comes after it
        assert (node.actions, node.fault) == ([], "black F4: move on a stone")
    path = path_actions(tree.nodes, 7)
    assert [a & POINT_BITS for a in path] == [from_vertex(v, 9) for v in ("E5", "C7", "G7", "F4")]


def test_written_back() -> None:
    tree = parse_tree(BRANCHED, "a.sgf")
    again = parse_tree(tree.to_sgf(), "b.sgf")
    assert [n.parent for n in again.nodes] == [n.parent for n in tree.nodes]
    assert [n.properties for n in again.nodes] == [n.properties for n in tree.nodes]
    whole = sgf.Sgf_game.from_bytes(tree.to_sgf())
    assert whole.get_root().get("C") == "root ] and \\ more"
    assert whole.get_charset() == "UTF-8"


def test_other_games_and_charsets_stay() -> None:
    text = b"(;SZ[9]CA[GB2312]PB[" + "聂卫平".encode("gb2312") + b"];B[ee])(;SZ[5];B[cc]C[two])"
    tree = parse_tree(text, "two.sgf", 2)
    assert tree.game.size == 5
    games, _ = parse_games(tree.to_sgf())
    assert [game.size for game in games] == [9, 5]
    assert parse_tree(text, "two.sgf").game.black == "聂卫平"
    with pytest.raises(KatachiError, match="has 2 games, none of number 3"):
        parse_tree(text, "two.sgf", 3)


def test_main_lines_are_those_of_the_reader() -> None:
    for name, data in list(bundled_sgfs().items())[::9]:
        tree = parse_tree(data, name)
        (game,), _ = parse_games(data, name)
        last = tree.main_line[-1].number
        assert path_actions(tree.nodes, last) == game.actions.tolist()


def test_handicap_that_the_record_forgot() -> None:
    tree = parse_tree(b"(;SZ[19]HA[2];W[dd];B[qq])", "h.sgf")
    assert path_actions(tree.nodes, 2) == tree.game.actions.tolist()
    assert int(is_move(tree.game.actions).sum()) == 2
    assert len(tree.nodes[0].actions) == 2
    plain = parse_tree(b"(;SZ[19]HA[2]AB[dp][pd];W[dd];B[qq])", "h.sgf")
    assert path_actions(plain.nodes, 2) == plain.game.actions.tolist()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty file"),
        (b"hello", "no game record"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00", "binary data"),
        (b"(;SZ[25];B[aa])", "board size out of range"),
        (b"(;GM[2]SZ[9];B[aa])", "not a game of Go"),
        (b"(;SZ[9])", "no moves"),
    ],
)
def test_what_is_no_game(data: bytes, words: str) -> None:
    with pytest.raises(KatachiError, match=words):
        parse_tree(data, "x.sgf")


signs = st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n")


@given(st.text(signs, max_size=60))
def test_texts_survive(text: str) -> None:
    # SGF turns other white space into blanks
    plain = "".join(c if c == "\n" or not c.isspace() else " " for c in text)
    raw = raw_text(plain)
    tree = parse_tree(b"(;SZ[9]CA[UTF-8]C[" + raw + b"];B[ee])", "x.sgf")
    assert text_of(raw) == tree.nodes[0].comment == plain


def test_a_long_line_is_read_in_time() -> None:
    """Ten thousand passes: nothing here may grow with the square of the length."""
    moves = b"".join(b";B[];W[]" for _ in range(5000))
    tree = parse_tree(b"(;SZ[9]" + moves + b")", "long.sgf")
    assert len(tree.nodes) == 10_001
