"""`suggest`, `explain`, `review` and `study` from the command line."""

from __future__ import annotations

import io
import json
import socket
import sys
from functools import partial
from pathlib import Path

import pytest

from katachi.go.points import vertex
from katachi.models.model import load_model
from katachi.records.sgf import parse_games
from katachi.study.opinion import Opinion
from tests.cli.test_learning_verbs import katachi
from tests.cli.test_ranking_verbs import sentence
from tests.games import bundled_sgfs
from tests.learning.maxent.test_entropy import MAXENT
from tests.trained import trained

GAME = next(iter(bundled_sgfs().values()))
DIAGRAM = """
  A B C D E
5 . . . . . 5
4 . X O . . 4
3 . . X O . 3
2 . . . . . 2
1 . . . . . 1
  A B C D E
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("verbs")
    (root / "game.sgf").write_bytes(GAME)
    (root / "two.sgf").write_bytes(b"(;SZ[9];B[ee];W[cc])(;SZ[9];B[gg])")
    (root / "odd.sgf").write_bytes(b"(;SZ[9];B[ee];W[ee];B[cc])")
    (root / "picture.sgf").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    (root / "board25.sgf").write_bytes(b"(;SZ[25];B[aa])")
    (root / "empty.sgf").write_bytes(b"")
    (root / "diagram.txt").write_text(DIAGRAM)
    (root / "bad.txt").write_text(". . .\n. ! .\n. . .")
    (root / "folder").mkdir()
    with (root / "huge.sgf").open("wb") as huge:
        huge.truncate(60_000_000)
    trained(MAXENT).save(root / "maxent.katachi")
    return root


def test_suggest(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = katachi(capsys, "suggest", place / "game.sgf", "--move", "10")
    assert (done.code, done.err) == (0, "")
    (game,), _ = parse_games(GAME)
    opinion = Opinion(load_model(), game.position(9))
    lines = done.out.splitlines()
    assert lines[0].split() == list("ABCDEFGHJ")
    board = lines[1:10]
    colors = game.position(9).colors
    assert sum(line.count("●") for line in board) == int((colors == 1).sum())
    assert sum(line.count("○") for line in board) == int((colors == 2).sum())
    played = vertex(game.moves[9][1], 9)
    assert f"move 10, white to play; {played} was played: " in done.out
    rows = [line.split()[1] for line in lines if line[:1] in "123456789a" and "%" in line]
    assert rows == [vertex(p, 9) for p in opinion.ranked[:10]]
    told = json.loads(katachi(capsys, "suggest", place / "game.sgf", "--move", "10", "--json").out)
    assert [m["vertex"] for m in told["moves"]] == rows
    assert told["played"]["rank"] == opinion.rank(game.moves[9][1])
    again = katachi(capsys, "suggest", place / "game.sgf", "--move", "10", "--as-json")
    assert json.loads(again.out) == told
    after = json.loads(katachi(capsys, "suggest", place / "game.sgf", "--json", "--top", "2").out)
    assert (after["number"], after["played"]) == (len(game.moves) + 1, None)
    assert len(after["moves"]) == 2


def test_without_a_game(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = partial(katachi, capsys, "suggest", "--json")
    told = json.loads(run("--moves", "Q16 D4, pass").out)
    assert (told["size"], told["number"], told["to_move"]) == (19, 4, "white")
    told = json.loads(run("--moves", "E5", "--size", "9", "--to-move", "black").out)
    assert (told["size"], told["to_move"]) == (9, "black")
    nine = "\n".join([". . . . . . . . ."] * 8 + [". . X . . . O . ."])
    (place / "nine.txt").write_text(nine)
    told = json.loads(run("--diagram", place / "nine.txt", "--to-move", "white").out)
    assert (told["size"], told["to_move"]) == (9, "white")
    monkeypatch.setattr(sys, "stdin", io.StringIO(nine))
    assert json.loads(run("--diagram", "-").out)["to_move"] == "black"


def test_whose_turn_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """--to-move after a ko was taken: the ban is for the other colour; and it outlives `undo`."""
    ko = "E5 F5 D4 E4 C5 G5 D6 E6 A1 D5"  # White has taken E5
    nine = ("--size", "9", "--json")
    run = partial(katachi, capsys, "explain", "--moves", ko, *nine)
    assert "no legal move" in sentence(run("E5"))
    assert json.loads(run("E5", "--to-move", "white").out)["move"]["vertex"] == "E5"
    # Without a vertex it is about the last move, as if the colour had played it
    moves = partial(katachi, capsys, "explain", "--moves", "E5 C7", "--size", "9")
    assert "move 2, black to play" in moves("--to-move", "black").out
    assert "move 2, white to play" in moves().out


def test_with_a_search(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = partial(katachi, capsys, "suggest", place / "game.sgf", "--move", "5", "--search", "300")
    told = json.loads(run("--json").out)
    rates = [m["search"]["win_rate"] for m in told["moves"] if "search" in m]
    assert rates
    assert all(0 <= rate <= 1 for rate in rates)
    assert "search" in run().out
    words = sentence(run("--model", place / "maxent.katachi"))
    assert "--search: " in words


def test_explain(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = partial(katachi, capsys, "explain", place / "game.sgf")
    done = run("--move", "10")
    assert (done.code, done.err) == (0, "")
    for words in ("all together", "gamma", "Elo", "this move …", "the largest known shapes"):
        assert words in done.out
    told = json.loads(run("--move", "10", "--json").out)
    (game,), _ = parse_games(GAME)
    assert told["move"]["vertex"] == vertex(game.moves[9][1], 9)
    assert told["other"]["vertex"] != told["move"]["vertex"]
    given = json.loads(run("E1", "--move", "10", "--json").out)
    assert given["move"]["vertex"] == "E1"
    last = json.loads(run("--json").out)
    assert last["move"]["vertex"] == vertex(game.moves[-1][1], 9)
    plain = katachi(capsys, "explain", "--moves", "E5 C7", "--size", "9", "--json")
    assert json.loads(plain.out)["move"]["vertex"] == "C7"
    other = katachi(capsys, "explain", "G3", "--moves", "E5 C7", "--size", "9", "--json")
    assert json.loads(other.out)["move"]["vertex"] == "G3"


def test_review(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "reviewed.sgf"
    done = katachi(capsys, "review", place / "game.sgf", "-o", out)
    assert done.code == 0
    assert f"wrote {out}" in done.err
    assert "first choices" in done.out
    (game,), _ = parse_games(GAME)
    (again,), _ = parse_games(out.read_bytes())
    assert again.actions.tolist() == game.actions.tolist()
    told = json.loads(katachi(capsys, "review", place / "game.sgf", "--json").out)
    assert len(told["moves"]) == len(game.moves)
    least = told["unusual"][0]
    assert str(least) in done.out.splitlines()[1].split()
    every = katachi(capsys, "review", place / "game.sgf", "--all").out
    assert len(every.splitlines()) > len(game.moves)
    first = out.read_bytes()
    assert katachi(capsys, "review", out, "-o", out).code == 0  # into itself
    assert out.read_bytes() == first


def test_a_game_that_is_cut(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = katachi(capsys, "review", place / "odd.sgf", "-o", tmp_path / "a.sgf")
    assert done.code == 0
    assert "move 2: cut: move on a stone" in done.err
    assert b"W[ee]" in (tmp_path / "a.sgf").read_bytes()  # all is kept


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("suggest",), "name one of: a game, --diagram FILE, --moves MOVES"),
        (("suggest", "{here}/game.sgf", "--moves", "D4"), "name one of"),
        (("suggest", "{here}/gaem.sgf"), "/game.sgf?"),
        (("suggest", "{here}/none.sgf"), "does not exist: name an SGF file"),
        (("suggest", "{here}/folder"), "is a folder: name one SGF file"),
        (("suggest", "{here}/empty.sgf"), "empty file"),
        (("suggest", "{here}/picture.sgf"), "binary data"),
        (("suggest", "{here}/board25.sgf"), "board size out of range"),
        (("suggest", "{here}/huge.sgf"), "has more than 10 MB"),
        (("suggest", "{here}/game.sgf", "--move", "999"), "none of number 999"),
        (("suggest", "{here}/game.sgf", "--move", "0"), "none of number 0"),
        (("suggest", "{here}/two.sgf", "--game", "3"), "has 2 games, none of number 3"),
        (("suggest", "--moves", "D4", "--move", "1"), "--move is for a game"),
        (("suggest", "--moves", "D4 D4"), "--moves: move 2, D4"),
        (("suggest", "--moves", "Z9"), "--moves: move 1, Z9"),
        (("suggest", "--moves", "D4", "--size", "11"), "11x11"),
        (("suggest", "--diagram", "{here}/bad.txt"), "line 2: '!' is neither stone"),
        (("suggest", "--diagram", "{here}/none.txt"), "cannot be read"),
        (("suggest", "--diagram", "{here}/diagram.txt"), "5x5"),
        (("suggest", "{here}/game.sgf", "--size", "9"), "--size is for --moves"),
        (("suggest", "{here}/game.sgf", "--to-move", "black"), "a game knows whose turn it is"),
        (("suggest", "{here}/game.sgf", "--model", "{here}/no.katachi"), "does not exist"),
        (("explain", "{here}/game.sgf", "--move", "3", "Z99"), "is no vertex"),
        (("explain", "{here}/game.sgf", "--move", "999"), "none of number 999"),
        (("explain", "{here}/game.sgf", "D4", "E4"), "too many arguments"),
        (("explain", "--diagram", "{here}/nine9.txt"), "cannot be read"),
        (("explain", "--moves", ""), "names no move to explain"),
        (("review", "{here}/none.sgf"), "does not exist"),
        (("review", "{here}/game.sgf", "-o", "{here}/folder"), "is a folder"),
        (("review", "{here}/game.sgf", "-o", "{here}/no/a.sgf"), "does not exist: make it"),
        (
            ("review", "{here}/game.sgf", "--search", "20", "--model", "{here}/maxent.katachi"),
            "--search: ",
        ),
        (("study", "{here}/none.sgf", "--no-browser"), "does not exist"),
        (("study", "{here}/board25.sgf", "--no-browser"), "board size out of range"),
        (("study", "--port", "99999"), "99999"),
    ],
)
def test_mistakes(
    place: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], words: str
) -> None:
    given = [arg.replace("{here}", str(place)) for arg in args]
    assert words in sentence(katachi(capsys, *given))


def test_a_point_that_is_taken(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (game,), _ = parse_games(GAME)
    taken = vertex(game.moves[0][1], 9)
    run = partial(katachi, capsys, "explain", place / "game.sgf", taken, "--move", "2")
    assert f"{taken} is no legal move here" in sentence(run())


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = katachi(capsys, "study", "--no-browser", "--port", port)
    assert f"port {port} cannot be used" in sentence(done)
