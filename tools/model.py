"""Makes the model that comes with Katachi, from the packs to the file.

    python -m tools.model --data ../shared/data [-o build/model/default.katachi]

It learns the gammas for playouts from strong amateurs and small boards, then the full model from
professionals, strong amateurs and small boards together, and puts the first into the second. One
game of a hundred (katachi.records.filters.held_out) is not learnt from: settings are compared on
these games, never on the test packs. At the end it says how well the model predicts their moves.
A run that was interrupted goes on where it stopped. `--learner` makes the model in another way.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from katachi.cli.talk import stages, talk
from katachi.errors import KatachiError
from katachi.evaluation.measure import measure
from katachi.evaluation.report import report
from katachi.folders import discard
from katachi.learning.base import Settings, learner_named
from katachi.learning.bradley_terry.learner import BradleyTerryOptions
from katachi.learning.bradley_terry.prior import Prior
from katachi.learning.train import train
from katachi.models.model import Model, load_model
from katachi.patterns.catalogue import EXTENDED, PLAYOUT
from katachi.processes import default_jobs
from katachi.records.corpus import Corpus
from katachi.records.filters import held_out
from katachi.records.read import read_games

FOR_PLAYOUTS: Final = ("amateur-large-kgs.tar.xz", "games-9x9.tar.xz", "games-13x13.tar.xz")
PACKS: Final = ("pro-train-20000.tar.xz", *FOR_PLAYOUTS)
SHARE, SALT = 0.01, "default model"  # of the games that are held out
LEARNERS: Final = ("bradley-terry", "factors", "hidden")
MIN_COUNT: Final = 110  # so that the file stays below 12 MB
MIN_CANDIDATES: Final = 24_000
TOLERANCE: Final = 1e-5  # of the linear fit, from which the interactions go on


def settings(learner: str, positions_per_game: int = 45) -> Settings:
    """How the full model is trained."""
    options = learner_named(learner).options(
        positions_per_game=positions_per_game, field=40, prior=Prior(4.0, 4.0), tolerance=TOLERANCE
    )
    return Settings(
        learner,
        options,
        EXTENDED,
        min_count=MIN_COUNT,
        min_candidates=MIN_CANDIDATES,
        any_size=True,
    )


LIGHT: Final = Settings(
    "bradley-terry", BradleyTerryOptions(positions_per_game=30), PLAYOUT, any_size=True
)


def make(data: Path, output: Path, wanted: Settings) -> tuple[Model, Corpus]:
    """The model, saved at `output`, and the games that it has not learnt from. What is made on the
    way is kept beside it. Raises KatachiError if a pack is missing, or for other models there.
    """
    folder = output.parent
    light = _trained(_games(data, FOR_PLAYOUTS), FOR_PLAYOUTS, LIGHT, folder / "playout.katachi")
    games = _games(data, PACKS)
    held = held_out(games, SHARE, SALT)
    model = _trained(games.take(~held), PACKS, wanted, folder / f"{wanted.learner}.katachi")
    model = replace(model, playout=light)
    model.save(output)
    return model, games.take(held)


def _games(data: Path, names: Sequence[str]) -> Corpus:
    return read_games([data / name for name in names], jobs=default_jobs())


def _trained(games: Corpus, names: Sequence[str], wanted: Settings, path: Path) -> Model:
    """The model of these games; the one at `path`, if it is there already. Raises KatachiError if
    that one was made in another way.
    """
    if not path.exists():
        work, jobs = path.with_suffix(".work"), default_jobs()
        with stages(talk()) as show:
            train(games, wanted, work, names=tuple(names), jobs=jobs, progress=show).save(path)
        discard(work)
    found = load_model(path)
    if found.about["settings"] != wanted.plan():
        raise KatachiError(f"{path} was trained with other settings: remove it, or give another -o")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.model", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the packs")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/model/default.katachi"))
    parser.add_argument("--learner", choices=LEARNERS, default="hidden")
    parser.add_argument("--positions-per-game", type=int, default=45)
    args = parser.parse_args()
    args.output.parent.mkdir(parents=True, exist_ok=True)
    wanted = settings(args.learner, args.positions_per_game)
    try:
        model, held = make(args.data, args.output, wanted)
    except KatachiError as error:
        parser.error(str(error))
    print(f"{args.output}: {args.output.stat().st_size / 1e6:.1f} MB, {model.about['seconds']}")
    for size in sorted(set(held.size.tolist())):
        some = held.take(np.asarray(held.size == size))
        (measured,) = measure([model], some, jobs=default_jobs())
        found = report(measured)
        print(
            f"{size}x{size}, {found['games']} games held out, {found['moves']:,} moves: "
            f"top 1 {found['top1']:.2%}, log-evidence {found['mean_log_evidence']:.3f}"
        )


if __name__ == "__main__":
    main()
