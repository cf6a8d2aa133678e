"""Compiled kernels are saved by one process at a time."""

from __future__ import annotations

import multiprocessing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from katachi.go.kernel import kernel, kernel_folder
from katachi.go.saving import saved_alone


def test_kernels_of_ours_are() -> None:
    folder = kernel_folder()
    assert folder is not None

    @kernel
    def double(x: int) -> int:
        return 2 * x

    assert double(21) == 42
    assert (folder / "lock").exists()


def save_slowly(folder: str, key: int, barrier: Any) -> None:
    """As Numba does: read the index, take the next free name, write; others look on meanwhile."""
    index = Path(folder) / "index"

    def save(key: int, _data: None) -> None:
        names = index.read_text().split()
        names.append(f"{key}:{len(names)}")
        index.write_text(" ".join(names))

    compiled = SimpleNamespace(_cache=SimpleNamespace(_cache_file=SimpleNamespace(save=save)))
    saved_alone(compiled, Path(folder))
    barrier.wait()
    for number in range(100):
        compiled._cache._cache_file.save(1000 * key + number, None)


def test_no_name_is_given_twice(tmp_path: Path) -> None:
    (tmp_path / "index").touch()
    spawn = multiprocessing.get_context("spawn")
    barrier = spawn.Barrier(2)
    savers = [spawn.Process(target=save_slowly, args=(str(tmp_path), n, barrier)) for n in (1, 2)]
    for one in savers:
        one.start()
    for one in savers:
        one.join()
        assert one.exitcode == 0
    names = [text.split(":")[1] for text in (tmp_path / "index").read_text().split()]
    assert names == [str(number) for number in range(200)]
