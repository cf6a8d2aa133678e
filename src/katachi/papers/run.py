"""What the reproductions share: the packs of games, the folder they work in, shapes and models that
are made once, and how models are measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np

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
from katachi.records.bundled import bundled_games
from katachi.records.corpus import Corpus, join
from katachi.records.filters import Filters, select
from katachi.records.read import read_games

# The games of professionals; Coulom's are in katachi.papers.coulom
TRAIN, MORE, TEST = "pro-train-20000.tar.xz", "pro-more.tar.xz", "pro-test-500.tar.xz"
TRAIN_GAMES: Final = 20_000
# The sha256 of the packs on which docs/results was measured
DIGESTS: Final = {
    "kgs-train-652.tar.xz": "560ab1c70fa34d87d08288e55e5a314f43cb323c0f11021f5630451e5b6def82",
    "kgs-test-551.tar.xz": "754d593fe97d59f33e14961bc78afb7b8dd374e8034395824d24d24b0fc624dc",
    TRAIN: "2acb7b8edbe5745067a72da9e816ecd62342c8b2406adb23b8eb5c943f7e1484",
    MORE: "a9bff1db61b6ee3f176748b51a6591a9b58330f338fcac8c31cdac26524c42bc",
    TEST: "a1061a1fb375c9a72ea18712272ef1335332f6f792524a073f43b032ee1fca9b",
}
QUICK: Final = 20, 6  # bundled games of 19x19 to learn from, and to test on


def strange_packs(folder: Path) -> list[str]:
    """The packs in a folder that are not those of docs/results: their digest is another."""
    return [
        name
        for name, digest in DIGESTS.items()
        if (folder / name).is_file() and sha256((folder / name).read_bytes()).hexdigest() != digest
    ]


def _bundled(packs: tuple[str, ...]) -> Corpus:
    """Bundled games in the place of packs: the last ones in that of games to test on."""
    games, _ = select(bundled_games(), Filters(size=19))
    learn, test = QUICK
    if any("test" in pack for pack in packs):
        return games.take(np.arange(len(games) - test, len(games)))
    return games.take(np.arange(learn))


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
    """A reproduction: the folder of the packs, or None for a few bundled games, to see that all of
    it runs; the folder of its results, where an interrupted run goes on; and how it works.
    `memory_mb`: patterns are dropped so that the rest fit in it.
    """

    data: Path | None
    folder: Path
    jobs: int = 1
    progress: Progress = silent
    memory_mb: int = MEMORY

    def games(self, *packs: str) -> Corpus:
        """The games of these packs. Raises KatachiError if one is not there."""
        if self.data is None:
            return _bundled(packs)
        paths = [self.data / pack for pack in packs]
        for path in paths:
            if not path.exists():
                raise KatachiError(f"{path} does not exist: --data names the folder that has it")
        return join([read_games([path], jobs=self.jobs) for path in paths])

    def scaled(self, count: int, corpus: Corpus) -> int:
        """So many of the games of professionals: of bundled games the same share."""
        return count if self.data is not None else max(2, count * len(corpus) // TRAIN_GAMES)

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
