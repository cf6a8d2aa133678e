"""Araki et al. 2007, section IV, from end to end: Tables I to IV, and what each part is worth.

Tables I and II choose settings: as in the paper on 2,000 games, and 500 more to develop on, here
all of the training games, so that the test games are for Tables III and IV alone.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from katachi.evaluation.report import report
from katachi.folders import discard
from katachi.learning.base import Settings
from katachi.learning.maxent.learner import MaxentOptions, count_patterns, fit_samples, halves
from katachi.learning.maxent.rerank import relative_frequency
from katachi.learning.maxent.samples import FAMILY_NAMES, make_samples
from katachi.learning.train import corpus_digest
from katachi.models.model import Model
from katachi.papers.numbers import ARAKI_AMOUNTS, ARAKI_GAMES, ARAKI_WIDTHS
from katachi.papers.plots import plot_ranks
from katachi.papers.run import TEST, TRAIN, Run, kept_model
from katachi.patterns.catalogue import ARAKI
from katachi.patterns.features import Features
from katachi.patterns.shapes.dictionary import Shapes
from katachi.patterns.shapes.harvest import sieve_bits_for
from katachi.processes import peak_megabytes
from katachi.progress import named
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


def reproduce(run: Run) -> Reproduction:
    """All tables: the models, a figure of the ranks and araki.json are in the run's folder.

    Raises KatachiError if the games are not there or the folder cannot be used.
    """
    test, corpus = run.games(TEST), run.games(TRAIN)
    corpus = corpus.take(np.random.default_rng(SEED).permutation(len(corpus)))
    with run.alone():
        return _reproduce(run, corpus, test)


def _reproduce(run: Run, corpus: Corpus, test: Corpus) -> Reproduction:
    few = _few(replace(run, folder=run.folder / f"araki-{FEW}"), corpus)
    settings = Settings("maxent", memory_mb=run.memory_mb, seed=SEED, any_size=True)
    for count in GROWTH:
        games = corpus.take(np.arange(len(corpus))[: run.scaled(count, corpus)])
        model = run.part(f"{count:,} games").trained(games, settings, f"araki-{count}")
        seconds = dict(model.about["seconds"])
        peak = peak_megabytes()
        begin = time.perf_counter()
        few["growth"][count] = _reports(run, {"": model}, test)[""]
        seconds["measure"] = round(time.perf_counter() - begin, 1)
    others = {
        learner: run.part(learner).trained(corpus, _patterns(run, learner), name)
        for name, learner in (("stern-largest", "ranking"), ("frequency", "frequency"))
    }
    comparison = {"maxent": few["growth"][GROWTH[-1]]} | _reports(run, others, test)
    done = Reproduction(**few, comparison=comparison, model=model, seconds=seconds, megabytes=peak)
    plot_ranks(comparison, run.folder / "araki-ranks.png")
    run.write("araki.json", done.data())
    return done


def _patterns(run: Run, learner: str) -> Settings:
    """A learner of the largest known patterns alone."""
    return Settings(learner, all_radii=False, memory_mb=run.memory_mb, any_size=True)


def _few(run: Run, corpus: Corpus) -> dict[str, dict[Any, Any]]:
    """Tables I and II and that of the parts: the report of each model on the games to develop."""
    develop = corpus.take(np.arange(len(corpus))[-run.scaled(DEVELOP, corpus) :])
    games = corpus.take(np.arange(len(corpus))[: run.scaled(FEW, corpus)])
    wanted = {f"width-{width}": Part(MaxentOptions(width)) for width in WIDTHS}
    wanted |= {f"amount-{most}": Part(MaxentOptions(rerank=most)) for most in AMOUNTS}
    models = fitted(run, games, wanted | PARTS)
    models |= {
        name: run.part(name).trained(some, _patterns(run, "frequency"), name)
        for name, some in (("frequency", games), ("frequency of half A", halves(games, SEED)[0]))
    }
    reports = _reports(run, models, develop)
    return {
        "widths": {width: reports[f"width-{width}"] for width in WIDTHS},
        "amounts": {0: reports["frequency"]}
        | {most: reports[f"amount-{most}"] for most in AMOUNTS},
        "parts": {name: reports[name] for name in ("frequency of half A", *PARTS)},
        "growth": {},
    }


def fitted(run: Run, corpus: Corpus, wanted: dict[str, Part]) -> dict[str, Model]:
    """Models of the same halves of the same games, each fitted in its own way and kept in the
    folder as a file: one of the same games and settings is not fitted again. Equal settings under
    several names are fitted once.
    """
    digest = corpus_digest(corpus)
    names: dict[Part, str] = {}
    for name, how in wanted.items():
        names.setdefault(how, name)
    paths = {
        how: run.folder / f"{name.replace(', ', '-').replace(' ', '-')}.katachi"
        for how, name in names.items()
    }
    found = {how: kept_model(path, corpus=digest, how=how.plan()) for how, path in paths.items()}
    missing = sorted(
        (how for how in paths if found[how] is None), key=lambda how: how.options.rerank
    )
    if missing:
        first, second = halves(corpus, SEED)
        # Of other games, nothing goes on here
        work = run.folder / f"work-{digest[:12]}"
        shapes = _shapes(run, first, work)
        counted = count_patterns(first, shapes, work, jobs=run.jobs, progress=run.progress)
        frequency = relative_frequency(*counted)
        for how in missing:
            samples = make_samples(
                second,
                shapes,
                frequency,
                how.options.rerank,
                work / f"samples-{how.options.rerank}",
                jobs=run.jobs,
                progress=run.progress,
            )
            begin = time.perf_counter()
            model = fit_samples(
                samples,
                counted,
                Features(ARAKI, {"shape": shapes}, without=how.without),
                how.options,
                work / paths[how].stem,
                jobs=run.jobs,
                progress=named(run.progress, names[how]),
            )
            seconds = {"fit": time.perf_counter() - begin}
            model = model.with_about(corpus=digest, how=how.plan(), seconds=seconds)
            model.save(paths[how])
            found[how] = model
        discard(work)
    return {name: one for name, how in wanted.items() if (one := found[how]) is not None}


def _shapes(run: Run, corpus: Corpus, work: Path) -> Shapes:
    (plan,) = ARAKI.harvests
    return run.harvested(
        corpus,
        work / "shape.shapes",
        templates=plan.templates,
        rule=plan.rule,
        min_count=plan.min_count,
        sieve_bits=sieve_bits_for(corpus, plan.templates, run.memory_mb, run.jobs),
    )


def _reports(run: Run, models: dict[str, Model], corpus: Corpus) -> dict[str, dict[str, Any]]:
    return {
        name: report(one) | {key: models[name].about.get(key) for key in ("weights", "seconds")}
        for name, one in run.measured(models, corpus).items()
    }
