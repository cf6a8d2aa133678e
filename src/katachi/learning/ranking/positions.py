"""Games as teams, in the order in which they are learnt from, a piece at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, int64, kernel, uint64
from katachi.learning.ranking.filtering import NO_MEMBER, Positions
from katachi.patterns.catalogue import STERN
from katachi.patterns.competitions import check_games, describe_games
from katachi.patterns.features import Features
from katachi.patterns.shapes.largest import Follower
from katachi.patterns.shards import Columns
from katachi.patterns.workers import load, workers
from katachi.processes import in_order
from katachi.records.corpus import Corpus

GAMES: Final = 40  # to a piece
FEW_GAMES: Final = 10  # where they are described: a team then has more members, all told at once
SLOTS: Final = 1024  # of the table that finds equal teams: more than twice the candidates


def first_members(features: Features) -> dict[str, int]:
    """Family → the number of the member that is its level 1; the families come one after another.

    The last entry, "", is the number of members.
    """
    return _firsts({family.name: family.size for family in features.families})


def _firsts(sizes: Mapping[str, int]) -> dict[str, int]:
    firsts: dict[str, int] = {}
    count = 0
    for name, size in sizes.items():
        firsts[name] = count
        count += size
    return firsts | {"": count}


def follows(features: Features) -> bool:
    """Whether a move is nothing but its largest shape, or that and those within it, so that games
    can be followed.
    """
    return features.catalogue is STERN and not features.without


def team_width(features: Features) -> int:
    """The most members that a team has."""
    if not follows(features):
        return len(features.families)
    (shapes,) = features.dictionaries.values()
    return len(shapes.templates) if features.all_radii else 1


def piece_games(features: Features) -> int:
    """How many games make a piece: the same in every run, since a run goes on after whole ones."""
    return GAMES if follows(features) else FEW_GAMES


def pieces(corpus: Corpus, features: Features, first: int, jobs: int) -> Iterator[Positions]:
    """The teams of the games from number `first` on, a piece at a time, in order. Nothing is kept:
    the next pieces are made beside, no more than are needed to keep all jobs at work.

    Raises KatachiError for a game of a size that the shapes do not know.
    """
    each = piece_games(features)
    ranges = [range(a, min(a + each, len(corpus))) for a in range(first, len(corpus), each)]
    check_games(corpus, features)
    if follows(features):
        yield from _followed(corpus, features, ranges, jobs)
    else:
        yield from _described(corpus, features, ranges, jobs)


def _followed(
    corpus: Corpus, features: Features, ranges: list[range], jobs: int
) -> Iterator[Positions]:
    """By a thread beside this one, since the kernels hold no lock."""
    (shapes,) = features.dictionaries.values()
    follower = Follower(shapes, features.all_radii)

    def piece(games: range) -> Positions:
        found = follower.games(corpus, games)
        return Positions(found.starts, found.winner, found.kinds, found.times)

    if jobs == 1:
        yield from map(piece, ranges)
        return
    with ThreadPoolExecutor(1) as pool:
        yield from in_order(pool, piece, zip(ranges), 2)


def _described(
    corpus: Corpus, features: Features, ranges: list[range], jobs: int
) -> Iterator[Positions]:
    """By processes: describing is Python between its kernels."""
    # The first one here: this process compiles what is not compiled yet, once for all.
    here = len(ranges) if jobs == 1 else 1
    for games in ranges[:here]:
        yield merged(describe_games(corpus, games, features), features)
    if not ranges[here:]:
        return
    some = ((corpus.take(np.array(games)),) for games in ranges[here:])
    with workers(features, jobs) as pool:
        yield from in_order(pool, _work, some, jobs + 1)


def _work(games: Corpus) -> Positions:
    features: Features = load()
    return merged(describe_games(games, range(len(games)), features), features)


def merged(columns: Columns, features: Features) -> Positions:
    """The different teams of each competition."""
    members = member_matrix(columns, {family.name: family.size for family in features.families})
    starts = np.asarray(columns["starts"], np.int64)
    kept = np.zeros(len(members), np.int32)
    times = np.zeros(len(members), np.int32)
    new_starts = np.zeros(len(starts), np.int64)
    winner = np.zeros(len(starts) - 1, np.int32)
    count = int(
        _merge(members, starts, np.asarray(columns["winner"]), kept, times, new_starts, winner)
    )
    return Positions(new_starts, winner, members[kept[:count]], times[:count])


def member_matrix(
    columns: Mapping[str, npt.NDArray[Any]], sizes: Mapping[str, int]
) -> npt.NDArray[np.int32]:
    """[candidate, family] the members of each team, NO_MEMBER where a family has none; `sizes`:
    family → number of levels.
    """
    firsts = _firsts(sizes)
    parts: Sequence[Any] = [
        np.where(
            columns[name] > 0,
            columns[name].astype(np.int32) + (firsts[name] - 1),
            np.int32(NO_MEMBER),
        )
        for name in sizes
    ]
    return np.ascontiguousarray(np.stack(parts, axis=1), dtype=np.int32)


@kernel
def same_team(members: Any, one: int, two: int) -> bool:
    """Whether two candidates have the same members."""
    for f in range(members.shape[1]):
        if members[at(one), at(f)] != members[at(two), at(f)]:
            return False
    return True


@kernel
def team_slot(members: Any, candidate: int, slots: Any, clock: int, base: int, kept: Any) -> int:
    """The slot of the table (int64: clock << 32 | team from base) where the candidate's team is,
    or the free one where it would be.
    """
    key = uint64(0)
    for f in range(members.shape[1]):
        key = (key ^ uint64(members[at(candidate), at(f)] + 2)) * uint64(0x9E3779B97F4A7C15)
        key ^= key >> uint64(29)
    slot = int64(key & uint64(SLOTS - 1))
    while slots[slot] >> 32 == clock:
        team = base + (slots[slot] & 0xFFFFFFFF)
        if same_team(members, int64(kept[team]), candidate):
            break
        slot = (slot + 1) & (SLOTS - 1)
    return slot


@kernel
def _merge(
    members: Any, starts: Any, played: Any, kept: Any, times: Any, new_starts: Any, winner: Any
) -> int:
    slots = np.zeros(SLOTS, np.int64)
    count = 0
    for i in range(len(starts) - 1):
        base = count
        for candidate in range(starts[i], starts[i + 1]):
            slot = team_slot(members, candidate, slots, i + 1, base, kept)
            if slots[slot] >> 32 != i + 1:
                slots[slot] = (i + 1) << 32 | (count - base)
                kept[count] = candidate
                times[count] = 0
                count += 1
            team = base + (slots[slot] & 0xFFFFFFFF)
            times[team] += 1
            if candidate == starts[i] + played[i]:
                winner[i] = team - base
        new_starts[i + 1] = count
    return count
