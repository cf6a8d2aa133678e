"""Games as teams, in the order in which they are learnt from, a piece at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, int64, kernel, uint64
from katachi.learning.ranking.filtering import NO_MEMBER, Teams
from katachi.patterns.catalogue import STERN
from katachi.patterns.competitions import Columns, Shards
from katachi.patterns.features import Features
from katachi.patterns.largest import Follower
from katachi.records.corpus import Corpus

GAMES: Final = 40  # to a piece
SLOTS: Final = 1024  # of the table that finds equal teams: more than twice the candidates


def first_members(features: Features) -> dict[str, int]:
    """Family → the number of the member that is its level 1; the families come one after another.

    The last entry, "", is the number of members.
    """
    firsts: dict[str, int] = {}
    count = 0
    for family in features.families:
        firsts[family.name] = count
        count += family.size
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


def followed_pieces(corpus: Corpus, features: Features, first: int, jobs: int) -> Iterator[Teams]:
    """The teams of the games from number `first` on, GAMES at a time; with more jobs than one the
    next piece is made in another thread.
    """
    (shapes,) = features.dictionaries.values()
    follower = Follower(shapes, features.all_radii)

    def piece(start: int) -> Teams:
        found = follower.games(corpus, range(start, min(start + GAMES, len(corpus))))
        return Teams(found.starts, found.winner, found.kinds, found.times)

    beginnings = range(first, len(corpus), GAMES)
    if jobs == 1:
        yield from map(piece, beginnings)
        return
    with ThreadPoolExecutor(1) as pool:
        waiting: Future[Teams] | None = None
        for start in beginnings:
            coming = pool.submit(piece, start)
            if waiting is not None:
                yield waiting.result()
            waiting = coming
        if waiting is not None:
            yield waiting.result()


def described_pieces(shards: Shards, features: Features, first: int) -> Iterator[Teams]:
    """The teams of described games, a shard at a time, from number `first` on."""
    for number in range(first, len(shards)):
        yield merged(shards[number], features)


def merged(columns: Columns, features: Features) -> Teams:
    """The different teams of each competition."""
    members = member_matrix(columns, features)
    starts = np.asarray(columns["starts"], np.int64)
    kept = np.zeros(len(members), np.int32)
    times = np.zeros(len(members), np.int32)
    new_starts = np.zeros(len(starts), np.int64)
    winner = np.zeros(len(starts) - 1, np.int32)
    count = int(
        _merge(members, starts, np.asarray(columns["winner"]), kept, times, new_starts, winner)
    )
    return Teams(new_starts, winner, members[kept[:count]], times[:count])


def member_matrix(
    columns: Mapping[str, npt.NDArray[Any]], features: Features
) -> npt.NDArray[np.int32]:
    """[candidate, family] the members of each team, NO_MEMBER where a family has none."""
    firsts = first_members(features)
    parts: Sequence[Any] = [
        np.where(columns[f.name] > 0, columns[f.name].astype(np.int32) + (firsts[f.name] - 1),
                 np.int32(NO_MEMBER))
        for f in features.families
    ]  # fmt: skip
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
