"""The full model's opinion of a position in the tree.

`weigh` tells it in one kernel, without Python, for models whose team is a product of gammas over
families of the board, over all radii of their shapes and over answers to the last move: the model
that comes with Katachi is one.
`ModelPrior` does so for every other model, by `Predictor.chances`, several times slower.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board, legal_points
from katachi.go.kernel import at, int64, kernel
from katachi.go.points import AREA, MAX_SIZE, MIN_SIZE, PASS
from katachi.models.model import Model
from katachi.patterns.context import Context, new_context
from katachi.patterns.describe import described
from katachi.patterns.features import Watch
from katachi.patterns.shapes.answers import (
    ANSWERS,
    Answers,
    AnswerTables,
    Room,
    Seen,
    answer_tables,
    find_kinds,
    moves_known,
    new_room,
    see_last,
    see_move,
)
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.keys import empty_codes, follow, template_keys
from katachi.patterns.shapes.lookup import Lookup, find, lookup_table
from katachi.patterns.shapes.templates import Tables, Templates, tables
from katachi.patterns.together import TOGETHER, write_together

MOST_CANDIDATES: Final = MAX_SIZE * MAX_SIZE + 1
DICTIONARIES: Final = 4  # places for them: `weigh` is compiled once, for so many
_LEVELS: Final = 256  # of a family of the board, at most


class Known(NamedTuple):
    """The shapes of one dictionary, and the keys of their templates on the board looked at last."""

    follows: bool  # whether it brings its keys up to the board; else another one has done so
    keys: npt.NDArray[np.uint64]  # see katachi.patterns.shapes.keys
    codes: npt.NDArray[np.uint8]
    tables: Tables
    lookup: Lookup
    gamma: npt.NDArray[np.float64]  # [shape]; empty: there is no dictionary in this place


class KnownAnswers(NamedTuple):
    """The answers of a model, and the keys they are made of, which `Known` brings up to date."""

    seen: Seen
    tables: AnswerTables
    lookup: Lookup
    room: Room
    gamma: npt.NDArray[np.float64]  # [answer]; empty: the model has no answers


class Mind(NamedTuple):
    """A model as `weigh` wants it, and room to work in: one for each thread."""

    wanted: npt.NDArray[np.bool_]  # [family of TOGETHER]
    factors: npt.NDArray[np.float64]  # [family, level] its gamma; 1 for level 0
    candidates: npt.NDArray[np.int16]
    columns: npt.NDArray[np.uint8]  # [family, candidate]
    products: npt.NDArray[np.float64]  # [candidate]
    room: Context
    dictionaries: tuple[Known, ...]
    answers: KnownAnswers


def is_product(model: Model) -> bool:
    """Whether `weigh` can tell this model's opinion."""
    features = model.features
    shapes, answers = _apart(model)
    return (
        (features.all_radii or not shapes)
        and len(shapes) + len(_lacking(shapes, answers)) <= DICTIONARIES
        and len(answers) <= 1
        and model.predictor.is_product
        and all(f.dictionary or f in TOGETHER for f in features.families)
    )


def _apart(model: Model) -> tuple[dict[str, Shapes], dict[str, Shapes]]:
    """The dictionaries of a model: (of shapes around a move, of answers). What is the same for all
    moves of a position makes no difference to a product.
    """
    shapes: dict[str, Shapes] = {}
    answers: dict[str, Shapes] = {}
    for name, found in model.features.dictionaries.items():
        if not isinstance(found.templates, Answers):
            shapes[name] = found
        elif not found.templates.of_position:
            answers[name] = found
    return shapes, answers


def _lacking(shapes: dict[str, Shapes], answers: dict[str, Shapes]) -> list[Templates]:
    """The templates that are followed for answers alone."""
    followed = {found.templates.name for found in shapes.values()}
    wanted = {t.name: t for found in answers.values() for t in found.templates.followed}
    return [t for name, t in wanted.items() if name not in followed]


def new_mind(model: Model | None, size: int) -> Mind:
    """The model for boards of this size; None, or one that is not `is_product`: an empty one."""
    wanted = np.zeros(len(TOGETHER), np.bool_)
    factors = np.ones((len(TOGETHER), _LEVELS))
    known: list[Known] = []
    answers = _no_answers()
    if model is not None and is_product(model):
        known_gammas = model.predictor.factors
        for k, family in enumerate(TOGETHER):
            if family in model.features.families:
                wanted[k] = True
                gammas = known_gammas[family.name]
                factors[k, : len(gammas)] = gammas
        shapes, others = _apart(model)
        seen: dict[str, Known] = {}
        for name, found in shapes.items():
            kin = seen.get(found.templates.name)
            known.append(_known(model, name, found, size, kin))
            seen.setdefault(found.templates.name, known[-1])
        for templates in _lacking(shapes, others):
            known.append(_followed(templates, size))
            seen[templates.name] = known[-1]
        for name, found in others.items():
            answers = _known_answers(model, name, found, seen)
    while len(known) < DICTIONARIES:
        known.append(_nothing())
    return Mind(
        wanted,
        factors,
        np.zeros(MOST_CANDIDATES, np.int16),
        np.zeros((len(TOGETHER), MOST_CANDIDATES), np.uint8),
        np.zeros(MOST_CANDIDATES),
        new_context(),
        tuple(known),
        answers,
    )


