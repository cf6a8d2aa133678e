"""The full model's opinion of a position in the tree.

`weigh` tells it in one kernel, without Python, for models whose team is a product of gammas over
families of the board and over all radii of their shapes: the model that comes with Katachi is one.
`ModelPrior` does so for every other model, by `Model.chances`, several times slower.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board, legal_points, new_board
from katachi.go.kernel import at, int64, kernel
from katachi.go.ladder import LadderWork, ladder_work
from katachi.go.points import AREA, MAX_SIZE, PASS
from katachi.models.model import RANKING, Model
from katachi.patterns.describe import describe
from katachi.patterns.features import Watch
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.keys import empty_codes, follow, template_keys
from katachi.patterns.shapes.lookup import find
from katachi.patterns.shapes.templates import tables
from katachi.patterns.together import TOGETHER, write_together

MOST_CANDIDATES: Final = MAX_SIZE * MAX_SIZE + 1
DICTIONARIES: Final = 4  # places for them: `weigh` is compiled once, for so many
_LEVELS: Final = 256  # of a family of the board, at most


class Known(NamedTuple):
    """The shapes of one dictionary, and the keys of their templates on the board looked at last."""

    follows: bool  # whether it brings its keys up to the board; else another one has done so
    keys: npt.NDArray[np.uint64]  # see katachi.patterns.shapes.keys
    codes: npt.NDArray[np.uint8]
    sees: int  # the view
    zobrist: npt.NDArray[np.uint64]
    ring: npt.NDArray[np.uint8]
    start: npt.NDArray[np.int32]
    seen_from: npt.NDArray[np.uint16]
    seen_as: npt.NDArray[np.uint16]
    salt: npt.NDArray[np.uint64]
    table: npt.NDArray[np.uint64]  # see katachi.patterns.shapes.lookup
    index_of: npt.NDArray[np.int32]
    gamma: npt.NDArray[np.float64]  # [shape]; empty: there is no dictionary in this place


class Mind(NamedTuple):
    """A model as `weigh` wants it, and room to work in: one for each thread."""

    wanted: npt.NDArray[np.bool_]  # [family of TOGETHER]
    factors: npt.NDArray[np.float64]  # [family, level] its gamma; 1 for level 0
    candidates: npt.NDArray[np.int16]
    columns: npt.NDArray[np.uint8]  # [family, candidate]
    products: npt.NDArray[np.float64]  # [candidate]
    spare: Board
    ladder: LadderWork
    dictionaries: tuple[Known, ...]


def is_product(model: Model) -> bool:
    """Whether `weigh` can tell this model's opinion."""
    features = model.features
    return (
        (features.all_radii or not features.dictionaries)
        and len(features.dictionaries) <= DICTIONARIES
        and not model.pairs
        and model.method != RANKING
        and model.rerank is None
        and all(f.dictionary or f in TOGETHER for f in features.families)
    )


def new_mind(model: Model | None, size: int) -> Mind:
    """The model for boards of this size; None, or one that is not `is_product`: an empty one."""
    wanted = np.zeros(len(TOGETHER), np.bool_)
    factors = np.ones((len(TOGETHER), _LEVELS))
    known: list[Known] = []
    if model is not None and is_product(model):
        for k, family in enumerate(TOGETHER):
            if family in model.features.families:
                wanted[k] = True
                gammas = model.factors[family.name]
                factors[k, : len(gammas)] = gammas
        seen: dict[str, Known] = {}
        for name, shapes in model.features.dictionaries.items():
            kin = seen.get(shapes.templates.name)
            known.append(_known(model, name, shapes, size, kin))
            seen.setdefault(shapes.templates.name, known[-1])
    while len(known) < DICTIONARIES:
        known.append(_nothing())
    return Mind(
        wanted,
        factors,
        np.zeros(MOST_CANDIDATES, np.int16),
        np.zeros((len(TOGETHER), MOST_CANDIDATES), np.uint8),
        np.zeros(MOST_CANDIDATES),
        new_board(MAX_SIZE),
        ladder_work(),
        tuple(known),
    )


