"""Training: from games to a model, in a folder from which it can go on.

plan.json            the games and settings: another plan does not go on here
NAME.shapes          the dictionaries, once harvested
competitions/        the described positions, shard by shard

Beside them a learner keeps things of its own: see its module `learner`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from katachi import __version__
from katachi.errors import KatachiError
from katachi.folders import alone_in, open_plan
from katachi.learning.base import (
    FIXED_MB,
    SHAPE_BYTES,
    Settings,
    check_settings,
    check_start,
    learner_named,
)
from katachi.models.model import Model
from katachi.patterns.competitions import Competitions, Span, describe_corpus
from katachi.patterns.features import Features
from katachi.patterns.field import Field
from katachi.patterns.shapes.dictionary import Shapes, join_shapes, load_shapes
from katachi.patterns.shapes.harvest import harvest, sieve_bits_for
from katachi.patterns.shapes.sieve import SIEVE_BITS
from katachi.patterns.shapes.templates import STERN_TEMPLATES
from katachi.progress import Progress, named, silent, stage
from katachi.records.corpus import Corpus


@dataclass(frozen=True, eq=False)
class Work:
    """What a learner gets: games, settings, a folder of its own, and what it needs from there on.

    `start` is a model of the same learner that goes on learning, or None. `shapes`: where the
    dictionaries are, if several works of the same games and shapes have them together.
    """

    corpus: Corpus
    settings: Settings
    folder: Path
    start: Model | None
    jobs: int
    tell: Progress
    seconds: dict[str, float] = field(default_factory=dict)  # stage → how long it took
    shapes: Path | None = None

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Notes how long the body takes."""
        start = time.perf_counter()
        yield
        self.seconds[name] = round(time.perf_counter() - start, 1)

    def features(self, corpus: Corpus | None = None, *, position: bool = False) -> Features:
        """The features of the settings, with dictionaries that are harvested from the games, or
        from `corpus`; those that are in the folder already are taken from there. `position`:
        whether the families of the position are wanted, too.
        """
        settings = self.settings
        with self.stage("harvest"):
            dictionaries = self._harvest(self.corpus if corpus is None else corpus, position)
        all_radii = settings.all_radii
        return Features(
            settings.catalogue,
            dictionaries,
            settings.catalogue.all_radii if all_radii is None else all_radii,
            settings.owner,
            frozenset(settings.without),
            position=position,
        )

    def describe(
        self,
        features: Features,
        *,
        into: str = "competitions",
        told: str = "describing",
        positions_per_game: int | None = None,
        seed: int = 1,
        field: Field | None = None,
        span: Span | None = None,
    ) -> Competitions:
        """The games as competitions (katachi.patterns.competitions), in a folder within this one;
        what is there already is not described again. `told`: the name of the stage.
        """
        return describe_corpus(
            self.corpus,
            features,
            self.folder / into,
            positions_per_game=positions_per_game,
            seed=seed,
            field=field,
            span=span,
            jobs=self.jobs,
            progress=stage(self.tell, told),
        )

    def _harvest(self, corpus: Corpus, position: bool) -> dict[str, Shapes]:
        """A model that goes on learning keeps its own, and of Stern's patterns learns new ones,
        too.
        """
        settings, start = self.settings, self.start
        plans = settings.catalogue.harvests
        if position:
            plans += settings.catalogue.position_harvests
        harvests = [h for h in plans if h.dictionary not in settings.without]
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
                sieve_bits = sieve_bits_for(corpus, plan.templates, settings.memory_mb, self.jobs)
            path = (self.shapes or self.folder) / f"{plan.dictionary}.shapes"
            if not path.exists():
                found = harvest(
                    corpus,
                    templates=plan.templates,
                    rule=plan.rule,
                    min_count=minimum[plan.rule] or plan.min_count,
                    jobs=self.jobs,
                    most=most,
                    sieve_bits=sieve_bits,
                    progress=named(self.tell, f"harvesting {plan.dictionary}"),
                )
                if start is not None:
                    found = join_shapes([start.features.dictionaries[plan.dictionary], found])
                found.save(path)
            dictionaries[plan.dictionary] = load_shapes(path)
        return dictionaries


def corpus_digest(corpus: Corpus) -> str:
    """The same for games with the same moves in the same order, turned or not."""
    return blake2b(np.ascontiguousarray(corpus.digest).tobytes(), digest_size=16).hexdigest()


def check_corpus(corpus: Corpus, any_size: bool) -> None:
    """Raises KatachiError if there are fewer than two games, or boards of several sizes, unless
    they may be of any.
    """
    if len(corpus) < 2:
        what = "one game is" if len(corpus) else "no games are"
        raise KatachiError(f"{what} too few to learn from: give some hundred")
    sizes, counts = np.unique(corpus.size, return_counts=True)
    if len(sizes) > 1 and not any_size:
        what = ", ".join(f"{n:,} on {s}x{s}" for s, n in zip(sizes, counts, strict=True))
        raise KatachiError(
            f"the games are on boards of several sizes ({what}): choose by --size, or take all of "
            "them by --any-size"
        )


def open_work(corpus: Corpus, settings: Settings, folder: Path, start: Model | None = None) -> None:
    """Check the games and the settings, then make the folder, or check that it was made for them.

    Raises KatachiError as `train` does. A mistake leaves no folder behind, which would stand in the
    way of the run that has it mended.
    """
    check_corpus(corpus, settings.any_size)
    check_settings(settings)
    if start is not None:
        check_start(start, settings, corpus_digest(corpus))
    plan = {
        "games": len(corpus),
        "corpus": corpus_digest(corpus),
        "settings": settings.plan(),
        "start": None if start is None else start.digest,
        "katachi": __version__,
    }
    with alone_in(folder, "another training is at work"):
        open_plan(folder, plan, "the work of another training")


def train(
    corpus: Corpus,
    settings: Settings,
    folder: Path,
    *,
    names: tuple[str, ...] = (),
    start: Model | None = None,
    jobs: int = 1,
    progress: Progress = silent,
) -> Model:
    """Learn from games in `folder`, or go on there where a run before has stopped.

    `names` say where the games are from; `start` is a model of the same learner that goes on
    learning. Raises KatachiError if there are fewer than two games or several board sizes, if the
    folder is of another plan or another training is at work there, or for settings that make no
    sense.
    """
    open_work(corpus, settings, folder, start)
    with alone_in(folder, "another training is at work"):
        open_work(corpus, settings, folder, start)  # it may have been removed meanwhile
        work = Work(corpus, settings, folder, start, jobs, progress)
        model = learner_named(settings.learner).learn(work)
    return model.with_about(**about_training(corpus, settings, names), seconds=work.seconds)


def about_training(corpus: Corpus, settings: Settings, names: tuple[str, ...]) -> dict[str, Any]:
    """What a model says of its games and settings."""
    return {
        "katachi": __version__,
        "games": len(corpus),
        "moves": int(corpus.moves.sum()),
        "corpus": corpus_digest(corpus),
        "names": list(names),
        "sizes": sorted(set(corpus.size.tolist())),
        "settings": settings.plan(),
    }
