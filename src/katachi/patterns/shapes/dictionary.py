"""`Shapes`: a dictionary of harvested shapes. Level n of the family *shape* is its nth shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.go.kernel import kernel
from katachi.go.points import EMPTY
from katachi.patterns.shapes.answer_pictures import LIBERTY_SIGNS, SIGNS, answer_sizes, draw_answer
from katachi.patterns.shapes.answers import HARVESTED, Answers, AnyTemplates
from katachi.patterns.shapes.lookup import Lookup, lookup_table
from katachi.patterns.shapes.templates import LIBERTIES, PLAIN, WHOLE_BOARD, Templates, offsets
from katachi.tensors import Kind, damaged, read_arrays, write_arrays

FORMAT: Final = "katachi-shapes-3"
KIND: Final = Kind(
    FORMAT,
    "shapes",
    "dictionary of shapes",
    "make it by katachi harvest GAMES… -o",
    "harvest it again",
)
RULE_NAMES: Final = ("candidates", "played")
_MARKED_SIGNS: Final = SIGNS | {5: "Y", 6: "@"}
_TENSORS: Final = {"keys": "uint64", "counts": "int64", "rings": "uint8", "pictures": "uint8"}


@dataclass(frozen=True, eq=False)
class Shapes:
    """Shapes in a fixed order: by template, then most frequent first, then by key.

    Of answers (katachi.patterns.shapes.answers), which are shapes too, each kind is a template.
    `rule` is "candidates" or "played", `min_count` the appearances a shape needs, `sizes` the
    board sizes they were harvested on.
    """

    templates: AnyTemplates
    rule: str
    min_count: int
    sizes: tuple[int, ...]
    keys: npt.NDArray[np.uint64]  # [n]
    counts: npt.NDArray[np.int64]  # [n]
    rings: npt.NDArray[np.uint8]  # [n]: the template
    pictures: npt.NDArray[np.uint8]  # packed, 2 or 4 bits to a point; see picture_starts

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def lookup(self) -> Lookup:
        """Where a key is found among these."""
        return lookup_table(self.keys)

    @cached_property
    def firsts(self) -> npt.NDArray[np.int64]:
        """[template] how many shapes come before those of the template."""
        return np.searchsorted(self.rings, np.arange(len(self.templates)))

    @cached_property
    def _picture_starts(self) -> npt.NDArray[np.int64]:
        return picture_starts(self.templates, self.rings)

    def per_template(self) -> dict[str, int]:
        """The label of a template → its number of shapes."""
        counts = np.bincount(self.rings, minlength=len(self.templates))
        return dict(zip(self.templates.labels, counts.tolist(), strict=True))

    def _packed(self, shape: int) -> npt.NDArray[np.uint8]:
        start, end = self._picture_starts[shape : shape + 2]
        return self.pictures[start:end]

    def states(self, shape: int) -> npt.NDArray[np.uint8]:
        """The states of a shape's points (index from 0) in the order of `templates.offsets`.

        Not of answers.
        """
        assert isinstance(self.templates, Templates), "an answer is no circle"
        ring = int(self.rings[shape])
        found: npt.NDArray[np.uint8] = self._states(self.templates, np.array([shape]), ring)[0]
        return found

    def _states(
        self, templates: Templates, shapes: npt.NDArray[np.int64], ring: int
    ) -> npt.NDArray[np.uint8]:
        """[shape, point] the same of several shapes of one template."""
        bits = _bits(templates)
        place = bits * np.arange(_points(templates)[ring])
        packed = self.pictures[self._picture_starts[shapes][:, None] + (place >> 3)]
        states: npt.NDArray[np.uint8] = packed >> (place & 7).astype(np.uint8)
        return states & np.uint8((1 << bits) - 1)

    def draw(self, shape: int) -> str:
        """A shape (index from 0) as text: see `drawings`."""
        return self.drawings([shape])[0]

    def drawings(self, shapes: Sequence[int]) -> list[str]:
        """Shapes (index from 0) as texts: `*` the move, X own stones, O the opponent's, # off.

        `@` is the previous move (Y where it was an own stone); X1 … O3 are stones with their
        liberties, 3 for 3 and more. For answers see `draw_answer`.
        """
        if isinstance(self.templates, Answers):
            kinds = self.templates.kinds
            return [draw_answer(kinds[self.rings[shape]], self._packed(shape)) for shape in shapes]
        found = [""] * len(shapes)
        numbers = np.asarray(shapes, np.int64)
        signs = _signs(self.templates)
        for ring in set(self.rings[numbers].tolist()):
            places = np.flatnonzero(self.rings[numbers] == ring)
            empty, cells = _layout(self.templates, ring)
            texts = np.tile(empty, (len(places), 1))
            texts[:, cells] = signs[self._states(self.templates, numbers[places], ring)]
            whole = self.templates.radii[ring] == WHOLE_BOARD
            for place, text in zip(places.tolist(), texts, strict=True):
                drawing = text.tobytes().decode()
                found[place] = _without_walls(drawing) if whole else drawing
        return found

    def save(self, path: Path) -> None:
        """Write the dictionary as one file (katachi.tensors), whole or not at all."""
        about, parts = shapes_to_parts(self)
        write_arrays(path, KIND, about, parts)

    def keep(self, min_count: int) -> Shapes:
        """The shapes with at least this many appearances."""
        kept = np.flatnonzero(self.counts >= min_count)
        return _ordered(
            replace(
                self,
                min_count=max(min_count, self.min_count),
                keys=self.keys[kept],
                counts=self.counts[kept],
                rings=self.rings[kept],
            ),
            self._picture_starts,
            kept,
        )


def load_shapes(path: Path) -> Shapes:
    """The dictionary in a file. Raises KatachiError if it is not there, damaged or of another
    version.
    """
    about, tensors = read_arrays(path, KIND)
    try:
        return shapes_from_parts(about, tensors)
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise damaged(path, KIND, error) from None


def shapes_to_parts(shapes: Shapes) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """(what is to be told about a dictionary, its columns), for a file."""
    about = {
        "templates": shapes.templates.name,
        "rule": shapes.rule,
        "min_count": shapes.min_count,
        "sizes": list(shapes.sizes),
    }
    return about, {name: np.ascontiguousarray(getattr(shapes, name)) for name in _TENSORS}


def shapes_from_parts(about: dict[str, Any], tensors: dict[str, Any]) -> Shapes:
    """The dictionary of which a file tells. Raises ValueError, KeyError or TypeError if its parts
    do not fit each other.
    """
    templates = HARVESTED.get(about["templates"])
    if templates is None:
        raise ValueError(f"unknown templates {about['templates']!r:.40}")
    try:
        rule, min_count = about["rule"], int(about["min_count"])
        sizes = tuple(int(size) for size in about["sizes"])
    except OverflowError:  # JSON knows Infinity
        raise ValueError("its header cannot be read") from None
    if rule not in RULE_NAMES or min_count < 1:
        raise ValueError("its header cannot be read")
    if not _fit(tensors, templates):
        raise ValueError("its columns do not fit each other")
    shapes = Shapes(templates, rule, min_count, sizes, *(tensors[name] for name in _TENSORS))
    if int(picture_starts(templates, shapes.rings)[-1]) != len(shapes.pictures):
        raise ValueError("its pictures do not fit its shapes")
    return shapes


def _fit(tensors: dict[str, Any], templates: AnyTemplates) -> bool:
    """Whether the columns have the right names, types and lengths."""
    if {name: str(column.dtype) for name, column in tensors.items()} != _TENSORS:
        return False
    if any(column.ndim != 1 for column in tensors.values()):
        return False
    if len({len(tensors[name]) for name in ("keys", "counts", "rings")}) != 1:
        return False
    rings = tensors["rings"]  # by template: a family's shapes are a run of them
    return bool(np.all(rings < len(templates)) and np.all(rings[1:] >= rings[:-1]))


def merge_shapes(parts: Sequence[Shapes]) -> Shapes:
    """One dictionary of several corpora: what one count over all their games gives.

    Raises KatachiError if templates or rules differ, or if a part has forgotten rare shapes: parts
    must be harvested with min_count 1, `keep` drops what is rare afterwards.
    """
    if not parts:
        raise KatachiError("no dictionaries to merge")
    first = parts[0]
    for part in parts:
        if (part.templates, part.rule) != (first.templates, first.rule):
            raise KatachiError("dictionaries of different templates or rules do not merge")
        if part.min_count != 1:
            raise KatachiError(
                f"a dictionary of shapes seen {part.min_count} times or more does not merge: what "
                "was rarer in one corpus is forgotten; harvest each with a minimum of 1"
            )
    return join_shapes(parts)


def join_shapes(parts: Sequence[Shapes]) -> Shapes:
    """All shapes of dictionaries of the same templates and rule, their counts added up: no more
    than a lower bound where a part has dropped what was rare in it.
    """
    first = parts[0]
    keys = np.concatenate([part.keys for part in parts])
    rings = np.concatenate([part.rings for part in parts])
    unique, where, inverse = np.unique(keys, return_index=True, return_inverse=True)
    counts = np.zeros(len(unique), np.int64)
    np.add.at(counts, inverse, np.concatenate([part.counts for part in parts]))
    sizes = tuple(sorted({size for part in parts for size in part.sizes}))
    pictures = np.concatenate([part.pictures for part in parts])
    starts = picture_starts(first.templates, rings)
    least = max(part.min_count for part in parts)
    found = Shapes(
        first.templates, first.rule, least, sizes, unique, counts, rings[where], pictures
    )
    return _ordered(found, starts, where)


def _ordered(found: Shapes, starts: npt.NDArray[np.int64], where: npt.NDArray[np.int64]) -> Shapes:
    """These shapes in their order, of which the pictures are not yet theirs: that of shape i is
    number where[i] of those that begin at `starts`.
    """
    order = shape_order(found.keys, found.counts, found.rings)
    rings = found.rings[order]
    flat = np.zeros(int(picture_sizes(found.templates)[rings].sum()), np.uint8)
    _copy_pictures(found.pictures, starts, where[order], flat)
    return replace(
        found, keys=found.keys[order], counts=found.counts[order], rings=rings, pictures=flat
    )


@kernel
def _copy_pictures(pictures: Any, starts: Any, order: Any, out: Any) -> None:
    place = 0
    for i in range(len(order)):
        for j in range(starts[order[i]], starts[order[i] + 1]):
            out[place] = pictures[j]
            place += 1


def shape_order(keys: Any, counts: Any, rings: Any) -> npt.NDArray[np.int64]:
    """By template, most frequent first, then by key."""
    return np.lexsort((keys, -counts, rings))


@cache
def _points(templates: Templates) -> npt.NDArray[np.int64]:
    rings = np.array([ring for _, _, ring in offsets(templates)])
    return np.cumsum(np.bincount(rings, minlength=len(templates)))


@cache
def _layout(templates: Templates, ring: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """(the text of a shape with signs yet to be filled in, [point, letter] where they go)."""
    width = len(next(iter(_sign_words(templates).values())))
    points = [(dy, dx) for dy, dx, _ in offsets(templates)[: _points(templates)[ring]]]
    spots = {*points, (0, 0)}
    columns = sorted({dx for _, dx in spots})
    text, begin = "", {}
    for row in sorted({dy for dy, _ in spots}):
        last = max(dx for dy, dx in spots if dy == row)
        for column in [column for column in columns if column <= last]:
            begin[row, column] = len(text)
            text += ("*" if (row, column) == (0, 0) else "").rjust(width) + " "
        text = text[:-1] + "\n"
    places = np.array([begin[point] for point in points], np.int64)
    return np.frombuffer(text[:-1].encode(), np.uint8), places[:, None] + np.arange(width)


def _sign_words(templates: Templates) -> dict[int, str]:
    return LIBERTY_SIGNS if templates.view == LIBERTIES else _MARKED_SIGNS


@cache
def _signs(templates: Templates) -> npt.NDArray[np.uint8]:
    """[state, letter] the sign of a point."""
    words = _sign_words(templates)
    unknown = "?".rjust(len(words[EMPTY]))
    return np.array([list(words.get(s, unknown).encode()) for s in range(16)], np.uint8)


def _without_walls(drawing: str) -> str:
    """Without the rows and columns that are off the board."""
    rows = [line.split(" ") for line in drawing.split("\n")]
    rows = [row for row in rows if any(sign != "#" for sign in row)]
    columns = [column for column in zip(*rows, strict=True) if any(sign != "#" for sign in column)]
    return "\n".join(map(" ".join, zip(*columns, strict=True)))


def _bits(templates: Templates) -> int:
    """The bits to a point of a packed picture."""
    return 2 if templates.view == PLAIN else 4


def picture_sizes(templates: AnyTemplates) -> npt.NDArray[np.int64]:
    """[ring] bytes of a packed picture."""
    if isinstance(templates, Answers):
        return answer_sizes(templates)
    return (_points(templates) * _bits(templates) + 7) // 8


def picture_starts(templates: AnyTemplates, rings: Any) -> npt.NDArray[np.int64]:
    """[n + 1] where the picture of each shape begins."""
    starts = np.zeros(len(rings) + 1, np.int64)
    np.cumsum(picture_sizes(templates)[rings], out=starts[1:])
    return starts
