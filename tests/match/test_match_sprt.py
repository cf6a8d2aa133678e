"""Matches that end when their sequential test is decided: the same decision, however played."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from katachi.errors import KatachiError
from katachi.match import play as module
from katachi.match.game import Played, black_side
from katachi.match.play import Standing, play_match
from katachi.match.record import GameRecord, MatchResult
from katachi.match.settings import MatchSettings
from katachi.match.sprt import H0, H1, UNDECIDED, Sprt
from tests.cli.test_cli import katachi, one_sentence
from tests.gtp.toys import LONG, all_gone, processes, toy

pytestmark = pytest.mark.slow

SETTINGS = MatchSettings(size=5, games=400, random_opening=2, timeout=LONG)
SPRT = Sprt(0, 150)


def play(folder: Path, settings: MatchSettings = SETTINGS, **how: Any) -> MatchResult:
    how = {"sprt": SPRT, **how}
    return play_match(toy(), toy(), settings, folder=folder, startup_timeout=LONG, **how)


@pytest.fixture
def drawn_lots(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Games whose winner is drawn by lot, A with 60 %: no engine moves. Returns their numbers."""
    begun: list[int] = []

    def lots(number: int, *_: object) -> Played:
        begun.append(number)
        random = Random(f"lots {number}")
        winner = "" if random.random() < 0.1 else "A" if random.random() < 0.6 else "B"
        seconds = {"A": 0.0, "B": 0.0}
        record = GameRecord(
            number, black_side(number), winner, "0", "score", "", 2, seconds, "", number
        )
        return Played(record, [])

    monkeypatch.setattr("katachi.match.play.play_game", lots)
    return begun


def test_a_match_ends_with_its_test(tmp_path: Path, drawn_lots: list[int]) -> None:
    result = play(tmp_path / "match")
    assert result.trial is not None
    assert result.decided
    assert result.trial.decision in (H0, H1)
    assert len(result.games) == 2 * result.trial.pairs < 400
    assert drawn_lots == list(range(1, len(result.games) + 1))  # none was begun beyond it
    record = json.loads((tmp_path / "match" / "match.json").read_bytes())
    assert record["format"] == 1
    assert record["sprt"] == result.trial.data()
    assert "sprt" not in record["settings"]  # a program of before reads the file
    again = play(tmp_path / "match", replace(SETTINGS, games=500))
    assert again.trial == result.trial
    assert len(drawn_lots) == len(result.games)


@pytest.mark.usefixtures("drawn_lots")
def test_an_interrupted_match_comes_to_the_same_decision(tmp_path: Path) -> None:
    whole = play(tmp_path / "whole")

    def interrupt(_: Standing, finished: GameRecord | None) -> None:
        if finished is not None and finished.number % 7 == 0:
            raise KeyboardInterrupt

    interrupted = 0
    while True:
        try:
            parts = play(tmp_path / "parts", spectator=interrupt)
        except KeyboardInterrupt:
            interrupted += 1
        else:
            break
    assert interrupted >= 2
    assert parts.trial == whole.trial
    assert parts.games == whole.games


def test_games_at_a_time_come_to_the_same_decision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawn_lots: list[int]
) -> None:
    whole = play(tmp_path / "whole")
    assert whole.trial is not None
    games = 2 * whole.trial.pairs
    drawn_lots.clear()
    # game 2 is the last to end: whatever ends before it waits
    second = threading.Event()
    lots = vars(module)["play_game"]

    def late(number: int, *args: Any) -> Played:
        if number == 2:
            assert second.wait(LONG)
        played: Played = lots(number, *args)
        return played

    monkeypatch.setattr(module, "play_game", late)

    def look(standing: Standing, _: GameRecord | None) -> None:
        if len(standing.result.games) == games:
            second.set()

    together = play(tmp_path / "together", jobs=3, spectator=look)
    assert together.trial == whole.trial
    assert len(together.games) >= len(whole.games)
    assert play(tmp_path / "together").trial == whole.trial


@pytest.mark.usefixtures("drawn_lots")
def test_the_games_can_run_out(tmp_path: Path) -> None:
    few = replace(SETTINGS, games=7)
    result = play(tmp_path / "match", few)
    assert result.trial is not None
    assert (result.trial.decision, result.trial.pairs, len(result.games)) == (UNDECIDED, 3, 7)
    more = play(tmp_path / "match")
    assert more.decided
    assert more.trial == play(tmp_path / "whole").trial


@pytest.mark.usefixtures("drawn_lots")
def test_without_openings_games_count_one_by_one(tmp_path: Path) -> None:
    trial = play(tmp_path / "match", replace(SETTINGS, random_opening=0)).trial
    assert trial is not None
    assert trial.data()["statistic"] == "trinomial"
    assert sum(trial.counts) == 2 * trial.pairs


