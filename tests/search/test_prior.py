"""The prior of the tree is what the model says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from katachi.go.points import AREA
from katachi.learning.base import Settings
from katachi.models.model import Model, load_model
from katachi.search.prior import ModelPrior, is_product, new_mind, weigh
from tests.trained import ALL_RADII, ANSWERING, FACTORS, HIDDEN, PAIRED, SPARSE, games, trained


def check(model: Model, first: int, positions: int) -> None:
    game = games(first, first + 1)[0]
    size = game.position(0).size
    prior, mind, weighed = ModelPrior(model, size), new_mind(model, size), np.ones(AREA)
    for move in range(0, min(positions * 5, len(game.moves)), 5):
        position = game.position(move)
        want = model.probabilities(position)
        found = prior(position.board, None)
        points = list(want)
        assert found[points] == pytest.approx(list(want.values()), rel=1e-9)
        assert found.sum() == pytest.approx(1)
        if is_product(model):
            weigh(mind, position.board, weighed)
            assert weighed == pytest.approx(found, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        ALL_RADII,
        replace(ALL_RADII, without=("shape-4", "distance")),
        PAIRED,
        SPARSE,
        ANSWERING,
        replace(ANSWERING, without=("shape-liberties", "shape-marked", "answer-6")),
        FACTORS,
        HIDDEN,
    ],
    ids=[
        "all radii",
        "without a radius",
        "pairs",
        "largest",
        "answers",
        "answers alone",
        "factors",
        "hidden",
    ],
)
def test_the_prior_is_the_models_probability(settings: Settings) -> None:
    model = trained(settings)
    plain = settings.learner == "bradley-terry" and not model.predictor.pairs
    assert is_product(model) == (model.features.all_radii and plain)
    check(model, 20, 9)


def test_of_the_model_that_comes_with_katachi() -> None:
    assert is_product(load_model())
    for first in (20, 100):
        check(load_model(), first, 5)


@pytest.mark.slow
def test_shares_of_a_search_stand_for_random_games() -> None:
    model = trained(replace(ALL_RADII, owner=True))
    prior = ModelPrior(model, 9)
    position = games(20, 21)[0].position(20)
    assert prior.wants_owned
    sure = np.ones(421)
    assert not np.allclose(prior(position.board, sure), prior(position.board, 1 - sure))
    owner = model.predictor.ratings["owner"].gamma.astype(float)
    levels = [len(owner), 1]
    for owned, level in zip((sure, 1 - sure), levels, strict=True):
        want = {}
        for move in position.legal_moves():
            team = model.team(position, move)
            strength = np.prod([g for name, (_, g) in team.items() if name != "owner"])
            want[move] = strength * (owner[level - 1] if move else 1.0)
        total = sum(want.values())
        found = prior(position.board, owned)
        for move, strength in want.items():
            assert found[move] == pytest.approx(strength / total, rel=1e-6)
