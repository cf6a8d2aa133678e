"""Matches between engines that are real processes and misbehave in every way we know."""

from __future__ import annotations

import json
import queue
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sgfmill import sgf

from katachi.errors import KatachiError
from katachi.match import client
from katachi.match import game as match_game
from katachi.match.game import black_side, play_game
from katachi.match.play import Standing, play_match
from katachi.match.record import GameRecord, MatchResult
from katachi.match.settings import MatchSettings, game_seed
from katachi.records.sgf import parse_games
from tests.gtp.toys import LONG, all_gone, logged, processes, toy, waits_for

pytestmark = pytest.mark.slow

SMALL = MatchSettings(size=5, games=2, timeout=LONG)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "match"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine an engine may need long to leave, and we to hear its last words."""
    monkeypatch.setattr(client, "PATIENCE", LONG)
    monkeypatch.setattr(client, "LEAVING", LONG)


@pytest.fixture
def _impatient(_patient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """For engines that never leave by themselves."""
    monkeypatch.setattr(client, "PATIENCE", 0.1)


def play(a: str, b: str, folder: Path, settings: MatchSettings = SMALL, **how: Any) -> MatchResult:
    return play_match(a, b, settings, folder=folder, startup_timeout=LONG, **how)


def sgf_of(folder: Path, number: int) -> sgf.Sgf_game:
    return sgf.Sgf_game.from_bytes((folder / "games" / f"{number:04}.sgf").read_bytes())


def commands(log: Path) -> list[str]:
    return [text for _, text in logged(log)]


# -- a match as it should be ---------------------------------------------------------------------


def test_a_match(folder: Path, tmp_path: Path) -> None:
    logs = {side: tmp_path / side for side in "AB"}
    a = toy("--name", "Left", "--moves", 3, "--log", logs["A"])
    b = toy("--name", "Right", "--moves", 2, "--log", logs["B"])
    result = play(a, b, folder, replace(SMALL, games=3, komi=0.5))
    assert [game.number for game in result.games] == [1, 2, 3]
    assert [game.black for game in result.games] == ["A", "B", "A"]
    # 3 stones on one edge, 2 on the other, the middle is nobody's: A has one point more
    assert [game.result for game in result.games] == ["B+0.5", "W+1.5", "B+0.5"]
    assert [game.winner for game in result.games] == ["A", "A", "A"]
    assert {game.reason for game in result.games} == {"score"}
    # after the stones A and B pass; when B began it passes before A's last stone, too
    assert [game.moves for game in result.games] == [7, 8, 7]
    assert result.tally().wins == 3
    assert (result.tally("A").games, result.tally("B").games) == (2, 1)
    assert result.mean_moves() == 22 / 3
    assert result.engines["A"].title == "Left 1.0"
    for side in "AB":
        assert len(processes(logs[side])) == 1  # kept from game to game
        assert all_gone(processes(logs[side]))
        assert commands(logs[side]).count("clear_board") == 4  # once before the match
        assert commands(logs[side])[-1] == "quit"
    record = json.loads((folder / "match.json").read_bytes())
    assert record["engines"]["B"] == {"command": b, "name": "Right", "version": "1.0"}
    assert record["settings"]["komi"] == 0.5
    assert [GameRecord(**game) for game in record["games"]] == result.games
    assert sorted(path.name for path in folder.iterdir()) == ["games", "match.json"]


def test_what_the_engines_are_told(folder: Path, log: Path) -> None:
    settings = replace(SMALL, games=1, komi=6.5, rules="japanese", time=(300.5, 30.0, 5))
    play(toy("--moves", 1, "--log", log), toy("--moves", 1), folder, settings)
    told = commands(log)
    begin = len(told) - 1 - told[::-1].index("boardsize 5")
    assert told[begin + 5].startswith("time_left black ")
    assert [text for text in told[begin:] if not text.startswith("time_left ")] == [
        "boardsize 5",
        "clear_board",
        "komi 6.5",
        "kgs-rules japanese",
        "time_settings 300 30 5",
        "genmove black",
        "gomill-explain_last_move",
        "play white E5",
        "genmove black",
        "gomill-explain_last_move",
        "play white pass",
        "quit",
    ]


def test_an_engine_with_few_commands_is_asked_for_nothing_else(folder: Path, log: Path) -> None:
    settings = replace(SMALL, games=1, time=(300.0, 0.0, 0))
    result = play(toy("bare", "--log", log), toy(), folder, settings)
    assert result.games[0].reason == "score"
    assert not {text.split()[0] for text in commands(log)} & {
        "kgs-rules",
        "time_settings",
        "time_left",
        "gomill-explain_last_move",
        "final_score",
    }


def test_the_records(folder: Path) -> None:
    a = toy("--name", "Bracket] \\", "--moves", 2)
    settings = replace(SMALL, random_opening=3, time=(60.0, 10.0, 5))
    result = play(a, toy(), folder, settings)
    for record in result.games:
        game = sgf_of(folder, record.number)
        root = game.get_root()
        names = {"A": "Bracket] \\ 1.0", "B": "Toy 1.0"}
        assert root.get("PB") == names[record.black]
        assert root.get("PW") == names["B" if record.black == "A" else "A"]
        assert (root.get("SZ"), root.get("KM"), root.get("RU")) == (5, 7.5, "chinese")
        assert root.get("RE") == record.result
        assert root.get("TM") == 60
        assert root.get("OT") == "5/10 Canadian"
        assert f"seed: {record.seed}" in root.get("C")
        nodes = game.get_main_sequence()[1:]
        assert len(nodes) == record.moves
        assert not any(node.has_property("C") for node in nodes[:3])  # the opening's
        for number, node in enumerate(nodes[3:]):
            first, second, third = node.get("C").splitlines()[:3]
            assert first.endswith(" s")
            assert float(first.split()[0]) >= 0
            assert second == f"my move {number // 2 + 1}"
            assert third == "with [brackets]"
        (read,), notices = parse_games((folder / "games" / "0001.sgf").read_bytes(), "x")
        assert not notices
    first, second = result.games
    assert first.opening == second.opening
    assert len(first.opening.split()) == 3
    assert read.result == first.result


def test_engines_of_one_name_are_told_apart(folder: Path) -> None:
    play(toy(), toy(), folder, replace(SMALL, games=1))
    root = sgf_of(folder, 1).get_root()
    assert (root.get("PB"), root.get("PW")) == ("Toy 1.0 (A)", "Toy 1.0 (B)")


def test_placeholders(folder: Path, log: Path) -> None:
    a = f"{toy('--log', log)} --seed {{seed}} --playouts {{playouts}}"
    b = f"{toy('--log', log)} --seed {{seed}}"
    result = play(a, b, folder, replace(SMALL, playouts=123))
    starts = [text for text in commands(log) if text.startswith("start")]
    assert len(starts) == 6  # anew for each game, and once before the match
    for game in result.games:
        assert game.seed == game_seed(1, game.number)
        assert any(f"--seed {game.seed} --playouts 123" in text for text in starts)
        assert any(text.endswith(f"--seed {game.seed + 1}") for text in starts)
    assert len({game_seed(seed, n) for seed in (1, 2) for n in range(500)}) > 995


@pytest.mark.parametrize(
    ("commands_", "playouts", "words"),
    [
        (("x", "y"), 10, r"no engine command has the placeholder \{playouts\}"),
        (("x {playouts}", "y"), None, "say how many"),
        (("x \udcff", "y"), None, "is not UTF-8"),
    ],
)
def test_placeholders_and_settings_go_together(
    folder: Path, commands_: tuple[str, str], playouts: int | None, words: str
) -> None:
    with pytest.raises(KatachiError, match=words):
        play(*commands_, folder, replace(SMALL, playouts=playouts))
    assert not folder.exists()


def test_games_at_a_time(folder: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    together: list[int] = []
    begun = threading.Barrier(3)

    def first_three_together(number: int, *args: Any) -> Any:
        if number <= 3 and not together_already.is_set():
            begun.wait(LONG)
        return play_game(number, *args)

    together_already = threading.Event()
    monkeypatch.setattr("katachi.match.play.play_game", first_three_together)

    def progress(standing: Standing, _finished: GameRecord | None) -> None:
        together.append(len(standing.running))

    settings = replace(SMALL, games=9, random_opening=2)
    parallel = play(toy("--log", log), toy(), folder, settings, jobs=3, spectator=progress)
    assert max(together) == 3
    together_already.set()
    assert 1 <= len(processes(log)) <= 3
    assert all_gone(processes(log))
    single = play(toy(), toy(), folder.with_name("single"), settings)
    assert [game.number for game in parallel.games] == list(range(1, 10))

    def untimed(result: MatchResult) -> list[GameRecord]:
        return [replace(game, seconds={}) for game in result.games]

    assert untimed(parallel) == untimed(single)


def test_a_draw(folder: Path) -> None:
    result = play(toy(), toy(), folder, replace(SMALL, komi=0.0))
    assert {(game.result, game.winner) for game in result.games} == {("0", "")}
    assert result.tally().draws == 2
    assert result.tally().rate == 0.5
    assert sgf_of(folder, 1).get_root().get("RE") == "0"


# -- engines that misbehave ----------------------------------------------------------------------

BAD = [
    ("resigns", "resignation", "R", ""),
    ("crashes", "crash", "F", "ended with code 3 at 'genmove"),
    ("hangs", "hang", "F", "no answer to 'genmove"),
    ("occupied", "illegal move", "F", "is illegal: occupied"),
    ("outside", "bad answer", "F", "'Z99' is no move"),
    ("babbles", "bad answer", "F", "'let me see' is no move"),
    ("refuses", "refused", "F", "was refused: I would rather not"),
    ("deaf", "refused", "F", "was refused: illegal move"),
]


@pytest.mark.parametrize(("behaviour", "reason", "letter", "detail"), BAD)
def test_who_misbehaves_loses_that_game_only(
    folder: Path,
    log: Path,
    behaviour: str,
    reason: str,
    letter: str,
    detail: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits_for(monkeypatch, lambda engine, _: (engine.pid, "hangs") in logged(log))
    bad = toy(behaviour, "--at", 3, "--log", log)
    result = play(toy(), bad, folder)
    assert [game.winner for game in result.games] == ["A", "A"]
    assert [game.result for game in result.games] == [f"B+{letter}", f"W+{letter}"]
    for game in result.games:
        assert game.reason == reason
        assert detail in game.detail
        assert game.moves >= 4
        last = sgf_of(folder, game.number).get_last_node()
        assert sgf_of(folder, game.number).get_root().get("RE") == game.result
        if detail:
            assert detail in last.get("C").replace("\\", "")
    tally = result.reasons()[reason]
    assert (tally.wins, tally.losses, tally.draws) == (2, 0, 0)
    started = len({pid for pid, _ in logged(log)})
    assert started == (1 if reason == "resignation" else 2)  # a faulty one is started anew
    assert all_gone(processes(log))


def test_last_words_are_recorded(folder: Path) -> None:
    result = play(toy("crashes", "--at", 5, "--moves", 9), toy("--moves", 9), folder)
    assert result.games[0].moves == 8
    assert "its last words: something broke" in result.games[0].detail


def test_both_pass_at_once(folder: Path) -> None:
    result = play(toy("passes"), toy("passes"), folder)
    assert [game.result for game in result.games] == ["W+7.5", "W+7.5"]
    assert [game.moves for game in result.games] == [2, 2]


def test_an_engine_that_ends_between_games(folder: Path, log: Path) -> None:
    result = play(toy(), toy("dies-idle", "--log", log), folder, replace(SMALL, games=4))
    # it dies at the second clear_board of each life; the first life began before the match
    assert [game.reason for game in result.games] == ["score", "crash", "score", "crash"]
    assert "ended with code 4 at 'clear_board'" in result.games[1].detail


def test_running_out_of_time(folder: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """White thinks for 0.75 s about each move, Black for no time, by a clock of our own."""
    now = 0.0
    thought = 0

    def next_line(engine: client.Engine, seconds: float) -> bytes | None:
        nonlocal now, thought
        line = engine._lines.get(timeout=LONG)
        genmoves = commands(log).count("genmove white")
        if genmoves > thought:
            thought = genmoves
            now += min(seconds, 0.75)
            if seconds < 0.75:
                raise queue.Empty
        return line

    clock = SimpleNamespace(monotonic=lambda: now, sleep=time.sleep)
    monkeypatch.setattr(client.Engine, "_next", next_line)
    monkeypatch.setattr(client, "time", clock)
    monkeypatch.setattr(match_game, "time", clock)
    settings = replace(SMALL, games=1, time=(1.0, 0.0, 0))
    white = toy("--moves", 9, "--log", log)
    result = play(toy("--moves", 9), white, folder, settings)
    (game,) = result.games
    assert (game.result, game.winner, game.reason) == ("B+T", "A", "time")
    # 0.75 s and 1.5 s are within time and grace, 2.25 s are not
    assert commands(log).count("genmove white") == 3
    assert [text for text in commands(log) if text.startswith("time_left")] == [
        "time_left white 1 0",
        "time_left white 0 0",
        "time_left white 0 0",
    ]
    assert game.seconds == {"A": 0.0, "B": 2.0}
    assert all_gone(processes(log))


@pytest.mark.usefixtures("_impatient")
def test_a_stubborn_engine_and_its_child_end_with_the_match(folder: Path, log: Path) -> None:
    play(toy("stubborn", "--log", log), toy(), folder, replace(SMALL, games=1))
    assert len(processes(log)) == 2
    assert all_gone(processes(log))


def test_a_game_without_end_is_scored(folder: Path) -> None:
    settings = replace(SMALL, size=9, games=1, max_moves=10, komi=0.5)
    (game,) = play(toy("--moves", 99), toy("--moves", 99), folder, settings).games
    assert (game.moves, game.reason, game.result) == (10, "too long", "W+0.5")
    assert MatchSettings(size=9).longest == 243


KO = ("A1 B2 A2 C3", "C2 B3 A3 B3")  # on 3x3, the last move repeats the position of the fourth


@pytest.mark.parametrize(
    ("rules", "reason"), [("tromp-taylor", "illegal move"), ("chinese", "score")]
)
def test_superko_is_an_offence_under_tromp_taylor_only(
    folder: Path, rules: str, reason: str
) -> None:
    settings = replace(SMALL, size=3, games=1, rules=rules)
    black, white = (toy("--script", script) for script in KO)
    (game,) = play(black, white, folder, settings).games
    assert game.reason == reason
    if reason == "illegal move":
        assert (game.result, game.moves) == ("B+F", 7)
        assert game.detail == "white B3 is illegal: superko"


# -- before the match ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("no-such-engine", "there is no program 'no-such-engine'"),
        (toy("silent"), "no answer to 'protocol_version' within 1.5 s"),
        (toy("garbage"), "no answer to 'protocol_version' within 1.5 s, only 'I speak no GTP'"),
        (toy("small"), "'boardsize 5' was refused: unacceptable size"),
        ("true", "ended with code 0"),
    ],
)
@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.usefixtures("_impatient")
def test_an_engine_that_cannot_play_stops_the_match(
    folder: Path, log: Path, side: str, bad: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mute = bad if "no answer" in words else ""
    least = 1 if "only" in words else 0
    waits_for(monkeypatch, lambda engine, heard: engine.command == mute and heard >= least)
    good = toy("stubborn", "--log", log)
    a, b = (bad, good) if side == "A" else (good, bad)
    with pytest.raises(KatachiError) as error:
        play_match(a, b, SMALL, folder=folder, startup_timeout=1.5)
    assert str(error.value).startswith(f"engine {side} ({bad}): ")
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert not folder.exists()
    assert all_gone(processes(log))


def test_a_referee_that_cannot_score_stops_the_match(folder: Path) -> None:
    with pytest.raises(KatachiError, match=r"the referee \(no-such\): there is no program"):
        play(toy(), toy(), folder, replace(SMALL, referee="no-such"))
    with pytest.raises(KatachiError, match=r"the referee \(.*\) does not know final_score"):
        play(toy(), toy(), folder, replace(SMALL, referee=toy()))
    assert not folder.exists()


def test_the_first_answer_may_take_longer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every engine is asked with the longer time first, then with the usual one."""
    allowed: dict[str, set[float]] = {}
    ask = client.Engine.ask

    def noted(engine: client.Engine, command: str, timeout: float) -> str:
        allowed.setdefault(command.split()[0], set()).add(timeout)
        return ask(engine, command, LONG)

    monkeypatch.setattr(client.Engine, "ask", noted)
    late = f"{toy()} --seed {{seed}}"  # anew for each game
    result = play(late, toy(), folder, replace(SMALL, games=1, timeout=1.3))
    assert result.games[0].reason == "score"
    assert allowed["protocol_version"] == allowed["name"] == {LONG}
    assert allowed["boardsize"] == {LONG, 1.3}  # when they are tried, and in the game
    assert allowed["genmove"] == allowed["play"] == {1.3}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"size": 1}, "board size 1 is not between 2 and 19"),
        ({"size": 20}, "board size 20"),
        ({"komi": float("nan")}, "komi nan"),
        ({"komi": 7.3}, "komi 7.3 is no whole or half number"),
        ({"games": 0}, "at least one game"),
        ({"rules": "aga"}, "no rules 'aga': choose from chinese, japanese, tromp-taylor"),
        ({"time": (0.5, 0.0, 0)}, "at least one second"),
        ({"time": (-5.0, 10.0, 1)}, "at least one second"),
        ({"time": (float("inf"), 0.0, 0)}, "at least one second"),
        ({"time": (10.0, 5.0, 0)}, "byoyomi needs both"),
        ({"time": (10.0, 0.0, 5)}, "byoyomi needs both"),
        ({"playouts": 0}, "playouts must be at least 1"),
        ({"openings": "x", "random_opening": 2}, "exclude each other"),
        ({"opening_moves": 3}, "goes with records of openings"),
        ({"openings": "x", "opening_moves": 0}, "at least 1"),
        ({"random_opening": -1}, "at most 27 moves"),
        ({"random_opening": 28}, "at most 27 moves"),
        ({"timeout": 0.0}, "more than 0"),
        ({"max_moves": -1}, "fewer than 0"),
    ],
)
def test_settings_that_cannot_be(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(KatachiError, match=words):
        MatchSettings(**wrong)


# -- scoring -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("black", "white", "result", "detail"),
    [
        ("B+3.5", "B+3.5", "B+3.5", ""),
        ("b+3.50 (sure)", "B+3.5", "B+3.5", ""),
        ("0", "draw", "0", ""),
        ("W+2.5", "W+3.5", "W+2.5", "black says W+2.5, white says W+3.5: the smaller margin is"),
        ("B+2.5", "W+3.5", "W+0.5", "black says B+2.5, white says W+3.5: area of the board as"),
        ("B+2.5", "", "W+0.5", "black says B+2.5, white says nothing: area of the board as"),
        ("B+R", "B+R", "W+0.5", "black says nothing, white says nothing"),
    ],
)
def test_own_scoring(folder: Path, black: str, white: str, result: str, detail: str) -> None:
    settings = replace(SMALL, games=1, komi=0.5)
    (game,) = play(toy("--score", black), toy("--score", white), folder, settings).games
    assert game.result == result
    assert game.winner == {"B": "A", "W": "B", "0": ""}[result[0]]
    assert game.reason == "score"
    assert game.detail.startswith(detail)
    assert bool(game.detail) == bool(detail)


