"""Measuring: what models predict for every move of some games.

Games are described once for all models of the same features, on all cores, 50 games at a time, and
nothing is written but the results. They are kept in the cache, so that a run that was interrupted
goes on, and the same models are not measured twice on the same games.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import as_completed
from contextlib import suppress
from dataclasses import fields, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.evaluation.measured import BINS, CALIBRATION_EDGES, Measured, join
from katachi.folders import cache_folder, mark_used, source_digest, writable
from katachi.go.kernel import at, inlined, kernel
from katachi.models.model import Model
from katachi.patterns.competitions import check_games, describe_games
from katachi.patterns.shards import Columns
from katachi.patterns.workers import load, workers
from katachi.progress import Progress, silent
from katachi.records.corpus import Corpus
from katachi.tensors import keep_columns, kept_columns

GAMES_PER_TASK: Final = 50


@inlined
def calibration_bin(p: float, edges: Any) -> int:
    """The bin of a predicted probability; what rounding put above 1 is in the last bin."""
    number = 0
    while number < len(edges) - 2 and p >= edges[number + 1]:
        number += 1
    return number


class _Sums(NamedTuple):
    """What is measured: columns of `Measured`."""

    log_evidence: npt.NDArray[np.float64]
    better: npt.NDArray[np.int32]
    equal: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int64]
    sums: npt.NDArray[np.float64]


@kernel
def _measure(
    starts: Any, winner: Any, order: Any, chances: Any, row: Any, edges: Any, out: _Sums
) -> None:
    """Add what is measured of each competition to `out`, by its row where that is by game."""
    for j in range(len(starts) - 1):
        first, last = starts[j], starts[j + 1]
        played = first + winner[at(j)]
        own = order[at(played)]
        out.log_evidence[at(j)] = np.log(chances[at(played)])
        for i in range(first, last):
            out.better[at(j)] += order[at(i)] > own
            out.equal[at(j)] += order[at(i)] == own
            p = chances[at(i)]
            number = calibration_bin(p, edges)
            out.counts[row[at(j)], number, 0] += 1
            out.counts[row[at(j)], number, 1] += i == played
            out.sums[row[at(j)], number] += p


def measured_of(model: Model, columns: Columns) -> Measured:
    """What the model predicts for these competitions, which have the columns of its families, those
    of the position among them.
    """
    game = columns["game"].astype(np.int32)
    _, row = np.unique(game, return_inverse=True)
    competitions = len(game)
    games = int(row.max()) + 1 if competitions else 0
    out = _Sums(
        np.zeros(competitions),
        np.zeros(competitions, np.int32),
        np.zeros(competitions, np.int32),
        np.zeros((games, BINS, 2), np.int64),
        np.zeros((games, BINS)),
    )
    _, order, chances = model.predictor.judged(columns, columns["starts"])
    edges = np.array(CALIBRATION_EDGES)
    _measure(columns["starts"], columns["winner"], order, chances, row, edges, out)
    return Measured(
        game,
        columns["move"].astype(np.int32),
        out.log_evidence,
        out.better,
        out.equal,
        np.diff(columns["starts"]).astype(np.int32),
        out.counts,
        out.sums,
    )


def measure(
    models: Sequence[Model],
    corpus: Corpus,
    *,
    jobs: int = 1,
    cache: bool = True,
    progress: Progress = silent,
) -> list[Measured]:
    """What each model predicts for every move of the corpus, in the order of its games; `progress`
    is told games.

    Raises KatachiError if there are no models or games, or a game of a size that the shapes of a
    model do not know.
    """
    if not models:
        raise KatachiError("no models to measure")
    for model in models:
        check_games(corpus, model.features)
    groups = _groups(models)
    tasks = [
        range(a, min(a + GAMES_PER_TASK, len(corpus)))
        for a in range(0, len(corpus), GAMES_PER_TASK)
    ]
    total = len(groups) * len(corpus)
    results: list[list[Measured]] = [[] for _ in models]
    done = 0
    for group in groups:
        chosen = [models[m] for m in group]
        folder = _folder(chosen) if cache else None
        found: dict[int, list[Measured]] = {}
        left = []
        for number, games in enumerate(tasks):
            known = _recall(folder, corpus, games, len(chosen))
            if known is None:
                left.append(number)
            else:
                found[number] = known
                done += len(games)
        progress("measuring", done, total)
        for number, parts in _run(chosen, corpus, {n: tasks[n] for n in left}, jobs):
            _keep(folder, corpus, tasks[number], parts)
            found[number] = parts
            done += len(tasks[number])
            progress("measuring", done, total)
        for which, m in enumerate(group):
            results[m] = [
                replace(found[n][which], game=found[n][which].game + tasks[n].start)
                for n in range(len(tasks))
            ]
    return [join(parts) for parts in results]


def _groups(models: Sequence[Model]) -> list[list[int]]:
    """The models that can share one description, by number."""
    groups: dict[Any, list[int]] = {}
    for number, model in enumerate(models):
        features = model.features
        shapes = tuple((n, s.keys.tobytes()) for n, s in sorted(features.dictionaries.items()))
        groups.setdefault((features.catalogue.name, shapes), []).append(number)
    return list(groups.values())


def _parts(models: Sequence[Model], corpus: Corpus) -> list[Measured]:
    features = models[0].features
    others = tuple(model.features for model in models[1:])
    columns = describe_games(corpus, range(len(corpus)), replace(features, also=others))
    return [measured_of(model, columns) for model in models]


def _run(models: Sequence[Model], corpus: Corpus, tasks: dict[int, range], jobs: int) -> Any:
    """Yields (number, results) of each task, in any order."""
    # The first one here: this process compiles what is not compiled yet, once for all.
    for number in list(tasks) if jobs == 1 else list(tasks)[:1]:
        yield number, _parts(models, corpus.take(np.array(tasks.pop(number))))
    if not tasks:
        return
    with workers(list(models), jobs) as pool:
        futures = {
            pool.submit(_work, corpus.take(np.array(games))): number
            for number, games in tasks.items()
        }
        for future in as_completed(futures):
            yield futures[future], future.result()


def _work(corpus: Corpus) -> list[Measured]:
    return _parts(load(), corpus)


def _folder(models: Sequence[Model]) -> Path | None:
    """Where the results of these models are kept; None where nothing can be written."""
    digest = blake2b(digest_size=12)
    digest.update(
        source_digest("go", "records", "patterns", "models", "learning", "evaluation").encode()
    )
    for model in models:
        digest.update(model.digest.encode())
    folder = cache_folder() / "measured" / digest.hexdigest()
    if not writable(folder):
        return None
    mark_used(folder)
    return folder


def _file(folder: Path, corpus: Corpus, games: range) -> Path:
    actions = np.asarray(corpus.actions[corpus.starts[games.start] : corpus.starts[games.stop]])
    digest = blake2b(actions.tobytes(), digest_size=12)
    digest.update(np.diff(corpus.starts[games.start : games.stop + 1]).tobytes())
    digest.update(np.asarray(corpus.size[games.start : games.stop]).tobytes())
    return folder / f"{digest.hexdigest()}.npz"


_NAMES: Final = tuple(f.name for f in fields(Measured))


def _keep(folder: Path | None, corpus: Corpus, games: range, parts: list[Measured]) -> None:
    if folder is None:
        return
    columns = {
        f"{which}-{name}": getattr(part, name)
        for which, part in enumerate(parts)
        for name in _NAMES
    }
    with suppress(KatachiError):  # a full disk costs the cache, not the result
        keep_columns(_file(folder, corpus, games), columns)


def _recall(
    folder: Path | None, corpus: Corpus, games: range, models: int
) -> list[Measured] | None:
    found = None if folder is None else kept_columns(_file(folder, corpus, games))
    if found is None or len(found) != models * len(_NAMES):
        return None
    return [Measured(*(found[f"{which}-{name}"] for name in _NAMES)) for which in range(models)]
