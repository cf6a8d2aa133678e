"""Who played: names of players, near misses, and groups of players' moves."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.records.corpus import Corpus
from katachi.records.headers import DRAW, UNKNOWN, rank_name

_NEAR: Final = 3  # names that are suggested
BY: Final = ("year", "decade", "player", "rank", "result")


class Groups(NamedTuple):
    """Names of groups, in order, and [game, Black and White] the group of each player, -1 for
    none.
    """

    names: list[str]
    of: npt.NDArray[np.int32]


def names_of(corpus: Corpus) -> list[tuple[str, str]]:
    """(Black, White) of each game, as the records spell them."""
    return [(game.black.strip(), game.white.strip()) for game in corpus]


def chosen_player(names: Sequence[tuple[str, str]], player: str | None) -> str:
    """The player of this name, or without one the most frequent.

    Raises KatachiError, which suggests names that are spelt alike, if there is no such player, or
    if no record names one.
    """
    counts = Counter(name for pair in names for name in pair if name)
    if not counts:
        raise KatachiError("no game names its players: there is nobody to tell a style of")
    if player is None:
        return counts.most_common(1)[0][0]
    if player in counts:
        return player
    same = [name for name in counts if name.casefold() == player.strip().casefold()]
    if len(same) == 1:
        return same[0]
    raise KatachiError(f"no game is of {player!r}: {_suggested(player, counts)}")


def _suggested(player: str, counts: Counter[str]) -> str:
    by_case = {name.casefold(): name for name in counts}
    near = difflib.get_close_matches(player.casefold(), by_case, _NEAR, 0.6)
    words = player.casefold().split()
    near += [low for low in by_case if low not in near and any(w in low.split() for w in words)]
    if near:
        return f"did you mean {' or '.join(repr(by_case[low]) for low in near[:_NEAR])}?"
    most = ", ".join(name for name, _ in counts.most_common(_NEAR))
    return f"the players with most games are {most}"


def of_player(names: Sequence[tuple[str, str]], player: str) -> Groups:
    """His moves as group 0, those of his opponents as group 1. Of a game against himself, as
    records have it at times, all moves are his.
    """
    of = np.full((len(names), 2), -1, np.int32)
    for g, pair in enumerate(names):
        if player in pair:
            of[g] = [0 if name == player else 1 for name in pair]
    return Groups([player, "opponents"], of)


def grouped(corpus: Corpus, by: str, *, most: int = 30) -> Groups:
    """The groups of all players: by the year or decade of the game, by name (of at most so many,
    the most frequent), by the rank of who moves, by whether he won. Those of which nothing is known
    are in none. Raises KatachiError if there are fewer than two groups.
    """
    of = np.full((len(corpus), 2), -1, np.int32)
    if by in ("year", "decade"):
        year = np.asarray(corpus.date) // 10000
        number = year if by == "year" else year // 10 * 10
        found = [int(n) for n in np.unique(number[number > 0])]
        names = [f"{n}s" if by == "decade" else str(n) for n in found]
        for group, n in enumerate(found):
            of[number == n] = group
    elif by == "player":
        pairs = names_of(corpus)
        counts = Counter(name for pair in pairs for name in pair if name)
        names = [name for name, _ in counts.most_common(most)]
        index = {name: group for group, name in enumerate(names)}
        of[:] = [[index.get(name, -1) for name in pair] for pair in pairs]
    elif by == "rank":
        ranks = np.asarray(corpus.rank)
        found = [int(n) for n in np.unique(ranks[ranks != 0])]
        names = [rank_name(n) for n in found]
        for group, n in enumerate(found):
            of[ranks == n] = group
    elif by == "result":
        names = ["winner", "loser"]
        for colour in (1, 2):
            known = (corpus.winner != UNKNOWN) & (corpus.winner != DRAW)
            of[known, colour - 1] = np.where(corpus.winner[known] == colour, 0, 1)
    else:
        raise KatachiError(f"games are not grouped by {by!r}: it is one of {', '.join(BY)}")
    there = [group for group in range(len(names)) if np.any(of == group)]
    if len(there) < 2:
        raise KatachiError(
            f"the games are of fewer than two groups by {by}: there is no comparison"
        )
    return Groups(names, of)
