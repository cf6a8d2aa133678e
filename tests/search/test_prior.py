"""The prior of the tree is what the model says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from katachi.go.points import AREA, PASS
from katachi.go.position import Position
from katachi.learning.base import Settings
from katachi.learning.interactions.predictor import FactorsPredictor, HiddenPredictor
from katachi.learning.interactions.stored import stored
from katachi.models.model import Model, load_model
from katachi.models.predictor import Predictor, Ratings
from katachi.patterns.catalogue import EXTENDED
from katachi.patterns.features import Features
from katachi.patterns.together import TOGETHER
from katachi.search import engine, worker
from katachi.search.engine import SearchPlayer
from katachi.search.mind import can_weigh, new_mind
from katachi.search.player import Budget, GameState
from katachi.search.prior import ModelPrior, weigh
from tests.search.twin import FIXED, LIGHT, wandered
from tests.trained import ALL_RADII, ANSWERING, FACTORS, HIDDEN, PAIRED, SPARSE, games, trained


def close(model: Model) -> float:
    """How near `weigh` comes: embeddings are added in single precision, in part."""
    return 1e-12 if model.predictor.is_product else 1e-6


def check(model: Model, first: int, positions: int) -> None:
    game = games(first, first + 1)[0]
    size = game.position(0).size
    prior, mind, weighed = ModelPrior(model, size), new_mind(model, size), np.ones(AREA)
    for move in range(0, min(positions * 11, len(game.moves)), 11):
        position = game.position(move)
        want = model.probabilities(position)
        found = prior(position.board, None)
        points = list(want)
        assert found[points] == pytest.approx(list(want.values()), rel=1e-9)
        assert found.sum() == pytest.approx(1)
        if can_weigh(model):
            weigh(mind, position.board, weighed)
            assert weighed == pytest.approx(found, rel=close(model))


def some_ratings(features: Features, rng: np.random.Generator) -> dict[str, Ratings]:
    found = {}
    for family in features.families:
        gamma = np.exp(rng.normal(0, 1, family.size)).astype(np.float32)
        none = np.zeros(family.size)
        found[family.name] = Ratings(
            gamma, none.astype(np.float32), none.astype(np.uint32), none.astype(np.uint32)
        )
    return found


def interacting(
    learner: str, width: int, *without: str, position: bool = True, kept: str = "float32"
) -> Model:
    """A model of any embeddings, without shapes."""
    rng = np.random.default_rng(width)
    features = Features(EXTENDED, without=frozenset(without), position=position)
    ratings = some_ratings(features, rng)
    shared = {family.name: family.size for family in features.position_families}
    rows = sum(len(r.gamma) for r in ratings.values())
    tables: dict[str, Any] = {
        "features": stored(rng.normal(0, 0.2, (rows, width)).astype(np.float32), kept),
        "shared": stored(
            rng.normal(0, 0.2, (sum(shared.values()), width)).astype(np.float32), kept
        ),
        "position": shared,
    }
    predictor: Predictor = FactorsPredictor(ratings, **tables)
    if learner == "hidden":
        a, b = rng.normal(0, 1, (2, width)).astype(np.float32)
        predictor = HiddenPredictor(ratings, **tables, weights=a, biases=b)
    return Model(features, predictor, playout=LIGHT)


@pytest.mark.parametrize("learner", ["factors", "hidden"])
@pytest.mark.parametrize("kept", ["int8", "float16", "float32"])
@pytest.mark.parametrize("width", [1, 6, 53])
def test_of_any_embeddings(learner: str, width: int, kept: str) -> None:
    model = interacting(learner, width, "stage", "atari", "offset2", kept=kept)
    assert can_weigh(model)
    check(model, 20, 4)
    alone = interacting(learner, width, position=False, kept=kept)
    check(alone, 100, 2)
    assert not model.predictor.is_product


def test_after_passes_and_before_any_move() -> None:
    model = interacting("factors", 4)
    mind, found = new_mind(model, 9), np.zeros(AREA)
    for moves in ([], [PASS], [PASS, PASS], [61], [61, PASS], [61, PASS, 63]):
        position = Position(9)
        for move in moves:
            position.play(move)
        weigh(mind, position.board, found)
        assert found == pytest.approx(ModelPrior(model, 9)(position.board, None), rel=1e-6)


def test_scores_too_large_for_a_float() -> None:
    model = interacting("factors", 3)
    predictor = model.predictor
    assert isinstance(predictor, FactorsPredictor)
    features = stored(predictor.features.table * 60, "float32")
    assert predictor.features.table.std() > 0.1  # so scores go beyond a thousand
    model = replace(model, predictor=replace(predictor, features=features))
    position = games(20, 21)[0].position(20)
    found, want = np.zeros(AREA), ModelPrior(model, 9)(position.board, None)
    weigh(new_mind(model, 9), position.board, found)
    assert np.all(np.isfinite(found))
    assert found.sum() == pytest.approx(1)
    assert np.argmax(found) == np.argmax(want)


@pytest.mark.parametrize(("width", "kept", "length"), [(32, "int8", 64), (16, "float32", 128)])
def test_threads_share_the_embeddings(width: int, kept: str, length: int) -> None:
    model = interacting("hidden", width, kept=kept)
    one, two = new_mind(model, 9).embedded, new_mind(model, 19).embedded
    table = one.packed.bytes
    assert np.shares_memory(table, two.packed.bytes)
    assert not np.shares_memory(one.sums, two.sums)
    assert table.shape[1] == length
    assert table.ctypes.data % 64 == 0


def test_who_is_asked_through_python() -> None:
    model = interacting("hidden", 2)
    assert can_weigh(model)
    ours = replace(EXTENDED, families=(*EXTENDED.families, replace(TOGETHER[0], name="own")))
    assert not can_weigh(replace(model, features=replace(model.features, catalogue=ours)))
    whole = replace(EXTENDED, position=(replace(EXTENDED.position[0], name="own"),))
    assert not can_weigh(replace(model, features=replace(model.features, catalogue=whole)))
    assert not can_weigh(replace(model, features=replace(model.features, owner=True)))


def test_the_kernel_and_python_find_the_same_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    model = interacting("hidden", 6)
    game = GameState(wandered(7, 3, 10))

    def searched() -> tuple[bool, dict[int, tuple[int, float]]]:
        player = SearchPlayer(model, replace(FIXED, model_after=2), memory_mb=8, seed=3)
        found = player.search(game, Budget(simulations=300))
        return player._asks, {move: (visits, prior) for move, visits, _, prior in found.moves}

    asks, kernel = searched()
    assert not asks
    for module in (engine, worker):
        monkeypatch.setattr(module, "can_weigh", lambda _: False)
    asks, python = searched()
    assert asks
    assert list(kernel) == list(python)
    for move, (visits, prior) in kernel.items():
        assert visits == python[move][0]
        assert prior == pytest.approx(python[move][1], rel=1e-5)


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
        replace(HIDDEN, without=(*HIDDEN.without, "shape-4", "answer-4", "last-3", "stage")),
        replace(FACTORS, without=(*FACTORS.without, "answer")),
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
        "hidden, without some",
        "factors, without answers",
    ],
)
def test_the_prior_is_the_models_probability(settings: Settings) -> None:
    shared = settings in (ALL_RADII, PAIRED, SPARSE, ANSWERING, FACTORS, HIDDEN)  # by other tests
    model = trained(settings) if shared else trained(settings, 0, 4)
    assert can_weigh(model) == (model.features.all_radii and not model.predictor.pairs)
    check(model, 20, 4)


def test_of_the_model_that_comes_with_katachi() -> None:
    assert can_weigh(load_model())
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
