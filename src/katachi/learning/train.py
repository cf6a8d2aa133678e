"""Training: from games to a model, stage by stage, in a folder from which it can go on.

plan.json            the games and settings: another plan does not go on here
NAME.shapes          the dictionaries, once harvested
pilot/, pilot.katachi   where a field is sampled: a rough model, and what it was fitted on
competitions/        the described positions, shard by shard
fit.journal          what the fit has found so far (katachi.learning.journal)

Models that learn move by move, and those of maximum entropy, keep other things beside the
dictionaries: see katachi.learning.rank and katachi.learning.entropy.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi import __version__
from katachi.errors import KatachiError
from katachi.folders import alone_in, is_empty, write_whole
from katachi.learning.bradley_terry.columns import layout
from katachi.learning.bradley_terry.fit import TOLERANCE, Fit, fit, standard_errors
from katachi.learning.described import Described
from katachi.learning.entropy import halves, learn_entropy
from katachi.learning.pairs import Pair, frequent_pairs, parse_pair
from katachi.learning.rank import check_start, rank, usual_beta
from katachi.learning.settings import (
    FIXED_MB,
    SHAPE_BYTES,
    Settings,
    check_corpus,
    check_settings,
    positions_wanted,
)
from katachi.models.model import BRADLEY_TERRY, MAXENT, Model, Ratings, load_model
from katachi.patterns.competitions import Competitions, describe_corpus
from katachi.patterns.features import Features
from katachi.patterns.field import Field
from katachi.patterns.shapes.dictionary import Shapes, join_shapes, load_shapes
from katachi.patterns.shapes.harvest import harvest, sieve_bits_for
from katachi.patterns.shapes.sieve import SIEVE_BITS
from katachi.patterns.shapes.templates import STERN_TEMPLATES
from katachi.records.corpus import Corpus

PILOT_POSITIONS: Final = 20_000
PILOT_TOLERANCE: Final = 1e-4

# progress(stage, done, of how many; 0 where that is not known)
Progress: TypeAlias = Callable[[str, int, int], None]


def train(
    corpus: Corpus,
    settings: Settings,
    folder: Path,
    *,
    names: tuple[str, ...] = (),
    start: Model | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Model:
    """Harvest, describe and fit in `folder`, or go on there where a run before has stopped.

    `names` say where the games are from; `start` is a model of the same learner that goes on
    learning (katachi.learning.rank.grown). Raises KatachiError if there are fewer than two games or
    several board sizes, if the folder is of another plan or another training is at work there, or
    for settings that make no sense.
    """
    open_work(corpus, settings, folder, start)
    with alone_in(folder, "another training is at work"):
        _open(folder, corpus, settings, start)
        return _train(
            corpus,
            settings,
            folder,
            names,
            start,
            jobs,
            progress or (lambda _stage, _done, _total: None),
        )


def _train(
    corpus: Corpus,
    settings: Settings,
    folder: Path,
    names: tuple[str, ...],
    start: Model | None,
    jobs: int,
    tell: Progress,
) -> Model:
    clock = _Clock()
    if settings.learner == MAXENT:
        first, second = halves(corpus, settings.seed)
        with clock.stage("harvest"):
            (shapes,) = _harvest(first, settings, folder, jobs, tell, None).values()
        with clock.stage("learn"):
            model = learn_entropy(
                first, second, shapes, settings.entropic, folder, jobs=jobs, progress=tell
            )
        return _told(model, corpus, settings, names, clock, None)
    with clock.stage("harvest"):
        dictionaries = _harvest(corpus, settings, folder, jobs, tell, start)
    all_radii = settings.all_radii
    features = Features(
        settings.catalogue,
        dictionaries,
        settings.catalogue.all_radii if all_radii is None else all_radii,
        settings.owner,
        frozenset(settings.without),
    )
    if settings.learner != BRADLEY_TERRY:
        with clock.stage("learn"):
            beta = usual_beta(features) if settings.beta is None else settings.beta
            model = rank(
                corpus,
                features,
                settings.learner,
                beta,
                folder,
                start=start,
                jobs=jobs,
                progress=tell,
            )
        return _told(model, corpus, settings, names, clock, None)
    wanted = [parse_pair(p, {f.name: f.size for f in features.families}) for p in settings.pairs]
    positions = positions_wanted(corpus, settings)
    field, start_of_fit = None, None
    if settings.field is not None:
        with clock.stage("pilot"):
            pilot = _pilot(corpus, features, settings, folder, jobs, tell)
        field = Field(settings.field, pilot.factors)
        if not wanted:
            gammas = [ratings.gamma for ratings in pilot.ratings.values()]
            start_of_fit = np.concatenate(gammas).astype(np.float64)
    with clock.stage("describe"):
        competitions = describe_corpus(
            corpus,
            features,
            folder / "competitions",
            positions_per_game=positions,
            seed=settings.seed,
            field=field,
            jobs=jobs,
            progress=lambda done, total, _: tell("describing", done, total),
        )
        pairs = frequent_pairs(competitions, wanted, settings.pair_count)
    with clock.stage("fit"):
        model = fit_model(
            competitions,
            features,
            pairs,
            settings,
            folder / "fit.journal",
            start=start_of_fit,
            jobs=jobs,
            progress=tell,
        )
    return _told(model, corpus, settings, names, clock, positions)


def _told(
    model: Model,
    corpus: Corpus,
    settings: Settings,
    names: tuple[str, ...],
    clock: _Clock,
    positions: int | None,
) -> Model:
    """The model that tells what it was made from."""
    return model.with_about(
        katachi=__version__,
        games=len(corpus),
        moves=int(corpus.moves.sum()),
        corpus=corpus_digest(corpus),
        names=list(names),
        sizes=sorted(set(corpus.size.tolist())),
        positions_per_game=positions,
        settings=settings.plan(),
        seconds=clock.seconds,
    )


def _pilot(
    corpus: Corpus, features: Features, settings: Settings, folder: Path, jobs: int, tell: Progress
) -> Model:
    """A rough model of few positions with all their candidates, and the start of the fit."""
    path = folder / "pilot.katachi"
    if path.exists():
        return load_model(path, catalogues=[settings.catalogue])
    positions = max(1, PILOT_POSITIONS // len(corpus))
    competitions = describe_corpus(
        corpus,
        features,
        folder / "pilot",
        positions_per_game=positions,
        seed=settings.seed + 1,
        jobs=jobs,
        progress=lambda done, total, _: tell("describing for the pilot", done, total),
    )
    rough = replace(settings, tolerance=max(settings.tolerance or TOLERANCE, PILOT_TOLERANCE))
    pilot = fit_model(
        competitions,
        features,
        (),
        rough,
        jobs=jobs,
        progress=lambda _, done, total: tell("fitting the pilot", done, total),
    )
    pilot.save(path)
    return pilot


def open_work(corpus: Corpus, settings: Settings, folder: Path, start: Model | None = None) -> None:
    """Check the games and the settings, then make the folder, or check that it was made for them.

    Raises KatachiError as `train` does. A mistake leaves no folder behind, which would stand in the
    way of the run that has it mended.
    """
    check_corpus(corpus, settings.any_size)
    check_settings(settings)
    if start is not None:
        check_start(start, settings.learner, corpus_digest(corpus))
    with alone_in(folder, "another training is at work"):
        _open(folder, corpus, settings, start)


def fit_model(
    competitions: Competitions,
    features: Features,
    pairs: tuple[Pair, ...],
    settings: Settings,
    kept: Path | None = None,
    *,
    start: npt.NDArray[np.float64] | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Model:
    """The model of these features, fitted to competitions that have their columns.

    What is found on the way goes to `kept`, from where a fit that was interrupted goes on. `start`:
    gammas to begin with.
    """
    tell = progress or (lambda _stage, _done, _total: None)
    names = [family.name for family in features.families]
    data = Described(competitions, names, pairs)
    first = layout(data.levels)
    found = fit(
        data,
        prior=settings.prior,
        method=settings.method,
        tolerance=TOLERANCE if settings.tolerance is None else settings.tolerance,
        max_iterations=settings.max_iterations,
        start=start,
        jobs=jobs,
        kept=kept,
        progress=lambda iterations, _value, _gamma: tell("fitting", iterations, 0),
    )
    errors = standard_errors(data, found.gamma, prior=settings.prior, jobs=jobs)
    ratings = {}
    for f, name in enumerate([*names, *(pair.name for pair in pairs)]):
        a, b = first[f], first[f + 1]
        ratings[name] = Ratings(
            _short(found.gamma[a:b]),
            _short(errors[a:b]),
            found.counts.wins[a:b].astype(np.uint32),
            found.counts.appearances[a:b].astype(np.uint32),
        )
    return Model(features, ratings, pairs, _about(competitions, settings, found))


def _short(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """As the model keeps them: with a prior next to nothing they may go beyond what it can hold."""
    ends = np.finfo(np.float32)
    return np.clip(values, ends.tiny, ends.max).astype(np.float32)


def _about(competitions: Competitions, settings: Settings, found: Fit) -> dict[str, Any]:
    return {
        "prior": list(settings.prior),
        "seed": settings.seed,
        "competitions": competitions.count,
        "candidates": competitions.candidates,
        "gammas": len(found.gamma),
        "iterations": found.iterations,
        "converged": found.converged,
        "log_likelihood": found.log_likelihood,
        "log_posterior": found.log_posterior,
    }


def corpus_digest(corpus: Corpus) -> str:
    """The same for games with the same moves in the same order, turned or not."""
    return blake2b(np.ascontiguousarray(corpus.digest).tobytes(), digest_size=16).hexdigest()


def _open(folder: Path, corpus: Corpus, settings: Settings, start: Model | None) -> None:
    """Write the plan into an empty folder, or check that it is of the same games and settings."""
    plan = {
        "games": len(corpus),
        "corpus": corpus_digest(corpus),
        "settings": settings.plan(),
        "start": None if start is None else start.digest,
        "katachi": __version__,
    }
    path = folder / "plan.json"
    if is_empty(folder):
        write_whole(path, json.dumps(plan, indent=1).encode())
        return
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = None
    if found != plan:
        raise KatachiError(
            f"{folder} holds the work of another training: remove it, or choose another by --work"
        )


def _harvest(
    corpus: Corpus, settings: Settings, folder: Path, jobs: int, tell: Progress, start: Model | None
) -> dict[str, Shapes]:
    """The catalogue's dictionaries, from the folder where they are there already.

    A model that goes on learning keeps its own, and of Stern's patterns learns new ones, too.
    """
    harvests = [h for h in settings.catalogue.harvests if h.dictionary not in settings.without]
    many = any(plan.templates is STERN_TEMPLATES for plan in settings.catalogue.harvests)
    if start is not None and not many:
        return dict(start.features.dictionaries)
    most, sieve_bits = None, SIEVE_BITS
    minimum = {"played": settings.min_count, "candidates": settings.min_candidates}
    dictionaries = {}
    for plan in harvests:
        if many:
            room = (settings.memory_mb - FIXED_MB) * 2**20 // SHAPE_BYTES
            most = max(1000, room // len(harvests))
            sieve_bits = sieve_bits_for(corpus, plan.templates, settings.memory_mb, jobs)
        path = folder / f"{plan.dictionary}.shapes"
        if not path.exists():
            found = harvest(
                corpus,
                templates=plan.templates,
                rule=plan.rule,
                min_count=minimum[plan.rule] or plan.min_count,
                jobs=jobs,
                most=most,
                sieve_bits=sieve_bits,
                progress=_named(tell, plan.dictionary),
            )
            if start is not None:
                found = join_shapes([start.features.dictionaries[plan.dictionary], found])
            found.save(path)
        dictionaries[plan.dictionary] = load_shapes(path)
    return dictionaries


def _named(tell: Progress, dictionary: str) -> Progress:
    return lambda stage, done, total: tell(f"harvesting {dictionary}: {stage}", done, total)


class _Clock:
    """Seconds of each stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[name] = round(time.perf_counter() - start, 1)
