"""What one thread needs for itself to run simulations, and the options that all of them share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board, new_board
from katachi.go.points import AREA, MAX_SIZE
from katachi.go.rng import new_rng
from katachi.search import simulate as kernels
from katachi.search.player import Game
from katachi.search.prior import Mind, Prior, new_mind
from katachi.search.sampler import new_sampler
from katachi.search.settings import SearchSettings, priors


class Worker:
    """What one thread needs for itself."""

    def __init__(self, seed: int) -> None:
        self.work: Board = new_board(MAX_SIZE)
        self.sampler = new_sampler()
        self.rng = new_rng(seed)
        self.moves = np.zeros(kernels.LONGEST, np.int16)
        self.path = np.zeros(kernels.DEEPEST, np.int32)
        self.hashes = np.zeros(kernels.DEEPEST, np.uint64)
        self.played = np.zeros(AREA, np.int8)
        self.owners = np.zeros(AREA, np.uint8)
        self.weights = np.zeros(AREA, np.int64)
        self.counts = np.zeros(2 + 2 * AREA, np.int64)
        self.published = self.counts.copy()  # for others: the kernel is not in the midst of it
        self.control = np.zeros(kernels.CONTROL, np.int64)
        self.chances = np.zeros(AREA)
        self.mind: Mind = new_mind(None, MAX_SIZE)  # the full model, or else
        self.prior: Prior | None = None  # it is asked by Python


def options_for(
    s: SearchSettings, game: Game, *, weighs: bool, asks: bool
) -> npt.NDArray[np.float64]:
    """The options of `simulate`. `weighs`: there is a full model, `asks`: Python asks it."""
    options = np.zeros(kernels.OPTIONS)
    options[kernels.EXPAND_AFTER] = s.expand_after
    options[kernels.MODEL_AFTER] = s.model_after if weighs else -1
    options[kernels.ASKS] = asks
    options[kernels.WIDENS] = s.widening != "none"
    options[kernels.UCB] = s.ucb
    options[kernels.RAVE] = s.rave
    options[kernels.EVEN], options[kernels.WON] = priors(s, game.position.size)
    options[kernels.FADES] = s.prior_fades
    options[kernels.BIAS] = s.bias
    options[kernels.URGENCY] = s.urgency
    options[kernels.LOSS] = s.virtual_loss
    options[kernels.KOMI] = game.komi
    return options