def _gammas(model: Model, name: str, shapes: Shapes) -> npt.NDArray[np.float64]:
    """[shape] the gammas of a dictionary."""
    gamma = np.ones(len(shapes))  # of families that are left out
    for family in model.features.families:
        if family.dictionary == name:
            part = slice(family.first, family.first + family.shapes)
            gamma[part] = model.predictor.ratings[family.name].gamma
    return gamma


def _known(model: Model, name: str, shapes: Shapes, size: int, kin: Known | None) -> Known:
    assert isinstance(shapes.templates, Templates), "answers are known in another way"
    t = tables(shapes.templates, size)
    return Known(
        kin is None,
        t.empty_keys.copy() if kin is None else kin.keys,
        empty_codes(size) if kin is None else kin.codes,
        t,
        shapes.lookup,
        _gammas(model, name, shapes),
    )


def _followed(templates: Templates, size: int) -> Known:
    """Templates without a dictionary, whose keys are followed for answers."""
    t = tables(templates, size)
    lookup = lookup_table(np.zeros(0, np.uint64))
    return Known(True, t.empty_keys.copy(), empty_codes(size), t, lookup, np.zeros(0))


def _known_answers(
    model: Model, name: str, found: Shapes, followed: dict[str, Known]
) -> KnownAnswers:
    assert isinstance(found.templates, Answers), "shapes are known in another way"
    seen = Seen(*(followed[t.name].keys for t in found.templates.followed))
    gamma = _gammas(model, name, found)
    return KnownAnswers(
        seen, answer_tables(found.templates), found.lookup, new_room(len(found.templates)), gamma
    )


def _no_answers() -> KnownAnswers:
    """The answers of a model without any."""
    keys = np.zeros((0, 0, 0, 0), np.uint64)
    lookup = lookup_table(np.zeros(0, np.uint64))
    return KnownAnswers(
        Seen(keys, keys), answer_tables(ANSWERS), lookup, new_room(len(ANSWERS)), np.zeros(0)
    )


def _nothing() -> Known:
    """A place without a dictionary: tables that nobody looks at."""
    t = tables(Templates("none", (3,)), MIN_SIZE)
    lookup = lookup_table(np.zeros(0, np.uint64))
    return Known(False, t.empty_keys, empty_codes(MIN_SIZE), t, lookup, np.zeros(0))


@kernel
def _multiply_shapes(known: Known, mover: int, candidates: Any, n: int, products: Any) -> None:
    """Multiply each candidate's product by the gammas of all its shapes of one dictionary.

    A shape that was seen often enough to be known was seen no more often than the smaller ones in
    it: from the first unknown one on, none is looked for.
    """
    salt, gamma = known.tables.salt, known.gamma
    shapes = np.zeros(len(salt), np.uint64)
    for i in range(n):
        p = int64(candidates[at(i)])
        if p == PASS:
            continue
        template_keys(known.keys, mover, p, salt, shapes)
        product = products[at(i)]
        for r in range(len(salt)):
            shape = find(known.lookup, shapes[r])
            if shape < 0:
                break
            product *= gamma[at(shape)]
        products[at(i)] = product


@kernel
def _multiply_answers(
    known: KnownAnswers, b: Board, mover: int, candidates: Any, n: int, products: Any
) -> None:
    """Multiply each candidate's product by the gammas of the answers that it is."""
    moves = moves_known(b)
    if moves == 0:
        return
    t, room = known.tables, known.room
    see_last(b, mover, known.seen, t, room)
    for i in range(n):
        p = int64(candidates[at(i)])
        if p == PASS:
            continue
        see_move(b, mover, p, known.seen, t, room)
        find_kinds(moves, t, room, known.lookup)
        product = products[at(i)]
        for k in range(len(room.found)):
            if room.found[at(k)] >= 0:
                product *= known.gamma[at(room.found[at(k)])]
        products[at(i)] = product


@kernel
def weigh(mind: Mind, b: Board, out: Any) -> None:
    """Write the probability of each point, and of PASS, into out (float64[AREA]); 0 elsewhere.

    The result is that of `Predictor.chances`. Positions that follow each other cost less the fewer
    stones differ.
    """
    mover = int64(b.to_move)
    n = int64(legal_points(b, mover, mind.candidates)) + 1
    mind.candidates[n - 1] = PASS
    room = mind.room
    context = Context(b, mover, room.spare, room.ladder, room.notes, room.owned)
    write_together(context, mind.candidates, n, mind.wanted, mind.columns)
    products = mind.products
    products[:n] = 1.0
    for k in range(len(mind.wanted)):
        if mind.wanted[k]:
            for i in range(n):
                products[at(i)] *= mind.factors[at(k), at(mind.columns[at(k), at(i)])]
    for known in mind.dictionaries:
        if known.follows:
            follow(known.keys, known.codes, b, known.tables)
        if len(known.gamma) > 0:
            _multiply_shapes(known, mover, mind.candidates, n, products)
    if len(mind.answers.gamma) > 0:
        _multiply_answers(mind.answers, b, mover, mind.candidates, n, products)
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
        columns = described(situation, self._model.features)
        chances = self._model.predictor.chances(columns, np.array([0, situation.count]))
        found = np.zeros(AREA)
        found[situation.candidates[: situation.count]] = chances
        return found
