"""From a key to the number of its shape: an open-addressing table for kernels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import int64, lean, uint64


class Lookup(NamedTuple):
    """A table of keys, at most half full; its length is a power of 2."""

    keys: npt.NDArray[np.uint64]  # [slot]; 0 is free
    index_of: npt.NDArray[np.int32]  # [slot] the index of its key, or -1


def lookup_table(keys: npt.NDArray[np.uint64]) -> Lookup:
    """The table in which `find` finds these keys. They are different and not 0."""
    slots = 1 << max(4, (2 * len(keys)).bit_length())
    lookup = Lookup(np.zeros(slots, np.uint64), np.full(slots, -1, np.int32))
    _fill(lookup, keys)
    return lookup


@lean
def slot_of(table: Any, key: Any) -> int:
    """The slot that holds the key, or the free one where it would go."""
    mask = uint64(len(table) - 1)
    i = (key ^ key >> uint64(29)) & mask
    while table[i] != uint64(0) and table[i] != key:
        i = (i + uint64(1)) & mask
    return int64(i)


@lean
def _fill(lookup: Lookup, keys: Any) -> None:
    for i in range(len(keys)):
        slot = slot_of(lookup.keys, keys[i])
        lookup.keys[slot] = keys[i]
        lookup.index_of[slot] = i


@lean
def find(lookup: Lookup, key: Any) -> int:
    """The index of the key, or -1."""
    return int64(lookup.index_of[slot_of(lookup.keys, key)])
