from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from katachi.learning.maxent.rerank import Rerank, relative_frequency, reranked

candidates = st.lists(
    st.tuples(st.sampled_from([0.1, 0.2, 0.3, 0.55, 0.9]), st.floats(1e-6, 1e6)),
    min_size=1,
    max_size=40,
)


@given(st.lists(candidates, min_size=1, max_size=4), st.integers(1, 25), st.floats(0.01, 0.9))
def test_against_plain_python(
    positions: list[list[tuple[float, float]]], most: int, below: float
) -> None:
    starts = np.concatenate([[0], np.cumsum([len(p) for p in positions])]).astype(np.int64)
    frequencies, strengths = (np.array([row[i] for p in positions for row in p]) for i in range(2))
    order, chances = reranked(strengths, frequencies, starts, Rerank(most, below))
    for j, position in enumerate(positions):
        part = slice(starts[j], starts[j + 1])
        least = sorted((f for f, _ in position), reverse=True)[:most][-1]
        first = [f >= least for f, _ in position]
        share = 1 - below if not all(first) else 1.0
        ahead = sum(s for (_, s), here in zip(position, first, strict=True) if here)
        behind = sum(f / (1 - f) for (f, _), here in zip(position, first, strict=True) if not here)
        for (f, s), here, chance in zip(position, first, chances[part], strict=True):
            wanted = share * s / ahead if here else below * f / (1 - f) / behind
            assert chance == pytest.approx(wanted)
        assert chances[part].sum() == pytest.approx(1)
        # Those ranked anew come first, in the order of the model, then the frequencies
        keys = [(here, s if here else f) for (f, s), here in zip(position, first, strict=True)]
        for a, x in zip(keys, order[part], strict=True):
            for b, y in zip(keys, order[part], strict=True):
                if (a > b) and not (a[0] and b[0] and (a[1] - b[1]) / ahead < 1e-14):
                    assert x > y
                if a == b:
                    assert x == y


def test_the_frequency() -> None:
    """Equation 13: (used + 1) / (used + unused + 2)."""
    used, seen = np.array([0, 0, 3], np.uint32), np.array([0, 8, 3], np.uint32)
    assert relative_frequency(used, seen).tolist() == [0.5, 0.1, 0.8]