def test_a_referee_scores(folder: Path, log: Path) -> None:
    referee = toy("--score", "W+12.5", "--log", log)
    result = play(
        toy("--score", "B+1"), toy("--score", "B+1"), folder, replace(SMALL, referee=referee)
    )
    assert [(game.result, game.winner) for game in result.games] == [
        ("W+12.5", "B"),
        ("W+12.5", "A"),
    ]
    assert len(processes(log)) == 1
    told = commands(log)
    moves = [text for text in told if text.startswith("play ")]
    assert len(moves) == sum(game.moves for game in result.games)
    assert moves[:3] == ["play black A1", "play white E5", "play black A2"]
    assert told.count("final_score") == 2
    assert "kgs-rules chinese" in told


@pytest.mark.parametrize(
    ("referee", "words"),
    [
        (toy("deaf", "--at", 0, "--score", "0"), "the referee failed: 'play black A1' was refused"),
        (toy("--score", "who knows"), "the referee failed: 'who knows' is no score"),
    ],
)
def test_a_referee_that_fails(folder: Path, referee: str, words: str) -> None:
    settings = replace(SMALL, games=1, referee=referee)
    (game,) = play(toy("--score", "B+1"), toy("--score", "B+1"), folder, settings).games
    assert (game.result, game.reason) == ("B+1", "score")
    assert game.detail.startswith(words)


