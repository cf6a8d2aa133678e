"""Kernels for test_whole.py: one stands apart, one calls it, and one calls both."""

from __future__ import annotations

from katachi.go.kernel import apart, kernel


@apart
def square(x: int) -> int:
    return x * x


@kernel
def twice(x: int) -> int:
    return 2 * square(x)


@kernel
def thrice(x: int) -> int:
    return twice(x) + square(x)
