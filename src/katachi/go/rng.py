"""A small random generator for kernels: xorshift64*, its state one uint64 in an array.

One generator per thread. Everything random follows from the caller's seed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from katachi.go.kernel import inlined, int64, kernel, uint64


def new_rng(seed: int) -> npt.NDArray[np.uint64]:
    """The state for a seed: any int; neighbouring seeds give unrelated sequences."""
    return np.array([scramble(np.uint64(seed % 2**64))], dtype=np.uint64)


@kernel
def scramble(x: Any) -> Any:
    """Mix the bits of a uint64 (splitmix64's finisher); never 0, which xorshift cannot leave."""
    x = x + uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> uint64(27))) * uint64(0x94D049BB133111EB)
    x = x ^ (x >> uint64(31))
    return x if x != uint64(0) else uint64(1)


@inlined
def below(rng: Any, n: int) -> int:
    """A uniform random integer in 0 … n-1, for 0 < n < 2^31; the bias is under n / 2^32."""
    x = rng[0]
    x ^= x >> uint64(12)
    x ^= x << uint64(25)
    x ^= x >> uint64(27)
    rng[0] = x
    high = (x * uint64(0x2545F4914F6CDD1D)) >> uint64(32)
    return int64((high * uint64(n)) >> uint64(32))


@inlined
def fraction(rng: Any) -> float:
    """A uniform random multiple of 2^-53 in [0, 1)."""
    x = rng[0]
    x ^= x >> uint64(12)
    x ^= x << uint64(25)
    x ^= x >> uint64(27)
    rng[0] = x
    return float(int64((x * uint64(0x2545F4914F6CDD1D)) >> uint64(11))) * 2.0**-53