@pytest.mark.needs("gnugo")
def test_gnu_go(folder: Path) -> None:
    engine = "gnugo --mode gtp --level 1 --chinese-rules"
    settings = replace(SMALL, random_opening=2, referee=engine)
    result = play(engine, f"{engine} --seed {{seed}}", folder, settings)
    assert result.engines["A"].title == "GNU Go 3.8"
    for game in result.games:
        assert game.reason == "score"
        assert game.detail == ""
    own = play(engine, engine, folder.with_name("own"), replace(SMALL, random_opening=2))
    assert [game.detail for game in own.games] == ["", ""]


# -- interrupted, and resumed --------------------------------------------------------------------


def stop_after(count: int, error: BaseException) -> Any:
    def progress(standing: Standing, finished: GameRecord | None) -> None:
        if finished is not None and len(standing.result.games) == count:
            raise error

    return progress


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_match_goes_on(folder: Path, log: Path, jobs: int) -> None:
    a, b = toy("--log", log), toy("stubborn", "--log", log)
    settings = replace(SMALL, games=6, random_opening=2)
    with pytest.raises(KeyboardInterrupt):
        play(a, b, folder, settings, jobs=jobs, spectator=stop_after(3, KeyboardInterrupt()))
    assert all_gone(processes(log))
    finished = json.loads((folder / "match.json").read_bytes())["games"]
    assert len(finished) == 3
    kept = {game["number"]: sgf_of(folder, game["number"]).serialise() for game in finished}
    seen: list[int] = []

    def progress(_standing: Standing, game: GameRecord | None) -> None:
        if game is not None:
            seen.append(game.number)

    result = play(a, b, folder, settings, jobs=jobs, spectator=progress)
    assert sorted([*seen, *kept]) == [1, 2, 3, 4, 5, 6]
    assert [game.number for game in result.games] == [1, 2, 3, 4, 5, 6]
    assert [game.black for game in result.games] == ["A", "B"] * 3
    assert all(sgf_of(folder, number).serialise() == data for number, data in kept.items())


