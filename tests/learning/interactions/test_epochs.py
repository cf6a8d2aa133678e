"""Passes: every position once, in an order by the seed, and the same after any interruption."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from katachi.learning.bradley_terry.columns import InMemory
from katachi.learning.interactions import epochs as epochs_module
from katachi.learning.interactions import groups as groups_module
from katachi.learning.interactions.epochs import Learnt, learn_epochs
from katachi.learning.interactions.groups import Data, groups_of, shared_times
from katachi.learning.interactions.parameters import Fixed, Parameters, Recipe, new_parameters
from tests.learning.interactions.plain import (
    LEVELS,
    SHARED_LEVELS,
    descended,
    log_evidence,
    made_data,
    made_fixed,
    positions,
)

RECIPE = Recipe(0.02, 0.1, 0.04, 4.0, 8.0, 4)


class Stopped(Exception):
    pass


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several groups; a state after every batch."""
    monkeypatch.setattr(groups_module, "MOST_CANDIDATES", 60)
    monkeypatch.setattr(epochs_module, "BATCHES", 1)
    monkeypatch.setattr(epochs_module, "SECONDS", -1.0)


def start(layer: bool) -> Parameters:
    linear = np.random.default_rng(1).normal(size=sum(LEVELS))
    return new_parameters(linear, sum(SHARED_LEVELS), 6, layer, seed=7)


def learn(data: Data, layer: bool, **more: Any) -> Learnt:
    return learn_epochs(data, start(layer), made_fixed(data), RECIPE, 3, 11, **more)


def same(one: Learnt, two: Learnt) -> bool:
    return one.log_evidence == two.log_evidence and all(
        getattr(one.parameters, n).tobytes() == getattr(two.parameters, n).tobytes()
        for n in Parameters._fields
    )


@pytest.mark.parametrize("layer", [False, True])
def test_an_interrupted_run_ends_the_same(tmp_path: Path, layer: bool) -> None:
    data = made_data([7, 9, 6, 8, 10])
    undisturbed = learn(data, layer)
    assert same(learn(data, layer), undisturbed)
    total = 3 * data.count

    def stop(least: int) -> Any:
        def tell(_stage: str, done: int, _total: int) -> None:
            if done >= least:
                raise Stopped

        return tell

    # Each run goes on from what the one before has kept: within a group, between two, between
    # passes, and before anything is kept.
    told: list[tuple[str, int, int]] = []
    for least in (1, 9, 40, 41, 83, total):
        with pytest.raises(Stopped):
            learn(data, layer, kept=tmp_path / "learnt", progress=stop(least))
    found = learn(data, layer, kept=tmp_path / "learnt", progress=lambda *x: told.append(x))
    assert same(found, undisturbed)
    assert total - 12 < told[0][1] <= total  # it did go on
    assert same(learn(data, layer, kept=tmp_path / "learnt"), undisturbed)
    (tmp_path / "learnt-0.npz").write_bytes(b"damaged")
    assert same(learn(data, layer, kept=tmp_path / "learnt"), undisturbed)


@pytest.mark.slow
def test_the_seed_decides() -> None:
    data = made_data([7, 9, 6])
    one = learn(data, layer=False)
    other = learn_epochs(data, start(layer=False), made_fixed(data), RECIPE, 3, 12)
    assert not same(one, other)


@pytest.mark.parametrize("layer", [False, True])
def test_passes_are_those_of_plain_steps(layer: bool) -> None:
    data = made_data([7, 9, 6, 8])
    found = learn(data, layer)
    fixed = made_fixed(data)
    p = Parameters(*(a.astype(np.float64) for a in start(layer)))
    evidence, done = [], 0
    for epoch in range(3):
        evidence.append(0.0)
        rng = np.random.default_rng([11, 4, epoch])
        seen = []
        for group in groups_of(data, rng):
            plain = positions(data, group)
            order = rng.permutation(len(plain))
            for begin in range(0, len(plain), 4):
                batch = [plain[j] for j in order[begin : begin + 4]]
                evidence[-1] += descended(p, fixed, RECIPE, [batch], done, 3 * data.count)
                done += len(batch)
                seen += batch
        assert len(seen) == data.count
    assert found.log_evidence == pytest.approx(evidence, abs=1e-3)
    for name in Parameters._fields:
        np.testing.assert_allclose(getattr(found.parameters, name), getattr(p, name), atol=1e-4)
    assert found.log_evidence[-1] > found.log_evidence[0]


def held_out_gain(train: Data, test: Data, layer: bool) -> float:
    """How much better than uniform chances the moves of `test` are predicted, after learning."""
    linear = np.zeros(sum(LEVELS))
    times = np.maximum(sum(one[0].sum(axis=0) for one in positions(train, [0])), 1).astype(int)
    fixed = Fixed(linear, times, np.maximum(shared_times(train), 1))
    first = new_parameters(linear, sum(SHARED_LEVELS), 6, layer, seed=7)
    learnt = learn_epochs(train, first, fixed, RECIPE, 4, 11)
    every = positions(test, [0])
    found = np.mean([log_evidence(learnt.parameters, one) for one in every])
    return float(found - np.mean([np.log(one[2][one[3]] / one[2].sum()) for one in every]))


def with_winners(data: Data) -> Data:
    """The first family's level decides: 1 wins in some positions, 2 in the others."""
    shard = data.candidates.shard(0, range(len(LEVELS)))
    winner = shard.winner.copy()
    for j, level in enumerate(data.shared(0)[0]):
        a, b = shard.starts[j], shard.starts[j + 1]
        right = np.flatnonzero(shard.columns[0][a:b] == (1 if level > 1 else 2))
        winner[j] = right[0] if len(right) else winner[j]
    return replace(data, candidates=InMemory(LEVELS, [shard._replace(winner=winner)]))


@pytest.mark.slow
@pytest.mark.parametrize("layer", [False, True])
def test_winners_at_random_teach_nothing(layer: bool) -> None:
    """Of other competitions it then knows no more than that all candidates are alike; but it does
    learn what only a feature of the position and one of the move tell together.
    """
    train, test = (made_data([n], seed=n, weighted=False) for n in (1500, 400))
    assert -0.06 < held_out_gain(train, test, layer) < 0.02
    assert held_out_gain(with_winners(train), with_winners(test), layer) > 0.2
