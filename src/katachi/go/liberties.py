"""The liberties of a string as a set of bits, kept at its head: WORDS words of 64."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from katachi.go.kernel import inlined, int64, kernel, uint64
from katachi.go.points import FIRST

if TYPE_CHECKING:
    from katachi.go.board import Board

WORDS = 6  # 64-bit words of a liberty set; the bit of point p is p - FIRST
ONE = uint64(1)


@inlined
def add_liberty(b: Board, head: int, p: int) -> None:
    """Count the empty point p as a liberty of the string at `head`, unless it is one already."""
    bit = p - FIRST
    word = head * WORDS + (bit >> 6)
    mask = ONE << uint64(bit & 63)
    had = b.liberty_set[word]
    b.liberty_set[word] = had | mask
    # Counted without a branch: the processor would guess it wrong too often.
    fresh = int64(had & mask == uint64(0))
    b.liberties[head] += fresh
    b.liberty_sum[head] += fresh * p


@inlined
def drop_liberty(b: Board, head: int, p: int) -> None:
    """Point p is no longer a liberty of the string at `head`; nothing happens if it was none."""
    bit = p - FIRST
    word = head * WORDS + (bit >> 6)
    mask = ONE << uint64(bit & 63)
    had = b.liberty_set[word]
    b.liberty_set[word] = had & ~mask
    old = int64(had & mask != uint64(0))
    b.liberties[head] -= old
    b.liberty_sum[head] -= old * p


@kernel
def liberty_points(b: Board, p: int, out: Any) -> int:
    """Write the liberties of the string at stone p into `out`, in order; returns how many."""
    head = int64(b.head[p])
    n = 0
    for w in range(WORDS):
        left = b.liberty_set[head * WORDS + w]
        while left != uint64(0):
            out[n] = FIRST + 64 * w + lowest_bit(left)
            n += 1
            left &= left - ONE
    return n


@inlined
def lowest_bit(x: Any) -> int:
    """Index of the lowest set bit of a uint64 that is not 0."""
    low = (x & (~x + ONE)) - ONE
    return bit_count(low)


@inlined
def bit_count(x: Any) -> int:
    """How many bits of a uint64 are set (LLVM knows this idiom as one instruction)."""
    x = x - ((x >> uint64(1)) & uint64(0x5555555555555555))
    x = (x & uint64(0x3333333333333333)) + ((x >> uint64(2)) & uint64(0x3333333333333333))
    x = (x + (x >> uint64(4))) & uint64(0x0F0F0F0F0F0F0F0F)
    return int64((x * uint64(0x0101010101010101)) >> uint64(56))
