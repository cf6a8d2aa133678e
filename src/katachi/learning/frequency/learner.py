"""The learner `frequency`: each pattern is played with a probability of its own whenever it is
there, (played + 1) / (seen + 2), independent of all else (Stern 2006). Of the moves of a position
exactly one is played, so their chances go as the odds.

beliefs-0.npz   in the folder of its work: what is counted so far (katachi.learning.ranking.learn)
"""

from __future__ import annotations

from typing import Final

import numpy as np

from katachi.errors import KatachiError
from katachi.learning.base import Learner, NoOptions, Settings
from katachi.learning.ranking.filtering import Beliefs
from katachi.learning.ranking.learner import (
    about_learning,
    learn_moves,
    pattern_sizes,
    ratings_of_members,
)
from katachi.learning.train import Work
from katachi.models.model import Model
from katachi.models.predictor import Predictor
from katachi.patterns.catalogue import STERN


def _check(settings: Settings) -> None:
    if settings.catalogue is not STERN:
        raise KatachiError(
            f"the features {settings.catalogue.name} are several to a move, which frequencies do "
            "not tell apart: --method frequency is for --features stern"
        )


def _learn(work: Work) -> Model:
    features = work.features()
    learnt = learn_moves(work, features, None)
    _, _, wins, appearances = learnt.beliefs
    won, lost = wins + 1.0, appearances - wins.astype(np.float64) + 1.0
    odds = Beliefs(np.log(won / lost), 1.0 / won + 1.0 / lost, wins, appearances)
    predictor = Predictor(ratings_of_members(odds, features), learner="frequency")
    return Model(features, predictor, about_learning(learnt, work.start))


def _goes_on(_start: Model, options: NoOptions) -> NoOptions:
    return options


LEARNER: Final = Learner(
    "frequency",
    "how often each pattern is played where it can be",
    STERN,
    _learn,
    check=_check,
    summary=pattern_sizes,
    unused=frozenset({"seed"}),
    goes_on=_goes_on,
)
