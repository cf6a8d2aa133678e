from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf, sgf_moves

from katachi.go.points import BLACK, PASS, WHITE, from_letters, point, vertex
from katachi.records.game import Game
from katachi.records.sgf import parse_games
from katachi.records.write import to_sgf
from tests.games import bundled_sgfs
from tests.records.oracle import first_fault


def read_one(text: str) -> Game:
    games, _ = parse_games(text.encode(), "f.sgf")
    assert len(games) == 1
    return games[0]


def reasons(text: str | bytes, kind: str) -> list[tuple[str, str]]:
    data = text if isinstance(text, bytes) else text.encode()
    return [(n.reason, n.place) for n in parse_games(data, "f.sgf")[1] if n.kind == kind]


def test_headers() -> None:
    game = read_one(
        "(;GM[1]FF[4]SZ[13]KM[6.5]RU[Japanese]PB[Cho\nChikun]BR[9p]PW[a\\]b]WR[6d]"
        "DT[1980-10-08]RE[B+R];B[aa])"
    )
    assert (game.size, game.komi, game.rules) == (13, 6.5, "Japanese")
    assert (game.black, game.black_rank) == ("Cho Chikun", "9p")
    assert (game.white, game.white_rank) == ("a]b", "6d")
    assert (game.date, game.result, game.source) == ("1980-10-08", "B+R", "f.sgf")
    assert game.handicap == 0


def test_bundled_games_are_what_sgfmill_says() -> None:
    """Moves and final board of every bundled game, by sgfmill alone."""
    for name, data in bundled_sgfs().items():
        theirs = sgf.Sgf_game.from_bytes(data)
        board, plays = sgf_moves.get_setup_and_moves(theirs)
        (game,), notices = parse_games(data, name)
        assert not notices
        assert game.size == theirs.get_size()
        assert game.komi == theirs.get_komi()
        size = game.size
        expected = [
            ("bw".index(c) + 1, PASS if m is None else point(size - 1 - m[0], m[1]))
            for c, m in plays
        ]
        assert game.moves == expected
        for colour, move in plays:
            if move is not None:
                board.play(*move, colour)
        position = game.position()
        for row in range(size):
            for col in range(size):
                stone = {None: 0, "b": BLACK, "w": WHITE}[board.get(size - 1 - row, col)]
                assert position.stone((row, col)) == stone


def test_passes() -> None:
    game = read_one("(;SZ[19];B[];W[tt];B[dd])")
    assert game.moves == [(BLACK, PASS), (WHITE, PASS), (BLACK, from_letters("dd", 19))]


def test_moves_in_the_root() -> None:
    assert len(read_one("(;SZ[9]B[aa];W[bb])").moves) == 2


def test_setup_and_turn() -> None:
    game = read_one("(;SZ[9]AB[aa:bb][dd]AW[ff]PL[W];W[ee];B[cc])")
    start = game.position(0)
    assert [vertex(p, 9) for p in start.string("A9")] == ["A9", "B9", "A8", "B8"]
    assert start.stone("D6") == BLACK
    assert start.stone("F4") == WHITE
    assert start.to_move == WHITE
    assert game.handicap == 0  # white stones too: a setup, no handicap
    assert game.has_setup


def test_setup_in_the_middle() -> None:
    game = read_one("(;SZ[9];B[aa];W[bb];AE[aa]AB[ee];B[cc];W[ab])")
    assert game.position(2).stone("A9") == 0  # what follows move 2 belongs to its position
    assert game.position(2).stone("E5") == BLACK
    assert game.position().stone("A8") == WHITE
    assert len(game.moves) == 4


def test_setup_that_clears_a_ko() -> None:
    # Black takes the ko at C8; a setup in between ends the ban.
    ko = "(;SZ[9]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb]%s;W[bb])"
    assert reasons(ko % "", "cut") == [("ko retaken at once", "move 2")]
    assert reasons(ko % ";AB[ii]", "cut") == []


def test_handicap() -> None:
    assert read_one("(;SZ[19]HA[2]AB[dp][pd];W[dd])").handicap == 2
    assert read_one("(;SZ[19]AB[dp][pd];W[dd])").handicap == 2
    assert read_one("(;SZ[19]HA[1];B[dd])").handicap == 0
    assert read_one("(;SZ[19]HA[0];B[dd])").handicap == 0
    assert read_one("(;SZ[19]HA[2];B[dd];B[pp];W[dp])").handicap == 2


def test_forgotten_handicap_stones() -> None:
    text = "(;SZ[19]HA[3];W[pp];B[nq])"
    game = read_one(text)
    stones = {vertex(p, 19) for p in range(421) if game.position(0).colors[p] == BLACK}
    assert stones == {"D4", "Q16", "D16"}
    assert game.position(0).to_move == WHITE
    assert reasons(text, "mended") == [("handicap stones put on the usual points", "")]


def test_handicap_stones_that_do_not_fit_are_left_out() -> None:
    game = read_one("(;SZ[19]HA[2];W[dp];B[pp])")  # White plays where a stone would stand
    assert not game.has_setup
    assert game.handicap == 2


