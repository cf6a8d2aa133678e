"""Maximum entropy re-ranking, from games to a model (Araki 2007, III).

The games are shuffled and halved. Half A gives the patterns and their frequencies, half B the
samples of good and bad moves: frequencies of the games they were counted in would be too good.

beliefs.npz        how often each pattern was played, and seen, in half A
samples/           the samples of half B (katachi.learning.maxent.samples)
weights-….npz      the last states of the fit (katachi.learning.journal)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.learning.bradley_terry.columns import layout
from katachi.learning.bradley_terry.fit import TOLERANCE as FIT_TOLERANCE
from katachi.learning.bradley_terry.fit import fit, standard_errors
from katachi.learning.bradley_terry.passes import Threads, count
from katachi.learning.maxent.fit import TOLERANCE, WIDTH, check_width, fit_entropy
from katachi.learning.maxent.good import spreads
from katachi.learning.maxent.rerank import Rerank, relative_frequency
from katachi.learning.maxent.samples import FAMILIES, Samples, make_samples
from katachi.learning.ranking.learn import learn_corpus
from katachi.models.model import MAXENT, Model, Ratings
from katachi.patterns.catalogue import ARAKI, STERN, Catalogue
from katachi.patterns.features import Features
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.largest import SHAPES
from katachi.records.corpus import Corpus

MOST: Final = 20  # moves that are ranked anew: Araki 2007, IV-C
MAX_ITERATIONS: Final = 1000

_BOUND: Final = 80.0  # of log γ in a file: float32 ends at 88
_LARGEST_ERROR: Final = 100.0

# progress(stage, done, of how many; 0 where that is not known)
Progress: TypeAlias = Callable[[str, int, int], None]
Vector: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Entropic:
    """How to train. `most`: moves that are ranked anew, 0 for all legal moves, which the model
    then ranks alone. `without`: families that are left out. `fitted`: by maximum entropy, or by
    Bradley and Terry on the same samples, which keeps the families of positions out.
    """

    width: float = WIDTH
    most: int = MOST
    tolerance: float | None = None
    without: frozenset[str] = frozenset()
    fitted: str = MAXENT


def check_entropy(catalogue: Catalogue, all_radii: bool | None, how: Entropic) -> None:
    """Raises KatachiError for settings that make no sense."""
    check_width(how.width)
    if catalogue is not ARAKI:
        raise KatachiError(
            f"maximum entropy re-ranks moves by the features {ARAKI.name}, not {catalogue.name}: "
            "leave out --features"
        )
    if all_radii:
        raise KatachiError("maximum entropy takes the largest shape: leave out --shapes")
    if not how.most == 0 and how.most < 2:
        raise KatachiError(f"{how.most} moves cannot be ranked anew: 2 is the least, 0 is all")
    for name in sorted(how.without):
        if name not in FAMILIES[1:]:
            raise KatachiError(
                f"maximum entropy cannot leave out {name!r}: it is one of {', '.join(FAMILIES[1:])}"
            )


def halves(corpus: Corpus, seed: int) -> tuple[Corpus, Corpus]:
    """(A, B): the games shuffled and divided, A the smaller by at most one."""
    order = np.random.default_rng(seed).permutation(len(corpus))
    middle = len(corpus) // 2
    return corpus.take(order[:middle]), corpus.take(order[middle:])


def learn_entropy(
    first: Corpus,
    second: Corpus,
    shapes: Shapes,
    how: Entropic,
    folder: Path,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Model:
    """The model of half A, whose patterns are `shapes`, and half B, with work in `folder`, where an
    interrupted run goes on.
    """
    tell = progress or (lambda _stage, _done, _total: None)
    counted = count_patterns(first, shapes, folder, jobs=jobs, progress=tell)
    samples = make_samples(
        second,
        shapes,
        relative_frequency(*counted),
        how.most,
        folder / "samples",
        jobs=jobs,
        progress=lambda done, total: tell("ranking by frequency", done, total),
    )
    return entropy_model(
        samples, counted, shapes, how, folder / "weights", jobs=jobs, progress=tell
    )


def count_patterns(
    corpus: Corpus, shapes: Shapes, folder: Path, *, jobs: int = 1, progress: Progress | None = None
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """[kind] how often each was played, and could be, as the largest known pattern."""
    beliefs = learn_corpus(
        corpus, Features(STERN, {"shape": shapes}), None, folder, jobs=jobs, progress=progress
    ).beliefs
    return beliefs.wins, beliefs.appearances


def entropy_model(
    samples: Samples,
    counted: tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]],
    shapes: Shapes,
    how: Entropic,
    kept: Path | None = None,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Model:
    """Fit the samples; what is found on the way goes to files whose names begin with `kept`."""
    tell = progress or (lambda _stage, _done, _total: None)
    names = [name for name in FAMILIES if name not in how.without]
    data = Samples(samples.shards, samples.kinds, names, history=how.fitted == MAXENT)
    about: dict[str, Any]
    if how.fitted == MAXENT:
        weights, errors, about = _fit(data, how, kept, jobs, tell)
    else:
        weights, errors, about = _fit_bradley_terry(data, how, jobs, tell)
    missed, positions = samples.missed()
    first = layout(data.levels)
    threads = Threads(jobs)
    wins, appearances = count(data, threads)
    threads.close()
    gamma = np.exp(np.clip(weights, -_BOUND, _BOUND)).astype(np.float32)
    features = Features(ARAKI, {"shape": shapes}, without=how.without)
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
        begin = {"pass": 0, "no-shape": SHAPES - 1, "shape": SHAPES}[family.name]
        part = slice(begin, begin + family.size)
        ratings[family.name] = Ratings(gamma[part], errors[part], *(c[part] for c in counted))
    about |= {
        "competitions": positions,
        "candidates": about["samples"],
        "below": missed / positions if positions else 0.0,
    }
    rerank = None
    if how.most:
        # By Laplace's law, too: never 0
        rerank = Rerank(how.most, (missed + 1.0) / (positions + 2.0))
    return Model(features, ratings, about=about, method=how.fitted, rerank=rerank)


def _fit(
    data: Samples, how: Entropic, kept: Path | None, jobs: int, tell: Progress
) -> tuple[Vector, npt.NDArray[np.float32], dict[str, Any]]:
    """(weights of moves' families, their errors, what to tell about the fit)."""
    size = sum(data.levels) + sum(data.position_levels)
    samples, positions = _counts(data)
    start = np.zeros(size)
    start[-1] = np.log(positions / max(samples - positions, 1))  # as if nothing else were known

    found = fit_entropy(
        data,
        width=how.width,
        tolerance=TOLERANCE if how.tolerance is None else how.tolerance,
        max_iterations=MAX_ITERATIONS,
        start=start,
        jobs=jobs,
        kept=kept,
        progress=lambda iterations, _value, _weights: tell("fitting", iterations, 0),
    )
    own = sum(data.levels)
    threads = Threads(jobs)
    bend = spreads(data, found.weights, threads)[:own]
    threads.close()
    errors = np.minimum(1.0 / np.sqrt(np.maximum(bend, 1e-12)), _LARGEST_ERROR)
    about = {
        "width": how.width,
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
    data: Samples, how: Entropic, jobs: int, tell: Progress
) -> tuple[Vector, npt.NDArray[np.float32], dict[str, Any]]:
    """The same of Bradley and Terry's model, with the paper's prior."""
    found = fit(
        data,
        tolerance=FIT_TOLERANCE if how.tolerance is None else how.tolerance,
        jobs=jobs,
        progress=lambda iterations, _value, _gamma: tell("fitting", iterations, 0),
    )
    errors = standard_errors(data, found.gamma, jobs=jobs).astype(np.float32)
    about = {
        "samples": _counts(data)[0],
        "weights": len(found.gamma),
        "log_likelihood": found.log_likelihood,
        "iterations": found.iterations,
        "converged": found.converged,
    }
    return np.log(found.gamma), errors, about


def _counts(data: Samples) -> tuple[int, int]:
    """(samples, positions)."""
    shards = [data.shard(n, ()) for n in range(len(data))]
    return sum(int(s.starts[-1]) for s in shards), sum(len(s.winner) for s in shards)
