"""A sequential test of two Elo differences: a match ends as soon as it knows enough.

H0 says that A is `elo0` stronger than B, H1 that it is `elo1` stronger. After each pair of games

    LLR = D(s0) - D(s1),    s = 1 / (1 + 10^(-Elo / 400))

is the logarithm of the generalised likelihood ratio (D: `katachi.match.likelihood`). At or below
log(β / (1 - α)) H0 is accepted, at or above log((1 - β) / α) H1 (Wald 1945). Then H1 is accepted
wrongly in about α of the matches in which H0 holds, and H0 in β of those in which H1 does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite, log
from statistics import NormalDist
from typing import Any, Final

from katachi.errors import KatachiError
from katachi.match.likelihood import GAMES, PAIRS, deviance, likelihood_interval, mean_score
from katachi.match.statistics import CONFIDENCE, elo_difference, expected_rate

ERROR: Final = 0.05  # α and β where none are given
LARGEST: Final = 1000.0  # Elo; beyond it all that a test could see are the lost games
H0, H1, UNDECIDED = "H0", "H1", "undecided"


@dataclass(frozen=True, slots=True)
class Sprt:
    """The terms of a sequential test. Raises KatachiError for what cannot be."""

    elo0: float
    elo1: float
    alpha: float = ERROR
    beta: float = ERROR

    def __post_init__(self) -> None:
        if not all(isfinite(elo) and abs(elo) <= LARGEST for elo in (self.elo0, self.elo1)):
            raise KatachiError(
                f"a sequential test is about Elo differences between {-LARGEST:g} and {LARGEST:g}"
            )
        if self.elo0 >= self.elo1:
            raise KatachiError(
                f"a sequential test needs two Elo differences, the smaller first: {self.elo0:g} is "
                f"not below {self.elo1:g}"
            )
        for name in ("alpha", "beta"):
            if not 0 < (share := getattr(self, name)) < 0.5:
                raise KatachiError(f"{name} is {share:g}: it must be above 0 and below 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR at which H0 is accepted, and that at which H1 is."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class Trial:
    """A sequential test and what it has seen: `counts` of the outcomes with these `values`."""

    sprt: Sprt
    values: tuple[float, ...]
    counts: tuple[int, ...]
    llr: float = 0.0

    @property
    def decision(self) -> str:
        """H0, H1 or UNDECIDED."""
        lower, upper = self.sprt.bounds
        return H1 if self.llr >= upper else H0 if self.llr <= lower else UNDECIDED

    @property
    def pairs(self) -> int:
        """The pairs of games that it has seen."""
        return sum(self.counts) // (1 if self.values == PAIRS else 2)

    def after(self, first: float, second: float) -> Trial:
        """The test after one more pair of games, with A's points in each."""
        counts = list(self.counts)
        paired = self.values == PAIRS
        for value in [(first + second) / 2] if paired else [first, second]:
            counts[self.values.index(value)] += 1
        s0, s1 = expected_rate(self.sprt.elo0), expected_rate(self.sprt.elo1)
        llr = deviance(self.values, counts, s0) - deviance(self.values, counts, s1)
        return replace(self, counts=tuple(counts), llr=llr)

    def follow(self, points: Mapping[int, float]) -> Trial:
        """The test after all further pairs, in their order, of which both games have points (number
        of the game → A's), up to the first missing one or to the decision: whatever order games
        were finished in, and however often the match was interrupted, it is the same.
        """
        trial = self
        while trial.decision == UNDECIDED:
            number = 2 * trial.pairs + 1
            if not (number in points and number + 1 in points):
                break
            trial = trial.after(points[number], points[number + 1])
        return trial

    @property
    def elo(self) -> float | None:
        """The Elo difference at the mean of the results, None without any."""
        return elo_difference(mean_score(self.values, self.counts)) if sum(self.counts) else None

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The Elo differences that the results leave possible at 95 %, by their own spread: the
        pairs' where games are paired.
        """
        z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
        low, high = likelihood_interval(self.values, self.counts, z * z / 2)
        return elo_difference(low), elo_difference(high)

    def data(self) -> dict[str, Any]:
        """The terms, the counts and the decision as JSON."""
        lower, upper = self.sprt.bounds
        return {
            "elo0": self.sprt.elo0,
            "elo1": self.sprt.elo1,
            "alpha": self.sprt.alpha,
            "beta": self.sprt.beta,
            "statistic": "pentanomial" if self.values == PAIRS else "trinomial",
            "counts": list(self.counts),
            "pairs": self.pairs,
            "llr": self.llr,
            "lower": lower,
            "upper": upper,
            "decision": self.decision,
            "elo": _finite(self.elo),
            "elo_interval": [_finite(end) for end in self.elo_interval],
        }


def _finite(value: float | None) -> float | None:
    """JSON has no infinity."""
    return value if value is not None and isfinite(value) else None


def trial_of(sprt: Sprt, *, paired: bool) -> Trial:
    """A test that has seen nothing; `paired` if both games of a pair have the same opening."""
    values = PAIRS if paired else GAMES
    return Trial(sprt, values, (0,) * len(values))
