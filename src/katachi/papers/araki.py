"""Araki et al. 2007, section IV, from end to end: Tables I to IV, and what each part is worth.

Tables I and II choose settings: as in the paper on 2,000 games, and 500 more to develop on, here
all of the training games, so that the test games are for Tables III and IV alone.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from katachi.errors import KatachiError
from katachi.evaluation.measure import measure
from katachi.evaluation.report import report
from katachi.folders import alone_in, discard, make_folder, write_whole
from katachi.learning.base import MEMORY, Settings
from katachi.learning.maxent.learner import MaxentOptions, count_patterns, fit_samples, halves
from katachi.learning.maxent.rerank import relative_frequency
from katachi.learning.maxent.samples import FAMILY_NAMES, make_samples
from katachi.learning.train import corpus_digest
from katachi.models.model import Model, load_model
from katachi.papers.numbers import ARAKI_AMOUNTS, ARAKI_GAMES, ARAKI_WIDTHS
from katachi.papers.packs import TEST, TRAIN, pack_games, trained_once
from katachi.papers.plots import plot_ranks
from katachi.patterns.catalogue import ARAKI
from katachi.patterns.features import Features
from katachi.patterns.shapes.dictionary import Shapes, load_shapes
from katachi.patterns.shapes.harvest import harvest, sieve_bits_for
from katachi.processes import peak_megabytes
from katachi.progress import Progress, named, silent, stage
from katachi.records.corpus import Corpus

SEED: Final = 1
FEW, DEVELOP = 2_000, 500  # games of Tables I and II
WIDTHS: Final = tuple(ARAKI_WIDTHS)
AMOUNTS: Final = tuple(ARAKI_AMOUNTS)[1:]  # moves ranked anew; without that first
GROWTH: Final = tuple(ARAKI_GAMES)


@dataclass(frozen=True)
class Part:
    """How moves are ranked: the options of maximum entropy, and the families left out."""

    options: MaxentOptions = field(default_factory=MaxentOptions)
    without: frozenset[str] = frozenset()

    def plan(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self) | {"without": sorted(self.without)}


PATTERN_ONLY: Final = frozenset(FAMILY_NAMES[1:])  # what is left out
# What each part is worth: name → how moves are ranked, on the same games
PARTS: Final = {
    f"{fitted}, {words}, {'the first 20' if most else 'all legal moves'}": Part(
        MaxentOptions(rerank=most, fitted=fitted), without
    )
    for fitted in ("maxent", "bradley-terry")
    for words, without in (("patterns alone", PATTERN_ONLY), ("all features", frozenset()))
    for most in (20, 0)
}


@dataclass(frozen=True, eq=False)
class Reproduction:
    """Tables I to IV and of the parts, as rows of reports, and what the largest model cost."""

    widths: dict[float, dict[str, Any]]  # width → report
    amounts: dict[int, dict[str, Any]]  # moves ranked anew → report
    parts: dict[str, dict[str, Any]]  # how moves are ranked → report
    growth: dict[int, dict[str, Any]]  # games → report
    comparison: dict[str, dict[str, Any]]  # system → report
    model: Model  # of all games
    seconds: dict[str, float]
    megabytes: float

    def data(self) -> dict[str, Any]:
        """All of it as JSON."""
        tables = {
            name: {str(key): one for key, one in getattr(self, name).items()}
            for name in ("widths", "amounts", "parts", "growth", "comparison")
        }
        return {**tables, "seconds": self.seconds, "megabytes": self.megabytes}


def reproduce(
    data: Path, folder: Path, *, memory_mb: int = MEMORY, jobs: int = 1, progress: Progress = silent
) -> Reproduction:
    """All tables, in `folder`: the models, a figure of the ranks and araki.json. An interrupted run
    goes on there.

    Raises KatachiError if the games are not in `data` or the folder cannot be used.
    """
    test, corpus = (pack_games(data, [name], jobs) for name in (TEST, TRAIN))
    corpus = corpus.take(np.random.default_rng(SEED).permutation(len(corpus)))
    with alone_in(folder, "another reproduction is at work"):
        return _reproduce(corpus, test, folder, memory_mb, jobs, progress)


def _reproduce(
    corpus: Corpus, test: Corpus, folder: Path, memory_mb: int, jobs: int, tell: Progress
) -> Reproduction:
    few = _few(corpus, folder / f"araki-{FEW}", memory_mb, jobs, tell)
    settings = Settings("maxent", memory_mb=memory_mb, seed=SEED, any_size=True)
    for games in GROWTH:
        model = trained_once(
            corpus.take(np.arange(len(corpus))[:games]),
            settings,
            folder / f"araki-{games}.katachi",
            (TRAIN,),
            jobs=jobs,
            progress=named(tell, f"{games:,} games"),
        )
        seconds = dict(model.about["seconds"])
        peak = peak_megabytes()
        begin = time.perf_counter()
        measured = _measured({"": model}, test, jobs, tell)
        few["growth"][games] = measured[""]
        seconds["measure"] = round(time.perf_counter() - begin, 1)
    others = {}
    for name, learner in (("stern-largest", "ranking"), ("frequency", "frequency")):
        others[learner] = trained_once(
            corpus,
            Settings(learner, all_radii=False, memory_mb=memory_mb, any_size=True),
            folder / f"{name}.katachi",
            (TRAIN,),
            jobs=jobs,
            progress=named(tell, learner),
        )
    comparison = {"maxent": few["growth"][GROWTH[-1]]} | _measured(others, test, jobs, tell)
    done = Reproduction(**few, comparison=comparison, model=model, seconds=seconds, megabytes=peak)
    plot_ranks(comparison, folder / "araki-ranks.png")
    write_whole(folder / "araki.json", json.dumps(done.data(), indent=1).encode())
    return done


def _few(
    corpus: Corpus, folder: Path, memory_mb: int, jobs: int, tell: Progress
) -> dict[str, dict[Any, Any]]:
    """Tables I and II and that of the parts: the report of each model on the games to develop."""
    develop = corpus.take(np.arange(len(corpus))[-DEVELOP:])
    games = corpus.take(np.arange(len(corpus))[:FEW])
    wanted = {f"width-{width}": Part(MaxentOptions(width)) for width in WIDTHS}
    wanted |= {f"amount-{most}": Part(MaxentOptions(rerank=most)) for most in AMOUNTS}
    wanted |= PARTS
    models = fitted(games, wanted, folder, memory_mb=memory_mb, jobs=jobs, progress=tell)
    usual = Settings("frequency", all_radii=False, memory_mb=memory_mb, any_size=True)
    models |= {
        name: trained_once(
            some, usual, folder / f"{name}.katachi", (TRAIN,), jobs=jobs, progress=named(tell, name)
        )
        for name, some in (("frequency", games), ("frequency of half A", halves(games, SEED)[0]))
    }
    reports = _measured(models, develop, jobs, tell)
    return {
        "widths": {width: reports[f"width-{width}"] for width in WIDTHS},
        "amounts": {0: reports["frequency"]}
        | {most: reports[f"amount-{most}"] for most in AMOUNTS},
        "parts": {name: reports[name] for name in ("frequency of half A", *PARTS)},
        "growth": {},
    }


def fitted(
    corpus: Corpus,
    wanted: dict[str, Part],
    folder: Path,
    *,
    memory_mb: int = MEMORY,
    jobs: int = 1,
    progress: Progress = silent,
) -> dict[str, Model]:
    """Models of the same halves of the same games, each fitted in its own way and kept in the
    folder as a file: one of the same games and settings is not fitted again. Equal settings under
    several names are fitted once.
    """
    digest = corpus_digest(corpus)
    ways: dict[Part, str] = {}
    for name, how in wanted.items():
        ways.setdefault(how, name)
    paths = {
        how: folder / f"{name.replace(', ', '-').replace(' ', '-')}.katachi"
        for how, name in ways.items()
    }
    found = {how: _kept(path, digest, how) for how, path in paths.items()}
    if any(model is None for model in found.values()):
        first, second = halves(corpus, SEED)
        # Of other games, nothing goes on here
        work = folder / f"work-{digest[:12]}"
        shapes = _shapes(first, work, memory_mb, jobs, progress)
        counted = count_patterns(first, shapes, work, jobs=jobs, progress=progress)
        frequency = relative_frequency(*counted)
        for how, path in sorted(paths.items(), key=lambda item: item[0].options.rerank):
            if found[how] is not None:
                continue
            samples = make_samples(
                second,
                shapes,
                frequency,
                how.options.rerank,
                work / f"samples-{how.options.rerank}",
                jobs=jobs,
                progress=stage(progress, "ranking by frequency"),
            )
            begin = time.perf_counter()
            model = fit_samples(
                samples,
                counted,
                Features(ARAKI, {"shape": shapes}, without=how.without),
                how.options,
                work / path.stem,
                jobs=jobs,
                progress=named(progress, ways[how]),
            )
            model = model.with_about(
                corpus=digest, how=how.plan(), seconds={"fit": time.perf_counter() - begin}
            )
            model.save(path)
            found[how] = model
        discard(work)
    return {name: one for name, how in wanted.items() if (one := found[how]) is not None}


def _shapes(corpus: Corpus, work: Path, memory_mb: int, jobs: int, tell: Progress) -> Shapes:
    (plan,) = ARAKI.harvests
    path = work / "shape.shapes"
    if not path.exists():
        make_folder(work)
        harvest(
            corpus,
            templates=plan.templates,
            rule=plan.rule,
            min_count=plan.min_count,
            jobs=jobs,
            sieve_bits=sieve_bits_for(corpus, plan.templates, memory_mb, jobs),
            progress=named(tell, "harvesting"),
        ).save(path)
    return load_shapes(path)


def _kept(path: Path, digest: str, how: Part) -> Model | None:
    try:
        model = load_model(path)
    except KatachiError:
        return None
    same = model.about.get("corpus") == digest and model.about.get("how") == how.plan()
    return model if same else None


def _measured(
    models: dict[str, Model], corpus: Corpus, jobs: int, tell: Progress
) -> dict[str, dict[str, Any]]:
    found = measure(list(models.values()), corpus, jobs=jobs, progress=stage(tell, "measuring"))
    return {
        name: report(one)
        | {"weights": model.about.get("weights"), "seconds": model.about.get("seconds")}
        for (name, model), one in zip(models.items(), found, strict=True)
    }
