"""Competitions in files: JSON lines, CSV, or the format of Coulom's program mm (`mm_format`).

Which of them it is shows in the first bytes; nothing is read whole that need not be.
"""

from __future__ import annotations

import csv
import json
import re
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from katachi.errors import KatachiError
from katachi.learning.bradley_terry.columns import InMemory
from katachi.progress import Progress, silent
from katachi.teams.mm_format import READING, bytes_in, read_mm
from katachi.teams.teams import Competition, columns_of

LONGEST: Final = 1 << 24  # bytes of a line
_HEAD: Final = 1 << 12
_BINARY: Final = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_BOM: Final = b"\xef\xbb\xbf"


class TeamFile(NamedTuple):
    """What a file of competitions holds."""

    kind: str  # "JSON lines", "CSV" or "mm"
    columns: InMemory
    members: list[str]  # of each gamma, in the order of the fit's long vector
    families: dict[str, list[str]] | None  # in the format of mm, its features

    @property
    def competitions(self) -> int:
        """How many there are."""
        return sum(len(shard.winner) for shard in self.columns.shards)


def read_competitions(path: str | Path, progress: Progress = silent) -> TeamFile:
    """Read a file of competitions; `progress` is told bytes.

    Raises KatachiError with the path, the line and what to do about it, for a path that cannot be
    read, anything that is not text, no competitions, or a line that is not as its form says.
    """
    path = Path(path)
    if path.is_dir():
        raise KatachiError(f"{path} is a folder: name a file of competitions")
    try:
        with path.open("rb") as stream:
            return _read(stream, path, progress)
    except FileNotFoundError:
        raise KatachiError(f"{path} does not exist: name a file of competitions") from None
    except OSError as error:
        raise KatachiError(f"{path} cannot be read: {error.strerror}") from None


def _read(stream: BinaryIO, path: Path, progress: Progress) -> TeamFile:
    kind = _kind(stream.read(_HEAD), path)
    stream.seek(0)
    if stream.read(len(_BOM)) != _BOM:
        stream.seek(0)
    if kind == "mm":
        header, columns = read_mm(stream, str(path), progress)
        families = header.families()
        members = [member for names in families.values() for member in names]
        if len(set(members)) < len(members):
            raise KatachiError(f"{path}: two gammas get the same name, rename a feature")
        return TeamFile(kind, columns, members, families)
    lines = array("q")  # of each competition
    text = _text(stream, path, progress)
    found = (_json_lines if kind == "JSON lines" else _csv_rows)(text, path, lines)
    teams = columns_of(found, place=lambda number: f"{path}, line {lines[number - 1]}")
    return TeamFile(kind, teams.columns, teams.members, None)


def _kind(head: bytes, path: Path) -> str:
    """Which form a file has, from its first bytes, else from its name."""
    ending = path.suffix.lower()
    start = head.removeprefix(_BOM).lstrip()[:1]
    if _BINARY.search(head) or not _is_utf8(head):
        raise KatachiError(f"{path} is no text file: give JSON lines, CSV or the format of mm")
    if not start and len(head) < _HEAD:
        raise KatachiError(f"{path} is empty: there are no competitions in it")
    if ending == ".csv":
        return "CSV"
    if start == b"!":
        return "mm"
    if start == b"{" or ending in (".jsonl", ".ndjson", ".json"):
        return "JSON lines"
    return "CSV"


def _is_utf8(head: bytes) -> bool:
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return len(head) == _HEAD and error.start > len(head) - 4  # a letter cut in two
    return True


def _text(stream: BinaryIO, path: Path, progress: Progress) -> Iterator[str]:
    """The lines of a file as text."""
    number, done, size = 0, 0, bytes_in(stream)
    while raw := stream.readline(LONGEST + 1):
        number += 1
        if len(raw) > LONGEST:
            raise KatachiError(f"{path}, line {number}: the line is longer than {LONGEST:,} bytes")
        if _BINARY.search(raw):
            raise KatachiError(f"{path}, line {number}: this is not text")
        try:
            yield raw.decode("utf-8")
        except UnicodeDecodeError:
            raise KatachiError(f"{path}, line {number}: this is not UTF-8 text") from None
        done += len(raw)
        if number % 1000 == 0:
            progress(READING, done, size)


def _json_lines(text: Iterator[str], path: Path, lines: array[int]) -> Iterator[Competition]:
    for number, line in enumerate(text, 1):
        if line.strip():
            lines.append(number)
            yield _from_json(line, f"{path}, line {number}")
    if not lines:
        raise KatachiError(f"{path} holds no competitions: write one to a line")


def _from_json(line: str, where: str) -> Competition:
    try:
        data = json.loads(line, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise KatachiError(f"{where} is no JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise KatachiError(f"{where} is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise KatachiError(f'{where}: a competition is an object, {{"teams": …, "winner": …}}')
    teams: Any
    winner: Any
    if "losers" in data:
        if "winner" not in data:
            raise KatachiError(f'{where} has no winner: give "winner", a team')
        losers = data["losers"]
        teams, winner = [data["winner"], *losers] if isinstance(losers, list) else None, 0
    else:
        teams, winner = data.get("teams"), data.get("winner")
        if isinstance(winner, bool) or not (winner is None or isinstance(winner, int)):
            raise KatachiError(f'{where}: "winner" is the number of a team, counted from 0')
    if not isinstance(teams, list) or not all(isinstance(team, list) for team in teams):
        raise KatachiError(f'{where}: teams are lists of members, as in [["a", "b"], ["c"]]')
    return Competition([[_name(member, where) for member in team] for team in teams], winner)


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no number")


def _name(member: Any, where: str) -> str:
    if isinstance(member, bool) or not isinstance(member, str | int | float):
        raise KatachiError(f"{where}: a member is a text or a number, not {json.dumps(member)}")
    return str(member)


def _csv_rows(text: Iterator[str], path: Path, lines: array[int]) -> Iterator[Competition]:
    rows = csv.reader(text)
    header_may_come = True
    try:
        for row in rows:
            cells = [cell.split() for cell in row]
            while cells and not cells[-1]:
                cells.pop()
            if not cells:
                continue
            header = header_may_come and _is_header(row)
            header_may_come = False
            if not header:
                _check_row(cells, f"{path}, line {rows.line_num}")
                lines.append(rows.line_num)
                yield Competition(cells, 0)
    except csv.Error as error:
        raise KatachiError(f"{path}, line {rows.line_num} is no CSV: {error}") from None
    if not lines:
        raise KatachiError(f"{path} holds no competitions: write one to a line, the winner first")


def _check_row(cells: list[list[str]], where: str) -> None:
    if not cells[0]:
        raise KatachiError(f"{where} has no winner: the first cell is the winning team")
    if len(cells) == 1:
        raise KatachiError(f"{where} has one team only: the others follow the winner after commas")
    if not all(cells):
        raise KatachiError(f"{where}, team {cells.index([]) + 1} is empty: fill or remove the cell")


def _is_header(row: list[str]) -> bool:
    """Whether a row is winner, loser, loser 2 … and not two members of these names."""
    words = [cell.strip().lower() for cell in row]
    return words[0] == "winner" and all(not word or word.startswith("loser") for word in words[1:])
