"""The models of `reproduce araki`: kept, gone on with, and what they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from katachi.learning.maxent.learner import MaxentOptions, halves, learn_halves
from katachi.papers import araki as module
from katachi.papers.araki import PARTS, PATTERN_ONLY, Part, fitted
from katachi.papers.run import Run
from katachi.patterns.catalogue import ARAKI
from katachi.patterns.features import Features
from katachi.patterns.shapes.harvest import harvest
from katachi.patterns.shapes.templates import STERN_TEMPLATES
from tests.trained import games

WANTED = {
    "a": Part(MaxentOptions(rerank=6)),
    "b": Part(MaxentOptions(rerank=6), without=PATTERN_ONLY),
    "c": Part(MaxentOptions(rerank=0, fitted="bradley-terry")),
    "the first again": Part(MaxentOptions(rerank=6)),
}


def never(*_: Any, **__: Any) -> Any:
    raise AssertionError


@pytest.mark.slow
def test_models_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = games(0, 10)
    found = fitted(Run(tmp_path, tmp_path), corpus, WANTED)
    assert list(found) == list(WANTED)
    assert found["a"] is found["the first again"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.katachi", "b.katachi", "c.katachi"]
    first, second = halves(corpus, module.SEED)
    shapes = harvest(first, templates=STERN_TEMPLATES, rule="played", min_count=2)
    for name, how in WANTED.items():
        features = Features(ARAKI, {"shape": shapes}, without=how.without)
        plain = learn_halves(first, second, features, how.options, tmp_path / "work" / name)
        assert found[name].digest == plain.digest
    assert list(found["b"].predictor.ratings) == ["pass", "no-shape", "shape"]
    monkeypatch.setattr(module, "fit_samples", never)
    again = fitted(Run(tmp_path, tmp_path), corpus, WANTED)
    assert {name: one.digest for name, one in again.items()} == {
        name: one.digest for name, one in found.items()
    }
    with pytest.raises(AssertionError):
        fitted(Run(tmp_path, tmp_path), games(0, 9), WANTED)  # of other games they are not


def test_the_parts() -> None:
    """Two models, with and without the other features, of the first moves and of all."""
    assert len(set(PARTS.values())) == len(PARTS) == 8
    assert Part() in PARTS.values()
