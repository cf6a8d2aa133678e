"""Made-up games with made-up predictions, and their `Measured` by plain loops."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from katachi.evaluation.measured import CALIBRATION_EDGES, Measured


@dataclass(frozen=True)
class Play:
    """One move: what the model gave to each candidate, and the index of the one played."""

    game: int
    move: int
    probabilities: tuple[float, ...]
    played: int


def plays(
    seed: int,
    *,
    games: int = 8,
    moves: tuple[int, int] = (5, 60),
    candidates: Callable[[int], int] = lambda move: max(2, 30 - move),
    levels: int = 12,
    sharpness: float = 1.0,
) -> list[Play]:
    """Moves drawn from true probabilities; the model's are those to the power `sharpness`.

    With sharpness 1 the model is calibrated. Few `levels` of strength make many ties. The game
    numbers have gaps.
    """
    rng = random.Random(seed)
    found = []
    for game in range(games):
        temper = rng.uniform(0.5, 1.5)  # games differ: their moves are not independent
        for move in range(rng.randint(*moves)):
            strengths = [
                math.exp(temper * 6 * rng.randrange(levels) / levels)
                for _ in range(candidates(move))
            ]
            played = rng.choices(range(len(strengths)), strengths)[0]
            powers = [strength**sharpness for strength in strengths]
            total = sum(powers)
            found.append(Play(3 * game + 1, move, tuple(p / total for p in powers), played))
    return found


def measured_of(some: Sequence[Play]) -> Measured:
    """What measuring these moves gives, one move and one candidate after the other."""
    games = sorted({play.game for play in some})
    bins = len(CALIBRATION_EDGES) - 1
    counts = [[[0, 0] for _ in range(bins)] for _ in games]
    sums = [[0.0] * bins for _ in games]
    better, equal = [], []
    for play in some:
        given = play.probabilities[play.played]
        better.append(sum(p > given for p in play.probabilities))
        equal.append(sum(p == given for p in play.probabilities))
        row = games.index(play.game)
        for candidate, p in enumerate(play.probabilities):
            i = bin_of(p)
            counts[row][i][0] += 1
            counts[row][i][1] += candidate == play.played
            sums[row][i] += p
    return Measured(
        game=np.array([play.game for play in some], np.int32),
        move=np.array([play.move for play in some], np.int32),
        log_evidence=np.array([math.log(p.probabilities[p.played]) for p in some], np.float64),
        better=np.array(better, np.int32),
        equal=np.array(equal, np.int32),
        candidates=np.array([len(play.probabilities) for play in some], np.int32),
        calibration=np.array(counts, np.int64).reshape(len(games), bins, 2),
        calibration_sum=np.array(sums, np.float64).reshape(len(games), bins),
    )


def bin_of(p: float) -> int:
    """The bin of a probability, edge by edge."""
    for i, high in enumerate(CALIBRATION_EDGES[1:]):
        if p < high:
            return i
    return len(CALIBRATION_EDGES) - 2
