"""The text format of Rémi Coulom's program mm, read straight into columns.

    ! 6             the number of gammas
    2               the number of features
    2 colour        a feature: how many gammas it has, and its name
    4 size
    !
    #               a competition
    0 2             the team that won: gammas, counted from 0 over all features
    0 2             every team that took part, the winner again among them
    1 5

The features are the families. A gamma is named after its feature; if there are several, with its
level after a colon, counted from 1: colour:1, colour:2, size:1 … As mm does it, a blank line in a
competition is a team without members, and a line ! ends a competition. The ! after the header
may be missing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, BinaryIO, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.go.kernel import at, kernel
from katachi.learning.bradley_terry.columns import InMemory, Shard, layout
from katachi.progress import Progress
from katachi.teams.teams import column_of

MOST_GAMMAS: Final = 10_000_000
LONGEST: Final = 1 << 16  # bytes of a line
READING: Final = "reading bytes"  # the stage of the work
CHUNK: Final = 1 << 22  # bytes read at once: a shard of some 100,000 teams
_CELLS: Final = 1 << 22  # teams x features held at once, about

# What `_read_lines` keeps from call to call.
_STATE, _LINE, _FAULT, _VALUE, _OTHER = range(5)
_OUTSIDE, _INSIDE = 0, 1
_CHARACTER, _RANGE, _TWICE, _FEATURE, _STRAY = 1, 2, 3, 4, 5

_SPACE, _TAB, _RETURN, _NEWLINE, _HASH, _BANG, _ZERO, _NINE = (ord(c) for c in " \t\r\n#!09")


@kernel
def _read_lines(
    text: Any,
    begin: int,
    first: Any,
    family_of: Any,
    state: Any,
    rows: Any,
    starts: Any,
    lines: Any,
) -> tuple[int, int]:
    """Read whole lines from `begin` on until rows are full; (where to go on, rows written).

    A line # writes an empty row with starts 1; a team writes its level in each family. `lines` gets
    the number of the line. Stops before a fault, which is then in state.
    """
    i, n, gammas = begin, 0, len(family_of)
    while i < len(text) and n < len(rows):
        state[_LINE] += 1
        while text[at(i)] == _SPACE or text[at(i)] == _TAB or text[at(i)] == _RETURN:
            i += 1
        c = text[at(i)]
        mark = c == _HASH or c == _BANG
        if mark:
            i += 1
        elif state[_STATE] == _OUTSIDE and c != _NEWLINE:
            state[_FAULT] = _STRAY
            return i, n
        if not mark and state[_STATE] == _OUTSIDE:
            i += 1
            continue
        if c == _BANG:
            state[_STATE] = _OUTSIDE
        else:
            for f in range(rows.shape[1]):
                rows[n, f] = 0
            starts[n] = c == _HASH
            lines[n] = state[_LINE]
            n += 1
            state[_STATE] = _INSIDE
        while text[at(i)] != _NEWLINE:
            c = text[at(i)]
            if c == _SPACE or c == _TAB or c == _RETURN:
                i += 1
                continue
            if mark or c < _ZERO or c > _NINE:
                state[_FAULT] = _CHARACTER
                return i, n
            value = 0
            while text[at(i)] >= _ZERO and text[at(i)] <= _NINE:
                if value < MOST_GAMMAS:
                    value = 10 * value + text[at(i)] - _ZERO
                i += 1
            if value >= gammas:
                state[_FAULT], state[_VALUE] = _RANGE, value
                return i, n
            f = family_of[at(value)]
            level = value - first[at(f)] + 1
            before = rows[n - 1, f]
            if before:
                state[_FAULT] = _TWICE if before == level else _FEATURE
                state[_VALUE], state[_OTHER] = value, before - 1 + first[at(f)]
                return i, n
            rows[n - 1, f] = level
        i += 1
    return i, n


class Header(NamedTuple):
    """The features of a file, and how many lines were read for that."""

    levels: list[int]
    names: list[str]
    lines: int

    def families(self) -> dict[str, list[str]]:
        """Feature → names of its gammas."""
        return {
            name: [name] if n == 1 else [f"{name}:{level}" for level in range(1, n + 1)]
            for name, n in zip(self.names, self.levels, strict=True)
        }


def read_header(stream: BinaryIO, name: str) -> Header:
    """Read up to the last feature.

    Raises KatachiError, with the line, for a header that is cut short or does not add up.
    """
    lines = _lines(stream, name)
    number, text = next(lines)
    gammas = _whole(text[1:], f"{name}, line {number}: the first line must be ! and a number")
    if gammas > MOST_GAMMAS:
        raise KatachiError(
            f"{name}, line {number}: {gammas:,} gammas are too many, the limit is {MOST_GAMMAS:,}"
        )
    number, text = next(lines)
    features = _whole(text, f"{name}, line {number}: here must stand the number of features")
    levels: list[int] = []
    names: dict[str, None] = {}
    for _ in range(features):
        number, text = next(lines)
        size, _, label = text.partition(" ")
        fault = f"{name}, line {number}: a feature is a number of gammas and a name"
        levels.append(_whole(size, fault))
        if not label.strip():
            raise KatachiError(f"{fault}, not {text[:40]!r}")
        if label.strip() in names:
            raise KatachiError(f"{name}, line {number}: the feature {label.strip()!r} comes twice")
        names[label.strip()] = None
    if sum(levels) != gammas:
        raise KatachiError(
            f"{name}, line {number}: the features have {sum(levels):,} gammas together, but the"
            f" first line says {gammas:,}"
        )
    if gammas == 0:
        raise KatachiError(f"{name}, line {number}: there are no gammas: nothing can be rated")
    return Header(levels, list(names), number)


def _lines(stream: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    """The lines of the header with their numbers, blank ones left out."""
    number = 0
    while raw := stream.readline(LONGEST):
        number += 1
        try:
            text = raw.decode("utf-8").strip()
        except UnicodeDecodeError:
            raise KatachiError(f"{name}, line {number}: this is not UTF-8 text") from None
        if text:
            yield number, text.replace("\t", " ")
    raise KatachiError(f"{name} ends after line {number}, within its header")


def _whole(text: str, fault: str) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise KatachiError(f"{fault}, not {text[:40]!r}")
    return int(text)


def read_mm(stream: BinaryIO, name: str, progress: Progress) -> tuple[Header, InMemory]:
    """The features and the columns of a file in the format of mm; `name` is for its errors.

    `progress` is told bytes, now and then. Raises KatachiError, with the line, for anything that is
    not as the format says.
    """
    header = read_header(stream, name)
    shards = list(_shards(stream, name, header, progress))
    if not shards:
        raise KatachiError(f"{name} holds no competitions: each begins with a line #")
    return header, InMemory(header.levels, shards)


class _Rows(NamedTuple):
    """Lines that were read: whether a competition starts there, and the levels of the team."""

    levels: npt.NDArray[np.int32]
    starts: npt.NDArray[np.uint8]
    lines: npt.NDArray[np.int64]

    def part(self, a: int, b: int) -> _Rows:
        return _Rows(self.levels[a:b], self.starts[a:b], self.lines[a:b])


def _shards(stream: BinaryIO, name: str, header: Header, progress: Progress) -> Iterator[Shard]:
    pieces: list[_Rows] = []  # of a competition that may go on
    for rows in _rows(stream, name, header, progress):
        begun = np.flatnonzero(rows.starts)
        if len(begun) == 0:
            pieces.append(rows)
            continue
        cut = int(begun[-1])
        whole = _joined([*pieces, rows.part(0, cut)])
        pieces = [rows.part(cut, len(rows.lines))]
        if len(whole.lines):
            yield _shard(whole, name, header)
    if pieces:
        yield _shard(_joined(pieces), name, header)


def _joined(pieces: list[_Rows]) -> _Rows:
    return _Rows(*(np.concatenate(parts) for parts in zip(*pieces, strict=True)))


def _rows(stream: BinaryIO, name: str, header: Header, progress: Progress) -> Iterator[_Rows]:
    first = layout(header.levels)
    family_of = np.repeat(np.arange(len(header.levels)), header.levels)
    state = np.zeros(5, np.int64)
    state[_LINE] = header.lines
    room = max(min(_CELLS // len(header.levels), CHUNK // 8), 2)
    levels = np.zeros((room, len(header.levels)), np.int32)
    starts, lines = np.zeros(room, np.uint8), np.zeros(room, np.int64)

    def read(text: bytes) -> Iterator[_Rows]:
        raw = np.frombuffer(text, np.uint8)
        i = 0
        while i < len(raw):
            i, n = _read_lines(raw, i, first, family_of, state, levels, starts, lines)
            if state[_FAULT]:
                raise KatachiError(f"{name}, line {state[_LINE]}: {_fault(state, text, i, first)}")
            if n:
                yield _Rows(levels[:n].copy(), starts[:n].copy(), lines[:n].copy())

    size = bytes_in(stream)
    rest = b""
    while chunk := stream.read(CHUNK):
        rest, text = _split(rest + chunk)
        if len(rest) > LONGEST:
            line = int(state[_LINE]) + 1 + text.count(b"\n")
            raise KatachiError(f"{name}, line {line}: the line is longer than {LONGEST:,} bytes")
        yield from read(text)
        progress(READING, stream.tell(), size)
    if rest:
        yield from read(rest + b"\n")


def bytes_in(stream: BinaryIO) -> int:
    """How many bytes a stream has in all; it stays where it is."""
    here = stream.tell()
    size = stream.seek(0, os.SEEK_END)
    stream.seek(here)
    return size


def _split(text: bytes) -> tuple[bytes, bytes]:
    """(what is left over, whole lines)."""
    cut = text.rfind(b"\n") + 1
    return text[cut:], text[:cut]


def _fault(state: Any, text: bytes, i: int, first: Any) -> str:
    """What is wrong at the i-th byte."""
    value, other = int(state[_VALUE]), int(state[_OTHER])
    if state[_FAULT] == _RANGE:
        return f"gamma {value} is out of range, they are 0 to {int(first[-1]) - 1}"
    if state[_FAULT] == _TWICE:
        return f"the team names gamma {value} twice"
    if state[_FAULT] == _FEATURE:
        return f"the gammas {other} and {value} are of one feature, a team has one of each"
    if state[_FAULT] == _STRAY:
        return "a team stands outside any competition, put a line # before it"
    # A byte such as \v is white space for Python, but no space of this format.
    odd = text[i : i + 1].isspace()
    word = (text[i : i + 1] if odd else text[i : i + 20].split()[0]).decode("utf-8", "replace")
    return f"{word!r} is no gamma, a team is whole numbers with spaces between them"


def _shard(rows: _Rows, name: str, header: Header) -> Shard:
    """A shard of whole competitions; `rows` begins with one."""
    begun = np.flatnonzero(rows.starts)
    sizes = np.diff(np.append(begun, len(rows.lines))) - 2
    short = np.flatnonzero(sizes < 1)
    if len(short):
        j = int(short[0])
        what = "no winner" if sizes[j] < 0 else "no participants"
        raise KatachiError(f"{name}, line {rows.lines[begun[j]]}: the competition has {what}")
    takes_part = np.ones(len(rows.lines), np.bool_)
    takes_part[begun] = takes_part[begun + 1] = False
    teams = rows.levels[takes_part]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    number = np.repeat(np.arange(len(sizes)), sizes)
    alike = np.flatnonzero((teams == rows.levels[begun + 1][number]).all(axis=1))
    known, at_first = np.unique(number[alike], return_index=True)
    if len(known) < len(sizes):
        j = int(np.setdiff1d(np.arange(len(sizes)), known)[0])
        raise KatachiError(
            f"{name}, line {rows.lines[begun[j] + 1]}: the winner is not among the participants,"
            " repeat its line below"
        )
    winner = alike[at_first] - starts[:-1]
    return Shard(starts, winner, [column_of(teams[:, f], n) for f, n in enumerate(header.levels)])
