"""`Mind`: a model as the kernel `weigh` (katachi.search.prior) wants it, and room to work in.

Every feature of the model is a *row* of one long table, as in katachi.learning.interactions.groups:
level n of a family is the row n - 1 after the family's first. A candidate's team is then a list of
rows, whatever the rows hold: gammas to multiply, or weights and embeddings to add.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from katachi.go.points import MAX_SIZE, MIN_SIZE
from katachi.learning.interactions.predictor import Interacting
from katachi.models.model import Model
from katachi.models.predictor import Predictor
from katachi.patterns.context import Context, new_context
from katachi.patterns.family import Family
from katachi.patterns.shapes.answers import (
    ANSWERS,
    Answers,
    AnswerTables,
    Room,
    Seen,
    answer_tables,
    new_room,
)
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.keys import empty_codes
from katachi.patterns.shapes.lookup import Lookup, lookup_table
from katachi.patterns.shapes.templates import Tables, Templates, tables
from katachi.patterns.together import TOGETHER, WHOLE

MOST_CANDIDATES: Final = MAX_SIZE * MAX_SIZE + 1
DICTIONARIES: Final = 4  # places for them: `weigh` is compiled once, for so many
PRODUCT, FACTORS, HIDDEN = range(3)  # how rows make a score
LEFT_OUT: Final = -(1 << 40)  # with a shape's number it stays below 0
LINE: Final = 64  # bytes that the processor brings from memory at a time

Rows = npt.NDArray[np.int64]


class Known(NamedTuple):
    """The shapes of one dictionary, and the keys of their templates on the board looked at last."""

    follows: bool  # whether it brings its keys up to the board; else another one has done so
    keys: npt.NDArray[np.uint64]  # see katachi.patterns.shapes.keys
    codes: npt.NDArray[np.uint8]
    tables: Tables
    lookup: Lookup
    # [template] what is added to the number of a shape to find its row; LEFT_OUT where the model
    # lacks the family; empty: there is no dictionary in this place
    rows: Rows


class KnownAnswers(NamedTuple):
    """The answers of a model, and the keys they are made of, which `Known` brings up to date."""

    seen: Seen
    tables: AnswerTables
    lookup: Lookup
    room: Room
    rows: Rows  # [kind] as in `Known`; empty: the model has no answers


class Families(NamedTuple):
    """Which families of a list that one kernel writes are the model's."""

    wanted: npt.NDArray[np.bool_]  # [family of the list]
    numbers: Rows  # [family of the model] its number in the list,
    rows: Rows  # and what is added to its levels to find their rows
    columns: npt.NDArray[np.uint8]  # [family of the list, candidate] room for the levels


class Packed(NamedTuple):
    """All that is asked of a row of v, side by side: a large model's rows are seldom in the
    processor's caches, and each costs one look at memory. Three views of one table.
    """

    bytes: npt.NDArray[np.int8]  # [row, …] K numbers, where they are kept in bytes; else
    singles: npt.NDArray[np.float32]  # [row, …] they are here;
    doubles: npt.NDArray[np.float64]  # [row, …] w, of factors without ½ |v|²; what v is scaled by
    weight: int  # where w is in a row of doubles; the scale is the next one
    in_bytes: bool


class Embedded(NamedTuple):
    """The embeddings of `factors` and `hidden`; of a product there are none."""

    packed: Packed
    u: npt.NDArray[np.float32]  # [row of the position, K]
    a: npt.NDArray[np.float32]  # [K] weights and biases of the hidden units
    b: npt.NDArray[np.float32]
    base: npt.NDArray[np.float64]  # [K] room: the sum for the position,
    sums: npt.NDArray[np.float64]  # and that for a candidate


class Teams(NamedTuple):
    """Room for the candidates of a position."""

    candidates: npt.NDArray[np.int16]
    rows: npt.NDArray[np.int32]  # [candidate, i] the rows of its features,
    used: Rows  # and how many there are
    scores: npt.NDArray[np.float64]


class Mind(NamedTuple):
    """A model as `weigh` wants it, and room to work in: one for each thread."""

    kind: int
    gamma: npt.NDArray[np.float64]  # [row] of a product
    embedded: Embedded
    families: Families
    dictionaries: tuple[Known, ...]
    answers: KnownAnswers
    position: Families
    last: KnownAnswers
    teams: Teams
    room: Context


class _Parts(NamedTuple):
    """The dictionaries of a model."""

    shapes: dict[str, Shapes]  # of shapes around a move
    answers: dict[str, Shapes]  # of answers to the last move
    last: dict[str, Shapes]  # of shapes of the last move, as the position's features


