"""From a key to the number of its shape: an open-addressing table for kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import int64, kernel, uint64


def lookup_table(
    keys: npt.NDArray[np.uint64],
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    """(table, index_of) for `find`: at most half full. Keys are different and not 0."""
    bits = max(4, (2 * len(keys)).bit_length())
    table = np.zeros(1 << bits, np.uint64)
    index_of = np.full(1 << bits, -1, np.int32)
    _fill(table, index_of, keys)
    return table, index_of


@kernel
def slot_of(table: Any, key: Any) -> int:
    """The slot that holds the key, or the free one where it would go."""
    mask = uint64(len(table) - 1)
    i = (key ^ key >> uint64(29)) & mask
    while table[i] != uint64(0) and table[i] != key:
        i = (i + uint64(1)) & mask
    return int64(i)


@kernel
def _fill(table: Any, index_of: Any, keys: Any) -> None:
    for i in range(len(keys)):
        slot = slot_of(table, keys[i])
        table[slot] = keys[i]
        index_of[slot] = i


@kernel
def find(table: Any, index_of: Any, key: Any) -> int:
    """The index of the key, or -1."""
    return int64(index_of[slot_of(table, key)])
