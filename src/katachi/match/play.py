"""`play_match`: games between two GTP engines, some at a time, resumed where they stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor
from dataclasses import dataclass, field, fields
from datetime import date
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, TypeAlias

from katachi.errors import KatachiError
from katachi.folders import write_whole
from katachi.go.position import Position
from katachi.match.engines import EnginePool, Stopped, Tried
from katachi.match.game import Played, play_game
from katachi.match.openings import Opening, Openings
from katachi.match.record import EngineInfo, GameRecord, MatchFolder, MatchResult
from katachi.match.scoring import REFEREE
from katachi.match.settings import OWN, SIDES, MatchSettings, check_commands, game_seed
from katachi.match.sgf import match_sgf
from katachi.match.sprt import Sprt, trial_of

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
    sprt: Sprt | None = None,
    jobs: int = 1,
    startup_timeout: float = STARTUP_TIMEOUT,
    spectator: Spectator | None = None,
    pool: Executor | None = None,
) -> MatchResult:
    """Play the games of a match between the engines of two commands, and return them all.

    Games that `folder` holds already are not played again. `jobs` games run at a time; `spectator`
    is called in the caller's thread. With a `pool` its workers play the games, not this process.
    With `sprt` the match ends as soon as this test is decided, at the end of a pair of games; games
    that are still running then are given up. An engine that crashes, hangs or breaks the rules
    loses that game. Raises KatachiError, before the first game, if an engine cannot be started,
    does not answer within `startup_timeout` or refuses the board; if the folder holds another
    match, or one is being played in it; if there are no openings.
    Whatever is raised, also KeyboardInterrupt, every engine has been ended, and finished games are
    in the folder.
    """
    chosen = settings or MatchSettings()
    commands = dict(zip(SIDES, (a, b), strict=True))
    check_commands(commands, chosen)
    openings = Openings(chosen)
    files = MatchFolder(folder)
    with files.opened():
        before = files.load()
        trial = None if sprt is None else trial_of(sprt, paired=chosen.paired)
        result = MatchResult({}, chosen, trial=trial)
        if before is not None:
            then = before[0]
            _same_match(*before, commands, chosen, sprt, openings.digest, folder)
            result.engines = then.engines
            result.add(*then.games)
        pending = sorted(set(range(1, chosen.games + 1)) - {game.number for game in result.games})
        if not pending or result.decided:
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
            _Play(engines, openings, pending, pool).all(result, files, jobs, spectator or _nobody)
            engines.close()
        except BaseException:
            engines.kill()
            raise
        return result


def _nobody(_standing: Standing, _finished: GameRecord | None) -> None:
    pass


class _Play:
    """The workers, threads that each play one game after another, and what they report."""

    def __init__(
        self,
        engines: EnginePool,
        openings: Openings,
        pending: list[int],
        pool: Executor | None = None,
    ) -> None:
        self.engines = engines
        self.pool = pool
        self.openings = openings
        self.settings = openings.settings
        self.pending = iter(pending)
        # a game for whoever is free; None: there is none left
        self.orders: SimpleQueue[int | None] = SimpleQueue()
        # (number, moves so far), a finished game, or what a worker failed with
        self.reports: SimpleQueue[tuple[int, int] | Played | BaseException] = SimpleQueue()

    def all(self, result: MatchResult, files: MatchFolder, jobs: int, spectator: Spectator) -> None:
        """Play every pending game, or up to the decision of the match's test; each is written and
        added to `result` when it is over, and before another one begins in its place: so a decided
        match begins no game.
        """
        Position(self.settings.size).score()  # the kernels are there before any game begins
        orders = list(islice(self.pending, jobs))
        threads = [threading.Thread(target=self.work, daemon=True) for _ in orders]
        standing = Standing(result)
        spectator(standing, None)
        today = date.today().isoformat()
        try:
            for number, thread in zip(orders, threads, strict=True):
                self.orders.put(number)
                thread.start()
            playing = len(orders)
            while playing and not result.decided:
                report = self.reports.get()
                if isinstance(report, BaseException):
                    raise report
                if isinstance(report, tuple):
                    number, moves = report
                    standing.running[number] = moves
                    spectator(standing, None)
                    continue
                game = report.record
                standing.running.pop(game.number, None)
                sgf = match_sgf(report, result.engines, self.settings, today)
                write_whole(files.sgf_path(game.number), sgf)
                result.add(game)
                files.save(result, self.openings.digest)
                following = None if result.decided else next(self.pending, None)
                self.orders.put(following)
                playing -= following is None
                spectator(standing, game)
            if playing:  # the test is decided: nobody waits for the games of the others
                self._give_up(threads)
        except BaseException:
            self._give_up(threads)
            raise

    def _give_up(self, threads: list[threading.Thread]) -> None:
        """End the engines, and with them the games that are running. What a pool plays is dropped;
        nobody waits for it.
        """
        self.engines.kill()
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
        for _ in threads:
            self.orders.put(None)
        for thread in threads:
            if thread.ident is not None:
                thread.join(10)

    def work(self) -> None:
        try:
            while (number := self.orders.get()) is not None:
                self.reports.put((number, 0))
                moved = _mover(self.reports, number)
                self.reports.put(self.play(number, self.openings.of(number), moved))
        except (Stopped, CancelledError):
            pass
        except BaseException as error:
            self.reports.put(error)

    def play(self, number: int, opening: Opening, moved: Callable[[int], None]) -> Played:
        if self.pool is None:
            return play_game(number, opening, self.engines, self.settings, moved)
        known = self.engines.commands, self.engines.startup_timeout, self.engines.tried
        return self.pool.submit(play_apart, number, opening, self.settings, *known).result()


def play_apart(
    number: int,
    opening: Opening,
    settings: MatchSettings,
    commands: dict[str, str],
    startup_timeout: float,
    tried: dict[str, Tried],
) -> Played:
    """A game with engines of its own, in the process that plays it; they are ended with it."""
    engines = EnginePool(commands, settings, startup_timeout)
    engines.tried = tried
    try:
        return play_game(number, opening, engines, settings, lambda _moves: None)
    finally:
        engines.kill()


def _mover(reports: SimpleQueue[Any], number: int) -> Callable[[int], None]:
    return lambda moves: reports.put((number, moves))


# -- the same match again ------------------------------------------------------------------------


def _same_match(
    then: MatchResult,
    openings_then: str,
    commands: dict[str, str],
    settings: MatchSettings,
    sprt: Sprt | None,
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
    if (None if then.trial is None else then.trial.sprt) != sprt:
        other = "another sequential test" if then.trial else "no sequential test"
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
