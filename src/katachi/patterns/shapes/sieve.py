"""A Bloom filter that counts, and a hash table behind it: exact counts in bounded memory.

Stern et al. (2005, section 2) mark each pattern in a Bloom filter and count it in a table only from
its second appearance on. We count in the filter too: each key has two counters, and neither is ever
less than the key's number of appearances. A first pass over the games fills the filter; a second
one counts, in the table and exactly, only keys whose counters reach the wanted number. The result
is what a table of everything would give, and filters of different corpora add up.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, int64, kernel, uint64
from katachi.patterns.shapes.lookup import slot_of

SIEVE_BITS: Final = 26  # 2^26 counters of 16 bits: 128 MB
MOST: Final = 65535  # counters stop here

Sieve = npt.NDArray[np.uint16]


def new_sieve(bits: int = SIEVE_BITS) -> Sieve:
    """An empty sieve of 2^bits counters."""
    return np.zeros(1 << bits, np.uint16)


def add_sieves(one: Sieve, two: Sieve) -> Sieve:
    """The sieve of both: what one pass over all their keys would have made. `one` is changed."""
    room = MOST - one
    np.minimum(two, room, out=room)
    one += room
    return one


@kernel
def _places(key: Any, mask: Any) -> tuple[Any, Any]:
    """The two counters of a key: its own bits serve, low and high, since keys are random."""
    return key & mask, (key >> uint64(32)) * uint64(0x9E3779B97F4A7C15) >> uint64(20) & mask


@kernel
def sift(sieve: Any, keys: Any, weights: Any, count: int) -> None:
    """Count the first `count` keys, each `weights` times, into the sieve."""
    mask = uint64(len(sieve) - 1)
    for i in range(count):
        one, two = _places(keys[at(i)], mask)
        w = int64(weights[at(i)])
        sieve[one] = min(int64(sieve[one]) + w, MOST)
        if two != one:
            sieve[two] = min(int64(sieve[two]) + w, MOST)


@kernel
def may_reach(sieve: Any, key: Any, wanted: int) -> bool:
    """False if the key was certainly counted less than `wanted` times (up to MOST)."""
    one, two = _places(key, uint64(len(sieve) - 1))
    least = min(wanted, MOST)
    return int64(sieve[one]) >= least and int64(sieve[two]) >= least


class Table:
    """A hash table from keys (uint64, not 0) to counts and the ring each key belongs to."""

    def __init__(self, bits: int = 16) -> None:
        self.keys = np.zeros(1 << bits, np.uint64)
        self.counts = np.zeros(1 << bits, np.int64)
        self.rings = np.zeros(1 << bits, np.uint8)
        self.used = 0

    def add(self, sieve: Sieve, wanted: int, keys: Any, weights: Any, rings: Any, n: int) -> None:
        """Count the first n keys that pass the sieve. The table grows as need be."""
        done = 0
        while True:
            done, used = add_to_table(
                self.keys,
                self.counts,
                self.rings,
                self.used,
                sieve,
                wanted,
                keys,
                weights,
                rings,
                done,
                n,
            )
            self.used = int(used)
            if done == n:
                return
            self._grow()

    def _grow(self) -> None:
        old = self.keys, self.counts, self.rings
        self.keys = np.zeros(2 * len(old[0]), np.uint64)
        self.counts = np.zeros(len(self.keys), np.int64)
        self.rings = np.zeros(len(self.keys), np.uint8)
        rehash(*old, self.keys, self.counts, self.rings)


@kernel
def add_to_table(
    table: Any,
    counts: Any,
    ring_of: Any,
    used: int,
    sieve: Any,
    wanted: int,
    keys: Any,
    weights: Any,
    rings: Any,
    start: int,
    end: int,
) -> tuple[int, int]:
    """Add keys[start:end] that pass the sieve; (where it stopped for want of room, used slots)."""
    for i in range(start, end):
        if 10 * used > 7 * len(table):
            return i, used
        if wanted > 1 and not may_reach(sieve, keys[i], wanted):
            continue
        slot = slot_of(table, keys[i])
        if table[slot] == uint64(0):
            table[slot] = keys[i]
            ring_of[slot] = rings[i]
            used += 1
        counts[slot] += int64(weights[i])
    return end, used


@kernel
def rehash(keys: Any, counts: Any, rings: Any, to: Any, to_counts: Any, to_rings: Any) -> None:
    """Move everything into a larger table."""
    for i in range(len(keys)):
        if keys[i] != uint64(0):
            slot = slot_of(to, keys[i])
            to[slot] = keys[i]
            to_counts[slot] = counts[i]
            to_rings[slot] = rings[i]
