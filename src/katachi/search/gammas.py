"""The gammas of a light model, as the tables that playouts draw from (Coulom 2007, section 4.1).

The chance of a move is proportional to the product of its features' gammas. Products are kept as
integers, so that sums of many of them are exact and never drift: only their ratios matter, and
the largest gamma of a shape becomes LARGEST.

Features are of two kinds. What depends on the stones around a point (3x3 shape, self-atari) is in
the weight of the point, which is kept from move to move. What depends on the previous move or on
strings elsewhere (contiguity, extension, capture, the ko ban) is a *boost* of a few points, told
anew at every move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.go.points import BLACK, EMPTY, WALL, WHITE
from katachi.models.model import Model
from katachi.patterns.families.light import AROUND, classes3x3
from katachi.search.settings import SearchSettings

LARGEST: Final = 1 << 22  # so that the sum over a board stays below 2^31
BOOST_BITS: Final = 16  # of boosts and of the gamma of self-atari: 1 is 1 << BOOST_BITS
ONE_BOOST: Final = 1 << BOOST_BITS
ANY: Final = 1 << 17  # beside the gamma of self-atari: any string may be put in atari
# No boost is taken for more. LARGEST_BOOST cuts what several features together say of an answer to
# an atari; WHOLE_BOOST does not, and sums of weights stay below 2^62.
LARGEST_BOOST: Final = 1 << 10
WHOLE_BOOST: Final = 1 << 18

# A boost is looked up by bits: these, and the level of capture (0 … 5) above them. Of a string of
# three stones or more, the bit after (LARGER) is set, too: so the largest string at a point counts.
# TIGHT: an extension after which the string has two liberties, or one.
CONTIGUOUS: Final = 1
BANNED: Final = 2  # by ko
EXTENDS: Final = 4
DEFENDS: Final = 16  # levels 1 and 2 of the family `fight`, which are taken where both fit
ATTACKS: Final = 64  # levels 3 and 4
LARGER: Final = 3  # times one of the last three
TIGHT: Final = 256
CAPTURE_SHIFT: Final = 9
BOOSTS: Final = 6 << CAPTURE_SHIFT

# What the fitted gammas are multiplied by in balanced playouts, level by level, and the power of
# the gammas of shapes. Strong players leave what is settled for both of them: stones that are dead
# in atari, a threat that gains nothing. Playouts know nothing of that: unless they answer and take
# what they can, the dead come to life. Found by tools/balance.py, see docs/search.md.
BALANCE: Final = {
    "capture": (1.0, 25.0, 4.0, 4.0, 70.0, 10.0),
    "extension": (1.0, 25.0, 25.0),
    "contiguity": (1.0, 32.0),
}
SHAPE_POWER: Final = 1.15
BALANCED: Final = (9,)  # sizes of boards with a table of their own, data/balance-N.txt

CODES: Final = 1 << 16
CHECK: Final = 1  # lowest bit of a table's entry: fewer than two free neighbours


Factors = dict[str, npt.NDArray[np.float64]]  # gammas by family and level: Predictor.factors


# What `gamma_tables` asks of a model
_FAMILIES: Final = {"capture", "contiguity", "extension", "fight", "self-atari", "shape3"}


class PlayoutGammas(NamedTuple):
    """All that a playout draws by."""

    # [colour * CODES + code of the 8 neighbours] 2 * (the 3x3 gamma, scaled), plus CHECK where a
    # self-atari or suicide is possible; 0 for own eyes and for codes that no board shows
    shape: npt.NDArray[np.int32]
    boost: npt.NDArray[np.int64]  # [bits] product of gammas * ONE_BOOST
    # gamma * ONE_BOOST; without ANY, strings of which nothing can come are never put in atari
    self_atari: int
    nakade: float  # the chance to play on the vital point of an eye space, see that module


# By size of the board; None: on boards that have none of their own
GammasBySize = Mapping[int | None, PlayoutGammas]


def gammas_for(gammas: GammasBySize, size: int) -> PlayoutGammas:
    """Those for boards of this size."""
    return gammas.get(size, gammas[None])


def gammas_by_size(model: Model, settings: SearchSettings) -> GammasBySize:
    """What playouts draw by. Raises KatachiError if the model has no playout gammas."""
    if settings.playouts == "uniform":
        return {None: uniform_gammas()}
    light = model if model.features.catalogue.name == "playout" else model.playout
    if light is None:
        raise KatachiError(
            "the model has no playout gammas: train them by katachi train GAMES… "
            "--features playout -o playout.katachi, and add them by --playout playout.katachi"
        )
    any_string, balanced = settings.self_atari == "any", settings.gammas != "fitted"
    sizes = (None, *BALANCED) if settings.gammas == "sized" else (None,)
    most = WHOLE_BOOST if settings.answers == "whole" else LARGEST_BOOST
    return {
        size: playout_gammas(light, any_string, balanced, size, most, settings.tight)._replace(
            nakade=settings.nakade
        )
        for size in sizes
    }


def playout_gammas(
    model: Model,
    any_self_atari: bool = False,
    balanced: bool = False,
    size: int | None = None,
    most: int = LARGEST_BOOST,
    tight: float = 1.0,
) -> PlayoutGammas:
    """The tables of a model of the catalogue `playout`: its gammas as they were fitted, or
    `balanced`, for boards of this size or for all. No boost is larger than `most`. `tight` is the
    factor of tight extensions where the balance has none. Raises KatachiError if the model has
    other families.
    """
    if not model.predictor.ratings.keys() >= _FAMILIES:
        raise KatachiError(
            f"a model of {model.features.catalogue.name} features has no playout gammas: "
            "train one with katachi train --features playout"
        )
    gammas = model.predictor.factors
    chosen = balanced_for(size, gammas) if balanced else dict(gammas)
    chosen.setdefault("tight", np.array([1.0, tight, tight]))
    return gamma_tables(chosen, any_self_atari, most)


def gamma_tables(
    gamma: Factors, any_self_atari: bool = False, most: int = LARGEST_BOOST
) -> PlayoutGammas:
    """The tables of these gammas, by family and level, of the catalogue `playout`; `tight`, by the
    level of the extension, is 1 where it is left out.
    """
    tight = gamma.get("tight", np.ones(3))
    boost = np.zeros(BOOSTS, np.int64)
    for bits in range(BOOSTS):
        if bits & BANNED:
            continue
        product = gamma["capture"][bits >> CAPTURE_SHIFT]
        product *= gamma["contiguity"][1] if bits & CONTIGUOUS else 1.0
        extends, defends, attacks = (level_of(bits, of) for of in (EXTENDS, DEFENDS, ATTACKS))
        product *= gamma["extension"][extends]
        product *= tight[extends] if bits & TIGHT and not bits >> CAPTURE_SHIFT else 1.0
        product *= gamma["fight"][defends or (2 + attacks if attacks else 0)]
        boost[bits] = max(1, round(min(product, most) * ONE_BOOST))
    self_atari = min(ONE_BOOST, max(1, round(gamma["self-atari"][1] * ONE_BOOST)))
    self_atari |= ANY if any_self_atari else 0
    return PlayoutGammas(_shape_table(gamma["shape3"]), boost, self_atari, 0.0)


def balance(
    factors: Factors, by: Mapping[str, Sequence[float]] = BALANCE, power: float = SHAPE_POWER
) -> Factors:
    """Gammas by family and level, made for playouts in which the right side owns the points."""
    found = dict(factors)
    for family, times in by.items():
        found[family] = factors[family] * np.array(times)
    found["shape3"] = factors["shape3"] ** power
    return found


def balanced_for(size: int | None, factors: Factors) -> Factors:
    """Gammas by family and level, balanced for boards of this size: by the table made for it, where
    there is one, else by BALANCE.
    """
    table = balance_table(size)
    if table is None:
        return balance(factors)
    return factors | {family: factors[family] * times for family, times in table.items()}


@cache
def balance_table(size: int | None) -> Factors | None:
    """What the fitted gammas are multiplied by on boards of this size, level by level, as
    tools/balance_table.py found it; None if there is no table for it.
    """
    if size not in BALANCED:
        return None
    path = Path(__file__).parent.parent / "data" / f"balance-{size}.txt"
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    named = (line.split(": ") for line in lines)
    return {name: np.array([1.0, *map(float, numbers.split())]) for name, numbers in named}


def level_of(bits: int, of: int) -> int:
    """0 without this bit, 1 with it, 2 with that of larger strings."""
    return 0 if not bits & of else 2 if bits & (2 * of) else 1


def uniform_gammas() -> PlayoutGammas:
    """Every legal move that fills no own eye is equally likely: playouts without patterns."""
    factors = np.ones(len(classes3x3()[1]) + 1)
    boost = np.full(BOOSTS, ONE_BOOST, np.int64)
    boost[[bits for bits in range(BOOSTS) if bits & BANNED]] = 0
    return PlayoutGammas(_shape_table(factors), boost, ONE_BOOST | ANY, 0.0)


def _shape_table(factors: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    """PlayoutGammas.shape from the gamma of each 3x3 class."""
    classes = classes3x3()[0]
    factors = factors * (LARGEST / factors[1:].max())
    codes = np.arange(CODES)
    states = [codes >> 2 * k & 3 for k in range(8)]
    near = [k for k, (dy, dx) in enumerate(AROUND) if not dy or not dx]
    free = sum((states[k] == EMPTY).astype(int) for k in near)
    table = np.zeros(3 * CODES, np.int32)
    for mover in (BLACK, WHITE):
        # A class is told by the mover's own view: 1 own, 2 the opponent's.
        views = [
            np.where((s == EMPTY) | (s == WALL) | (mover == BLACK), s, 3 - s) << 2 * k
            for k, s in enumerate(states)
        ]
        seen = np.bitwise_or.reduce(views)
        level = classes[seen]
        entry = 2 * np.maximum(1, np.rint(factors[level])) + CHECK * (free < 2)
        entry[(level == 0) | _own_eye(states, near, mover)] = 0
        table[mover * CODES : (mover + 1) * CODES] = entry
    return table


def _own_eye(
    states: list[npt.NDArray[np.int64]], near: list[int], mover: int
) -> npt.NDArray[np.bool_]:
    """[code] whether it is an eye of the mover: katachi.go.board.is_own_eye for all codes."""
    closed = np.all([(states[k] == mover) | (states[k] == WALL) for k in near], axis=0)
    corners = [states[k] for k in range(8) if k not in near]
    against = sum((s == 3 - mover).astype(int) for s in corners)
    at_edge = np.any([s == WALL for s in corners], axis=0)
    eye: npt.NDArray[np.bool_] = closed & (against + at_edge < 2)
    return eye
