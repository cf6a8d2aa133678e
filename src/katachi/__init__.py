"""Katachi: what strong Go players play, learned from their games as ratings of move patterns.

The names below load on first use, so that `import katachi` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from katachi.errors import KatachiError
    from katachi.evaluation.measure import measure
    from katachi.evaluation.report import report
    from katachi.go.position import IllegalMove, Position
    from katachi.learning.base import Learner, Settings, option, register_learner
    from katachi.learning.bradley_terry.learner import BradleyTerryOptions
    from katachi.learning.interactions.learner import FactorsOptions, HiddenOptions
    from katachi.learning.maxent.learner import MaxentOptions
    from katachi.learning.ranking.learner import RankingOptions
    from katachi.learning.train import Work, train
    from katachi.match.play import play_match
    from katachi.match.record import MatchResult
    from katachi.match.settings import MatchSettings
    from katachi.models.model import Model, load_model
    from katachi.models.predictor import Predictor, Ratings, restored_predictor
    from katachi.patterns.catalogue import (
        ARAKI,
        CONTEXT,
        COULOM,
        EXTENDED,
        PLAYOUT,
        STERN,
        Catalogue,
        register_catalogue,
    )
    from katachi.patterns.competitions import Competitions, describe_corpus, load_competitions
    from katachi.patterns.describe import describe_position
    from katachi.patterns.family import Family, Level
    from katachi.patterns.features import Features
    from katachi.patterns.shapes.dictionary import Shapes, load_shapes, merge_shapes
    from katachi.patterns.shapes.harvest import harvest
    from katachi.records.corpus import Corpus
    from katachi.records.filters import Filters, select
    from katachi.records.game import Game
    from katachi.records.read import read_games
    from katachi.records.record import parse_tree
    from katachi.records.sgf import parse_games
    from katachi.search.engine import SearchPlayer, search_player
    from katachi.search.gammas import playout_gammas
    from katachi.search.pattern_player import PatternPlayer
    from katachi.search.player import Budget, Choice
    from katachi.search.settings import SearchSettings
    from katachi.study.annotate import annotate
    from katachi.study.opinion import Opinion
    from katachi.study.review import review
    from katachi.teams.estimator import BradleyTerry
    from katachi.teams.teams import Competition

# Public name → the module that holds it.
_HOMES = {
    "KatachiError": "katachi.errors",
    "Position": "katachi.go.position",
    "IllegalMove": "katachi.go.position",
    "Game": "katachi.records.game",
    "Corpus": "katachi.records.corpus",
    "read_games": "katachi.records.read",
    "parse_games": "katachi.records.sgf",
    "Filters": "katachi.records.filters",
    "select": "katachi.records.filters",
    "BradleyTerry": "katachi.teams.estimator",
    "COULOM": "katachi.patterns.catalogue",
    "EXTENDED": "katachi.patterns.catalogue",
    "PLAYOUT": "katachi.patterns.catalogue",
    "ARAKI": "katachi.patterns.catalogue",
    "STERN": "katachi.patterns.catalogue",
    "CONTEXT": "katachi.patterns.catalogue",
    "Catalogue": "katachi.patterns.catalogue",
    "register_catalogue": "katachi.patterns.catalogue",
    "Family": "katachi.patterns.family",
    "Level": "katachi.patterns.family",
    "Features": "katachi.patterns.features",
    "Model": "katachi.models.model",
    "load_model": "katachi.models.model",
    "Predictor": "katachi.models.predictor",
    "Ratings": "katachi.models.predictor",
    "restored_predictor": "katachi.models.predictor",
    "Settings": "katachi.learning.base",
    "Learner": "katachi.learning.base",
    "option": "katachi.learning.base",
    "register_learner": "katachi.learning.base",
    "Work": "katachi.learning.train",
    "BradleyTerryOptions": "katachi.learning.bradley_terry.learner",
    "RankingOptions": "katachi.learning.ranking.learner",
    "FactorsOptions": "katachi.learning.interactions.learner",
    "HiddenOptions": "katachi.learning.interactions.learner",
    "MaxentOptions": "katachi.learning.maxent.learner",
    "train": "katachi.learning.train",
    "measure": "katachi.evaluation.measure",
    "report": "katachi.evaluation.report",
    "Competition": "katachi.teams.teams",
    "Competitions": "katachi.patterns.competitions",
    "Shapes": "katachi.patterns.shapes.dictionary",
    "describe_corpus": "katachi.patterns.competitions",
    "describe_position": "katachi.patterns.describe",
    "harvest": "katachi.patterns.shapes.harvest",
    "load_competitions": "katachi.patterns.competitions",
    "load_shapes": "katachi.patterns.shapes.dictionary",
    "merge_shapes": "katachi.patterns.shapes.dictionary",
    "Budget": "katachi.search.player",
    "Choice": "katachi.search.player",
    "PatternPlayer": "katachi.search.pattern_player",
    "SearchPlayer": "katachi.search.engine",
    "SearchSettings": "katachi.search.settings",
    "search_player": "katachi.search.engine",
    "playout_gammas": "katachi.search.gammas",
    "MatchResult": "katachi.match.record",
    "MatchSettings": "katachi.match.settings",
    "play_match": "katachi.match.play",
    "Opinion": "katachi.study.opinion",
    "annotate": "katachi.study.annotate",
    "parse_tree": "katachi.records.record",
    "review": "katachi.study.review",
}

__all__ = [
    "ARAKI",
    "CONTEXT",
    "COULOM",
    "EXTENDED",
    "PLAYOUT",
    "STERN",
    "BradleyTerry",
    "BradleyTerryOptions",
    "Budget",
    "Catalogue",
    "Choice",
    "Competition",
    "Competitions",
    "Corpus",
    "FactorsOptions",
    "Family",
    "Features",
    "Filters",
    "Game",
    "HiddenOptions",
    "IllegalMove",
    "KatachiError",
    "Learner",
    "Level",
    "MatchResult",
    "MatchSettings",
    "MaxentOptions",
    "Model",
    "Opinion",
    "PatternPlayer",
    "Position",
    "Predictor",
    "RankingOptions",
    "Ratings",
    "SearchPlayer",
    "SearchSettings",
    "Settings",
    "Shapes",
    "Work",
    "__version__",
    "annotate",
    "describe_corpus",
    "describe_position",
    "harvest",
    "load_competitions",
    "load_model",
    "load_shapes",
    "measure",
    "merge_shapes",
    "option",
    "parse_games",
    "parse_tree",
    "play_match",
    "playout_gammas",
    "read_games",
    "register_catalogue",
    "register_learner",
    "report",
    "restored_predictor",
    "review",
    "search_player",
    "select",
    "train",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'katachi' has no attribute {name!r}")
