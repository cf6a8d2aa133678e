"""`tune`: numbers of an engine, tuned by games against an opponent, resumed where they stopped.

Games come in pairs, as in a match: the same values and the same opening, colours exchanged. The
values of a pair are drawn by CLOP (`katachi.match.clop`). With `jobs` pairs at a time those of pair
n follow from the pairs up to n - jobs, which are all over then. So the same command comes to the
same values, whatever is finished first, and however often it was interrupted.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from math import exp
from pathlib import Path
from queue import SimpleQueue
from statistics import NormalDist
from typing import Any, Final, TypeAlias

import numpy as np

from katachi.errors import KatachiError
from katachi.go.position import Position
from katachi.match.clop import Region, draw, localised
from katachi.match.engines import EnginePool, Stopped
from katachi.match.game import play_game
from katachi.match.openings import Openings
from katachi.match.parameters import Parameter, check_placeholders, filled
from katachi.match.play import STARTUP_TIMEOUT
from katachi.match.record import POINTS
from katachi.match.scoring import REFEREE
from katachi.match.settings import OWN, SIDES, MatchSettings, check_commands, game_seed
from katachi.match.statistics import CONFIDENCE
from katachi.match.tune_log import TunedGame, TuneFolder

ANYWHERE: Final = ("games", "openings")  # settings that may change: more games, records that moved


@dataclass(slots=True)
class Tuning:
    """What the games of a tuning, in any order, say about its parameters."""

    parameters: tuple[Parameter, ...]
    games: list[TunedGame] = field(default_factory=list)

    def pairs(self) -> dict[int, tuple[dict[str, float], list[float]]]:
        """Number of a pair, from 0 → its values, and A's points in each finished game."""
        found: dict[int, tuple[dict[str, float], list[float]]] = {}
        for one in sorted(self.games, key=lambda one: one.game.number):
            pair = (one.game.number - 1) // 2
            found.setdefault(pair, (one.values, []))[1].append(POINTS[one.game.winner])
        return found

    def region(self, before: int | None = None) -> Region:
        """What the pairs leave; only those with a number below `before`, if given."""
        pairs = [pair for n, pair in self.pairs().items() if before is None or n < before]
        points = [[one.x(values[one.name]) for one in self.parameters] for values, _ in pairs]
        return localised(
            np.array(points, float).reshape(-1, len(self.parameters)),
            np.array([sum(score) / len(score) for _, score in pairs]),
            np.array([len(score) for _, score in pairs], float),
        )

    def estimate(self) -> Estimate:
        """The optimum as far as it is known."""
        region = self.region()
        optimum = {
            one.name: one.value(x) for one, x in zip(self.parameters, region.mean(), strict=True)
        }
        intervals = {
            one.name: (one.value(low), one.value(high))
            for one, (low, high) in zip(self.parameters, region.interval(CONFIDENCE), strict=True)
        }
        if region.fit is None:
            return Estimate(optimum, intervals, None, (0.0, 1.0))
        at = np.array([one.x(optimum[one.name]) for one in self.parameters])
        q, error = region.fit.at(at)
        half = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2) * error
        return Estimate(
            optimum, intervals, _logistic(q), (_logistic(q - half), _logistic(q + half))
        )


@dataclass(frozen=True, slots=True)
class Estimate:
    """The best values (parameter → number), the values around them that are not ruled out (to the
    end that 95 % of CLOP's weight is within), and the win rate expected there, with the 95 %
    interval of the regression; None while there is no regression.
    """

    optimum: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    rate: float | None
    rate_interval: tuple[float, float]


def _logistic(q: float) -> float:
    return 1 / (1 + exp(-q)) if q > 0 else exp(q) / (1 + exp(q))


# spectator(the tuning so far, the game that has just finished or None)
TuneSpectator: TypeAlias = Callable[[Tuning, TunedGame | None], None]


def tune(
    engine: str,
    opponent: str,
    parameters: Sequence[Parameter],
    settings: MatchSettings,
    *,
    folder: Path,
    jobs: int = 1,
    startup_timeout: float = STARTUP_TIMEOUT,
    spectator: TuneSpectator | None = None,
) -> Tuning:
    """Play `settings.games` games of an engine, whose command has the placeholders of these
    parameters, against an opponent, and return them all.

    Games of the log in `folder` are not played again. Raises KatachiError for commands, parameters
    or a number of games that cannot be; if an engine cannot be started, with the first values, or
    refuses the board; if the folder holds something else, or is at work. Whatever is raised, also
    KeyboardInterrupt, every engine has been ended, and finished games are in the log.
    """
    check_placeholders(engine, opponent, parameters)
    if settings.games < 2 or settings.games % 2:
        raise KatachiError("games are played in pairs with colours exchanged: give an even number")
    commands = dict(zip(SIDES, (engine, opponent), strict=True))
    check_commands(commands, settings)
    openings = Openings(settings)
    files = TuneFolder(folder, _plan(commands, parameters, settings, openings))
    with files.opened():
        tuning = Tuning(tuple(parameters), files.load())
        done = {one.game.number for one in tuning.games}
        if set(range(1, settings.games + 1)) <= done:
            return tuning
        if settings.referee != OWN:
            commands[REFEREE] = settings.referee
        run = _Run(tuning, commands, openings, jobs, startup_timeout)
        try:
            files.begin(run.try_out())
            run.all(files, spectator or (lambda _tuning, _game: None))
            run.close()
        except BaseException:
            run.kill()
            raise
        return tuning


