"""`FactorsPredictor` and `HiddenPredictor`: ratings, and embeddings of features and of positions.

The gammas of the ratings are e^w. In their part of the file, beside the ratings:

interactions/features/values, scales    see `stored`: a row to each level, family after family
interactions/position/values, scales    the same of the families of the position
interactions/a, b                       float32[K]: of `hidden` the layer's weights and biases
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, int64, kernel
from katachi.learning.bradley_terry.columns import layout
from katachi.learning.interactions.stored import Embeddings, from_tensors, nothing, to_tensors
from katachi.models.predictor import (
    Array,
    Contribution,
    Judged,
    Levels,
    Member,
    Parts,
    Predictor,
    Starts,
    Vector,
    restored_ratings,
)

MOST_WIDTH: Final = 1024  # numbers of an embedding
BLOCK: Final = 1 << 14  # candidates that are looked at together, about
_FEATURES, _POSITION = "interactions/features", "interactions/position"


class _Tables(NamedTuple):
    """All that a score is made of."""

    first: npt.NDArray[np.int64]  # [family + 1] where the rows of each family begin
    shared_first: npt.NDArray[np.int64]  # the same of the position's families
    w: Vector
    v: npt.NDArray[np.float32]
    u: npt.NDArray[np.float32]
    norms: Vector  # [row] |v|²; empty where there is a layer
    a: npt.NDArray[np.float32]  # empty where there is none
    b: npt.NDArray[np.float32]


@kernel
def _score(tables: _Tables, levels: Any, shared: Any, starts: Any, out: Any) -> None:
    """Write the score of each candidate: see katachi.learning.interactions.parameters. Where there
    is a layer, a candidate without features has 0 here: all of a position differ by that number.

    levels: [family, candidate]; shared: [family, position].
    """
    v, u = tables.v, tables.u
    width = v.shape[1]
    layer = len(tables.a) > 0
    base, sums = np.zeros(width), np.zeros(width)
    origin = starts[0]
    for j in range(len(starts) - 1):
        for k in range(width):
            base[at(k)] = tables.b[at(k)] if layer else 0.0
        for f in range(len(shared)):
            level = int64(shared[at(f), at(j)])
            if level:
                row = tables.shared_first[at(f)] + level - 1
                for k in range(width):
                    base[at(k)] += u[at(row), at(k)]
        plain = 0.0
        if layer:
            for k in range(width):
                plain += tables.a[at(k)] * max(base[at(k)], 0.0)
        for i in range(starts[at(j)] - origin, starts[at(j + 1)] - origin):
            score = -plain
            for k in range(width):
                sums[at(k)] = base[at(k)] if layer else 0.0
            for f in range(len(levels)):
                level = int64(levels[at(f), at(i)])
                if level:
                    row = tables.first[at(f)] + level - 1
                    score += tables.w[at(row)]
                    if not layer:
                        score -= 0.5 * tables.norms[at(row)]
                    for k in range(width):
                        sums[at(k)] += v[at(row), at(k)]
            if layer:
                for k in range(width):
                    score += tables.a[at(k)] * max(sums[at(k)], 0.0)
            else:
                for k in range(width):
                    score += sums[at(k)] * (0.5 * sums[at(k)] + base[at(k)])
            out[at(i)] = score


@dataclass(frozen=True, eq=False)
class Interacting(Predictor):
    """What the two have in common. `position`: family of the position → its number of levels."""

    features: Embeddings = field(default_factory=nothing)
    shared: Embeddings = field(default_factory=nothing)
    position: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_product(self) -> bool:
        """No: features do not count alone."""
        return False

    @property
    def layer(self) -> tuple[Array, Array]:
        """Weights and biases of the hidden units, if there are any."""
        return np.zeros(0, np.float32), np.zeros(0, np.float32)

    @cached_property
    def tables(self) -> _Tables:
        """What the kernel wants."""
        v = self.features.table
        a, b = self.layer
        norms = np.zeros(0) if len(a) else (v.astype(np.float64) ** 2).sum(axis=1)
        return _Tables(
            layout(list(self.families.values())),
            layout(list(self.position.values())),
            np.log(np.concatenate([r.gamma for r in self.ratings.values()]).astype(np.float64)),
            v,
            self.shared.table,
            norms,
            a,
            b,
        )

    def scores(self, columns: Levels, starts: Starts) -> Vector:
        """[candidate] the logarithm of its strength."""
        out = np.empty(int(starts[-1]))
        shared = _stacked([columns[name] for name in self.position], len(starts) - 1)
        end = len(starts) - 1
        own = [columns[name] for name in self.families]
        first = 0
        while first < end:
            last = int(np.searchsorted(starts, starts[first] + BLOCK, "right")) - 1
            last = min(max(last, first + 1), end)
            a, b = int(starts[first]), int(starts[last])
            levels = _stacked([column[a:b] for column in own], b - a)
            some = np.ascontiguousarray(shared[:, first:last])
            _score(self.tables, levels, some, starts[first : last + 1], out[a:b])
            first = last
        return out

    def strengths(self, columns: Levels) -> Vector:
        """[candidate] e^score. All candidates must be of one position."""
        count = len(columns[next(iter(self.families))])
        return _strengths(self.scores(columns, np.array([0, count])))

    def judged(self, columns: Levels, starts: Starts) -> Judged:
        """By scores: chances go with e^score."""
        starts = np.ascontiguousarray(starts, np.int64)
        scores = self.scores(columns, starts)
        counts = np.diff(starts)
        top = np.maximum.reduceat(scores, starts[:-1])
        chances = np.exp(scores - np.repeat(top, counts))
        chances /= np.repeat(np.add.reduceat(chances, starts[:-1]), counts)
        return Judged(_strengths(scores), scores, chances)

    def members(self, columns: Levels, candidate: int) -> tuple[list[Member], list[Member]]:
        """The features of one candidate, and those of its position, of which `columns` are."""
        own = [Member(name, int(columns[name][candidate])) for name in self.families]
        shared = [Member(name, int(columns[name][0])) for name in self.position]
        return [m for m in own if m.level], [m for m in shared if m.level]

    def rows(self, own: list[Member], shared: list[Member]) -> tuple[list[int], list[int]]:
        """The rows of these features in the tables."""
        first = dict(zip(self.families, self.tables.first.tolist(), strict=False))
        shared_first = dict(zip(self.position, self.tables.shared_first.tolist(), strict=False))
        return (
            [first[m.family] + m.level - 1 for m in own],
            [shared_first[m.family] + m.level - 1 for m in shared],
        )

    def parts(self) -> Parts:
        """With the embeddings."""
        header, tensors = super().parts()
        tensors |= to_tensors(_FEATURES, self.features) | to_tensors(_POSITION, self.shared)
        return Parts(header | {"width": int(self.features.values.shape[1])}, tensors)


def _stacked(columns: list[Array], count: int) -> npt.NDArray[np.int32]:
    """[family, candidate] columns of any types."""
    if not columns:
        return np.zeros((0, count), np.int32)
    found = np.concatenate(columns, dtype=np.int32, casting="unsafe")
    return found.reshape(len(columns), count)


def _strengths(scores: Vector) -> Vector:
    """Within what a float can hold."""
    return np.asarray(np.exp(np.clip(scores, -700.0, 700.0)))


@dataclass(frozen=True, eq=False)
class FactorsPredictor(Interacting):
    """Pairs of features by factors: what two of them are worth together is ⟨v, v'⟩."""

    learner: str = "factors"

    def contributions(self, columns: Levels, candidate: int) -> list[Contribution]:
        """The features, then all pairs of them, then of each with those of the position: exact."""
        own, shared = self.members(columns, candidate)
        rows, others = self.rows(own, shared)
        v = self.tables.v[rows].astype(np.float64)
        u = self.tables.u[others].astype(np.float64)
        w, pairs, crossed = self.tables.w[rows], (v @ v.T).tolist(), (v @ u.T).tolist()
        found = [Contribution((m,), value) for m, value in zip(own, w.tolist(), strict=True)]
        found += [
            Contribution((own[i], own[j]), pairs[i][j]) for i, j in combinations(range(len(own)), 2)
        ]
        for one, values in zip(own, crossed, strict=True):
            found += [
                Contribution((one, other), value)
                for other, value in zip(shared, values, strict=True)
            ]
        return found


