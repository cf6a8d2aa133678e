"""One game of a match: two engines, our own board as the judge of legality, our own clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from katachi.go.points import BLACK, COLOUR_NAMES, PASS, WHITE, other, vertex
from katachi.go.position import IllegalMove, Position
from katachi.match import client, record
from katachi.match.client import Engine, EngineError, NoAnswer
from katachi.match.engines import KGS_RULES, EnginePool, begin_game
from katachi.match.openings import Opening
from katachi.match.record import GameRecord
from katachi.match.scoring import result_text, score_game
from katachi.match.settings import SIDES, MatchSettings, game_seed
from katachi.search.clock import Control, gtp_control, started

EXPLAIN: Final = "gomill-explain_last_move"
GRACE: Final = 1.0  # seconds that a side may overrun its clock in all
LONGEST_COMMENT: Final = 2000  # characters of an engine's own comment
_FAULTS: Final[dict[type[EngineError], str]] = {
    client.NoAnswer: record.HANG,
    client.Died: record.CRASH,
    client.CouldNotStart: record.CRASH,
    client.Garbled: record.BAD_ANSWER,
    client.Refused: record.REFUSED,
}
_LETTER: Final = {BLACK: "B", WHITE: "W"}
_ENDING: Final = {record.RESIGNATION: "R", record.TIME: "T"}  # anything else is a forfeit


class _Lost(Exception):
    """A side has lost, and not by the score."""

    def __init__(self, colour: int, reason: str, detail: str = "") -> None:
        super().__init__(detail)
        self.colour = colour
        self.reason = reason
        self.detail = detail


@dataclass(slots=True)
class Played:
    """A finished game: what match.json says of it, and its moves with a comment to each."""

    record: GameRecord
    moves: list[tuple[int, int]]
    comments: dict[int, str] = field(default_factory=dict)  # by index of the move


def black_side(number: int) -> str:
    """A is black in odd games."""
    return SIDES[(number - 1) % 2]


def play_game(
    number: int,
    opening: Opening,
    engines: EnginePool,
    settings: MatchSettings,
    moved: Callable[[int], None],
) -> Played:
    """Play game `number` and say how it ended; `moved` is called with the number of moves so far.

    Whatever an engine does costs it this game and nothing else. Raises Stopped when the match is
    being ended.
    """
    game = _Game(number, engines, settings, moved)
    try:
        return game.play(opening)
    finally:
        game.release()


class _Game:
    def __init__(
        self,
        number: int,
        engines: EnginePool,
        settings: MatchSettings,
        moved: Callable[[int], None],
    ) -> None:
        first = black_side(number)
        second = SIDES[1 - SIDES.index(first)]
        self.number = number
        self.seed = game_seed(settings.seed, number)
        self.roles = {BLACK: first, WHITE: second}
        self.engines = engines
        self.settings = settings
        self.moved = moved
        self.players: dict[int, Engine] = {}
        control = Control() if settings.time is None else gtp_control(*settings.time)
        self.clock = started(replace(control, grace=GRACE))
        self.used = {BLACK: 0.0, WHITE: 0.0}  # seconds
        self.position = Position(settings.size)
        self.comments: dict[int, str] = {}
        self.faulty: int | None = None

    def play(self, opening: Opening) -> Played:
        detail = ""
        try:
            self._begin(opening)
            reason = self._moves()
            sides = {c: (self.roles[c], engine) for c, engine in self.players.items()}
            margin, detail = score_game(self.position, sides, self.engines, self.settings)
            result = result_text(margin)
            winner = "" if margin == 0 else self.roles[BLACK if margin > 0 else WHITE]
        except _Lost as lost:
            reason, detail = lost.reason, lost.detail
            result = f"{_LETTER[other(lost.colour)]}+{_ENDING.get(reason, 'F')}"
            winner = self.roles[other(lost.colour)]
            self.faulty = None if reason == record.RESIGNATION else lost.colour
        ended = GameRecord(
            number=self.number,
            black=self.roles[BLACK],
            winner=winner,
            result=result,
            reason=reason,
            detail=detail,
            moves=len(self.position.moves),
            seconds={
                role: round(self.used[colour], 3)
                for colour, role in sorted(self.roles.items(), key=lambda item: item[1])
            },
            opening=" ".join(vertex(p, self.settings.size) for p in opening),
            seed=self.seed,
        )
        return Played(ended, self.position.moves, self.comments)

    def release(self) -> None:
        """Give the engines back, but for the one that lost by a fault."""
        for colour, engine in self.players.items():
            sound = colour != self.faulty and engine.alive
            self.engines.give_back(self.roles[colour], engine, sound=sound)

    def _begin(self, opening: Opening) -> None:
        for colour, role in self.roles.items():
            try:
                seed = self.seed + SIDES.index(role)
                self.players[colour] = self.engines.take(role, seed)
            except EngineError as error:
                raise _Lost(colour, _FAULTS[type(error)], str(error)) from None
            for command in begin_game(self.settings):
                self._ask(colour, command)
            self._ask_if_known(colour, f"kgs-rules {KGS_RULES[self.settings.rules]}")
            if self.settings.time is not None:
                main, byoyomi, stones = self.settings.time
                self._ask_if_known(colour, f"time_settings {int(main)} {int(byoyomi)} {stones}")
        for p in opening:
            for colour in self.players:
                self._tell(colour, self.position.to_move, p)
            self.position.play(p)

    def _moves(self) -> str:
        """Moves up to two passes in a row (SCORE) or too many of them (TOO_LONG)."""
        passes = 0
        superko = self.settings.rules == "tromp-taylor"
        while len(self.position.moves) < self.settings.longest:
            colour = self.position.to_move
            p = self._genmove(colour)
            try:
                self.position.play(p, superko=superko)
            except IllegalMove as error:
                raise _Lost(colour, record.ILLEGAL, str(error)) from None
            self._explain(colour)
            self.moved(len(self.position.moves))
            self._tell(other(colour), colour, p)
            passes = passes + 1 if p == PASS else 0
            if passes == 2:
                return record.SCORE
        return record.TOO_LONG

    def _genmove(self, colour: int) -> int:
        if self.settings.time is not None:
            seconds, stones = self.clock.time_left(colour)
            self._ask_if_known(colour, f"time_left {COLOUR_NAMES[colour]} {seconds} {stones}")
        allowance, timeout = self.clock.longest_move(colour), self.settings.timeout
        begun = time.monotonic()
        try:
            answer = self.players[colour].ask(
                f"genmove {COLOUR_NAMES[colour]}", min(allowance, timeout)
            )
        except NoAnswer as error:
            self.used[colour] += min(allowance, timeout)
            reason = record.TIME if allowance <= timeout else record.HANG
            raise _Lost(colour, reason, str(error)) from None
        except EngineError as error:
            raise _Lost(colour, _FAULTS[type(error)], str(error)) from None
        used = time.monotonic() - begun
        self.used[colour] += used
        self.clock = self.clock.spent(colour, used)
        if self.clock.is_lost(colour):
            raise _Lost(colour, record.TIME, f"{self.used[colour]:.1f} s used")
        self.comments[len(self.position.moves)] = f"{used:.2f} s"
        if answer.lower() == "resign":
            raise _Lost(colour, record.RESIGNATION)
        try:
            return self.position.point(answer)
        except ValueError:
            raise _Lost(colour, record.BAD_ANSWER, f"{answer[:80]!r} is no move") from None

    def _explain(self, colour: int) -> None:
        words = self._ask_if_known(colour, EXPLAIN)
        if words:
            self.comments[len(self.position.moves) - 1] += f"\n{words[:LONGEST_COMMENT]}"

    def _tell(self, colour: int, mover: int, p: int) -> None:
        self._ask(colour, f"play {COLOUR_NAMES[mover]} {vertex(p, self.settings.size)}")

    def _ask_if_known(self, colour: int, command: str) -> str:
        """The answer, "" if the engine does not know the command or refuses it."""
        if not self.engines.knows(self.roles[colour], command.split()[0]):
            return ""
        try:
            return self._ask(colour, command)
        except _Lost as lost:
            if lost.reason == record.REFUSED:
                return ""
            raise

    def _ask(self, colour: int, command: str) -> str:
        try:
            return self.players[colour].ask(command, self.settings.timeout)
        except EngineError as error:
            raise _Lost(colour, _FAULTS[type(error)], str(error)) from None
