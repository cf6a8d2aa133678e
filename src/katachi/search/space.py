"""What the kernels of a search are given, by name: `Task`, equal for all threads, and
`SearchSpace`, of which each thread has its own.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board, new_board
from katachi.go.points import AREA, MAX_SIZE
from katachi.go.rng import new_rng
from katachi.search.gammas import PlayoutGammas
from katachi.search.player import GameState
from katachi.search.sampler import Sampler, new_sampler
from katachi.search.settings import SearchSettings, priors

DEEPEST: Final = 200  # moves in the tree
LONGEST_SIMULATION: Final = DEEPEST + 4 * MAX_SIZE * MAX_SIZE  # moves, those of the playout too

# What is in `control`: the part of the tree that is left to the thread, the node that wants the
# model, and whether that part was too small
NEXT, END, NODE, FULL = range(4)
# What is in `counts`: simulations; wins of Black; by point, how often it was Black's, and how often
# the winner's
SIMULATIONS, BLACK_WINS = range(2)
BLACKS: Final = 2
WINNERS: Final = BLACKS + AREA


class Options(NamedTuple):
    """The settings of a search that its kernels look at: see SearchSettings."""

    expand_after: int
    model_after: int  # -1: there is no full model
    asks: bool  # whether Python asks the full model
    widens: bool
    every_move: bool  # whether nodes get all legal moves as children
    ucb: float
    rave: float
    prior_even: float
    prior_won: float
    prior_fades: float
    bias: float
    forced: float
    urgency: float
    virtual_loss: int
    komi: float


class Task(NamedTuple):
    """What is to be searched, and how."""

    root: Board
    history: npt.NDArray[np.uint64]  # hashes of the positions before
    gammas: PlayoutGammas
    options: Options
    widths: npt.NDArray[np.float64]  # see katachi.search.widening
    stop: npt.NDArray[np.int64]  # [1] not 0: come back


class SearchSpace(NamedTuple):
    """What one thread works with."""

    work: Board
    sampler: Sampler
    rng: npt.NDArray[np.uint64]
    moves: npt.NDArray[np.int16]  # [i] of the simulation under way
    path: npt.NDArray[np.int32]  # [depth] its nodes,
    hashes: npt.NDArray[np.uint64]  # and the hashes of their positions
    played: npt.NDArray[np.int8]  # [point] who was the first to play there
    owners: npt.NDArray[np.uint8]  # [point] who owns it at the end
    weights: npt.NDArray[np.int64]  # [point] of a node that gets children
    chances: npt.NDArray[np.float64]  # [point] of one that the model weighs
    counts: npt.NDArray[np.int64]
    control: npt.NDArray[np.int64]


def new_space(seed: int) -> SearchSpace:
    """Space for boards of any size."""
    return SearchSpace(
        new_board(MAX_SIZE),
        new_sampler(),
        new_rng(seed),
        np.zeros(LONGEST_SIMULATION, np.int16),
        np.zeros(DEEPEST, np.int32),
        np.zeros(DEEPEST, np.uint64),
        np.zeros(AREA, np.int8),
        np.zeros(AREA, np.uint8),
        np.zeros(AREA, np.int64),
        np.zeros(AREA),
        np.zeros(WINNERS + AREA, np.int64),
        np.zeros(4, np.int64),
    )


def options_for(s: SearchSettings, game: GameState, *, weighs: bool, asks: bool) -> Options:
    """The options of a search. `weighs`: there is a full model, `asks`: Python asks it."""
    even, won = priors(s, game.position.size)
    return Options(
        expand_after=s.expand_after or game.position.size**2,
        model_after=s.model_after if weighs else -1,
        asks=asks,
        widens=s.widening != "none",
        every_move=s.children == "legal",
        ucb=float(s.ucb),
        rave=float(s.rave),
        prior_even=float(even),
        prior_won=float(won),
        prior_fades=float(s.prior_fades),
        bias=float(s.bias),
        forced=float(s.forced),
        urgency=float(s.urgency),
        virtual_loss=s.virtual_loss,
        komi=float(game.komi),
    )
