"""Predictors beside plain numpy: scores, chances, contributions, files."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from katachi.learning.interactions import predictor as module
from katachi.learning.interactions.parameters import Parameters
from katachi.learning.interactions.predictor import (
    FactorsPredictor,
    HiddenPredictor,
    Interacting,
    restored_factors,
    restored_hidden,
)
from katachi.learning.interactions.stored import KINDS, Embeddings, stored
from katachi.models.predictor import Parts, Ratings
from tests.learning.interactions.plain import (
    LEVELS,
    SHARED_LEVELS,
    made_data,
    made_parameters,
    positions,
    scores,
)

SIZES = dict(zip(("one", "two", "three"), LEVELS, strict=True))
POSITION = dict(zip(("first", "second"), SHARED_LEVELS, strict=True))


def made(layer: bool, kind: str = "int8", shared: bool = True) -> Interacting:
    p = made_parameters(layer, shared)
    ratings, first = {}, 0
    for name, size in SIZES.items():
        gamma = np.exp(p.w[first : first + size]).astype(np.float32)
        counts = np.arange(size, dtype=np.uint32)
        ratings[name] = Ratings(gamma, np.full(size, 0.25, np.float32), counts, counts + 7)
        first += size
    common: dict[str, Any] = {
        "ratings": ratings,
        "features": stored(p.v.astype(np.float32), kind),
        "shared": stored(p.u.astype(np.float32), kind),
        "position": POSITION if shared else {},
    }
    if not layer:
        return FactorsPredictor(**common)
    a, b = p.a.astype(np.float32), p.b.astype(np.float32)
    return HiddenPredictor(**common, weights=a, biases=b)


def plain_parameters(predictor: Interacting) -> Parameters:
    """What the predictor has, as it is stored."""
    a, b = (x.astype(np.float64) for x in predictor.layer)
    w = np.log(np.concatenate([r.gamma for r in predictor.ratings.values()]).astype(np.float64))
    v, u = (e.table.astype(np.float64) for e in (predictor.features, predictor.shared))
    nothing = np.zeros(0)
    return Parameters(w, v, u, a, b, nothing, v, u, nothing, nothing)


def columns_of(counts: list[int], shared: bool = True) -> tuple[dict[str, Any], Any, Any]:
    data = made_data(counts, shared=shared)
    assert len(counts) == 1
    shard = data.candidates.shard(0, range(3))
    columns = dict(zip(SIZES, shard.columns, strict=True))
    columns |= dict(zip(POSITION, data.shared(0), strict=True)) if shared else {}
    columns["two"] = columns["two"].astype(np.uint32)
    return columns, shard.starts, positions(data, [0])


@pytest.mark.parametrize("layer", [False, True])
@pytest.mark.parametrize("shared", [False, True])
def test_as_plain_numpy(layer: bool, shared: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    predictor = made(layer, shared=shared)
    p = plain_parameters(predictor)
    columns, starts, plain = columns_of([40], shared)
    wanted, chances = [], []
    for x, z, _, _ in plain:
        s = scores(p, x, z)
        if layer:
            s = s - np.maximum(z @ p.u + p.b, 0.0) @ p.a
        wanted += s.tolist()
        chances += (np.exp(s) / np.exp(s).sum()).tolist()
    for block in (module.BLOCK, 1, 30):
        monkeypatch.setattr(module, "BLOCK", block)
        judged = predictor.judged(columns, starts)
        np.testing.assert_allclose(judged.order, wanted, atol=1e-6)
        np.testing.assert_allclose(judged.chances, chances, atol=1e-7)
        np.testing.assert_allclose(np.log(judged.strengths), wanted, atol=1e-6)
    np.testing.assert_allclose(np.add.reduceat(judged.chances, starts[:-1]), 1.0)
    assert (predictor.chances(columns, starts) == judged.chances).all()
    assert not predictor.is_product


def one_position(columns: dict[str, Any], starts: Any, j: int) -> dict[str, Any]:
    a, b = starts[j], starts[j + 1]
    return {n: c[j : j + 1] if n in POSITION else c[a:b] for n, c in columns.items()}


@pytest.mark.parametrize("layer", [False, True])
@pytest.mark.parametrize("shared", [False, True])
def test_contributions_add_up(layer: bool, shared: bool) -> None:
    predictor = made(layer, shared=shared)
    columns, starts, plain = columns_of([12], shared)
    p = plain_parameters(predictor)
    judged = predictor.judged(columns, starts)
    for j, (x, z, _, _) in enumerate(plain):
        own = one_position(columns, starts, j)
        np.testing.assert_allclose(
            predictor.strengths(own), judged.strengths[starts[j] : starts[j + 1]]
        )
        for c in range(len(x)):
            found = predictor.contributions(own, c)
            total = sum(one.value for one in found)
            assert total == pytest.approx(judged.order[starts[j] + c], abs=1e-9)
            linear = [one for one in found if len(one.members) == 1 and one.exact]
            assert sum(one.value for one in linear) == pytest.approx(float(x[c] @ p.w))
            assert len(linear) == x[c].sum()
            if not layer:
                n, m = int(x[c].sum()), int(z.sum())
                assert len(found) == n + n * (n - 1) // 2 + n * m
                assert all(one.exact for one in found)
                continue
            # Without a feature: the layer once more, in full
            rows = np.flatnonzero(x[c])
            outs = [one.value for one in found if not one.exact]
            base = z @ p.u + p.b

            def part(h: Any) -> float:
                return float(np.maximum(h, 0.0) @ p.a)

            for value, row in zip(outs, rows, strict=False):
                less = x[c].copy()
                less[row] = 0
                wanted = part(x[c] @ p.v + base) - part(less @ p.v + base)
                assert value == pytest.approx(wanted, abs=1e-9)
            for value, row in zip(outs[len(rows) :], np.flatnonzero(z), strict=False):
                other = base - p.u[row]
                with_it = part(x[c] @ p.v + base) - part(base)
                assert value == pytest.approx(
                    with_it - (part(x[c] @ p.v + other) - part(other)), abs=1e-9
                )
            assert found[-1].members == ()


def test_a_pair_is_worth_the_product_of_its_embeddings() -> None:
    predictor = made(layer=False)
    columns = {"one": [2], "two": [0], "three": [9], "first": [0], "second": [1]}
    found = predictor.contributions({n: np.array(c) for n, c in columns.items()}, 0)
    v, u = predictor.features.table.astype(float), predictor.shared.table.astype(float)
    told = {tuple(m.family for m in one.members): one.value for one in found}
    assert list(told) == [("one",), ("three",), ("one", "three"), ("one", "second"),
                          ("three", "second")]  # fmt: skip
    assert told["one", "three"] == pytest.approx(v[1] @ v[13])
    assert told["one", "second"] == pytest.approx(v[1] @ u[3])
    assert told["three", "second"] == pytest.approx(v[13] @ u[3])


# What is stored.


@pytest.mark.parametrize("kind", KINDS)
def test_stored_numbers(kind: str) -> None:
    table = np.random.default_rng(1).normal(size=(30, 5)).astype(np.float32)
    table[3] = 0.0
    found = stored(table, kind)
    assert str(found.values.dtype) == kind
    largest = np.abs(table).max(axis=1, keepdims=True)
    close = {"int8": 0.5 / 127, "float16": 2**-11, "float32": 0.0}[kind]
    assert (np.abs(found.table - table) <= close * largest * 1.0001).all()
    assert (found.table[3] == 0).all()
    again = stored(found.table, kind)
    np.testing.assert_allclose(again.table, found.table, rtol=1e-6)


@pytest.mark.parametrize("layer", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_files_hold_every_digit(layer: bool, kind: str) -> None:
    predictor = made(layer, kind)
    header, tensors = predictor.parts()
    restore = restored_hidden if layer else restored_factors
    again = restore(Parts({**header, "position_families": POSITION}, tensors), SIZES)
    columns, starts, _ = columns_of([12])
    for one, two in zip(
        predictor.judged(columns, starts), again.judged(columns, starts), strict=True
    ):
        assert one.tobytes() == two.tobytes()
    assert again.learner == predictor.learner
    assert again.parts().tensors.keys() == tensors.keys()


def broken(**changed: Any) -> Any:
    def change(header: dict[str, Any], tensors: dict[str, Any]) -> None:
        for name, value in changed.items():
            where = tensors if name in tensors else header
            where[name] = value(where.get(name)) if callable(value) else value

    return change


V, U, SCALES = (
    "interactions/features/values",
    "interactions/position/values",
    "interactions/features/scales",
)


@pytest.mark.parametrize(
    "changed",
    [
        {"width": 4},
        {"width": 0},
        {"width": 10**9},
        {"width": "x"},
        {"pairs": [["one", "two", 3]]},
        {V: lambda t: t[1:]},
        {V: lambda t: t.astype(np.int16)},
        {U: lambda t: t[:, 1:]},
        {SCALES: lambda s: s[1:]},
        {SCALES: lambda s: s.astype(np.float64)},
        {SCALES: lambda s: s * np.float32(np.nan)},
        {"position_families": {"first": 3}},
        {"position_families": {}},
        {"interactions/a": lambda a: a[1:]},
        {"interactions/b": lambda b: b.astype(np.float64)},
        {"interactions/a": lambda a: a * np.float32(np.inf)},
        {"gamma/one": lambda g: -g},
    ],
)
def test_what_does_not_fit_is_refused(changed: dict[str, Any]) -> None:
    header, tensors = made(layer=True).parts()
    header["position_families"] = POSITION
    restored_hidden(Parts(header, tensors), SIZES)
    broken(**changed)(header, tensors)
    with pytest.raises((ValueError, TypeError)):
        restored_hidden(Parts(header, tensors), SIZES)


def test_a_missing_array_is_refused() -> None:
    for name in (V, U, SCALES, "interactions/a", "interactions/b", "gamma/one"):
        header, tensors = made(layer=True).parts()
        header["position_families"] = POSITION
        del tensors[name]
        with pytest.raises(KeyError):
            restored_hidden(Parts(header, tensors), SIZES)


def test_an_empty_table() -> None:
    nothing = stored(np.zeros((0, 5), np.float32), "int8")
    assert isinstance(nothing, Embeddings)
    assert nothing.table.shape == (0, 5)
