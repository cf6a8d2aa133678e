"""The learners `factors` and `hidden`: describe positions, fit the linear model of Bradley and
Terry, then learn from there what features are worth together. In the folder of their work, beside
what the learner `bradley-terry` keeps there:

linear.katachi      the linear model
learnt-0.npz        what is learnt so far (katachi.learning.interactions.epochs)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from katachi.errors import KatachiError
from katachi.learning.base import Learner, Settings, option
from katachi.learning.bradley_terry.described import Described
from katachi.learning.bradley_terry.fit import TOLERANCE, check_tolerance
from katachi.learning.bradley_terry.learner import (
    MANY_POSITIONS,
    BradleyTerryOptions,
    Sample,
    describe_sample,
    fit_model,
    positions_notice,
)
from katachi.learning.bradley_terry.prior import Prior, check_prior
from katachi.learning.interactions.epochs import Learnt, learn_epochs
from katachi.learning.interactions.groups import Data, shared_times
from katachi.learning.interactions.parameters import Fixed, Parameters, Recipe, new_parameters
from katachi.learning.interactions.predictor import MOST_WIDTH, FactorsPredictor, HiddenPredictor
from katachi.learning.interactions.stored import KINDS, stored
from katachi.learning.train import Work
from katachi.models.model import Model, load_model
from katachi.models.predictor import Predictor, Ratings
from katachi.patterns.catalogue import EXTENDED
from katachi.patterns.competitions import Competitions
from katachi.patterns.features import Features
from katachi.progress import Progress, silent
from katachi.records.corpus import Corpus

LINEAR_PRIOR: Final = Prior(4.0, 4.0)


@dataclass(frozen=True)
class _Options:
    """What the two have in common. `positions_per_game`, `field`, `prior` and `tolerance` as
    those of `BradleyTerryOptions`: the last two are of the linear fit. `w_…`: of the linear part,
    whose prior is around the linear fit.
    """

    positions_per_game: int | None = option(
        None,
        "--positions-per-game N",
        "Learn from N positions of each game, chosen at random; 0: from all of them",
        int,
        usual=f"all up to {MANY_POSITIONS:,} in all games, else about that many",
        least=0,
    )
    field: int | None = option(
        48,
        "--field N",
        "Keep only N legal moves of each position, with weights, so that they stand for all",
        int,
        least=4,
    )
    prior: Prior = option(
        LINEAR_PRIOR,
        "--prior GAMES",
        "Give each feature this many virtual wins, and as many losses, against a gamma of 1, in "
        "the linear fit that is learnt from",
        float,
        usual="4",
        value=lambda games: Prior(games, games),
    )
    tolerance: float = option(
        TOLERANCE,
        "--tolerance SHARE",
        "Stop the linear fit when an iteration gains less than this share of the log-posterior",
        float,
    )
    stored: str = option(
        "int8", "--stored", "How the model keeps embeddings: in 1, 2 or 4 bytes a number", KINDS
    )
    w_rate: float = 0.02
    w_prior: float = 4.0
    layer_rate: float = 0.04
    batch: int = 16

    @property
    def width(self) -> int:
        """How many numbers an embedding has."""
        raise NotImplementedError


def _epochs(usual: int) -> Any:
    return option(usual, "--epochs N", "How often each position is visited", int, least=1)


def _rate(usual: float) -> Any:
    return option(
        usual, "--rate STEP", "How far embeddings move in a step, before the first one", float
    )


def _embedding_prior(usual: float) -> Any:
    return option(
        usual,
        "--embedding-prior LAMBDA",
        "How strongly embeddings are held near 0: LAMBDA / 2 times the sum of their squares",
        float,
    )


@dataclass(frozen=True)
class FactorsOptions(_Options):
    """Options of `factors`."""

    rank: int = option(
        16, "--rank K", "How many numbers an embedding of a feature has", int, least=1
    )
    epochs: int = _epochs(2)
    rate: float = _rate(0.1)
    embedding_prior: float = _embedding_prior(48.0)

    @property
    def width(self) -> int:
        """How many numbers an embedding has."""
        return self.rank


@dataclass(frozen=True)
class HiddenOptions(_Options):
    """Options of `hidden`."""

    units: int = option(32, "--units K", "How many hidden units there are", int, least=1)
    epochs: int = _epochs(4)
    rate: float = _rate(0.2)
    embedding_prior: float = _embedding_prior(8.0)

    @property
    def width(self) -> int:
        """How many numbers an embedding has."""
        return self.units


def _check(settings: Settings) -> None:
    options: FactorsOptions | HiddenOptions = settings.options
    check_prior(options.prior)
    check_tolerance(options.tolerance)
    if options.field is not None and options.field < 4:
        raise KatachiError(f"a field of {options.field} candidates is too small: 4 is the least")
    if not 1 <= options.width <= MOST_WIDTH:
        raise KatachiError(
            f"embeddings of {options.width} numbers are not between 1 and {MOST_WIDTH}"
        )
    if options.epochs < 1:
        raise KatachiError(f"{options.epochs} epochs are too few: 1 is the least")
    if options.batch < 1:
        raise KatachiError(f"a batch of {options.batch} positions is too small: 1 is the least")
    for name in ("rate", "embedding_prior", "w_rate", "w_prior", "layer_rate"):
        value = getattr(options, name)
        if not 0 <= value < 1e6:
            raise KatachiError(f"{name.replace('_', ' ')} {value} is not between 0 and a million")
    if options.stored not in KINDS:
        raise KatachiError(
            f"embeddings are not stored as {options.stored!r}: it is one of {', '.join(KINDS)}"
        )


def _notice(corpus: Corpus, settings: Settings) -> str:
    return positions_notice(corpus, settings.options.positions_per_game, "learning from")


def _learn(work: Work) -> Model:
    options: FactorsOptions | HiddenOptions = work.settings.options
    features = work.features(position=True)
    how = BradleyTerryOptions(
        positions_per_game=options.positions_per_game,
        field=options.field,
        prior=options.prior,
        tolerance=options.tolerance,
    )
    sample = describe_sample(work, features, how)
    with work.stage("fit"):
        linear = linear_model(work, sample, features, how)
    with work.stage("learn"):
        return interacting_model(
            sample,
            linear,
            options,
            work.settings.seed,
            kept=work.folder / "learnt",
            progress=work.tell,
        )


def linear_model(
    work: Work, sample: Sample, features: Features, options: BradleyTerryOptions
) -> Model:
    """The linear model of these positions, which is kept in the folder."""
    path = work.folder / "linear.katachi"
    if not path.exists():
        fitted = fit_model(
            sample.competitions,
            features,
            options,
            kept=work.folder / "fit.journal",
            start=sample.start,
            jobs=work.jobs,
            progress=work.tell,
        )
        fitted.save(path)
    # From the file in any case, so that it is the same to the last digit.
    return load_model(path, catalogues=[work.settings.catalogue])


def interacting_model(
    sample: Sample,
    linear: Model,
    options: FactorsOptions | HiddenOptions,
    seed: int,
    *,
    kept: Path | None = None,
    progress: Progress = silent,
) -> Model:
    """The model with interactions that is learnt from these positions, beginning with their linear
    model. What is found on the way goes to `kept`, see `learn_epochs`.
    """
    competitions = sample.competitions
    learnt = learn_interactions(competitions, linear, options, seed, kept=kept, progress=progress)
    about = {
        **linear.about,
        "positions_per_game": sample.positions,
        "seed": seed,
        "embeddings": int(learnt.parameters.v.shape[0] + learnt.parameters.u.shape[0]),
        "linear_log_evidence": linear.about["log_likelihood"] / competitions.count,
        "log_evidence_while_learning": [
            total / competitions.count for total in learnt.log_evidence
        ],
    }
    for name in ("log_likelihood", "log_posterior"):
        del about[name]  # of the linear model
    return Model(linear.features, predictor_of(learnt.parameters, linear, options), about)


def learn_interactions(
    competitions: Competitions,
    linear: Model,
    options: FactorsOptions | HiddenOptions,
    seed: int,
    *,
    kept: Path | None = None,
    progress: Progress = silent,
) -> Learnt:
    """What is learnt from competitions, beginning with the linear model of the same competitions.

    What is found on the way goes to `kept`, see `learn_epochs`.
    """
    names = list(linear.predictor.families)
    sizes = {f.name: f.size for f in linear.features.position_families}
    shards = competitions.shards
    data = Data(
        Described(competitions, names),
        list(sizes.values()),
        lambda number: list(shards.some(number, list(sizes)).values()),
    )
    ratings = linear.predictor.ratings
    weights = np.log(np.concatenate([ratings[n].gamma for n in names]).astype(np.float64))
    times = np.concatenate([ratings[n].appearances for n in names]).astype(np.int64)
    fixed = Fixed(weights, times, shared_times(data))
    layer = isinstance(options, HiddenOptions)
    start = new_parameters(weights, len(fixed.shared_times), options.width, layer, seed)
    # What never occurs is never changed: at 0 it says nothing.
    start.v[times == 0] = 0.0
    start.u[fixed.shared_times == 0] = 0.0
    recipe = Recipe(
        options.w_rate,
        options.rate,
        options.layer_rate,
        options.w_prior,
        options.embedding_prior,
        options.batch,
    )
    return learn_epochs(
        data, start, fixed, recipe, options.epochs, seed, kept=kept, progress=progress
    )


def predictor_of(
    parameters: Parameters, linear: Model, options: FactorsOptions | HiddenOptions
) -> Predictor:
    """The predictor of what was learnt: errors and counts are those of the linear model."""
    ratings, first = {}, 0
    ends = np.finfo(np.float32)
    for name, found in linear.predictor.ratings.items():
        last = first + len(found.gamma)
        gamma = np.clip(np.exp(parameters.w[first:last]), ends.tiny, ends.max).astype(np.float32)
        ratings[name] = Ratings(gamma, found.error, found.wins, found.appearances)
        first = last
    common: dict[str, Any] = {
        "ratings": ratings,
        "features": stored(parameters.v, options.stored),
        "shared": stored(parameters.u, options.stored),
        "position": {f.name: f.size for f in linear.features.position_families},
    }
    if isinstance(options, FactorsOptions):
        return FactorsPredictor(**common)
    a, b = parameters.a.astype(np.float32), parameters.b.astype(np.float32)
    return HiddenPredictor(**common, weights=a, biases=b)


def _summary(model: Model) -> list[str]:
    about = model.about
    passes = ", ".join(f"{value:.3f}" for value in about["log_evidence_while_learning"])
    return [
        f"{about['gammas']:,} gammas and {about['embeddings']:,} embeddings; log-evidence on "
        f"these positions {about['linear_log_evidence']:.3f} by the gammas alone, {passes} in the "
        "passes, each position before it was learnt from"
    ]


FACTORS: Final = Learner(
    "factors",
    "features, and what two of them are worth together (Wistuba 2013)",
    EXTENDED,
    _learn,
    FactorsOptions,
    _check,
    _notice,
    _summary,
)
HIDDEN: Final = Learner(
    "hidden",
    "features, and a layer of hidden units",
    EXTENDED,
    _learn,
    HiddenOptions,
    _check,
    _notice,
    _summary,
)
