"""Shapes of small radius as features of a style: circles of stones that a group plays more readily.

They are rated beside the readable families, whose differences are held. A move's shape is the
largest circle around it, of those that a base knows, of which the base expects enough to tell of;
others have none. Names of shapes are their pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.models.model import Model
from katachi.patterns.features import Features
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.templates import COULOM_CIRCLES
from katachi.progress import Progress, silent
from katachi.records.corpus import Corpus
from katachi.styles.decisions import Array, Decisions, Piece, merged
from katachi.styles.differences import FEW
from katachi.styles.fitted import Vector
from katachi.styles.gather import Wanted, described, gather_pieces, piece_of
from katachi.styles.readable import Feature, Readable, seats_of

RADIUS: Final = 5
MOST: Final = 20_000  # decisions that are looked at
_RULES: Final = ("played", "candidates")  # the dictionary of the first is taken, if there is one


class _Held(NamedTuple):
    """Differences that are held: of which families, and how large."""

    families: tuple[Readable, ...]
    delta: Vector


def circles_of(features: Features) -> tuple[Readable, ...]:
    """The circles that a base knows, a family to each radius, the smallest first; none if it knows
    no shapes of colours alone.
    """
    known = {
        shapes.rule: (name, shapes)
        for name, shapes in features.dictionaries.items()
        if shapes.templates == COULOM_CIRCLES
    }
    for rule in _RULES:
        if rule in known:
            name, shapes = known[rule]
            return tuple(
                Readable(radius, f"Shape, radius {radius}", f"{name}-{radius}", (), (), shapes)
                for radius, count in shapes.per_template().items()
                if count and int(radius) <= RADIUS
            )
    return ()


def some_of(decisions: Decisions, games: int, most: int, seed: int) -> Wanted:
    """So many of these decisions at the most, chosen at random, in a corpus of so many games."""
    game, move = decisions.column("game"), decisions.column("move")
    if len(game) > most:
        chosen = np.sort(np.random.default_rng(seed).choice(len(game), most, False))
        game, move = game[chosen], move[chosen]
    order = np.lexsort((move, game))
    ends = np.searchsorted(game[order], np.arange(1, games))
    moves = np.split(move[order].astype(np.int64), ends)
    return Wanted(moves, [np.zeros(len(one), np.int64) for one in moves])


def gather_shapes(
    corpus: Corpus,
    wanted: Wanted,
    base: Model,
    families: Sequence[Readable],
    delta: Vector,
    *,
    least: float = FEW,
    jobs: int = 1,
    progress: Progress = silent,
) -> tuple[Decisions, list[Feature]]:
    """(the decisions of these moves, with the shape of each candidate; the shapes). The base's
    chances are those with the differences `delta` of `families`. A shape that the base expects
    fewer than `least` times is left out: the next smaller one stands for it.
    """
    circles = circles_of(base.features)
    if not circles or wanted.many == 0:
        return Decisions([], (0,)), []
    how = (_shape_piece, base, circles, _Held(tuple(families), delta))
    pieces = gather_pieces(corpus, wanted, how, jobs=jobs, progress=progress)
    kept = _kept(pieces, len(circles), least)
    shapes = circles[0].shapes
    assert shapes is not None
    features, tables, first = [], [], 0
    for circle, own in zip(circles, kept, strict=True):
        ring = shapes.templates.labels.index(circle.name)
        features += [
            _feature(shapes, int(shapes.firsts[ring]) + n) for n in np.flatnonzero(own).tolist()
        ]
        tables.append(np.where(own, first + np.cumsum(own) - 1, -1))
        first = len(features)
    return Decisions([_seated(piece, tables) for piece in pieces], (len(features),)), features


def _feature(shapes: Shapes, number: int) -> Feature:
    drawing = shapes.draw(number)
    name = drawing.replace(" ", "").replace("\n", "/")
    return Feature("shape", name, "makes this shape", drawing)


def _shape_piece(
    corpus: Corpus,
    games: Array,
    wanted: Wanted,
    base: Model,
    circles: tuple[Readable, ...],
    held: _Held,
) -> Piece:
    """A piece whose seats are the shapes, of each radius its own numbers, from 0."""
    columns, chances, evidence = described(corpus, wanted, base, circles)
    more = np.append(held.delta, 0.0)[seats_of(columns, held.families)].sum(axis=1)
    chances = chances * np.exp(more)
    lengths = np.diff(columns["starts"])
    chances /= np.repeat(np.add.reduceat(chances, columns["starts"][:-1]), lengths)
    seats = np.stack([columns[circle.source].astype(np.int32) for circle in circles], axis=1) - 1
    return piece_of(columns, chances, seats, games, wanted, evidence)


def _kept(pieces: list[Piece], radii: int, least: float) -> list[npt.NDArray[np.bool_]]:
    """[radius][shape] whether it is expected so often where no larger one stands for it."""
    free = [np.ones(len(piece.offset), bool) for piece in pieces]
    found: list[npt.NDArray[np.bool_]] = []
    for radius in reversed(range(radii)):
        columns = [piece.seats[:, radius] for piece in pieces]
        size = 1 + max((int(column.max(initial=-1)) for column in columns), default=-1)
        expected = np.zeros(size)
        for piece, column, still in zip(pieces, columns, free, strict=True):
            some = still & (column >= 0)
            expected += np.bincount(column[some], np.exp(piece.offset[some]), size)
        own = expected >= least
        found.append(own)
        for column, still in zip(columns, free, strict=True):
            still &= ~np.append(own, False)[column]
    return found[::-1]


def _seated(piece: Piece, tables: list[Array]) -> Piece:
    """The piece with one number to each candidate: of its largest shape that is kept, or -1."""
    seats = np.full(len(piece.offset), -1, np.int16)
    for radius, table in enumerate(tables):
        one = np.append(table, -1)[piece.seats[:, radius]]
        seats = np.where(one >= 0, one, seats).astype(np.int16)
    starts, winner, offset, kept = merged(
        piece.starts, piece.winner, np.exp(piece.offset), seats[:, None]
    )
    return Piece(starts, winner, offset, kept, piece.game, piece.move, piece.group, piece.evidence)
