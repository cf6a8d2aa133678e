"""From games to decisions: which moves are looked at, and what the base expects there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from katachi.models.model import Model
from katachi.patterns.catalogue import COULOM
from katachi.patterns.competitions import check_games, describe_games
from katachi.patterns.features import Features
from katachi.patterns.workers import load, workers
from katachi.progress import Progress, silent
from katachi.records.actions import colours_of, is_move
from katachi.records.corpus import Corpus
from katachi.styles.decisions import Array, Decisions, Piece, merged
from katachi.styles.readable import ALSO, READABLE, Readable, check_base, seats_of

MOVES_PER_TASK: Final = 3000  # decisions
NOBODY: Final = -1
POINTS: Final = 361

# Phase → the first move of it and the one after its last; in proportion on smaller boards
PHASES: Final[dict[str, tuple[int, int]]] = {
    "opening": (0, 50),
    "middle": (50, 150),
    "end": (150, 10**6),
}


class Wanted(NamedTuple):
    """Which moves are looked at: of each game their numbers, from 0, and the group of each."""

    moves: list[Array]
    groups: list[Array]

    @property
    def many(self) -> int:
        """How many there are."""
        return sum(map(len, self.moves))

    def joined(self, other: Wanted) -> Wanted:
        """These and others, of which none is among these, in the order of the games."""
        moves, groups = [], []
        for g in range(len(self.moves)):
            numbers = np.concatenate([self.moves[g], other.moves[g]])
            order = np.argsort(numbers, kind="stable")
            moves.append(numbers[order])
            groups.append(np.concatenate([self.groups[g], other.groups[g]])[order])
        return Wanted(moves, groups)


def wanted_moves(
    corpus: Corpus,
    groups: npt.NDArray[np.int32],
    *,
    first: int = 0,
    last: int = 10**6,
    most: int | None = None,
    seed: int = 1,
) -> Wanted:
    """The moves number first … last - 1 (in proportion on smaller boards) of the groups: `groups`
    ([game, Black and White]) names the group of each player, NOBODY for none. `most`: so many of
    each group at the most, chosen at random.
    """
    moves, of, game = [], [], []
    for g in range(len(corpus)):
        if groups[g].max() < 0:
            continue
        actions = np.asarray(corpus.actions[corpus.starts[g] : corpus.starts[g + 1]])
        colours = colours_of(actions[is_move(actions)])
        scale = int(corpus.size[g]) ** 2 / POINTS
        numbers = np.arange(len(colours))
        group = groups[g][colours - 1]
        chosen = (group >= 0) & (numbers >= first * scale) & (numbers < last * scale)
        moves.append(numbers[chosen])
        of.append(group[chosen])
        game.append(np.full(len(moves[-1]), g))
    every = [np.concatenate(part or [np.zeros(0, np.int64)]) for part in (moves, of, game)]
    if most is not None:
        kept = np.zeros(len(every[0]), bool)
        rng = np.random.default_rng(seed)
        for name in np.unique(every[1]):
            members = np.flatnonzero(every[1] == name)
            kept[members if len(members) <= most else rng.choice(members, most, False)] = True
        every = [part[kept] for part in every]
    ends = np.searchsorted(every[2], np.arange(len(corpus) + 1))
    split = [[part[a:b] for a, b in pairwise(ends)] for part in every[:2]]
    return Wanted(split[0], split[1])


def gather(
    corpus: Corpus,
    wanted: Wanted,
    base: Model,
    families: Sequence[Readable] = READABLE,
    *,
    jobs: int = 1,
    progress: Progress = silent,
) -> Decisions:
    """The decisions of these moves, in the order of the games; `progress` is told moves.

    Raises KatachiError for no games, a game of a size that the base's shapes do not know, or a base
    that has other families under the same names.
    """
    check_base(base.features, families)
    pieces = gather_pieces(
        corpus, wanted, (readable_piece, base, tuple(families)), jobs=jobs, progress=progress
    )
    return Decisions(pieces, tuple(len(family.levels) for family in families))


def gather_pieces(
    corpus: Corpus,
    wanted: Wanted,
    how: tuple[Any, ...],
    *,
    jobs: int = 1,
    progress: Progress = silent,
) -> list[Piece]:
    """The pieces of these moves, in the order of the games. `how` is a function of a module (of
    games, their numbers, the moves, and all else that `how` has), the base, and more.

    Raises KatachiError as `gather` does.
    """
    check_games(corpus, how[1].features)
    tasks = list(_tasks(wanted))
    found: dict[int, Piece] = {}
    done, total = 0, wanted.many
    progress("comparing", 0, total)
    for number, piece in _run(corpus, wanted, tasks, how, jobs):
        found[number] = piece
        done += len(piece)
        progress("comparing", done, total)
    return [found[number] for number in sorted(found) if len(found[number])]


def _tasks(wanted: Wanted) -> Iterator[Array]:
    """Games, some moves together."""
    some: list[int] = []
    moves = 0
    for g, numbers in enumerate(wanted.moves):
        if len(numbers):
            some.append(g)
            moves += len(numbers)
        if moves >= MOVES_PER_TASK:
            yield np.array(some)
            some, moves = [], 0
    if some:
        yield np.array(some)


def _run(corpus: Corpus, wanted: Wanted, tasks: list[Array], how: Any, jobs: int) -> Any:
    """Yields (number, piece) of each task, in any order."""

    def load_of(games: Array) -> tuple[Any, ...]:
        some = Wanted([wanted.moves[g] for g in games], [wanted.groups[g] for g in games])
        return _cut(corpus.take(games), some), games, some

    # The first one here: this process compiles what is not compiled yet, once for all.
    alone = len(tasks) if jobs == 1 else 1
    for number, games in enumerate(tasks[:alone]):
        yield number, how[0](*load_of(games), *how[1:])
    if alone >= len(tasks):
        return
    with workers(how, jobs) as pool:
        futures = {
            pool.submit(_work, *load_of(games)): number
            for number, games in enumerate(tasks[alone:], alone)
        }
        for future in as_completed(futures):
            yield futures.pop(future), future.result()


def _cut(corpus: Corpus, wanted: Wanted) -> Corpus:
    """The games up to the last move that is wanted of each: nobody need walk on."""
    courses = []
    for g, numbers in enumerate(wanted.moves):
        actions = corpus.actions[corpus.starts[g] : corpus.starts[g + 1]]
        courses.append(actions[: np.flatnonzero(is_move(actions))[numbers.max()] + 1])
    starts = np.concatenate([[0], np.cumsum([len(course) for course in courses])])
    return replace(corpus, actions=np.concatenate(courses), starts=starts)


def _work(corpus: Corpus, games: Array, wanted: Wanted) -> Piece:
    """A worker's task."""
    reader, *more = load()
    piece: Piece = reader(corpus, games, wanted, *more)
    return piece


