"""Do the keys of shapes ever collide? Compare every appearance with its key's picture, in full.

    python tools/check_keys.py ../shared/data/pro-train-20000.tar.xz

Harvests all of Stern's templates around every played move (minimum 1), then walks through the
games again: the stones around each move must be, point by point and in one of the 8 symmetries, the
picture that the dictionary keeps for that key. Takes about 4 GB and 2 minutes for 20,000 games.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from katachi.go.board import Board, clear, new_board, play
from katachi.go.kernel import int64, kernel
from katachi.go.points import PASS
from katachi.go.symmetry import SYMMETRIES
from katachi.patterns.shapes.dictionary import Shapes, picture_starts
from katachi.patterns.shapes.emit import emit_played
from katachi.patterns.shapes.harvest import harvest
from katachi.patterns.shapes.keys import picture
from katachi.patterns.shapes.lookup import Lookup, find
from katachi.patterns.shapes.sieve import room_for
from katachi.patterns.shapes.templates import STERN_TEMPLATES, Tables, tables
from katachi.processes import default_jobs
from katachi.records.actions import COLOUR_SHIFT, POINT_BITS
from katachi.records.corpus import Corpus
from katachi.records.read import read_games


class Pictures(NamedTuple):
    """A dictionary, as `compare` wants it."""

    lookup: Lookup
    rings: Any
    starts: Any
    packed: Any


@kernel
def compare(
    b: Board, side: int, actions: Any, keys: Any, t: Tables, pictures: Pictures
) -> tuple[int, int]:
    """(appearances, how many of them are not the picture of their key) of a game without setup."""
    clear(b, side)
    states = np.zeros(len(t.offset), np.uint8)
    starts = pictures.starts
    n = 0
    different = 0
    for i in range(len(actions)):
        p = int64(actions[i]) & POINT_BITS
        c = (int64(actions[i]) >> COLOUR_SHIFT) & 3
        if p != PASS:
            picture(b.color, side, p, c, len(t.points) - 1, t, 0, states)
            for r in range(len(t.points)):
                shape = find(pictures.lookup, keys[n])
                n += 1
                same = False
                for s in range(SYMMETRIES):
                    equal = shape >= 0 and pictures.rings[shape] == r
                    k = 0
                    while equal and k < t.points[r]:
                        j = int64(t.image[s, k])
                        packed = pictures.packed[starts[shape] + (j >> 2)]
                        equal = packed >> 2 * (j & 3) & 3 == states[k]
                        k += 1
                    same = same or equal
                if not same:
                    different += 1
        play(b, p, c)
    return n, different


def check(corpus: Corpus, shapes: Shapes, games: range) -> tuple[int, int]:
    """The sums of `compare` over these games."""
    board = new_board(19)
    starts = picture_starts(shapes.templates, shapes.rings)
    pictures = Pictures(shapes.lookup, shapes.rings, starts, shapes.pictures)
    total = different = 0
    for g in games:
        size = int(corpus.size[g])
        t = tables(shapes.templates, size)
        actions = np.asarray(corpus.actions[corpus.starts[g] : corpus.starts[g + 1]])
        out = room_for(len(shapes.templates) * len(actions))
        emit_played(board, size, actions, t.empty_keys.copy(), t, out)
        seen, wrong = compare(board, size, actions, out.keys, t, pictures)
        total += seen
        different += wrong
    return total, different


def main() -> None:
    jobs = default_jobs()
    corpus = read_games(sys.argv[1:], jobs=jobs)
    shapes = harvest(corpus, templates=STERN_TEMPLATES, rule="played", min_count=1, jobs=jobs)
    print(f"{len(corpus):,} games, {len(shapes):,} shapes: {shapes.per_template()}")
    parts = [range(first, len(corpus), jobs) for first in range(jobs)]
    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda part: check(corpus, shapes, part), parts))
    total, different = (sum(column) for column in zip(*found, strict=True))
    print(f"{total:,} appearances compared in full: {different} differ from their key's picture")


if __name__ == "__main__":
    main()
