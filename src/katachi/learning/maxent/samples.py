"""Samples: of every position the moves that the frequencies rank first, good or bad (Araki 2007,
III-B), as a folder of columns that are memory-mapped.

    shards/00000/starts.npy       int64[c + 1]: samples starts[i] … starts[i + 1] are of position i
                 winner.npy       uint16[c]: which of them is good: the move played
                 missed.npy       bool[c]: whether it was not among the first, and was added
                 before.npy       int32[c, 4]: the patterns of the four last moves when they were
                                  played, counted from 1, 0 for none
                 pattern.npy      uint32[n]: the largest known pattern, counted from 1
                 coordinates.npy  uint8[n]; relative1.npy … relative4.npy  uint8[n]
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import local
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.go.board import MEMORY
from katachi.go.kernel import at, int64, kernel
from katachi.learning.bradley_terry.columns import Shard
from katachi.patterns.families.distance import RELATIVE, relative_of
from katachi.patterns.families.position import COORDINATES, coordinates_of
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.largest import SHAPES, Candidates, Follower
from katachi.patterns.shards import Columns, Shards, missing_shards, shard_folder, write_shard
from katachi.progress import Progress, silent
from katachi.records.corpus import Corpus

PATTERN: Final = "pattern"
FAMILY_NAMES: Final = (PATTERN, COORDINATES.name, *(f.name for f in RELATIVE))
GAMES: Final = 100  # to a shard
MOST_CANDIDATES: Final = 362

Vector: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Samples:
    """The samples of a folder: `Labelled` for maximum entropy, `Competing` for Bradley-Terry.

    `names`: the families of moves that are told, of FAMILY_NAMES; `history`: whether the patterns
    of the last moves are.
    """

    shards: Shards
    kinds: int  # patterns, with SHAPES that are none
    names: Sequence[str] = FAMILY_NAMES
    history: bool = True

    @property
    def levels(self) -> Sequence[int]:
        """The number of levels of each family of moves."""
        sizes = {PATTERN: self.kinds, COORDINATES.name: COORDINATES.size}
        sizes |= {f.name: f.size for f in RELATIVE}
        return [sizes[name] for name in self.names]

    @property
    def position_levels(self) -> Sequence[int]:
        """The number of levels of each family of positions: the patterns of the last moves, and a
        constant, which all samples have. The paper names none; without it the other families share
        what it stands for, and the fit takes several times as long to divide it between them.
        """
        return [*([self.kinds] * MEMORY if self.history else []), 1]

    def __len__(self) -> int:
        return len(self.shards)

    def shard(self, number: int, families: Sequence[int]) -> Shard:
        """A shard with the columns of these families of moves only."""
        wanted = [self.names[f] for f in families]
        found = self.shards.some(number, ["starts", "winner", *wanted])
        # Plain arrays: numpy's memmap is slow to slice.
        return Shard(
            np.asarray(found["starts"]),
            np.asarray(found["winner"]),
            [np.asarray(found[name]) for name in wanted],
        )

    def of_positions(self, number: int) -> npt.NDArray[np.int32]:
        """[position, family] the levels of a shard's positions."""
        found = np.asarray(self.shards.some(number, ["before"])["before"])
        ones = np.ones((len(found), 1), np.int32)
        return np.hstack([found, ones]) if self.history else ones

    def missed(self) -> tuple[int, int]:
        """(positions whose move was not among the first, positions)."""
        flags = [self.shards.some(n, ["missed"])["missed"] for n in range(len(self))]
        return sum(int(f.sum()) for f in flags), sum(map(len, flags))


def make_samples(
    corpus: Corpus,
    shapes: Shapes,
    frequency: Vector,
    most: int,
    folder: Path,
    *,
    jobs: int = 1,
    progress: Progress = silent,
) -> Samples:
    """The samples of every move of the corpus, into a folder, or the rest where a run before has
    stopped.

    frequency: [kind] by which moves are ranked, see katachi.patterns.shapes.largest. `most`: how
    many of them are taken, those that are as frequent as the last of them included, and the move
    played; 0 for all legal moves. `progress` is told games. The folder must be of the same games
    and frequencies.
    """
    count = -(-len(corpus) // GAMES)
    missing = missing_shards(folder, count)
    own = local()

    def make(number: int) -> int:
        if not hasattr(own, "follower"):
            own.follower = Follower(shapes)
        games = range(number * GAMES, min((number + 1) * GAMES, len(corpus)))
        found = own.follower.candidates(corpus, games)
        write_shard(_columns(found, frequency, most), shard_folder(folder, number))
        return len(games)

    done = len(corpus) - sum(min(GAMES, len(corpus) - n * GAMES) for n in missing)
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for games in pool.map(make, missing):
                done += games
                progress("ranking by frequency", done, len(corpus))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    names = ["starts", "winner", "missed", "before", *FAMILY_NAMES]
    return Samples(Shards(folder, count, names), SHAPES + len(shapes))


def _columns(found: Candidates, frequency: Vector, most: int) -> Columns:
    positions = len(found.winner)
    kept = np.zeros(len(found.kinds), np.int64)
    starts = np.zeros(positions + 1, np.int64)
    winner, missed = np.zeros(positions, np.uint16), np.zeros(positions, np.bool_)
    count = choose(
        found.starts, found.winner, frequency[found.kinds], most, kept, starts, winner, missed
    )
    kept = kept[:count]
    where = np.zeros((1 + MEMORY, count), np.uint8)
    _locate(starts, found.points[kept], found.size, found.previous, where)
    return {
        "starts": starts,
        "winner": winner,
        "missed": missed,
        "before": found.before + 1,
        PATTERN: (found.kinds[kept] + 1).astype(np.uint32),
        **dict(zip(FAMILY_NAMES[1:], where, strict=True)),
    }


@kernel
def least_of_first(frequencies: Any, most: int, work: Any) -> float:
    """The frequency of the last of the `most` most frequent; -1 if there are no more than that, or
    `most` is 0. `work` has room for as many.
    """
    n = len(frequencies)
    if most == 0 or n <= most:
        return -1.0
    for i in range(n):
        work[at(i)] = frequencies[at(i)]
    work[:n].sort()
    return float(work[n - most])


@kernel
def choose(
    starts: Any,
    winner: Any,
    frequencies: Any,
    most: int,
    kept: Any,
    new_starts: Any,
    new_winner: Any,
    missed: Any,
) -> int:
    """Write which candidates are taken, position by position; returns how many."""
    work = np.zeros(MOST_CANDIDATES)
    count = 0
    for i in range(len(starts) - 1):
        first, last = starts[i], starts[i + 1]
        least = least_of_first(frequencies[first:last], most, work)
        for k in range(first, last):
            played = k == first + winner[i]
            if frequencies[k] >= least or played:
                if played:
                    new_winner[i] = count - new_starts[i]
                    missed[i] = frequencies[k] < least
                kept[count] = k
                count += 1
        new_starts[i + 1] = count
    return count


@kernel
def _locate(starts: Any, points: Any, size: Any, previous: Any, out: Any) -> None:
    for i in range(len(starts) - 1):
        for k in range(starts[i], starts[i + 1]):
            p = int64(points[at(k)])
            out[0, at(k)] = coordinates_of(p, int64(size[i]))
            for back in range(previous.shape[1]):
                out[1 + back, at(k)] = relative_of(p, int64(previous[i, back]))
