"""Stern, Herbrich and Graepel 2005, section 4, from end to end: Figures 2, 3 and 4, and how the
prediction grows with the number of games.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.evaluation.measured import Measured
from katachi.evaluation.report import STAGE_MOVES, STAGES, expected_rank, found, report
from katachi.folders import kept_piece
from katachi.learning.base import Settings
from katachi.learning.ranking.filtering import Positions
from katachi.learning.ranking.positions import first_members, pieces
from katachi.learning.ranking.predictor import HighestScore
from katachi.learning.train import corpus_digest
from katachi.models.model import Model
from katachi.papers.numbers import RANKS
from katachi.papers.plots import plot_ranks
from katachi.papers.run import MORE, TEST, TRAIN, Run
from katachi.papers.stern_plots import plot_figure_3, plot_figure_4, plot_growth
from katachi.patterns.catalogue import CONTEXT, STERN, Catalogue
from katachi.patterns.families.position import PASSES
from katachi.patterns.features import Features
from katachi.processes import peak_megabytes
from katachi.records.corpus import Corpus

GROWTH: Final = (5_000, 10_000, 20_000)  # games, then all

# Abstract and section 4
PAPER: Final = {
    **{f"top{rank}": share for rank, share in RANKS["Stern et al. 2005"].items()},
    "first_30_moves": 0.50,
    "games": 22_000,
    "patterns": 1_000_000,
}

MEAN_EDGES: Final = (-2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4)  # Figure 4
SIZES: Final = 9  # the smallest, 0, is no known pattern
_PATTERNS: Final = "shape"  # the dictionary of T1 … T8

# What a move is: the paper's model; all patterns nested in that; and these in their context
VARIANTS: Final[dict[str, tuple[Catalogue, bool]]] = {  # catalogue, all_radii
    "largest": (STERN, False),
    "all-radii": (STERN, True),
    "context": (CONTEXT, True),
}

_Floats: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ranked:
    """A model, its report, Figures 3 and 4 as tables, and what it cost."""

    model: Model
    report: dict[str, Any]
    figures: dict[str, list[dict[str, Any]]]
    seconds: dict[str, float]
    megabytes: float

    @property
    def beta(self) -> float:
        """Of the model."""
        assert isinstance(self.model.predictor, HighestScore)
        return self.model.predictor.beta

    def data(self) -> dict[str, Any]:
        """All of it as JSON."""
        found = self.model.features.dictionaries
        return {
            "games": self.model.about["games"],
            "beta": self.beta,
            "patterns": {name: list(one.per_template().values()) for name, one in found.items()},
            "min_count": {name: one.min_count for name, one in found.items()},
            "report": self.report,
            **self.figures,
            "seconds": self.seconds,
            "megabytes": self.megabytes,
        }


def reproduce(run: Run) -> dict[str, Ranked]:
    """Learn from 20,000 games of professionals, test on 500 others: the models, the figures and
    report.json are in the run's folder.

    "largest" is the paper's model, where a move is its largest known pattern; in "all-radii" it is
    a team of that and all known patterns within it; in "context" the team has patterns that see
    liberties, and tactics, too.

    Raises KatachiError if the games are not there or the folder cannot be used.
    """
    test, corpus = run.games(TEST), run.games(TRAIN)
    folder = run.folder
    with run.alone():
        done = {way: _ranked(run, corpus, test, f"stern-{way}", way) for way in VARIANTS}
        plot_ranks({way: one.report for way, one in done.items()}, folder / "figure-2-ranks.png")
        plot_figure_3(done["largest"].figures, folder / "figure-3.png")
        plot_figure_4(done["largest"].figures["means"], folder / "figure-4.png")
        models = {way: one.data() for way, one in done.items()}
        run.write("report.json", {"paper": PAPER, "models": models})
    return done


def reproduce_growth(run: Run) -> list[dict[str, Any]]:
    """How the prediction of the same test games grows from 5,000 games to all 58,816, as rows, with
    teams of nested patterns; growth.json and growth.png are in the run's folder.

    Raises KatachiError as `reproduce` does.
    """
    test, corpus = run.games(TEST), run.games(TRAIN, MORE)
    # The 20,000 games of the other reproduction first, so that it is one of the rows.
    some = np.random.default_rng(2005).permutation(len(run.games(TRAIN)))
    with run.alone():
        rows = []
        for count in [*(n for n in GROWTH if n < len(corpus)), len(corpus)]:
            games = np.sort(some[:count]) if count <= len(some) else np.arange(count)
            rows.append(_grown(run, corpus.take(games), test))
        plot_growth(rows, run.folder / "growth.png")
        run.write("growth.json", rows)
    return rows


def _grown(run: Run, corpus: Corpus, test: Corpus) -> dict[str, Any]:
    """The row of so many games, kept in the folder."""
    name = f"growth-{len(corpus)}"
    plan = {"corpus": corpus_digest(corpus), "test": corpus_digest(test), "memory": run.memory_mb}
    row = kept_piece(run.folder / f"{name}.json", plan)
    if row is not None:
        return row
    done = _ranked(run, corpus, test, name, "all-radii", (TRAIN, MORE))
    (shapes,) = done.model.features.dictionaries.values()
    numbers = ("top1", "top5", "top10", "top20", "mean_log_evidence")
    row = {
        "games": len(corpus),
        "moves": done.model.about["moves"],
        "patterns": len(shapes),
        "min_count": shapes.min_count,
        **{f"{n}{end}": done.report[f"{n}{end}"] for n in numbers for end in ("", "_interval")},
        "seconds": done.seconds,
        "megabytes": done.megabytes,
        **plan,
    }
    run.write(f"{name}.json", row)
    return row


def _ranked(
    run: Run, corpus: Corpus, test: Corpus, name: str, way: str, packs: tuple[str, ...] = (TRAIN,)
) -> Ranked:
    catalogue, all_radii = VARIANTS[way]
    settings = Settings(
        "ranking", catalogue=catalogue, all_radii=all_radii, memory_mb=run.memory_mb, any_size=True
    )
    model = run.trained(corpus, settings, name, packs)
    begin = time.perf_counter()
    measured = run.measured({name: model}, test)[name]
    seconds = dict(model.about["seconds"]) | {"measure": round(time.perf_counter() - begin, 1)}
    figures = figures_of(model, test, measured, run.jobs)
    return Ranked(model, report(measured), figures, seconds, peak_megabytes())


def figures_of(
    model: Model, test: Corpus, measured: Measured, jobs: int = 1
) -> dict[str, list[dict[str, Any]]]:
    """Figures 3 and 4 as tables: rank error by phase, pattern sizes by phase, rank error by size
    and by the mean score of the move played.

    The rank error is the rank of the move, ties in their mean, by the number of legal moves.
    """
    size_of, is_pass = _member_sizes(model.features)
    ratings = model.predictor.ratings
    means = np.log(np.concatenate([ratings[f.name].gamma for f in model.features.families]))
    told = [
        _winners(some, size_of, is_pass, means) for some in pieces(test, model.features, 0, jobs)
    ]
    size, passed, mean = (np.concatenate(column) for column in zip(*told, strict=True))
    played = ~passed  # passes are no patterns
    error = expected_rank(measured) / measured.candidates
    first = found(measured, 1)
    stage = np.minimum(measured.move // STAGE_MOVES, STAGES - 1)
    phases = []
    for s in sorted(set(stage.tolist())):
        here = (stage == s) & played
        counts = np.bincount(size[here], minlength=SIZES)
        phases.append(
            {
                "first": s * STAGE_MOVES + 1,
                "last": (s + 1) * STAGE_MOVES if s < STAGES - 1 else None,
                **_box(error[here], first[here]),
                "sizes": (counts / max(counts.sum(), 1)).tolist(),
            }
        )
    sizes = [
        {"size": a, **_box(error[played & (size == a)], first[played & (size == a)])}
        for a in range(SIZES)
        if np.any(played & (size == a))
    ]
    bins = np.digitize(mean, MEAN_EDGES)
    intervals = [
        {
            "low": MEAN_EDGES[b - 1] if b else None,
            "high": MEAN_EDGES[b] if b < len(MEAN_EDGES) else None,
            **_box(error[played & (bins == b)], first[played & (bins == b)]),
        }
        for b in sorted(set(bins[played].tolist()))
    ]
    return {"phases": phases, "sizes": sizes, "means": intervals}


def _member_sizes(features: Features) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """[member] the size of the pattern, 1 … 8, that it is, or 0; [member] whether it is a pass."""
    firsts = first_members(features)
    sizes, is_pass = np.zeros(firsts[""], np.int64), np.zeros(firsts[""], np.bool_)
    rings = features.dictionaries[_PATTERNS].rings
    for family in features.families:
        part = slice(firsts[family.name], firsts[family.name] + family.size)
        if family.dictionary == _PATTERNS:
            sizes[part] = rings[family.first : family.first + family.size] + 1
        is_pass[part] = family is PASSES
    return sizes, is_pass


def _winners(some: Positions, size_of: Any, is_pass: Any, means: Any) -> tuple[Any, Any, Any]:
    """Of the move played in each position the size of its largest known pattern, whether it is a
    pass, and the mean of its score.
    """
    team = some.members[some.starts[:-1] + some.winner]
    there, which = team >= 0, np.maximum(team, 0)
    return (
        np.where(there, size_of[which], 0).max(axis=1),
        (there & is_pass[which]).any(axis=1),
        np.where(there, means[which], 0.0).sum(axis=1),
    )


def _box(error: _Floats, first: _Floats) -> dict[str, Any]:
    """A box of the box plot: quartiles, and the 5th and 95th percentile as its whiskers."""
    low, quarter, median, three, high = np.percentile(error, [5, 25, 50, 75, 95]).tolist()
    return {
        "moves": len(error),
        "top1": float(first.mean()),
        "p5": low,
        "q1": quarter,
        "median": median,
        "q3": three,
        "p95": high,
    }
