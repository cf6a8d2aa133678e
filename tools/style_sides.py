"""What two groups play differently: all readable features of both, in the same terms.

    python -m tools.style_sides GAMES… [--by result] [--groups winner loser] [--most N]

Each group is fitted beside the default model, by itself. Prints, for each feature whose difference
between the groups has q < 0.05 (Benjamini and Hochberg, over all features), that difference in Elo
with half of its 95 % interval, and how many of each group's moves have it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from scipy.stats import norm

from katachi.models.elo import ELO
from katachi.models.model import load_model
from katachi.records.read import read_games
from katachi.styles.differences import (
    SURE,
    WITHIN_95,
    benjamini_hochberg,
    expected_of,
    played_of,
    told_of,
)
from katachi.styles.fit import fit
from katachi.styles.gather import gather, wanted_moves
from katachi.styles.players import BY, grouped
from katachi.styles.readable import READABLE, features_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--by", choices=BY, default="result")
    parser.add_argument("--groups", nargs=2, default=["winner", "loser"])
    parser.add_argument("--most", type=int, default=2500)
    options = parser.parse_args()
    corpus = read_games(options.paths)
    groups = grouped(corpus, options.by)
    numbers = [groups.names.index(name) for name in options.groups]
    of = np.full_like(groups.of, -1)
    for new, old in enumerate(numbers):
        of[groups.of == old] = new
    every = gather(corpus, wanted_moves(corpus, of, most=options.most), load_model())
    sides = [every.of(lambda piece, g=g: piece.group == g) for g in range(2)]  # type: ignore[misc]
    (a, a_error), (b, b_error) = (told_of(side, fit(side, tolerance=1e-6)) for side in sides)
    delta, error = a - b, np.hypot(a_error, b_error)
    told = np.flatnonzero(np.isfinite(error) & (error > 0))
    q = benjamini_hochberg(2 * norm.sf(np.abs(delta[told]) / error[told]))
    played, expected = [played_of(side) for side in sides], [expected_of(side) for side in sides]
    features = features_of(READABLE)
    one, two = options.groups
    print(f"{one}: {sides[0].count:,} moves; {two}: {sides[1].count:,} moves; {len(told)} features")
    print(f"| feature | {one} - {two}, Elo | q | {one}, played (expected) | {two} |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for place in np.argsort(q)[:15]:
        i = int(told[place])
        if q[place] < SURE or place == np.argmin(q):
            cells = [f"{played[g][i]:,} ({expected[g][i]:,.0f})" for g in range(2)]
            print(
                f"| {features[i].family} {features[i].name} | {ELO * delta[i]:+.0f} ± "
                f"{ELO * WITHIN_95 * error[i]:.0f} | {q[place]:.2g} | {cells[0]} | {cells[1]} |"
            )


if __name__ == "__main__":
    main()
