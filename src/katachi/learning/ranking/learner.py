"""The learner `ranking`: beliefs N(μ, σ²) about every member, one pass over the moves in order
(Stern 2005 and 2006).

beliefs-0.npz   in the folder of its work: what is believed so far (katachi.learning.ranking.learn)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from katachi.errors import KatachiError
from katachi.learning.base import Learner, Settings, option
from katachi.learning.ranking.filtering import Beliefs
from katachi.learning.ranking.learn import Learnt, learn_corpus
from katachi.learning.ranking.positions import first_members
from katachi.learning.ranking.predictor import HighestScore
from katachi.learning.train import Work
from katachi.models.model import Model
from katachi.models.predictor import Ratings
from katachi.patterns.catalogue import CONTEXT, STERN
from katachi.patterns.features import Features
from katachi.patterns.shapes.answers import Answers

# Chosen on a split of training games: docs/results. Each member is told from N(0, 1): the more
# of them, the broader is the sum.
BETA: Final = 2.0  # of teams
ALONE_BETA: Final = 1.25  # where a move is its largest pattern and nothing else
CONTEXT_BETA: Final = 3.0


@dataclass(frozen=True)
class RankingOptions:
    """`beta`: None for the usual one of the features."""

    beta: float | None = option(
        None,
        "--beta DEVIATION",
        "How much the score of a move varies around that of its team",
        float,
        usual=f"{BETA:g}, with the features context {CONTEXT_BETA:g}, with the largest patterns "
        f"alone {ALONE_BETA:g}",
        stays=True,
    )


def _check(settings: Settings) -> None:
    beta = settings.options.beta
    if beta is not None and not 0.001 <= beta <= 1000:
        raise KatachiError(f"a beta of {beta} is not between 0.001 and 1000")


def usual_beta(features: Features) -> float:
    """The beta for these features, unless one says otherwise."""
    if features.catalogue is CONTEXT:
        return CONTEXT_BETA
    return ALONE_BETA if features.catalogue is STERN and not features.all_radii else BETA


def _learn(work: Work) -> Model:
    features = work.features()
    beta = work.settings.options.beta
    beta = usual_beta(features) if beta is None else beta
    learnt = learn_moves(work, features, beta)
    predictor = HighestScore(ratings_of_members(learnt.beliefs, features), beta=beta)
    return Model(features, predictor, about_learning(learnt, work.start))


def learn_moves(work: Work, features: Features, beta: float | None) -> Learnt:
    """What the games of this work say: see `learn_corpus`."""
    with work.stage("learn"):
        return learn_corpus(
            work.corpus,
            features,
            beta,
            work.folder,
            before=work.start,
            jobs=work.jobs,
            progress=work.tell,
        )


def ratings_of_members(beliefs: Beliefs, features: Features) -> dict[str, Ratings]:
    """Beliefs as the ratings of families."""
    firsts = first_members(features)
    ratings = {}
    for family in features.families:
        part = slice(firsts[family.name], firsts[family.name] + family.size)
        ratings[family.name] = Ratings(
            np.exp(beliefs.mean[part]).astype(np.float32),
            np.sqrt(beliefs.variance[part]).astype(np.float32),
            beliefs.wins[part],
            beliefs.appearances[part],
        )
    return ratings


def about_learning(learnt: Learnt, start: Model | None) -> dict[str, Any]:
    """What a model that has learnt move by move tells about itself."""
    about: dict[str, Any] = {
        "members": len(learnt.beliefs.mean),
        "competitions": learnt.moves,
        "candidates": learnt.candidates,
        "log_evidence_while_learning": learnt.log_evidence / learnt.told if learnt.told else None,
    }
    if start is not None:
        about["before"] = [*start.about.get("before", []), start.about.get("corpus")]
    return about


def _goes_on(start: Model, options: RankingOptions) -> RankingOptions:
    assert isinstance(start.predictor, HighestScore)
    return replace(options, beta=start.predictor.beta)


def pattern_sizes(model: Model) -> list[str]:
    """How many patterns of each template a model knows."""
    lines = []
    for shapes in model.features.dictionaries.values():
        if shapes.rule == "played":
            counts = enumerate(shapes.per_template().items(), 1)
            answers = isinstance(shapes.templates, Answers)
            sizes = ", ".join(f"{name if answers else f'T{i}'} {n:,}" for i, (name, n) in counts)
            lines.append(f"{sizes}; each played {shapes.min_count} times or more")
    return lines


def _summary(model: Model) -> list[str]:
    assert isinstance(model.predictor, HighestScore)
    evidence = model.about["log_evidence_while_learning"]
    return [
        *pattern_sizes(model),
        f"beta {model.predictor.beta:g}; log-evidence while learning {evidence:.3f}",
    ]


LEARNER: Final = Learner(
    "ranking",
    "Bayesian ranking, move by move (Stern 2005)",
    STERN,
    _learn,
    RankingOptions,
    _check,
    summary=_summary,
    unused=frozenset({"seed"}),
    goes_on=_goes_on,
)
