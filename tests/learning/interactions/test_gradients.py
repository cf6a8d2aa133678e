"""Kernels beside plain numpy, and numpy beside differences."""

from __future__ import annotations

import numpy as np
import pytest

from katachi.learning.interactions import groups as groups_module
from katachi.learning.interactions.descent import descend, norms_of
from katachi.learning.interactions.factors import add_factors
from katachi.learning.interactions.groups import groups_of, load_group, shared_times
from katachi.learning.interactions.hidden import add_hidden
from katachi.learning.interactions.parameters import (
    Parameters,
    Recipe,
    Touched,
    most_candidates,
    new_space,
)
from tests.learning.interactions.plain import (
    LEVELS,
    descended,
    gradient,
    log_evidence,
    made_data,
    made_fixed,
    made_parameters,
    positions,
    short,
)

RECIPE = Recipe(0.02, 0.1, 0.04, 4.0, 8.0, 3)
KINDS = [(layer, shared) for layer in (False, True) for shared in (False, True)]


@pytest.mark.parametrize(("layer", "shared"), KINDS)
def test_gradients_are_those_of_differences(layer: bool, shared: bool) -> None:
    data = made_data([6], shared=shared)
    p = made_parameters(layer, shared)
    for one in positions(data, [0]):
        found = gradient(p, one)
        for name, slopes in found.items():
            values = getattr(p, name)
            for place in np.ndindex(*values.shape):
                before = values[place]
                values[place] = before + 1e-6
                up = log_evidence(p, one)
                values[place] = before - 1e-6
                down = log_evidence(p, one)
                values[place] = before
                assert slopes[place] == pytest.approx((down - up) / 2e-6, abs=1e-7)


def dense(touched: Touched, rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(slopes, gradient, times) of all rows."""
    slopes, times = np.zeros(rows), np.zeros(rows)
    whole = np.zeros((rows, touched.gradient.shape[1]))
    for slot in range(int(touched.used[0])):
        row = touched.rows[slot]
        assert touched.slot[row] == slot
        slopes[row] = touched.slopes[slot]
        whole[row] = touched.gradient[slot]
        times[row] = touched.times[slot]
    return slopes, whole, times


@pytest.mark.slow
@pytest.mark.parametrize(("layer", "shared"), KINDS)
def test_kernels_have_the_same_gradients(layer: bool, shared: bool) -> None:
    data = made_data([4, 5], shared=shared)
    group = load_group(data, [0, 1])
    plain = positions(data, [0, 1])
    wanted = made_parameters(layer, shared)
    for p, close in ((wanted, 1e-12), (short(wanted), 2e-6)):
        norms = np.zeros(len(p.v))
        norms_of(p.v, norms)
        for j, one in enumerate(plain):
            space = new_space(p, most_candidates(data))
            if layer:
                found = add_hidden(group, j, p, space)
            else:
                found = add_factors(group, j, p, norms, space)
            assert found == pytest.approx(log_evidence(wanted, one), abs=close)
            told = gradient(wanted, one)
            slopes, whole, times = dense(space.features, len(p.v))
            if not layer:
                whole -= slopes[:, None] * p.v
            np.testing.assert_allclose(slopes, told["w"], atol=close)
            np.testing.assert_allclose(whole, told["v"], atol=close)
            assert times.tolist() == one[0].sum(axis=0).tolist()
            _, whole, times = dense(space.shared, len(p.u))
            np.testing.assert_allclose(whole, told["u"], atol=close)
            assert times.tolist() == one[1].tolist()
            if layer:
                np.testing.assert_allclose(space.a, told["a"], atol=close)
                np.testing.assert_allclose(space.b, told["b"], atol=close)


@pytest.mark.slow
@pytest.mark.parametrize(("layer", "shared"), KINDS)
def test_steps_are_the_same(layer: bool, shared: bool) -> None:
    data = made_data([9, 7], shared=shared)
    plain = positions(data, [0, 1])
    fixed = made_fixed(data)
    order = np.random.default_rng(2).permutation(16)
    batches = [[plain[j] for j in order[a : a + 3]] for a in range(0, 16, 3)]
    wanted = made_parameters(layer, shared)
    evidence = descended(wanted, fixed, RECIPE, batches, 10, 40)
    for p, close in ((made_parameters(layer, shared), 1e-12), (None, 3e-6)):
        found = short(made_parameters(layer, shared)) if p is None else p
        norms = np.zeros(0 if layer else len(found.v))
        if not layer:
            norms_of(found.v, norms)
        space = new_space(found, most_candidates(data))
        when = np.array([10.0, 40.0])
        total = descend(load_group(data, [0, 1]), order, found, fixed, norms, space, RECIPE, when)
        assert total == pytest.approx(evidence, abs=16 * close)
        for name in Parameters._fields:
            np.testing.assert_allclose(
                getattr(found, name), getattr(wanted, name), atol=close, err_msg=name
            )
        if not layer:
            np.testing.assert_allclose(norms, (found.v.astype(np.float64) ** 2).sum(axis=1))
        assert space.features.used[0] == space.shared.used[0] == 0
        assert (space.features.slot == -1).all()


def test_positions_without_weights_count_alike() -> None:
    data = made_data([5], weighted=False)
    assert load_group(data, [0]).weights.tolist() == [1.0] * int(data.sizes[0, 1])
    p = made_parameters(layer=True)
    space = new_space(p, most_candidates(data))
    for j, one in enumerate(positions(data, [0])):
        found = add_hidden(load_group(data, [0]), j, p, space)
        assert found == pytest.approx(log_evidence(p, one), abs=1e-12)


def test_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    data = made_data([5, 8, 3, 6, 7])
    whole = list(groups_of(data, np.random.default_rng(1)))
    assert whole == [[0, 1, 2, 3, 4]]
    most = int(data.sizes[:, 1].max()) + 5
    monkeypatch.setattr(groups_module, "MOST_CANDIDATES", most)
    seen = set()
    for seed in range(20):
        groups = list(groups_of(data, np.random.default_rng(seed)))
        assert sorted(n for group in groups for n in group) == [0, 1, 2, 3, 4]
        assert all(group == sorted(group) for group in groups)
        assert all(len(g) == 1 or data.sizes[g, 1].sum() <= most for g in groups)
        seen.add(str(groups))
    assert len(seen) > 5
    monkeypatch.setattr(groups_module, "MOST_CANDIDATES", 1)
    assert len(list(groups_of(data, np.random.default_rng(1)))) == 5


def test_a_group_is_what_its_shards_are() -> None:
    data = made_data([5, 8, 3])
    plain = positions(data, [2, 0])
    group = load_group(data, [2, 0])
    assert len(group.winner) == 8
    for j, (x, z, weights, winner) in enumerate(plain):
        candidates = range(int(group.starts[j]), int(group.starts[j + 1]))
        found = [group.rows[group.begins[i] : group.begins[i + 1]].tolist() for i in candidates]
        assert found == [np.flatnonzero(row).tolist() for row in x]
        shared = group.shared[group.shared_begins[j] : group.shared_begins[j + 1]]
        assert shared.tolist() == np.flatnonzero(z).tolist()
        assert group.weights[candidates].tolist() == weights.tolist()
        assert group.winner[j] == winner
    every = positions(data, [0, 1, 2])
    assert shared_times(data).tolist() == np.sum([one[1] for one in every], axis=0).tolist()
    assert sum(LEVELS) == len(every[0][0][0])