def test_a_finished_match_is_only_told_and_may_grow(folder: Path, log: Path) -> None:
    first = play(toy("--log", log), toy(), folder)
    before = commands(log)
    again = play(toy("--log", log), toy(), folder)
    assert commands(log) == before  # no engine was started
    assert again.games == first.games
    assert again.engines == first.engines
    grown = play(toy("--log", log), toy(), folder, replace(SMALL, games=3))
    assert grown.games[:2] == first.games
    assert len(grown.games) == 3


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"komi": 6.5}, r"another komi \(7.5, not 6.5\)"),
        ({"size": 6}, r"another size \(5, not 6\)"),
        ({"time": (10.0, 0.0, 0)}, "another time"),
        ({"random_opening": 2}, "another random opening"),
        ({"seed": 2}, "another seed"),
        ({"games": 1}, "holds 2 games: their number can only grow"),
    ],
)
def test_another_match_in_the_folder(folder: Path, other: dict[str, Any], words: str) -> None:
    play(toy(), toy(), folder)
    before = (folder / "match.json").read_bytes()
    with pytest.raises(KatachiError, match=words):
        play(toy(), toy(), folder, replace(SMALL, **other))
    assert (folder / "match.json").read_bytes() == before


def test_other_engines_in_the_folder(folder: Path, tmp_path: Path) -> None:
    name = tmp_path / "name"
    name.write_text("First", encoding="utf-8")
    a = f'sh -c "exec {toy()} --name $(cat {name})"'
    play(a, toy(), folder)
    with pytest.raises(KatachiError, match="another engine B"):
        play(a, toy("--moves", 5), folder)
    name.write_text("Second", encoding="utf-8")
    with pytest.raises(KatachiError, match=r"engine A is Second 1\.0 now and was First 1\.0"):
        play(a, toy(), folder, replace(SMALL, games=4))


