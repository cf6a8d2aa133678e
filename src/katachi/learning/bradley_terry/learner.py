"""The learner `bradley-terry`: describe positions, then fit a gamma to every level of every family
(Coulom 2007). In the folder of its work:

competitions/           the described positions, shard by shard
pilot/, pilot.katachi   where a field is sampled: a rough model, and what it was fitted on
fit.journal             what the fit has found so far (katachi.learning.journal)
owner/, owner.journal   the same of a fit of the owner that comes last
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.learning.base import Learner, Settings, family_names, option
from katachi.learning.bradley_terry.columns import layout
from katachi.learning.bradley_terry.described import Described
from katachi.learning.bradley_terry.fit import FITS, TOLERANCE, Fit, check_fit, fit, standard_errors
from katachi.learning.bradley_terry.pairs import frequent_pairs, pair_names, parse_pair
from katachi.learning.bradley_terry.prior import ONE_AND_ONE, Prior
from katachi.learning.train import Work
from katachi.models.model import Model, load_model
from katachi.models.pairs import Pair
from katachi.models.predictor import Predictor, Ratings
from katachi.patterns.catalogue import COULOM
from katachi.patterns.competitions import Competitions, Span, span_of
from katachi.patterns.features import Features
from katachi.patterns.field import Field
from katachi.progress import Progress, silent, stage
from katachi.records.corpus import Corpus

# Beyond this many positions a corpus is sampled, unless the caller says how
MANY_POSITIONS: Final = 400_000
PILOT_POSITIONS: Final = 20_000
PILOT_TOLERANCE: Final = 1e-4


@dataclass(frozen=True)
class BradleyTerryOptions:
    """`positions_per_game`: None for all of them up to MANY_POSITIONS in all, 0 for all of them
    always. `field`: how many candidates of a position are kept (katachi.patterns.field), None for
    all; the pilot is fitted first, on PILOT_POSITIONS with all of theirs. `pairs`: "one*two", their
    combinations shown by `pair_count` candidates or more.
    """

    positions_per_game: int | None = option(
        None,
        "--positions-per-game N",
        "Fit on N positions of each game, chosen at random; 0: on all of them",
        int,
        usual=f"all up to {MANY_POSITIONS:,} in all games, else about that many",
        least=0,
    )
    field: int | None = option(
        None,
        "--field N",
        "Keep only N legal moves of each position, with weights, so that they stand for all",
        int,
        usual="all legal moves",
        least=4,
    )
    moves: Span | None = option(
        None,
        "--moves A-B",
        "Fit on the moves A to B of each game only",
        str,
        usual="all moves",
        value=span_of,
    )
    owner_positions: int | None = option(
        None,
        "--owner-positions N",
        "With --owner: fit the owner last, on N positions of each game, with all else held",
        int,
        usual="together with all other features",
        least=1,
    )
    prior: Prior = option(
        ONE_AND_ONE,
        "--prior GAMES",
        "Give each feature this many virtual wins, and as many losses, against a gamma of 1",
        float,
        usual="1",
        value=lambda games: Prior(games, games),
    )
    pairs: tuple[str, ...] = option(
        (),
        "--pair A*B",
        "Rate the frequent combinations of two families, too; may be given again",
        many=True,
    )
    pair_count: int = option(
        500,
        "--pair-count N",
        "How many legal moves must show a combination of --pair for it to be rated",
        int,
        least=1,
    )
    fit: str = option(
        "fast",
        "--fit",
        "How to fit. mm: plain minorization-maximization; fast: faster steps to the same maximum",
        FITS,
    )
    tolerance: float = option(
        TOLERANCE,
        "--tolerance SHARE",
        "Stop when an iteration gains less than this share of the log-posterior",
        float,
    )
    max_iterations: int = 500


def _check(settings: Settings) -> None:
    options: BradleyTerryOptions = settings.options
    check_fit(options.prior, options.fit, options.tolerance)
    if options.field is not None and options.field < 4:
        raise KatachiError(f"a field of {options.field} candidates is too small: 4 is the least")
    features, known = settings.catalogue.name, family_names(settings.catalogue)
    if options.owner_positions is not None:
        if not settings.owner:
            raise KatachiError("--owner-positions is about the owner: give --owner, too")
        slow = {f.name for f in settings.catalogue.families if f.slow}
        for text in options.pairs:
            if slow & set(pair_names(text)):
                raise KatachiError(
                    f"{text} cannot be fitted when the owner comes last: omit --owner-positions"
                )
    pairs = [frozenset(pair_names(pair)) for pair in options.pairs]
    for text, pair in zip(options.pairs, pairs, strict=True):
        for name in sorted(pair.difference(known)):
            raise KatachiError(
                f"the features {features} have no {name!r} for {text!r}: {', '.join(known)}"
            )
        if pairs.count(pair) > 1:
            raise KatachiError(f"the pair {text} is named twice: name it once")


def positions_wanted(corpus: Corpus, positions_per_game: int | None) -> int | None:
    """How many positions of each game are described, by the option; None for all."""
    if positions_per_game is not None:
        return positions_per_game or None
    moves = int(corpus.moves.sum())
    return None if moves <= MANY_POSITIONS else max(1, MANY_POSITIONS // len(corpus))


def positions_notice(corpus: Corpus, positions_per_game: int | None, how: str) -> str:
    """What to say of that before anything is done; "" for nothing."""
    sampled = positions_wanted(corpus, positions_per_game)
    if sampled is None:
        return ""
    return f"{how} {sampled} positions of each game (--positions-per-game)"


def _notice(corpus: Corpus, settings: Settings) -> str:
    return positions_notice(corpus, settings.options.positions_per_game, "fitting on")


class Sample(NamedTuple):
    """The competitions that a model is fitted on: so many positions of each game, None for all.
    `start`: gammas to begin with, of the pilot, if there was one.
    """

    competitions: Competitions
    positions: int | None
    start: npt.NDArray[np.float64] | None


def describe_sample(work: Work, features: Features, options: BradleyTerryOptions) -> Sample:
    """The positions and candidates that the options want; a field is sampled by a pilot."""
    positions = positions_wanted(work.corpus, options.positions_per_game)
    field, start = None, None
    if options.field is not None:
        with work.stage("pilot"):
            pilot = _pilot(work, features, options)
        ratings = pilot.predictor.ratings
        field = Field(options.field, pilot.predictor.factors)
        start = np.concatenate([r.gamma for r in ratings.values()]).astype(np.float64)
    with work.stage("describe"):
        competitions = work.describe(
            features,
            positions_per_game=positions,
            seed=work.settings.seed,
            field=field,
            span=options.moves,
        )
    if not competitions.count:
        raise KatachiError(
            "no game has a move to learn from among those that --moves names: give others"
        )
    return Sample(competitions, positions, start)


def _learn(work: Work) -> Model:
    options: BradleyTerryOptions = work.settings.options
    features = work.features()
    last = options.owner_positions
    first = features if last is None else replace(features, owner=False)
    wanted = [parse_pair(p, {f.name: f.size for f in first.families}) for p in options.pairs]
    competitions, positions, start = describe_sample(work, first, options)
    with work.stage("fit"):
        model = fit_model(
            competitions,
            first,
            options,
            pairs=frequent_pairs(competitions, wanted, options.pair_count),
            kept=work.folder / "fit.journal",
            start=None if wanted else start,
            jobs=work.jobs,
            progress=work.tell,
        )
    if last is not None:
        model = _with_slow(work, features, model, last)
    return model.with_about(seed=work.settings.seed, positions_per_game=positions)


def _with_slow(work: Work, features: Features, model: Model, positions: int) -> Model:
    """The model with the slow families of these features, too, fitted on so many positions of each
    game with the ratings of the model held (Coulom 2007, section 3.5).
    """
    options: BradleyTerryOptions = work.settings.options
    with work.stage("describe for the owner"):
        competitions = work.describe(
            features,
            into="owner",
            told="describing for the owner",
            positions_per_game=positions,
            seed=work.settings.seed + 2,
            span=options.moves,
        )
    known = model.predictor.ratings
    names = [family.name for family in features.families]
    pairs = model.predictor.pairs
    data = Described(competitions, names, pairs)
    whole = [*names, *(pair.name for pair in pairs)]
    first = layout(data.levels)
    start = np.concatenate(
        [
            known[name].gamma.astype(np.float64) if name in known else np.ones(size)
            for name, size in zip(whole, data.levels, strict=True)
        ]
    )
    with work.stage("fit the owner"):
        found = fit(
            data,
            prior=options.prior,
            method=options.fit,
            tolerance=options.tolerance,
            max_iterations=options.max_iterations,
            start=start,
            held=[f for f, name in enumerate(whole) if name in known],
            jobs=work.jobs,
            kept=work.folder / "owner.journal",
            progress=stage(work.tell, "fitting the owner"),
        )
        errors = standard_errors(data, found.gamma, prior=options.prior, jobs=work.jobs)
    ratings = {
        name: known[name] if name in known else _rated(found, errors, first[f], first[f + 1])
        for f, name in enumerate(whole)
    }
    about = {
        **model.about,
        "gammas": len(found.gamma),
        "owner_competitions": competitions.count,
        "owner_log_likelihood": found.log_likelihood,
    }
    return Model(features, Predictor(ratings, pairs), about)


def _pilot(work: Work, features: Features, options: BradleyTerryOptions) -> Model:
    """A rough model of few positions with all their candidates, and the start of the fit."""
    settings = work.settings
    path = work.folder / "pilot.katachi"
    if path.exists():
        return load_model(path, catalogues=[settings.catalogue])
    competitions = work.describe(
        features,
        into="pilot",
        told="describing for the pilot",
        positions_per_game=max(1, PILOT_POSITIONS // len(work.corpus)),
        seed=settings.seed + 1,
        span=options.moves,
    )
    tolerance = max(options.tolerance, PILOT_TOLERANCE)
    pilot = fit_model(
        competitions,
        features,
        replace(options, tolerance=tolerance),
        jobs=work.jobs,
        progress=stage(work.tell, "fitting the pilot"),
    )
    pilot.save(path)
    return pilot


def fit_model(
    competitions: Competitions,
    features: Features,
    options: BradleyTerryOptions,
    *,
    pairs: tuple[Pair, ...] = (),
    kept: Path | None = None,
    start: npt.NDArray[np.float64] | None = None,
    jobs: int = 1,
    progress: Progress = silent,
) -> Model:
    """The model of these features, fitted to competitions that have their columns.

    What is found on the way goes to `kept`, from where a fit that was interrupted goes on. `start`:
    gammas to begin with.
    """
    names = [family.name for family in features.families]
    data = Described(competitions, names, pairs)
    first = layout(data.levels)
    found = fit(
        data,
        prior=options.prior,
        method=options.fit,
        tolerance=options.tolerance,
        max_iterations=options.max_iterations,
        start=start,
        jobs=jobs,
        kept=kept,
        progress=progress,
    )
    errors = standard_errors(data, found.gamma, prior=options.prior, jobs=jobs)
    ratings = {}
    for f, name in enumerate([*names, *(pair.name for pair in pairs)]):
        ratings[name] = _rated(found, errors, first[f], first[f + 1])
    about: dict[str, Any] = {
        "prior": list(options.prior),
        "competitions": competitions.count,
        "candidates": competitions.candidates,
        "gammas": len(found.gamma),
        "iterations": found.iterations,
        "converged": found.converged,
        "log_likelihood": found.log_likelihood,
        "log_posterior": found.log_posterior,
    }
    return Model(features, Predictor(ratings, pairs), about)


def _rated(found: Fit, errors: npt.NDArray[np.float64], a: int, b: int) -> Ratings:
    """The gammas a … b, as a model keeps them."""
    return Ratings(
        _short(found.gamma[a:b]),
        _short(errors[a:b]),
        found.counts.wins[a:b].astype(np.uint32),
        found.counts.appearances[a:b].astype(np.uint32),
    )


def _short(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """As the model keeps them: with a prior next to nothing they may go beyond what it can hold."""
    ends = np.finfo(np.float32)
    return np.clip(values, ends.tiny, ends.max).astype(np.float32)


def _summary(model: Model) -> list[str]:
    about = model.about
    evidence = about["log_likelihood"] / about["competitions"]
    return [
        f"{about['gammas']:,} gammas in {about['iterations']} iterations, "
        f"log-evidence {evidence:.3f} on these positions"
    ]


LEARNER: Final = Learner(
    "bradley-terry",
    "Elo ratings of features (Coulom 2007)",
    COULOM,
    _learn,
    BradleyTerryOptions,
    _check,
    _notice,
    _summary,
)
