"""Learning beliefs from a corpus, game by game, with a state that a later run goes on from."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from katachi.learning.journal import Ring
from katachi.learning.ranking.filtering import (
    EACH,
    Beliefs,
    Positions,
    learn,
    new_workspace,
    prior_beliefs,
)
from katachi.learning.ranking.positions import first_members, piece_games, pieces, team_width
from katachi.models.model import Model
from katachi.patterns.features import Features
from katachi.progress import Progress, silent
from katachi.records.corpus import Corpus

SECONDS: Final = 30.0  # between two states on disk


@dataclass
class Learnt:
    """What was learnt, and from how much."""

    beliefs: Beliefs
    pieces: int = 0  # done, in order
    moves: int = 0
    candidates: int = 0
    told: int = 0  # moves whose evidence was taken while learning,
    log_evidence: float = 0.0  # and its sum


def learn_corpus(
    corpus: Corpus,
    features: Features,
    beta: float | None,
    folder: Path,
    *,
    before: Model | None = None,
    jobs: int = 1,
    progress: Progress = silent,
) -> Learnt:
    """Go through all moves of the corpus, in order, from the prior, or from what the model `before`
    knows, whose dictionaries the features must contain.

    beta: None only counts, how often each member was in a legal move and in the move played. The
    state goes to `folder` now and then, so that an interrupted run goes on there; whatever way it
    came, the result is the same to the last digit.
    """
    members = first_members(features)[""]
    ring = Ring(folder / "beliefs", 1)
    learnt = _recalled(ring, members) or Learnt(
        prior_beliefs(members) if before is None else grown(before, features)
    )
    space = new_workspace(members, team_width(features))
    saved = time.monotonic()
    each = piece_games(features)
    for positions in pieces(corpus, features, learnt.pieces * each, jobs):
        if beta is None:
            _count(learnt.beliefs, positions)
        else:
            learnt.log_evidence += learn(learnt.beliefs, positions, beta, space)
            learnt.told += -(-len(positions.winner) // EACH)
        learnt.pieces += 1
        learnt.moves += len(positions.winner)
        learnt.candidates += int(positions.times.sum())
        games = min(learnt.pieces * each, len(corpus))
        progress("learning" if beta is not None else "counting", games, len(corpus))
        if time.monotonic() - saved > SECONDS:
            ring.note(learnt.pieces, _state(learnt))
            saved = time.monotonic()
    return learnt


def grown(model: Model, features: Features) -> Beliefs:
    """What a model believes, about the members of features that contain its own: N(0, 1) about the
    new ones.
    """
    firsts = first_members(features)
    beliefs = prior_beliefs(firsts[""])
    old = {family.name: family for family in model.features.families}
    for family in features.families:
        if family.name not in old:
            continue
        ratings = model.predictor.ratings[family.name]
        if family.dictionary:
            keys, had = (f.dictionaries[family.dictionary].keys for f in (features, model.features))
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


def _count(beliefs: Beliefs, positions: Positions) -> None:
    """Wins and appearances alone."""
    for column in positions.members.T:
        there = column >= 0
        np.add.at(beliefs.appearances, column[there], positions.times[there].astype(np.uint32))
        won = column[positions.starts[:-1] + positions.winner]
        np.add.at(beliefs.wins, won[won >= 0], np.uint32(1))


_NUMBERS: Final = ("pieces", "moves", "candidates", "told", "log_evidence")


def _state(learnt: Learnt) -> dict[str, Any]:
    return learnt.beliefs._asdict() | {name: getattr(learnt, name) for name in _NUMBERS}


def _recalled(ring: Ring, members: int) -> Learnt | None:
    """The state of a run before, if there is one of as many members."""
    for found in ring.recall():
        beliefs = Beliefs(*(found[name] for name in Beliefs._fields))
        if all(column.shape == (members,) for column in beliefs):
            return Learnt(beliefs, **{name: found[name].item() for name in _NUMBERS})
    return None
