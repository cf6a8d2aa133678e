"""`suggest --search`: the engine's own move is always there, whatever the model thinks of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from katachi.cli.boards import SIGNS
from katachi.go.points import PASS, from_vertex
from katachi.go.position import Position
from katachi.models.model import load_model
from katachi.search.player import Budget, GameState
from katachi.study.opinion import Opinion
from katachi.study.searched import Judgement, Searcher
from tests.cli.test_learning_verbs import katachi
from tests.cli.test_ranking_verbs import sentence


def told(best: str, monkeypatch: pytest.MonkeyPatch, visits: int = 120) -> None:
    """A search that prefers this move."""
    move = from_vertex(best, 9)
    rates = {move: (visits, 0.614)} if visits else {}

    def moves(_self: Searcher, _game: GameState, _budget: Budget) -> Judgement:
        return Judgement(rates, move, 0.614, 2000)

    monkeypatch.setattr(Searcher, "moves", moves)


@pytest.mark.parametrize("top", [1, 10, len(SIGNS)])
def test_a_move_that_the_model_does_not_list(
    top: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told("A1", monkeypatch)
    args = ("suggest", "--moves", "E5 C7", "--size", "9", "--search", "2000", "--top", str(top))
    opinion = Opinion(load_model(), _position())
    assert from_vertex("A1", 9) not in [one.move for one in opinion.suggest(top)]
    done = katachi(capsys, *args)
    assert done.code == 0
    rows = [line for line in done.out.splitlines() if "← the engine's move" in line]
    assert len(rows) == 1
    assert " A1 " in rows[0]
    assert "61% of 120" in rows[0]
    assert "search of 2,000" in done.out
    data = json.loads(katachi(capsys, *args, "--json").out)
    assert data["engine"] == {"vertex": "A1", "win_rate": 0.614, "visits": 120, "simulations": 2000}
    assert [m["vertex"] for m in data["moves"] if m["engine"]] == ["A1"]
    assert data["moves"][-1]["search"] == {"visits": 120, "win_rate": 0.614}
    assert len(data["moves"]) == top + 1


def _position() -> Position:
    position = Position(9)
    position.play("E5")
    position.play("C7")
    return position


def test_a_move_that_it_lists_is_marked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    second = Opinion(load_model(), _position()).suggest(2)[1].vertex
    told(second, monkeypatch)
    args = ("suggest", "--moves", "E5 C7", "--size", "9", "--search", "2000", "--json")
    data = json.loads(katachi(capsys, *args).out)
    assert [m["engine"] for m in data["moves"]] == [False, True, *[False] * 8]


def test_a_pass(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    told("pass", monkeypatch, visits=0)  # as at the end of a game, where the rest is settled
    args = ("suggest", "--moves", "E5 C7", "--size", "9", "--search", "2000")
    rows = [r for r in katachi(capsys, *args).out.splitlines() if "← the engine's move" in r]
    assert len(rows) == 1
    assert "pass" in rows[0]


def test_a_real_search(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The move named is that of a search of one's own; a game that is over has none."""
    args = ("suggest", "--moves", "E5 C7", "--size", "9", "--search", "300", "--top", "1", "--json")
    data = json.loads(katachi(capsys, *args).out)
    best = data["engine"]
    assert best["visits"] <= best["simulations"]
    assert [m["vertex"] for m in data["moves"] if m["engine"]] == [best["vertex"]]
    found = Searcher(load_model()).moves(GameState(_position(), komi=7.5), Budget(simulations=300))
    assert found.best == next(iter(found.rates)) != PASS
    game = tmp_path / "over.sgf"
    game.write_bytes(b"(;SZ[9];B[ee];W[];B[])")
    done = katachi(capsys, "suggest", game, "--search", "300")
    assert "the game is over" in sentence(done)
