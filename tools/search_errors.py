"""How honest the errors of a light search are: the same positions searched with many seeds.

    python -m tools.search_errors [--seeds 30] [--positions 12]

A row for each depth of the study page. "spread" is the standard deviation of the mean score, or of
the win rate, from seed to seed, divided by the standard error that the simulations of one search
say: 1 if they were independent of each other. "within" is how many of all pairs of searches of the
same position, whose difference is 0, differ by less than the page's bar.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from math import hypot
from threading import Event

import numpy as np

from katachi.models.model import Model, load_model
from katachi.records.bundled import bundled_games
from katachi.records.game import Game
from katachi.search.engine import search_player
from katachi.study.measured import Measure, measure
from katachi.study.pool import DEPTHS
from katachi.study.searched import terms_of

GAME = 70  # of the bundled ones: 328 moves on 19x19
BAR = 2.5  # standard errors, as in src/katachi/study/page/losses.js


def searches(
    model: Model, game: Game, simulations: int, seeds: int, positions: int
) -> list[list[Measure]]:
    """For each position what each seed says."""
    players = [search_player(model, memory_mb=16, seed=seed + 1) for seed in range(seeds)]
    found = []
    for number in np.linspace(5, len(game.moves) - 5, positions).astype(int).tolist():
        terms = terms_of(game.position(number), game.komi)
        each = [measure(player, terms, None, simulations, Event()) for player in players]
        found.append([one.whole for one in each if one is not None])
    return found


def row(found: list[list[Measure]]) -> str:
    """The cells of a table for one depth."""
    cells = []
    for value, error in (("lead", "lead_error"), ("win_rate", "rate_error")):
        told = np.array([[getattr(one, value) for one in same] for same in found])
        said = np.array([[getattr(one, error) for one in same] for same in found])
        spread = np.sqrt(np.mean((told.std(axis=1, ddof=1) / said.mean(axis=1)) ** 2))
        inside = [
            abs(t[i] - t[j]) < BAR * hypot(s[i], s[j])
            for t, s in zip(told, said, strict=True)
            for i, j in combinations(range(len(t)), 2)
        ]
        cells += [f"{spread:.2f}", f"{100 * np.mean(inside):.1f} %", f"{said.mean():.3g}"]
    return " | ".join(cells)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--positions", type=int, default=12)
    options = parser.parse_args()
    model, game = load_model(), bundled_games()[GAME]
    print("| simulations | points: spread | within | error | win rate: spread | within | error |")
    print("| ---: |" + " ---: |" * 6)
    for simulations in DEPTHS:
        found = searches(model, game, simulations, options.seeds, options.positions)
        print(f"| {simulations:,} | {row(found)} |", flush=True)


if __name__ == "__main__":
    main()
