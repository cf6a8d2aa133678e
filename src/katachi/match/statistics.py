"""The numbers of a match: Wilson's interval of a win rate, and the Elo difference it means."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import inf, sqrt
from statistics import NormalDist
from typing import Any, Final

from katachi.models.elo import elo

CONFIDENCE: Final = 0.95


def wilson_interval(
    points: float, games: int, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Wilson's score interval of the rate points / games; (0, 1) without games.

    With p = points / games and z the normal quantile:
    (p + z²/2n ± z sqrt(p (1 - p) / n + z²/4n²)) / (1 + z²/n). A draw is half a point; then the
    interval is on the safe side, for half points vary less than whole ones. Not checked:
    0 ≤ points ≤ games.
    """
    if games == 0:
        return 0.0, 1.0
    z2 = NormalDist().inv_cdf(0.5 + confidence / 2) ** 2
    p = points / games
    middle = p + z2 / (2 * games)
    half = sqrt(z2 * (p * (1 - p) / games + z2 / (4 * games**2)))
    scale = 1 + z2 / games
    # at 0 and 1 the closed form is exact, but for the last bits
    low = 0.0 if points == 0 else (middle - half) / scale
    high = 1.0 if points == games else (middle + half) / scale
    return low, high


def elo_difference(rate: float) -> float:
    """The Elo difference at which this rate is expected: 400 log10(p / (1 - p)); ±inf at 0, 1."""
    if rate <= 0 or rate >= 1:
        return inf if rate >= 1 else -inf
    return float(elo(rate / (1 - rate)))


def expected_rate(difference: float) -> float:
    """The rate that is expected at this Elo difference: 1 / (1 + 10^(-d/400))."""
    return 1 / (1 + 10 ** (-difference / 400))


@dataclass(frozen=True, slots=True)
class Tally:
    """Games won, lost and drawn by one side."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        """A win is one point, a draw half of one."""
        return self.wins + self.draws / 2

    @property
    def rate(self) -> float | None:
        """Points per game, None without games."""
        return self.points / self.games if self.games else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the rate."""
        return wilson_interval(self.points, self.games)

    def data(self) -> dict[str, Any]:
        """The counts, the rate and its interval as JSON."""
        return {
            "games": self.games,
            **asdict(self),
            "rate": self.rate,
            "interval": list(self.interval),
        }

    @property
    def elo(self) -> float | None:
        """The Elo difference that the rate means, None without games."""
        return None if self.rate is None else elo_difference(self.rate)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The Elo differences at the ends of the interval."""
        low, high = self.interval
        return elo_difference(low), elo_difference(high)
