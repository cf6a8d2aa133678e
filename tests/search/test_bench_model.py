"""bench/model.py times every model that the kernel can ask, and tells it beside the first one."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from bench.model import SIZES, gammas_alone, measured, view
from tests.search.test_sampler import MODEL
from tests.trained import HIDDEN, trained


@pytest.mark.slow
def test_models_by_turns() -> None:
    hidden = trained(HIDDEN)
    models = {"product": gammas_alone(hidden), "hidden": hidden, "light": MODEL}
    found = measured(models, repeats=2)
    assert list(found) == ["product", "hidden"]  # the kernel cannot ask a model of light features
    assert all(found[name][size] > 0 for name in found for size in SIZES)


def test_it_is_told_beside_the_first() -> None:
    out = io.StringIO()
    found = {"one": {9: 1e-6, 19: 2e-6}, "two": {9: 3e-6, 19: 5e-6}}
    Console(file=out, width=100).print(view(found))
    assert "3.00" in out.getvalue()
    assert "2.50" in out.getvalue()
