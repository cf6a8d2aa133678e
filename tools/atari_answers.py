"""Tells how often playouts answer an atari.

    python -m tools.atari_answers [--setting NAME=VALUE ...] [--size 9] [--games 2000] [--seed 1]

Plays games from the empty board by the gammas of the playouts alone. Whenever a move has put a
string in atari, and it is its owner's turn, it counts whether he extends or takes something. Prints
the cases of a game and the shares of both answers, by the stones of the string and by the liberties
that it has after an extension (none: the extension is not legal, or takes stones).
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.go.board import NEIGHBOURS, Board, new_board, play
from katachi.go.kernel import int64, kernel
from katachi.go.playout import MOVES_PER_POINT
from katachi.go.points import PASS
from katachi.go.rng import new_rng
from katachi.models.model import load_model
from katachi.patterns.facts import captures, liberties_after, newly_in_atari
from katachi.search.gammas import PlayoutGammas, gammas_by_size, gammas_for
from katachi.search.playouts import draw
from katachi.search.sampler import after_move, before_move, new_sampler, start
from katachi.search.settings import parse_settings

STONES: Final = ("1", "2", "3-5", "≥ 6")
LIBERTIES: Final = ("0", "1", "2", "≥ 3")
CASES, EXTENDED, TOOK = range(3)


@kernel
def play_out(b: Board, s: Any, gammas: PlayoutGammas, rng: Any, counts: Any) -> None:
    """Play until both pass, and add to counts[stones, liberties, CASES, EXTENDED or TOOK]. Of
    several strings put in atari the largest counts.
    """
    left = MOVES_PER_POINT * int64(b.side) * int64(b.side)
    while b.passes < 2 and left > 0:
        left -= 1
        c = int64(b.to_move)
        previous = int64(b.previous[0])
        stones = way = free = 0
        if previous > PASS:
            for d in NEIGHBOURS:
                if b.color[previous + d] == c:
                    head = int64(b.head[previous + d])
                    if newly_in_atari(b, head, c) and int64(b.stones[head]) > stones:
                        stones = int64(b.stones[head])
                        way = int64(b.liberty_sum[head])
                        free = min(liberties_after(b, way, c), 3)
        p = int64(draw(b, s, gammas, c, rng))
        takes = p != PASS and captures(b, p, c)
        if stones > 0:
            k = min(stones, 3) - 1 if stones < 6 else 3
            counts[k, free, CASES] += 1
            counts[k, free, EXTENDED] += int64(p == way and not takes)
            counts[k, free, TOOK] += int64(takes)
        if p == PASS:
            play(b, p, c)
        else:
            empties = before_move(b, s, p)
            taken = play(b, p, c)
            after_move(b, s, p, c, taken, empties)


def answers(settings: Mapping[str, str], size: int, games: int, seed: int) -> npt.NDArray[np.int64]:
    """[stones, liberties, CASES, EXTENDED or TOOK] of so many games."""
    gammas = gammas_for(gammas_by_size(load_model(), parse_settings(settings)), size)
    sampler, rng = new_sampler(), new_rng(seed)
    counts = np.zeros((len(STONES), len(LIBERTIES), 3), np.int64)
    for _ in range(games):
        board = new_board(size)
        start(board, sampler)
        play_out(board, sampler, gammas, rng, counts)
    return counts


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.atari_answers")
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    settings = dict(text.split("=", 1) for text in asked.setting)
    counts = answers(settings, asked.size, asked.games, asked.seed)
    print("| stones | liberties after | a game | extends | takes |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for stones, rows in zip(STONES, counts, strict=True):
        for free, (cases, extended, took) in zip(LIBERTIES, rows, strict=True):
            shares = (f"{share / max(cases, 1):.2f}" for share in (extended, took))
            print(f"| {stones} | {free} | {cases / asked.games:.2f} |", " | ".join(shares), "|")


if __name__ == "__main__":
    main()
