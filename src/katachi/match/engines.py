"""The engines of a match: tried once before it, kept from game to game, none left behind."""

from __future__ import annotations

import threading
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass

from katachi.errors import KatachiError
from katachi.match.client import Engine, EngineError, Refused
from katachi.match.record import EngineInfo
from katachi.match.settings import SEED, MatchSettings

# How the rules are called in `kgs-rules`, which has no word for Tromp-Taylor: Chinese has its
# area scoring and its superko.
KGS_RULES = {"chinese": "chinese", "japanese": "japanese", "tromp-taylor": "chinese"}


class Stopped(Exception):
    """The match is being ended: no engine is to be started any more."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What an engine told when it was tried."""

    info: EngineInfo
    commands: frozenset[str]


class EnginePool:
    """The engine processes of a match, by role ("A", "B", "referee"). Any thread may use it.

    An engine is taken for a game and given back after it. It plays the next game too, unless its
    command has a {seed}, which is new for each game.
    """

    def __init__(
        self, commands: dict[str, str], settings: MatchSettings, startup_timeout: float
    ) -> None:
        self.commands = commands
        self._settings = settings
        self.startup_timeout = startup_timeout
        self._idle: dict[str, list[Engine]] = defaultdict(list)
        self._all: list[Engine] = []
        self._lock = threading.Lock()
        self._stopped = False
        self.tried: dict[str, Tried] = {}

    def take(self, role: str, seed: int) -> Engine:
        """An engine for this role: one that waits, or a new one that has given its first answer.

        Raises EngineError, and Stopped after `close` or `kill`.
        """
        with self._lock:
            if self._stopped:
                raise Stopped
            while self._idle[role]:
                engine = self._idle[role].pop()
                if engine.alive:
                    return engine
            engine = Engine(self._settings.command(self.commands[role], seed))
            self._all = [other for other in self._all if other.alive] + [engine]
        # Its first answer may take longer than the others: it has still to get ready.
        with suppress(Refused):
            engine.ask("protocol_version", self.startup_timeout)
        return engine

    def give_back(self, role: str, engine: Engine, *, sound: bool) -> None:
        """Return an engine; one that is not `sound` is ended."""
        if not sound:
            engine.kill()
        elif SEED in self.commands[role]:
            engine.close()
        else:
            with self._lock:
                self._idle[role].append(engine)

    def renew(self, role: str, command: str) -> None:
        """Start engines of this role by another command from now on; those that wait are ended."""
        with self._lock:
            same = self.commands[role] == command
            self.commands = self.commands | {role: command}
            idle = [] if same else self._idle.pop(role, [])
        for engine in idle:
            engine.close()

    def try_out(self, role: str, seed: int) -> None:
        """Start the engine of a role once and ask what it is; the answers are in `tried`.

        Raises KatachiError with one sentence if it cannot start, does not answer, or refuses the
        board or the komi; `kill` is still to be called then.
        """
        command = self.commands[role]
        who = "the referee" if role not in ("A", "B") else f"engine {role}"
        try:
            engine = self.take(role, seed)
            told = {}
            for question in ("name", "version", "list_commands"):
                try:
                    told[question] = engine.ask(question, self.startup_timeout)
                except Refused:
                    told[question] = ""
            for question in begin_game(self._settings):
                engine.ask(question, self.startup_timeout)
        except EngineError as error:
            raise KatachiError(f"{who} ({command}): {error}") from None
        name = " ".join(told["name"].split())[:100] or command
        version = " ".join(told["version"].split())[:40]
        info = EngineInfo(command, name, version)
        self.tried[role] = Tried(info, frozenset(told["list_commands"].split()))
        self.give_back(role, engine, sound=True)

    def knows(self, role: str, command: str) -> bool:
        """Whether the engine of a role has listed a command."""
        return command in self.tried[role].commands

    def close(self) -> None:
        """End all engines: ask them to quit, kill those that stay."""
        threads = [threading.Thread(target=engine.close) for engine in self._end()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def kill(self) -> None:
        """End all engines at once, also those in use."""
        for engine in self._end():
            engine.kill()

    def _end(self) -> list[Engine]:
        with self._lock:
            self._stopped = True
            self._idle.clear()
            return [engine for engine in self._all if engine.alive]


def begin_game(settings: MatchSettings) -> list[str]:
    """The commands before every game that an engine must accept."""
    return [f"boardsize {settings.size}", "clear_board", f"komi {settings.komi:g}"]
