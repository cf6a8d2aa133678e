"""Analysis streams, pondering, interrupts: what happens while the engine thinks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from katachi.gtp.commands import analysis
from katachi.gtp.framing import Stream, parse
from katachi.gtp.session import LONGEST_PONDERING, Session, undisturbed
from katachi.search.engine import SearchPlayer
from tests.gtp.live import LONG, Live, live
from tests.gtp.toys import wait_until
from tests.search.twin import FIXED, LIGHT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def engine() -> Iterator[Live]:
    with live("--simulations", "200") as found:
        found.ask("boardsize 9")
        yield found


def test_updates_come_at_the_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock of our own: every line has its own moment, also where the one before was late."""
    now = 100.0
    late = [0.0, 0.15, 0.0, 0.3, 0.0, 0.0]
    told: list[float] = []

    def wait(_goes_on: Any, _stop: Any, seconds: float) -> bool:
        nonlocal now
        now += max(seconds, 0.0)
        told.append(round(now - 100.0, 6))
        now += late[len(told) - 1]
        return len(told) < len(late)

    monkeypatch.setattr(analysis, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(analysis, "_wait", wait)
    player = SearchPlayer(LIGHT, FIXED, memory_mb=8)
    session = Session(lambda: player, watching=undisturbed)
    command = parse(b"lz-analyze b 20")
    assert command is not None
    stream = analysis.analyze(session, command, style="lz")
    assert isinstance(stream, Stream)
    assert len(list(stream.lines)) == len(late) - 1
    # the fifth was due at 1.0, and waited for until 1.1
    assert told == [0.2, 0.4, 0.6, 0.8, 1.1, 1.2]


def test_updates_tell_of_more_and_more(engine: Live) -> None:
    engine.ask("clear_board")
    engine.say("lz-analyze b 5")
    assert engine.line() == b"="
    visits = [0]
    while len(visits) < 6 or visits[-1] == visits[1]:
        # of the most visited move: the first one is the best so far, which may change
        visits.append(max(map(int, re.findall(r"visits (\d+)", engine.line().decode()))))
    engine.say("")
    while engine.line():
        pass
    assert visits == sorted(visits)


@pytest.mark.parametrize("ends", [b"", b"# a comment", b"name", b"stop", b"\x00"])
def test_any_input_ends_it(engine: Live, ends: bytes) -> None:
    for _ in range(3):
        engine.say("kata-analyze b 5")
        assert engine.line() == b"="
        assert engine.line().startswith(b"info move ")
        engine.say(ends)
        while engine.line():
            pass  # it would never end by itself
        if ends in (b"name", b"stop"):
            assert engine.reply() in ("= Katachi", "= ")


def test_the_end_is_not_waited_for(engine: Live) -> None:
    """Though the next line is due in hours."""
    engine.say("kata-analyze b 1000000")
    assert engine.line() == b"="
    engine.say("")
    assert engine.line().startswith(b"info move ")
    assert engine.line() == b""


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
    with live("--seconds", "36000") as slow:
        slow.ask("boardsize 9")
        slow.say("genmove b")

        # One that comes before the thinking has begun is a comment like any other: say it until
        # it is heard.
        def heard() -> bool:
            slow.say("# interrupt")
            return slow.waits()

        wait_until(heard)
        assert re.fullmatch(r"= [A-HJ][1-9]", slow.reply())


def processor_seconds(engine: Live) -> float:
    """What the engine's process has used so far."""
    fields = Path(f"/proc/{engine.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ponders(engine: Live) -> None:
    """Wait until it has thought for a while, though nobody has asked."""
    begun = processor_seconds(engine)
    wait_until(lambda: processor_seconds(engine) > begun + 1.5)


def test_pondering() -> None:
    """What is thought on the opponent's time is there for the next move."""
    with live("--simulations", "60", "--ponder", "--seed", "3") as engine:
        engine.ask("boardsize 9")
        engine.ask("genmove b")
        ponders(engine)
        assert engine.ask("name", LONGEST_PONDERING / 2) == "= Katachi"  # any input ends it
        engine.ask("genmove w", LONGEST_PONDERING / 2)
        ponders(engine)
        found = engine.ask("lz-analyze b 1\nname")  # one line: what the tree holds
        visits = sum(map(int, re.findall(r"visits (\d+)", found)))
        assert visits > 400
        assert engine.reply() == "= Katachi"


def test_without_pondering() -> None:
    player = SearchPlayer(LIGHT, FIXED, memory_mb=8)
    for ponders in (False, True):
        session = Session(lambda: player, ponders=ponders)
        assert session.player is player
        session.ponder()
        assert (session._pondering is not None) == ponders
        session.wake()
        assert session._pondering is None


def test_the_end_of_the_input_ends_a_stream() -> None:
    with live() as engine:
        engine.ask("boardsize 9")
        engine.say("lz-analyze 5")
        engine.line()
        engine.line()
        assert engine.process.stdin is not None
        engine.process.stdin.close()
        assert engine.process.wait(timeout=LONG) == 0
