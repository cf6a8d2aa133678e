"""Coulom 2007, section 3, from end to end: his games, his features, his tables beside ours."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any, Final

from katachi.evaluation.report import report
from katachi.folders import discard, open_plan
from katachi.learning.base import Settings
from katachi.learning.bradley_terry.learner import fit_model
from katachi.learning.train import corpus_digest
from katachi.models.model import Model
from katachi.papers.numbers import LOG_EVIDENCE, RANKS
from katachi.papers.plots import plot_ranks, plot_stages
from katachi.papers.run import Run, kept_model
from katachi.patterns.catalogue import COULOM
from katachi.patterns.competitions import describe_corpus
from katachi.patterns.features import WAYS, Features
from katachi.patterns.shapes.dictionary import Shapes
from katachi.processes import peak_megabytes
from katachi.progress import stage
from katachi.records.corpus import Corpus

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
    "top1": RANKS["Coulom 2007"][1],
    "mean_log_evidence": LOG_EVIDENCE["Coulom 2007, whole games"],
    "uniform_log_evidence": LOG_EVIDENCE["Coulom 2007, uniform, whole games"],
    "train_moves": 131_939,
    "test_moves": 115_832,
}


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


def reproduce(run: Run, *, owner: bool = True) -> Reproduction:
    """Train on the paper's 652 games, test on its 551: both models, the two figures and report.json
    are in the run's folder.

    Raises KatachiError if the games are not there or the folder cannot be used.
    """
    begin = time.perf_counter()
    train, test = (run.games(name) for name in (TRAIN, TEST))
    with run.alone():
        return _reproduce(run, train, test, owner, begin)


def _reproduce(run: Run, train: Corpus, test: Corpus, owner: bool, begin: float) -> Reproduction:
    clock: dict[str, float] = {}
    end = "" if owner else "-no-owner"
    work = run.folder / f"work{end}"
    digest = corpus_digest(train)
    open_plan(work, {"corpus": digest})
    clock["read"] = _lap(begin, clock)
    shapes = run.harvested(train, work / "shape.shapes")
    clock["harvest"] = _lap(begin, clock)
    ways = {
        name: Features(COULOM, {"shape": shapes}, all_radii, owner)
        for name, all_radii in WAYS.items()
    }
    both = replace(ways["largest"], also=(ways["all-radii"],))
    competitions = describe_corpus(
        train, both, work / "competitions", jobs=run.jobs, progress=run.progress
    )
    clock["describe"] = _lap(begin, clock)
    models = {}
    for name, features in ways.items():
        path = run.folder / f"coulom-{name}{end}.katachi"
        settings = Settings(all_radii=features.all_radii, owner=owner, min_candidates=625)
        model = kept_model(path, corpus=digest, settings=settings.plan())
        if model is None:
            model = fit_model(
                competitions,
                features,
                settings.options,
                kept=work / f"{name}.journal",
                jobs=run.jobs,
                progress=stage(run.progress, f"fitting {name}"),
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
    reports = {name: report(one) for name, one in run.measured(models, test).items()}
    clock["measure"] = _lap(begin, clock)
    plot_stages(reports, run.folder / "figure-3-stages.png")
    plot_ranks(reports, run.folder / "figure-4-ranks.png")
    done = Reproduction(shapes, models, reports, compare_table_1(models), clock, peak_megabytes())
    run.write("report.json", done.data())
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


def _lap(begin: float, clock: dict[str, float]) -> float:
    return round(time.perf_counter() - begin - sum(clock.values()), 1)
