"""What the reproductions share: the packs of games, the folder they work in, shapes and models that
are made once, and how models are measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from katachi.errors import KatachiError
from katachi.evaluation.measure import measure
from katachi.evaluation.measured import Measured
from katachi.folders import alone_in, discard, make_folder, write_json
from katachi.learning.base import MEMORY, Settings
from katachi.learning.train import corpus_digest, train
from katachi.models.model import Model, load_model
from katachi.patterns.shapes.dictionary import Shapes, load_shapes
from katachi.patterns.shapes.harvest import harvest
from katachi.progress import Progress, named, silent
from katachi.records.corpus import Corpus, join
from katachi.records.read import read_games

# The games of professionals; Coulom's are in katachi.papers.coulom
TRAIN, MORE, TEST = "pro-train-20000.tar.xz", "pro-more.tar.xz", "pro-test-500.tar.xz"


def kept_model(path: Path, **about: Any) -> Model | None:
    """The model of a run before at `path`, if it says all this about itself."""
    try:
        model = load_model(path)
    except KatachiError:
        return None
    same = all(model.about.get(name) == value for name, value in about.items())
    return model if same else None


@dataclass(frozen=True)
class Run:
    """A reproduction: the folder of the packs, the folder of its results, where an interrupted run
    goes on, and how it works. `memory_mb`: patterns are dropped so that the rest fit in it.
    """

    data: Path
    folder: Path
    jobs: int = 1
    progress: Progress = silent
    memory_mb: int = MEMORY

    def games(self, *packs: str) -> Corpus:
        """The games of these packs. Raises KatachiError if one is not there."""
        paths = [self.data / pack for pack in packs]
        for path in paths:
            if not path.exists():
                raise KatachiError(f"{path} does not exist: --data names the folder that has it")
        return join([read_games([path], jobs=self.jobs) for path in paths])

    def alone(self) -> AbstractContextManager[None]:
        """Keep other reproductions out of the folder. Raises KatachiError if one is there."""
        return alone_in(self.folder, "another reproduction is at work")

    def part(self, name: str) -> Run:
        """The same, for a part of the work: its stages are told by this name."""
        return replace(self, progress=named(self.progress, name))

    def harvested(self, corpus: Corpus, path: Path, **how: Any) -> Shapes:
        """The shapes of a run before at `path`, or else those of these games, which go there."""
        if not path.exists():
            make_folder(path.parent)
            tell = named(self.progress, "harvesting")
            harvest(corpus, jobs=self.jobs, progress=tell, **how).save(path)
        return load_shapes(path)

    def trained(
        self, corpus: Corpus, settings: Settings, name: str, packs: tuple[str, ...] = (TRAIN,)
    ) -> Model:
        """The model `name` of a run before, if it is of the same games and settings; else it is
        trained, beside it in a folder where an interrupted run goes on, and saved.
        """
        path = self.folder / f"{name}.katachi"
        kept = kept_model(path, corpus=corpus_digest(corpus), settings=settings.plan())
        if kept is not None:
            return kept
        work = path.with_suffix(".work")
        model = train(corpus, settings, work, names=packs, jobs=self.jobs, progress=self.progress)
        model.save(path)
        discard(work)
        return model

    def measured(self, models: Mapping[str, Model], test: Corpus) -> dict[str, Measured]:
        """How well these models predict the moves of the games."""
        found = measure(list(models.values()), test, jobs=self.jobs, progress=self.progress)
        return dict(zip(models, found, strict=True))

    def write(self, name: str, data: Any) -> None:
        """Write a file of JSON into the folder."""
        write_json(self.folder / name, data)
