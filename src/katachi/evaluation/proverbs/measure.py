"""How often the proverb's move is played rather than another.

In a *case* at least one move of the proverb and one *rival* can be played. Of a case with m moves
of the proverb and r rivals the odds are those of one move against one: the estimate is Mantel and
Haenszel's,

    Σ (r / (m + r)) over cases in which a move of the proverb was played
    -----------------------------------------------------------------
    Σ (m / (m + r)) over cases in which a rival was played

so that the positions need not be alike in anything else, and those in which something else was
played count nothing. Its interval comes from drawing whole games again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from katachi.evaluation.proverbs.chosen import Case, case_of, words_of
from katachi.evaluation.proverbs.proverbs import Proverb
from katachi.evaluation.resampling import ratio_intervals
from katachi.go.points import BLACK, PASS, WHITE
from katachi.patterns.situation import Situation
from katachi.progress import Progress, silent
from katachi.records.corpus import Corpus
from katachi.records.game import Game

Sums = npt.NDArray[np.float64]  # [proverb, 5]: the two sums; cases, played, rival played


@dataclass(frozen=True)
class Verdict:
    """What players do with a proverb. `odds` is None where no rival was played, or none of it."""

    proverb: Proverb
    cases: int
    played: int  # cases in which its move was played
    rival: int  # cases in which a rival was played
    odds: float | None
    interval: tuple[float, float] | None

    @property
    def holds(self) -> bool | None:
        """Whether players follow it; None if that cannot be told: the interval has 1 in it."""
        if self.interval is None or self.interval[0] <= 1 <= self.interval[1]:
            return None
        return (self.interval[0] > 1) == self.proverb.more

    @property
    def words(self) -> str:
        """The verdict in one line."""
        if self.odds is None or self.holds is None:
            return "cannot be told from these games"
        much = self.odds if self.odds >= 1 else 1 / self.odds
        how = "often" if self.odds >= 1 else "rarely"
        often = f"{much:.1f} times as {how} as {self.proverb.other}"
        return f"{'followed' if self.holds else 'not followed'}: {often}"


def measured(
    proverbs: Sequence[Proverb],
    games: Corpus,
    *,
    resamples: int = 1000,
    seed: int = 1,
    progress: Progress = silent,
) -> list[Verdict]:
    """The verdicts of the moves of these games, in the order of the proverbs."""
    sums = np.zeros((len(games), len(proverbs), 5))
    for number in range(len(games)):
        count_game(proverbs, games[number], sums[number])
        progress("reading proverbs (games)", number + 1, len(games))
    intervals = ratio_intervals(sums[:, :, 0], sums[:, :, 1], resamples=resamples, seed=seed)
    return [
        _verdict(proverb, total, interval)
        for proverb, total, interval in zip(proverbs, sums.sum(axis=0), intervals, strict=True)
    ]


def _verdict(proverb: Proverb, total: Sums, interval: list[float] | None) -> Verdict:
    ours, theirs, cases, played, rival = total.tolist()
    known = ours > 0 and theirs > 0
    return Verdict(
        proverb,
        int(cases),
        int(played),
        int(rival),
        ours / theirs if known else None,
        (interval[0], interval[1]) if known and interval is not None else None,
    )


def count_game(proverbs: Sequence[Proverb], game: Game, sums: Sums) -> None:
    """Add the moves of one game to the sums of each proverb."""
    situation = Situation()
    last_words: frozenset[str] = frozenset()
    for position, colour, move in game.walk():
        if colour not in (BLACK, WHITE) or move < PASS:
            return
        if move == PASS:
            last_words = frozenset()
            continue
        case = case_of(situation, position.board, last_words)
        (found,) = np.flatnonzero(case.points == move)
        at = int(found)
        for proverb, total in zip(proverbs, sums, strict=True):
            count_case(proverb, case, at, total)
        last_words = words_of(case, at)


def count_case(proverb: Proverb, case: Case, played: int, total: Sums) -> None:
    """Add one position to the sums of a proverb."""
    if proverb.situation is not None and not proverb.situation(case):
        return
    moves = proverb.moves(case)
    count = int(moves.sum())
    if not count:
        return
    rivals = proverb.rivals(case) & ~moves
    others = int(rivals.sum())
    if not others:
        return
    total[2] += 1
    if moves[played]:
        total[0] += others / (count + others)
        total[3] += 1
    elif rivals[played]:
        total[1] += count / (count + others)
        total[4] += 1