def _known(model: Model, name: str, shapes: Shapes, size: int, kin: Known | None) -> Known:
    gamma = np.ones(len(shapes))  # of families that are left out
    for family in model.features.families:
        if family.dictionary == name:
            part = slice(family.first, family.first + family.shapes)
            gamma[part] = model.ratings[family.name].gamma
    t = tables(shapes.templates, size)
    return Known(
        kin is None,
        t.empty_keys.copy() if kin is None else kin.keys,
        empty_codes(size) if kin is None else kin.codes,
        t.view,
        t.zobrist,
        t.ring,
        t.seen_start,
        t.seen_from,
        t.seen_as,
        t.salt,
        *shapes.lookup,
        gamma,
    )


def _nothing() -> Known:
    """A place without a dictionary."""
    numbers, small = np.zeros((2, 1, 1, 8), np.uint64), np.zeros(1, np.uint8)
    points = np.zeros(1, np.uint16)
    return Known(
        False,
        numbers,
        small,
        0,
        numbers[0],
        small,
        np.zeros(1, np.int32),
        points,
        points,
        np.zeros(1, np.uint64),
        np.zeros(1, np.uint64),
        np.zeros(1, np.int32),
        np.zeros(0),
    )


@kernel
def _multiply_shapes(
    keys: Any,
    mover: int,
    candidates: Any,
    n: int,
    salt: Any,
    table: Any,
    index_of: Any,
    gamma: Any,
    products: Any,
) -> None:
    """Multiply each candidate's product by the gammas of all its shapes of one dictionary.

    A shape that was seen often enough to be known was seen no more often than the smaller ones in
    it: from the first unknown one on, none is looked for.
    """
    shapes = np.zeros(len(salt), np.uint64)
    for i in range(n):
        p = int64(candidates[at(i)])
        if p == PASS:
            continue
        template_keys(keys, mover, p, salt, shapes)
        product = products[at(i)]
        for r in range(len(salt)):
            shape = find(table, index_of, shapes[r])
            if shape < 0:
                break
            product *= gamma[at(shape)]
        products[at(i)] = product


@kernel
def weigh(mind: Mind, b: Board, out: Any) -> None:
    """Write the probability of each point, and of PASS, into out (float64[AREA]); 0 elsewhere.

    The result is that of `Model.chances`. Positions that follow each other cost less the fewer
    stones differ.
    """
    mover = int64(b.to_move)
    n = int64(legal_points(b, mover, mind.candidates)) + 1
    mind.candidates[n - 1] = PASS
    write_together(b, mind.candidates, n, mind.wanted, mind.spare, mind.ladder, mind.columns)
    products = mind.products
    products[:n] = 1.0
    for k in range(len(mind.wanted)):
        if mind.wanted[k]:
            for i in range(n):
                products[at(i)] *= mind.factors[at(k), at(mind.columns[at(k), at(i)])]
    for known in mind.dictionaries:
        if len(known.gamma) == 0:
            continue
        if known.follows:
            follow(
                known.keys,
                known.codes,
                b,
                known.sees,
                known.zobrist,
                known.ring,
                known.start,
                known.seen_from,
                known.seen_as,
            )
        _multiply_shapes(
            known.keys,
            mover,
            mind.candidates,
            n,
            known.salt,
            known.table,
            known.index_of,
            known.gamma,
            products,
        )
    total = 0.0
    for i in range(n):
        total += products[at(i)]
    out[:] = 0.0
    for i in range(n):
        out[mind.candidates[i]] = products[at(i)] / total


class ModelPrior:
    """The probabilities of all moves by any model, position after position; one for each thread."""

    def __init__(self, model: Model, size: int) -> None:
        self._model = model
        self._watch = Watch(model.features)
        self._watch.start(size)
        self.wants_owned = model.features.owner

    def __call__(
        self, board: Board, owned: npt.NDArray[np.float64] | None
    ) -> npt.NDArray[np.float64]:
        """The probability of each point, and of PASS, shape (AREA,).

        `owned`: how likely each point ends as the mover's, for models with the owner feature,
        which else runs random games.
        """
        situation = self._watch.look(board)
        situation.owned = owned
        families = self._model.features.families
        columns = describe(situation, families)
        chances = self._model.chances(
            {f.name: column for f, column in zip(families, columns, strict=True)},
            np.array([0, situation.count]),
        )
        found = np.zeros(AREA)
        found[situation.candidates[: situation.count]] = chances
        return found