def can_weigh(model: Model) -> bool:
    """Whether `weigh` can tell this model's opinion."""
    features, predictor = model.features, model.predictor
    parts = _parts(model)
    acts = isinstance(predictor, Interacting)
    return (
        (predictor.is_product or acts)
        and (features.all_radii or not parts.shapes)
        and len(parts.shapes) + len(_lacking(parts)) <= DICTIONARIES
        and len(parts.answers) <= 1
        and len(parts.last) <= 1
        and all(f.dictionary or f in TOGETHER for f in features.families)
        and all(f.dictionary or f in WHOLE for f in features.position_families if acts)
    )


def _parts(model: Model) -> _Parts:
    """What is the same for all moves of a position makes no difference to a product."""
    parts = _Parts({}, {}, {})
    asked = _position_of(model.predictor)
    whole = {f.dictionary for f in model.features.position_families if f.name in asked}
    for name, found in model.features.dictionaries.items():
        if not isinstance(found.templates, Answers):
            parts.shapes[name] = found
        elif not found.templates.of_position:
            parts.answers[name] = found
        elif name in whole:
            parts.last[name] = found
    return parts


def _position_of(predictor: Predictor) -> Mapping[str, int]:
    """Family of the position → its number of levels, of those that the predictor asks for."""
    return predictor.position if isinstance(predictor, Interacting) else {}


def _lacking(parts: _Parts) -> list[Templates]:
    """The templates that are followed for answers alone."""
    followed = {found.templates.name for found in parts.shapes.values()}
    asking = [*parts.answers.values(), *parts.last.values()]
    wanted = {t.name: t for found in asking for t in found.templates.followed}
    return [t for name, t in wanted.items() if name not in followed]


def new_mind(model: Model | None, size: int) -> Mind:
    """The model for boards of this size; None, or one that `can_weigh` denies: an empty one."""
    known: list[Known] = []
    gamma = np.zeros(0)
    kind, embedded = PRODUCT, _no_embeddings()
    own, whole = _families(TOGETHER, {}, MOST_CANDIDATES), _families(WHOLE, {}, 1)
    answers, last = _no_answers(), _no_answers()
    if model is not None and can_weigh(model):
        predictor, parts = model.predictor, _parts(model)
        rows, shared_rows = _firsts(predictor.families), _firsts(_position_of(predictor))
        kind, gamma, embedded = _tables(predictor)
        own, whole = (_families(TOGETHER, rows, MOST_CANDIDATES), _families(WHOLE, shared_rows, 1))
        seen: dict[str, Known] = {}
        for name, found in parts.shapes.items():
            kin = seen.get(found.templates.name)
            first = _shape_rows(found, name, model.features.families, rows)
            known.append(_known(found, size, first, kin))
            seen.setdefault(found.templates.name, known[-1])
        for templates in _lacking(parts):
            known.append(_followed(templates, size))
            seen[templates.name] = known[-1]
        for name, found in parts.answers.items():
            first = _shape_rows(found, name, model.features.families, rows)
            answers = _known_answers(found, first, seen)
        for name, found in parts.last.items():
            first = _shape_rows(found, name, model.features.position_families, shared_rows)
            last = _known_answers(found, first, seen)
    most = len(own.numbers) + sum(len(k.rows) for k in known) + len(answers.rows)
    while len(known) < DICTIONARIES:
        known.append(_nothing())
    teams = Teams(
        np.zeros(MOST_CANDIDATES, np.int16),
        np.zeros((MOST_CANDIDATES, most), np.int32),
        np.zeros(MOST_CANDIDATES, np.int64),
        np.zeros(MOST_CANDIDATES),
    )
    return Mind(
        kind, gamma, embedded, own, tuple(known), answers, whole, last, teams, new_context()
    )


def _tables(predictor: Predictor) -> tuple[int, npt.NDArray[np.float64], Embedded]:
    """What the rows of a predictor hold. Embeddings are not copied: all threads share them."""
    if not isinstance(predictor, Interacting):
        gammas = [predictor.ratings[name].gamma for name in predictor.families]
        return PRODUCT, np.concatenate(gammas).astype(np.float64), _no_embeddings()
    found = predictor.tables
    width = found.v.shape[1]
    a, b = np.array(found.a, np.float32), np.array(found.b, np.float32)
    if predictor not in _packed:
        _packed[predictor] = _pack(predictor)
    embedded = Embedded(_packed[predictor], found.u, a, b, np.zeros(width), np.zeros(width))
    return HIDDEN if len(found.a) else FACTORS, np.zeros(0), embedded


