"""Table 2 of Coulom 2007: what patterns and widening are worth, in games against GNU Go.

A row is a match of `katachi gtp` with one preset of the search (`katachi.search.settings`), in a
folder of its own. Our engine as it plays by default has a row, too, which the paper has not.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from katachi.errors import KatachiError
from katachi.match.client import CouldNotStart, engine_arguments
from katachi.match.play import Spectator, play_match
from katachi.match.record import FAULTS, MatchResult
from katachi.match.settings import SEED, SIDES, MatchSettings

KOMI: Final = 6.5
GAMES: Final = 20
ENGINES: Final = ("no-patterns", "patterns", "patterns-and-widening", "default")
# The first answers of our engine: the kernels may have to be compiled on a busy machine.
STARTUP_TIMEOUT: Final = 600.0
TIMEOUT: Final = 3600.0  # for any other: a move of a long game may take its time


class PaperRow(NamedTuple):
    """A row of the paper's table: Crazy Stone against GNU Go 3.6, one CPU of 2.2 GHz."""

    size: int
    preset: str
    minutes: float  # Crazy Stone's for a game
    level: int  # GNU Go's
    games: int
    rate: float


# Coulom 2007, section 4.3, Table 2; the paper's 128 minutes are the last row
PAPER: Final = (
    PaperRow(9, "no-patterns", 1.5, 10, 170, 0.382),
    PaperRow(9, "patterns", 1.5, 10, 170, 0.682),
    PaperRow(9, "patterns-and-widening", 1.5, 10, 170, 0.906),
    PaperRow(19, "no-patterns", 32, 8, 192, 0.0),
    PaperRow(19, "patterns", 32, 8, 192, 0.0),
    PaperRow(19, "patterns-and-widening", 32, 8, 192, 0.375),
    PaperRow(19, "patterns-and-widening", 128, 8, 192, 0.571),
)
SIZES: Final = (9, 19)
MINUTES: Final = {9: 1.5, 19: 32.0}
LEVELS: Final = {9: 10, 19: 8}


@dataclass(frozen=True)
class Row:
    """A row to be played: a board size and a preset of the search."""

    size: int
    preset: str

    @property
    def name(self) -> str:
        """As its folder is called."""
        return f"{self.size}x{self.size}-{self.preset}"


@dataclass(frozen=True)
class Terms:
    """How the games of every row are played; None is the paper's. `minutes` are for a game of our
    engine, `simulations`, if given, for each of its moves instead; `level` is GNU Go's.
    """

    games: int = GAMES
    minutes: float | None = None
    simulations: int | None = None
    level: int | None = None


@dataclass(frozen=True)
class PlayedRow:
    """A row that has been played: `minutes` is None where `simulations` decided."""

    row: Row
    minutes: float | None
    simulations: int | None
    level: int
    folder: Path
    result: MatchResult

    @property
    def paper(self) -> PaperRow | None:
        """The paper's row of this preset: that with these minutes, or its first; None for ours."""
        rows = [one for one in PAPER if one[:2] == (self.row.size, self.row.preset)]
        rows.sort(key=lambda one: one.minutes != self.minutes)  # stable
        return rows[0] if rows else None

    def faults(self, side: str) -> dict[str, int]:
        """Games that a side ("A" is Katachi, "B" GNU Go) lost by a fault: reason → how many."""
        lost = {
            reason: tally.losses if side == SIDES[0] else tally.wins
            for reason, tally in self.result.reasons().items()
        }
        return {reason: n for reason, n in lost.items() if n and reason in FAULTS}

    def data(self) -> dict[str, Any]:
        """The row as JSON."""
        paper = self.paper
        return {
            **asdict(self.row),
            "minutes": self.minutes,
            "simulations": self.simulations,
            "level": self.level,
            **self.result.data(),
            "faults": {"katachi": self.faults(SIDES[0]), "gnugo": self.faults(SIDES[1])},
            "paper": None if paper is None else paper._asdict(),
            "folder": str(self.folder),
        }


# watch(row): a context in which the row is played, and what it is told of its games
Watch: TypeAlias = Callable[[Row], AbstractContextManager[Spectator | None]]


def rows_of(sizes: Iterable[int] = SIZES) -> list[Row]:
    """The rows of these board sizes, each size once, in the paper's order."""
    return [Row(size, preset) for size in sorted(set(sizes)) for preset in ENGINES]


def our_command(preset: str, simulations: int | None) -> str:
    """Our engine, by the Python that runs now, as one command; the match fills in the seed."""
    words = [sys.executable, "-m", "katachi", "gtp", "--setting", f"preset={preset}"]
    if simulations is not None:
        words += ["--simulations", str(simulations)]
    return f"{shlex.join(words)} --seed {SEED}"


def gnugo_command(level: int | None = None) -> str:
    """GNU Go as one command, as a player of this level or as the referee."""
    return f"gnugo --mode gtp{'' if level is None else f' --level {level}'} --chinese-rules"


def play_table(
    rows: Iterable[Row], terms: Terms, folder: Path, *, jobs: int = 1, watch: Watch
) -> list[PlayedRow]:
    """Play the rows one after another, each in a folder of its own in `folder`, where finished
    games are not played again; `jobs` games run at a time.

    The clock is for both sides: GNU Go takes no notice of it, but loses where it overruns it, and
    `PlayedRow.faults` tells. Raises KatachiError, before the first game, without GNU Go and for
    terms that cannot be; and as `play_match` does. Finished games are kept whatever is raised.
    """
    if terms.minutes is not None and terms.simulations is not None:
        raise KatachiError("minutes for a game and simulations for a move exclude each other")
    planned = [(row, _settings(row, terms)) for row in rows]
    try:
        engine_arguments(gnugo_command())
    except CouldNotStart:
        raise KatachiError(
            "GNU Go, against which the games are played, is not installed: install the program "
            "gnugo"
        ) from None
    played = []
    for row, settings in planned:
        level = LEVELS[row.size] if terms.level is None else terms.level
        ours = our_command(row.preset, terms.simulations)
        with watch(row) as spectator:
            result = play_match(
                ours,
                gnugo_command(level),
                settings,
                folder=folder / row.name,
                jobs=jobs,
                startup_timeout=STARTUP_TIMEOUT,
                spectator=spectator,
            )
        where, minutes = folder / row.name, _minutes(row, terms)
        played.append(PlayedRow(row, minutes, terms.simulations, level, where, result))
    return played


def _settings(row: Row, terms: Terms) -> MatchSettings:
    """Raises KatachiError for what cannot be."""
    minutes = _minutes(row, terms)
    return MatchSettings(
        size=row.size,
        komi=KOMI,
        games=terms.games,
        time=None if minutes is None else (60.0 * minutes, 0.0, 0),
        referee=gnugo_command(),
        timeout=TIMEOUT,
    )


def _minutes(row: Row, terms: Terms) -> float | None:
    if terms.simulations is not None:
        return None
    return MINUTES[row.size] if terms.minutes is None else terms.minutes
