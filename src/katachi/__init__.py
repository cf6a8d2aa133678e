"""Katachi: what strong Go players play, learned from their games as ratings of move patterns.

The names below load on first use, so that `import katachi` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from katachi.errors import KatachiError as KatachiError
    from katachi.evaluation.measure import measure as measure
    from katachi.evaluation.report import report as report
    from katachi.go.position import IllegalMove as IllegalMove
    from katachi.go.position import Position as Position
    from katachi.learning.base import Learner as Learner
    from katachi.learning.base import Settings as Settings
    from katachi.learning.base import option as option
    from katachi.learning.base import register_learner as register_learner
    from katachi.learning.bradley_terry.learner import BradleyTerryOptions as BradleyTerryOptions
    from katachi.learning.interactions.learner import FactorsOptions as FactorsOptions
    from katachi.learning.interactions.learner import HiddenOptions as HiddenOptions
    from katachi.learning.maxent.learner import MaxentOptions as MaxentOptions
    from katachi.learning.ranking.learner import RankingOptions as RankingOptions
    from katachi.learning.train import Work as Work
    from katachi.learning.train import train as train
    from katachi.library.build import build_library as build_library
    from katachi.library.file import Library as Library
    from katachi.library.similar import Similar as Similar
    from katachi.library.similar import similar as similar
    from katachi.match.play import play_match as play_match
    from katachi.match.record import MatchResult as MatchResult
    from katachi.match.settings import MatchSettings as MatchSettings
    from katachi.match.sprt import Sprt as Sprt
    from katachi.models.model import Model as Model
    from katachi.models.model import load_model as load_model
    from katachi.models.predictor import Predictor as Predictor
    from katachi.models.predictor import Ratings as Ratings
    from katachi.models.predictor import restored_predictor as restored_predictor
    from katachi.patterns.catalogue import ARAKI as ARAKI
    from katachi.patterns.catalogue import CONTEXT as CONTEXT
    from katachi.patterns.catalogue import COULOM as COULOM
    from katachi.patterns.catalogue import EXTENDED as EXTENDED
    from katachi.patterns.catalogue import PLAYOUT as PLAYOUT
    from katachi.patterns.catalogue import STERN as STERN
    from katachi.patterns.catalogue import WORDS as WORDS
    from katachi.patterns.catalogue import Catalogue as Catalogue
    from katachi.patterns.catalogue import register_catalogue as register_catalogue
    from katachi.patterns.competitions import Competitions as Competitions
    from katachi.patterns.competitions import describe_corpus as describe_corpus
    from katachi.patterns.competitions import load_competitions as load_competitions
    from katachi.patterns.describe import describe_position as describe_position
    from katachi.patterns.family import Family as Family
    from katachi.patterns.family import Level as Level
    from katachi.patterns.features import Features as Features
    from katachi.patterns.shapes.dictionary import Shapes as Shapes
    from katachi.patterns.shapes.dictionary import load_shapes as load_shapes
    from katachi.patterns.shapes.dictionary import merge_shapes as merge_shapes
    from katachi.patterns.shapes.harvest import harvest as harvest
    from katachi.records.corpus import Corpus as Corpus
    from katachi.records.filters import Filters as Filters
    from katachi.records.filters import select as select
    from katachi.records.game import Game as Game
    from katachi.records.read import read_games as read_games
    from katachi.records.record import parse_tree as parse_tree
    from katachi.records.sgf import parse_games as parse_games
    from katachi.search.engine import SearchPlayer as SearchPlayer
    from katachi.search.engine import search_player as search_player
    from katachi.search.gammas import playout_gammas as playout_gammas
    from katachi.search.pattern_player import PatternPlayer as PatternPlayer
    from katachi.search.player import Budget as Budget
    from katachi.search.player import Choice as Choice
    from katachi.search.settings import SearchSettings as SearchSettings
    from katachi.study.annotate import annotate as annotate
    from katachi.study.opinion import Opinion as Opinion
    from katachi.study.review import review as review
    from katachi.styles.style import Style as Style
    from katachi.styles.style import style as style
    from katachi.teams.estimator import BradleyTerry as BradleyTerry
    from katachi.teams.teams import Competition as Competition

# Module → the public names that it holds
_MODULES = {
    "katachi.errors": "KatachiError",
    "katachi.go.position": "Position IllegalMove",
    "katachi.records.game": "Game",
    "katachi.records.corpus": "Corpus",
    "katachi.records.read": "read_games",
    "katachi.records.sgf": "parse_games",
    "katachi.records.filters": "Filters select",
    "katachi.teams.estimator": "BradleyTerry",
    "katachi.patterns.catalogue": "COULOM EXTENDED PLAYOUT ARAKI STERN CONTEXT WORDS "
    "Catalogue register_catalogue",
    "katachi.patterns.family": "Family Level",
    "katachi.patterns.features": "Features",
    "katachi.models.model": "Model load_model",
    "katachi.models.predictor": "Predictor Ratings restored_predictor",
    "katachi.learning.base": "Settings Learner option register_learner",
    "katachi.learning.train": "Work train",
    "katachi.learning.bradley_terry.learner": "BradleyTerryOptions",
    "katachi.learning.ranking.learner": "RankingOptions",
    "katachi.learning.maxent.learner": "MaxentOptions",
    "katachi.learning.interactions.learner": "FactorsOptions HiddenOptions",
    "katachi.evaluation.measure": "measure",
    "katachi.evaluation.report": "report",
    "katachi.teams.teams": "Competition",
    "katachi.patterns.competitions": "Competitions describe_corpus load_competitions",
    "katachi.patterns.shapes.dictionary": "Shapes load_shapes merge_shapes",
    "katachi.patterns.describe": "describe_position",
    "katachi.patterns.shapes.harvest": "harvest",
    "katachi.library.build": "build_library",
    "katachi.library.file": "Library",
    "katachi.library.similar": "Similar similar",
    "katachi.styles.style": "Style style",
    "katachi.search.player": "Budget Choice",
    "katachi.search.pattern_player": "PatternPlayer",
    "katachi.search.engine": "SearchPlayer search_player",
    "katachi.search.settings": "SearchSettings",
    "katachi.search.gammas": "playout_gammas",
    "katachi.match.record": "MatchResult",
    "katachi.match.settings": "MatchSettings",
    "katachi.match.sprt": "Sprt",
    "katachi.match.play": "play_match",
    "katachi.study.opinion": "Opinion",
    "katachi.study.annotate": "annotate",
    "katachi.records.record": "parse_tree",
    "katachi.study.review": "review",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'katachi' has no attribute {name!r}")
