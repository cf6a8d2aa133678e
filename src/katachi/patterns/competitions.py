"""Competitions: a corpus described, as a folder of columns that are memory-mapped.

    manifest.json                      what they are, see `describe_corpus`
    shards/00000/starts.npy            int64[c + 1]: candidates starts[i] … starts[i + 1] are those
                                       of competition i
                 winner.npy            uint16[c]: which of its candidates was played
                 game.npy, move.npy    int32[c], uint16[c]: game in the corpus, moves before it
                 point.npy             uint16[n]: the candidate's point
                 <family>.npy          uint8, uint16 or uint32[n]: its level, 0 for none

A shard holds a fixed number of games, so any number of processes makes the same files, and a run
that was interrupted goes on with the shards that are missing. Each shard appears whole or not at
all.
"""

from __future__ import annotations

import json
import multiprocessing
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from katachi.errors import KatachiError
from katachi.folders import usual_permissions
from katachi.go.board import clear, new_board, play
from katachi.go.points import MAX_SIZE
from katachi.patterns.catalogue import CATALOGUES, Catalogue
from katachi.patterns.describe import describe
from katachi.patterns.family import Family, Situation
from katachi.patterns.keys import follow
from katachi.patterns.shapes import Shapes
from katachi.patterns.templates import tables
from katachi.records.actions import colours_of, is_move, points_of, replay
from katachi.records.corpus import Corpus

FORMAT: Final = "katachi-competitions-1"
GAMES_PER_SHARD: Final = 50
FIXED: Final = {
    "starts": "int64", "winner": "uint16", "game": "int32", "move": "uint16", "point": "uint16",
}  # fmt: skip

Columns: TypeAlias = dict[str, npt.NDArray[Any]]
# progress(shards done, shards in all, competitions so far)
Progress: TypeAlias = Callable[[int, int, int], None]


def describe_games(
    corpus: Corpus, games: range, families: tuple[Family, ...], shapes: Shapes | None
) -> Columns:
    """The columns of these games' competitions, one for each move, passes included.

    The candidates are for the colour that plays the move, whoever's turn it should be.
    """
    situation = Situation()
    situation.shapes = shapes
    board = new_board(MAX_SIZE)
    pieces: dict[str, list[Any]] = {name: [] for name in FIXED}
    kept_columns: list[list[Any]] = [[] for _ in families]
    pieces |= {f.name: kept for f, kept in zip(families, kept_columns, strict=True)}
    dtypes = [np.dtype(family.dtype(shapes)) for family in families]
    for g in games:
        size = int(corpus.size[g])
        clear(board, size)
        t = tables(shapes.templates, size) if shapes is not None else None
        if t is not None:
            situation.keys = t.empty_keys.copy()
            stones = board.color.copy()
        actions = np.asarray(corpus.actions[corpus.starts[g] : corpus.starts[g + 1]])
        moves = 0
        for i, moved in enumerate(is_move(actions).tolist()):
            if not moved:
                replay(board, actions[i : i + 1])
                continue
            colour, p = int(colours_of(actions[i])), int(points_of(actions[i]))
            board.to_move = colour
            situation.look(board)
            if t is not None:
                follow(situation.keys, stones, board, t.zobrist, t.ring, t.seen_start, t.seen_from,
                       t.seen_as)  # fmt: skip
            candidates = situation.candidates[: situation.count]
            for kept, column in zip(
                kept_columns, describe(situation, families, dtypes), strict=True
            ):
                kept.append(column)
            pieces["point"].append(candidates.astype(np.uint16))
            pieces["starts"].append(len(candidates))
            pieces["winner"].append(int(np.flatnonzero(candidates == p)[0]))
            pieces["game"].append(g)
            pieces["move"].append(moves)
            play(board, p, colour)
            moves += 1
    columns: Columns = {}
    for name, dtype in FIXED.items():
        if name == "starts":
            columns[name] = np.concatenate([[0], np.cumsum(pieces[name])]).astype(dtype)
        elif name != "point":
            columns[name] = np.array(pieces[name], dtype)
    for name, wanted in [("point", "uint16"), *((f.name, f.dtype(shapes)) for f in families)]:
        whole = pieces[name] or [np.zeros(0)]
        columns[name] = np.concatenate(whole).astype(wanted)
    return columns


