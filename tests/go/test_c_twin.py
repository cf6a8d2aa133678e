"""bench/baseline.c plays the very playouts of the kernels: same wins, scores and moves."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bench.playouts import BUILDS, build, run_c, run_numba

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")


@pytest.fixture(scope="module", params=BUILDS, ids=" ".join)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = build(tmp_path_factory.mktemp("c"), request.param)
    assert built is not None
    return built


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2007, 2**64 - 1])
@pytest.mark.parametrize(
    ("size", "count"), [(2, 1000), (3, 1000), (5, 500), (9, 300), (13, 100), (19, 50)]
)
def test_c_and_numba_agree(program: Path, size: int, count: int, seed: int) -> None:
    expected = run_c(program, size, seed, count).sums
    assert run_numba(size, seed, count).sums == expected
    assert expected[0][2] > count * size  # it did play


@pytest.mark.parametrize("komi", [-2.0, 0.0, 0.5, 3.0])
def test_komi_counts_alike(program: Path, komi: float) -> None:
    assert run_c(program, 5, 3, 500, komi=komi).sums == run_numba(5, 3, 500, komi=komi).sums


@pytest.mark.slow
def test_threads_are_seeded_one_by_one(program: Path) -> None:
    together = run_c(program, 9, 40, 100, threads=2).sums
    assert together == run_numba(9, 40, 100, threads=2).sums
    assert together == [run_c(program, 9, seed, 100).sums[0] for seed in (40, 41)]
