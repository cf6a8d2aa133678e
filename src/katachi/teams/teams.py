"""Anybody's competitions as columns: teams of named members, one of the teams the winner.

The fit updates gammas in batch that exclude each other (Coulom 2007, 2.5.4). Where families are
not given, members are put into groups by colouring: two that were ever in one team are in
different groups, and the groups are the families.
"""

from __future__ import annotations

import operator
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.learning.bradley_terry.columns import InMemory, Shard
from katachi.learning.bradley_terry.passes import blocks

Integers: TypeAlias = npt.NDArray[np.int64]
# member → its family, or family → its members
Grouping: TypeAlias = Mapping[Any, Any]
# Says where competition number n is, counted from 1.
Place: TypeAlias = Callable[[int], str]

SHARD_TEAMS: Final = 1 << 17  # about; threads share the work shard by shard
_SHARD_CELLS: Final = 1 << 23  # teams x families, at most


class Competition(NamedTuple):
    """Teams that competed, and which of them won, counted from 0.

    The gamma of a team is the product of its members' gammas; a team without members has 1.
    """

    teams: Sequence[Sequence[Hashable]]
    winner: int


class Teams(NamedTuple):
    """Competitions as columns, and whose the gammas are."""

    columns: InMemory
    members: list[Any]  # of each gamma, in the order of the fit's long vector
    order: Integers  # gammas by the first appearance of their members; the unseen come last


def numbered(number: int) -> str:
    """Where a competition is that is not in a file."""
    return f"competition {number}"


def columns_of(
    competitions: Iterable[Competition],
    families: Grouping | None = None,
    *,
    place: Place = numbered,
) -> Teams:
    """The columns of these competitions, which are read once.

    `families` maps each member to the name of its family, or each family to the collection (list,
    tuple, set) of its members; members that appear in no team are rated all the same, by the prior
    alone. Competitions with a single team are let through: they say nothing.

    Raises KatachiError if there is no competition or no member at all; for a competition without
    teams, without a winner, or with one out of range; for a team that names a member twice or two
    members of one family, or a member of no family.
    """
    flat = _flatten(competitions, place)
    groups = _coloured(flat) if families is None else _named(families)
    members = list(chain.from_iterable(groups))
    number = {member: i for i, member in enumerate(members)}
    gamma_of = np.array([number.get(member, -1) for member in flat.members], np.int64)
    if (gamma_of < 0).any():
        stranger = int(np.argmax(gamma_of < 0))
        where = flat.where(int(np.argmax(flat.ids == stranger)), place)
        raise KatachiError(f"{where} names {flat.members[stranger]!r}, who is in no family")
    seen = np.zeros(len(members), np.bool_)
    seen[gamma_of] = True
    order = np.concatenate([gamma_of, np.flatnonzero(~seen)])
    levels = [len(group) for group in groups]
    return Teams(InMemory(levels, list(_shards(flat, gamma_of, groups, place))), members, order)


class _Flat(NamedTuple):
    """All seats of all teams in one long row."""

    members: list[Any]  # in the order of their first appearance
    ids: npt.NDArray[np.int32]  # [seats] which member has the seat
    seats: Integers  # [teams + 1] where the seats of each team begin
    starts: Integers  # [competitions + 1] where the teams of each competition begin
    winner: Integers  # [competitions]

    def where(self, seat: int, place: Place) -> str:
        """The competition and the team of a seat, in words."""
        team = int(np.searchsorted(self.seats, seat, "right")) - 1
        competition = int(np.searchsorted(self.starts, team, "right")) - 1
        return f"{place(competition + 1)}, team {team - self.starts[competition] + 1}"


def _flatten(competitions: Iterable[Competition], place: Place) -> _Flat:
    number: defaultdict[Any, int] = defaultdict(count().__next__)
    ids, sizes, numbers, winners = array("i"), array("q"), array("q"), array("q")
    for j, competition in enumerate(competitions, 1):
        try:
            teams, winner = competition
            size = len(teams)
            if str in map(type, teams):
                raise TypeError  # a text is a sequence too, of letters
            sizes.extend(map(len, teams))
            ids.extend(map(number.__getitem__, chain.from_iterable(teams)))
        except (TypeError, ValueError):
            raise KatachiError(_what_is_wrong(competition, place(j))) from None
        winners.append(_checked(winner, size, place, j))
        numbers.append(size)
    if not numbers:
        raise KatachiError("there are no competitions: nothing can be rated")
    if not number:
        raise KatachiError("no team has a member: there is nobody to rate")
    return _Flat(
        list(number),
        np.frombuffer(ids, np.int32),
        _starts(sizes),
        _starts(numbers),
        np.array(winners, np.int64),
    )


def _starts(sizes: Any) -> Integers:
    return np.concatenate([[0], np.cumsum(np.asarray(sizes, np.int64))]).astype(np.int64)


