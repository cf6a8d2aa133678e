"""GTP's framing: lines become commands, answers become replies. What commands do is elsewhere.

For example

    12 play b d4 # a comment      →  Command("12", "play", ("b", "d4"))
    an answer "D4" to it          →  "=12 D4" and one empty line
    GtpError("illegal move")      →  "?12 illegal move" and one empty line
    a Stream of "info …" lines    →  "=12", the lines as they come, and one empty line at the end
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

# Control characters go; a tab is a space; a byte order mark is what some shells put before all.
_CONTROLS = [c for c in (*range(32), *range(127, 160)) if c != ord("\t")]
_READ: Final = {**dict.fromkeys(_CONTROLS), ord("\t"): " ", 0xFEFF: None}
_WRITTEN: Final = dict.fromkeys(c for c in _CONTROLS if c != ord("\n"))


SYNTAX: Final = "syntax error"
ILLEGAL: Final = "illegal move"


class GtpError(Exception):
    """A command failed; its text is the error message of the reply."""


@dataclass(frozen=True)
class Command:
    """One command: its id (digits, or "" for none), name, arguments, and those as one text."""

    id: str
    name: str
    args: tuple[str, ...] = ()
    rest: str = ""


@dataclass(frozen=True)
class Stream:
    """An answer that comes line by line, while the engine thinks. Empty lines are left out."""

    lines: Iterator[str]


class Output(Protocol):
    """Where replies go."""

    def write(self, data: bytes, /) -> object:
        """Take these bytes."""

    def flush(self) -> object:
        """Pass on what was taken."""


def parse(line: bytes) -> Command | None:
    """The command in a line, None where there is none. Never raises.

    An id without a command has the name "". Bytes that are no UTF-8 come through as surrogates,
    so that file names of any encoding are found.
    """
    text = line.decode("utf-8", "surrogateescape").translate(_READ).partition("#")[0].strip(" ")
    if not text:
        return None
    first, _, rest = text.partition(" ")
    number = ""
    if first.isascii() and first.isdigit():
        number = first
        first, _, rest = rest.strip(" ").partition(" ")
    rest = rest.strip(" ")
    return Command(number, first, tuple(word for word in rest.split(" ") if word), rest)


def success(command: Command, text: str) -> bytes:
    """The reply to a command that succeeded. An answer of many lines may begin on a new one."""
    return _reply("=", command, text)


def failure(command: Command, text: str) -> bytes:
    """The reply to a command that failed."""
    return _reply("?", command, text)


def _reply(sign: str, command: Command, text: str) -> bytes:
    lines = text.translate(_WRITTEN).split("\n")
    # An empty line would end the reply too early; the first one only begins a new line.
    kept = [lines[0], *(line for line in lines[1:] if line.strip())]
    body = "\n".join(line.rstrip() for line in kept)
    return f"{sign}{command.id} {body}\n\n".encode("utf-8", "surrogateescape")


def serve(
    lines: Iterable[bytes],
    out: Output,
    answer: Callable[[Command], str | Stream],
    *,
    idle: Callable[[Command], None] | None = None,
    wake: Callable[[], None] | None = None,
) -> None:
    """Answer each command of the lines, at once and in order, until `quit` or the end.

    `answer` returns the text of the reply, or a Stream, or raises GtpError; whatever else it raises
    ends the loop. `idle` is called after each reply, before the next line is waited for, `wake`
    when one has come. Raises OSError if nobody reads `out` any more.
    """
    for line in lines:
        if wake is not None:
            wake()
        command = parse(line)
        if command is None:
            continue
        try:
            found = answer(command)
        except GtpError as error:
            _write(out, failure(command, str(error)))
        else:
            if isinstance(found, Stream):
                _write(out, f"={command.id}\n".encode())
                for each in found.lines:
                    text = each.translate(_WRITTEN).strip()
                    if text:
                        _write(out, f"{text}\n".encode("utf-8", "surrogateescape"))
                _write(out, b"\n")
            else:
                _write(out, success(command, found))
        if command.name == "quit":
            return
        if idle is not None:
            idle(command)


def _write(out: Output, data: bytes) -> None:
    out.write(data)
    out.flush()
