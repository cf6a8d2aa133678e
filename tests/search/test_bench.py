"""bench/search.py runs what it says: the playouts of the kernels, and searches of that length."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from bench.search import measure, run_pattern, searches, view
from katachi.go.board import new_board
from katachi.go.rng import new_rng
from katachi.search.playouts import pattern_playouts
from katachi.search.sampler import new_sampler
from katachi.search.space import LONGEST_SIMULATION
from tests.search.test_sampler import GAMMAS, MODEL


@pytest.mark.slow
@pytest.mark.parametrize("size", [9, 19])
def test_threads_are_seeded_one_by_one(size: int) -> None:
    together = run_pattern(GAMMAS, size, 40, 30, threads=2).sums
    space = np.zeros(LONGEST_SIMULATION, np.int16)
    for seed, sums in zip((40, 41), together, strict=True):
        board, work = new_board(size), new_board(size)
        plain = pattern_playouts(board, work, new_sampler(), GAMMAS, new_rng(seed), space, 30, 7.5)
        assert sums == plain
        assert sums[2] > 30 * size  # it did play
    assert together[0] != together[1]


@pytest.mark.slow
def test_rows_and_searches_are_shown() -> None:
    row = measure(GAMMAS, 9, 1, repeats=2, seconds=0.01)
    assert len(row.pattern) == len(row.uniform) == 2
    assert 0 < row.ratios()[0] <= row.ratios()[1]
    assert row.speed(row.uniform) > 0
    found = searches(MODEL, 9, repeats=2, simulations=300)
    # a search ends early only when the rest cannot change the move
    assert all(0 < simulations <= 300 for simulations, _, _ in found.runs)
    assert found.speed(cpu=True) > 0
    shown = io.StringIO()
    Console(width=120, file=shown).print(view([row], [found]))
    text = shown.getvalue()
    assert "Pattern playouts per second" in text
    assert "15,500" in text
