"""The learners with interactions once more, in plain numpy: one matrix of indicators, dense sums,
derivatives of whole expressions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.learning.bradley_terry.columns import InMemory, Shard
from katachi.learning.interactions.groups import Data
from katachi.learning.interactions.parameters import Fixed, Parameters, Recipe, new_parameters

LEVELS = (4, 1, 9)
SHARED_LEVELS = (3, 2)


def made_data(
    counts: Sequence[int], seed: int = 1, shared: bool = True, weighted: bool = True
) -> Data:
    """Shards of so many competitions, at random."""
    rng = np.random.default_rng(seed)
    shards, columns = [], []
    for count in counts:
        sizes = rng.integers(2, 7, count)
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        n = int(starts[-1])
        winner = rng.integers(0, sizes).astype(np.uint16)
        weights = rng.uniform(1, 4, n).astype(np.float32)
        weights[starts[:-1] + winner] = 1.0
        levels = [rng.integers(0, size + 1, n).astype(np.uint8) for size in LEVELS]
        shards.append(Shard(starts, winner, levels, weights if weighted else None))
        columns.append([rng.integers(0, s + 1, count).astype(np.uint8) for s in SHARED_LEVELS])
    if not shared:
        return Data(InMemory(LEVELS, shards))
    return Data(InMemory(LEVELS, shards), SHARED_LEVELS, columns.__getitem__)


def made_parameters(layer: bool, shared: bool = True, width: int = 5, seed: int = 3) -> Parameters:
    """Somewhere, in double precision, with some steps behind."""
    rng = np.random.default_rng(seed)
    rows, others = sum(LEVELS), sum(SHARED_LEVELS) if shared else 0
    start = new_parameters(rng.normal(size=rows), others, width, layer, seed)
    return Parameters(
        *(
            rng.normal(size=a.shape) * 0.5 if n < 5 else rng.uniform(1, 2, a.shape)
            for n, a in enumerate(start)
        )
    )


def short(parameters: Parameters) -> Parameters:
    """With tables in single precision, as they are learnt."""
    arrays: list[Any] = [a.astype(np.float32) if a.ndim == 2 else a.copy() for a in parameters]
    return Parameters(*arrays)


def made_fixed(data: Data, seed: int = 5) -> Fixed:
    rng = np.random.default_rng(seed)
    rows, others = sum(LEVELS), sum(data.shared_levels)
    return Fixed(
        rng.normal(size=rows), rng.integers(500, 900, rows), rng.integers(500, 900, others)
    )


Position = tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], int]


def positions(data: Data, shards: Sequence[int]) -> list[Position]:
    """Of each position: indicators [candidate, row], its own [row], weights, the winner."""
    found: list[Position] = []
    for number in shards:
        shard = data.candidates.shard(number, range(len(LEVELS)))
        shared = data.shared(number)
        for j in range(len(shard.winner)):
            a, b = int(shard.starts[j]), int(shard.starts[j + 1])
            x = np.zeros((b - a, sum(LEVELS)))
            z = np.zeros(sum(data.shared_levels))
            first = 0
            for size, column in zip(LEVELS, shard.columns, strict=True):
                for i in range(a, b):
                    if column[i]:
                        x[i - a, first + int(column[i]) - 1] = 1
                first += size
            first = 0
            for size, column in zip(data.shared_levels, shared, strict=True):
                if column[j]:
                    z[first + int(column[j]) - 1] = 1
                first += size
            weights = np.ones(b - a) if shard.weights is None else shard.weights[a:b]
            found.append((x, z, weights.astype(np.float64), int(shard.winner[j])))
    return found


def scores(p: Parameters, x: npt.NDArray[Any], z: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Pairs one by one; a layer as it is written."""
    if len(p.a):
        return np.asarray(x @ p.w + np.maximum(x @ p.v + z @ p.u + p.b, 0.0) @ p.a)
    found = x @ p.w
    for c in range(len(x)):
        rows = np.flatnonzero(x[c])
        for n, i in enumerate(rows):
            found[c] += sum(float(p.v[i] @ p.v[k]) for k in rows[:n])
            found[c] += sum(float(p.v[i] @ p.u[k]) for k in np.flatnonzero(z))
    return np.asarray(found)


def log_evidence(p: Parameters, one: Position) -> float:
    x, z, weights, winner = one
    s = scores(p, x, z)
    return float(s[winner] + np.log(weights[winner]) - np.log(np.sum(weights * np.exp(s))))


def gradient(p: Parameters, one: Position) -> dict[str, npt.NDArray[Any]]:
    """Of -log p."""
    x, z, weights, winner = one
    chances = weights * np.exp(scores(p, x, z))
    d = chances / chances.sum()
    d[winner] -= 1
    found = {"w": x.T @ d}
    sums = x @ p.v
    if len(p.a):
        h = sums + z @ p.u + p.b
        back = d[:, None] * p.a * (h > 0)
        found["v"] = x.T @ back
        found["u"] = np.outer(z, back.sum(axis=0))
        found["a"] = d @ np.maximum(h, 0)
        found["b"] = back.sum(axis=0)
    else:
        found["v"] = x.T @ (d[:, None] * (sums + z @ p.u)) - (x.T @ d)[:, None] * p.v
        found["u"] = np.outer(z, d @ sums)
        found["a"] = found["b"] = np.zeros(0)
    return found


def descended(
    p: Parameters,
    fixed: Fixed,
    recipe: Recipe,
    batches: list[list[Position]],
    done: int,
    total: int,
) -> float:
    """Steps through batches, of dense vectors; returns the sum of log p."""
    evidence = 0.0
    for batch in batches:
        evidence += sum(log_evidence(p, one) for one in batch)
        parts = [gradient(p, one) for one in batch]
        g = {name: sum(part[name] for part in parts) for name in ("w", "v", "u", "a", "b")}
        here = sum(one[0].sum(axis=0) for one in batch) / fixed.times
        here_shared = sum(one[1] for one in batch) / np.maximum(fixed.shared_times, 1)
        g["w"] = g["w"] + recipe.w_prior * (p.w - fixed.linear) * here
        g["v"] = g["v"] + recipe.prior * p.v * here[:, None]
        g["u"] = g["u"] + recipe.prior * p.u * here_shared[:, None]
        left = 1 - done / total
        rates = {"w": recipe.w_rate, "a": recipe.layer_rate, "b": recipe.layer_rate}
        for name, slope in g.items():
            squares = getattr(p, f"{name}_squares")
            squares += slope**2
            value = getattr(p, name)
            value -= rates.get(name, recipe.rate) * left * slope / np.sqrt(squares)
        done += len(batch)
    return evidence
