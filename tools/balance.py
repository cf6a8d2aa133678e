"""Finds the factors of balanced playouts (katachi.search.gammas.BALANCE).

    python tools/balance.py GAMES… [--games 70] [--minutes 0]

Takes the first games on 19x19 that were counted at their end. GNU Go tells the dead stones, and
with them who owns each point; games whose score is then not the recorded one are left out. From
positions in the middle of the others, playouts are run, and the share in which a point ends as
Black's is held against its owner: the loss is the mean of -log of the owner's share. Prints it for
the fitted gammas and for the balanced ones. With --minutes, factors are then doubled and halved one
by one, so long as that lowers the loss, beginning with those of BALANCE, and what was found is
printed. (Huang, Coulom, Lin 2010 balance whole games against search results; this is simpler.)
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from multiprocessing import Pool
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board, copy, new_board
from katachi.go.kernel import at, int64, kernel
from katachi.go.points import AREA, BLACK, EMPTY, WHITE, from_vertex
from katachi.go.position import Position
from katachi.go.rng import new_rng
from katachi.go.score import area_owners
from katachi.models.model import Model, load_model
from katachi.processes import default_jobs
from katachi.records.game import Game
from katachi.records.read import read_games
from katachi.records.write import to_sgf
from katachi.search.gammas import BALANCE, SHAPE_POWER, PlayoutGammas, balance, gamma_tables
from katachi.search.playouts import pattern_playout
from katachi.search.sampler import new_sampler, start
from katachi.search.space import LONGEST_SIMULATION

SIZE = 19
STAGES = (80, 120, 160, 200)  # moves, after which playouts begin
PLAYOUTS = 250
APART = 2.5  # points by which area and territory may differ
LESS = 0.0002  # of the loss, that a factor must gain

Factors = dict[str, tuple[float, ...]]


class Case(NamedTuple):
    """A position, and the owners of its points when the game had ended."""

    stage: int
    board: Board
    owners: npt.NDArray[np.uint8]  # [point] EMPTY for nobody's


def counted(game: Game, size: int = SIZE, least: int = STAGES[-1]) -> float | None:
    """By how much Black won, if an even game on such a board was counted after `least` moves or
    more.
    """
    said = re.fullmatch(r"([BW])\+([\d.]+)", game.result.strip())
    if said is None or game.size != size or game.has_setup or game.komi is None:
        return None
    if len(game.moves) < least:
        return None
    return float(said[2]) * (1 if said[1] == "B" else -1)


def cases_of(game: Game, stages: Sequence[int] = STAGES) -> list[Case]:
    """Its positions after so many moves, as far as the game goes; none if GNU Go counts it
    otherwise than the record.
    """
    gnugo = shutil.which("gnugo") or "/usr/games/gnugo"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.sgf"
        path.write_bytes(to_sgf(game))
        asked = f"loadsgf {path}\nfinal_status_list dead\nquit\n"
        told = subprocess.run(
            [gnugo, "--mode", "gtp", "--level", "8"],
            input=asked,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    dead = told.split("\n\n")[1].removeprefix("=").split()
    colors = game.position().colors.copy()
    colors[[from_vertex(name, game.size) for name in dead]] = EMPTY
    ended = Position.from_stones(game.size, colors, BLACK)
    result = counted(game, game.size, 0)
    if result is None or game.komi is None or abs(ended.score() - game.komi - result) > APART:
        return []
    owners = ended.owners()
    reached = [n for n in stages if n <= len(game.moves)]
    return [Case(n, game.position(n).board.copy(), owners) for n in reached]


@kernel
def owned(
    b: Board, work: Board, s: Any, gammas: PlayoutGammas, rng: Any, moves: Any, count: int, out: Any
) -> None:
    """Add to out[point] how many of `count` playouts end with it as Black's."""
    owners = np.empty(AREA, np.uint8)
    for _ in range(count):
        copy(work, b)
        start(work, s)
        pattern_playout(work, s, gammas, rng, moves, 0)
        area_owners(work, owners)
        for p in range(AREA):
            out[at(p)] += int64(owners[at(p)] == BLACK)


