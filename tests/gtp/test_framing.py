"""Framing, and lines that are read ahead."""

from __future__ import annotations

import fcntl
import io
import os
import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from katachi.gtp import lines as reading
from katachi.gtp.framing import Command, GtpError, failure, parse, serve, success
from katachi.gtp.lines import Lines
from tests.gtp.toys import LONG


@pytest.mark.parametrize(
    ("line", "command"),
    [
        (b"name", Command("", "name")),
        (b"12 name", Command("12", "name")),
        (b"  7\tplay  b\tD4 \r", Command("7", "play", ("b", "D4"), "b D4")),
        (b"play b D4 # a comment", Command("", "play", ("b", "D4"), "b D4")),
        (b"pl\x07ay\x00 b d4\x7f", Command("", "play", ("b", "d4"), "b d4")),
        (
            b"loadsgf my  game.sgf 7",
            Command("", "loadsgf", ("my", "game.sgf", "7"), "my  game.sgf 7"),
        ),
        (b"\xef\xbb\xbfname", Command("", "name")),
        (b"0012 name", Command("0012", "name")),
        (b"12name", Command("", "12name")),
        (b"12", Command("12", "")),
        (b"-1 name", Command("", "-1", ("name",), "name")),
        (b"loadsgf \xe4.sgf", Command("", "loadsgf", ("\udce4.sgf",), "\udce4.sgf")),
        (b"", None),
        (b" \t \r", None),
        (b"# name", None),
        (b"\x01\x02", None),
    ],
)
def test_parse(line: bytes, command: Command | None) -> None:
    assert parse(line) == command


def test_replies() -> None:
    assert success(Command("", "name"), "Katachi") == b"= Katachi\n\n"
    assert success(Command("12", "name"), "Katachi") == b"=12 Katachi\n\n"
    assert success(Command("3", "quit"), "") == b"=3 \n\n"
    assert failure(Command("12", "x"), "unknown command") == b"?12 unknown command\n\n"
    assert success(Command("", "showboard"), "\n A B\n\n\n1 .") == b"= \n A B\n1 .\n\n"


@given(st.text(), st.text("0123456789", max_size=3))
def test_a_reply_ends_with_its_only_empty_line(text: str, number: str) -> None:
    for reply, sign in ((success, "="), (failure, "?")):
        whole = reply(Command(number, "x"), text).decode()
        assert whole.startswith(f"{sign}{number} ")
        assert whole.endswith("\n\n")
        assert "\n\n" not in whole[:-1]
        assert not ({*map(chr, range(32)), "\x7f"} - {"\n", "\t"}) & set(whole)


def plain_words(line: bytes) -> list[bytes]:
    """The words of a line, the slow way: byte by byte."""
    kept = b""
    for byte in line:
        if byte == ord("#"):
            break
        if byte == ord("\t"):
            kept += b" "
        elif 32 <= byte < 127:
            kept += bytes([byte])
    return kept.split()


# Letters without C1 controls; what lies beyond ASCII is tested above.
LINES = st.lists(
    st.one_of(
        st.binary(max_size=30).map(lambda b: bytes(c & 127 for c in b if c & 127 != 10)),
        st.sampled_from([b"name", b"1 quit", b"2 fail", b"3\tname # x", b"", b"#"]),
    ),
    max_size=8,
)


@given(LINES)
def test_every_command_is_answered_once_with_its_id(lines: list[bytes]) -> None:
    expected = []
    for line in lines:
        words = plain_words(line)
        if not words:
            continue
        number = words.pop(0).decode() if words[0].isdigit() else ""
        name = words[0].decode() if words else ""
        expected.append(f"?{number} no" if name == "fail" else f"={number} {name}")
        if name == "quit":
            break

    def answer(command: Command) -> str:
        if command.name == "fail":
            raise GtpError("no")
        return command.name

    out = io.BytesIO()
    serve(lines, out, answer)
    assert [reply.rstrip(" ") for reply in out.getvalue().decode().split("\n\n")[:-1]] == [
        reply.rstrip(" ") for reply in expected
    ]


