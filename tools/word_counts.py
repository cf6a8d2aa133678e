"""How often players' moves have each word of the vocabulary.

    python -m tools.word_counts GAMES… [--games 500] [--bare 20] [--speed]

Prints, as Markdown, for each word the share of the moves played that have it, and of all legal
moves, passes left out; then how many words a move has, and the share of moves with one at least.
With --bare, draws some moves that have none. Games of every size are counted together. With --speed
nothing is counted: it prints how long all words of a position take, and the families of the default
model beside them, without shapes: the mean of each position's best of several runs.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from katachi.go.board import Board
from katachi.go.points import EMPTY, PASS, vertex
from katachi.go.position import Position
from katachi.patterns.describe import describe
from katachi.patterns.situation import Situation
from katachi.patterns.together import TOGETHER, Writer, write_together, write_words
from katachi.patterns.vocabulary.groups import GROUPS, WORD_FAMILIES
from katachi.records.game import Game
from katachi.records.read import read_games

Counts = npt.NDArray[np.int64]
RUNS = 12
MOVES = (20, 60, 100, 140, 180)  # after which the time is taken


class Tally:
    """What has been counted so far."""

    def __init__(self) -> None:
        self.played: list[Counts] = [np.zeros(len(g.terms) + 1, np.int64) for g in GROUPS]
        self.legal: list[Counts] = [np.zeros(len(g.terms) + 1, np.int64) for g in GROUPS]
        self.words: Counts = np.zeros(len(GROUPS) + 1, np.int64)  # [words of a move] moves
        self.only_tenuki = 0
        self.bare: list[str] = []
        self._situation = Situation()

    def add(self, position: Position, p: int) -> None:
        """Count the candidates of a position, and the move p that was played there."""
        situation = self._situation
        situation.look(position.board)
        columns = describe(situation, WORD_FAMILIES)
        (number,) = np.flatnonzero(situation.candidates[: situation.count] == p)
        has = 0
        for column, played, legal in zip(columns, self.played, self.legal, strict=True):
            legal += np.bincount(column[:-1], minlength=len(legal))
            played[column[number]] += 1
            has += int(column[number] > 0)
        self.words[has] += 1
        self.only_tenuki += has == 1 and columns[-1][number] == len(GROUPS[-1].terms)
        if has == 0:
            move = vertex(p, position.size)
            last = [vertex(q, position.size) for _, q in position.moves[-2:]]
            self.bare.append(f"{position.diagram()}\n{position.to_move} {move}, after {last}\n")


def count(games: Iterable[Game]) -> Tally:
    """The tally of these games."""
    tally = Tally()
    for game in games:
        for position, _, p in game.walk():
            if p > PASS:
                tally.add(position, p)
    return tally


def table(tally: Tally) -> str:
    """The shares of all words as Markdown: a table to a group."""
    moves = int(tally.words.sum())
    lines = []
    for group, played, legal in zip(GROUPS, tally.played, tally.legal, strict=True):
        title = f"{group.family.title}: {1 - played[0] / moves:.1%}"
        lines += [f"| {title} | of moves played | of legal moves |", "| --- | ---: | ---: |"]
        for number, term in enumerate(group.terms, 1):
            share, of_all = played[number] / moves, legal[number] / legal.sum()
            lines.append(f"| {term.word} | {share:.2%} | {of_all:.2%} |")
        lines.append("")
    return "\n".join(lines)


def summary(tally: Tally) -> str:
    """How many words moves have, in one line."""
    moves = int(tally.words.sum())
    several = ", ".join(f"{has}: {n / moves:.2%}" for has, n in enumerate(tally.words) if n)
    alone = (tally.words[0] + tally.only_tenuki) / moves
    return (
        f"{moves:,} moves; one word at least: {1 - tally.words[0] / moves:.2%}, and not tenuki "
        f"alone: {1 - alone:.2%}; words of a move: {several}"
    )


def microseconds(write: Writer, families: int, boards: Sequence[Board]) -> float:
    """How long a kernel for so many families takes with a position, called from Python. The runs go
    through all positions in turn: no cache knows the next one.
    """
    wanted, out = np.ones(families, np.bool_), np.empty((families, 362), np.uint8)
    situation = Situation()
    seconds = np.empty((RUNS, len(boards)))
    for run in seconds:
        for i, board in enumerate(boards):
            situation.look(board)
            start = time.perf_counter()
            write(situation.context, situation.candidates, situation.count, wanted, out)
            run[i] = time.perf_counter() - start
    return 1e6 * float(seconds.min(axis=0).mean())


def show_speed(games: Iterable[Game]) -> None:
    boards = [
        game.position(move).board for game in games for move in MOVES if move < len(game.moves)
    ]
    legal = np.mean([int(np.sum(board.color == EMPTY)) for board in boards])
    print(f"{len(boards)} positions, {legal:.0f} empty points on average")
    print(f"words: {microseconds(write_words, len(WORD_FAMILIES), boards):.0f} µs")
    print(f"default: {microseconds(write_together, len(TOGETHER), boards):.0f} µs")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--games", type=int, default=10**9)
    parser.add_argument("--bare", type=int, default=0)
    parser.add_argument("--speed", action="store_true")
    options = parser.parse_args()
    corpus = read_games(options.paths)
    games = [corpus[g] for g in range(min(options.games, len(corpus)))]
    if options.speed:
        show_speed(games)
        return
    tally = count(games)
    print(table(tally))
    print(summary(tally))
    for drawn in random.Random(1).sample(tally.bare, min(options.bare, len(tally.bare))):
        print(drawn)


if __name__ == "__main__":
    main()
