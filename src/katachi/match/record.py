"""A match on disk: `match.json` with the settings and every finished game, `games/0001.sgf` ….

A match with a sequential test has its terms, and how it stands, under "sprt" as well. The standing
is for readers: it is made again from the games.

Each file is written whole, the game's record before the line that counts it: whatever happens,
the next run knows which games are finished.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from katachi.errors import KatachiError
from katachi.folders import alone_in, make_folder, write_whole
from katachi.match.settings import SIDES, MatchSettings
from katachi.match.sprt import UNDECIDED, Sprt, Trial, trial_of
from katachi.match.statistics import Tally

FORMAT: Final = 1
RECORD: Final = "match.json"
GAMES: Final = "games"

# Why a game ended. By the moves:
SCORE, RESIGNATION, TOO_LONG = "score", "resignation", "too long"
# By a fault of the loser:
TIME, HANG, CRASH = "time", "hang", "crash"
ILLEGAL, BAD_ANSWER, REFUSED = "illegal move", "bad answer", "refused"
FAULTS: Final = (TIME, HANG, CRASH, ILLEGAL, BAD_ANSWER, REFUSED)
REASONS: Final = (SCORE, RESIGNATION, TOO_LONG, *FAULTS)


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """An engine as it presented itself; `name` is its command where it told none."""

    command: str
    name: str
    version: str

    @property
    def title(self) -> str:
        """Name and version."""
        return f"{self.name} {self.version}".strip()


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game. `black` and `winner` are "A" or "B", the winner of a draw is "".

    `result` is as SGF's RE has it, `reason` one of REASONS, `detail` the particulars or "".
    `moves` counts the opening's, too; `seconds` (side → seconds) is the time of their genmoves.
    """

    number: int
    black: str
    winner: str
    result: str
    reason: str
    detail: str
    moves: int
    seconds: dict[str, float]
    opening: str
    seed: int


@dataclass(slots=True)
class MatchResult:
    """A match as far as it has come: its engines (side → what it is), settings and games, and its
    sequential test, if it has one.
    """

    engines: dict[str, EngineInfo]
    settings: MatchSettings
    games: list[GameRecord] = field(default_factory=list)
    trial: Trial | None = None

    def add(self, *games: GameRecord) -> None:
        """Add finished games; they stay in order, and the test follows."""
        self.games.extend(games)
        self.games.sort(key=lambda game: game.number)
        if self.trial is not None:
            self.trial = self.trial.follow({g.number: POINTS[g.winner] for g in self.games})

    @property
    def decided(self) -> bool:
        """Whether its test has come to a decision: no further game is needed."""
        return self.trial is not None and self.trial.decision != UNDECIDED

    def tally(self, black: str | None = None) -> Tally:
        """A's wins, losses and draws; only the games in which `black` was black, if given."""
        return _tally([g for g in self.games if black in (None, g.black)])

    def reasons(self) -> dict[str, Tally]:
        """How the games ended, in the order of REASONS: A's wins, losses and draws by each."""
        by_reason = {r: _tally([g for g in self.games if g.reason == r]) for r in REASONS}
        return {reason: tally for reason, tally in by_reason.items() if tally.games}

    def mean_moves(self) -> float | None:
        """Moves per game, None without games."""
        return sum(g.moves for g in self.games) / len(self.games) if self.games else None

    def mean_seconds(self, side: str) -> float | None:
        """Seconds per game that a side thought, None without games."""
        if not self.games:
            return None
        return sum(g.seconds[side] for g in self.games) / len(self.games)

    def data(self) -> dict[str, Any]:
        """The engines, the result and the means as JSON."""
        return {
            "engines": {side: asdict(self.engines[side]) for side in SIDES},
            **self.tally().data(),
            "mean_moves": self.mean_moves(),
            "mean_seconds": {side: self.mean_seconds(side) for side in SIDES},
        }


POINTS: Final = {"A": 1.0, "": 0.5, "B": 0.0}  # winner → A's points


def _tally(games: list[GameRecord]) -> Tally:
    winners = [game.winner for game in games]
    return Tally(*(winners.count(side) for side in (*SIDES, "")))


class MatchFolder:
    """The files of a match."""

    def __init__(self, folder: Path) -> None:
        self.path = folder
        self._record = folder / RECORD

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Make the folder, and keep other matches out of it; a new folder into which nothing was
        written goes again. Raises KatachiError if it cannot be made, or if a match is being played
        there.
        """
        new = not self.path.exists()
        try:
            with alone_in(self.path, "another match is being played", again=False):
                make_folder(self.path / GAMES)
                yield
        finally:
            if new:
                with suppress(OSError):  # it is not empty
                    (self.path / GAMES).rmdir()
                    self.path.rmdir()

    def load(self) -> tuple[MatchResult, str] | None:
        """What match.json holds, and the digest of its openings; None if there is none.

        Raises KatachiError if it is damaged, or if the folder has games without it.
        """
        try:
            data = json.loads(self._record.read_bytes())
        except FileNotFoundError:
            if any((self.path / GAMES).iterdir()):
                raise KatachiError(
                    f"{self.path} has games, but no {RECORD}: give another folder"
                ) from None
            return None
        except OSError as error:
            raise KatachiError(f"{self._record} cannot be read: {error.strerror}") from None
        except ValueError:
            data = None
        try:
            if data["format"] != FORMAT:
                raise KatachiError(f"{self._record} is of another Katachi: give another folder")
            engines = {side: EngineInfo(**data["engines"][side]) for side in SIDES}
            time = data["settings"].pop("time")
            settings = MatchSettings(**data["settings"], time=None if time is None else (*time,))
            result = MatchResult(engines, settings, trial=_trial(data, settings))
            result.add(*(GameRecord(**game) for game in data["games"]))
            return result, str(data["openings"])
        except (AttributeError, KeyError, TypeError):
            raise KatachiError(
                f"{self._record} is no record of a match: give another folder"
            ) from None

    def save(self, result: MatchResult, openings: str) -> None:
        """Write match.json; `openings` is the digest of the recorded openings."""
        data = {
            "format": FORMAT,
            "engines": {side: asdict(result.engines[side]) for side in SIDES},
            "settings": asdict(result.settings),
            "openings": openings,
            **({} if result.trial is None else {"sprt": result.trial.data()}),
            "games": [asdict(game) for game in result.games],
        }
        text = json.dumps(data, ensure_ascii=False, indent=1)
        write_whole(self._record, f"{text}\n".encode("utf-8", "replace"))

    def sgf_path(self, number: int) -> Path:
        """Where the record of a game goes."""
        return self.path / GAMES / f"{number:04}.sgf"


def _trial(data: dict[str, Any], settings: MatchSettings) -> Trial | None:
    """The sequential test of a record, before its games. Raises KeyError and TypeError."""
    if "sprt" not in data:
        return None
    terms = {name: data["sprt"][name] for name in ("elo0", "elo1", "alpha", "beta")}
    return trial_of(Sprt(**terms), paired=settings.paired)
