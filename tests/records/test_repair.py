"""Damage and what is read in spite of it, as rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from katachi.records import repair as mending
from katachi.records.repair import NoGame, repair
from katachi.records.sgf import parse_games
from tests.records.growth import seconds

ROWS = [
    # (what, damaged text, moves of the games read, note)
    ("sound", "(;SZ[9];B[aa];W[bb])", ["aa bb"], None),
    ("no opening", ";SZ[9];B[aa];W[bb])", ["aa bb"], mending.NO_OPENING),
    (
        "no opening, variations",
        ";SZ[9];B[aa](;W[bb];B[cc])(;W[dd])",
        ["aa bb cc"],
        mending.NO_OPENING,
    ),
    ("no semicolon", "(SZ[9];B[aa];W[bb])", ["aa bb"], None),
    ("neither", "SZ[9];B[aa];W[bb]", ["aa bb"], mending.NO_OPENING),
    ("no closing", "(;SZ[9];B[aa];W[bb]", ["aa bb"], mending.NO_CLOSING),
    ("cut in a move", "(;SZ[9];B[aa];W[b", ["aa"], mending.CUT_OFF),
    ("cut in a comment", "(;SZ[9];B[aa]C[a fine mo", ["aa"], mending.CUT_OFF),
    ("cut after a name", "(;SZ[9];B[aa];W", ["aa"], mending.NO_CLOSING),
    (
        "mail headers",
        "From: a@b\nSubject: my game; see below\n\n(;SZ[9];B[aa];W[bb])",
        ["aa bb"],
        None,
    ),
    (
        "mail headers, no opening",
        "Subject: Re: game\n\n;SZ[9];B[aa];W[bb])",
        ["aa bb"],
        mending.BEFORE,
    ),
    ("bracket in a comment", "(;SZ[9];B[aa]C[see [1] here];W[bb])", ["aa bb"], mending.BRACKET),
    ("bracket in a name", "(;SZ[9]PB[Cho [9p] Chikun];B[aa];W[bb])", ["aa bb"], mending.BRACKET),
    ("escaped bracket", r"(;SZ[9];B[aa]C[see [1\] here];W[bb])", ["aa bb"], None),
    ("move without bracket", "(;SZ[9];B[aa;W[bb])", ["aa bb"], mending.NO_BRACKET),
    ("surplus closing", "(;SZ[9];B[aa];W[bb])))", ["aa bb"], None),
    ("junk between", "(;SZ[9];B[aa] !!! ;W[bb])", ["aa bb"], mending.JUNK),
    (
        "moves after a variation",
        "(;SZ[9];B[aa](;W[bb];B[cc]);W[dd])",
        ["aa bb cc"],
        mending.AFTER_VARIATION,
    ),
    ("old long names", "(;GaMe[1]SiZe[9];Black[aa];White[bb])", ["aa bb"], None),
    (
        "two games, the first unclosed",
        "(;GM[1]SZ[9];B[aa];W[bb](;GM[1]SZ[9];B[cc])",
        ["aa bb", "cc"],
        mending.NO_CLOSING,
    ),
    ("two games", "(;SZ[9];B[aa])\n(;SZ[9];B[bb])", ["aa", "bb"], None),
    ("doubled property", "(;SZ[9]AP[a]AP[b];B[aa];W[bb])", ["aa bb"], None),
    ("spaces everywhere", "( ; SZ [9] ; B [aa] ; W\n[bb] )", ["aa bb"], None),
    ("stray opening", "(;SZ[9];B[aa] ( ;W[bb])", ["aa bb"], mending.NO_CLOSING),
]


@pytest.mark.parametrize(
    ("text", "moves", "note"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_rows(text: str, moves: list[str], note: str | None) -> None:
    games, notices = parse_games(text.encode(), "f")
    read = [" ".join(_letters(p) for _, p in game.moves) for game in games]
    assert read == moves
    assert [game.size for game in games] == [9] * len(games)
    if note:
        assert note in [n.reason for n in notices if n.kind == "mended"]


def _letters(p: int) -> str:
    from katachi.go.points import letters

    return letters(p)


@pytest.mark.parametrize("text", ["", "   ", "hello", "1234 ;;;", "[[[]]]", "())(", "\\\\"])
def test_nothing_to_mend(text: str) -> None:
    with pytest.raises(NoGame):
        repair(text)


@given(st.text(alphabet="();[]\\ABWSZaz:9 \n"))
def test_mended_text_always_parses(text: str) -> None:
    """What comes back is SGF for sgfmill, or there is no game."""
    try:
        mended, _ = repair(text)
    except NoGame:
        return
    if "(" in mended:
        assert sgf_grammar.parse_sgf_collection(mended.encode())


@given(st.text(alphabet="();[]\\ABWSZaz:9 \n"))
def test_sound_text_comes_through_unchanged(text: str) -> None:
    """A game that sgfmill writes is not touched by the mender."""
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = [{"C": [sgf_grammar.escape_text(text.encode())]}, {"B": [b"aa"]}]
    sound = sgf_grammar.serialise_game_tree(tree, wrap=None).decode()
    mended, notes = repair(sound)
    assert notes == []
    assert mended == sound.rstrip("\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("unit", "times"),
    [
        ("]", 4000),
        ("[", 4000),
        ("(;", 4000),
        (")", 4000),
        ("C[", 4000),
        ("C[]x ", 1500),
        ("(;C[x]", 1000),
        (" ", 4000),
        ("\\", 4000),
        ("B[aa", 4000),
        ("A", 4000),
        ("C[a]] ", 1500),
    ],
)
def test_time_is_linear(unit: str, times: int) -> None:
    """Ten times the text takes about ten times as long: no hidden square."""

    def work(n: int) -> None:
        parse_games(("(;GM[1];B[aa]C[" + unit * n).encode())

    assert seconds(work, 10 * times) < 40 * seconds(work, times) + 0.05
