"""Coulom 2007, section 3, from end to end: his games, his features, his tables beside ours."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from katachi.errors import KatachiError
from katachi.evaluation.measure import measure
from katachi.evaluation.report import report
from katachi.folders import alone_in, discard, make_folder, write_whole
from katachi.learning.base import Settings
from katachi.learning.bradley_terry.learner import fit_model
from katachi.learning.train import corpus_digest
from katachi.models.model import Model, load_model
from katachi.papers.plots import plot_ranks, plot_stages
from katachi.patterns.catalogue import COULOM
from katachi.patterns.competitions import describe_corpus
from katachi.patterns.features import WAYS, Features
from katachi.patterns.shapes.dictionary import Shapes, load_shapes
from katachi.patterns.shapes.harvest import harvest
from katachi.processes import peak_megabytes
from katachi.records.corpus import Corpus
from katachi.records.read import read_games

TRAIN, TEST = "kgs-train-652.tar.xz", "kgs-test-551.tar.xz"  # section 3.1

# Table 1 (journal version): family → level, counted from 1 → gamma
TABLE_1: Final[dict[str, dict[int, float]]] = {
    "pass": {1: 0.17, 2: 24.37},
    "capture": {1: 30.68, 2: 0.53, 3: 2.88, 4: 3.43, 5: 0.30},
    "extension": {1: 11.37, 2: 0.70},
    "self-atari": {1: 0.06},
    "atari": {1: 1.58, 2: 10.24, 3: 1.70},
    "border": {1: 0.89, 2: 1.49, 3: 1.75, 4: 1.28},
    # levels 1 … 16 are the distances 2 … 16 and ≥ 17
    "distance": {1: 4.32, 2: 2.84, 3: 2.22, 4: 1.58, 15: 0.33, 16: 0.21},
    # levels 1 … 17 are the distances 0, 2 … 16 and ≥ 17
    "distance2": {2: 3.08, 3: 2.38, 4: 2.27, 5: 1.68, 16: 0.66, 17: 0.70},
    "owner": {1: 0.04, 2: 1.02, 3: 2.41, 4: 1.41, 5: 0.72, 6: 0.65, 7: 0.68, 8: 0.13},
}
STRONG, WEAK = 2.0, 0.5  # what Table 1 says clearly

# Section 3 and the abstract
PAPER: Final = {
    "shapes": 16_780,
    "top1": 0.349,
    "mean_log_evidence": -2.69,
    "uniform_log_evidence": -5.49,
    "train_moves": 131_939,
    "test_moves": 115_832,
}

# progress(stage, done, of how many; 0 where that is not known)
Progress: TypeAlias = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Reproduction:
    """Both models, largest shape and every radius; their reports; Table 1; what it cost."""

    shapes: Shapes
    models: dict[str, Model]
    reports: dict[str, dict[str, Any]]
    table: list[dict[str, Any]]
    seconds: dict[str, float]
    megabytes: float

    def data(self) -> dict[str, Any]:
        """All of it as JSON."""
        return {
            "paper": PAPER,
            "shapes": {
                "all": len(self.shapes),
                "per_radius": {str(r): n for r, n in self.shapes.per_template().items()},
            },
            "models": [{"name": name, **one} for name, one in self.reports.items()],
            "table_1": self.table,
            "seconds": self.seconds,
            "megabytes": self.megabytes,
        }


def reproduce(
    data: Path, folder: Path, *, owner: bool = True, jobs: int = 1, progress: Progress | None = None
) -> Reproduction:
    """Train on the paper's 652 games, test on its 551, in `folder`: both models, the two figures
    and report.json. An interrupted run goes on there.

    Raises KatachiError if the games are not in `data` or the folder cannot be used.
    """
    tell = progress or (lambda _stage, _done, _total: None)
    begin = time.perf_counter()
    train, test = (_games(data / name, jobs) for name in (TRAIN, TEST))
    with alone_in(folder, "another reproduction is at work"):
        return _reproduce(train, test, folder, owner, jobs, tell, begin)


def _reproduce(
    train: Corpus, test: Corpus, folder: Path, owner: bool, jobs: int, tell: Progress, begin: float
) -> Reproduction:
    clock: dict[str, float] = {}
    work = folder / f"work{'' if owner else '-no-owner'}"
    digest = corpus_digest(train)
    _open(work, digest)
    clock["read"] = _lap(begin, clock)
    shapes = _harvest(train, work / "shape.shapes", jobs, tell)
    clock["harvest"] = _lap(begin, clock)
    ways = {
        name: Features(COULOM, {"shape": shapes}, all_radii, owner)
        for name, all_radii in WAYS.items()
    }
    both = replace(ways["largest"], also=(ways["all-radii"],))
    competitions = describe_corpus(
        train,
        both,
        work / "competitions",
        jobs=jobs,
        progress=lambda done, total, _: tell("describing", done, total),
    )
    clock["describe"] = _lap(begin, clock)
    models = {}
    for name, features in ways.items():
        path = folder / f"coulom-{name}{'' if owner else '-no-owner'}.katachi"
        model = _fitted(path, features, digest)
        if model is None:
            settings = Settings(all_radii=features.all_radii, owner=owner, min_candidates=625)
            model = fit_model(
                competitions,
                features,
                settings.options,
                kept=work / f"{name}.journal",
                jobs=jobs,
                progress=lambda _stage, done, total, name=name: tell(  # type: ignore[misc]
                    f"fitting {name}", done, total
                ),
            ).with_about(
                seed=settings.seed,
                games=len(train),
                moves=int(train.moves.sum()),
                corpus=digest,
                names=[TRAIN],
                settings=settings.plan(),
            )
            model.save(path)
        models[name] = model
        clock[f"fit {name}"] = _lap(begin, clock)
    measured = measure(
        list(models.values()),
        test,
        jobs=jobs,
        progress=lambda done, total: tell("measuring", done, total),
    )
    reports = {name: report(m) for name, m in zip(models, measured, strict=True)}
    clock["measure"] = _lap(begin, clock)
    plot_stages(reports, folder / "figure-3-stages.png")
    plot_ranks(reports, folder / "figure-4-ranks.png")
    done = Reproduction(shapes, models, reports, compare_table_1(models), clock, peak_megabytes())
    write_whole(folder / "report.json", json.dumps(done.data(), indent=1).encode())
    discard(work)
    return done


def compare_table_1(models: dict[str, Model]) -> list[dict[str, Any]]:
    """Every number of Table 1 beside the models': gamma, wins, appearances, and whether a strong
    or weak level of the paper is one here, too. The owner is left out where a model has none.
    """
    rows = []
    for family, levels in TABLE_1.items():
        for level, theirs in levels.items():
            row: dict[str, Any] = {"family": family, "level": level, "paper": theirs}
            for name, model in models.items():
                if family not in model.predictor.ratings:
                    continue
                found = model.predictor.ratings[family]
                gamma = float(found.gamma[level - 1])
                row[name] = {
                    "gamma": gamma,
                    "wins": int(found.wins[level - 1]),
                    "appearances": int(found.appearances[level - 1]),
                    "agrees": agrees(theirs, gamma),
                }
            if len(row) > 3:
                rows.append(row)
    return rows


def agrees(theirs: float, ours: float) -> bool | None:
    """Whether a gamma has the sense of the paper's; None where the paper's is neither strong nor
    weak.
    """
    if theirs > STRONG:
        return ours > 1.0
    if theirs < WEAK:
        return ours < 1.0
    return None


def _games(path: Path, jobs: int) -> Corpus:
    if not path.exists():
        raise KatachiError(
            f"{path} does not exist: --data names the folder with {TRAIN} and {TEST}"
        )
    return read_games([path], jobs=jobs)


def _open(work: Path, digest: str) -> None:
    """Make the folder of unfinished work; that of other games is removed."""
    note = work / "games"
    try:
        if note.exists() and note.read_bytes() != digest.encode():
            discard(work)
    except OSError as error:
        raise KatachiError(f"{note} cannot be read: {error.strerror}") from None
    make_folder(work)
    write_whole(note, digest.encode())


def _harvest(corpus: Corpus, path: Path, jobs: int, tell: Progress) -> Shapes:
    if not path.exists():
        found = harvest(
            corpus, jobs=jobs, progress=lambda s, done, total: tell(f"harvesting: {s}", done, total)
        )
        found.save(path)
    return load_shapes(path)


def _fitted(path: Path, features: Features, digest: str) -> Model | None:
    """The model of a run before, if it is of the same games and shapes."""
    try:
        model = load_model(path)
    except KatachiError:
        return None
    if model.about.get("corpus") != digest:
        return None
    mine, other = (f.dictionaries["shape"].keys for f in (features, model.features))
    same = [f.name for f in features.families] == [f.name for f in model.features.families]
    return model if same and np.array_equal(mine, other) else None


def _lap(begin: float, clock: dict[str, float]) -> float:
    return round(time.perf_counter() - begin - sum(clock.values()), 1)
