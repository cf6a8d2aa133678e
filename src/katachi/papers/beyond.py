"""Beyond the papers: what answers to the last move and interactions between features add to the
linear model, on Coulom's games and on professionals', all on one test with one measure.

The settings were chosen on a split of the training games (docs/results.md). The test games see
each row once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

from katachi.evaluation.report import differences, report
from katachi.learning.base import Settings
from katachi.learning.bradley_terry.learner import BradleyTerryOptions
from katachi.learning.bradley_terry.prior import Prior
from katachi.learning.interactions.learner import FactorsOptions, HiddenOptions
from katachi.models.model import Model
from katachi.papers import coulom
from katachi.papers.plots import plot_ranks
from katachi.papers.run import TEST, TRAIN, Run
from katachi.patterns.catalogue import EXTENDED

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


CORPORA: Final = {
    "coulom": Games(coulom.TRAIN, coulom.TEST, 0, 5),
    "professionals": Games(TRAIN, TEST, 80, 10),
}


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
    sampled: dict[str, Any] = {"positions_per_game": positions, "field": FIELD, "prior": PRIOR}
    shared: dict[str, Any] = {"catalogue": EXTENDED, "min_count": games.min_count}
    linear = BradleyTerryOptions(**sampled)
    hidden = HiddenOptions(**sampled)
    found = {
        "linear": Settings("bradley-terry", linear, without=ANSWERS, **shared),
        "+ answers": Settings("bradley-terry", linear, **shared),
        "+ factors": Settings("factors", FactorsOptions(**sampled), **shared),
        "+ hidden": Settings("hidden", hidden, **shared),
    }
    if owner:
        found["+ hidden, owner"] = Settings("hidden", hidden, owner=True, **shared)
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
        models = {
            name: run.part(name).trained(train, settings, _file(which, name), (games.train,))
            for name, settings in rows(games, owner, positions_per_game).items()
        }
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


def _file(which: str, row: str) -> str:
    words = row.replace("+", "").replace(",", "").split()
    return "-".join(["beyond", which, *words])


def _compared(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each row with the one before it, and the first with the last."""
    yield from pairwise(names)
    yield names[0], names[-1]
