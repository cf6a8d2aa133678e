"""Finds the table of balanced playouts for one size of board (src/katachi/data/balance-N.txt).

    python -m tools.balance_table 9 GAMES… [--steps 300] [--seed 1] [-o FILE]

Takes the games of that size that were counted, and their positions, as tools/balance.py does. Every
gamma of the playouts is changed so that playouts from these positions give each point to its real
owner more often. The loss is the mean over points of -log of the owner's share. Its gradient is
that of simulation balancing (Silver and Tesauro 2009; Huang, Coulom, Lin 2010), with owners in the
place of the winner: some playouts tell each point's share, others how the moves drawn go with the
owners,

    ∂ share / ∂ log γ_i = E[(owned - share) · Σ over moves (has feature i - Σ chances of having it)]

Steps are those of Adam, from the factors of BALANCE; their length falls to 0. Every fourth game is
held out, and the loss there is printed. Writes what the fitted gammas are to be multiplied by.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.folders import write_whole
from katachi.go.board import Board, copy, new_board, play
from katachi.go.kernel import at, inlined, int64, kernel
from katachi.go.points import AREA, BLACK, EMPTY, MAX_SIZE, PASS, STRIDE, WALL, WHITE
from katachi.go.rng import fraction, new_rng
from katachi.go.score import area_owners
from katachi.models.model import load_model
from katachi.patterns.families.light import classes3x3
from katachi.records.read import read_games
from katachi.search.boosts import boosts, unboost
from katachi.search.gammas import (
    ATTACKS,
    BOOSTS,
    CAPTURE_SHIFT,
    CODES,
    CONTIGUOUS,
    DEFENDS,
    EXTENDS,
    TIGHT,
    WHOLE_BOOST,
    Factors,
    PlayoutGammas,
    balance,
    gamma_tables,
    level_of,
)
from katachi.search.sampler import (
    BITS,
    WEIGHT,
    Sampler,
    after_move,
    before_move,
    new_sampler,
    refresh,
    start,
)
from tools.balance import Case, cases_of, counted, loss_by

STAGES: Final = {
    9: (10, 16, 22, 28, 34, 40),
    13: (24, 36, 48, 60, 72, 84, 96),
    19: (60, 90, 120, 150, 180),
}
LEAST: Final = 4  # moves that a game goes on after a stage
HELD_OUT: Final = 4  # every fourth game
PLAYOUTS: Final = 64  # for the shares, and as many for the gradient
POSITIONS: Final = 32  # of a step
RATE: Final = 0.04  # of Adam

# Where the levels of each family are among the features; level 0, none, is never counted.
SIZES: Final = {
    "shape3": len(classes3x3()[1]) + 1,
    "capture": 6,
    "extension": 3,
    "contiguity": 2,
    "tight": 3,
    "fight": 5,
    "self-atari": 2,
}
FIRST: Final = dict(zip(SIZES, np.cumsum([0, *SIZES.values()]).tolist(), strict=False))
FEATURES: Final = sum(SIZES.values())
BOOSTS_OF_A_MOVE: Final = 5  # features at most
SELF_ATARI: Final = FIRST["self-atari"] + 1


class Seen(NamedTuple):
    """Which features a move has."""

    shapes: npt.NDArray[np.int32]  # [colour * CODES + code]
    boosts: npt.NDArray[np.int32]  # [bits, i]; 0: no more


class Room(NamedTuple):
    """What the kernels work with."""

    work: Board
    sampler: Sampler
    rng: npt.NDArray[np.uint64]
    owners: npt.NDArray[np.uint8]
    black: npt.NDArray[np.float64]  # [point] playouts in which it ends as Black's
    surprise: npt.NDArray[np.float64]  # [feature] how much more of it was drawn than expected


def seen() -> Seen:
    """The features of shapes and of boosts."""
    codes = np.arange(CODES)
    shapes = np.zeros(3 * CODES, np.int32)
    for mover in (BLACK, WHITE):
        view = np.zeros(CODES, np.int64)
        for k in range(8):
            s = codes >> 2 * k & 3
            same = (s == EMPTY) | (s == WALL) | (mover == BLACK)
            view |= np.where(same, s, 3 - s) << 2 * k
        shapes[mover * CODES : (mover + 1) * CODES] = classes3x3()[0][view]
    found = np.zeros((BOOSTS, BOOSTS_OF_A_MOVE), np.int32)
    for bits in range(BOOSTS):
        extends, defends, attacks = (level_of(bits, of) for of in (EXTENDS, DEFENDS, ATTACKS))
        levels = {
            "capture": bits >> CAPTURE_SHIFT,
            "extension": extends,
            "tight": extends if bits & TIGHT and not bits >> CAPTURE_SHIFT else 0,
            "contiguity": int(bits & CONTIGUOUS > 0),
            "fight": defends or (2 + attacks if attacks else 0),
        }
        features = [FIRST[family] + level for family, level in levels.items() if level]
        found[bits, : len(features)] = features
    return Seen(shapes, found)


def new_room(seed: int) -> Room:
    """Room for boards of any size."""
    return Room(
        new_board(MAX_SIZE),
        new_sampler(),
        new_rng(seed),
        np.zeros(AREA, np.uint8),
        np.zeros(AREA),
        np.zeros(FEATURES),
    )


@inlined
def _draw(room: Room, gammas: PlayoutGammas, known: Seen, c: int) -> int:
    """A move of colour c; the surprise grows by its features less the expected ones."""
    b, s, surprise = room.work, room.sampler, room.surprise
    side = int64(b.side)
    refresh(b, s, gammas, c)
    n = boosts(b, s, c)
    total = 0
    for row in range(1, side + 1):
        for col in range(1, side + 1):
            p = row * STRIDE + col
            total += int64(s[at(WEIGHT + c * AREA + p)]) * gammas.boost[at(s[at(BITS + p)])]
    move = int64(PASS)
    if total == 0:
        unboost(s, n)
        return move  # nothing to draw from: a point that ko forbids is none
    left = int64(fraction(room.rng) * total)
    for row in range(1, side + 1):
        for col in range(1, side + 1):
            p = row * STRIDE + col
            plain = int64(s[at(WEIGHT + c * AREA + p)])
            if plain == 0:
                continue
            bits = int64(s[at(BITS + p)])
            weight = plain * gammas.boost[at(bits)]
            more = -weight / total
            if move == PASS:
                left -= weight
                if left < 0:
                    move = p
                    more += 1.0
            code = c * CODES + int64(s[at(p)])
            surprise[at(known.shapes[at(code)])] += more
            if plain != int64(gammas.shape[at(code)]) >> 1:
                surprise[SELF_ATARI] += more
            for i in range(BOOSTS_OF_A_MOVE):
                feature = int64(known.boosts[at(bits), i])
                if feature == 0:
                    break
                surprise[at(feature)] += more
    unboost(s, n)
    return move


@kernel
def playout(b: Board, room: Room, gammas: PlayoutGammas, known: Seen, moves: Any) -> int:
    """Play on from b; owners and surprise are in the room, the moves in `moves`; how many."""
    work, s = room.work, room.sampler
    copy(work, b)
    start(work, s)
    room.surprise[:] = 0.0
    count = 0
    while work.passes < 2 and count < len(moves):
        c = int64(work.to_move)
        move = _draw(room, gammas, known, c)
        if move == PASS:
            play(work, move, c)
        else:
            empties = before_move(work, s, move)
            taken = play(work, move, c)
            after_move(work, s, move, c, taken, empties)
        moves[count] = move
        count += 1
    area_owners(work, room.owners)
    return count


@kernel
def add_gradient(
    b: Board,
    owners: Any,
    room: Room,
    gammas: PlayoutGammas,
    known: Seen,
    moves: Any,
    count: int,
    out: Any,
) -> float:
    """Add to `out` the gradient of the loss at one position, by `count` playouts for the shares
    and as many for the gradient itself; returns the loss.
    """
    black = room.black
    black[:] = 0.0
    for _ in range(count):
        playout(b, room, gammas, known, moves)
        for p in range(AREA):
            black[p] += float(int64(room.owners[p] == BLACK))
    loss = 0.0
    points = 0
    for p in range(AREA):
        if owners[p] == BLACK or owners[p] == WHITE:
            black[p] = (black[p] + 1.0) / (count + 2.0)
            loss -= np.log(black[p] if owners[p] == BLACK else 1.0 - black[p])
            points += 1
    for _ in range(count):
        playout(b, room, gammas, known, moves)
        worse = 0.0
        for p in range(AREA):
            more = float(int64(room.owners[p] == BLACK)) - black[p]
            if owners[p] == BLACK:
                worse -= more / black[p]
            elif owners[p] == WHITE:
                worse += more / (1.0 - black[p])
        worse /= points * count
        for k in range(len(out)):
            out[k] += worse * room.surprise[k]
    return loss / points


def logs(factors: Factors) -> npt.NDArray[np.float64]:
    """[feature] log of its gamma."""
    known = {"tight": np.ones(3)} | factors
    return np.concatenate([np.log(known[family][:n]) for family, n in SIZES.items()])


def factors_of(found: npt.NDArray[np.float64]) -> Factors:
    """The gammas by family and level again."""
    return {f: np.exp(found[FIRST[f] : FIRST[f] + n]) for f, n in SIZES.items()}


def found_by(
    cases: Sequence[Case], found: npt.NDArray[np.float64], steps: int, seed: int, every: Any
) -> npt.NDArray[np.float64]:
    """Logs of gammas after so many steps; calls every(step, loss of its positions, logs)."""
    known, room, random = seen(), new_room(seed), np.random.default_rng(seed)
    first, second = np.zeros(FEATURES), np.zeros(FEATURES)
    for step in range(1, steps + 1):
        tables = gamma_tables(factors_of(found), most=WHOLE_BOOST)
        gradient, loss = np.zeros(FEATURES), 0.0
        chosen = random.choice(len(cases), min(POSITIONS, len(cases)), replace=False)
        for i in chosen:
            b, owners = cases[i].board, cases[i].owners
            moves = np.zeros(3 * int(b.side) ** 2, np.int16)
            loss += add_gradient(b, owners, room, tables, known, moves, PLAYOUTS, gradient)
        gradient /= len(chosen)
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient**2
        size = np.sqrt(second / (1 - 0.99**step)) + 1e-5
        found = found - RATE * (1 - (step - 1) / steps) * first / (1 - 0.9**step) / size
        every(step, loss / len(chosen), found)
    return found


def table_text(size: int, found: npt.NDArray[np.float64], fitted: Factors) -> str:
    """The table as a file."""
    lines = [f"# {size}x{size}: factors of the playouts' gammas by level; tools/balance_table.py"]
    for family, gammas in factors_of(found).items():
        times = gammas[1:] / fitted.get(family, np.ones(len(gammas)))[1 : len(gammas)]
        lines.append(f"{family}: {' '.join(f'{x:.3g}' for x in times)}")
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("size", type=int, choices=STAGES)
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--out", type=Path)
    options = parser.parse_args()
    stages = STAGES[options.size]
    games = read_games(options.records)
    least = stages[0] + LEAST
    usable = [g for g in games if counted(g, options.size, least) is not None]
    parts = [cases_of(g, [n for n in stages if n <= len(g.moves) - LEAST]) for g in usable]
    parts = [part for part in parts if part]
    if len(parts) < HELD_OUT:
        raise KatachiError(f"{len(parts)} games that were counted are too few: give more")
    learnt = [case for i, part in enumerate(parts) if i % HELD_OUT for case in part]
    held = [case for part in parts[::HELD_OUT] for case in part]
    print(f"{len(parts)} of {len(usable)} games, {len(learnt)} and {len(held)} positions")
    light = load_model().playout
    assert light is not None
    fitted = light.predictor.factors

    def show(name: str, factors: Factors) -> None:
        tables = gamma_tables(factors, most=WHOLE_BOOST)
        losses = (np.mean(loss_by(list(c), tables)) for c in (learnt, held))
        print(name, ", held out ".join(f"{x:.4f}" for x in losses), flush=True)

    def every(step: int, loss: float, found: npt.NDArray[np.float64]) -> None:
        print(f"step {step}: {loss:.4f}", file=sys.stderr)
        if step % 100 == 0:
            show(f"after {step} steps", factors_of(found))

    show("fitted", fitted)
    show("balanced", balance(fitted))
    found = found_by(learnt, logs(balance(fitted)), options.steps, options.seed, every)
    out = options.out or Path(f"src/katachi/data/balance-{options.size}.txt")
    write_whole(out, table_text(options.size, found, fitted).encode())


if __name__ == "__main__":
    try:
        main()
    except KatachiError as error:
        sys.exit(str(error))
