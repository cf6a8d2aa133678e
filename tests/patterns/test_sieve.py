"""The sieve never forgets, the table behind it counts exactly, and `find` finds."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from katachi.patterns.shapes.lookup import find, lookup_table
from katachi.patterns.shapes.sieve import (
    FULL,
    SIEVE_BITS,
    Emitted,
    Sieve,
    Table,
    add_sieves,
    may_reach,
    new_sieve,
    sift,
)

Counts: TypeAlias = list[tuple[int, int]]  # (key, weight), keys more than once

# Any keys; and such as differ in few bits, low, high or in the middle, so that they share counters.
KEYS = st.one_of(
    st.integers(1, 2**64 - 1),
    st.integers(1, 20),
    st.integers(1, 20).map(lambda n: n << 20),
    st.integers(1, 20).map(lambda n: n << 32),
    st.integers(1, 20).map(lambda n: n << 59),
)
WEIGHTS = st.one_of(st.integers(1, 4), st.integers(1, 65535))
COUNTS = st.lists(st.tuples(KEYS, WEIGHTS), max_size=40)
BITS = st.integers(0, 12)


def emitted(counts: Counts) -> Emitted:
    return Emitted(
        np.array([key for key, _ in counts], np.uint64),
        np.array([weight for _, weight in counts], np.uint16),
        np.array([ring_of(key) for key, _ in counts], np.uint8),
    )


def sieve_of(counts: Counts, bits: int) -> Sieve:
    sieve = new_sieve(bits)
    sift(sieve, emitted(counts), len(counts))
    return sieve


def true_counts(counts: Counts) -> Counter[int]:
    total: Counter[int] = Counter()
    for key, weight in counts:
        total[key] += weight
    return total


def reached(sieve: Sieve, key: int, wanted: int) -> bool:
    return bool(may_reach(sieve, np.uint64(key), wanted))


# -- sieve ---------------------------------------------------------------------------------------


@given(COUNTS, BITS)
def test_the_bound_is_never_below_the_count(counts: Counts, bits: int) -> None:
    sieve = sieve_of(counts, bits)
    assert len(sieve) == 2**bits
    for key, count in true_counts(counts).items():
        assert reached(sieve, key, count)
        assert reached(sieve, key, 1)


@given(KEYS, st.lists(WEIGHTS, min_size=1, max_size=10), BITS)
def test_a_key_alone_is_counted_exactly(key: int, weights: list[int], bits: int) -> None:
    """A key whose two counters are one counts there once, not twice."""
    sieve = sieve_of([(key, weight) for weight in weights], bits)
    count = sum(weights)
    assert reached(sieve, key, count)
    assert reached(sieve, key, count + 1) == (count >= FULL)


def test_unseen_keys_fall_through() -> None:
    rng = Random(1970)
    seen = [(rng.getrandbits(64), rng.randint(1, 3)) for _ in range(2000)]
    sieve = sieve_of(seen, 16)
    others = [rng.getrandbits(64) for _ in range(10_000)]
    passed = sum(reached(sieve, key, 1) for key in others)
    # Of 65,536 counters some 3,880 are used: both of a key by chance once in 285 times.
    assert 5 < passed < 100
    assert not any(reached(sieve, key, 13) for key in others)


def test_both_halves_of_a_key_choose_a_counter() -> None:
    """Keys that are equal in their low or in their high half do not share both counters."""
    rng = Random(5)
    for shift in (0, 32):
        own = rng.getrandbits(64) | 1
        sieve = sieve_of([(own, 1)], 20)
        twins = [own ^ rng.getrandbits(32) << shift for _ in range(200)]
        assert sum(reached(sieve, key, 1) for key in twins if key != own) <= 1


def test_counters_stop_at_the_most() -> None:
    sieve = sieve_of([(77, 65535), (77, 65535), (78, 65534), (78, 1), (79, 65534)], 20)
    assert set(sieve.tolist()) == {0, 65534, FULL}
    for key in (77, 78):
        assert all(reached(sieve, key, wanted) for wanted in (1, FULL, FULL + 1, 10**9))
    assert reached(sieve, 79, FULL - 1)
    assert not reached(sieve, 79, FULL)
    assert not reached(sieve, 79, FULL + 1)


@given(COUNTS, st.integers(0, 40), BITS)
def test_only_the_first_keys_are_sifted(counts: Counts, many: int, bits: int) -> None:
    count = min(many, len(counts))
    sieve = new_sieve(bits)
    sift(sieve, emitted(counts), count)
    assert np.array_equal(sieve, sieve_of(counts[:count], bits))


@given(COUNTS, COUNTS, BITS)
def test_sieves_add_up(one: Counts, two: Counts, bits: int) -> None:
    sieves = sieve_of(one, bits), sieve_of(two, bits)
    before = sieves[1].copy()
    total = add_sieves(*sieves)
    assert total is sieves[0]
    assert np.array_equal(sieves[1], before)
    assert np.array_equal(total, sieve_of(one + two, bits))


@pytest.mark.parametrize(("one", "two"), [(0, 0), (3, 4), (65535, 1), (40000, 40000), (1, 65534)])
def test_sums_stop_at_the_most(one: int, two: int) -> None:
    sieve = add_sieves(np.array([one], np.uint16), np.array([two], np.uint16))
    assert sieve.tolist() == [min(one + two, 65535)]


def test_the_usual_sieve() -> None:
    sieve = new_sieve()
    assert sieve.nbytes == 2 * 2**SIEVE_BITS
    assert not sieve.any()


# -- table ---------------------------------------------------------------------------------------


def entries(table: Table) -> dict[int, tuple[int, int]]:
    """Key → (count, ring) of all that the table holds."""
    slots = table.slots
    used = np.flatnonzero(slots.keys)
    assert len(used) == table.used
    held = zip(slots.counts[used].tolist(), slots.rings[used].tolist(), strict=True)
    found = dict(zip(slots.keys[used].tolist(), held, strict=True))
    assert len(found) == len(used)
    return found


def ring_of(key: int) -> int:
    return key * 5 % 8


def add(table: Table, sieve: Sieve, wanted: int, counts: Counts) -> None:
    table.add(sieve, wanted, emitted(counts), len(counts))


@given(COUNTS, st.integers(1, 10), BITS, st.integers(0, 40))
def test_what_passes_is_counted_exactly(counts: Counts, wanted: int, bits: int, cut: int) -> None:
    """In a small table that must grow, behind a sieve of any coarseness, in two goes."""
    table = Table(bits=1)
    sieve = sieve_of(counts, bits)
    for part in (counts[:cut], counts[cut:]):
        add(table, sieve, wanted, part)
    found = entries(table)
    expected = true_counts(counts)
    for key, count in expected.items():
        assert key in found or count < wanted
    assert found == {key: (expected[key], ring_of(key)) for key in found}
    if wanted == 1:
        assert found.keys() == expected.keys()


def test_a_table_grows() -> None:
    rng = Random(3)
    keys = [rng.getrandbits(64) for _ in range(30_000)]
    table = Table(bits=4)
    for start in range(0, len(keys), 999):
        add(table, new_sieve(1), 1, [(key, 2) for key in keys[start : start + 999]] * 2)
    assert entries(table) == {key: (4, ring_of(key)) for key in keys}
    assert 1 < len(table.slots.keys) / len(set(keys)) <= 4


def test_a_coarse_sieve_lets_through_more_and_a_fine_one_less() -> None:
    rng = Random(4)
    rare = [(rng.getrandbits(64), 1) for _ in range(3000)]
    often = [(rng.getrandbits(64), 5) for _ in range(50)]
    sizes = {}
    for bits in (4, 12, 20):
        table = Table()
        add(table, sieve_of(rare + often, bits), 5, rare + often)
        sizes[bits] = table.used
        assert {key: entries(table)[key][0] for key, _ in often} == dict(often)
    assert sizes[4] == 3050 > sizes[12] > sizes[20] >= 50
    assert sizes[20] < 60


# -- lookup --------------------------------------------------------------------------------------


@given(st.lists(KEYS, unique=True, max_size=60), st.lists(KEYS, max_size=20))
def test_find(known: list[int], others: list[int]) -> None:
    lookup = lookup_table(np.array(known, np.uint64))
    assert 2 * len(known) <= len(lookup.keys)
    for key in known + others:
        expected = known.index(key) if key in known else -1
        assert find(lookup, np.uint64(key)) == expected
