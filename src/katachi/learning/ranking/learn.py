"""Learning beliefs from a corpus, game by game, with a state that a later run goes on from."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias
from zipfile import BadZipFile

import numpy as np

from katachi.folders import write_whole
from katachi.learning.ranking.filtering import (
    EACH,
    Beliefs,
    Teams,
    learn,
    new_workspace,
    prior_beliefs,
)
from katachi.learning.ranking.teams import first_members, piece_games, pieces, team_width
from katachi.patterns.features import Features
from katachi.records.corpus import Corpus

SECONDS: Final = 30.0  # between two states on disk

# progress(stage, done, of how many)
Progress: TypeAlias = Callable[[str, int, int], None]


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
    start: Beliefs | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Learnt:
    """Go through all moves of the corpus, in order, from the prior or from `start`.

    beta: None only counts, how often each member was in a legal move and in the move played. The
    state goes to `folder` now and then, so that an interrupted run goes on there; whatever way it
    came, the result is the same to the last digit.
    """
    tell = progress or (lambda _stage, _done, _total: None)
    members = first_members(features)[""]
    path = folder / "beliefs.npz"
    learnt = _recall(path, members) or Learnt(start or prior_beliefs(members))
    space = new_workspace(members, team_width(features))
    saved = time.monotonic()
    each = piece_games(features)
    for teams in pieces(corpus, features, learnt.pieces * each, jobs):
        if beta is None:
            _count(learnt.beliefs, teams)
        else:
            learnt.log_evidence += learn(learnt.beliefs, teams, beta, space)
            learnt.told += -(-len(teams.winner) // EACH)
        learnt.pieces += 1
        learnt.moves += len(teams.winner)
        learnt.candidates += int(teams.times.sum())
        games = min(learnt.pieces * each, len(corpus))
        tell("learning" if beta is not None else "counting", games, len(corpus))
        if time.monotonic() - saved > SECONDS:
            _keep(path, learnt)
            saved = time.monotonic()
    return learnt


def _count(beliefs: Beliefs, teams: Teams) -> None:
    """Wins and appearances alone."""
    for column in teams.members.T:
        there = column >= 0
        np.add.at(beliefs.appearances, column[there], teams.times[there].astype(np.uint32))
        won = column[teams.starts[:-1] + teams.winner]
        np.add.at(beliefs.wins, won[won >= 0], np.uint32(1))


def _keep(path: Path, learnt: Learnt) -> None:
    buffer = io.BytesIO()
    state: dict[str, Any] = {name: getattr(learnt, name) for name in _NUMBERS}
    np.savez(buffer, **learnt.beliefs._asdict(), **state)
    write_whole(path, buffer.getvalue())


def _recall(path: Path, members: int) -> Learnt | None:
    """The state of a run before, if there is one that is whole and of as many members."""
    try:
        with np.load(io.BytesIO(path.read_bytes())) as found:
            beliefs = Beliefs(*(found[name] for name in Beliefs._fields))
            numbers = {name: found[name].item() for name in _NUMBERS}
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None
    if any(column.shape != (members,) for column in beliefs):
        return None
    return Learnt(beliefs, **numbers)


_NUMBERS: Final = ("pieces", "moves", "candidates", "told", "log_evidence")
