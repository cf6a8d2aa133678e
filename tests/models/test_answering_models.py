"""Models with answers to the last move, in a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from katachi.models.model import Model, load_model
from katachi.models.predictor import Predictor, Ratings
from katachi.patterns.catalogue import EXTENDED
from katachi.patterns.features import Features
from tests.go.helpers import bundled_games
from tests.patterns.shape_oracle import corpus_from, same_shapes
from tests.patterns.test_answers import dictionary


def test_a_model_file_keeps_them(tmp_path: Path) -> None:
    names = {"answer": dictionary(), "last": dictionary("last")}
    rng = np.random.default_rng(1)
    for position in (False, True):
        known = Features(EXTENDED, names, all_radii=True, position=position)
        ratings = {
            f.name: Ratings(
                rng.uniform(0.5, 2, f.size).astype(np.float32),
                *(np.zeros(f.size, dtype) for dtype in (np.float32, np.uint32, np.uint32)),
            )
            for f in known.families
        }
        model = Model(known, Predictor(ratings))
        model.save(tmp_path / "some.katachi")
        loaded = load_model(tmp_path / "some.katachi")
        assert loaded.digest == model.digest
        for name, shapes in names.items():
            assert same_shapes(loaded.features.dictionaries[name], shapes)
        whole = [f.name for f in loaded.features.position_families]
        assert ("last-liberties-3" in whole) == position
        (game,) = corpus_from(bundled_games(9)[:1])
        there = game.position(9)
        assert loaded.probabilities(there) == model.probabilities(there)
