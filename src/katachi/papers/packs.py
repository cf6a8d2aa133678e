"""The packs of professional games that papers are reproduced on, and models trained on them."""

from __future__ import annotations

from pathlib import Path

from katachi.errors import KatachiError
from katachi.folders import discard
from katachi.learning.base import Settings
from katachi.learning.train import corpus_digest, train
from katachi.models.model import Model, load_model
from katachi.progress import Progress, silent
from katachi.records.corpus import Corpus, join
from katachi.records.read import read_games

TRAIN, MORE, TEST = "pro-train-20000.tar.xz", "pro-more.tar.xz", "pro-test-500.tar.xz"


def pack_games(data: Path, names: list[str], jobs: int) -> Corpus:
    """The games of these packs. Raises KatachiError if one is not in the folder."""
    for name in names:
        if not (data / name).exists():
            needed = ", ".join((TRAIN, TEST))
            raise KatachiError(
                f"{data / name} does not exist: --data names the folder with {needed}, and for "
                f"--growth {MORE}"
            )
    return join([read_games([data / name], jobs=jobs) for name in names])


def trained_once(
    corpus: Corpus,
    settings: Settings,
    path: Path,
    names: tuple[str, ...],
    *,
    jobs: int = 1,
    progress: Progress = silent,
) -> Model:
    """The model of a run before at `path`, if it is of the same games and settings; else it is
    trained, in a folder beside it where an interrupted run goes on, and saved there.
    """
    try:
        model = load_model(path)
    except KatachiError:
        model = None
    if model is not None:
        same = model.about.get("corpus") == corpus_digest(corpus)
        if same and model.about.get("settings") == settings.plan():
            return model
    work = path.with_suffix(".work")
    model = train(corpus, settings, work, names=names, jobs=jobs, progress=progress)
    model.save(path)
    discard(work)
    return model
