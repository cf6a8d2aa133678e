"""What the verbs that play matches share: their progress, and their end when somebody ends us."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from katachi.cli.tables import rate_cells
from katachi.cli.talk import bars_of
from katachi.match.play import Spectator, Standing
from katachi.match.record import FAULTS, GameRecord
from katachi.match.sgf import player_names
from katachi.match.sprt import Trial
from katachi.match.statistics import Tally


@contextmanager
def ended_in_order() -> Iterator[None]:
    """End the engines also when somebody ends us, or closes the terminal."""

    def leave(number: int, _frame: FrameType | None) -> None:
        sys.exit(128 + number)

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    usual = [number for number, handler in before.items() if handler == signal.SIG_DFL]
    for number in usual:  # what nohup ignores stays ignored
        signal.signal(number, leave)
    try:
        yield
    finally:
        for number in usual:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def playing(console: Console) -> Iterator[Spectator]:
    """A bar for the match, and a line for each game that ended by a fault; where stderr is no
    terminal a line for each finished game.
    """
    columns = (
        MofNCompleteColumn(),
        BarColumn(),
        TextColumn("{task.fields[score]}", markup=False),
        TimeElapsedColumn(),
        TextColumn("{task.fields[running]}", markup=False),
    )
    with bars_of(console, *columns) as bars:
        task = None

        def show(standing: Standing, finished: GameRecord | None) -> None:
            nonlocal task
            result = standing.result
            if task is None:
                names = player_names(result.engines)
                games = f"{result.settings.games} games"
                if result.trial is not None:
                    games = f"at most {games}"
                console.print(f"A: {names['A']}, B: {names['B']}, {games}", soft_wrap=True)
                if result.games:
                    console.print(f"{len(result.games)} of them were finished before")
                task = bars.add_task("", total=result.settings.games, score="", running="")
            tally = result.tally()
            running = ", ".join(f"{n}: {moves}" for n, moves in sorted(standing.running.items()))
            bars.update(
                task,
                completed=len(result.games),
                score=f"A {tally.points:g} · {rate_text(tally)}{_test(result.trial, ' · ')}",
                running=f"moves {running}" if running else "",
            )
            if finished and (finished.reason in FAULTS or not console.is_terminal):
                line = f"{_line(finished, tally)}{_test(result.trial, '; ')}"
                console.print(line, soft_wrap=True)

        yield show


def _line(game: GameRecord, tally: Tally) -> str:
    """A finished game and how the match stands."""
    winner = f"{game.winner} wins" if game.winner else "a draw"
    detail = f" ({game.detail})" if game.detail else ""
    moves = "1 move" if game.moves == 1 else f"{game.moves} moves"
    return (
        f"game {game.number}: {game.black} black, {game.result}, {winner} by {game.reason}"
        f"{detail}, {moves}; A {tally.points:g} of {tally.games}, {rate_text(tally)}"
    )


def llr_text(trial: Trial) -> str:
    """ "LLR 1.20 (-2.94 … 2.94)": how a sequential test stands between its bounds."""
    lower, upper = trial.sprt.bounds
    return f"LLR {trial.llr:.2f} ({lower:.2f} … {upper:.2f})"


def _test(trial: Trial | None, before: str) -> str:
    return "" if trial is None else f"{before}{llr_text(trial)}"


def rate_text(tally: Tally) -> str:
    """ "62.0 % (51.2–71.8)", "" without games."""
    rate, interval = rate_cells(tally)
    return f"{rate} ({interval})" if rate else ""
