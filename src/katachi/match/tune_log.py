"""The folder of a tuning: plan.json says what is tuned, and log.jsonl has a line for each game.

A line is written when a game is over, and never changed: {"values": {name: value, …}, "game": …},
the game as in match.json. A last line without its end, of a program that was killed while it wrote,
is no line: that game is played again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from katachi.errors import KatachiError
from katachi.folders import PLAN, alone_in, is_empty, read_json, write_json, write_whole
from katachi.match.record import GameRecord

FORMAT: Final = "katachi-tune-1"
LOG: Final = "log.jsonl"


@dataclass(frozen=True, slots=True)
class TunedGame:
    """A finished game, and the values (parameter → number) with which A played it."""

    values: dict[str, float]
    game: GameRecord


class TuneFolder:
    """The files of a tuning."""

    def __init__(self, folder: Path, plan: dict[str, Any]) -> None:
        self.path = folder
        self._log = folder / LOG
        self._plan = {"format": FORMAT, **json.loads(json.dumps(plan))}

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Make the folder, and keep others out of it; a new folder into which nothing was written
        goes again. Raises KatachiError if it cannot be made, or if it is at work.
        """
        new = not self.path.exists()
        try:
            with alone_in(self.path, "another tuning is at work", again=False):
                yield
        finally:
            if new:
                with suppress(OSError):  # it is not empty
                    self.path.rmdir()

    def load(self) -> list[TunedGame]:
        """The games of the log. Raises KatachiError if the folder holds something else, or if a
        line of the log is damaged.
        """
        if is_empty(self.path):
            return []
        found = read_json(self.path / PLAN)
        plan = found if isinstance(found, dict) else {}
        for name, wanted in self._plan.items():
            if plan.get(name) != wanted:
                other = "another" if name in ("engine", "opponent") else "other"
                what = "something else" if name == "format" else f"a tuning with {other} {name}"
                raise KatachiError(f"{self.path} holds {what}: give another folder")
        try:
            data = self._log.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise KatachiError(f"{self._log} cannot be read: {error.strerror}") from None
        whole, end, torn = data.rpartition(b"\n")
        if torn:
            write_whole(self._log, whole + end)
        return [self._game(number, line) for number, line in enumerate(whole.splitlines(), 1)]

    def _game(self, number: int, line: bytes) -> TunedGame:
        try:
            data = json.loads(line)
            return TunedGame(data["values"], GameRecord(**data["game"]))
        except (ValueError, KeyError, TypeError):
            raise KatachiError(f"line {number} of {self._log} is damaged: remove it") from None

    def begin(self, engines: dict[str, str]) -> None:
        """Write the plan, with the names of the engines (side → name and version), unless it is
        there. Raises KatachiError if they were others.
        """
        found = read_json(self.path / PLAN)
        if found is None:
            write_json(self.path / PLAN, self._plan | {"engines": engines})
        elif found.get("engines") != engines:
            was = " and ".join(found.get("engines", {}).values())
            raise KatachiError(
                f"the engines are {' and '.join(engines.values())} now and were {was} in the games "
                f"of {self.path}: give another folder"
            )

    def add(self, game: TunedGame) -> None:
        """Write the line of a finished game. Raises KatachiError."""
        line = json.dumps(asdict(game), ensure_ascii=False)
        try:
            with self._log.open("ab") as log:
                log.write(f"{line}\n".encode("utf-8", "replace"))
        except OSError as error:
            raise KatachiError(f"{self._log} cannot be written: {error.strerror}") from None
