"""Analysis streams, pondering, interrupts: what happens while the engine thinks."""

from __future__ import annotations

import itertools
import re
import statistics
import time
from collections.abc import Iterator

import pytest

from tests.gtp.live import Live, live


@pytest.fixture(scope="module")
def engine() -> Iterator[Live]:
    with live("--simulations", "200") as found:
        found.ask("boardsize 9")
        yield found


def test_updates_come_at_the_interval(engine: Live) -> None:
    """Within 20 %, by the median: a machine may be busy for a moment."""
    engine.ask("clear_board")
    engine.say("lz-analyze b 20")
    assert engine.line() == b"="
    times = []
    visits = []
    for _ in range(9):
        line = engine.line().decode()
        times.append(time.monotonic())
        visits.append(int(re.findall(r"visits (\d+)", line)[0]))
    engine.say("")
    while engine.line():
        pass
    gaps = [b - a for a, b in itertools.pairwise(times)]
    assert 0.16 <= statistics.median(gaps) <= 0.24
    assert visits == sorted(visits)
    assert visits[-1] > visits[0]


@pytest.mark.parametrize("ends", [b"", b"# a comment", b"name", b"stop", b"\x00"])
def test_any_input_ends_it(engine: Live, ends: bytes) -> None:
    times = []
    for _ in range(5):
        engine.say("kata-analyze b 500")
        assert engine.line() == b"="
        time.sleep(0.15)
        start = time.monotonic()
        engine.say(ends)
        while engine.line():
            pass
        times.append(time.monotonic() - start)
        if ends in (b"name", b"stop"):
            assert engine.reply() in ("= Katachi", "= ")
    assert statistics.median(times) < 0.1


def test_many_streams_in_a_row(engine: Live) -> None:
    """A program that asks anew before it has read the last answer gets all of them, in order."""
    for number in range(20):
        engine.say(f"{number} lz-analyze 1000")
    engine.say("99 name")
    for number in range(20):
        assert engine.reply().split("\n")[0] == f"={number}"
    assert engine.reply() == "=99 Katachi"


def test_the_stream_of_a_move(engine: Live) -> None:
    engine.ask("clear_board")
    found = engine.ask("kata-genmove_analyze b 2 rootInfo true").split("\n")
    assert found[0] == "="
    assert re.fullmatch(r"play [A-HJ][1-9]", found[-1])
    assert all(line.startswith("info move ") and " rootInfo " in line for line in found[1:-1])
    move = found[-1].split()[1]
    assert f"Last move: black {move}" in engine.ask("showboard")


def test_goguis_interrupt() -> None:
    """The comment "# interrupt" ends a genmove, which then plays what is best so far."""
    with live("--seconds", "60") as slow:
        slow.ask("boardsize 9")
        slow.say("genmove b")
        time.sleep(1.0)
        start = time.monotonic()
        slow.say("# interrupt")
        assert re.fullmatch(r"= [A-HJ][1-9]", slow.reply())
        assert time.monotonic() - start < 5


def test_pondering() -> None:
    """What is thought on the opponent's time is there for the next move."""
    with live("--simulations", "60", "--ponder", "--seed", "3") as engine:
        engine.ask("boardsize 9")
        engine.ask("genmove b")
        time.sleep(1.5)
        start = time.monotonic()
        assert engine.ask("name") == "= Katachi"  # any input ends it
        assert time.monotonic() - start < 1
        time.sleep(0.3)
        engine.ask("genmove w")
        time.sleep(1.5)
        found = engine.ask("lz-analyze b 1\nname")  # one line: what the tree holds
        visits = sum(map(int, re.findall(r"visits (\d+)", found)))
        assert visits > 400
        assert engine.reply() == "= Katachi"
    with live("--simulations", "60", "--seed", "3") as engine:
        engine.ask("boardsize 9")
        engine.ask("genmove b")
        time.sleep(1.5)
        found = engine.ask("lz-analyze w 1\nname")
        assert sum(map(int, re.findall(r"visits (\d+)", found))) < 400


def test_the_end_of_the_input_ends_a_stream() -> None:
    with live() as engine:
        engine.ask("boardsize 9")
        engine.say("lz-analyze 5")
        engine.line()
        engine.line()
        assert engine.process.stdin is not None
        engine.process.stdin.close()
        assert engine.process.wait(timeout=30) == 0
