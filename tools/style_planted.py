"""Are planted habits found, and are none found where there are none?

    python -m tools.style_planted [--draws 100] [--moves 3000] [--halves PLAYER GAMES…]

Players are drawn from the default model on positions of the bundled games: some with six habits
(HABITS), others without. Prints how often the 95 % intervals cover the truth, how often each habit
is found (q < 0.05), and how many players without habits show any, as `katachi style` tells it; and
the same for intervals with the prior of the feature itself in them. With --halves the games of a
real player are split at random: prints how many splits show any difference between the halves.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.stats import norm

from katachi.models.elo import ELO
from katachi.models.model import load_model
from katachi.records.bundled import bundled_games
from katachi.records.read import read_games
from katachi.styles.decisions import Decisions
from katachi.styles.differences import SURE, WITHIN_95, benjamini_hochberg, beside_of, told_of
from katachi.styles.fit import fit
from katachi.styles.fitted import Fitted, Vector
from katachi.styles.gather import gather, wanted_moves
from katachi.styles.players import names_of, of_player
from katachi.styles.readable import READABLE, features_of

# (family, level) → Elo; chosen before anything was drawn
HABITS = {
    ("line", "4"): 60.0,
    ("line", "1"): -120.0,
    ("word-contact", "contact"): 90.0,
    ("word-own", "stretch"): -150.0,
    ("word-own", "one-space-jump"): 150.0,
    ("word-answer", "tenuki"): -60.0,
}
TOLERANCE = 1e-5
_Estimate = tuple[Vector, Vector]


def drawn(decisions: Decisions, delta: Vector, rng: np.random.Generator) -> Decisions:
    """The same positions with moves drawn from base and differences."""
    padded = np.append(delta, 0.0)  # -1: no feature
    pieces = []
    for piece in decisions.pieces:
        score = piece.offset + padded[piece.seats].sum(axis=1) + rng.gumbel(size=len(piece.offset))
        highest = np.maximum.reduceat(score, piece.starts[:-1])
        won = np.flatnonzero(score == np.repeat(highest, np.diff(piece.starts)))
        pieces.append(replace(piece, winner=won - piece.starts[:-1]))
    return Decisions(pieces, decisions.sizes)


def kept(decisions: Decisions, found: Fitted) -> _Estimate:
    """With the prior of the feature itself."""
    return found.told(beside_of(decisions))


ESTIMATES: dict[str, Callable[[Decisions, Fitted], _Estimate]] = {
    "as told": told_of,
    "own prior kept": kept,
}


def q_values(estimate: _Estimate) -> Vector:
    """As `katachi style` has them where no shape is sure: half of the errors are the shapes'."""
    delta, error = estimate
    q = np.ones(len(delta))
    told = np.isfinite(error) & (error > 0)
    p = 2 * norm.sf(np.abs(delta[told]) / error[told])
    q[told] = np.minimum(1.0, 2 * benjamini_hochberg(p))
    return q


def planted(decisions: Decisions, draws: int) -> None:
    names = [(f.family, f.name) for f in features_of(READABLE)]
    where = [names.index(name) for name in HABITS]
    truth = np.zeros(len(names))
    truth[where] = np.array(list(HABITS.values())) / ELO
    families, means = beside_of(decisions)
    wanted = truth - (means @ truth)[families]
    covered = {kind: np.zeros(len(where)) for kind in ESTIMATES}
    sure = {kind: np.zeros(len(where)) for kind in ESTIMATES}
    wrong = dict.fromkeys(ESTIMATES, 0)
    every = {kind: [0, 0] for kind in ESTIMATES}
    for draw in range(draws):
        some = drawn(decisions, truth, np.random.default_rng([1, draw]))
        plain = drawn(decisions, 0 * truth, np.random.default_rng([2, draw]))
        found, none = (fit(one, tolerance=TOLERANCE) for one in (some, plain))
        for kind, estimate in ESTIMATES.items():
            delta, error = estimate(some, found)
            inside = np.abs(delta - wanted) < WITHIN_95 * error
            told = np.isfinite(error)
            covered[kind] += inside[where]
            every[kind][0] += int(inside[told].sum())
            every[kind][1] += int(told.sum())
            sure[kind] += q_values((delta, error))[where] < SURE
            wrong[kind] += bool((q_values(estimate(plain, none)) < SURE).any())
        if (draw + 1) % 10 == 0 or draw + 1 == draws:
            print(f"{draw + 1} draws", flush=True)
            for kind in ESTIMATES:
                share = covered[kind].sum() / (draw + 1) / len(where)
                of_all = every[kind][0] / every[kind][1]
                print(
                    f"  {kind}: habits covered {share:.1%} {covered[kind].astype(int).tolist()}, "
                    f"all features {of_all:.1%}; found {sure[kind].astype(int).tolist()}; "
                    f"players without habits who show one: {wrong[kind]}",
                    flush=True,
                )


def halves(decisions: Decisions, draws: int) -> None:
    """Splits of a real player's games."""
    games = np.unique(decisions.column("game"))
    shown = dict.fromkeys(ESTIMATES, 0)
    for draw in range(draws):
        chosen = set(
            np.random.default_rng([3, draw]).permutation(games)[: len(games) // 2].tolist()
        )

        def part(first: bool, chosen: set[int] = chosen) -> tuple[Decisions, Fitted]:
            half = decisions.of(
                lambda piece: np.array([(g in chosen) == first for g in piece.game], bool)
            )
            return half, fit(half, tolerance=TOLERANCE)

        one, two = part(True), part(False)
        for kind, estimate in ESTIMATES.items():
            (a, a_error), (b, b_error) = estimate(*one), estimate(*two)
            shown[kind] += bool((q_values((a - b, np.hypot(a_error, b_error))) < SURE).any())
        if (draw + 1) % 10 == 0 or draw + 1 == draws:
            print(
                f"{draw + 1} splits of {len(games)} games, {decisions.count} moves: {shown}",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--moves", type=int, default=3000)
    parser.add_argument("--halves", nargs="+", metavar=("PLAYER", "GAMES"))
    options = parser.parse_args()
    base = load_model()
    if options.halves:
        player, *paths = options.halves
        corpus = read_games(map(Path, paths))
        groups = of_player(names_of(corpus), player).of
        groups[groups > 0] = -1
    else:
        corpus = bundled_games()
        corpus = corpus.take(corpus.size == 19)
        groups = np.zeros((len(corpus), 2), np.int32)
    wanted = wanted_moves(corpus, groups, most=options.moves)
    decisions = gather(corpus, wanted, base)
    (halves if options.halves else planted)(decisions, options.draws)


if __name__ == "__main__":
    main()