@pytest.mark.parametrize(
    ("text", "reason", "place"),
    [
        ("(;SZ[9];B[aa];W[aa];B[bb])", "move on a stone", "move 2"),
        ("(;SZ[9]AB[ab][ba];W[aa])", "suicide", "move 1"),
        ("(;SZ[9];B[aa];W[jj];B[bb])", "point outside the board", "move 2"),
        ("(;SZ[9];B[aa];W[abc])", "point outside the board", "move 2"),
        ("(;SZ[9];B[aa];AB[zz];W[bb])", "point outside the board", "move 2"),
        ("(;SZ[9];B[aa];AW[ab][ba])", "setup leaves a string without liberty", "after move 1"),
    ],
)
def test_cut_or_skipped_at_the_fault(text: str, reason: str, place: str) -> None:
    games, notices = parse_games(text.encode(), "f.sgf")
    (found,) = [n for n in notices if n.kind in ("cut", "skipped")]
    assert (found.reason, found.place) == (reason, place)
    assert found.kind == ("cut" if games else "skipped")
    if games:
        assert len(games[0].moves) == 1


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty file"),
        (b" \n", "empty file"),
        (b"hello world", "no game record"),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00", "binary data"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "binary data"),
        (b"(;GM[2];B[aa])", "not a game of Go"),
        (b"(;SZ[21];B[aa])", "board size out of range"),
        (b"(;SZ[1];B[aa])", "board size out of range"),
        (b"(;SZ[19:9];B[aa])", "board not square"),
        (b"(;SZ[big];B[aa])", "board size out of range"),
        (b"(;SZ[9]PB[a])", "no moves"),
    ],
)
def test_skipped(data: bytes, reason: str) -> None:
    games, notices = parse_games(data, "f.sgf")
    assert games == []
    assert [(n.kind, n.reason, n.source) for n in notices] == [("skipped", reason, "f.sgf")]


def test_colours_out_of_turn_are_kept_and_told() -> None:
    text = "(;SZ[9];B[aa];W[bb];W[cc];B[dd])"
    assert [c for c, _ in read_one(text).moves] == [1, 2, 2, 1]
    assert reasons(text, "odd") == [("colours do not alternate", "move 3")]


def test_two_moves_in_a_node() -> None:
    assert len(read_one("(;SZ[9];B[aa]W[bb];B[cc])").moves) == 3
    text = "(;SZ[9];B[aa][bb];W[cc])"
    assert len(read_one(text).moves) == 2
    assert reasons(text, "mended") == [("move given twice", "node 1")]


def test_collections_number_their_games() -> None:
    games, _ = parse_games(b"(;SZ[9];B[aa])(;SZ[9];B[bb])", "two.sgf")
    assert [game.source for game in games] == ["two.sgf#1", "two.sgf#2"]


def test_deep_variations_take_no_stack() -> None:
    depth = 20_000
    text = "(;SZ[19]" + "(;C[x]" * depth + ";B[aa]" + ")" * (depth + 1)
    assert len(read_one(text).moves) == 1


@settings(max_examples=150)
@given(st.data())
def test_damaged_games_never_raise_and_stay_legal(data: st.DataObject) -> None:
    """Bytes lost, doubled, swapped or overwritten in a real game: whatever is read is legal."""
    names = sorted(bundled_sgfs())
    damaged = bytearray(bundled_sgfs()[data.draw(st.sampled_from(names))])
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    for _ in range(rng.randrange(1, 12)):
        at, length = rng.randrange(len(damaged)), rng.choice((1, 1, 2, 5, 40))
        change = rng.randrange(4)
        if change == 0:
            del damaged[at : at + length]
        elif change == 1:
            damaged[at:at] = damaged[at : at + length]
        elif change == 2:
            damaged[at : at + length] = rng.choices(b"()[];\\BWab\xe5\x00 ", k=length)
        else:
            damaged = damaged[: max(at, 1)]
        if not damaged:
            return
    games, notices = parse_games(bytes(damaged), "f")
    assert games or any(n.kind == "skipped" for n in notices)
    for game in games:
        if not game.has_setup:
            assert first_fault(game) == ""


@given(st.binary(max_size=300))
def test_any_bytes_are_games_or_skipped(data: bytes) -> None:
    games, notices = parse_games(data, "f")
    assert games or any(n.kind == "skipped" for n in notices)


# -- and out again ----------------------------------------------------------------------------

_NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs")), max_size=12).map(
    str.strip
)


@st.composite
def random_games(draw: st.DrawFn) -> Game:
    """A random legal course with setup and passes, through the reader once, so in its form."""
    size = draw(st.integers(2, 19))
    rng = random.Random(draw(st.integers(0, 2**32)))
    letter = [chr(97 + i) for i in range(size)]

    def spot() -> str:
        return rng.choice(letter) + rng.choice(letter)

    nodes = []
    for _ in range(rng.randrange(1, 60)):
        chance = rng.random()
        if chance < 0.05:
            nodes.append(f";A{rng.choice('BWE')}[{spot()}]PL[{rng.choice('BW')}]")
        elif chance < 0.1:
            nodes.append(f";{rng.choice('BW')}[]")
        else:
            nodes.append(f";{rng.choice('BW')}[{spot()}]")
    games, _ = parse_games(f"(;SZ[{size}];B[]{''.join(nodes)})".encode())
    return games[0]


@given(random_games(), _NAMES, _NAMES, st.sampled_from([None, 0.0, 6.5, -7.5]))
def test_written_and_read_again(game: Game, black: str, rules: str, komi: float | None) -> None:
    from dataclasses import replace

    game = replace(game, black=black, rules=rules, komi=komi, result="B+R", handicap=0)
    data = to_sgf(game)
    (again,), notices = parse_games(data)
    assert [n for n in notices if n.kind in ("mended", "cut", "skipped")] == []
    assert again.actions.tolist() == game.actions.tolist()
    assert (again.size, again.komi, again.black, again.rules, again.result) == (
        game.size,
        komi,
        black,
        rules,
        "B+R",
    )
    assert sgf.Sgf_game.from_bytes(data).get_size() == game.size
    for wanted in (b"FF[4]", b"CA[UTF-8]", b"AP[Katachi:"):
        assert wanted in data
