"""How to train: the settings of all methods, and whether they make sense."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from katachi.errors import KatachiError
from katachi.learning.bradley_terry.fit import TOLERANCE, check_fit
from katachi.learning.bradley_terry.prior import ONE_AND_ONE, Prior
from katachi.learning.entropy import MOST, Entropic, check_entropy
from katachi.learning.maxent.fit import WIDTH
from katachi.learning.pairs import pair_names
from katachi.learning.rank import check_ranking
from katachi.models.model import BRADLEY_TERRY, MAXENT, Model
from katachi.patterns.catalogue import COULOM, Catalogue
from katachi.records.corpus import Corpus

# Beyond this many positions a corpus is sampled, unless the caller says how
MANY_POSITIONS: Final = 400_000

# Memory of a ranking: what a shape takes at the most while it is learnt, and all else
MEMORY: Final = 4000
SHAPE_BYTES: Final = 200
FIXED_MB: Final = 600


@dataclass(frozen=True)
class Settings:
    """How to train. `all_radii`: None for the catalogue's own way.

    `min_count` and `min_candidates` are the appearances that a shape needs, around moves played and
    around all candidates; None for the catalogue's own. `positions_per_game`: None for all of them
    up to MANY_POSITIONS in all, 0 for all of them always. `without`: families or dictionaries that
    are left out. `field`: how many candidates of a position are kept (katachi.patterns.field), None
    for all; the pilot is fitted first, on PILOT_POSITIONS with all of theirs. `pairs`: "one*two",
    their combinations shown by `pair_count` candidates or more. `any_size`: whether boards of
    several sizes are learnt from together, which is a mistake more often than not.

    `learner`: one of katachi.models.model.METHODS. Ranking and frequency learn from every move of
    every game, in order (katachi.learning.rank), with `beta`, None for the usual one; what is about
    positions, the prior and the fit is not for them. Maximum entropy (katachi.learning.entropy)
    halves the games by the seed and ranks the best `rerank` moves anew, 0 for all, under
    constraints of a `width`; its fit has a tolerance, too. `memory_mb` bounds the patterns of these
    three. `tolerance`: None for the usual one.
    """

    catalogue: Catalogue = COULOM
    all_radii: bool | None = None
    min_count: int | None = None
    min_candidates: int | None = None
    owner: bool = False
    positions_per_game: int | None = None
    field: int | None = None
    prior: Prior = ONE_AND_ONE
    pairs: tuple[str, ...] = ()
    pair_count: int = 500
    without: tuple[str, ...] = ()
    method: str = "fast"
    tolerance: float | None = None
    max_iterations: int = 500
    seed: int = 1
    any_size: bool = False
    learner: str = BRADLEY_TERRY
    beta: float | None = None
    memory_mb: int = MEMORY
    width: float = WIDTH
    rerank: int = MOST

    @property
    def entropic(self) -> Entropic:
        """What is about maximum entropy."""
        return Entropic(self.width, self.rerank, self.tolerance, frozenset(self.without))

    def plan(self) -> dict[str, Any]:
        """The settings as JSON."""
        plan = dict(self.__dict__)
        plan["catalogue"] = self.catalogue.name
        return dict(json.loads(json.dumps(plan)))


def continued_settings(start: Model, settings: Settings) -> Settings:
    """The settings by which a model goes on: what it is made of stays as it is."""
    features = start.features
    return replace(
        settings,
        catalogue=features.catalogue,
        all_radii=features.all_radii,
        owner=features.owner,
        without=tuple(sorted(features.without)),
        beta=start.beta or settings.beta,
    )


def check_settings(settings: Settings) -> None:
    """Raises KatachiError for settings that make no sense, whatever the games are."""
    tolerance = TOLERANCE if settings.tolerance is None else settings.tolerance
    check_fit(settings.prior, settings.method, tolerance)
    if settings.learner == MAXENT:
        check_entropy(settings.catalogue, settings.all_radii, settings.entropic)
    elif settings.learner != BRADLEY_TERRY:
        check_ranking(settings.learner, settings.catalogue, settings.beta)
    if settings.learner != BRADLEY_TERRY and settings.pairs:
        raise KatachiError(f"pairs are not for --method {settings.learner}: leave out --pair")
    if settings.field is not None and settings.field < 4:
        raise KatachiError(f"a field of {settings.field} candidates is too small: 4 is the least")
    catalogue = settings.catalogue
    known = [f.name for f in catalogue.families]
    for plan in catalogue.harvests:
        known += [plan.dictionary, *(f"{plan.dictionary}-{r}" for r in plan.templates.radii)]
    for name in settings.without:
        if name not in known:
            raise KatachiError(
                f"the features {catalogue.name} have no {name!r} to leave out: {', '.join(known)}"
            )
    left = {f.name for f in catalogue.families if settings.owner or not f.slow}
    left |= {plan.dictionary for plan in catalogue.harvests}
    if left <= set(settings.without):
        raise KatachiError("no family is left to learn: leave out less")
    pairs = [frozenset(pair_names(pair)) for pair in settings.pairs]
    for text, pair in zip(settings.pairs, pairs, strict=True):
        for name in sorted(pair.difference(known)):
            raise KatachiError(
                f"the features {catalogue.name} have no {name!r} for {text!r}: {', '.join(known)}"
            )
        if pairs.count(pair) > 1:
            raise KatachiError(f"the pair {text} is named twice: name it once")


def check_corpus(corpus: Corpus, any_size: bool) -> None:
    """Raises KatachiError if there are fewer than two games, or boards of several sizes, unless
    they may be of any.
    """
    if len(corpus) < 2:
        what = "one game is" if len(corpus) else "no games are"
        raise KatachiError(f"{what} too few to learn from: give some hundred")
    sizes, counts = np.unique(corpus.size, return_counts=True)
    if len(sizes) > 1 and not any_size:
        what = ", ".join(f"{n:,} on {s}x{s}" for s, n in zip(sizes, counts, strict=True))
        raise KatachiError(
            f"the games are on boards of several sizes ({what}): choose by --size, or take all of "
            "them by --any-size"
        )


def positions_wanted(corpus: Corpus, settings: Settings) -> int | None:
    """How many positions of each game are described; None for all."""
    if settings.positions_per_game is not None:
        return settings.positions_per_game or None
    moves = int(corpus.moves.sum())
    return None if moves <= MANY_POSITIONS else max(1, MANY_POSITIONS // len(corpus))
