"""The positions of a review: those of the record, in time linear in its length."""

from __future__ import annotations

from collections import Counter

import pytest

from katachi.go.position import Position
from katachi.records.game import Game
from katachi.records.sgf import parse_games
from katachi.study.review import _positions
from tests.games import bundled_sgfs

KO = "AB[ab][ba][bc][cb]AW[bd][cc][db][ca]"


@pytest.mark.parametrize(
    "sgf",
    [
        next(iter(bundled_sgfs().values())),
        b"(;SZ[9]AB[dd][gg];W[ee];B[ed])",
        b"(;SZ[9]PL[W];W[ee];B[ed];B[aa];W[bb])",
        b"(;SZ[9];B[ee];W[cc]AB[aa][bb];B[gg];W[gc];AE[aa];W[aa])",
        f"(;SZ[5]{KO};W[bb];W[dd];B[ab])".encode(),  # a ko whose ban ends with the turn
        f"(;SZ[5]{KO};W[bb];B[ee];W[ed];B[bb])".encode(),
        b"(;SZ[9];B[];W[];B[ee])",
    ],
)
def test_the_positions_of_the_record(sgf: bytes) -> None:
    (game,), _ = parse_games(sgf)
    number = 0
    for number, (colour, move, position) in enumerate(_positions(game), 1):
        wanted = game.position(number - 1)
        assert (colour, move) == game.moves[number - 1]
        assert position.colors.tolist() == wanted.colors.tolist()
        assert (position.to_move, position.ko) == (wanted.to_move, wanted.ko)
        assert (position.previous, position.moves) == (wanted.previous, wanted.moves)
        assert position.beginning == wanted.beginning
    assert number == len(game.moves)


def test_a_long_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The record is replayed once, and each move is played once."""
    (game,), _ = parse_games(b"(;SZ[9]" + b";B[];W[]" * 1000 + b")")
    count: Counter[str] = Counter()
    whole, play = Game.position, Position.play

    def counted(self: Game, move: int | None = None) -> Position:
        count["position"] += 1
        return whole(self, move)

    def played(self: Position, *args: int, **more: bool) -> int:
        count["play"] += 1
        return play(self, *args, **more)

    monkeypatch.setattr(Game, "position", counted)
    monkeypatch.setattr(Position, "play", played)
    for _ in _positions(game):
        pass
    assert count == {"position": 1, "play": 2000}