def test_other_openings_in_the_folder(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "openings.sgf"
    path.write_text("(;SZ[5];B[cc])", encoding="utf-8")
    settings = replace(SMALL, openings=str(path))
    play(toy(), toy(), folder, settings)
    moved = path.rename(tmp_path / "moved.sgf")
    assert len(play(toy(), toy(), folder, replace(settings, openings=str(moved))).games) == 2
    moved.write_text("(;SZ[5];B[cd])", encoding="utf-8")
    with pytest.raises(KatachiError, match="holds a match with other openings"):
        play(toy(), toy(), folder, replace(settings, openings=str(moved)))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"format": 1}', '{"format": 1, "engines": {}}', '"x"', "null"]
)
def test_a_damaged_record(folder: Path, text: str) -> None:
    folder.mkdir()
    (folder / "match.json").write_text(text, encoding="utf-8")
    with pytest.raises(KatachiError, match="is no record of a match: give another folder"):
        play(toy(), toy(), folder)


def test_a_record_of_the_future(folder: Path) -> None:
    folder.mkdir()
    (folder / "match.json").write_text('{"format": 99}', encoding="utf-8")
    with pytest.raises(KatachiError, match="is of another Katachi"):
        play(toy(), toy(), folder)


def test_games_of_somebody_else_are_left_alone(folder: Path) -> None:
    (folder / "games").mkdir(parents=True)
    mine = folder / "games" / "0001.sgf"
    mine.write_text("mine", encoding="utf-8")
    with pytest.raises(KatachiError, match=r"has games, but no match\.json"):
        play(toy(), toy(), folder)
    assert mine.read_text(encoding="utf-8") == "mine"


