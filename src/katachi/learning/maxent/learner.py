"""The learner `maxent`: re-ranking by maximum entropy (Araki 2007, III).

The games are shuffled and halved. Half A gives the patterns and their frequencies, half B the
samples of good and bad moves: frequencies of the games they were counted in would be too good. In
the folder of its work:

beliefs-0.npz      how often each pattern was played, and seen, in half A
samples/           the samples of half B (katachi.learning.maxent.samples)
weights-….npz      the last states of the fit (katachi.learning.journal)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.learning.base import Learner, Settings, option
from katachi.learning.bradley_terry.columns import layout
from katachi.learning.bradley_terry.fit import TOLERANCE as FIT_TOLERANCE
from katachi.learning.bradley_terry.fit import check_tolerance, fit, standard_errors
from katachi.learning.bradley_terry.passes import count
from katachi.learning.bradley_terry.places import Threads
from katachi.learning.maxent.fit import TOLERANCE, WIDTH, check_width, fit_entropy
from katachi.learning.maxent.good import sizes, spreads
from katachi.learning.maxent.owlqn import LATELY
from katachi.learning.maxent.predictor import PATTERNS, Reranked
from katachi.learning.maxent.rerank import Rerank, relative_frequency
from katachi.learning.maxent.samples import FAMILY_NAMES, Samples, make_samples
from katachi.learning.ranking.learn import learn_corpus
from katachi.learning.ranking.learner import pattern_sizes
from katachi.learning.train import Work
from katachi.models.model import Model
from katachi.models.predictor import Ratings
from katachi.patterns.catalogue import ARAKI, STERN
from katachi.patterns.features import Features
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.largest import SHAPES
from katachi.progress import Progress, silent
from katachi.records.corpus import Corpus

MAX_ITERATIONS: Final = 1000

_BOUND: Final = 80.0  # of log γ in a file: float32 ends at 88
_LARGEST_ERROR: Final = 100.0

Vector: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True)
class MaxentOptions:
    """`rerank`: moves that are ranked anew (20: Araki 2007, IV-C), 0 for all legal moves, which the
    model then ranks alone. `fitted`: by "maxent", or by "bradley-terry" on the same samples, which
    keeps the families of positions out. `tolerance`: None for the usual one of either.
    """

    width: float = option(
        WIDTH,
        "--width W",
        "How far the frequency of a feature may be from what the model expects, in samples",
        float,
    )
    rerank: int = option(
        20,
        "--rerank N",
        "How many of the most frequent moves are ranked anew; 0: all legal moves",
        int,
        least=0,
    )
    tolerance: float | None = option(
        None,
        "--tolerance SHARE",
        f"Stop when {LATELY} iterations gain less than this share of the loss",
        float,
        usual=f"{TOLERANCE:g}",
    )
    fitted: str = "maxent"


class Counted(NamedTuple):
    """[kind] how often each pattern was played, and could be, as the largest known one."""

    wins: npt.NDArray[np.uint32]
    appearances: npt.NDArray[np.uint32]


def _check(settings: Settings) -> None:
    options: MaxentOptions = settings.options
    check_width(options.width)
    check_tolerance(options.tolerance or 0.0)
    if settings.catalogue is not ARAKI:
        raise KatachiError(
            f"maximum entropy re-ranks moves by the features {ARAKI.name}, not "
            f"{settings.catalogue.name}: leave out --features"
        )
    if settings.all_radii:
        raise KatachiError("maximum entropy takes the largest shape: leave out --shapes")
    if not options.rerank == 0 and options.rerank < 2:
        raise KatachiError(
            f"{options.rerank} moves cannot be ranked anew: 2 is the least, 0 is all"
        )
    able = FAMILY_NAMES[1:]
    for name in sorted(settings.without):
        if name not in able:
            raise KatachiError(
                f"maximum entropy cannot leave out {name!r}: it is one of {', '.join(able)}"
            )


def halves(corpus: Corpus, seed: int) -> tuple[Corpus, Corpus]:
    """(A, B): the games shuffled and divided, A the smaller by at most one."""
    order = np.random.default_rng(seed).permutation(len(corpus))
    middle = len(corpus) // 2
    return corpus.take(order[:middle]), corpus.take(order[middle:])


def _learn(work: Work) -> Model:
    settings = work.settings
    first, second = halves(work.corpus, settings.seed)
    features = work.features(first)
    with work.stage("learn"):
        return learn_halves(
            first,
            second,
            features,
            settings.options,
            work.folder,
            jobs=work.jobs,
            progress=work.tell,
        )


def learn_halves(
    first: Corpus,
    second: Corpus,
    features: Features,
    options: MaxentOptions,
    folder: Path,
    *,
    jobs: int = 1,
    progress: Progress = silent,
) -> Model:
    """The model of half A, whose patterns the features have, and half B, with work in `folder`,
    where an interrupted run goes on.
    """
    (shapes,) = features.dictionaries.values()
    counted = count_patterns(first, shapes, folder, jobs=jobs, progress=progress)
    samples = make_samples(
        second,
        shapes,
        relative_frequency(*counted),
        options.rerank,
        folder / "samples",
        jobs=jobs,
        progress=progress,
    )
    return fit_samples(
        samples, counted, features, options, folder / "weights", jobs=jobs, progress=progress
    )


def count_patterns(
    corpus: Corpus, shapes: Shapes, folder: Path, *, jobs: int = 1, progress: Progress = silent
) -> Counted:
    """How often each pattern was played and could be, in these games; `folder`: as in
    `learn_halves`.
    """
    features = Features(STERN, {"shape": shapes})
    beliefs = learn_corpus(corpus, features, None, folder, jobs=jobs, progress=progress).beliefs
    return Counted(beliefs.wins, beliefs.appearances)


def fit_samples(
    samples: Samples,
    counted: Counted,
    features: Features,
    options: MaxentOptions,
    kept: Path | None = None,
    *,
    jobs: int = 1,
    progress: Progress = silent,
) -> Model:
    """Fit the samples; what is found on the way goes to files whose names begin with `kept`."""
    names = [name for name in FAMILY_NAMES if name not in features.without]
    history = options.fitted == "maxent"
    data = Samples(samples.shards, samples.kinds, names, history)
    fitted = _fit if history else _fit_bradley_terry
    weights, errors, about = fitted(data, options, kept, jobs, progress)
    missed, positions = samples.missed()
    first = layout(data.levels)
    with Threads(jobs) as threads:
        wins, appearances = count(data, threads)
    gamma = np.exp(np.clip(weights, -_BOUND, _BOUND)).astype(np.float32)
    ratings = {}
    for family in features.families:
        if family.name in names:
            part = slice(*first[names.index(family.name) :][:2])
            ratings[family.name] = Ratings(
                gamma[part],
                errors[part],
                wins[part].astype(np.uint32),
                appearances[part].astype(np.uint32),
            )
            continue
        begin = dict(zip(PATTERNS, (0, SHAPES - 1, SHAPES), strict=True))[family.name]
        part = slice(begin, begin + family.size)
        ratings[family.name] = Ratings(gamma[part], errors[part], *(c[part] for c in counted))
    about |= {
        "competitions": positions,
        "candidates": about["samples"],
        "below": missed / positions if positions else 0.0,
    }
    rerank = None
    if options.rerank:
        # By Laplace's law, too: never 0
        rerank = Rerank(options.rerank, (missed + 1.0) / (positions + 2.0))
    return Model(features, Reranked(ratings, rerank=rerank), about)


def _fit(
    data: Samples, options: MaxentOptions, kept: Path | None, jobs: int, tell: Progress
) -> tuple[Vector, npt.NDArray[np.float32], dict[str, Any]]:
    """(weights of moves' families, their errors, what to tell about the fit)."""
    size = sum(data.levels) + sum(data.position_levels)
    samples, positions = sizes(data)
    start = np.zeros(size)
    start[-1] = np.log(positions / max(samples - positions, 1))  # as if nothing else were known

    found = fit_entropy(
        data,
        width=options.width,
        tolerance=TOLERANCE if options.tolerance is None else options.tolerance,
        max_iterations=MAX_ITERATIONS,
        start=start,
        jobs=jobs,
        kept=kept,
        progress=tell,
    )
    own = sum(data.levels)
    with Threads(jobs) as threads:
        bend = spreads(data, found.weights, threads)[:own]
    errors = np.minimum(1.0 / np.sqrt(np.maximum(bend, 1e-12)), _LARGEST_ERROR)
    about = {
        "width": options.width,
        "samples": samples,
        "weights": int(np.count_nonzero(found.weights[:own])),
        "weights_of_positions": int(np.count_nonzero(found.weights[own:])),
        "features": size,
        "penalised_loss": found.value,
        "iterations": found.iterations,
        "converged": found.converged,
    }
    return found.weights[:own], errors.astype(np.float32), about


def _fit_bradley_terry(
    data: Samples,
    options: MaxentOptions,
    kept: Path | None,  # noqa: ARG001
    jobs: int,
    tell: Progress,
) -> tuple[Vector, npt.NDArray[np.float32], dict[str, Any]]:
    """The same of Bradley and Terry's model, with the paper's prior."""
    found = fit(
        data,
        tolerance=FIT_TOLERANCE if options.tolerance is None else options.tolerance,
        jobs=jobs,
        progress=tell,
    )
    errors = standard_errors(data, found.gamma, jobs=jobs).astype(np.float32)
    about = {
        "samples": sizes(data)[0],
        "weights": len(found.gamma),
        "log_likelihood": found.log_likelihood,
        "iterations": found.iterations,
        "converged": found.converged,
    }
    return np.log(found.gamma), errors, about


def _summary(model: Model) -> list[str]:
    assert isinstance(model.predictor, Reranked)
    about, rerank = model.about, model.predictor.rerank
    lines = [
        *pattern_sizes(model),
        f"width {about['width']:g}; {about['weights']:,} weights, and "
        f"{about['weights_of_positions']:,} of positions, of {about['features']:,} features, "
        f"in {about['iterations']} iterations",
    ]
    if rerank is not None:
        lines.append(
            f"{rerank.below:.1%} of the moves played were not among the first {rerank.most}"
        )
    return lines


LEARNER: Final = Learner(
    "maxent",
    "by frequency, then the first moves ranked anew by maximum entropy (Araki 2007)",
    ARAKI,
    _learn,
    MaxentOptions,
    _check,
    summary=_summary,
    unused=frozenset({"owner"}),
)