@pytest.mark.usefixtures("drawn_lots")
def test_another_test_is_another_match(tmp_path: Path) -> None:
    few = replace(SETTINGS, games=4)
    play(tmp_path / "with", few)
    play(tmp_path / "without", few, sprt=None)
    with pytest.raises(KatachiError, match="holds a match with another sequential test"):
        play(tmp_path / "with", few, sprt=Sprt(0, 90))
    with pytest.raises(KatachiError, match="holds a match with another sequential test"):
        play(tmp_path / "with", few, sprt=None)
    with pytest.raises(KatachiError, match="holds a match with no sequential test"):
        play(tmp_path / "without", few)


def test_running_games_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Game 7 is played, by an engine that hangs, when game 6 decides the match."""
    seventh = threading.Event()
    real = vars(module)["play_game"]

    def played(number: int, *args: Any) -> Played:
        if number > 6:
            seventh.set()
            found: Played = real(number, *args)
            return found
        if number == 6:
            assert seventh.wait(LONG)
        return Played(GameRecord(number, "A", "A", "B+R", "", "", 0, {}, "", 1), [])

    monkeypatch.setattr(module, "play_game", played)
    monkeypatch.setattr(module, "match_sgf", lambda *_: b"")
    log = tmp_path / "log"
    commands = (toy("hangs", "--log", log), toy("hangs", "--log", log))
    settings = replace(SETTINGS, random_opening=0)
    how: dict[str, Any] = {"sprt": Sprt(0, 400), "jobs": 2, "startup_timeout": LONG}
    result = play_match(*commands, settings, folder=tmp_path / "match", **how)
    assert result.trial is not None
    # all games won, log(10 / 11 / 0.5) each
    assert (result.trial.decision, result.trial.pairs) == (H1, 3)
    assert [game.number for game in result.games] == [1, 2, 3, 4, 5, 6]
    assert all_gone(processes(log))


# -- the verb ------------------------------------------------------------------------------------


def test_the_verb(tmp_path: Path) -> None:
    args = ("match", toy("--moves", 3), toy("resigns"), "--size", "5", "--games", "100")
    more = ("--sprt", "0", "300", "--alpha", "0.1", "--random-opening", "2")
    done = katachi(*args, *more, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert (
        "sequential test: H1 (+300 Elo) is accepted after 5 pairs, LLR 2.65 (-2.89 … 2.25)" in lines
    )
    assert "pairs with 0, ½, 1, 1½, 2 points: 0, 0, 0, 0, 5; Elo difference ∞ (+132 … ∞)" in lines
    assert "at most 100 games" in done.stderr
    assert "LLR 0.53 (-2.89 … 2.25)" in done.stderr
    data = json.loads(katachi(*args, *more, "-o", tmp_path / "out", "--json").stdout)
    assert data["games"] == 10
    assert data["sprt"] == json.loads((tmp_path / "out" / "match.json").read_bytes())["sprt"]
    assert (data["sprt"]["decision"], data["sprt"]["alpha"], data["sprt"]["beta"]) == (
        "H1",
        0.1,
        0.05,
    )


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--sprt", "20", "0"], "20 is not below 0"),
        (["--sprt", "0", "9999"], "between -1000 and 1000"),
        (["--sprt", "0", "20", "--alpha", "0.5"], "alpha is 0.5: it must be above 0 and below 0.5"),
        (["--sprt", "0", "20", "--beta", "0"], "beta is 0: it must be above 0 and below 0.5"),
        (["--beta", "0.1"], "--alpha and --beta are about a sequential test: give --sprt, too"),
        (["--sprt", "0"], "requires 2 arguments"),
    ],
)
def test_mistakes(tmp_path: Path, args: list[str], words: str) -> None:
    assert words in one_sentence(katachi("match", toy(), toy(), "-o", tmp_path / "out", *args))
    assert not (tmp_path / "out").exists()


def test_balanced_openings_by_the_verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    args = ("match", toy("resigns"), toy(), "--games", "4", "--json", "--openings")
    data = json.loads(katachi(*args, "balanced", "-o", "out").stdout)
    openings = [game["opening"] for game in data["finished"]]
    assert openings[0] == openings[1] != openings[2] == openings[3]
    assert data["settings"]["openings"] == "balanced"
    done = katachi(*args, "balanced", "-o", "other", "--size", "7")
    assert "no balanced openings for 7x7, only for 9x9, 13x13, 19x19" in one_sentence(done)
    done = katachi(*args, "balanced", "-o", "other", "--opening-moves", "2")
    assert "balanced openings are played to their end" in one_sentence(done)
    Path("balanced").write_text("(;SZ[9];B[ee];W[ec])", encoding="utf-8")
    data = json.loads(katachi(*args, "./balanced", "-o", "mine").stdout)
    assert {game["opening"] for game in data["finished"]} == {"E5 E7"}
