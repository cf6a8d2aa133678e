"""`Corpus`: many games as columns, and `read_games`, which makes one from paths.

A corpus holds its moves in one array and everything else in columns beside it, so that 200,000
games take 100 MB, load by memory mapping, and are filtered without touching a single text.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from katachi.go.arrays import mapped
from katachi.go.points import PASS
from katachi.records import headers
from katachi.records.actions import is_move, points_of
from katachi.records.game import Game, Notice

_TEXTS: Final = (
    *("rules", "black", "white", "black_rank", "white_rank"),
    *("date", "result", "event", "source"),
)
_SEPARATOR: Final = "\x1f"

HAS_SETUP, BREAKS_TURN, WAS_CUT = 1, 2, 4  # bits of the column `flags`

Column = npt.NDArray[Any]


@dataclass(eq=False)
class Corpus:
    """Games as columns; n games, m actions in all.

    `notices` tells what was skipped, cut, mended or odd while reading. Indexing gives a `Game`,
    iteration all of them in order.
    """

    actions: Column  # uint16[m]
    starts: Column  # int64[n + 1]: game g is actions[starts[g]:starts[g + 1]]
    size: Column  # uint8[n]
    moves: Column  # uint16[n]: passes included, setup not
    passes: Column  # uint16[n]
    handicap: Column  # uint16[n]
    komi: Column  # float32[n]: nan for unknown
    rank: Column  # int8[n, 2]: black's and white's, as in headers.rank
    date: Column  # int32[n]: as in headers.date
    winner: Column  # uint8[n]: as in headers.winner
    flags: Column  # uint8[n]: HAS_SETUP, BREAKS_TURN, WAS_CUT
    digest: Column  # uint64[n]: equal for the 8 symmetric forms of a game
    text: Column  # uint8[…]: the texts of all games, UTF-8
    text_starts: Column  # int64[n + 1]
    notices: list[Notice] = field(default_factory=list)

    def __post_init__(self) -> None:
        # As it is where it was loaded: to Numba, an array for reading only is of another type, and
        # every kernel that follows a game would be compiled twice.
        self.actions = self.actions.view()
        self.actions.flags.writeable = False

    def __len__(self) -> int:
        return len(self.size)

    def __getitem__(self, g: int) -> Game:
        if not -len(self) <= g < len(self):
            raise IndexError(f"game {g} of {len(self)}")
        g %= len(self)
        raw = bytes(self.text[self.text_starts[g] : self.text_starts[g + 1]])
        texts = dict(zip(_TEXTS, raw.decode().split(_SEPARATOR), strict=True))
        komi = round(float(self.komi[g]), 2)  # as it was before it had 32 bits
        return Game(
            size=int(self.size[g]),
            actions=np.asarray(self.actions[self.starts[g] : self.starts[g + 1]]),
            komi=None if math.isnan(komi) else komi,
            handicap=int(self.handicap[g]),
            **texts,
        )

    def __iter__(self) -> Iterator[Game]:
        return (self[g] for g in range(len(self)))

    def take(self, chosen: npt.NDArray[Any]) -> Corpus:
        """The corpus of the chosen games (a mask or indices); all notices stay."""
        index = np.arange(len(self))[chosen]
        columns: dict[str, Column] = {}
        for ragged, starts in (("actions", "starts"), ("text", "text_starts")):
            whole, begin = getattr(self, ragged), getattr(self, starts)
            pieces = [whole[begin[g] : begin[g + 1]] for g in index]
            columns[ragged] = np.concatenate(pieces) if pieces else whole[:0]
            columns[starts] = _cumulate([len(piece) for piece in pieces])
        for name in _COLUMNS:
            if name not in columns:
                columns[name] = getattr(self, name)[index]
        return Corpus(**columns, notices=self.notices)

    def save(self, folder: Path) -> None:
        """Write the columns into an existing folder, one .npy each, and the notices as JSON."""
        for name in _COLUMNS:
            np.save(folder / f"{name}.npy", getattr(self, name))
        rows = [[n.kind, n.source, n.place, n.reason, n.detail] for n in self.notices]
        (folder / "notices.json").write_text(json.dumps(rows), encoding="utf-8")


_COLUMNS: Final = tuple(f.name for f in fields(Corpus) if f.name != "notices")


def load_corpus(folder: Path) -> Corpus:
    """The corpus saved in a folder, memory-mapped. Raises OSError or ValueError if damaged."""
    columns = {name: mapped(folder / f"{name}.npy") for name in _COLUMNS}
    rows = json.loads((folder / "notices.json").read_text(encoding="utf-8"))
    corpus = Corpus(**columns, notices=[Notice(*row) for row in rows])
    n = len(corpus)
    ends_right = corpus.starts[n] == len(corpus.actions)
    if len(corpus.starts) != n + 1 or not ends_right or len(corpus.digest) != n:
        raise ValueError(f"the corpus in {folder} is damaged")
    return corpus


def corpus_of(games: Sequence[Game], notices: Sequence[Notice] = ()) -> Corpus:
    """The corpus of these games. Games named in a "cut" notice carry WAS_CUT."""
    cut = {notice.source for notice in notices if notice.kind == "cut"}
    texts = [
        _SEPARATOR.join(getattr(game, name).replace(_SEPARATOR, " ") for name in _TEXTS).encode(
            "utf-8", "replace"
        )
        for game in games
    ]
    played = [game.actions[is_move(game.actions)] for game in games]
    flags = [
        HAS_SETUP * game.has_setup
        + BREAKS_TURN * (game.breaks_turn > 0)
        + WAS_CUT * (game.source in cut)
        for game in games
    ]
    return Corpus(
        actions=np.concatenate([g.actions for g in games] or [np.empty(0, np.uint16)]),
        starts=_cumulate([len(g.actions) for g in games]),
        size=np.array([g.size for g in games], np.uint8),
        moves=np.array([len(p) for p in played], np.uint16),
        passes=np.array([np.count_nonzero(points_of(p) == PASS) for p in played], np.uint16),
        handicap=np.array([g.handicap for g in games], np.uint16),
        komi=np.array([math.nan if g.komi is None else g.komi for g in games], np.float32),
        rank=np.array(
            [(headers.rank(g.black_rank), headers.rank(g.white_rank)) for g in games], np.int8
        ).reshape(len(games), 2),
        date=np.array([headers.date(g.date) for g in games], np.int32),
        winner=np.array([headers.winner(g.result) for g in games], np.uint8),
        flags=np.array(flags, np.uint8),
        digest=np.array([g.digest for g in games], np.uint64),
        text=np.frombuffer(b"".join(texts), np.uint8),
        text_starts=_cumulate([len(text) for text in texts]),
        notices=list(notices),
    )


def join(parts: Sequence[Corpus]) -> Corpus:
    """One corpus of several, in order, with all their notices."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return corpus_of([])
    columns: dict[str, Column] = {}
    for name in _COLUMNS:
        pieces = [getattr(part, name) for part in parts]
        if name in ("starts", "text_starts"):
            columns[name] = _cumulate(np.concatenate([np.diff(piece) for piece in pieces]))
        else:
            columns[name] = np.concatenate(pieces)
    return Corpus(**columns, notices=[n for part in parts for n in part.notices])


def _cumulate(lengths: Sequence[int] | Column) -> Column:
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts
