"""`katachi tune`: the values of pairs, the log that a run goes on from, the verb, mistakes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from katachi.errors import KatachiError
from katachi.match import tune as module
from katachi.match.engines import EnginePool
from katachi.match.game import Played, black_side
from katachi.match.parameters import Parameter, filled, parse_parameter
from katachi.match.record import GameRecord
from katachi.match.settings import MatchSettings
from katachi.match.tune import Tuning, tune
from katachi.match.tune_log import TunedGame
from tests.cli.test_cli import katachi, one_sentence
from tests.gtp.toys import LONG, all_gone, logged, processes, toy, wait_until
from tests.interrupt import interrupted

SETTINGS = MatchSettings(size=5, games=60, timeout=LONG)
SPEED = Parameter("speed", -2.0, 6.0)
ENGINE = f"{toy()} --name {{speed}}"

# -- parameters ------------------------------------------------------------------------------------


def test_parameters() -> None:
    real = parse_parameter("x", "0", "1.0")
    assert (real.low, real.high, real.whole) == (0, 1, False)
    assert [real.value(x) for x in (-1, 0, 1)] == [0, 0.5, 1]
    assert real.text(1 / 3) == "0.333333"
    assert real.value(-1 / 3) == 0.333333  # what the engine is told
    whole = parse_parameter("n", "10", "12")
    assert whole.whole
    assert [whole.value(x) for x in (-1, -0.4, -0.3, 0, 0.4, 1)] == [10, 10, 11, 11, 12, 12]
    assert whole.text(11.0) == "11"
    grid = [whole.value(x) for x in np.linspace(-1, 1, 3001)]
    assert [grid.count(n) for n in (10, 11, 12)] == pytest.approx([1000] * 3, abs=2)
    for one in (real, whole):
        for x in (-0.9, 0.1, 0.7):
            assert one.value(one.x(one.value(x))) == one.value(x)
    assert filled("a {x} {n} {seed}", (real, whole), {"x": 0.25, "n": 11.0}) == "a 0.25 11 {seed}"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("x", "1", "1"), "1 is not below 1"),
        (("x", "2", "1"), "2 is not below 1"),
        (("x", "0", "inf"), "two bounds"),
        (("x", "a", "1"), "are no numbers"),
        (("seed", "0", "1"), "no name of a parameter"),
        (("1x", "0", "1"), "no name of a parameter"),
        (("x y", "0", "1"), "no name of a parameter"),
    ],
)
def test_parameters_that_cannot_be(words: tuple[str, str, str], message: str) -> None:
    with pytest.raises(KatachiError, match=message):
        parse_parameter(*words)


@pytest.mark.parametrize(
    ("engine", "opponent", "parameters", "message"),
    [
        ("a", "b", [SPEED], "has no {speed}"),
        ("a {speed} {depth}", "b", [SPEED], "has {depth}, but no parameter is called so"),
        ("a {speed}", "b {speed}", [SPEED], "the opponent's command has {speed}"),
        ("a {speed}", "b", [SPEED, SPEED], "speed is there twice"),
        ("a", "b", [], "nothing to tune"),
    ],
)
def test_placeholders(
    tmp_path: Path, engine: str, opponent: str, parameters: list[Parameter], message: str
) -> None:
    with pytest.raises(KatachiError, match=message):
        tune(engine, opponent, parameters, SETTINGS, folder=tmp_path / "out")
    assert not (tmp_path / "out").exists()


# -- the course ------------------------------------------------------------------------------------


def lot(number: int, speed: float) -> str:
    """Who wins: A with most at a speed of 3."""
    rate = 0.8 - 0.05 * (speed - 3) ** 2
    return "A" if Random(f"lot {number}").random() < rate else "B"


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Games whose winner is drawn by lot: no engine moves. Returns their numbers."""
    numbers: list[int] = []

    def lots(number: int, _opening: object, engines: EnginePool, *_: object) -> Played:
        numbers.append(number)
        speed = float(engines.commands["A"].split()[-1])
        seconds = {"A": 0.0, "B": 0.0}
        winner = lot(number, speed)
        return Played(
            GameRecord(number, black_side(number), winner, "0", "score", "", 2, seconds, "", 1), []
        )

    monkeypatch.setattr(module, "play_game", lots)
    return numbers


def run(folder: Path, settings: MatchSettings = SETTINGS, **how: Any) -> Tuning:
    return tune(ENGINE, toy(), [SPEED], settings, folder=folder, startup_timeout=LONG, **how)


def ordered(tuning: Tuning) -> list[TunedGame]:
    return sorted(tuning.games, key=lambda one: one.game.number)