def described(
    corpus: Corpus, wanted: Wanted, base: Model, families: Sequence[Readable]
) -> tuple[dict[str, Array], Array, Array]:
    """(the columns of these moves' positions, the base's chances of all candidates, the log-chance
    of each move that was played).
    """
    shown = {f.source.rpartition("-")[0]: f.shapes for f in families if f.shapes is not None}
    features = replace(
        base.features,
        dictionaries={**base.features.dictionaries, **shown},
        also=(
            *base.features.also,
            *ALSO,
            *(Features(COULOM, shown, all_radii=True) for _ in shown),
        ),
    )
    only = [set(numbers.tolist()) for numbers in wanted.moves]
    columns = describe_games(corpus, range(len(corpus)), features, only=only)
    starts, winner = columns["starts"], columns["winner"].astype(np.int64)
    chances = base.predictor.chances(columns, starts)
    played = np.maximum(chances[starts[:-1] + winner], np.finfo(np.float64).tiny)
    return columns, chances, np.log(played)


def readable_piece(
    corpus: Corpus, games: Array, wanted: Wanted, base: Model, families: tuple[Readable, ...]
) -> Piece:
    """The piece of these moves, with the features of the families."""
    columns, chances, evidence = described(corpus, wanted, base, families)
    seats = seats_of(columns, families)
    return piece_of(columns, chances, seats, games, wanted, evidence)


def piece_of(
    columns: dict[str, Array],
    chances: Array,
    seats: Array,
    games: Array,
    wanted: Wanted,
    evidence: Array,
) -> Piece:
    """A piece of these columns, with `seats` ([candidate, family]); `games` are their numbers."""
    starts, winner, offset, kept = merged(
        columns["starts"], columns["winner"].astype(np.int64), chances, seats
    )
    return Piece(
        starts,
        winner,
        offset,
        kept,
        game=games[columns["game"]].astype(np.int32),
        move=columns["move"].astype(np.int32),
        group=np.concatenate(wanted.groups).astype(np.int32),
        evidence=evidence,
    )
