"""A prefetch is a hint: nothing changes, whatever row it is of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from katachi.go.kernel import fresh
from katachi.go.prefetch import prefetch


@fresh
def _sum(table: Any) -> float:
    total = 0.0
    for row in range(len(table)):
        prefetch(table, row + 8)  # the last ones are not there
        total += table[row, 0]
    return total


@pytest.mark.parametrize("dtype", [np.int8, np.float32, np.float64])
def test_nothing_changes(dtype: type) -> None:
    table: Any = np.arange(300).reshape(100, 3).astype(dtype)
    before = table.copy()
    assert _sum(table) == table[:, 0].astype(float).sum()
    assert np.array_equal(table, before)
