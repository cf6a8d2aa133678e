"""Training: from games to a model, in a folder from which it can go on (katachi.learning.work)."""

from __future__ import annotations

from pathlib import Path

from katachi import __version__
from katachi.folders import alone_in
from katachi.learning.base import Settings, learner_named
from katachi.learning.work import Work, corpus_digest, open_work
from katachi.models.model import Model
from katachi.progress import Progress, silent
from katachi.records.corpus import Corpus


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
    return model.with_about(
        katachi=__version__,
        games=len(corpus),
        moves=int(corpus.moves.sum()),
        corpus=corpus_digest(corpus),
        names=list(names),
        sizes=sorted(set(corpus.size.tolist())),
        settings=settings.plan(),
        seconds=work.seconds,
    )
