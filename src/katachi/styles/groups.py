"""One feature through groups: years, decades, players, ranks, winners and losers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from scipy.stats import norm

from katachi.errors import KatachiError
from katachi.models.elo import ELO
from katachi.models.model import Model
from katachi.progress import Progress, silent
from katachi.records.corpus import Corpus
from katachi.styles.decisions import Decisions, Piece
from katachi.styles.fit import fit
from katachi.styles.fitted import Fitted
from katachi.styles.gather import gather, wanted_moves
from katachi.styles.players import Groups
from katachi.styles.readable import Feature, Readable

MOST: Final = 20_000  # decisions of a group that are looked at


class GroupRow(NamedTuple):
    """A feature in a group. `elo` and `error`: the difference from the base and its standard error;
    `p`: how probable so much is by chance.
    """

    group: str
    feature: str
    sentence: str
    elo: float
    error: float
    p: float
    moves: int
    played: int
    expected: float


def compare(
    corpus: Corpus,
    groups: Groups,
    base: Model,
    family: Readable,
    *,
    first: int = 0,
    last: int = 10**6,
    most: int | None = MOST,
    seed: int = 1,
    jobs: int = 1,
    progress: Progress = silent,
) -> list[GroupRow]:
    """The difference of each feature of a family in each group, group after group. The spread τ is
    one for all groups.

    Only the moves number first … last - 1 (from 0) are looked at, and `most` of each group. Groups
    without any are left out. Raises KatachiError if no group has a move.
    """
    wanted = wanted_moves(corpus, groups.of, first=first, last=last, most=most, seed=seed)
    if wanted.many == 0:
        raise KatachiError("no group has a move to look at")
    decisions = gather(corpus, wanted, base, (family,), jobs=jobs, progress=progress)
    return rows_of(
        decisions, groups.names, family.features, fit_groups(decisions, len(groups.names))
    )


def fit_groups(decisions: Decisions, groups: int) -> Fitted:
    """The fit in which each group has features of its own, of one family."""
    (size,) = decisions.sizes
    return fit(Decisions([_apart(piece, size) for piece in decisions.pieces], (groups * size,)))


def _apart(piece: Piece, size: int) -> Piece:
    """A piece whose features are those of the groups."""
    group = np.repeat(piece.group, np.diff(piece.starts))[:, None]
    seats = np.where(piece.seats >= 0, piece.seats + group * size, -1)
    return replace(piece, seats=seats.astype(np.int16))


def rows_of(
    decisions: Decisions, names: list[str], features: list[Feature], fitted: Fitted
) -> list[GroupRow]:
    """The rows of groups that have decisions."""
    size = len(features)
    n = len(names) * size
    moves = np.bincount(decisions.column("group").astype(np.int64), minlength=len(names))
    played, expected = np.zeros(n), np.zeros(n)
    for piece in decisions.pieces:
        one = _apart(piece, size)
        won = one.seats[one.starts[:-1] + one.winner, 0]
        played += np.bincount(won[won >= 0], minlength=n)
        has = one.seats[:, 0] >= 0
        expected += np.bincount(one.seats[has, 0], np.exp(one.offset[has]), n)
    p = 2 * norm.sf(np.abs(fitted.delta) / fitted.error)
    return [
        GroupRow(
            name,
            feature.name,
            feature.sentence,
            float(ELO * fitted.delta[i]),
            float(ELO * fitted.error[i]),
            float(p[i]),
            int(moves[g]),
            int(played[i]),
            float(expected[i]),
        )
        for g, name in enumerate(names)
        if moves[g]
        for k, feature in enumerate(features)
        for i in [g * size + k]
    ]
