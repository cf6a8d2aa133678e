"""Competitions: a corpus described, as a folder of columns that are memory-mapped.

    manifest.json                      what they are, see `describe_corpus`
    shards/00000/starts.npy            int64[c + 1]: candidates starts[i] … starts[i + 1] are those
                                       of competition i
                 winner.npy            uint16[c]: which of its candidates was played
                 game.npy, move.npy    int32[c], uint16[c]: game in the corpus, moves before it
                 point.npy             uint16[n]: the candidate's point
                 <family>.npy          uint8, uint16 or uint32[n]: its level, 0 for none; [c] where
                                       the family is of the position
                 weight.npy            float32[n]: of a sampled field: how many it stands for

A shard holds a fixed number of games (more where only some positions of each are taken), so any
number of processes makes the same files, and a run that was interrupted goes on with the shards
that are missing. Each shard appears whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.folders import alone_in, open_plan
from katachi.go.board import new_board
from katachi.go.points import MAX_SIZE
from katachi.patterns.describe import levels_of
from katachi.patterns.family import Family
from katachi.patterns.features import Features, Watch
from katachi.patterns.field import Chooser, Field
from katachi.patterns.shards import Columns, Shards, missing_shards, shard_folder, write_shard
from katachi.patterns.workers import load, workers
from katachi.progress import Progress, silent
from katachi.records.corpus import Corpus
from katachi.records.walk import walk_board

FORMAT: Final = "katachi-competitions-3"
GAMES_PER_SHARD: Final = 50
FIXED: Final = {
    "starts": "int64",
    "winner": "uint16",
    "game": "int32",
    "move": "uint16",
    "point": "uint16",
}

MANIFEST: Final = "manifest.json"
WEIGHT: Final = "weight"  # the column of a sampled field

Span: TypeAlias = tuple[int, int]  # the number of the first move, from 0, and after the last
_How: TypeAlias = tuple[Features, int | None, int, Field | None, Span | None]  # see describe_games


def span_of(text: str) -> Span:
    """The moves A to B of "A-B", counted from 1. Raises KatachiError if that is no range."""
    first, _, last = text.partition("-")
    if not (first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last)):
        raise KatachiError(f"--moves {text} is no range of moves: write it like 1-50")
    return int(first) - 1, int(last)


def chosen_moves(
    corpus: Corpus, game: int, most: int | None, seed: int, span: Span | None = None
) -> set[int] | None:
    """The numbers of the moves of a game that become competitions, at most so many of those in the
    span; None for all.

    They depend on the seed and on the game's moves, not on the corpus around it.
    """
    first, last = (0, int(corpus.moves[game])) if span is None else span
    moves = range(first, min(last, int(corpus.moves[game])))
    if most is None or most >= len(moves):
        return None if span is None else set(moves)
    rng = np.random.default_rng([seed, *np.atleast_1d(corpus.digest[game]).tolist()])
    return set((first + rng.choice(len(moves), most, replace=False)).tolist())


def describe_games(
    corpus: Corpus,
    games: range,
    features: Features,
    positions_per_game: int | None = None,
    seed: int = 1,
    field: Field | None = None,
    span: Span | None = None,
    only: Sequence[Container[int]] | None = None,
) -> Columns:
    """The columns of these games' competitions, one for each move, passes included.

    The candidates are for the colour that plays the move, whoever's turn it should be. With
    `positions_per_game` only that many moves of each game, chosen at random. With a `field` only
    some candidates of each, and a column *weight*. With a `span` only its moves. `only`: of each
    game of the corpus, by number, the numbers of the moves that are wanted, instead.
    """
    families, whole = features.families, features.position_families
    chooser = None if field is None else Chooser(field, [family.name for family in families])
    watch = Watch(features)
    board = new_board(MAX_SIZE)
    types = FIXED | {family.name: str(family.dtype) for family in (*families, *whole)}
    if chooser is not None:
        types[WEIGHT] = "float32"
    pieces: dict[str, list[Any]] = {name: [np.zeros(0, dtype)] for name, dtype in types.items()}
    for g in games:
        size = int(corpus.size[g])
        watch.start(size)
        actions = np.asarray(corpus.actions[corpus.starts[g] : corpus.starts[g + 1]])
        chosen: Container[int] | None = (
            chosen_moves(corpus, g, positions_per_game, seed, span) if only is None else only[g]
        )
        rng = np.random.default_rng([seed, int(corpus.digest[g]), 1])
        teams: list[npt.NDArray[np.uint32]] = []  # of each position [family, candidate]
        position: list[npt.NDArray[np.uint32]] = []  # [family, 1]
        for moves, (_, p) in enumerate(walk_board(board, actions, size)):
            if chosen is not None and moves not in chosen:
                continue
            situation = watch.look(board)
            candidates = situation.candidates[: situation.count]
            levels = levels_of(situation, families)
            winner = int(np.flatnonzero(candidates == p)[0])
            if chooser is not None:
                some, weights = chooser.choose(levels, winner, rng)
                candidates, levels = candidates[some], levels[:, some]
                winner = int(np.searchsorted(some, winner))
                pieces[WEIGHT].append(weights)
            teams.append(levels)
            if whole:
                position.append(levels_of(situation, whole, whole=True))
            pieces["point"].append(candidates.astype(np.uint16))
            pieces["starts"].append(np.array([len(candidates)]))
            pieces["winner"].append(np.array([winner]))
            pieces["move"].append(np.array([moves]))
        pieces["game"].append(np.full(len(teams), g))
        _take(pieces, families, teams)  # game by game: in small types they take less room
        _take(pieces, whole, position)
    columns = {
        name: np.concatenate(pieces[name], casting="unsafe", dtype=dtype)
        for name, dtype in types.items()
    }
    columns["starts"] = np.concatenate([[0], np.cumsum(columns["starts"])])
    return columns


def _take(
    pieces: dict[str, list[Any]], families: tuple[Family, ...], levels: list[npt.NDArray[np.uint32]]
) -> None:
    """Add the levels of a game's positions to the pieces of the families' columns."""
    if levels and families:
        for family, row in zip(families, np.concatenate(levels, axis=1), strict=True):
            pieces[family.name].append(row.astype(family.dtype))


def describe_corpus(
    corpus: Corpus,
    features: Features,
    folder: Path,
    *,
    positions_per_game: int | None = None,
    seed: int = 1,
    field: Field | None = None,
    span: Span | None = None,
    jobs: int = 1,
    progress: Progress = silent,
) -> Competitions:
    """Describe every move of the corpus into a folder, or go on where a run before has stopped.

    `positions_per_game`: only so many moves of each game, chosen at random by the seed; `field`:
    only some candidates of each, with weights; `span`: only these moves. `progress` is told shards.
    Raises KatachiError if the corpus is empty, the folder holds something else or competitions of
    other games or settings, or a game's board size is none of the dictionaries'.
    """
    check_games(corpus, features)
    if positions_per_game is not None and positions_per_game < 1:
        raise KatachiError(f"{positions_per_game} positions of each game are none: 1 is the least")
    each = games_per_shard(positions_per_game)
    if field is not None:
        each *= max(1, 250 // field.most)
    shards = -(-len(corpus) // each)
    plan = {
        "format": FORMAT,
        "catalogue": features.catalogue.name,
        "families": _told(features.families),
        "position": _told(features.position_families),
        "shapes": {name: _digest(s.keys) for name, s in features.dictionaries.items()},
        "games": len(corpus),
        "moves": int(corpus.moves.sum()),
        "positions_per_game": positions_per_game,
        "seed": None if positions_per_game is None and field is None else seed,
        "field": None if field is None else field.most,
        "pilot": None if field is None else _digest(np.concatenate([*field.factors.values()])),
        "corpus": _digest(corpus.digest),
        "shards": shards,
    }
    if span is not None:
        plan["span"] = list(span)
    with alone_in(folder, "another description is at work"):
        other = "competitions of other games or settings, or something else"
        open_plan(folder, plan, other, MANIFEST)
        missing = missing_shards(folder, shards)
        progress("describing", shards - len(missing), shards)
        ranges = {n: range(n * each, min((n + 1) * each, len(corpus))) for n in missing}
        how = (features, positions_per_game, seed, field, span)
        for done, _ in enumerate(_make(corpus, how, folder, ranges, jobs), 1):
            progress("describing", shards - len(missing) + done, shards)
        return load_competitions(folder)


def check_games(corpus: Corpus, features: Features) -> None:
    """Raises KatachiError if there is no game, or one of a size that the shapes do not know."""
    if len(corpus) == 0:
        raise KatachiError("no games to describe")
    for size in sorted(set(corpus.size.tolist())):
        features.check_size(size, corpus[int(np.flatnonzero(corpus.size == size)[0])].source)


def games_per_shard(positions_per_game: int | None) -> int:
    """As many games as make about 10,000 competitions."""
    if positions_per_game is None:
        return GAMES_PER_SHARD
    return max(GAMES_PER_SHARD, GAMES_PER_SHARD * 200 // positions_per_game)


def _told(families: tuple[Family, ...]) -> list[dict[str, Any]]:
    return [{"name": f.name, "levels": f.size, "dtype": str(f.dtype)} for f in families]


def _digest(numbers: npt.NDArray[Any]) -> str:
    return blake2b(np.ascontiguousarray(numbers).tobytes(), digest_size=16).hexdigest()


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise KatachiError(f"{folder} holds no competitions: there is no manifest.json") from None
    except (OSError, ValueError):
        raise KatachiError(f"{folder}/manifest.json is damaged: describe the games again") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise KatachiError(f"{folder}/manifest.json is not of {FORMAT}: describe the games again")
    return found


def _make(
    corpus: Corpus, how: _How, folder: Path, ranges: dict[int, range], jobs: int
) -> Iterator[int]:
    """Make the missing shards in any order; yields the number of competitions of each."""
    missing = list(ranges)
    # The first one here: this process compiles what is not compiled yet, once for all.
    for n in missing if jobs == 1 else missing[:1]:
        columns = describe_games(corpus, ranges.pop(n), *how)
        yield write_shard(columns, shard_folder(folder, n))
    if not ranges:
        return
    with workers(how, jobs) as pool:
        futures: list[Future[int]] = [
            pool.submit(_work, corpus.take(np.array(games)), games.start, shard_folder(folder, n))
            for n, games in ranges.items()
        ]
        for future in as_completed(futures):
            yield future.result()


def _work(corpus: Corpus, first: int, shard: Path) -> int:
    """A worker's task: one shard."""
    columns = describe_games(corpus, range(len(corpus)), *load())
    columns["game"] += first
    return write_shard(columns, shard)


