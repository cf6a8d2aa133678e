"""Beyond the papers: what answers to the last move and interactions between features add to the
linear model, on Coulom's games and on professionals', all on one test with one measure; and how far
more positions carry it.

The settings were chosen on a split of the training games (docs/results). The test games see
each row once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from katachi.evaluation.report import differences, report
from katachi.folders import discard, open_plan
from katachi.learning.base import Settings
from katachi.learning.bradley_terry.learner import BradleyTerryOptions, describe_sample, fit_model
from katachi.learning.bradley_terry.prior import Prior
from katachi.learning.interactions.learner import (
    FactorsOptions,
    HiddenOptions,
    interacting_model,
    linear_model,
)
from katachi.learning.train import Work, about_training, corpus_digest
from katachi.models.model import Model
from katachi.papers import coulom
from katachi.papers.plots import plot_ranks
from katachi.papers.run import TEST, TRAIN, Run, kept_model
from katachi.patterns.catalogue import EXTENDED
from katachi.patterns.features import Features
from katachi.progress import stage
from katachi.records.corpus import Corpus

# Families that see the last moves and their strings closely: what the row "linear" does without
ANSWERS: Final = (
    "offset",
    "offset2",
    "own-weakest",
    "opponent-weakest",
    "own-largest",
    "opponent-largest",
    "contact",
    "answer",
)
FIELD: Final = 48
PRIOR: Final = Prior(4.0, 4.0)


class Games(NamedTuple):
    """Packs to learn from and to test on, and how the positions of the first are taken."""

    train: str
    test: str
    positions_per_game: int  # 0: all
    min_count: int  # how often a shape or an answer must have been played
    min_candidates: int  # how often a shape must have been there
    tolerance: float  # of the linear fits
    growth: tuple[int, ...] = (10, 40, 80, 0)  # positions of each game; 0: all


CORPORA: Final = {
    "coulom": Games(coulom.TRAIN, coulom.TEST, 0, 5, 625, 1e-6),
    "professionals": Games(TRAIN, TEST, 80, 10, 20_000, 1e-5),
}
LINEAR, ANSWERED, FACTORED, HIDDEN = "linear", "+ answers", "+ factors", "+ hidden"
OWNER: Final = f"{HIDDEN}, owner"


@dataclass(frozen=True, eq=False)
class Reproduction:
    """Row → its model and report; "ROW - ROW BEFORE" → their paired differences."""

    models: dict[str, Model]
    reports: dict[str, dict[str, Any]]
    compared: dict[str, dict[str, Any]]

    def data(self) -> dict[str, Any]:
        """All of it as JSON."""
        return {
            "models": [{"name": name, **one} for name, one in self.reports.items()],
            "differences": self.compared,
            "seconds": {name: one.about["seconds"] for name, one in self.models.items()},
        }


def rows(games: Games, owner: bool, positions_per_game: int | None = None) -> dict[str, Settings]:
    """Row → how its model is trained; with `owner` the last row once more with the 9th feature."""
    positions = games.positions_per_game if positions_per_game is None else positions_per_game
    sampled: dict[str, Any] = {
        "positions_per_game": positions,
        "field": FIELD,
        "prior": PRIOR,
        "tolerance": games.tolerance,
    }
    shared: dict[str, Any] = {
        "catalogue": EXTENDED,
        "min_count": games.min_count,
        "min_candidates": games.min_candidates,
    }
    linear = BradleyTerryOptions(**sampled)
    hidden = HiddenOptions(**sampled)
    found = {
        LINEAR: Settings("bradley-terry", linear, without=ANSWERS, **shared),
        ANSWERED: Settings("bradley-terry", linear, **shared),
        FACTORED: Settings("factors", FactorsOptions(**sampled), **shared),
        HIDDEN: Settings("hidden", hidden, **shared),
    }
    if owner:
        found[OWNER] = Settings("hidden", hidden, owner=True, **shared)
    return found


def reproduce(
    run: Run, which: str = "coulom", *, owner: bool = True, positions_per_game: int | None = None
) -> Reproduction:
    """Train and measure all rows on these games (a name of CORPORA): the models, a figure of the
    ranks and beyond-WHICH.json are in the run's folder.

    `positions_per_game`: how many positions of each game are learnt from, 0 for all, None for what
    CORPORA says. Raises KatachiError if the games are not there or the folder cannot be used.
    """
    games = CORPORA[which]
    test, train = run.games(games.test), run.games(games.train)
    with run.alone():
        wanted = rows(games, owner, positions_per_game)
        models = _trained(run, which, train, wanted)
        if owner:
            name = _file(which, OWNER, wanted[OWNER])
            models[OWNER] = run.part(OWNER).trained(train, wanted[OWNER], name, (games.train,))
        measured = run.measured(models, test)
        reports = {name: report(one) for name, one in measured.items()}
        compared = {
            f"{two} - {one}": differences(measured[one], measured[two])
            for one, two in _compared(list(models))
        }
        done = Reproduction(models, reports, compared)
        plot_ranks(reports, run.folder / f"beyond-{which}-ranks.png")
        run.write(f"beyond-{which}.json", done.data())
    return done


def reproduce_growth(run: Run, which: str = "coulom") -> dict[str, dict[str, Any]]:
    """How well the row `+ hidden` predicts when it learns from more and more positions of the same
    games: "10 of each game" → its report, with `positions`. They are also in
    beyond-WHICH-growth.json.

    Raises KatachiError as `reproduce` does.
    """
    games = CORPORA[which]
    test, train = run.games(games.test), run.games(games.train)
    with run.alone():
        models = {}
        for count in games.growth:
            words = f"{count} of each game" if count else "all"
            some = {HIDDEN: rows(games, False, count)[HIDDEN]}
            models[words] = _trained(run.part(words), which, train, some)[HIDDEN]
        reports = {
            words: report(one) | {"positions": models[words].about["competitions"]}
            for words, one in run.measured(models, test).items()
        }
        run.write(f"beyond-{which}-growth.json", reports)
    return reports


def _trained(run: Run, which: str, corpus: Corpus, wanted: dict[str, Settings]) -> dict[str, Model]:
    """The models of these rows, of a run before where it was of the same games and settings. Those
    without owner learn from the same positions with the same shapes, which are described once.
    """
    digest, packs = corpus_digest(corpus), (CORPORA[which].train,)
    without = {row: settings for row, settings in wanted.items() if row != OWNER}
    paths = {
        row: run.folder / f"{_file(which, row, settings)}.katachi"
        for row, settings in without.items()
    }
    models = {
        row: kept
        for row, path in paths.items()
        if (kept := kept_model(path, corpus=digest, settings=wanted[row].plan())) is not None
    }
    missing = {row: wanted[row] for row in paths if row not in models}
    if missing:
        first = next(iter(missing.values()))
        folder = run.folder / f"{_file(which, 'rows', first)}.work"
        together = _Together(run, which, corpus, first, folder)
        for row, settings in missing.items():
            about = about_training(corpus, settings, packs)
            models[row] = together.model(row, settings).with_about(**about)
            models[row].save(paths[row])
        discard(folder)
    return {row: models[row] for row in paths}


class _Together:
    """Models of the same positions, which are described once with all that any of them wants."""

    def __init__(
        self, run: Run, which: str, corpus: Corpus, settings: Settings, folder: Path
    ) -> None:
        plan = settings.plan()
        counts = {name: plan[name] for name in ("min_count", "min_candidates")}
        sampled = {name: plan["options"][name] for name in ("positions_per_game", "field", "prior")}
        games = {"corpus": corpus_digest(corpus), **counts}
        shapes = run.folder / f"beyond-{which}.shapes"  # kept, for more rows of the same games
        open_plan(shapes, games)
        open_plan(folder, games | sampled | {"seed": settings.seed})
        whole = replace(settings, without=())
        self._work = Work(corpus, whole, folder, None, run.jobs, run.progress, shapes=shapes)
        self._features = self._work.features(position=True)
        options = settings.options
        self._how = BradleyTerryOptions(
            positions_per_game=options.positions_per_game,
            field=options.field,
            prior=options.prior,
            tolerance=options.tolerance,
        )
        self._sample = describe_sample(self._work, self._features, self._how)
        self._before = dict(self._work.seconds)

    def model(self, row: str, settings: Settings) -> Model:
        """The model of a row; `seconds` has what all rows took together, and what this one took."""
        work, sample = self._work, self._sample
        tell = stage(work.tell, row)
        work.seconds.clear()
        if row == LINEAR:
            with work.stage("fit"):
                model = fit_model(
                    sample.competitions,
                    self._of_moves(ANSWERS),
                    self._how,
                    kept=work.folder / "without.journal",
                    jobs=work.jobs,
                    progress=tell,
                )
        else:
            with work.stage("fit"):
                model = linear_model(work, sample, self._features, self._how)
            if row == ANSWERED:
                model = replace(model, features=self._of_moves())
            else:
                with work.stage("learn"):
                    kept = work.folder / settings.learner
                    model = interacting_model(
                        sample, model, settings.options, settings.seed, kept=kept, progress=tell
                    )
        return model.with_about(
            seed=settings.seed,
            positions_per_game=sample.positions,
            seconds=self._before | work.seconds,
        )

    def _of_moves(self, without: tuple[str, ...] = ()) -> Features:
        """The features without those of the position, and without these."""
        gone = {*without, *(plan.dictionary for plan in EXTENDED.position_harvests)}
        known = {k: v for k, v in self._features.dictionaries.items() if k not in gone}
        return replace(
            self._features, dictionaries=known, without=frozenset(without), position=False
        )


def _file(which: str, row: str, settings: Settings) -> str:
    """The name of a row's file: with the positions of each game, if they are not the usual ones."""
    count = settings.options.positions_per_game
    usual = count == CORPORA[which].positions_per_game
    words = row.replace("+", "").replace(",", "").split()
    return "-".join(["beyond", which, *words, *([] if usual else [str(count or "all")])])


def _compared(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each row with the one before it, and the first with the last."""
    yield from pairwise(names)
    yield names[0], names[-1]
