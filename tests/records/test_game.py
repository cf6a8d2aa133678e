from __future__ import annotations

import numpy as np
import pytest

from katachi.go.points import BLACK, WHITE
from katachi.go.symmetry import SYMMETRIES, point_tables
from katachi.records.actions import SETUP, points_of
from katachi.records.game import Game, Notice
from katachi.records.sgf import parse_games
from tests.games import bundled_sgfs


def bundled(name: str) -> Game:
    return parse_games(bundled_sgfs()[name], name)[0][0]


def turned(game: Game, symmetry: int) -> Game:
    """The same game under a symmetry."""
    points = point_tables(game.size)[symmetry][points_of(game.actions)].astype(np.uint16)
    return Game(game.size, (game.actions & ~np.uint16(0x1FF)) | points)


def test_digest_is_the_same_in_all_symmetries() -> None:
    for name in ("gnugo-09-001.sgf", "gnugo-19-001.sgf"):
        game = bundled(name)
        assert {turned(game, s).digest for s in range(SYMMETRIES)} == {game.digest}


def test_digests_differ_between_games() -> None:
    digests = {parse_games(data)[0][0].digest for data in bundled_sgfs().values()}
    assert len(digests) == len(bundled_sgfs())


def test_digest_tells_size_colour_setup_and_length() -> None:
    def digest(text: str) -> int:
        return parse_games(text.encode())[0][0].digest

    forms = [
        "(;SZ[9];B[cc];W[dd])",
        "(;SZ[11];B[cc];W[dd])",
        "(;SZ[9];W[cc];B[dd])",
        "(;SZ[9]AB[cc];W[dd])",
        "(;SZ[9];B[cc];W[dd];B[])",
        "(;SZ[9];B[cc];W[cd])",
    ]
    assert len({digest(form) for form in forms}) == len(forms)
    assert digest("(;SZ[9];B[cc];W[cd])") == digest("(;SZ[9];B[cc];W[dc])")  # mirrored


def test_positions_step_by_step() -> None:
    game = bundled("gnugo-09-002.sgf")
    position = game.position(0)
    for number, (colour, p) in enumerate(game.moves, 1):
        position.play(p, colour)
        there = game.position(number)
        assert (there.colors == position.colors).all()
        assert there.moves == position.moves
    for wrong in (-1, len(game.moves) + 1):
        with pytest.raises(ValueError, match="the game has"):
            game.position(wrong)


def test_who_moves_next_is_what_the_record_says() -> None:
    (game,), _ = parse_games(b"(;SZ[19]AB[dd][pp];W[dp])")
    assert game.position(0).to_move == WHITE
    (game,), _ = parse_games(b"(;SZ[19];B[dd];B[pp])")
    assert game.position(1).to_move == BLACK
    (game,), _ = parse_games(b"(;SZ[19];B[dd];PL[B])")
    assert game.position().to_move == BLACK
    assert (game.actions & SETUP).any()
    assert not game.has_setup


def test_notice_reads_as_a_sentence() -> None:
    notice = Notice("cut", "a.sgf", "move 7", "suicide", "white T1")
    assert str(notice) == "a.sgf, move 7: cut: suicide (white T1)"


def test_a_colour_that_moves_out_of_turn_is_not_under_the_ban_of_its_own_ko() -> None:
    """Black takes a ko and, White's answer missing from the record, fills it."""
    sgf = b"(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];B[bb])"
    ((game,), _) = parse_games(sgf, "ko.sgf")
    position = game.position(1)
    assert position.to_move == BLACK
    assert game.moves[1][1] in position.legal_moves()