@given(st.lists(st.binary(), max_size=5))
def test_no_line_ends_the_loop(lines: list[bytes]) -> None:
    out = io.BytesIO()
    serve([*lines, b"99 name"], out, lambda command: command.name)
    commands = [c for line in lines if (c := parse(line))]
    if not any(c.name == "quit" for c in commands):
        assert out.getvalue().endswith(b"=99 name\n\n")
        assert out.getvalue().count(b"\n\n") == len(commands) + 1


# -- lines that are read ahead ----------------------------------------------------------------


class Pipe:
    """Bytes that are written here are lines for whoever reads `descriptor`."""

    def __init__(self) -> None:
        self.descriptor, self._write = os.pipe()
        self._open = True

    def write(self, data: bytes) -> None:
        """Send all of it."""
        assert os.write(self._write, data) == len(data)

    def holds(self, size: int) -> None:
        """Make room for so many bytes that nobody has read yet."""
        fcntl.fcntl(self._write, fcntl.F_SETPIPE_SZ, size)

    def end(self) -> None:
        """No more will come."""
        if self._open:  # once: the number may be another file's by now
            self._open = False
            os.close(self._write)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    found, before = Pipe(), threading.enumerate()
    yield found
    found.end()
    # Only after the reader has seen the end: else it would read from whatever gets this number.
    for thread in threading.enumerate():
        if thread not in before:
            thread.join(LONG)
    os.close(found.descriptor)


def test_lines_come_in_order_and_whole(pipe: Pipe) -> None:
    lines = Lines(pipe.descriptor)
    pipe.write(b"one\ntw")
    pipe.write(b"o\r\n\nlast")
    pipe.end()
    assert list(lines) == [b"one", b"two\r", b"", b"last"]


@pytest.fixture
def _no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is waiting is waited for, however long a busy machine takes to read it."""
    still = SimpleNamespace(monotonic=lambda: 0.0, sleep=time.sleep)
    monkeypatch.setattr(reading, "time", still)


def taken(lines: Lines, pipe: Pipe, data: bytes) -> None:
    """Send this, and wait until it has been read and thought about."""
    before = lines._reads
    pipe.write(data)
    while True:
        with lines._lock:
            if lines._reads > before:
                return
        time.sleep(0.001)


@pytest.mark.usefixtures("_no_time_passes")
def test_a_new_command_ends_the_thinking(pipe: Pipe) -> None:
    lines = Lines(pipe.descriptor)
    pipe.write(b"waiting\n")
    with lines.thinking() as stop:
        assert not stop.is_set()
        taken(lines, pipe, b"# a comment\n\n")
        assert not stop.is_set()
        taken(lines, pipe, b"name")
        assert not stop.is_set()  # not a whole line yet
        taken(lines, pipe, b"\n")
        assert stop.is_set()
    pipe.write(b"later\n")
    with lines.thinking() as stop:
        assert not stop.is_set()
    pipe.end()
    assert list(lines) == [b"waiting", b"# a comment", b"", b"name", b"later"]


@pytest.mark.usefixtures("_no_time_passes")
def test_what_was_waiting_and_the_end_do_not(pipe: Pipe) -> None:
    """Much more than one read takes, all of it in the pipe before the thinking begins."""
    pipe.holds(1 << 20)
    pipe.write(b"name\n" * 100_000)
    pipe.end()
    lines = Lines(pipe.descriptor)
    count = 0
    for line in lines:
        count += 1
        if count == 1:
            with lines.thinking() as stop:
                while not lines._ended:
                    time.sleep(0.001)
                assert not stop.is_set()
        assert line == b"name"
    assert count == 100_000


def test_an_input_that_never_pauses_counts_as_settled(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is waiting is read for a second at most; then the next command ends the thinking."""
    ticks = iter(range(10**9))
    running = SimpleNamespace(monotonic=lambda: next(ticks) / 10, sleep=time.sleep)
    monkeypatch.setattr(reading, "time", running)
    monkeypatch.setattr(Lines, "_readable", lambda _: True)
    lines = Lines(pipe.descriptor)
    with lines.thinking() as stop:
        assert 10 < next(ticks) < 20
        taken(lines, pipe, b"name\n")
        assert stop.is_set()
    pipe.end()
    assert list(lines) == [b"name"]


def test_an_input_that_is_gone_is_an_end() -> None:
    read, write = os.pipe()
    os.close(write)
    assert list(Lines(read)) == []
    os.close(read)
