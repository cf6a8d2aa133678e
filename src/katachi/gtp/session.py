"""`Session`: what a GTP engine remembers between commands: the game, its terms, clock and player.

Nothing heavy is imported before a command needs it: `name` and its like answer at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from katachi import __version__
from katachi.errors import KatachiError
from katachi.gtp.compiling import Compiling
from katachi.gtp.say import say

if TYPE_CHECKING:
    from katachi.go.position import Position
    from katachi.models.model import Model
    from katachi.search.clock import Clock
    from katachi.search.engine import SearchPlayer
    from katachi.search.player import Budget, Choice, GameState, Player

    Thinking = Callable[[], AbstractContextManager[Event]]

DEFAULT_SIZE: Final = 19
DEFAULT_KOMI: Final = 7.5
LONGEST_PONDERING: Final = 600.0  # seconds: an opponent who is gone costs no more


@contextmanager
def undisturbed() -> Iterator[Event]:
    """Thinking that nothing ends."""
    yield Event()


@contextmanager
def _at_once() -> Iterator[Event]:
    """An analysis that nobody watches."""
    stop = Event()
    stop.set()
    yield stop


@dataclass(frozen=True)
class Limits:
    """What the user allows for every move; None leaves it to the clock or the player."""

    simulations: int | None = None
    seconds: float | None = None


class Session:
    """The state of one GTP session.

    `build` makes the player when it is first needed, and may raise KatachiError; `rebuild` makes
    one with other settings of the search, which are told as text. `compiling` has the kernels
    ready. `thinking` gives the event that ends the thinking (`katachi.gtp.lines.Lines.thinking`),
    `watching` the one that ends an analysis; without it an analysis ends after its first line.
    `ponders`: it thinks on the opponent's time. `about`: what there is to say of the engine, for
    people. `version` is answered instead of Katachi's own.
    """

    def __init__(
        self,
        build: Callable[[], Player],
        *,
        rebuild: Callable[[Mapping[str, str]], Player] | None = None,
        settings: Mapping[str, str] | None = None,
        compiling: Compiling | None = None,
        rules: str = "chinese",
        limits: Limits | None = None,
        may_resign: bool = True,
        thinking: Thinking = undisturbed,
        watching: Thinking = _at_once,
        ponders: bool = False,
        about: Mapping[str, str] | None = None,
        version: str | None = None,
    ) -> None:
        self.rules = rules
        self.komi = DEFAULT_KOMI
        self.handicap = 0
        self.limits = limits or Limits()
        self.may_resign = may_resign
        self.thinking = thinking
        self.watching = watching
        self.ponders = ponders
        self.about = dict(about or {})
        self.settings = dict(settings or {})
        self.version = version or __version__
        self._build = build
        self._rebuild = rebuild
        self._compiling = compiling or Compiling()
        self._pondering: tuple[Event, Thread] | None = None
        self._position: Position | None = None
        self._clock: Clock | None = None
        self._player: Player | None = None
        self._warm = False  # whether the player is ready
        self._last: tuple[Choice, list[tuple[int, int]]] | None = None  # and the moves after it

    # -- the game ------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position as it stands; commands play on it."""
        if self._position is None:
            from katachi.go.position import Position

            self._position = Position(DEFAULT_SIZE)
        return self._position

    def restart(self, position: Position, handicap: int = 0) -> None:
        """Begin another game from this position, with full time; komi stays.

        The player is not told: it sees by the position that this is another game, and its random
        numbers go on, so that games of one session differ.
        """
        self._position = position
        self._last = None
        self.handicap = handicap
        if self._clock is not None:
            from katachi.search.clock import started

            self._clock = started(self._clock.control)
        self.prepare()

    def game(self, colour: int) -> GameState:
        """The game as `colour` finds it when it is to move, on a board of its own."""
        from katachi.search.player import GameState

        position = self.position.copy()
        position.to_play(colour)
        return GameState(position, self.komi, self.rules, may_resign=self.may_resign)

    # -- the clock -----------------------------------------------------------------------------

    @property
    def clock(self) -> Clock:
        """Both sides' time."""
        if self._clock is None:
            from katachi.search.clock import Clock

            self._clock = Clock()
        return self._clock

    @clock.setter
    def clock(self, clock: Clock) -> None:
        self._clock = clock

    @contextmanager
    def on_the_clock(self, colour: int) -> Iterator[None]:
        """Count the time that passes in this context as used by `colour`."""
        start = time.monotonic()
        try:
            yield
        finally:
            self.clock = self.clock.spent(colour, time.monotonic() - start)

    def budget(self, colour: int) -> Budget:
        """What the user's limits and the clock together allow for the next move of `colour`.

        Limits of the user replace the clock's aim, but never its longest.
        """
        from katachi.search.clock import budget
        from katachi.search.player import Budget

        size = self.position.size
        stones = size * size - int(self.position.board.empties)
        played = max(len(self.position.moves), stones)
        timed = budget(self.clock, colour, played, size * size)
        simulations, seconds = self.limits.simulations, self.limits.seconds
        if simulations is None and seconds is None:
            return timed
        bounds = [s for s in (seconds, timed.longest) if s is not None]
        longest = min(bounds) if bounds else None
        return Budget(simulations, None if seconds is None else longest, longest)

    # -- the player ----------------------------------------------------------------------------

    @property
    def player(self) -> Player:
        """The player, made on first use. Raises KatachiError if it cannot be made."""
        if self._player is None:
            self._player = self._build()
        return self._player

    @property
    def model(self) -> Model:
        """The player's model. Raises KatachiError if it has none."""
        model: Model | None = getattr(self.player, "model", None)
        if model is None:
            raise KatachiError("this player has no model to ask")
        return model

    @property
    def searcher(self) -> SearchPlayer:
        """The player that searches. Raises KatachiError if it does not."""
        from katachi.search.engine import SearchPlayer

        if not isinstance(self.player, SearchPlayer):
            raise KatachiError("this player does not search: start katachi gtp without --player")
        return self.player

    def set(self, name: str, value: str) -> None:
        """Change a setting of the search; the tree is lost. Raises KatachiError if it cannot be."""
        if self._rebuild is None:
            raise KatachiError("this player has no settings")
        settings = self.settings | {name: value}
        self._player = self._rebuild(settings)
        self.settings = settings

    def clear_cache(self) -> None:
        """Have the player forget what it keeps between moves."""
        if self._player is not None:
            self._player.clear()

    def choose(self, colour: int, *, cleanup: bool = False) -> Choice:
        """The player's choice for `colour`, which may be out of turn; nothing is played. `cleanup`:
        dead stones are disputed, and to be taken off first.

        Raises KatachiError if there is no player, or it cannot play on such a board.
        """
        game, allowed = replace(self.game(colour), cleanup=cleanup), self.budget(colour)
        with self.thinking() as stop:
            return self.player.choose(game, allowed, stop)

    def remember(self, choice: Choice) -> None:
        """Keep what was thought of the move that has just been played, or of resigning."""
        self._last = choice, list(self.position.moves)

    def last_choice(self) -> Choice | None:
        """The player's last choice; None if the game went on, or back, since then."""
        if self._last is None or self._last[1] != self.position.moves:
            return None
        return self._last[0]

    # -- the opponent's time -------------------------------------------------------------------

    def ponder(self) -> None:
        """Begin to think about the opponent's move, in another thread, until `wake`."""
        if not self.ponders or self._pondering is not None:
            return
        from katachi.go.points import PASS
        from katachi.search.engine import SearchPlayer
        from katachi.search.player import Budget

        player = self._player
        over = [p for _, p in self.position.moves[-2:]] == [PASS, PASS]
        if not isinstance(player, SearchPlayer) or over:
            return
        game, stop = self.game(self.position.to_move), Event()

        def think() -> None:
            try:
                player.search(game, Budget(longest=LONGEST_PONDERING), stop)
            except Exception as error:  # nobody waits for it: say so, and go on
                say(f"while thinking on the opponent's time: {type(error).__name__}: {error}")

        thread = Thread(target=think, daemon=True, name="gtp-pondering")
        self._pondering = stop, thread
        thread.start()

    def wake(self) -> None:
        """End thinking on the opponent's time; what was found stays in the tree."""
        if self._pondering is not None:
            stop, thread = self._pondering
            stop.set()
            thread.join()
            self._pondering = None

    # -- getting ready -------------------------------------------------------------------------

    def prepare(self) -> None:
        """Make the player ready, if that takes no time; else begin to, beside what comes next: who
        asks for the board alone need not wait. `warm_up` waits for the end.
        """
        if not self._warm and not self._compiling.start():
            self.warm_up()

    def warm_up(self) -> None:
        """Make the player ready before any clock runs, and say so if that takes long.

        A player that cannot be made is told on stderr, and raised when it has to play. One that
        cannot play on this board gets another chance on the next.
        """
        if self._warm:
            return
        compiled = self._compiling.wait()
        try:
            self._rehearse(self.player, everything=not compiled)
        except KatachiError as error:
            if self._player is not None:
                return  # on another board, perhaps
            say(str(error))
        except Exception as error:
            say(f"internal error: {type(error).__name__}: {error}")
        else:
            self._compiling.done()
        self._warm = True

    def end(self) -> None:
        """Stop what goes on beside this process."""
        self.wake()
        self._compiling.end()

    def _rehearse(self, player: Player, everything: bool) -> None:
        """Have the player do all that it may have to do in a game."""
        from katachi.search.player import RESIGN, Budget

        game = self.game(self.position.to_move)
        choice = player.choose(game, Budget(simulations=1, seconds=0.01, longest=0.01))
        if everything:
            player.owners(game)
        player.clear()
        if choice.move != RESIGN:
            game.position.play(choice.move, superko=True)
