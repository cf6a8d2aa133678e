"""What the search and the playouts say of the positions with a known answer.

    python -m tests.search.answers [--simulations N] [--setting NAME=VALUE ...]

prints, by kind: how many problems the search misses, with two seeds; and how many settled positions
the playouts alone misjudge, with one of the sides to move at least. Then it names them. With 0
simulations only the playouts are asked.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from katachi.go.board import new_board
from katachi.go.points import BLACK, WHITE, vertex
from katachi.go.rng import new_rng
from katachi.models.model import load_model
from katachi.search.engine import search_player
from katachi.search.gammas import GammasBySize, gammas_by_size, gammas_for
from katachi.search.player import Budget, GameState
from katachi.search.playouts import pattern_playouts
from katachi.search.sampler import new_sampler
from katachi.search.settings import parse_settings
from katachi.search.space import LONGEST_SIMULATION
from tests.search.problems import CATEGORIES, Problem, Settled, load_problems, load_settled

PLAYOUTS = 1000


def missed(
    problems: Sequence[Problem],
    seed: int,
    simulations: int,
    settings: Mapping[str, str] | None = None,
) -> dict[Problem, str]:
    """The problems that the search fails at, each with the move that it plays."""
    model = load_model()
    wrong = {}
    for problem in problems:
        player = search_player(model, memory_mb=32, seed=seed, settings=settings)
        position = problem.position()
        found = player.search(GameState(position, problem.komi), Budget(simulations=simulations))
        move = found.moves[0][0]
        if move not in problem.answers:
            wrong[problem] = vertex(move, position.size)
    return wrong


def judged(
    positions: Sequence[Settled], settings: Mapping[str, str] | None = None
) -> dict[Settled, tuple[float, float]]:
    """The shares of playouts alone, without a tree, that the winner of each position wins: if Black
    moves first, and if White does.
    """
    gammas = gammas_by_size(load_model(), parse_settings(settings or {}))
    return {
        settled: (_share(settled, BLACK, gammas), _share(settled, WHITE, gammas))
        for settled in positions
    }


def is_right(shares: tuple[float, float]) -> bool:
    """Whether the winner wins more than half, whoever moves."""
    return min(shares) > 0.5


def _share(settled: Settled, mover: int, gammas: GammasBySize) -> float:
    """The share of playouts that the winner wins if this side moves first."""
    board = settled.position(mover).board
    size = int(board.side)
    moves = np.zeros(LONGEST_SIMULATION, np.int16)
    black, _, _ = pattern_playouts(
        board,
        new_board(size),
        new_sampler(),
        gammas_for(gammas, size),
        new_rng(1),
        moves,
        PLAYOUTS,
        settled.komi,
    )
    return (black if settled.winner == BLACK else PLAYOUTS - black) / PLAYOUTS


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.search.answers")
    parser.add_argument("--simulations", type=int, default=5000)
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    asked = parser.parse_args()
    settings = dict(text.split("=", 1) for text in asked.setting)
    problems, positions = load_problems(), load_settled()
    searched = problems if asked.simulations else []
    wrong = [missed(searched, seed, asked.simulations, settings) for seed in (1, 2)]
    said = judged(positions, settings)
    bad = [settled for settled in positions if not is_right(said[settled])]
    kinds = Counter(problem.category for problem in searched)
    lost = [Counter(problem.category for problem in one) for one in wrong]
    fixed = Counter(settled.category for settled in positions)
    misread = Counter(settled.category for settled in bad)
    print("| kind | problems | missed, seed 1 | seed 2 | settled | misjudged |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for kind in CATEGORIES:
        numbers = (kinds[kind], lost[0][kind], lost[1][kind], fixed[kind], misread[kind])
        print(f"| {kind} |", " | ".join(map(str, numbers)), "|")
    totals = (len(searched), *map(len, wrong), len(positions), len(bad))
    print("| all |", " | ".join(map(str, totals)), "|")
    for seed, one in enumerate(wrong, 1):
        for problem, move in one.items():
            print(f"missed with seed {seed}: {problem.category}, {problem.name}: {move}")
    for settled in bad:
        black, white = said[settled]
        print(f"misjudged: {settled.category}, {settled.name}: {black:.0%}, {white:.0%}")
    right = sum(share > 0.5 for shares in said.values() for share in shares)
    print(f"with Black to move and with White to move: {right} of {2 * len(said)} judged right")


if __name__ == "__main__":
    main()
