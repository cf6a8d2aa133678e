"""Models that learn move by move: Bayesian ranking, and plain frequency (Stern 2005 and 2006).

ranking     beliefs N(μ, σ²) about every member, one pass over the moves in order
frequency   each pattern is played with a probability of its own whenever it is there:
            (played + 1) / (seen + 2), independent of all else; of the moves of a position
            exactly one is, so their chances go as the odds
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from katachi.errors import KatachiError
from katachi.learning.ranking.filtering import Beliefs, prior_beliefs
from katachi.learning.ranking.learn import Learnt, learn_corpus
from katachi.learning.ranking.teams import first_members
from katachi.models.model import FREQUENCY, RANKING, Model, Ratings
from katachi.patterns.catalogue import CONTEXT, STERN, Catalogue
from katachi.patterns.features import Features
from katachi.records.corpus import Corpus

# Chosen on a split of training games: docs/results.md. Each member is told from N(0, 1): the more
# of them, the broader is the sum.
BETA: Final = 2.0  # of teams
ALONE_BETA: Final = 1.25  # where a move is its largest pattern and nothing else
CONTEXT_BETA: Final = 3.0

# progress(stage, done, of how many)
Progress: TypeAlias = Callable[[str, int, int], None]


def usual_beta(features: Features) -> float:
    """The beta for these features, unless one says otherwise."""
    if features.catalogue is CONTEXT:
        return CONTEXT_BETA
    return ALONE_BETA if features.catalogue is STERN and not features.all_radii else BETA


def check_ranking(learner: str, catalogue: Catalogue, beta: float | None) -> None:
    """Raises KatachiError for settings that make no sense."""
    if beta is not None and not 0.001 <= beta <= 1000:
        raise KatachiError(f"a beta of {beta} is not between 0.001 and 1000")
    if learner == FREQUENCY and catalogue is not STERN:
        raise KatachiError(
            f"the features {catalogue.name} are several to a move, which frequencies do not tell "
            "apart: --method frequency is for --features stern"
        )


def check_start(start: Model, learner: str, corpus: str) -> None:
    """Raises KatachiError unless the model can go on learning by this method from these games."""
    if start.method != learner:
        raise KatachiError(
            f"a model of the method {start.method} does not go on by {learner}: only models of "
            f"{RANKING} and {FREQUENCY} go on learning"
        )
    if corpus in [start.about.get("corpus"), *start.about.get("before", [])]:
        raise KatachiError("the model has learnt from exactly these games already: give others")


def rank(
    corpus: Corpus,
    features: Features,
    learner: str,
    beta: float,
    folder: Path,
    *,
    start: Model | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Model:
    """Learn from all moves of the corpus in order, with work in `folder`, where an interrupted run
    goes on to the same model.

    `start`: begin with what this model knows, whose dictionaries the features must contain.
    """
    members = first_members(features)[""]
    beliefs = prior_beliefs(members) if start is None else grown(start, features)
    learnt = learn_corpus(
        corpus,
        features,
        beta if learner == RANKING else None,
        folder,
        start=beliefs,
        jobs=jobs,
        progress=progress,
    )
    about: dict[str, Any] = {
        "members": members,
        "competitions": learnt.moves,
        "candidates": learnt.candidates,
        "log_evidence_while_learning": learnt.log_evidence / learnt.told if learnt.told else None,
    }
    if start is not None:
        before = [*start.about.get("before", []), start.about.get("corpus")]
        about |= {"before": before}
    return _model(learnt, features, learner, beta, about)


def _model(
    learnt: Learnt, features: Features, learner: str, beta: float, about: dict[str, Any]
) -> Model:
    firsts = first_members(features)
    mean, variance, wins, appearances = learnt.beliefs
    if learner == FREQUENCY:
        won, lost = wins + 1.0, appearances - wins.astype(np.float64) + 1.0
        mean, variance = np.log(won / lost), 1.0 / won + 1.0 / lost
    ratings = {}
    for family in features.families:
        part = slice(firsts[family.name], firsts[family.name] + family.size)
        ratings[family.name] = Ratings(
            np.exp(mean[part]).astype(np.float32),
            np.sqrt(variance[part]).astype(np.float32),
            wins[part],
            appearances[part],
        )
    return Model(
        features, ratings, about=about, method=learner, beta=beta if learner == RANKING else 0.0
    )


def grown(start: Model, features: Features) -> Beliefs:
    """What a model believes, about the members of features that contain its own: N(0, 1) about the
    new ones.
    """
    firsts = first_members(features)
    beliefs = prior_beliefs(firsts[""])
    old = {family.name: family for family in start.features.families}
    for family in features.families:
        if family.name not in old:
            continue
        ratings = start.ratings[family.name]
        if family.dictionary:
            keys, had = (f.dictionaries[family.dictionary].keys for f in (features, start.features))
            here = keys[family.first : family.first + family.size]
            there = had[old[family.name].first : old[family.name].first + old[family.name].size]
            order = np.argsort(here)
            places = firsts[family.name] + order[np.searchsorted(here, there, sorter=order)]
        else:
            places = firsts[family.name] + np.arange(family.size)
        beliefs.mean[places] = np.log(ratings.gamma.astype(np.float64))
        beliefs.variance[places] = ratings.error.astype(np.float64) ** 2
        beliefs.wins[places] = ratings.wins
        beliefs.appearances[places] = ratings.appearances
    return beliefs
