"""`MatchSettings`: everything that decides how the games of a match are played."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from math import isfinite
from typing import Final

from katachi.errors import KatachiError
from katachi.go.points import MAX_SIZE, MIN_SIZE

SIDES: Final = ("A", "B")
RULES: Final = ("chinese", "japanese", "tromp-taylor")
BALANCED: Final = "balanced"  # the openings that come with Katachi
OWN: Final = "own"  # the referee that is none: the engines agree, or the area counts
PLAYOUTS: Final = "{playouts}"
SEED: Final = "{seed}"
LONGEST: Final = 3  # times the points of the board: then a game is scored as it stands


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """How the games of a match are played; docs/match.md tells each.

    `time` is (main seconds, byoyomi seconds, stones) for each side and game; (m, 0, 0) is absolute
    time. `openings` is a path of game records, of which `opening_moves` moves are played (None for
    all of them), or BALANCED; `random_opening` is a number of random moves. `max_moves` of 0 stands
    for 3 · size². Raises KatachiError for what cannot be.
    """

    size: int = 9
    komi: float = 7.5
    games: int = 100
    rules: str = "chinese"
    time: tuple[float, float, int] | None = None
    playouts: int | None = None
    openings: str | None = None
    opening_moves: int | None = None
    random_opening: int = 0
    seed: int = 1
    referee: str = OWN
    timeout: float = 600.0
    max_moves: int = 0

    def __post_init__(self) -> None:
        wrong = _wrong(self)
        if wrong:
            raise KatachiError(wrong)

    @property
    def longest(self) -> int:
        """The move after which a game is scored as it stands."""
        return self.max_moves or LONGEST * self.size**2

    @property
    def paired(self) -> bool:
        """Whether both games of a pair begin with the same opening, so that they go together."""
        return self.openings is not None or self.random_opening > 0

    def command(self, command: str, seed: int) -> str:
        """The command of an engine with its placeholders filled."""
        return command.replace(PLAYOUTS, str(self.playouts)).replace(SEED, str(seed))


def _wrong(s: MatchSettings) -> str:
    """What is wrong with the settings, "" if nothing."""
    if not MIN_SIZE <= s.size <= MAX_SIZE:
        return f"board size {s.size} is not between {MIN_SIZE} and {MAX_SIZE}"
    if not isfinite(s.komi) or not (2 * s.komi).is_integer():
        return f"komi {s.komi:g} is no whole or half number"
    if s.games < 1:
        return "a match has at least one game"
    if s.rules not in RULES:
        return f"no rules {s.rules!r}: choose from {', '.join(RULES)}"
    if s.time is not None:
        main, byoyomi, stones = s.time
        if not (isfinite(main + byoyomi) and main >= 0 and byoyomi >= 0 and main + byoyomi >= 1):
            return "the time must be at least one second"
        if (byoyomi > 0) != (stones > 0):
            return "byoyomi needs both its seconds and its number of stones"
    if s.playouts is not None and s.playouts < 1:
        return "the number of playouts must be at least 1"
    if s.openings is not None and s.random_opening:
        return "openings from records and random ones exclude each other: choose one"
    if s.opening_moves is not None and (s.openings is None or s.opening_moves < 1):
        return "a number of opening moves goes with records of openings, and is at least 1"
    if s.opening_moves is not None and s.openings == BALANCED:
        return "balanced openings are played to their end: leave out the number of opening moves"
    if not 0 <= s.random_opening <= s.size**2 // 3:
        return f"a random opening has at most {s.size**2 // 3} moves on this board"
    if not s.timeout > 0:
        return "the timeout must be more than 0 seconds"
    return "" if s.max_moves >= 0 else "a game cannot have fewer than 0 moves"


def check_commands(commands: dict[str, str], settings: MatchSettings) -> None:
    """Raise KatachiError where `playouts` and the placeholder {playouts} do not go together, or
    where a command cannot be written down.
    """
    for command in commands.values():
        try:
            command.encode()
        except UnicodeEncodeError:
            raise KatachiError(f"the engine command {command!r} is not UTF-8") from None
    named = any(PLAYOUTS in command for command in commands.values())
    if settings.playouts is not None and not named:
        raise KatachiError(
            f"no engine command has the placeholder {PLAYOUTS}, so none would learn of the "
            "number of playouts: put it where the engine expects that number"
        )
    if settings.playouts is None and named:
        raise KatachiError(f"an engine command has the placeholder {PLAYOUTS}: say how many")


def game_seed(seed: int, number: int) -> int:
    """The seed of a game, below 2^30 and even: engine A gets it, engine B the next number."""
    digest = blake2b(f"{seed}/{number}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 3 << 1