def describe_corpus(
    corpus: Corpus,
    catalogue: Catalogue,
    folder: Path,
    *,
    shapes: Shapes | None = None,
    owner: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Competitions:
    """Describe every move of the corpus into a folder, or go on where a run before has stopped.

    Raises KatachiError if the corpus is empty, the folder holds something else or competitions of
    other games or settings, or a game's board size is none of the dictionary's.
    """
    if len(corpus) == 0:
        raise KatachiError("no games to describe")
    if shapes is not None:
        for size in sorted(set(corpus.size.tolist()) - set(shapes.sizes)):
            source = corpus[int(np.flatnonzero(corpus.size == size)[0])].source
            known = ", ".join(f"{s}x{s}" for s in shapes.sizes)
            raise KatachiError(
                f"{source} is a game on {size}x{size}, but the shapes were harvested on {known}"
            )
    families = catalogue.chosen(shapes is not None, owner)
    shards = -(-len(corpus) // GAMES_PER_SHARD)
    plan = {
        "format": FORMAT,
        "catalogue": catalogue.name,
        "families": [
            {"name": f.name, "levels": f.count(shapes), "dtype": str(np.dtype(f.dtype(shapes)))}
            for f in families
        ],
        "shapes": None if shapes is None else _digest(shapes.keys),
        "games": len(corpus),
        "moves": int(corpus.moves.sum()),
        "corpus": _digest(corpus.digest),
        "shards": shards,
    }
    _open(folder, plan)
    missing = [n for n in range(shards) if not _shard(folder, n).is_dir()]
    tell = progress or (lambda _done, _total, _competitions: None)
    competitions = 0
    tell(shards - len(missing), shards, competitions)
    for done, count in enumerate(_make(corpus, families, shapes, folder, missing, jobs), 1):
        competitions += count
        tell(shards - len(missing) + done, shards, competitions)
    return load_competitions(folder)


def _digest(numbers: npt.NDArray[Any]) -> str:
    return blake2b(np.ascontiguousarray(numbers).tobytes(), digest_size=16).hexdigest()


def _shard(folder: Path, number: int) -> Path:
    return folder / "shards" / f"{number:05}"


def _open(folder: Path, plan: dict[str, Any]) -> None:
    """Make the folder with its manifest, or check that it was made for the same plan."""
    manifest = folder / "manifest.json"
    if not folder.exists() or not any(folder.iterdir()):
        (folder / "shards").mkdir(parents=True, exist_ok=True)
        partial = folder / "manifest.part"
        partial.write_text(json.dumps(plan, indent=1), encoding="utf-8")
        partial.replace(manifest)
    elif _manifest(folder) != plan:
        raise KatachiError(
            f"{folder} holds competitions of other games or settings: remove it or name another"
        )


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise KatachiError(f"{folder} holds no competitions: there is no manifest.json") from None
    except (OSError, ValueError):
        raise KatachiError(f"{folder}/manifest.json is damaged: describe the games again") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise KatachiError(f"{folder}/manifest.json is not of {FORMAT}: describe the games again")
    return found


def _make(
    corpus: Corpus, families: tuple[Family, ...], shapes: Shapes | None, folder: Path,
    missing: list[int], jobs: int,
) -> Iterator[int]:  # fmt: skip
    """Make the missing shards in any order; yields the number of competitions of each."""
    ranges = {
        n: range(n * GAMES_PER_SHARD, min((n + 1) * GAMES_PER_SHARD, len(corpus))) for n in missing
    }
    # The first one here: this process compiles what is not compiled yet, once for all.
    alone = missing if jobs == 1 else missing[:1]
    for n in alone:
        columns = describe_games(corpus, ranges.pop(n), families, shapes)
        yield _make_shard(columns, _shard(folder, n))
    if not ranges:
        return
    names = tuple(family.name for family in families)
    catalogue = next(
        (name for name, c in CATALOGUES.items() if set(families) <= set(c.families)), None
    )
    if catalogue is None:
        raise KatachiError("a catalogue of one's own is described by one process: jobs=1")
    pool = ProcessPoolExecutor(
        jobs, multiprocessing.get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN)
    )
    try:
        futures: list[Future[int]] = [
            pool.submit(
                _work, corpus.take(np.array(games)), games.start, catalogue, names, shapes,
                _shard(folder, n),
            )
            for n, games in ranges.items()
        ]  # fmt: skip
        for future in as_completed(futures):
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _work(
    corpus: Corpus, first: int, catalogue: str, names: tuple[str, ...], shapes: Shapes | None,
    shard: Path,
) -> int:  # fmt: skip
    """A worker's task: families are named, since their functions do not travel."""
    families = tuple(f for f in CATALOGUES[catalogue].families if f.name in names)
    columns = describe_games(corpus, range(len(corpus)), families, shapes)
    columns["game"] += first
    return _make_shard(columns, shard)


def _make_shard(columns: Columns, shard: Path) -> int:
    fresh = Path(tempfile.mkdtemp(dir=shard.parent.parent, prefix="part-"))
    try:
        for name, column in columns.items():
            np.save(fresh / f"{name}.npy", column)
        usual_permissions(fresh)
        fresh.rename(shard)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    return len(columns["winner"])


class Shards(Sequence[Columns]):
    """The shards of a folder, each mapped into memory when it is asked for and let go with it."""

    def __init__(self, folder: Path, count: int, names: list[str]) -> None:
        self._folder = folder
        self._count = count
        self._names = names

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[n] for n in range(len(self))[number]]
        if not -len(self) <= number < len(self):
            raise IndexError(f"shard {number} of {len(self)}")
        shard = _shard(self._folder, number % len(self))
        if not shard.is_dir():
            raise KatachiError(
                f"{shard} is missing: describe the games again, which makes only what is missing"
            )
        try:
            return {name: np.load(shard / f"{name}.npy", mmap_mode="r") for name in self._names}
        except (OSError, ValueError, EOFError):
            raise KatachiError(
                f"{shard} is damaged: remove it and describe the games again"
            ) from None


@dataclass(frozen=True, eq=False)
class Competitions:
    """Described games: the manifest, and the columns shard by shard."""

    manifest: dict[str, Any]
    shards: Shards

    @property
    def families(self) -> list[str]:
        """The names of the families, in the order of the catalogue."""
        return [family["name"] for family in self.manifest["families"]]

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
    names = [*FIXED, *(family["name"] for family in manifest["families"])]
    shards = Shards(folder, manifest["shards"], names)
    for _ in shards:
        pass  # each opens, or says what is wrong with it
    return Competitions(manifest, shards)