@dataclass(frozen=True, eq=False)
class Competitions:
    """Described games: the manifest, and the columns shard by shard."""

    manifest: dict[str, Any]
    shards: Shards

    @property
    def families(self) -> list[str]:
        """The names of the candidates' families, in the order of the catalogue."""
        return [family["name"] for family in self.manifest["families"]]

    @property
    def position(self) -> list[str]:
        """The names of the position's families: a column has one level for each competition."""
        return [family["name"] for family in self.manifest.get("position", [])]

    @property
    def count(self) -> int:
        """How many competitions there are."""
        return sum(len(shard["winner"]) for shard in self.shards)

    @property
    def candidates(self) -> int:
        """How many candidates they have in all."""
        return sum(len(shard["point"]) for shard in self.shards)

    def uniform_log_evidence(self) -> float:
        """The mean of -log(number of candidates): what knowing nothing predicts."""
        total = sum(float(np.log(np.diff(shard["starts"])).sum()) for shard in self.shards)
        return -total / self.count


def load_competitions(folder: Path) -> Competitions:
    """The competitions in a folder. Raises KatachiError if they are incomplete or damaged."""
    if not folder.is_dir():
        raise KatachiError(
            f"{folder} does not exist: make it by katachi describe GAMES… -o {folder}"
        )
    manifest = _manifest(folder)
    try:
        whole = manifest.get("position", [])  # older ones have none
        types = FIXED | {str(f["name"]): str(f["dtype"]) for f in (*manifest["families"], *whole)}
        once = ["winner", "game", "move", *(str(f["name"]) for f in whole)]
        if manifest["field"] is not None:
            types[WEIGHT] = "float32"
        shards = Shards(folder, int(manifest["shards"]), list(types))
    except (KeyError, TypeError, ValueError):
        raise KatachiError(f"{folder}/manifest.json is damaged: describe the games again") from None
    for number, shard in enumerate(shards):  # each opens, or says what is wrong with it
        if not _fit(shard, types, once):
            raise KatachiError(
                f"{shard_folder(folder, number)} is damaged: remove it and describe the games again"
            )
    return Competitions(manifest, shards)


def _fit(shard: Columns, types: dict[str, str], once: list[str]) -> bool:
    """Whether the columns have the types and lengths that they should; those named in `once` have
    one number for each competition. The numbers are not looked at: they are mapped into memory, and
    much more than that holds.
    """
    if any(shard[name].ndim != 1 or shard[name].dtype != dtype for name, dtype in types.items()):
        return False
    competitions, candidates = len(shard["winner"]), len(shard["point"])
    lengths = dict.fromkeys(types, candidates)
    lengths |= dict.fromkeys(once, competitions)
    lengths["starts"] = competitions + 1
    if any(len(shard[name]) != length for name, length in lengths.items()):
        return False
    return int(shard["starts"][0]) == 0 and int(shard["starts"][-1]) == candidates
