"""Kernels in two steps: what kernels call is a part, what Python calls is whole; both are cached.

Each is asked for in a process of its own, with one cache folder for all.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]

# lowest_bit calls bit_count.
_ASKED = """
import json, sys
import numpy as np
from katachi.go.liberties import bit_count, lowest_bit

for name in sys.argv[1:]:
    found = {"lowest_bit": lowest_bit, "bit_count": bit_count}[name](np.uint64(24))
def told(kernel):
    part = kernel.part
    return [len(kernel.overloads), sum(kernel._cache_hits.values()), len(part.overloads),
            sum(part._cache_hits.values())]
print(json.dumps([int(found), told(lowest_bit), told(bit_count)]))
"""


def asked(cache: Path, *names: str) -> Any:
    """[result, [whole, of which from the cache, parts, of which from the cache] of each]."""
    found = subprocess.run(
        [sys.executable, "-c", _ASKED, *names],
        env=os.environ | {"KATACHI_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    return json.loads(found.stdout)


def test_only_what_python_calls_is_made_whole(tmp_path: Path) -> None:
    assert asked(tmp_path, "lowest_bit") == [3, [1, 0, 1, 0], [0, 0, 1, 0]]
    # Again: the whole is loaded, and no part.
    assert asked(tmp_path, "lowest_bit") == [3, [1, 1, 0, 0], [0, 0, 0, 0]]
    # The part is there already; it becomes whole.
    assert asked(tmp_path, "bit_count") == [2, [0, 0, 0, 0], [1, 0, 1, 1]]
    assert asked(tmp_path, "bit_count") == [2, [0, 0, 0, 0], [1, 1, 0, 0]]


def test_parts_from_the_cache_are_linked(tmp_path: Path) -> None:
    assert asked(tmp_path, "bit_count") == [2, [0, 0, 0, 0], [1, 0, 1, 0]]
    assert asked(tmp_path, "lowest_bit") == [3, [1, 0, 1, 0], [0, 0, 1, 1]]


def test_without_a_cache(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    assert asked(blocked / "x", "lowest_bit", "bit_count") == [2, [1, 0, 1, 0], [1, 0, 1, 0]]


def test_a_fault_of_types_is_numbas() -> None:
    from numba.core.errors import TypingError

    from katachi.go.liberties import lowest_bit

    with pytest.raises(TypingError):
        lowest_bit("text")


def test_no_array_is_given_back_to_python() -> None:
    """Its type would be lost where a kernel that calls this one was loaded before."""
    import numpy as np

    from katachi.go.kernel import kernel

    @kernel
    def zeros(count: int) -> Any:
        return np.zeros(count), count

    @kernel
    def zero(count: int) -> Any:
        return zeros(count)[0].sum()

    assert zero(3) == 0
    with pytest.raises(TypeError, match="zeros gives an array back to Python"):
        zeros(3)


def test_a_lean_kernel_makes_no_array() -> None:
    import numpy as np
    from numba.core.errors import NumbaError

    from katachi.go.kernel import lean

    @lean
    def makes(n: int) -> int:
        return len(np.zeros(n))

    @lean
    def reads(of: Any) -> int:
        return int(of[1:].sum())

    assert reads(np.arange(4)) == 6
    with pytest.raises(NumbaError, match="zeros"):
        makes(3)


_OTHER = """
import numba
numba.__version__ = "0.61.0"
import numpy as np
from katachi.go.liberties import lowest_bit
assert not hasattr(lowest_bit, "part")
print(int(lowest_bit(np.uint64(24))))
"""


def test_another_version_of_numba_compiles_as_it_does(tmp_path: Path) -> None:
    for _ in range(2):  # the second time from the cache
        found = subprocess.run(
            [sys.executable, "-c", _OTHER],
            env=os.environ | {"KATACHI_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=600,
            check=True,
        )
        assert found.stdout == "3\n"


_APART = """
import json
from tests.go.apart_kernels import square, thrice, twice

print(json.dumps([thrice(5), square(3)] + [
    [len(one.overloads), sum(one._cache_hits.values()), len(one.part.overloads)]
    for one in (thrice, twice, square)
]))
"""


def test_a_kernel_apart_is_called_at_its_address(tmp_path: Path) -> None:
    def found() -> Any:
        done = subprocess.run(
            [sys.executable, "-c", _APART],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=600,
            env=os.environ | {"KATACHI_CACHE_DIR": str(tmp_path)},
            check=True,
        )
        return json.loads(done.stdout)

    assert found() == [75, 9, [1, 0, 1], [0, 0, 1], [1, 0, 1]]
    # From the cache: what stands apart is loaded with whoever calls it.
    assert found() == [75, 9, [1, 1, 0], [0, 0, 0], [1, 1, 0]]
    # Its own file is gone, by an interrupt or by another's hand: it is made again.
    for path in tmp_path.rglob("apart_kernels.square-*"):
        path.unlink()
    assert found() == [75, 9, [1, 1, 0], [0, 0, 0], [1, 0, 1]]
    # The caller's is gone, its part is not.
    for path in tmp_path.rglob("apart_kernels.thrice-*"):
        path.unlink()
    assert found() == [75, 9, [1, 0, 1], [0, 0, 0], [1, 1, 0]]
