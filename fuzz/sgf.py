"""SGF bytes: what is read is finite, plain and legal; what is written from it reads the same."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from pathlib import Path
from random import Random

from fuzz import damage
from katachi.errors import KatachiError
from katachi.records.corpus import corpus_of
from katachi.records.game import Game
from katachi.records.record import parse_tree
from katachi.records.sgf import parse_games
from katachi.records.summary import summarize
from katachi.records.write import to_sgf

_LETTERS = "abcdefghijklmnopqrst"
_HEADERS = (
    b"KM",
    b"HA",
    b"PB",
    b"PW",
    b"BR",
    b"WR",
    b"DT",
    b"RE",
    b"RU",
    b"CA",
    b"FF",
    b"GM",
    b"SZ",
)
_VALUES = (
    b"",
    b"1",
    b"4",
    b"9",
    b"19",
    b"6.5",
    b"375",
    b"3.75",
    b"-0",
    b"9:9",
    b"tt",
    b"UTF-8",
    b"GBK",
    b"9d",
    b"0p",
    b"B+R",
    b"2006-01-31",
    b"\xe6\x9d\x8e",
    b"M\xfcller",
    b"\x1b[31m",
    b"[red]",
    b"a\\]b",
    b"a\\\nb",
    b"\xff\xfe",
    b"9" * 400,
    b"1e999",
    b"0x10",
    b"nan",
    b" " * 50,
)
_PIECES = (
    b"(;",
    b")",
    b";",
    b"[",
    b"]",
    b"\\",
    b"B[]",
    b"W[tt]",
    b"B[aa]",
    b"AB[aa:ss]",
    b"AE[dd]",
    b"PL[W]",
    b"(;W[])",
    b"C[",
    b"SZ[",
    b"HA[9]",
    b"KM[750]",
    b" ",
    b"\n",
    b"\xe6",
    b"\x1b]0;",
    b"(;GM[1]",
    b"AddBlack[bb]",
    b"B[ aa ]",
    b"B[",
)


def generate(rng: Random) -> bytes:
    """A collection from a grammar, most often damaged afterwards."""
    games = b"".join(_game(rng) for _ in range(rng.choice((1, 1, 1, 2, 5))))
    before = rng.choice((b"", b"", b"From: a@b\n", b"\xef\xbb\xbf", b"x"))
    whole = before + games
    if rng.random() < 0.05:
        return whole.decode("latin-1").encode("utf-16")
    return whole if rng.random() < 0.3 else damage(whole, rng, _PIECES)


def _game(rng: Random) -> bytes:
    size = rng.choice((2, 3, 5, 9, 9, 9, 13, 19, 19))
    root = b";" + rng.choice((b"", b"GM[1]FF[4]")) + b"SZ[%d]" % size
    for _ in range(rng.randrange(6)):
        root += rng.choice(_HEADERS) + b"[" + rng.choice(_VALUES) + b"]"
    return b"(" + root + _line(rng, size, rng.choice((0, 5, 40, 300)), 3) + b")"


def _line(rng: Random, size: int, length: int, depth: int) -> bytes:
    """Nodes one after another, with variations at their end, down to `depth`."""
    out = [_node(rng, size, number) for number in range(length)]
    if depth and rng.random() < 0.3:
        for _ in range(rng.choice((1, 2, 3, 30))):
            out.append(b"(" + _node(rng, size, 0) + _line(rng, size, 3, depth - 1) + b")")
    return b"".join(out)


def _node(rng: Random, size: int, number: int) -> bytes:
    what = rng.random()
    if what < 0.93:
        return b";%s[%s]" % (b"BW"[number % 2 : number % 2 + 1], _point(rng, size))
    if what < 0.96:
        points = b"".join(b"[%s]" % _point(rng, size) for _ in range(rng.choice((1, 2, 5))))
        return b";" + rng.choice((b"AB", b"AW", b"AE")) + points
    if what < 0.98:
        return b";AB[%s:%s]PL[%s]" % (
            _point(rng, size),
            _point(rng, size),
            rng.choice((b"B", b"W", b"2", b"white")),
        )
    return b";B[%s]C[%s]LB[aa:1]" % (_point(rng, size), rng.choice(_VALUES))


def _point(rng: Random, size: int) -> bytes:
    if rng.random() < 0.05:
        return b""
    return (rng.choice(_LETTERS[:size]) + rng.choice(_LETTERS[:size])).encode()


def check(data: bytes, folder: Path) -> None:
    """Read it in every way that there is."""
    games, notices = parse_games(data, "f.sgf")
    assert all(str(notice).isprintable() for notice in notices), notices
    for game in games[:20]:
        _check_game(game)
    corpus = corpus_of(games, notices)
    for game, again in zip(games[:20], corpus, strict=False):
        assert _terms(game) == _terms(again)
        assert game.source == again.source
    json.dumps(summarize(corpus), allow_nan=False)
    corpus.save(folder)
    for number in (1, 2):
        try:
            tree = parse_tree(data, "f.sgf", number)
        except KatachiError:
            continue
        written = tree.to_sgf()
        again_tree = parse_tree(written, "f.sgf", number)
        assert [node.properties for node in again_tree.nodes] == [
            node.properties for node in tree.nodes
        ]
        assert [n.actions for n in again_tree.nodes] == [n.actions for n in tree.nodes]
        assert all(type(action) is int for node in tree.nodes for action in node.actions)
        assert again_tree.to_sgf() == written


def _terms(game: Game) -> dict[str, object]:
    """Everything of a game but its source."""
    terms = {f.name: getattr(game, f.name) for f in fields(Game) if f.name != "source"}
    return terms | {"actions": game.actions.tolist()}


def _check_game(game: Game) -> None:
    assert type(game.handicap) is int
    assert 0 <= game.handicap <= 361
    assert type(game.size) is int
    assert game.komi is None or (math.isfinite(game.komi) and abs(game.komi) < 100)
    json.dumps([game.moves, game.handicap, game.komi, game.breaks_turn, game.digest])
    game.position()
    again, notices = parse_games(to_sgf(game))
    assert [_terms(game)] == [_terms(one) for one in again], notices
