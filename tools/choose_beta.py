"""Compares settings of `katachi train --method ranking` on a split of training games.

    python tools/choose_beta.py GAMES… [--features stern] [--shapes largest] [--without NAME…]
        [--frequency] [--train N] [--test N] --beta BETA…

N games are drawn to learn from, and others to test on. Prints the share of moves found first and
within 5, 10 and 20, and the mean log-evidence, a line for each beta, and one for frequencies.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from katachi.evaluation.measure import measure
from katachi.evaluation.report import TOPS, report
from katachi.learning.base import Settings
from katachi.learning.ranking.learner import RankingOptions
from katachi.learning.train import train
from katachi.patterns.catalogue import CATALOGUES
from katachi.patterns.features import WAYS
from katachi.processes import default_jobs
from katachi.records.read import read_games

SEED = 7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+", type=Path)
    parser.add_argument("--beta", nargs="+", type=float, default=[])
    parser.add_argument("--features", choices=list(CATALOGUES), default="stern")
    parser.add_argument("--shapes", choices=list(WAYS), help="the catalogue's own way")
    parser.add_argument("--without", nargs="+", default=[], help="families or dictionaries")
    parser.add_argument("--frequency", action="store_true")
    parser.add_argument("--train", type=int, default=3000)
    parser.add_argument("--test", type=int, default=100)
    options = parser.parse_args()
    jobs = default_jobs()
    corpus = read_games(options.games, jobs=jobs)
    order = np.random.default_rng(SEED).permutation(len(corpus))
    learnt, tested = np.sort(order[: options.train]), np.sort(order[-options.test :])
    if options.train + options.test > len(corpus):
        parser.error(f"{len(corpus):,} games are too few for both")
    base = Settings(
        "ranking",
        catalogue=CATALOGUES[options.features],
        any_size=True,
        without=tuple(options.without),
        all_radii=None if options.shapes is None else WAYS[options.shapes],
    )
    rows = [replace(base, options=RankingOptions(beta)) for beta in options.beta]
    if options.frequency:
        rows.append(replace(base, learner="frequency", options=None))
    print(f"{'method':12} {'beta':>5}  {'  '.join(f'top {k:2}' for k in TOPS)}  log-evidence")
    for settings in rows:
        with tempfile.TemporaryDirectory() as folder:
            model = train(corpus.take(learnt), settings, Path(folder) / "work", jobs=jobs)
        (found,) = measure([model], corpus.take(tested), jobs=jobs)
        told = report(found, resamples=10)
        tops = "  ".join(f"{100 * told[f'top{k}']:6.2f}" for k in TOPS)
        beta = f"{settings.options.beta:g}" if settings.learner == "ranking" else ""
        print(
            f"{settings.learner:12} {beta:>5}  {tops}  {told['mean_log_evidence']:.3f}", flush=True
        )


if __name__ == "__main__":
    main()
