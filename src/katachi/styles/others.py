"""A base that is learnt from other games: those without the player, or games of one's own choice.

What is learnt is kept in the cache folder by its games, so that a run that was interrupted goes on,
and the same base is not learnt twice.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np

from katachi.errors import KatachiError
from katachi.folders import cache_folder, discard, mark_used, source_digest, writable
from katachi.learning.base import Settings
from katachi.learning.bradley_terry.learner import BradleyTerryOptions
from katachi.learning.train import train
from katachi.models.model import Model, load_model
from katachi.patterns.catalogue import EXTENDED
from katachi.progress import Progress, named, silent
from katachi.records.corpus import Corpus

MOST_GAMES: Final = 2000  # chosen at random
LEAST_GAMES: Final = 20
SETTINGS: Final = Settings(
    "bradley-terry",
    BradleyTerryOptions(positions_per_game=100, field=48),
    catalogue=EXTENDED,
    without=("answer", "shape-marked", "shape-liberties"),
    any_size=True,
)


def without_player(corpus: Corpus, names: Sequence[tuple[str, str]], player: str) -> Corpus:
    """The games in which he does not play."""
    return corpus.take(np.array([player not in pair for pair in names], bool))


def learnt_from(
    corpus: Corpus, *, seed: int = 1, jobs: int = 1, progress: Progress = silent
) -> Model:
    """A model of these games, or of MOST_GAMES of them.

    Raises KatachiError if there are fewer than LEAST_GAMES.
    """
    if len(corpus) < LEAST_GAMES:
        raise KatachiError(
            f"{len(corpus)} other games are too few to learn from: give {LEAST_GAMES} or more, or "
            "compare with a model: --against default"
        )
    if len(corpus) > MOST_GAMES:
        some = np.random.default_rng(seed).choice(len(corpus), MOST_GAMES, replace=False)
        corpus = corpus.take(np.sort(some))
    tell = named(progress, "learning the base")
    home = cache_folder() / "others"
    if not writable(home):
        with tempfile.TemporaryDirectory() as folder:
            return train(corpus, SETTINGS, Path(folder) / "work", jobs=jobs, progress=tell)
    digest = blake2b(np.ascontiguousarray(corpus.digest).tobytes(), digest_size=12)
    digest.update(source_digest("go", "records", "patterns", "models", "learning").encode())
    digest.update(repr(SETTINGS.plan()).encode())
    own = home / digest.hexdigest()
    path, work = own / "base.katachi", own / "work"
    if path.exists():
        with suppress(KatachiError):
            mark_used(own)
            return load_model(path)
    own.mkdir(exist_ok=True)
    model = train(corpus, SETTINGS, work, jobs=jobs, progress=tell)
    with suppress(KatachiError):  # a full disk costs the cache, not the result
        model.save(path)
        discard(work)
    return model