@dataclass(frozen=True, eq=False)
class HiddenPredictor(Interacting):
    """One layer of hidden units. `weights` and `biases`: float32[K]."""

    learner: str = "hidden"
    weights: Array = field(default_factory=lambda: np.zeros(0, np.float32))
    biases: Array = field(default_factory=lambda: np.zeros(0, np.float32))

    @property
    def layer(self) -> tuple[Array, Array]:
        """Weights and biases of the hidden units."""
        return self.weights, self.biases

    def contributions(self, columns: Levels, candidate: int) -> list[Contribution]:
        """The features; then, about, how much lower the layer's part would be without each of
        them, and without each one of the position; and what is left of that part.
        """
        own, shared = self.members(columns, candidate)
        rows, others = self.rows(own, shared)
        v = self.tables.v[rows].astype(np.float64)
        u = self.tables.u[others].astype(np.float64)
        base = u.sum(axis=0) + self.biases
        whole = base + v.sum(axis=0)

        def part(sums: Vector) -> Vector:
            return np.asarray(np.maximum(sums, 0.0) @ self.weights.astype(np.float64))

        here = float(part(whole))
        without = (here - part(whole - v)).tolist()
        # Without one of the position all candidates change: against one that has no features
        plain = float(part(base))
        without += ((here - plain) - (part(whole - u) - part(base - u))).tolist()
        found = [
            Contribution((m,), value)
            for m, value in zip(own, self.tables.w[rows].tolist(), strict=True)
        ]
        found += [
            Contribution((m,), value, exact=False)
            for m, value in zip([*own, *shared], without, strict=True)
        ]
        return [*found, Contribution((), here - plain - sum(without), exact=False)]

    def parts(self) -> Parts:
        """With the layer."""
        header, tensors = super().parts()
        more = {"interactions/a": self.weights, "interactions/b": self.biases}
        return Parts(header, tensors | more)