def _checked(winner: Any, teams: int, place: Place, j: int) -> int:
    """The winner as a number within its bounds."""
    if teams == 0:
        raise KatachiError(f"{place(j)} has no teams")
    try:
        won = operator.index(winner)
    except TypeError:
        raise KatachiError(
            f"{place(j)} has no winner: give the number of a team, counted from 0"
        ) from None
    if not 0 <= won < teams:
        raise KatachiError(
            f"the winner of {place(j)} is team {won}, but its teams are 0 to {teams - 1}"
        )
    return won


def _what_is_wrong(competition: Any, where: str) -> str:
    try:
        teams, _ = competition
        len(teams)
    except (TypeError, ValueError):
        return f"{where} is not a list of teams and a winner"
    for t, team in enumerate(teams, 1):
        if isinstance(team, str) or not isinstance(team, Collection):
            return f"{where}, team {t} is {team!r}, not a list of members"
        for member in team:
            if not isinstance(member, Hashable):
                return f"{where}, team {t}: {member!r} cannot be a member, give a name or a number"
    return f"{where} cannot be read"


def _named(families: Grouping) -> list[list[Any]]:
    """The members of each family, from a mapping of either kind."""
    listed = [isinstance(v, Collection) and not isinstance(v, str) for v in families.values()]
    if any(listed) and not all(listed):
        raise KatachiError("families map members to names or names to members, not some of each")
    groups: dict[Any, list[Any]] = {}
    if any(listed):
        groups = {family: list(members) for family, members in families.items()}
    else:
        for member, family in families.items():
            groups.setdefault(family, []).append(member)
    home: dict[Any, Any] = {}
    for family, members in groups.items():
        for member in members:
            if member in home:
                raise KatachiError(
                    f"{member!r} is named twice, in the families {home[member]!r} and {family!r}"
                )
            home[member] = family
    return list(groups.values())


def _coloured(flat: _Flat) -> list[list[Any]]:
    """Groups of members that were never in one team: greedy, those with most mates first."""
    near = _mates(flat)
    colour = np.full(len(flat.members), -1, np.int64)
    for m in np.argsort(-np.diff(near.indptr), kind="stable").tolist():
        taken = set(colour[near.indices[near.indptr[m] : near.indptr[m + 1]]].tolist())
        colour[m] = next(c for c in count() if c not in taken)
    groups: list[list[Any]] = [[] for _ in range(int(colour.max()) + 1)]
    for member, c in zip(flat.members, colour.tolist(), strict=True):
        groups[c].append(member)
    return groups


def _mates(flat: _Flat) -> Any:
    """A sparse matrix that is not 0 where two members were in one team."""
    from scipy.sparse import csr_array

    n = len(flat.members)
    near = csr_array((n, n), dtype=np.int8)
    for a, b in blocks(np.arange(len(flat.seats)), SHARD_TEAMS):
        seats = flat.seats[a : b + 1]
        ids = flat.ids[seats[0] : seats[-1]]
        ones = np.ones(len(ids), np.bool_)
        teams = csr_array((ones, ids, seats - seats[0]), shape=(b - a, n))
        near = ((teams.T @ teams).astype(np.int8) + near).sign()
    return near


def _shards(
    flat: _Flat, gamma_of: Integers, groups: list[list[Any]], place: Place
) -> Iterator[Shard]:
    families = len(groups)
    family_of = np.repeat(np.arange(families), [len(group) for group in groups])
    level_of = np.concatenate([np.arange(1, len(group) + 1) for group in groups])
    most = max(min(SHARD_TEAMS, _SHARD_CELLS // families), 1)
    for a, b in blocks(flat.starts, most):
        starts = flat.starts[a : b + 1]
        seats = flat.seats[starts[0] : starts[-1] + 1]
        teams = len(seats) - 1
        gammas = gamma_of[flat.ids[seats[0] : seats[-1]]]
        cells = np.repeat(np.arange(teams) * families, np.diff(seats)) + family_of[gammas]
        table = np.zeros(teams * families, np.int64)
        table[cells] = level_of[gammas]
        if np.count_nonzero(table) < len(cells):
            raise KatachiError(_crowded(flat, int(seats[0]), cells, place))
        rows = table.reshape(teams, families)
        yield Shard(
            starts - starts[0],
            flat.winner[a:b],
            [column_of(rows[:, f], len(group)) for f, group in enumerate(groups)],
        )


def column_of(levels: npt.NDArray[Any], most: int) -> npt.NDArray[Any]:
    """A column in the smallest type that holds its levels."""
    return np.ascontiguousarray(levels, np.min_scalar_type(most))


def _crowded(flat: _Flat, base: int, cells: Integers, place: Place) -> str:
    """The sentence for the first team with two seats in one family."""
    by_cell = np.argsort(cells, kind="stable")
    again = np.flatnonzero(np.diff(cells[by_cell]) == 0) + 1
    second = int(by_cell[again].min())
    first = int(np.argmax(cells == cells[second]))
    one, two = (flat.members[flat.ids[base + seat]] for seat in (first, second))
    where = flat.where(base + second, place)
    if one == two:
        return f"{where} names {one!r} twice: a team has each member once"
    return f"{where} has {one!r} and {two!r}, who are of one family: a team has one of each"
