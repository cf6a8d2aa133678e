"""Differences of features, how sure they are, and the positions that show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import norm

from katachi.go.points import vertex
from katachi.models.elo import ELO
from katachi.models.model import Model
from katachi.records.corpus import Corpus
from katachi.styles.decisions import Decisions
from katachi.styles.fitted import Beside, Fitted
from katachi.styles.passes import add_changed, add_variances
from katachi.styles.readable import Feature

Vector = npt.NDArray[np.float64]

EXAMPLES: Final = 5
ALWAYS: Final = 0.95  # of the moves: a family that says something of so many says it of all
FEW: Final = 10  # moves, played and expected together: of fewer the feature keeps its own prior
WITHIN_95: Final = 1.959964  # standard errors
SURE: Final = 0.05  # of q


class Example(NamedTuple):
    """A position that shows a difference: its game (among the player's, from 0), the number of the
    move (from 1), the move that was played, the one that the base thought likeliest, and both their
    chances by the base.
    """

    game: int
    source: str
    move: int
    played: str
    expected: str
    played_chance: float
    expected_chance: float


class Difference(NamedTuple):
    """How a feature is played differently. `elo`, `error`: the difference and its standard error;
    `times`: what it multiplies the chances of a move by, beside moves without it, or beside the
    mean of a family that all moves have a level of (`contrasts_of`); `p` and Benjamini-Hochberg's
    `q`: how probable so much is by chance; `changed`: how many decisions it changes; `played` and
    `expected` moves. `picture`: of a shape, as `Shapes.draw` draws it.
    """

    family: str
    feature: str
    sentence: str
    elo: float
    error: float
    times: float
    p: float
    q: float
    changed: float
    played: int
    expected: float
    picture: str = ""
    examples: tuple[Example, ...] = ()


def benjamini_hochberg(p: Vector, weights: Vector | None = None) -> Vector:
    """The q-values of these p-values: the least share of false discoveries among what is called a
    discovery, if all with a p as small as this one are. `weights`, which are 1 on average, say how
    much of the errors each may make (Genovese, Roeder and Wasserman 2006).
    """
    if weights is not None:
        p = p / weights
    order = np.argsort(p)
    ranked = p[order] * len(p) / np.arange(1, len(p) + 1)
    q = np.empty(len(p))
    q[order] = np.minimum.accumulate(ranked[::-1])[::-1]
    return np.minimum(q, 1.0)


def families_of(decisions: Decisions) -> npt.NDArray[np.int64]:
    """[feature] the number of its family."""
    return np.repeat(np.arange(len(decisions.sizes)), decisions.sizes)


def expected_of(decisions: Decisions) -> Vector:
    """[feature] how many of the moves the base expects to have it."""
    expected = np.zeros(int(decisions.first[-1]))
    for piece in decisions.pieces:
        share = np.exp(piece.offset)
        for column in piece.seats.T:
            has = column >= 0
            expected += np.bincount(column[has], share[has], len(expected))
    return expected


def beside_of(decisions: Decisions) -> Beside:
    """What is told of each feature: its own difference. In a family that all moves have a level of,
    as the line, it is that less the family's mean, each level counted as often as the base expects
    it: all levels together could be higher or lower, and nothing would tell.
    """
    expected, families = expected_of(decisions), families_of(decisions)
    means = np.zeros((len(decisions.sizes), len(expected)))
    for family in range(len(decisions.sizes)):
        own = families == family
        if expected[own].sum() > ALWAYS * decisions.count:
            means[family, own] = expected[own] / expected[own].sum()
    return Beside(families, means)


def with_q(lists: Sequence[list[Difference]]) -> list[list[Difference]]:
    """The same with their q, over all of them. Each list that is not empty may make the same share
    of the errors, however long it is: thousands of shapes do not hide what is told of the line.
    """
    full = [rows for rows in lists if rows]
    if not full:
        return [[] for _ in lists]
    many = sum(map(len, full))
    weights = np.concatenate([np.full(len(rows), many / len(full) / len(rows)) for rows in full])
    p = np.array([row.p for rows in full for row in rows])
    q = iter(benjamini_hochberg(p, weights).tolist())
    return [[row._replace(q=next(q)) for row in rows] for rows in lists]


def played_of(decisions: Decisions) -> npt.NDArray[np.int64]:
    """[feature] how many of the moves have it."""
    played = np.zeros(int(decisions.first[-1]), np.int64)
    for piece in decisions.pieces:
        won = piece.seats[piece.starts[:-1] + piece.winner]
        played += np.bincount(won[won >= 0], minlength=len(played))
    return played


def doubt_of(decisions: Decisions) -> Vector:
    """[feature] how uncertain the base was of it: the sum of m (1 - m) over all decisions, with m
    the chance of all moves that have it.
    """
    n = int(decisions.first[-1])
    mean, met, out = np.zeros(n), np.zeros(n, np.int64), np.zeros(n)
    for piece in decisions.pieces:
        add_variances(piece.starts, piece.seats, np.exp(piece.offset), mean, met, out)
    return out


def told_of(decisions: Decisions, fitted: Fitted) -> tuple[Vector, Vector]:
    """(difference, standard error) of each feature as it is told: without its own prior, unless it
    is rare, or so usual where it can be played that the base was hardly ever in doubt: a parabola
    does not tell of so few. Errors are infinite where the decisions say nothing.
    """
    beside = beside_of(decisions)
    kept, kept_error = fitted.told(beside)
    delta, error = fitted.unshrunken(beside)
    seldom = played_of(decisions) + expected_of(decisions) < FEW
    rare = (seldom | (doubt_of(decisions) < FEW / 2)) & np.isfinite(error)
    return np.where(rare, kept, delta), np.where(rare, kept_error, error)


def differences_of(
    decisions: Decisions, fitted: Fitted, features: Sequence[Feature]
) -> tuple[list[Difference], list[list[tuple[int, int]]]]:
    """(the differences; (game, moves before) of decisions that show each best). Features of which
    the decisions say nothing are left out. q is yet to be told: see `with_q`.
    """
    n = len(features)
    base, played = expected_of(decisions), played_of(decisions)
    kept, _ = fitted.told(beside_of(decisions))
    changed = np.zeros(n)
    best, places = np.zeros((n, 0)), np.zeros((n, 0, 2), np.int64)
    for piece, chances in zip(decisions.pieces, fitted.chances, strict=True):
        top, where = np.zeros((n, EXAMPLES)), np.zeros((n, EXAMPLES), np.int64)
        add_changed(piece.starts, piece.winner, piece.seats, chances, kept, changed, top, where)
        of = np.stack([piece.game[where], piece.move[where]], axis=2)
        best, places = np.hstack([best, top]), np.concatenate([places, of], axis=1)
        order = np.argsort(-best, axis=1, kind="stable")[:, :EXAMPLES]
        best = np.take_along_axis(best, order, 1)
        places = np.take_along_axis(places, order[:, :, None], 1)
    delta, error = told_of(decisions, fitted)
    told = np.flatnonzero(np.isfinite(error)).tolist()  # of the others the positions say nothing
    p = np.ones(n)
    p[told] = 2 * norm.sf(np.abs(delta[told]) / error[told])
    rows = [
        Difference(
            features[i].family,
            features[i].name,
            features[i].sentence,
            float(ELO * delta[i]),
            float(ELO * error[i]),
            float(np.exp(delta[i])),
            float(p[i]),
            1.0,
            float(changed[i]),
            int(played[i]),
            float(base[i]),
            features[i].picture,
        )
        for i in told
    ]
    shown = [
        [(int(g), int(m)) for (g, m), size in zip(places[i], best[i], strict=True) if size > 0]
        for i in told
    ]
    return rows, shown


class Expected:
    """What the base expected where something is shown; a position is described once."""

    def __init__(self, corpus: Corpus, base: Model) -> None:
        self._corpus, self._base = corpus, base
        self._known: dict[tuple[int, int], Example] = {}

    def example(self, game: int, move: int) -> Example:
        """The example after so many moves of a game."""
        if (game, move) not in self._known:
            record = self._corpus[game]
            position = record.position(move)
            colour, point = record.moves[move]
            position.to_play(colour)
            chances = self._base.probabilities(position)
            top = max(chances, key=lambda p: chances[p])
            self._known[game, move] = Example(
                game,
                record.source,
                move + 1,
                vertex(point, record.size),
                vertex(top, record.size),
                chances[point],
                chances[top],
            )
        return self._known[game, move]