def _restored(parts: Parts, sizes: Mapping[str, int]) -> dict[str, Any]:
    """What the two have in common. Raises as a `katachi.models.predictor.Restore` does."""
    width = int(parts.header["width"])
    if not 1 <= width <= MOST_WIDTH:
        raise ValueError(f"embeddings of {width} numbers cannot be")
    position = {str(n): int(s) for n, s in parts.header.get("position_families", {}).items()}
    if parts.header.get("pairs"):
        raise ValueError("pairs of families do not fit")
    return {
        "ratings": restored_ratings(parts.tensors, sizes),
        "features": from_tensors(_FEATURES, parts.tensors, sum(sizes.values()), width),
        "shared": from_tensors(_POSITION, parts.tensors, sum(position.values()), width),
        "position": position,
    }


def restored_factors(parts: Parts, sizes: Mapping[str, int]) -> FactorsPredictor:
    """The predictor in a file: a `katachi.models.predictor.Restore`."""
    return FactorsPredictor(**_restored(parts, sizes))


def restored_hidden(parts: Parts, sizes: Mapping[str, int]) -> HiddenPredictor:
    """The predictor in a file: a `katachi.models.predictor.Restore`."""
    found = _restored(parts, sizes)
    layer = [parts.tensors["interactions/a"], parts.tensors["interactions/b"]]
    for one in layer:
        if one.shape != (int(parts.header["width"]),) or str(one.dtype) != "float32":
            raise ValueError("the layer does not fit")
        if not np.all(np.isfinite(one)):
            raise ValueError("a number of the layer is none")
    return HiddenPredictor(**found, weights=layer[0], biases=layer[1])