def loss(cases: list[Case], model: Model, factors: Factors, power: float) -> list[float]:
    """Of each case, by playouts with these factors."""
    return loss_by(cases, gamma_tables(balance(model.predictor.factors, factors, power)))


def loss_by(cases: list[Case], tables: PlayoutGammas) -> list[float]:
    """Of each case, by playouts with these gammas."""
    work, sampler, rng = new_board(SIZE), new_sampler(), new_rng(5)
    moves = np.zeros(LONGEST_SIMULATION, np.int16)
    found = []
    for case in cases:
        black = np.zeros(AREA, np.int64)
        owned(case.board, work, sampler, tables, rng, moves, PLAYOUTS, black)
        share = (black + 1) / (PLAYOUTS + 2)
        right = np.concatenate([share[case.owners == BLACK], 1 - share[case.owners == WHITE]])
        found.append(float(-np.log(right).mean()))
    return found


class Balance:
    """The cases, shared out among processes."""

    def __init__(self, pool: Any, cases: list[Case], jobs: int) -> None:
        light = load_model().playout
        assert light is not None
        self._pool, self._model = pool, light
        self._parts = [cases[i::jobs] for i in range(jobs)]
        self.stages = np.array([case.stage for part in self._parts for case in part])

    def loss(self, factors: Factors, power: float) -> npt.NDArray[np.float64]:
        """Of every case."""
        asked = [(part, self._model, factors, power) for part in self._parts]
        return np.concatenate(self._pool.starmap(loss, asked))

    def show(self, name: str, factors: Factors, power: float) -> float:
        """Print the loss, by stage too; returns it."""
        found = self.loss(factors, power)
        stages = ", ".join(f"move {n}: {found[self.stages == n].mean():.3f}" for n in STAGES)
        print(f"{name}: {found.mean():.4f} ({stages})", flush=True)
        return float(found.mean())


def climb(balanced: Balance, best: float, minutes: float) -> None:
    """Double and halve factors, and print what lowers the loss; at the end, all of them."""
    factors: Factors = dict(BALANCE)
    power, until, step = SHAPE_POWER, time.monotonic() + 60 * minutes, 2.0
    places = [(family, i) for family, all_ in BALANCE.items() for i in range(1, len(all_))]
    while time.monotonic() < until and step > 1.1:
        moved = False
        for place in [*places, None]:
            for times in (step, 1 / step):
                if time.monotonic() >= until:
                    break
                new, new_power = dict(factors), power
                if place is None:
                    new_power *= times**0.2
                else:
                    family, i = place
                    new[family] = tuple(
                        f * times if j == i else f for j, f in enumerate(new[family])
                    )
                found = float(balanced.loss(new, new_power).mean())
                if found < best - LESS:
                    factors, power, best, moved = new, new_power, found, True
                    print(f"{place or 'shapes'} x {times:.2f}: {best:.4f}", flush=True)
                    break
        if not moved:
            step **= 0.5
    print(factors, power)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--games", type=int, default=70)
    parser.add_argument("--minutes", type=float, default=0.0)
    options = parser.parse_args()
    jobs = default_jobs()
    games = [g for g in read_games(options.records, jobs=jobs) if counted(g) is not None]
    with Pool(jobs) as pool:
        found = pool.map(cases_of, games[: options.games])
        cases = [case for one in found for case in one]
        print(f"{sum(map(bool, found))} of {len(found)} games, {len(cases)} positions")
        balanced = Balance(pool, cases, jobs)
        balanced.show("fitted", {}, 1.0)
        best = balanced.show("balanced", dict(BALANCE), SHAPE_POWER)
        if options.minutes > 0:
            climb(balanced, best, options.minutes)


if __name__ == "__main__":
    main()