@pytest.mark.slow
def test_a_tuning(tmp_path: Path, begun: list[int]) -> None:
    tuning = run(tmp_path / "out", replace(SETTINGS, games=200))
    assert begun == list(range(1, 201))
    for number, (values, points) in tuning.pairs().items():
        assert -2 <= values["speed"] <= 6
        first, second = (lot(2 * number + k, values["speed"]) for k in (1, 2))
        assert points == [float(first == "A"), float(second == "A")]
    estimate = tuning.estimate()
    low, high = estimate.intervals["speed"]
    assert -2 <= low < 3 < high <= 6
    assert estimate.optimum["speed"] == pytest.approx(3, abs=1)
    assert estimate.rate is not None
    assert estimate.rate_interval[0] < 0.8 < estimate.rate_interval[1]
    lines = (tmp_path / "out" / "log.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["game"]["number"] for line in lines] == list(range(1, 201))
    plan = json.loads((tmp_path / "out" / "plan.json").read_bytes())
    assert (plan["format"], plan["engine"]) == ("katachi-tune-1", ENGINE)
    assert run(tmp_path / "out", replace(SETTINGS, games=200)).games == tuning.games
    assert len(begun) == 200


@pytest.mark.slow
@pytest.mark.usefixtures("begun")
def test_an_interrupted_tuning_goes_on_the_same(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole")

    def interrupt(_: Tuning, finished: TunedGame | None) -> None:
        if finished is not None and finished.game.number % 17 == 0:
            raise KeyboardInterrupt

    times = 0
    while True:
        try:
            parts = run(tmp_path / "parts", spectator=interrupt)
        except KeyboardInterrupt:
            times += 1
        else:
            break
    assert times == 3  # after 17, 34 and 51
    assert parts.games == whole.games
    assert parts.estimate() == whole.estimate()
    logs = [(tmp_path / name / "log.jsonl").read_bytes() for name in ("whole", "parts")]
    assert logs[0] == logs[1]


@pytest.mark.slow
def test_a_line_that_was_torn_is_played_again(tmp_path: Path, begun: list[int]) -> None:
    whole = run(tmp_path / "out")
    log = tmp_path / "out" / "log.jsonl"
    data = log.read_bytes()
    cut = data[: len(data) * 2 // 3]
    assert not cut.endswith(b"\n")
    log.write_bytes(cut)
    begun.clear()
    assert run(tmp_path / "out").games == whole.games
    assert log.read_bytes() == data
    assert begun[0] == cut.count(b"\n") + 1
    log.write_bytes(b"nonsense\n" + data)
    with pytest.raises(KatachiError, match=r"line 1 of .* is damaged"):
        run(tmp_path / "out")


@pytest.mark.slow
def test_pairs_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: list[int]) -> None:
    """The values do not depend on which pair is over first."""
    settings = replace(SETTINGS, games=24)
    one = run(tmp_path / "one", settings, jobs=2)
    assert sorted(begun) == list(range(1, 25))
    lots = vars(module)["play_game"]
    others = threading.Event()

    def late(number: int, *args: Any) -> Played:
        if number == 4:  # when the first one is long over
            assert others.wait(LONG)
        if number == 6:
            others.set()
        played: Played = lots(number, *args)
        return played

    monkeypatch.setattr(module, "play_game", late)
    two = run(tmp_path / "two", settings, jobs=2)
    assert ordered(two) == ordered(one)
    numbers = [one.game.number for one in two.games]
    assert numbers.index(4) > numbers.index(5)


@pytest.mark.slow
@pytest.mark.usefixtures("begun")
def test_another_tuning_in_the_folder(tmp_path: Path) -> None:
    few = replace(SETTINGS, games=4)
    run(tmp_path / "out", few)
    assert len(run(tmp_path / "out", replace(few, games=8)).games) == 8
    with pytest.raises(KatachiError, match="holds a tuning with other settings"):
        run(tmp_path / "out", replace(few, komi=0.5))
    other = [replace(SPEED, high=7.0)]
    with pytest.raises(KatachiError, match="holds a tuning with other parameters"):
        tune(ENGINE, toy(), other, few, folder=tmp_path / "out", startup_timeout=LONG)
    with pytest.raises(KatachiError, match="holds a tuning with another opponent"):
        tune(ENGINE, toy("passes"), [SPEED], few, folder=tmp_path / "out", startup_timeout=LONG)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(KatachiError, match="holds something else"):
        run(tmp_path / "mine", few)


# -- the verb --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_verb(tmp_path: Path) -> None:
    """A toy that puts down more stones wins, and the number of stones is tuned."""
    log = tmp_path / "log"
    args = (
        "tune",
        f"{toy('--log', log)} --moves {{stones}} --seed {{seed}}",
        toy("--moves", 3),
        *("--parameter", "stones", "1", "6", "--games", "30", "--size", "5", "--komi", "0"),
        *("-o", tmp_path / "out", "--jobs", "2"),
    )
    done = katachi(*args)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["parameter", "from", "to", "optimum", "not", "ruled", "out"]
    assert lines[1].split()[:3] == ["stones", "1", "6"]
    assert int(lines[1].split()[3]) >= 4
    assert lines[2].startswith("30 games: ")
    assert lines[3].startswith("expected win rate at the optimum ")
    assert lines[4].startswith("engine: ")
    assert "--moves " + lines[1].split()[3] in lines[4]
    games = [line for line in done.stderr.splitlines() if line.startswith("game ")]
    assert len(games) == 30
    assert all("; best stones " in line for line in games)
    assert all_gone(processes(log))
    data = json.loads(katachi(*args, "--json").stdout)
    found = data["parameters"]["stones"]
    assert str(found["optimum"]) == lines[1].split()[3] + ".0"
    assert (found["low"], found["high"], found["whole"]) == (1, 6, True)
    assert data["games"] == len(data["finished"]) == 30
    assert {"expected_rate", "expected_interval", "engine", "rate", "folder"} <= set(data)
    for one in data["finished"]:  # colours exchanged, the same values
        stones = one["values"]["stones"]
        assert one["game"]["winner"] == ("A" if stones > 3 else "B" if stones < 3 else "")
    started = [text for _, text in logged(log) if text.startswith("start ")]
    told = [f"--moves {one['values']['stones']:.0f} " for one in data["finished"]]
    assert all(any(words in text for text in started) for words in told)


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_ended_goes_on(tmp_path: Path, how: signal.Signals) -> None:
    """In the middle of its second pair; nothing is lost, nothing counts twice."""
    log, gate = tmp_path / "log", tmp_path / "gate"
    # B clears the board once before the first game: it waits in the fourth
    waits = toy("waits", "--at", 5, "--gate", gate, "--log", log)

    def args(folder: str) -> list[str]:
        engine = f"{toy('--log', log)} --moves {{n}}"
        how_long = ("--games", "8", "--size", "5", "--json")
        where = ("--parameter", "n", "1", "9", "-o", str(tmp_path / folder))
        return [sys.executable, "-m", "katachi", "tune", engine, waits, *how_long, *where]

    lines = tmp_path / "ended" / "log.jsonl"
    if how == signal.SIGINT:
        interrupted(args("ended"), dict(os.environ), lambda: "waits" in commands(log))
        assert all_gone(processes(log))
    else:
        process = subprocess.Popen(
            args("ended"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_until(lambda: "waits" in commands(log))
        process.kill()
        process.wait()
    before = lines.read_bytes()
    assert before.count(b"\n") == 3
    gate.touch()
    assert all_gone(processes(log))
    found = {}
    for folder in ("ended", "whole"):
        done = katachi(*args(folder)[3:])
        found[folder] = json.loads(done.stdout)
        for game in found[folder]["finished"]:
            del game["game"]["seconds"]
        del found[folder]["folder"]
    assert found["ended"] == found["whole"]
    assert [game["game"]["number"] for game in found["ended"]["finished"]] == [*range(1, 9)]
    assert lines.read_bytes().startswith(before)


def commands(log: Path) -> list[str]:
    return [text for _, text in logged(log)]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["x {n}", "y", "--parameter", "n", "5", "1"], "5 is not below 1"),
        (["x {n}", "y", "--parameter", "n", "1", "b"], "are no numbers"),
        (["x", "y", "--parameter", "n", "1", "5"], "the engine's command has no {n}"),
        (["x {n} {m}", "y", "--parameter", "n", "1", "5"], "has {m}, but no parameter"),
        (["x {n}", "y", "--parameter", "n", "1", "5", "--games", "3"], "give an even number"),
        (["x {n}", "y"], "missing option '--parameter'"),
        (["no-such {n}", "y", "--parameter", "n", "1", "5"], "there is no program 'no-such'"),
        (["x {n}", "y", "--parameter", "n", "1", "5", "--size", "1"], "board size 1"),
    ],
)
def test_mistakes(tmp_path: Path, args: list[str], words: str) -> None:
    done = katachi("tune", *args, "-o", tmp_path / "out")
    assert words in one_sentence(done)
    assert not (tmp_path / "out").exists()