_packed: WeakKeyDictionary[Interacting, Packed] = WeakKeyDictionary()


def _pack(predictor: Interacting) -> Packed:
    """The rows of v. One that is no longer than a line of the cache is in one."""
    found, kept = predictor.tables, predictor.features
    in_bytes = kept.values.dtype == np.int8
    numbers = kept.values if in_bytes else found.v
    rows, width = numbers.shape
    weight = -(-width * numbers.itemsize // 8)
    length = 8 * (weight + 2)
    length = 1 << (length - 1).bit_length() if length < LINE else -(-length // LINE) * LINE
    packed = _views(rows, length, weight, in_bytes)
    (packed.bytes if in_bytes else packed.singles)[:, :width] = numbers
    packed.doubles[:, weight] = found.w - 0.5 * found.norms if len(found.norms) else found.w
    packed.doubles[:, weight + 1] = kept.scales if in_bytes else 1.0
    return packed


def _views(rows: int, length: int, weight: int, in_bytes: bool) -> Packed:
    """Zeros, in so many rows of so many bytes."""
    room = np.zeros(rows * length + LINE, np.int8)
    begin = -room.ctypes.data % LINE
    table = room[begin : begin + rows * length].reshape(rows, length)
    return Packed(table, table.view(np.float32), table.view(np.float64), weight, in_bytes)


def _no_embeddings() -> Embedded:
    layer = np.zeros(0, np.float32)
    shared = np.zeros((0, 0), np.float32)
    return Embedded(_views(0, LINE, 0, True), shared, layer, layer, np.zeros(0), np.zeros(0))


def _firsts(families: Mapping[str, int]) -> dict[str, int]:
    """Family → where its rows begin."""
    return dict(zip(families, accumulate(families.values(), initial=0), strict=False))


def _families(listed: Sequence[Family], rows: Mapping[str, int], candidates: int) -> Families:
    """Those of a list that have rows."""
    numbers = [k for k, family in enumerate(listed) if family.name in rows]
    wanted = np.zeros(len(listed), np.bool_)
    wanted[numbers] = True
    return Families(
        wanted,
        np.array(numbers, np.int64),
        np.array([rows[listed[k].name] - 1 for k in numbers], np.int64),
        np.zeros((len(listed), candidates), np.uint8),
    )


def _shape_rows(
    shapes: Shapes, name: str, families: Sequence[Family], rows: Mapping[str, int]
) -> Rows:
    """[template, or kind] what is added to the number of a shape of a dictionary."""
    begins = {f.first: f.name for f in families if f.dictionary == name and f.name in rows}
    return np.array(
        [rows[begins[n]] - n if n in begins else LEFT_OUT for n in shapes.firsts.tolist()], np.int64
    )


def _known(shapes: Shapes, size: int, rows: Rows, kin: Known | None) -> Known:
    assert isinstance(shapes.templates, Templates), "answers are known in another way"
    t = tables(shapes.templates, size)
    return Known(
        kin is None,
        t.empty_keys.copy() if kin is None else kin.keys,
        empty_codes(size) if kin is None else kin.codes,
        t,
        shapes.lookup,
        rows,
    )


def _followed(templates: Templates, size: int) -> Known:
    """Templates without a dictionary, whose keys are followed for answers."""
    t = tables(templates, size)
    lookup = lookup_table(np.zeros(0, np.uint64))
    return Known(True, t.empty_keys.copy(), empty_codes(size), t, lookup, np.zeros(0, np.int64))


def _known_answers(found: Shapes, rows: Rows, followed: Mapping[str, Known]) -> KnownAnswers:
    assert isinstance(found.templates, Answers), "shapes are known in another way"
    seen = Seen(*(followed[t.name].keys for t in found.templates.followed))
    return KnownAnswers(
        seen, answer_tables(found.templates), found.lookup, new_room(len(found.templates)), rows
    )


def _no_answers() -> KnownAnswers:
    """The answers of a model without any."""
    keys = np.zeros((0, 0, 0, 0), np.uint64)
    lookup = lookup_table(np.zeros(0, np.uint64))
    return KnownAnswers(
        Seen(keys, keys),
        answer_tables(ANSWERS),
        lookup,
        new_room(len(ANSWERS)),
        np.zeros(0, np.int64),
    )


def _nothing() -> Known:
    """A place without a dictionary: tables that nobody looks at."""
    t = tables(Templates("none", (3,)), MIN_SIZE)
    lookup = lookup_table(np.zeros(0, np.uint64))
    return Known(False, t.empty_keys, empty_codes(MIN_SIZE), t, lookup, np.zeros(0, np.int64))
