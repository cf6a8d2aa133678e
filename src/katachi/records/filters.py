"""Choosing games from a corpus: the filters that the papers need, duplicates, and splits.

All of it works on columns; no game is replayed.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.records import headers
from katachi.records.corpus import BREAKS_TURN, HAS_SETUP, WAS_CUT, Corpus

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Filters:
    """What a game must be like; the defaults let every game through.

    `min_rank` ("6d", "1p") holds for both players; an unknown rank fails it. `since` and `until`
    ("2006", "2006-01", "2006-01-31") include their whole year, month or day; an unknown date fails
    them. `even` wants no handicap and no setup stones, `alternating` colours in turn, `whole`
    games that were not cut, `unique` the first of games with the same moves, in any symmetry.
    """

    size: int | None = None
    even: bool = False
    min_moves: int = 0
    min_rank: str = ""
    since: str = ""
    until: str = ""
    known_result: bool = False
    alternating: bool = False
    whole: bool = False
    unique: bool = False


def select(corpus: Corpus, filters: Filters) -> tuple[Corpus, dict[str, int]]:
    """The games that pass, and how many each filter has turned away, in the order applied.

    A game counts for the first filter it fails. Raises KatachiError for a rank or a date that
    cannot be understood.
    """
    keep = np.ones(len(corpus), bool)
    dropped: dict[str, int] = {}
    for name, passes in _tests(corpus, filters):
        dropped[name] = int(np.count_nonzero(keep & ~passes))
        keep &= passes
    if filters.unique:
        again = _repeated(corpus.digest, keep)
        dropped["same moves as another"] = int(np.count_nonzero(again))
        keep &= ~again
    return (corpus if keep.all() else corpus.take(keep)), dropped


def _tests(corpus: Corpus, filters: Filters) -> list[tuple[str, Mask]]:
    tests: list[tuple[str, Mask]] = []
    if filters.size is not None:
        tests.append(("another board size", corpus.size == filters.size))
    if filters.even:
        tests.append(
            ("handicap or setup", (corpus.handicap == 0) & (corpus.flags & HAS_SETUP == 0))
        )
    if filters.min_moves:
        tests.append(("too few moves", corpus.moves >= filters.min_moves))
    if filters.min_rank:
        least = headers.rank(filters.min_rank)
        if least == 0:
            raise KatachiError(f"{filters.min_rank!r} is no rank: write it like 6d, 1p or 3k")
        known = (corpus.rank != 0).all(axis=1)
        tests.append(("rank too low or unknown", known & (corpus.rank >= least).all(axis=1)))
    if filters.since:
        first = _date(filters.since)
        tests.append(("too early or undated", corpus.date >= first))
    if filters.until:
        last = _date(filters.until)
        # A day, month or year that is not given stands for its end.
        last += 1231 if last % 10000 == 0 else 31 if last % 100 == 0 else 0
        tests.append(("too late or undated", (corpus.date > 0) & (corpus.date <= last)))
    if filters.known_result:
        tests.append(("result unknown", corpus.winner != headers.UNKNOWN))
    if filters.alternating:
        tests.append(("colours do not alternate", corpus.flags & BREAKS_TURN == 0))
    if filters.whole:
        tests.append(("cut", corpus.flags & WAS_CUT == 0))
    return tests


def _date(text: str) -> int:
    number = headers.date(text)
    if number == 0:
        raise KatachiError(f"{text!r} is no date: write it like 2006, 2006-01 or 2006-01-31")
    return number


def _repeated(digests: npt.NDArray[np.uint64], among: Mask) -> Mask:
    """Which of these games repeat an earlier one of them."""
    index = np.flatnonzero(among)
    _, first = np.unique(digests[index], return_index=True)
    again = among.copy()
    again[index[first]] = False
    return again


def held_out(corpus: Corpus, share: float, salt: str = "") -> Mask:
    """Which games belong to the part held out for testing, about `share` of them.

    A game's side follows from its moves (in any symmetry) and the salt alone: adding games moves
    none, a copy goes where the original goes, and a larger share keeps what a smaller one held
    out. Raises ValueError unless 0 ≤ share ≤ 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"a share lies between 0 and 1, not {share}")
    key = np.uint64(int.from_bytes(blake2b(salt.encode(), digest_size=8).digest(), "big"))
    mixed = np.asarray(corpus.digest) ^ key
    # The digest is uniform, the salted one too; the top 53 bits make an exact fraction.
    fraction = (mixed >> np.uint64(11)).astype(np.float64) / 2.0**53
    return np.asarray(fraction < share)