def test_a_folder_that_cannot_be(folder: Path) -> None:
    folder.write_text("a file", encoding="utf-8")
    with pytest.raises(KatachiError, match="is a file: it must be a folder"):
        play(toy(), toy(), folder)


def test_two_matches_in_one_folder(folder: Path) -> None:
    caught: list[str] = []

    def progress(_standing: Standing, finished: GameRecord | None) -> None:
        if finished is not None:
            with pytest.raises(KatachiError) as error:
                play(toy(), toy(), folder)
            caught.append(str(error.value))

    play(toy(), toy(), folder, spectator=progress)
    assert len(caught) == 2
    assert "another match is being played in" in caught[0]


def test_a_full_disk_ends_the_match_and_its_engines(
    folder: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise KatachiError("no space left")

    monkeypatch.setattr("katachi.match.play.write_whole", full)
    with pytest.raises(KatachiError, match="no space left"):
        play(toy("--log", log), toy("--log", log), folder, jobs=2)
    assert all_gone(processes(log))


def test_a_fault_of_ours_is_not_hidden(
    folder: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("katachi.match.game.score_game", broken)
    with pytest.raises(ZeroDivisionError):
        play(toy("--log", log), toy("--log", log), folder)
    assert all_gone(processes(log))


def test_a_is_black_in_odd_games() -> None:
    assert [black_side(number) for number in (1, 2, 3, 4)] == ["A", "B", "A", "B"]
