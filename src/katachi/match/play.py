"""`play_match`: games between two GTP engines, some at a time, resumed where they stopped."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from datetime import date
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, TypeAlias

from katachi.errors import KatachiError
from katachi.folders import write_whole
from katachi.go.position import Position
from katachi.match.engines import EnginePool, Stopped
from katachi.match.game import Played, play_game
from katachi.match.openings import Openings
from katachi.match.record import EngineInfo, GameRecord, MatchFolder, MatchResult
from katachi.match.scoring import REFEREE
from katachi.match.settings import OWN, SIDES, MatchSettings, check_commands, game_seed
from katachi.match.sgf import match_sgf

STARTUP_TIMEOUT: Final = 120.0


@dataclass(slots=True)
class Standing:
    """A match that is being played: the games finished, and the moves so far of those running."""

    result: MatchResult
    running: dict[int, int] = field(default_factory=dict)  # number of the game → moves


# spectator(standing, the game that has just finished or None)
Spectator: TypeAlias = Callable[[Standing, GameRecord | None], None]


def play_match(
    a: str,
    b: str,
    settings: MatchSettings | None = None,
    *,
    folder: Path,
    jobs: int = 1,
    startup_timeout: float = STARTUP_TIMEOUT,
    spectator: Spectator | None = None,
) -> MatchResult:
    """Play the games of a match between the engines of two commands, and return them all.

    Games that `folder` holds already are not played again. `jobs` games run at a time; `spectator`
    is called in the caller's thread. An engine that crashes, hangs or breaks the rules loses that
    game. Raises KatachiError, before the first game, if an engine cannot be started, does not
    answer within `startup_timeout` or refuses the board; if the folder holds another match, or one
    is being played in it; if there are no openings. Whatever is raised, also KeyboardInterrupt,
    every engine has been ended, and finished games are in the folder.
    """
    chosen = settings or MatchSettings()
    commands = dict(zip(SIDES, (a, b), strict=True))
    check_commands(commands, chosen)
    openings = Openings(chosen)
    files = MatchFolder(folder)
    with files.opened():
        before = files.load()
        done: list[GameRecord] = []
        if before is not None:
            _same_match(*before, commands, chosen, openings.digest, folder)
            done = before[0].games
        result = MatchResult({} if before is None else before[0].engines, chosen, done)
        pending = sorted(set(range(1, chosen.games + 1)) - {game.number for game in done})
        if not pending:
            return result
        if chosen.referee != OWN:
            commands[REFEREE] = chosen.referee
        engines = EnginePool(commands, chosen, startup_timeout)
        try:
            for role in commands:
                engines.try_out(role, game_seed(chosen.seed, 0))
            if REFEREE in commands and not engines.knows(REFEREE, "final_score"):
                raise KatachiError(f"the referee ({chosen.referee}) does not know final_score")
            told = {side: engines.tried[side].info for side in SIDES}
            if before is not None:
                _same_engines(result.engines, told, folder)
            result.engines = told
            files.save(result, openings.digest)
            _Play(engines, openings, pending).all(result, files, jobs, spectator or _nobody)
            engines.close()
        except BaseException:
            engines.kill()
            raise
        return result


def _nobody(_standing: Standing, _finished: GameRecord | None) -> None:
    pass


class _Play:
    """The workers, threads that each play one game after another, and what they report."""

    def __init__(self, engines: EnginePool, openings: Openings, pending: list[int]) -> None:
        self.engines = engines
        self.openings = openings
        self.settings = openings.settings
        self.pending = deque(pending)
        # (number, moves so far), a finished game, what a worker failed with, or None at its end
        self.reports: SimpleQueue[tuple[int, int] | Played | BaseException | None] = SimpleQueue()

    def all(self, result: MatchResult, files: MatchFolder, jobs: int, spectator: Spectator) -> None:
        """Play every pending game; each is written and added to `result` when it is over."""
        Position(self.settings.size).score()  # the kernels are there before any game begins
        working = min(jobs, len(self.pending))
        threads = [threading.Thread(target=self.work, daemon=True) for _ in range(working)]
        standing = Standing(result)
        spectator(standing, None)
        today = date.today().isoformat()
        try:
            for thread in threads:
                thread.start()
            while working:
                report = self.reports.get()
                if report is None:
                    working -= 1
                elif isinstance(report, BaseException):
                    raise report
                elif isinstance(report, tuple):
                    number, moves = report
                    standing.running[number] = moves
                    spectator(standing, None)
                else:
                    game = report.record
                    standing.running.pop(game.number, None)
                    sgf = match_sgf(report, result.engines, self.settings, today)
                    write_whole(files.sgf_path(game.number), sgf)
                    result.games.append(game)
                    result.games.sort(key=lambda one: one.number)
                    files.save(result, self.openings.digest)
                    spectator(standing, game)
        except BaseException:
            self.pending.clear()
            self.engines.kill()
            for thread in threads:
                if thread.ident is not None:
                    thread.join(10)
            raise

    def work(self) -> None:
        try:
            while self.pending:
                try:
                    number = self.pending.popleft()
                except IndexError:
                    break
                self.reports.put((number, 0))
                moved = _mover(self.reports, number)
                opening = self.openings.of(number)
                self.reports.put(play_game(number, opening, self.engines, self.settings, moved))
        except Stopped:
            pass
        except BaseException as error:
            self.reports.put(error)
            return
        self.reports.put(None)


def _mover(reports: SimpleQueue[Any], number: int) -> Callable[[int], None]:
    return lambda moves: reports.put((number, moves))


# -- the same match again ------------------------------------------------------------------------


def _same_match(
    then: MatchResult,
    openings_then: str,
    commands: dict[str, str],
    settings: MatchSettings,
    openings: str,
    folder: Path,
) -> None:
    """Raise KatachiError if the folder holds a match with other engines or settings. Records of
    openings may have moved; more games may be wanted.
    """
    for side in SIDES:
        if then.engines[side].command != commands[side]:
            raise KatachiError(
                f"{folder} holds a match with another engine {side} "
                f"({then.engines[side].command}): give another folder"
            )
    other = "" if openings_then == openings else "other openings"
    for one in fields(MatchSettings):
        was, wanted = getattr(then.settings, one.name), getattr(settings, one.name)
        if was != wanted and one.name not in ("games", "openings"):
            other = f"another {one.name.replace('_', ' ')} ({was}, not {wanted})"
    if other:
        raise KatachiError(f"{folder} holds a match with {other}: give another folder")
    last = max((game.number for game in then.games), default=0)
    if last > settings.games:
        raise KatachiError(
            f"{folder} holds {last} games: their number can only grow, give another folder"
        )


def _same_engines(then: dict[str, EngineInfo], now: dict[str, EngineInfo], folder: Path) -> None:
    """Raise KatachiError if an engine has another name or version than before."""
    for side in SIDES:
        if then[side] != now[side]:
            raise KatachiError(
                f"engine {side} is {now[side].title} now and was {then[side].title} in the games "
                f"of {folder}: give another folder"
            )
