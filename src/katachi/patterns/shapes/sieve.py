"""A Bloom filter that counts, and a hash table behind it: exact counts in bounded memory.

Stern et al. (2005, section 2) mark each pattern in a Bloom filter and count it in a table only from
its second appearance on. We count in the filter too: each key has two counters, and neither is ever
less than the key's number of appearances. A first pass over the games fills the filter; a second
one counts, in the table and exactly, only keys whose counters reach the wanted number. The result
is what a table of everything would give, and filters of different corpora add up.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import at, int64, lean, uint64
from katachi.patterns.shapes.lookup import slot_of

SIEVE_BITS: Final = 26  # 2^26 counters of 16 bits: 128 MB
FULL: Final = 65535  # counters stop here

Sieve = npt.NDArray[np.uint16]


def new_sieve(bits: int = SIEVE_BITS) -> Sieve:
    """An empty sieve of 2^bits counters."""
    return np.zeros(1 << bits, np.uint16)


def add_sieves(one: Sieve, two: Sieve) -> Sieve:
    """The sieve of both: what one pass over all their keys would have made. `one` is changed."""
    room = FULL - one
    np.minimum(two, room, out=room)
    one += room
    return one


class Emitted(NamedTuple):
    """Keys that a game shows: room for them, of which the first few may be filled."""

    keys: npt.NDArray[np.uint64]
    weights: npt.NDArray[np.uint16]  # appearances
    rings: npt.NDArray[np.uint8]  # the template


def room_for(count: int) -> Emitted:
    """Room for so many keys."""
    return Emitted(
        np.empty(count, np.uint64), np.empty(count, np.uint16), np.empty(count, np.uint8)
    )


@lean
def _places(key: Any, mask: Any) -> tuple[Any, Any]:
    """The two counters of a key: its own bits serve, low and high, since keys are random."""
    return key & mask, (key >> uint64(32)) * uint64(0x9E3779B97F4A7C15) >> uint64(20) & mask


@lean
def sift(sieve: Any, emitted: Emitted, count: int) -> None:
    """Count the first `count` keys, each by its weight, into the sieve."""
    mask = uint64(len(sieve) - 1)
    for i in range(count):
        one, two = _places(emitted.keys[at(i)], mask)
        w = int64(emitted.weights[at(i)])
        sieve[one] = min(int64(sieve[one]) + w, FULL)
        if two != one:
            sieve[two] = min(int64(sieve[two]) + w, FULL)


@lean
def may_reach(sieve: Any, key: Any, wanted: int) -> bool:
    """False if the key was certainly counted less than `wanted` times (up to FULL)."""
    one, two = _places(key, uint64(len(sieve) - 1))
    least = min(wanted, FULL)
    return int64(sieve[one]) >= least and int64(sieve[two]) >= least


class Slots(NamedTuple):
    """The columns of a hash table; a free slot has the key 0."""

    keys: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.int64]
    rings: npt.NDArray[np.uint8]


def _slots(count: int) -> Slots:
    return Slots(np.zeros(count, np.uint64), np.zeros(count, np.int64), np.zeros(count, np.uint8))


class Table:
    """A hash table from keys (uint64, not 0) to counts and the ring each key belongs to."""

    def __init__(self, bits: int = 16) -> None:
        self.slots = _slots(1 << bits)
        self.used = 0

    def add(self, sieve: Sieve, wanted: int, emitted: Emitted, n: int) -> None:
        """Count the first n keys that pass the sieve. The table grows as need be."""
        done = 0
        while True:
            done, used = _add(self.slots, self.used, sieve, wanted, emitted, done, n)
            self.used = int(used)
            if done == n:
                return
            larger = _slots(2 * len(self.slots.keys))
            _rehash(self.slots, larger)
            self.slots = larger


@lean
def _add(
    table: Slots, used: int, sieve: Any, wanted: int, emitted: Emitted, start: int, end: int
) -> tuple[int, int]:
    """Add the keys from `start` to `end` that pass the sieve; (where it stopped for want of room,
    used slots).
    """
    for i in range(start, end):
        if 10 * used > 7 * len(table.keys):
            return i, used
        key = emitted.keys[i]
        if wanted > 1 and not may_reach(sieve, key, wanted):
            continue
        slot = slot_of(table.keys, key)
        if table.keys[slot] == uint64(0):
            table.keys[slot] = key
            table.rings[slot] = emitted.rings[i]
            used += 1
        table.counts[slot] += int64(emitted.weights[i])
    return end, used


@lean
def _rehash(table: Slots, larger: Slots) -> None:
    """Move everything into a larger table."""
    for i in range(len(table.keys)):
        if table.keys[i] != uint64(0):
            slot = slot_of(larger.keys, table.keys[i])
            larger.keys[slot] = table.keys[i]
            larger.counts[slot] = table.counts[i]
            larger.rings[slot] = table.rings[i]
