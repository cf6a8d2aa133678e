"""Files of several games, and folders of games as a list."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from katachi.errors import KatachiError
from katachi.printable import readable_name
from katachi.records.grammar import serialise
from katachi.records.read import read_games
from katachi.records.record import MAX_FILE_NODES, Record, parse_tree
from katachi.records.sgf import parse_trees
from katachi.records.sources import archive_kind, members, record_files
from katachi.records.values import first_text

MOST_GAMES = 1000  # of one file, that the page keeps


def others(data: bytes) -> list[dict[str, Any]]:
    """All games of a file with several, each with its names and as SGF of its own; none of a file
    with one game. Raises KatachiError if they are too many to be written back.
    """
    trees, _, whole = parse_trees(data, "the file", MAX_FILE_NODES)
    if len(trees) < 2:
        return []
    if not whole or len(trees) > MOST_GAMES:
        raise KatachiError(
            f"the file has more than {MOST_GAMES:,} games: put them into a folder, and name that"
        )
    found = []
    for tree in trees:
        root = tree.sequence[0]
        root["CA"] = [b"UTF-8"]
        names = {"black": "PB", "white": "PW", "date": "DT", "result": "RE"}
        told = {name: first_text(root, short) for name, short in names.items()}
        found.append(told | {"sgf": serialise(tree).decode("utf-8", "replace")})
    return found


class Folder:
    """The games below a folder, as they were when it was read: no other file is ever opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files = {readable_name(str(p)): p for p in record_files(path) if not archive_kind(p)}
        self.games = read_games(path)
        self._sources = [game.source for game in self.games]
        self.listed: list[list[Any]] = [
            [number, game.black, game.white, game.result, game.date, self._short(game.source)]
            for number, game in enumerate(self.games)
        ]

    def _short(self, source: str) -> str:
        return source.removeprefix(readable_name(str(self._path))).lstrip("/\\")

    def game(self, number: int) -> Record:
        """The game of a number in the list. Raises KatachiError if it is no longer there."""
        if not 0 <= number < len(self._sources):
            raise KatachiError(f"the list has no game {number}: load the page again")
        source = self._sources[number]
        name, mark, which = source.rpartition("#")
        if not mark or not which.isdigit() or source in self._files:
            name, which = source, "1"
        return parse_tree(self._bytes(name), self._short(source), int(which))

    def _bytes(self, name: str) -> bytes:
        if name in self._files:
            try:
                return self._files[name].read_bytes()
            except OSError as error:
                raise KatachiError(f"{name} cannot be read now: {error.strerror}") from None
        for member in members(self._path):
            if member.name == name and member.data is not None:
                return member.data
        raise KatachiError(f"{name} is no longer there: start katachi study again")
