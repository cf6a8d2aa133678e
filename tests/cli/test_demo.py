"""`katachi demo`, on fewer games."""

from __future__ import annotations

import os
import pty
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from katachi.cli import demo
from katachi.go.points import from_vertex
from katachi.records.bundled import bundled_games
from katachi.records.corpus import Corpus
from katachi.records.filters import Filters, select
from tests.cli.test_cli import Done, katachi, one_sentence


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """Sixteen games of 19x19, one of which is kept back and asked about."""
    games = bundled_games().take(np.arange(67, 83))
    monkeypatch.setattr(demo, "bundled_games", lambda: games)
    monkeypatch.setattr(demo, "TESTED", 1)
    monkeypatch.setattr(demo, "ASKED_OF", 1)
    monkeypatch.setattr(demo, "SEEN", 10)
    monkeypatch.setattr(demo, "SIMULATIONS", 50)
    return games


def asked(done: Done) -> tuple[list[str], str]:
    """(the three moves of the question, the one that was played)."""
    moves = re.findall(r"^[123]  ([A-T]\d+) +\S", done.stdout, re.MULTILINE)
    (played,) = re.findall(r"^([A-T]\d+) was played", done.stdout, re.MULTILINE)
    return moves, played


@pytest.mark.slow
def test_the_first_minute(few: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = tmp_path / "words.png"
    done = katachi("demo", "--picture", picture)
    assert done.returncode == 0, done.stderr
    assert picture.read_bytes().startswith(b"\x89PNG")
    # What it learnt: the strongest words first
    rows = re.findall(r"([+-]\d+) +\d+ +[\d,]+ +[\d,]+ *$", done.stdout, re.MULTILINE)
    elos = [int(elo) for elo in rows]
    assert len(elos) > 10
    assert elos == sorted(elos, reverse=True)
    # How well it predicts, beside chance and the model that comes with it
    found = {
        name: float(re.findall(rf"^{name} +([\d.]+)", done.stdout, re.MULTILINE)[0])
        for name in ("uniform", "learnt just now", "comes with Katachi")
    }
    assert found["uniform"] < 1 < 10 < found["learnt just now"] < 60
    assert found["uniform"] < found["comes with Katachi"] < 60
    # The question: of this position the record has that move
    moves, played = asked(done)
    assert len(set(moves)) == 3
    assert played in moves
    number = int(re.findall(r"^Move (\d+) of gnugo-", done.stdout, re.MULTILINE)[0])
    games, _ = select(few, Filters(size=19))
    game = games[len(games) - 1]
    assert game.moves[number - 1][1] == from_vertex(played, 19)
    # Nobody was asked, since nobody is there
    assert "That is it" not in done.stdout
    assert "It was" not in done.stdout
    assert "katachi study" in done.stdout

    # Who answers is told; the rest need not be made again
    monkeypatch.setattr(demo, "_learn", lambda *_: None)
    monkeypatch.setattr(demo, "_play", lambda *_: None)
    right = moves.index(played) + 1
    for guess, said in ((str(right), "That is it."), (str(right % 3 + 1), f"It was {right}.")):
        monkeypatch.setattr(demo, "_key", lambda guess=guess: guess)
        assert said in katachi("demo", "--picture", picture).stdout


def test_a_key_is_waited_for_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path(os.devnull).open() as nobody:
        monkeypatch.setattr(sys, "stdin", nobody)
        assert demo._key() is None
    ours, theirs = pty.openpty()
    os.write(ours, b"2\n")
    with open(theirs) as terminal:  # noqa: PTH123
        monkeypatch.setattr(sys, "stdin", terminal)
        assert demo._key() == "2"
    os.close(ours)


def test_a_picture_that_cannot_be(tmp_path: Path) -> None:
    assert "is a folder" in one_sentence(katachi("demo", "--picture", tmp_path))
    assert "no kind of picture" in one_sentence(katachi("demo", "--picture", tmp_path / "a.doc"))
