"""Small models, each trained once in a run of the tests, and what their teams are, plainly."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from katachi.go.position import Position
from katachi.learning.base import Settings
from katachi.learning.bradley_terry.learner import BradleyTerryOptions
from katachi.learning.interactions.learner import FactorsOptions, HiddenOptions
from katachi.learning.train import train
from katachi.models.model import Model
from katachi.models.predictor import Ratings
from katachi.patterns.catalogue import EXTENDED, WORDS
from katachi.patterns.describe import describe_position
from katachi.records.bundled import bundled_games
from katachi.records.corpus import Corpus
from tests.shared import made_once

LARGEST = Settings(min_candidates=200, options=BradleyTerryOptions(tolerance=1e-9))
ALL_RADII = replace(LARGEST, all_radii=True)
PAIRED = replace(
    ALL_RADII,
    options=replace(LARGEST.options, pairs=("border*distance", "shape-3*pass"), pair_count=150),
)
# With answers to the last move, and shapes around the move of two views
ANSWERING = replace(ALL_RADII, catalogue=EXTENDED, min_count=3, without=("shape-marked",))
# What players have words for
WORDY = replace(LARGEST, catalogue=WORDS)
SPARSE = replace(LARGEST, min_candidates=400, without=("distance2",))
# Features act on each other, and on those of the position
_FEW_SHAPES: dict[str, Any] = {
    "min_candidates": 300,
    "without": ("shape-marked", "shape-liberties", "shape-played"),
}
FACTORS = Settings(
    "factors", FactorsOptions(field=12, rank=4, positions_per_game=40), **_FEW_SHAPES
)
HIDDEN = Settings("hidden", HiddenOptions(field=12, units=6, positions_per_game=40), **_FEW_SHAPES)


@cache
def games(first: int = 0, last: int = 10) -> Corpus:
    """Some bundled games; those before 67 are on 9x9."""
    return bundled_games().take(np.arange(first, last))


@cache
def trained(settings: Settings = LARGEST, first: int = 0, last: int = 10) -> Model:
    """A model of some bundled games."""

    def make() -> Model:
        with tempfile.TemporaryDirectory() as folder:
            return train(games(first, last), settings, Path(folder) / "work")

    return made_once(f"model {settings!r} {first} {last}", make)


def teams(model: Model, position: Position) -> dict[int, dict[str, int]]:
    """Move → family or pair → level, the pairs by looking through their combinations."""
    found = describe_position(position, model.features)
    for team in found.values():
        for pair in model.predictor.pairs:
            levels = team.get(pair.one), team.get(pair.two)
            known = [pair.levels(n) for n in range(1, pair.size + 1)]
            if levels in known:
                team[pair.name] = known.index(levels) + 1
    return found


def strength(model: Model, team: dict[str, int]) -> float:
    """The product of the gammas of a team."""
    ratings = model.predictor.ratings
    return math.prod(float(ratings[name].gamma[level - 1]) for name, level in team.items())


def with_options(settings: Settings, **more: Any) -> Settings:
    """The same settings but for these options of the learner."""
    return replace(settings, options=replace(settings.options, **more))


def with_ratings(model: Model, more: Mapping[str, Ratings]) -> Model:
    """The same model but for the ratings of these families."""
    predictor = model.predictor
    return replace(model, predictor=replace(predictor, ratings={**predictor.ratings, **more}))


def positions(corpus: Corpus, step: int) -> list[Position]:
    """Every so many positions of every game."""
    return [game.position(move) for game in corpus for move in range(0, len(game.moves), step)]