def _plan(
    commands: dict[str, str],
    parameters: Sequence[Parameter],
    settings: MatchSettings,
    openings: Openings,
) -> dict[str, Any]:
    """What must be the same for a run to go on."""
    terms = {name: value for name, value in asdict(settings).items() if name not in ANYWHERE}
    return {
        "engine": commands["A"],
        "opponent": commands["B"],
        "parameters": [asdict(one) for one in parameters],
        "settings": terms,
        "openings": openings.digest,
    }


class _Run:
    """The workers, threads with engines of their own that each play one game after another."""

    def __init__(
        self,
        tuning: Tuning,
        commands: dict[str, str],
        openings: Openings,
        jobs: int,
        startup_timeout: float,
    ) -> None:
        self.tuning = tuning
        self.engine = commands["A"]
        self.openings = openings
        self.settings = openings.settings
        self.jobs = jobs
        self.over: dict[int, set[int]] = defaultdict(set)  # pair → its games that are over
        for one in tuning.games:
            self.over[(one.game.number - 1) // 2].add(one.game.number)
        first = commands | {"A": self._command(self._values(0))}
        self.pools = [EnginePool(first, self.settings, startup_timeout) for _ in range(jobs)]
        # (values, a game that is to be played with them); None: there is none left
        self.orders: SimpleQueue[tuple[dict[str, float], int] | None] = SimpleQueue()
        self.reports: SimpleQueue[TunedGame | BaseException] = SimpleQueue()

    def try_out(self) -> dict[str, str]:
        """Start the engines once; side → what it is called. Raises KatachiError."""
        tried = self.pools[0]
        for role in (*SIDES, *([REFEREE] if self.settings.referee != OWN else [])):
            tried.try_out(role, game_seed(self.settings.seed, 0))
        if self.settings.referee != OWN and not tried.knows(REFEREE, "final_score"):
            raise KatachiError(f"the referee ({self.settings.referee}) does not know final_score")
        for pool in self.pools[1:]:
            pool.tried = tried.tried
        return {side: tried.tried[side].info.title for side in SIDES}

    def all(self, files: TuneFolder, spectator: TuneSpectator) -> None:
        """Play all games that are not over; each is written to the log, then added, before another
        one begins in its place.
        """
        Position(self.settings.size).score()  # the kernels are there before any game begins
        threads = [threading.Thread(target=self._work, args=(p,), daemon=True) for p in self.pools]
        pending = [n for n in range(self.settings.games // 2) if len(self.over[n]) < 2]
        spectator(self.tuning, None)
        running: set[int] = set()
        try:
            for thread in threads:
                thread.start()
            while pending or running:
                while pending and len(running) < self.jobs and self._known(pending[0]):
                    pair = pending.pop(0)
                    first = min({2 * pair + 1, 2 * pair + 2} - self.over[pair])
                    self.orders.put((self._values(pair), first))
                    running.add(pair)
                report = self.reports.get()
                if isinstance(report, BaseException):
                    raise report
                files.add(report)
                self.tuning.games.append(report)
                pair = (report.game.number - 1) // 2
                self.over[pair].add(report.game.number)
                if len(self.over[pair]) == 2:
                    running.remove(pair)
                else:  # the worker that is free now has the engines for it
                    self.orders.put((report.values, 2 * pair + 2))
                spectator(self.tuning, report)
        finally:
            for _ in threads:
                self.orders.put(None)
            if pending or running:
                self.kill()
            for thread in threads:
                if thread.ident is not None:
                    thread.join(10)

    def _known(self, pair: int) -> bool:
        """Whether all pairs from which the values of this one follow are over."""
        return all(len(self.over[n]) == 2 for n in range(pair - self.jobs + 1))

    def _values(self, pair: int) -> dict[str, float]:
        """The values of a pair: those of the log where it has begun, else drawn."""
        begun = self.tuning.pairs().get(pair)
        if begun is not None:
            return begun[0]
        random = np.random.default_rng([self.settings.seed % 2**32, pair])
        x = draw(self.tuning.region(before=pair - self.jobs + 1), random)
        return {one.name: one.value(at) for one, at in zip(self.tuning.parameters, x, strict=True)}

    def _command(self, values: dict[str, float]) -> str:
        return filled(self.engine, self.tuning.parameters, values)

    def _work(self, pool: EnginePool) -> None:
        try:
            while (order := self.orders.get()) is not None:
                values, number = order
                pool.renew("A", self._command(values))
                opening = self.openings.of(number)
                played = play_game(number, opening, pool, self.settings, lambda _: None)
                self.reports.put(TunedGame(values, played.record))
        except Stopped:
            pass
        except BaseException as error:
            self.reports.put(error)

    def close(self) -> None:
        """End all engines: ask them to quit, kill those that stay."""
        for pool in self.pools:
            pool.close()

    def kill(self) -> None:
        """End all engines at once, also those in use."""
        for pool in self.pools:
            pool.kill()
